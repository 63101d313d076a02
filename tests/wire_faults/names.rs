//! Name lookup with faults: this program's own function replaces the system's (`getaddrinfo`, on
//! Windows `GetAddrInfoW`) and fails or is slow for some names.

#![allow(dead_code, reason = "each test uses what it needs")]

use std::time::Duration;

/// The lookup takes longer than any call waits, and finds nothing.
pub const SLOW: &str = "slow.invalid";
/// Found after a while: it is this machine.
pub const LATE: &str = "late.invalid";

/// No name server knows it.
pub const UNKNOWN: &str = "unknown.invalid";
/// No name server responds.
pub const NO_NAME_SERVER: &str = "failing.invalid";
/// The process has no file descriptor left for the lookup.
pub const NO_DESCRIPTORS: &str = "crowded.invalid";
/// The process has no memory left for the result.
pub const NO_MEMORY: &str = "starved.invalid";

/// Waits as long as the lookup of this name takes, and says which of the errors it ends with: no
/// such name, no name server, no descriptor, no memory.
fn error_of(name: &str, errors: [i32; 4]) -> Option<i32> {
    match name {
        SLOW => std::thread::sleep(Duration::from_secs(10)),
        LATE => std::thread::sleep(Duration::from_millis(300)),
        _ => {}
    }
    let [no_such_name, no_name_server, no_descriptor, no_memory] = errors;
    match name {
        SLOW | UNKNOWN => Some(no_such_name),
        NO_NAME_SERVER => Some(no_name_server),
        NO_DESCRIPTORS => Some(no_descriptor),
        NO_MEMORY => Some(no_memory),
        _ => None,
    }
}

#[cfg(unix)]
mod system {
    use std::ffi::{CStr, c_char, c_int};

    #[cfg(not(target_vendor = "apple"))]
    use libc::__errno_location as errno;
    #[cfg(target_vendor = "apple")]
    use libc::__error as errno;

    use super::{LATE, error_of};

    type Lookup = unsafe extern "C" fn(
        *const c_char,
        *const c_char,
        *const libc::addrinfo,
        *mut *mut libc::addrinfo,
    ) -> c_int;

    const ERRORS: [c_int; 4] = [
        libc::EAI_NONAME,
        libc::EAI_AGAIN,
        libc::EAI_SYSTEM,
        libc::EAI_MEMORY,
    ];

    /// # Safety
    /// The same as for the system's function.
    #[unsafe(no_mangle)]
    unsafe extern "C" fn getaddrinfo(
        node: *const c_char,
        service: *const c_char,
        hints: *const libc::addrinfo,
        result: *mut *mut libc::addrinfo,
    ) -> c_int {
        // SAFETY: a name ends with a zero byte; the system's function has this type, and gets what
        // this one got.
        unsafe {
            let name = match node.is_null() {
                true => c"",
                false => CStr::from_ptr(node),
            };
            let name = name.to_str().unwrap_or_default();
            if let Some(error) = error_of(name, ERRORS) {
                *errno() = libc::EMFILE;
                return error;
            }
            let system: Lookup =
                std::mem::transmute(libc::dlsym(libc::RTLD_NEXT, c"getaddrinfo".as_ptr()));
            match name {
                LATE => system(c"127.0.0.1".as_ptr(), service, hints, result),
                _ => system(node, service, hints, result),
            }
        }
    }
}

#[cfg(windows)]
mod system {
    use std::ffi::c_void;

    use super::{LATE, error_of};
    use windows_sys::Win32::Networking::WinSock::{
        WSA_NOT_ENOUGH_MEMORY, WSAEMFILE, WSAHOST_NOT_FOUND, WSATRY_AGAIN,
    };
    use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
    use windows_sys::w;

    type Lookup =
        unsafe extern "system" fn(*const u16, *const u16, *const c_void, *mut *mut c_void) -> i32;

    const ERRORS: [i32; 4] = [
        WSAHOST_NOT_FOUND,
        WSATRY_AGAIN,
        WSAEMFILE,
        WSA_NOT_ENOUGH_MEMORY,
    ];

    /// 32-bit programs call the function through its entry in the import table.
    #[cfg(target_arch = "x86")]
    #[unsafe(export_name = "_imp_GetAddrInfoW")]
    static IMPORTED: Lookup = look_up;

    /// # Safety
    /// The same as for the system's function.
    #[cfg_attr(not(target_arch = "x86"), unsafe(export_name = "GetAddrInfoW"))]
    unsafe extern "system" fn look_up(
        node: *const u16,
        service: *const u16,
        hints: *const c_void,
        result: *mut *mut c_void,
    ) -> i32 {
        // SAFETY: a name ends with a zero; the system's function has this type, and gets what
        // this one got.
        unsafe {
            let length = (0..).take_while(|at| *node.add(*at) != 0).count();
            let name = String::from_utf16_lossy(std::slice::from_raw_parts(node, length));
            if let Some(error) = error_of(&name, ERRORS) {
                return error;
            }
            let module = GetModuleHandleW(w!("ws2_32.dll"));
            let system = GetProcAddress(module, c"GetAddrInfoW".as_ptr().cast());
            let system: Lookup = std::mem::transmute(system.expect("the system's lookup"));
            match name.as_str() {
                LATE => system(w!("127.0.0.1"), service, hints, result),
                _ => system(node, service, hints, result),
            }
        }
    }
}
