//! Nothing an input says may reach beyond this machine. These two stand in the place of the
//! system's own: a name that is looked up, or a connection to anything but loopback, ends the
//! process as a finding.

use std::ffi::{c_char, c_int};
use std::net::{Ipv4Addr, Ipv6Addr};

use libc::{addrinfo, sockaddr, sockaddr_in, sockaddr_in6, socklen_t};

// A panic would be caught by the library.
fn refuse(what: &str) -> ! {
    eprintln!("panicked at {what}");
    std::process::abort();
}

/// Looks no name up.
#[unsafe(no_mangle)]
extern "C" fn getaddrinfo(
    _: *const c_char,
    _: *const c_char,
    _: *const addrinfo,
    _: *mut *mut addrinfo,
) -> c_int {
    refuse("a name that was looked up")
}

/// Connects, to loopback.
///
/// # Safety
/// As the system's own.
#[unsafe(no_mangle)]
unsafe extern "C" fn connect(socket: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    // SAFETY: the caller's promise; the family says which kind of address it is.
    let is_loopback = unsafe {
        match c_int::from((*address).sa_family) {
            libc::AF_INET => Ipv4Addr::from(u32::from_be(
                (*address.cast::<sockaddr_in>()).sin_addr.s_addr,
            ))
            .is_loopback(),
            libc::AF_INET6 => {
                Ipv6Addr::from((*address.cast::<sockaddr_in6>()).sin6_addr.s6_addr).is_loopback()
            }
            _ => false,
        }
    };
    if !is_loopback {
        refuse("a connection beyond loopback");
    }
    // SAFETY: the caller's promise.
    unsafe { libc::syscall(libc::SYS_connect, socket, address, length) as c_int }
}
