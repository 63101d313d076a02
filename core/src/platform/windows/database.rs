//! The system calls of SQLite for the journal: which files its handles were opened for. Locks belong
//! to a handle.

use std::ffi::c_void;
use std::mem;
use std::ptr::null_mut;
use std::sync::{Once, OnceLock};

use rusqlite::ffi::sqlite3_vfs_find;
use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::Storage::FileSystem::{FILE_TYPE_UNKNOWN, GetFileType};

use super::super::database::current;

type Create =
    unsafe extern "system" fn(*const u16, u32, u32, *const c_void, u32, u32, HANDLE) -> HANDLE;
type Close = unsafe extern "system" fn(HANDLE) -> i32;
type SystemCall = unsafe extern "C" fn();

/// The functions that SQLite would call without this file. Set before SQLite gets those below.
static ORIGINAL: OnceLock<(Create, Close)> = OnceLock::new();

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
        let (creates, closes) = (c"CreateFileW".as_ptr(), c"CloseHandle".as_ptr());
        let (Some(create_file), Some(close_handle)) = (get(system, creates), get(system, closes))
        else {
            return;
        };
        let original = (
            mem::transmute::<SystemCall, Create>(create_file),
            mem::transmute::<SystemCall, Close>(close_handle),
        );
        if ORIGINAL.set(original).is_ok() {
            set(
                system,
                creates,
                Some(mem::transmute::<Create, SystemCall>(create)),
            );
            set(
                system,
                closes,
                Some(mem::transmute::<Close, SystemCall>(close)),
            );
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
    let Some((original, _)) = ORIGINAL.get() else {
        return INVALID_HANDLE_VALUE;
    };
    // SAFETY: SQLite's own arguments.
    let file = unsafe { original(path, access, share, security, disposition, flags, template) };
    if file != INVALID_HANDLE_VALUE && file != null_mut() {
        current(|database| database.add(file.expose_provenance()));
    }
    file
}

/// Does not close a file of the host.
unsafe extern "system" fn close(handle: HANDLE) -> i32 {
    // SAFETY: the function accepts any handle.
    let is_file = unsafe { GetFileType(handle) } != FILE_TYPE_UNKNOWN;
    let is_sqlites = current(|database| match is_file {
        true => database.remove(handle.expose_provenance()),
        // A piece of shared memory, unless the host has closed that, too.
        false => !database.are_damaged,
    });
    match ORIGINAL.get() {
        // SAFETY: SQLite's own argument.
        Some((_, original)) if is_sqlites != Some(false) => unsafe { original(handle) },
        _ => 1,
    }
}
