//! Looks up the addresses of a host.

use std::io;
use std::net::SocketAddr;

use super::super::{LookupError, copy_address};

/// Asks the system for the addresses of a host. Unlike std's lookup, its errors distinguish a name
/// that does not exist from a name server that does not answer.
pub(crate) fn look_up(host: &str, port: u16) -> Result<Vec<SocketAddr>, LookupError> {
    let Ok(name) = std::ffi::CString::new(host) else {
        return Err(LookupError::NotFound("it contains a zero byte".into()));
    };
    // SAFETY: all zeros is a valid value and means no preferences.
    let mut hints: libc::addrinfo = unsafe { std::mem::zeroed() };
    hints.ai_socktype = libc::SOCK_STREAM;
    let mut first = std::ptr::null_mut();
    // SAFETY: the name ends with a NUL, and both structures are local.
    let error = unsafe { libc::getaddrinfo(name.as_ptr(), std::ptr::null(), &hints, &mut first) };
    if error != 0 {
        // Read the system's error now: the next call could overwrite it.
        let system = io::Error::last_os_error();
        // SAFETY: it returns a static text for any number.
        let words = unsafe { std::ffi::CStr::from_ptr(libc::gai_strerror(error)) };
        let words = words.to_string_lossy().to_lowercase();
        return Err(match error {
            libc::EAI_NONAME => LookupError::NotFound(words),
            #[cfg(any(target_os = "linux", target_vendor = "apple"))]
            libc::EAI_NODATA => LookupError::NotFound(words),
            libc::EAI_MEMORY => LookupError::NoMemory(words),
            libc::EAI_SYSTEM => LookupError::System(system),
            _ => LookupError::Failed(words),
        });
    }
    let mut addresses = Vec::new();
    let mut entry = first;
    // SAFETY: the system made the list, and each address has the given size.
    unsafe {
        while let Some(found) = entry.as_ref() {
            addresses.extend(copy_address(
                found.ai_addr.cast(),
                found.ai_addrlen as usize,
                port,
            ));
            entry = found.ai_next;
        }
        libc::freeaddrinfo(first);
    }
    Ok(addresses)
}
