//! The system calls of SQLite for the journal: which files its descriptors were opened for, and
//! locks that belong to a descriptor and not to the process.

use std::ffi::{CStr, c_char, c_int};
use std::mem;
use std::sync::{Once, OnceLock};

use rusqlite::ffi::sqlite3_vfs_find;

use super::super::database::current;

type Open = unsafe extern "C" fn(*const c_char, c_int, c_int) -> c_int;
type Close = unsafe extern "C" fn(c_int) -> c_int;
type Control = unsafe extern "C" fn(c_int, c_int, ...) -> c_int;
type SystemCall = unsafe extern "C" fn();

/// The functions that SQLite would call without this file.
struct SystemCalls {
    open: Open,
    close: Close,
    #[cfg_attr(
        not(any(target_os = "linux", target_os = "android")),
        expect(dead_code)
    )]
    control: Control,
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
        let system = sqlite3_vfs_find(c"unix".as_ptr());
        let about = system.as_ref();
        let (Some(get), Some(set)) = (
            about.and_then(|about| about.xGetSystemCall),
            about.and_then(|about| about.xSetSystemCall),
        ) else {
            return;
        };
        let of = |name: &CStr| get(system, name.as_ptr());
        let (Some(open_file), Some(close_file), Some(control)) =
            (of(c"open"), of(c"close"), of(c"fcntl"))
        else {
            return;
        };
        let original = SystemCalls {
            open: mem::transmute::<SystemCall, Open>(open_file),
            close: mem::transmute::<SystemCall, Close>(close_file),
            control: mem::transmute::<SystemCall, Control>(control),
        };
        if ORIGINAL.set(original).is_err() {
            return;
        }
        let open_file = mem::transmute::<Open, SystemCall>(open);
        let close_file = mem::transmute::<Close, SystemCall>(close);
        set(system, c"open".as_ptr(), Some(open_file));
        set(system, c"close".as_ptr(), Some(close_file));
        #[cfg(any(target_os = "linux", target_os = "android"))]
        locks::replace(set, system);
    });
}

unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: c_int) -> c_int {
    let Some(original) = ORIGINAL.get() else {
        return -1;
    };
    // SAFETY: SQLite's own arguments.
    let descriptor = unsafe { (original.open)(path, flags, mode) };
    if descriptor >= 0 {
        current(|database| database.add(descriptor));
    }
    descriptor
}

/// Does not close a file of the host.
unsafe extern "C" fn close(descriptor: c_int) -> c_int {
    let is_sqlites = current(|database| database.remove(descriptor));
    match ORIGINAL.get() {
        // SAFETY: SQLite's own argument.
        Some(original) if is_sqlites != Some(false) => unsafe { (original.close)(descriptor) },
        _ => 0,
    }
}

/// Locks that belong to the open file. Those that SQLite uses belong to the process: two copies of
/// the library in one process would not notice each other's, and any part of the process that opens
/// and closes the file would release them. For other processes there is no difference. SQLite
/// itself relies on locks of the process where several connections of one process have a file open:
/// so this library has only one.
#[cfg(any(target_os = "linux", target_os = "android"))]
mod locks {
    use super::{ORIGINAL, SystemCall, current};
    use std::ffi::{c_char, c_int};
    use std::io;
    use std::mem;

    use rusqlite::ffi::{sqlite3_syscall_ptr, sqlite3_vfs};

    /// The commands as SQLite uses them. On systems of 32 bits, those for large files.
    const GET: c_int = if cfg!(target_pointer_width = "64") {
        libc::F_GETLK
    } else {
        12
    };
    const SET: c_int = if cfg!(target_pointer_width = "64") {
        libc::F_SETLK
    } else {
        13
    };

    type Set = unsafe extern "C" fn(*mut sqlite3_vfs, *const c_char, sqlite3_syscall_ptr) -> c_int;
    type Fixed = unsafe extern "C" fn(c_int, c_int, *mut libc::flock64) -> c_int;

    /// # Safety
    /// `set` sets system calls of this system.
    pub(super) unsafe fn replace(set: Set, system: *mut sqlite3_vfs) {
        // SAFETY: the caller's promise. On Linux, a pointer is passed to a variadic function in the
        // same way as to any other.
        unsafe {
            let control = mem::transmute::<Fixed, SystemCall>(control);
            set(system, c"fcntl".as_ptr(), Some(control));
        }
    }

    unsafe extern "C" fn control(
        descriptor: c_int,
        command: c_int,
        argument: *mut libc::flock64,
    ) -> c_int {
        let Some(control) = ORIGINAL.get().map(|original| original.control) else {
            return -1;
        };
        let own = match command {
            GET => libc::F_OFD_GETLK,
            SET => libc::F_OFD_SETLK,
            // SAFETY: SQLite's own arguments.
            _ => return unsafe { control(descriptor, command, argument) },
        };
        let is_ours = current(|database| database.opened.iter().any(|one| one.0 == descriptor));
        if is_ours.is_none() {
            // SAFETY: SQLite's own arguments.
            return unsafe { control(descriptor, command, argument) };
        }
        if is_ours == Some(false) {
            // SAFETY: with these two commands, SQLite passes such a structure.
            let kind = c_int::from(unsafe { (*argument).l_type });
            if kind != libc::F_UNLCK {
                current(|database| database.are_shared = true);
            }
            let is_shared = current(|database| database.is_of_database(descriptor));
            match kind {
                // The host closed it, and its locks are gone.
                libc::F_UNLCK if is_shared != Some(true) => return 0,
                // SAFETY: SQLite's own arguments. The last connection unlocks what any of them
                // locked, in either way.
                libc::F_UNLCK => unsafe { _ = control(descriptor, command, argument) },
                // Without its lock to read, SQLite would try again for ten seconds.
                libc::F_RDLCK if is_shared == Some(true) => {}
                _ => return -1,
            }
        }
        // SAFETY: with these two commands, SQLite passes such a structure. The system reads and
        // writes the copy, whose process must be 0.
        unsafe {
            let mut lock = libc::flock64 {
                l_pid: 0,
                ..*argument
            };
            let result = control(descriptor, own, &raw mut lock);
            // Systems older than Linux 3.15, and some that only imitate it, do not have such locks.
            if result == -1 && io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL) {
                return control(descriptor, command, argument);
            }
            if command == GET && result == 0 {
                *argument = lock;
            }
            result
        }
    }
}
