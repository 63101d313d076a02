//! Looks up the addresses of a host.

use std::io;
use std::net::SocketAddr;
use std::ptr::null_mut;
use std::sync::Once;

use super::super::{LookupError, copy_address};
use windows_sys::Win32::Networking::WinSock::{
    ADDRINFOW, FreeAddrInfoW, GetAddrInfoW, SOCK_STREAM, WSA_NOT_ENOUGH_MEMORY, WSADATA,
    WSAHOST_NOT_FOUND, WSANO_DATA, WSAStartup,
};

/// Asks the system for the addresses of a host.
pub(crate) fn look_up(host: &str, port: u16) -> Result<Vec<SocketAddr>, LookupError> {
    start_sockets();
    if host.contains('\0') {
        return Err(LookupError::NotFound("it contains a zero byte".into()));
    }
    let name: Vec<u16> = host.encode_utf16().chain([0]).collect();
    let hints = ADDRINFOW {
        ai_socktype: SOCK_STREAM,
        ..ADDRINFOW::default()
    };
    let mut first: *mut ADDRINFOW = null_mut();
    // SAFETY: the name ends with a NUL, and both structures are local.
    let error = unsafe { GetAddrInfoW(name.as_ptr(), null_mut(), &hints, &mut first) };
    match error {
        0 => {}
        WSAHOST_NOT_FOUND => return Err(LookupError::NotFound("host not found".into())),
        WSANO_DATA => return Err(LookupError::NotFound("the name has no address".into())),
        WSA_NOT_ENOUGH_MEMORY => return Err(LookupError::NoMemory("out of memory".into())),
        _ => return Err(LookupError::System(io::Error::from_raw_os_error(error))),
    }
    let mut addresses = Vec::new();
    let mut entry = first;
    // SAFETY: the system made the list, and each address has the given size.
    unsafe {
        while let Some(found) = entry.as_ref() {
            addresses.extend(copy_address(found.ai_addr.cast(), found.ai_addrlen, port));
            entry = found.ai_next;
        }
        FreeAddrInfoW(first);
    }
    Ok(addresses)
}

/// A process must initialise the system's sockets before it uses them. Doing so more than once is
/// harmless.
fn start_sockets() {
    static STARTED: Once = Once::new();
    STARTED.call_once(|| {
        let mut about = WSADATA::default();
        // SAFETY: the structure is local. If this fails, so does the lookup.
        unsafe { WSAStartup(0x0202, &mut about) };
    });
}
