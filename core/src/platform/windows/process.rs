//! The host process, its threads, and the system's errors.

use std::ffi::c_void;
use std::io;
use std::sync::Once;

use windows_sys::Win32::Foundation::{
    ERROR_NOT_ENOUGH_MEMORY, ERROR_OUTOFMEMORY, ERROR_TOO_MANY_OPEN_FILES,
};
use windows_sys::Win32::Networking::WinSock::{
    WSA_NOT_ENOUGH_MEMORY, WSAEACCES, WSAEADDRNOTAVAIL, WSAEAFNOSUPPORT, WSAECONNABORTED,
    WSAECONNREFUSED, WSAECONNRESET, WSAEHOSTUNREACH, WSAEINVAL, WSAEMFILE, WSAENETDOWN,
    WSAENETRESET, WSAENETUNREACH, WSAENOBUFS, WSAESHUTDOWN, WSAETIMEDOUT, WSANO_RECOVERY,
    WSATRY_AGAIN,
};
use windows_sys::Win32::System::LibraryLoader::{
    GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS, GET_MODULE_HANDLE_EX_FLAG_PIN, GetModuleHandleExW,
};

/// Does nothing: Windows threads have no cancellation that could be delayed (`TerminateThread`
/// cannot be blocked).
pub struct ThreadCancelGuard;

impl ThreadCancelGuard {
    /// Does nothing.
    pub fn begin() -> ThreadCancelGuard {
        ThreadCancelGuard
    }
}

/// Runs `start`. Windows has no signals.
pub(crate) fn with_signals_blocked<T>(start: impl FnOnce() -> T) -> T {
    start()
}

/// Does nothing: Windows has no fork.
pub(crate) fn at_each_fork(_: extern "C" fn(), _: extern "C" fn(), _: extern "C" fn()) {}

/// Keeps the library loaded until the process ends. Otherwise a thread that is in a call, or still
/// in a name lookup, could return to code that was unloaded.
pub fn stay_loaded() {
    static PINNED: Once = Once::new();
    PINNED.call_once(pin);
}

fn pin() {
    let mut module = std::ptr::null_mut();
    let flags = GET_MODULE_HANDLE_EX_FLAG_PIN | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS;
    let inside: fn() = pin;
    // SAFETY: with these flags the name is an address inside the module.
    unsafe { GetModuleHandleExW(flags, inside as *const u16, &mut module) };
}

/// Whether the process or the system has no handle left.
pub(crate) fn is_out_of_descriptors(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    code == Some(WSAEMFILE) || code == Some(ERROR_TOO_MANY_OPEN_FILES as i32)
}

pub(crate) fn is_out_of_memory(error: &io::Error) -> bool {
    let code = error.raw_os_error();
    code == Some(WSAENOBUFS)
        || code == Some(ERROR_NOT_ENOUGH_MEMORY as i32)
        || code == Some(ERROR_OUTOFMEMORY as i32)
}

/// A message for an error of the system. It is always in English: the system's own messages are in
/// the user's language, which the reader of a log may not know.
pub(crate) fn describe_error(error: &io::Error) -> String {
    let Some(code) = error.raw_os_error() else {
        return error.to_string();
    };
    let words = match code {
        2 => "no such file",
        3 => "no such folder",
        4 => "too many open files",
        5 => "access denied",
        8 | 14 => "out of memory",
        19 => "the disk is write-protected",
        32 => "another program has the file open",
        33 => "another program has locked the file",
        39 | 112 => "the disk is full",
        53 => "the network path was not found",
        123 | 161 => "the path is not valid",
        126 => "it, or a DLL that it needs, was not found",
        127 => "it, or a DLL that it needs, has not all functions that are needed",
        193 => "it is for another processor, or not a DLL",
        206 => "the path is too long",
        267 => "not a folder",
        WSAEACCES => "access denied, perhaps by a firewall",
        WSAEINVAL => "invalid argument",
        WSAEMFILE => "too many open sockets",
        WSAEAFNOSUPPORT => "this machine does not support that kind of address",
        WSAEADDRNOTAVAIL => "the address cannot be used from this machine",
        WSAENETDOWN => "the network is down",
        WSAENETUNREACH => "network is unreachable",
        WSAENETRESET | WSAECONNRESET => "connection reset by peer",
        WSAECONNABORTED => "connection aborted",
        WSAENOBUFS => "out of memory for sockets",
        WSAESHUTDOWN => "the connection was shut down",
        WSAETIMEDOUT => "connection timed out",
        WSAECONNREFUSED => "connection refused",
        WSAEHOSTUNREACH => "no route to host",
        WSATRY_AGAIN => "temporary failure in name resolution",
        WSANO_RECOVERY => "the name server reported a failure",
        _ => return format!("Windows error {code}"),
    };
    words.into()
}

const _: () = assert!(WSA_NOT_ENOUGH_MEMORY == ERROR_NOT_ENOUGH_MEMORY as i32);

/// Windows has no such bits: the folder's permissions decide.
pub(crate) fn is_open_to_others(_: &std::fs::Metadata) -> bool {
    false
}

/// At exit, Windows ends all other threads first.
pub fn is_exiting() -> bool {
    false
}

/// At exit, Windows ends all other threads first.
pub(crate) fn has_exit_begun() -> bool {
    false
}

/// At exit, Windows does not call the library before all other threads have ended.
pub(crate) fn watch_for_exit() -> bool {
    true
}

/// Starts a thread that nobody waits for.
pub(crate) fn start_detached(
    stack: usize,
    main: extern "C-unwind" fn(*mut c_void) -> *mut c_void,
    argument: *mut c_void,
) -> io::Result<()> {
    let argument = argument.expose_provenance();
    std::thread::Builder::new()
        .stack_size(stack)
        .spawn(move || {
            main(std::ptr::with_exposed_provenance_mut(argument));
        })
        .map(drop)
}
