//! Kept connections and addresses age while the machine sleeps, although most clocks stop.

#![cfg(target_os = "linux")]

use std::sync::atomic::{AtomicI64, AtomicUsize, Ordering::SeqCst};

use serde_json::json;
use support::abi::Client;
use support::orders::{config, order_named, with};
use support::responses::created;
use support::service::{Service, respond};

/// How long the machine has slept, in seconds.
static SLEPT: AtomicI64 = AtomicI64::new(0);
static LOOKUPS: AtomicUsize = AtomicUsize::new(0);

/// Replaces the system's function.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn clock_gettime(clock: libc::clockid_t, time: *mut libc::timespec) -> i32 {
    // SAFETY: the system call gets the same arguments.
    let result = unsafe { libc::syscall(libc::SYS_clock_gettime, clock, time) };
    if result == 0 && clock == libc::CLOCK_BOOTTIME {
        // SAFETY: the time was written.
        unsafe { (*time).tv_sec += SLEPT.load(SeqCst) };
    }
    result as i32
}

type Lookup = unsafe extern "C" fn(
    *const libc::c_char,
    *const libc::c_char,
    *const libc::addrinfo,
    *mut *mut libc::addrinfo,
) -> i32;

/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn getaddrinfo(
    node: *const libc::c_char,
    service: *const libc::c_char,
    hints: *const libc::addrinfo,
    result: *mut *mut libc::addrinfo,
) -> i32 {
    LOOKUPS.fetch_add(1, SeqCst);
    // SAFETY: the system's function has this type, and gets the same arguments.
    unsafe {
        let system = libc::dlsym(libc::RTLD_NEXT, c"getaddrinfo".as_ptr());
        let system: Lookup = std::mem::transmute(system);
        system(node, service, hints, result)
    }
}

#[test]
fn kept_connections_and_addresses_age_while_the_machine_sleeps() {
    let responses = || (0..4).map(|_| respond(created())).collect::<Vec<_>>();
    let service = Service::start(responses());
    let url = format!("http://localhost:{}", service.port());
    // On a busy machine the connection must not become too old.
    let client = Client::new(&with(&config(&url), "maxIdleMs", json!(600_000)));
    client.create(&order_named("S-1")).done();
    client.create(&order_named("S-2")).done();
    assert_eq!(service.connections(), 1, "the connection was kept");
    assert_eq!(LOOKUPS.load(SeqCst), 1);
    SLEPT.fetch_add(8 * 60 * 60, SeqCst);
    client.create(&order_named("S-3")).done();
    assert_eq!(service.connections(), 2, "the connection was too old");
    assert_eq!(LOOKUPS.load(SeqCst), 2, "the address was too old");
}
