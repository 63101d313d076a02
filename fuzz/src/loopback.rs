//! No input may reach another machine. These two functions replace the system's: a name lookup, or
//! a connection to an address other than loopback, ends the process as a finding.

use std::ffi::{c_char, c_int};
use std::net::{Ipv4Addr, Ipv6Addr};

use libc::{addrinfo, sockaddr, sockaddr_in, sockaddr_in6, socklen_t};

// The library would catch a panic.
fn refuse(what: &str) -> ! {
    eprintln!("panicked at {what}");
    std::process::abort();
}

/// Replaces the name lookup, and aborts.
#[unsafe(no_mangle)]
extern "C" fn getaddrinfo(
    _: *const c_char,
    _: *const c_char,
    _: *const addrinfo,
    _: *mut *mut addrinfo,
) -> c_int {
    refuse("a name that was looked up")
}

/// Connects, to loopback only.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn connect(socket: c_int, address: *const sockaddr, length: socklen_t) -> c_int {
    // SAFETY: the caller guarantees a valid address; the family is its type.
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
    // SAFETY: the caller guarantees valid arguments.
    unsafe { libc::syscall(libc::SYS_connect, socket, address, length) as c_int }
}
