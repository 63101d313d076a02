//! The system calls of SQLite for the journal: which files its handles were opened for. Locks belong
//! to a handle.

use std::ffi::{CStr, c_void};
use std::mem;
use std::ptr::null_mut;
use std::sync::{Once, OnceLock};

use rusqlite::ffi::sqlite3_vfs_find;
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_UNKNOWN, GetFileType};
use windows_sys::Win32::System::IO::OVERLAPPED;

use super::super::database::current;

type Create =
    unsafe extern "system" fn(*const u16, u32, u32, *const c_void, u32, u32, HANDLE) -> HANDLE;
type Close = unsafe extern "system" fn(HANDLE) -> i32;
type Unlock = unsafe extern "system" fn(HANDLE, u32, u32, u32, *mut OVERLAPPED) -> i32;
type SystemCall = unsafe extern "C" fn();

/// The functions that SQLite would call without this file.
struct SystemCalls {
    create: Create,
    close: Close,
    unlock: Unlock,
}

/// Set before SQLite gets the functions below.
static ORIGINAL: OnceLock<SystemCalls> = OnceLock::new();

/// Has SQLite call the functions below. Outside of [`DatabaseDescriptors::during`] they do nothing
/// else than those that they replace.
///
/// [`DatabaseDescriptors::during`]: super::super::database::DatabaseDescriptors::during
pub(crate) fn replace_system_calls() {
    static REPLACED: Once = Once::new();
    // SAFETY: the system exists for as long as the process, its functions are called as SQLite
    // documents it, and these are the types with which SQLite itself calls them.
    REPLACED.call_once(|| unsafe {
        let system = sqlite3_vfs_find(c"win32".as_ptr());
        let about = system.as_ref();
        let (Some(get), Some(set)) = (
            about.and_then(|about| about.xGetSystemCall),
            about.and_then(|about| about.xSetSystemCall),
        ) else {
            return;
        };
        let names = [c"CreateFileW", c"CloseHandle", c"UnlockFileEx"].map(CStr::as_ptr);
        let [Some(create_file), Some(close_handle), Some(unlock_file)] =
            names.map(|name| get(system, name))
        else {
            return;
        };
        let original = SystemCalls {
            create: mem::transmute::<SystemCall, Create>(create_file),
            close: mem::transmute::<SystemCall, Close>(close_handle),
            unlock: mem::transmute::<SystemCall, Unlock>(unlock_file),
        };
        if ORIGINAL.set(original).is_err() {
            return;
        }
        let own = [
            mem::transmute::<Create, SystemCall>(create),
            mem::transmute::<Close, SystemCall>(close),
            mem::transmute::<Unlock, SystemCall>(unlock),
        ];
        for (name, own) in names.into_iter().zip(own) {
            set(system, name, Some(own));
        }
    });
}

unsafe extern "system" fn create(
    path: *const u16,
    access: u32,
    share: u32,
    security: *const c_void,
    disposition: u32,
    flags: u32,
    template: HANDLE,
) -> HANDLE {
    let Some(original) = ORIGINAL.get() else {
        return INVALID_HANDLE_VALUE;
    };
    // SAFETY: SQLite's own arguments.
    let file =
        unsafe { (original.create)(path, access, share, security, disposition, flags, template) };
    if file != INVALID_HANDLE_VALUE && file != null_mut() {
        current(|database| database.add(file.expose_provenance()));
    }
    file
}

/// Does not close a file of the host.
unsafe extern "system" fn close(handle: HANDLE) -> i32 {
    let number = handle.expose_provenance();
    let is_sqlites = current(|database| {
        let is_known = database.opened.iter().any(|one| one.0 == number);
        // SAFETY: the function accepts any handle.
        match is_known || unsafe { GetFileType(handle) } != FILE_TYPE_UNKNOWN {
            true => database.remove(number),
            // A piece of shared memory, unless the host has closed that, too.
            false => !database.are_damaged,
        }
    });
    match ORIGINAL.get() {
        // SAFETY: SQLite's own argument.
        Some(original) if is_sqlites != Some(false) => unsafe { (original.close)(handle) },
        _ => 1,
    }
}

/// Does not unlock a file of the host.
unsafe extern "system" fn unlock(
    handle: HANDLE,
    reserved: u32,
    low: u32,
    high: u32,
    place: *mut OVERLAPPED,
) -> i32 {
    let is_hosts = current(|database| {
        let number = handle.expose_provenance();
        database.are_damaged && !database.opened.iter().any(|one| one.0 == number)
    });
    match ORIGINAL.get() {
        // SAFETY: SQLite's own arguments.
        Some(original) if is_hosts != Some(true) => unsafe {
            (original.unlock)(handle, reserved, low, high, place)
        },
        _ => 1,
    }
}
