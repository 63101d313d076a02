//! The system's lookup of names, made slow for two of them: this program's own `getaddrinfo` stands
//! before the system's.

#![allow(dead_code, reason = "each test takes what it needs")]

use std::ffi::{CStr, c_char, c_int};
use std::time::Duration;

/// Is looked up for longer than any call waits, and is not found.
pub const SLOW: &str = "slow.invalid";
/// Is found after a while: it is this machine.
pub const LATE: &str = "late.invalid";

/// No name server knows it.
pub const UNKNOWN: &str = "unknown.invalid";
/// No name server answers.
pub const FAILING: &str = "failing.invalid";
/// The process has no descriptor left to ask with.
pub const CROWDED: &str = "crowded.invalid";
/// The process has no memory left for the response.
pub const STARVED: &str = "starved.invalid";

type Lookup = unsafe extern "C" fn(
    *const c_char,
    *const c_char,
    *const libc::addrinfo,
    *mut *mut libc::addrinfo,
) -> c_int;

/// # Safety
/// As of the system's.
#[unsafe(no_mangle)]
unsafe extern "C" fn getaddrinfo(
    node: *const c_char,
    service: *const c_char,
    hints: *const libc::addrinfo,
    result: *mut *mut libc::addrinfo,
) -> c_int {
    // SAFETY: a name ends with a zero byte; the system's function is of this type, and gets what
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
        if name.to_bytes() == FAILING.as_bytes() {
            return libc::EAI_AGAIN;
        }
        if name.to_bytes() == CROWDED.as_bytes() {
            *libc::__errno_location() = libc::EMFILE;
            return libc::EAI_SYSTEM;
        }
        if name.to_bytes() == STARVED.as_bytes() {
            return libc::EAI_MEMORY;
        }
        if name.to_bytes() == LATE.as_bytes() {
            std::thread::sleep(Duration::from_millis(300));
            return system(c"127.0.0.1".as_ptr(), service, hints, result);
        }
        system(node, service, hints, result)
    }
}
