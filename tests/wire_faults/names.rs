//! Name lookup with faults: this program's own function replaces the system's (`getaddrinfo`, on
//! Windows `GetAddrInfoW`) and fails or is slow for some names.

#![allow(dead_code, reason = "each test uses what it needs")]

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

#[cfg(unix)]
mod system {
    use std::ffi::{CStr, c_char, c_int};
    use std::time::Duration;

    use super::{LATE, NO_DESCRIPTORS, NO_MEMORY, NO_NAME_SERVER, SLOW, UNKNOWN};

    type Lookup = unsafe extern "C" fn(
        *const c_char,
        *const c_char,
        *const libc::addrinfo,
        *mut *mut libc::addrinfo,
    ) -> c_int;

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
            let name = if node.is_null() {
                c""
            } else {
                CStr::from_ptr(node)
            };
            let system: Lookup =
                std::mem::transmute(libc::dlsym(libc::RTLD_NEXT, c"getaddrinfo".as_ptr()));
            if name.to_bytes() == SLOW.as_bytes() {
                std::thread::sleep(Duration::from_secs(10));
                return libc::EAI_NONAME;
            }
            if name.to_bytes() == UNKNOWN.as_bytes() {
                return libc::EAI_NONAME;
            }
            if name.to_bytes() == NO_NAME_SERVER.as_bytes() {
                return libc::EAI_AGAIN;
            }
            if name.to_bytes() == NO_DESCRIPTORS.as_bytes() {
                *libc::__errno_location() = libc::EMFILE;
                return libc::EAI_SYSTEM;
            }
            if name.to_bytes() == NO_MEMORY.as_bytes() {
                return libc::EAI_MEMORY;
            }
            if name.to_bytes() == LATE.as_bytes() {
                std::thread::sleep(Duration::from_millis(300));
                return system(c"127.0.0.1".as_ptr(), service, hints, result);
            }
            system(node, service, hints, result)
        }
    }
}

#[cfg(windows)]
mod system {
    use std::ffi::c_void;
    use std::time::Duration;

    use super::{LATE, NO_DESCRIPTORS, NO_MEMORY, NO_NAME_SERVER, SLOW, UNKNOWN};
    use windows_sys::Win32::Networking::WinSock::{
        WSA_NOT_ENOUGH_MEMORY, WSAEMFILE, WSAHOST_NOT_FOUND, WSATRY_AGAIN,
    };
    use windows_sys::Win32::System::LibraryLoader::{GetModuleHandleW, GetProcAddress};
    use windows_sys::w;

    type Lookup =
        unsafe extern "system" fn(*const u16, *const u16, *const c_void, *mut *mut c_void) -> i32;

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
            let module = GetModuleHandleW(w!("ws2_32.dll"));
            let system = GetProcAddress(module, c"GetAddrInfoW".as_ptr().cast());
            let system: Lookup = std::mem::transmute(system.expect("the system's lookup"));
            match name.as_str() {
                SLOW => {
                    std::thread::sleep(Duration::from_secs(10));
                    WSAHOST_NOT_FOUND
                }
                UNKNOWN => WSAHOST_NOT_FOUND,
                NO_NAME_SERVER => WSATRY_AGAIN,
                NO_DESCRIPTORS => WSAEMFILE,
                NO_MEMORY => WSA_NOT_ENOUGH_MEMORY,
                LATE => {
                    std::thread::sleep(Duration::from_millis(300));
                    system(w!("127.0.0.1"), service, hints, result)
                }
                _ => system(node, service, hints, result),
            }
        }
    }
}
