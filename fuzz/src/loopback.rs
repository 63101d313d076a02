//! No input may reach another machine. A name lookup, or a connection to an address other than
//! loopback, ends the process as a finding.

use std::ffi::{c_char, c_int};
use std::net::{Ipv4Addr, Ipv6Addr};

use libc::{addrinfo, sockaddr, sockaddr_in, sockaddr_in6};

/// Ends the process as a finding. The library would catch a panic.
pub fn refuse(what: &str) -> ! {
    eprintln!("panicked at {what}");
    std::process::abort();
}

/// Replaces the system's name lookup, and aborts.
#[unsafe(no_mangle)]
extern "C" fn getaddrinfo(
    _: *const c_char,
    _: *const c_char,
    _: *const addrinfo,
    _: *mut *mut addrinfo,
) -> c_int {
    refuse("a name that was looked up")
}

/// The port of an address. Ends the process if the address is not loopback.
///
/// # Safety
/// It must be a valid address.
pub(crate) unsafe fn port(address: *const sockaddr) -> u16 {
    // SAFETY: the caller guarantees a valid address; the family is its type.
    let (is_loopback, port) = unsafe {
        match c_int::from((*address).sa_family) {
            libc::AF_INET => {
                let address = &*address.cast::<sockaddr_in>();
                let host = Ipv4Addr::from(u32::from_be(address.sin_addr.s_addr));
                (host.is_loopback(), address.sin_port)
            }
            libc::AF_INET6 => {
                let address = &*address.cast::<sockaddr_in6>();
                let host = Ipv6Addr::from(address.sin6_addr.s6_addr);
                (host.is_loopback(), address.sin6_port)
            }
            _ => (false, 0),
        }
    };
    if !is_loopback {
        refuse("a connection beyond loopback");
    }
    u16::from_be(port)
}
