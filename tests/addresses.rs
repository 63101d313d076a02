//! The addresses of a host: in which order they are tried, how long each may take, which failure is
//! reported, and how long they are remembered. Kept connections and addresses age while the machine
//! sleeps, although most clocks stop.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::ffi::{CStr, c_char, c_int};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::ptr::null_mut;
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use socket2::SockAddr;
use support::abi::{Client, Token};
use support::orders::{config, order, order_named, with};
use support::responses::created;
use support::service::{Service, respond};
use support::unreachable::Unreachable;

/// The hosts, with what their lookups find. All of 127.0.0.0/8 is this machine, and the system has
/// no route to 255.255.255.255.
const HOSTS: [(&str, &[&str]); 5] = [
    (
        "down.test",
        &[
            "127.0.0.1",
            "127.0.0.2",
            "127.0.0.3",
            "::1",
            "255.255.255.255",
        ],
    ),
    ("silent.test", &["127.0.0.11", "255.255.255.255"]),
    ("deaf.test", &["127.0.0.21", "127.0.0.22", "127.0.0.23"]),
    (
        "far.test",
        &[
            "127.0.0.31",
            "127.0.0.32",
            "127.0.0.33",
            "127.0.0.34",
            "127.0.0.35",
            "127.0.0.36",
            "127.0.0.37",
            "127.0.0.38",
        ],
    ),
    ("half.test", &["127.0.0.41", "127.0.0.1"]),
];

/// How long the machine has slept, in seconds.
static SLEPT: AtomicI64 = AtomicI64::new(0);
static LOOKUPS: Mutex<Vec<String>> = Mutex::new(Vec::new());
static CONNECTS: Mutex<Vec<SocketAddr>> = Mutex::new(Vec::new());

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
    *const c_char,
    *const c_char,
    *const libc::addrinfo,
    *mut *mut libc::addrinfo,
) -> c_int;

/// Finds the addresses of the hosts. glibc frees each entry of a list on its own, so lists can be
/// joined.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn getaddrinfo(
    node: *const c_char,
    service: *const c_char,
    hints: *const libc::addrinfo,
    result: *mut *mut libc::addrinfo,
) -> c_int {
    // SAFETY: the system's function has this type, and gets such arguments as this one got. It ends
    // its lists with NULL.
    unsafe {
        let system = libc::dlsym(libc::RTLD_NEXT, c"getaddrinfo".as_ptr());
        let system: Lookup = std::mem::transmute(system);
        let name = CStr::from_ptr(node).to_str().unwrap_or_default();
        let Some((_, addresses)) = HOSTS.iter().find(|(host, _)| *host == name) else {
            return system(node, service, hints, result);
        };
        LOOKUPS.lock().unwrap().push(name.to_owned());
        let mut end = result;
        for address in *addresses {
            *end = null_mut();
            let address = std::ffi::CString::new(*address).unwrap();
            assert_eq!(system(address.as_ptr(), service, hints, end), 0);
            end = &raw mut (**end).ai_next;
        }
        0
    }
}

/// Notes the address.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn connect(
    socket: c_int,
    address: *const libc::sockaddr,
    length: libc::socklen_t,
) -> c_int {
    // SAFETY: the address has this length, and the system's function gets the same arguments.
    unsafe {
        let copy = SockAddr::try_init(|storage, copied| {
            std::ptr::copy_nonoverlapping(address.cast(), storage.cast::<u8>(), length as usize);
            *copied = length;
            Ok(())
        });
        CONNECTS.lock().unwrap().extend(copy.unwrap().1.as_socket());
        let system = libc::dlsym(libc::RTLD_NEXT, c"connect".as_ptr());
        let system: unsafe extern "C" fn(c_int, *const libc::sockaddr, libc::socklen_t) -> c_int =
            std::mem::transmute(system);
        system(socket, address, length)
    }
}

/// The addresses of this port that calls have tried, in this order.
fn tried(port: u16) -> Vec<IpAddr> {
    let connects = CONNECTS.lock().unwrap();
    let of_port = connects.iter().filter(|address| address.port() == port);
    // Those to 0.0.0.0 fill a queue.
    let ips = of_port.map(SocketAddr::ip);
    ips.filter(|ip| !ip.is_unspecified()).collect()
}

fn at(host: &str, port: u16) -> Value {
    let config = config(&format!("http://{host}:{port}"));
    with(
        &with(&config, "allowInsecureHttp", true),
        "createRetries",
        0,
    )
}

#[test]
fn the_failure_that_says_most_is_reported_with_the_addresses_that_were_tried() {
    let down = Unreachable::refusing();
    let reply = Client::new(&at("down.test", down.port())).create(&order());
    assert_eq!(reply.error()["cause"], "connection_refused");
    reply.is(6).says("(tried 127.0.0.1, ");
    reply.says(" and 1 more): connection refused; nothing was sent");
    // The families take turns.
    let order = [
        "127.0.0.1",
        "::1",
        "127.0.0.2",
        "127.0.0.3",
        "255.255.255.255",
    ];
    assert_eq!(
        tried(down.port()),
        order.map(|one| one.parse::<IpAddr>().unwrap())
    );

    let silent = Unreachable::full_queue_at(Ipv4Addr::UNSPECIFIED);
    let config = with(&at("silent.test", silent.port()), "connectTimeoutMs", 800);
    let reply = Client::new(&config).create(&order_named("O-2"));
    assert_eq!(reply.error()["cause"], "connect_timed_out");
    reply.says("(tried 127.0.0.11, 255.255.255.255): it did not accept the connection in time");
}

/// Each address answers after a second, because the first packet to it is lost: that is when the
/// system sends it again. An eighth of the time is shorter.
#[test]
fn eight_addresses_that_are_slow_can_all_be_connected_to() {
    let far = Unreachable::full_queue_at(Ipv4Addr::UNSPECIFIED);
    let port = far.port();
    let client = Client::new(&with(&at("far.test", port), "connectTimeoutMs", 7_500));
    let (reply, service) = thread::scope(|scope| {
        let call = scope.spawn(|| client.create(&order()));
        until(|| tried(port).len() == 8);
        let service = Service::on(far.into_listener(), [respond(created())], None);
        (call.join().unwrap(), service)
    });
    reply.done();
    assert_eq!(service.request_count(), 1);
    let open = open_connections_to(port);
    assert_eq!(open, 1, "only the connection that was used is kept");
}

#[test]
fn a_call_that_tries_several_addresses_is_cancelled_at_once() {
    let deaf = Unreachable::full_queue_at(Ipv4Addr::UNSPECIFIED);
    let config = with(&at("deaf.test", deaf.port()), "connectTimeoutMs", 60_000);
    let client = Client::new(&with(&config, "timeoutMs", 60_000));
    let token = Token::new();
    let (reply, took) = thread::scope(|scope| {
        let call = scope.spawn(|| client.create_with(&order(), &token.among(&json!({}))));
        until(|| tried(deaf.port()).len() == 3);
        let began = Instant::now();
        token.cancel();
        (call.join().unwrap(), began.elapsed())
    });
    reply.is(8);
    assert!(took < Duration::from_secs(2), "{took:?}");
    assert_eq!(
        open_connections_to(deaf.port()),
        8,
        "those that fill the queue"
    );
}

#[test]
fn kept_connections_and_addresses_age_while_the_machine_sleeps_but_not_which_address_works() {
    let service = Service::responding(created());
    let dead: IpAddr = "127.0.0.41".parse().unwrap();
    let tried_dead = || {
        tried(service.port())
            .iter()
            .filter(|one| **one == dead)
            .count()
    };
    let lookups = || {
        LOOKUPS
            .lock()
            .unwrap()
            .iter()
            .filter(|name| *name == "half.test")
            .count()
    };
    // On a busy machine the connection must not become too old.
    let client = Client::new(&with(
        &at("half.test", service.port()),
        "maxIdleMs",
        600_000,
    ));
    client.create(&order_named("S-1")).done();
    client.create(&order_named("S-2")).done();
    assert_eq!(service.connections(), 1, "the connection was kept");
    assert_eq!((lookups(), tried_dead()), (1, 1));
    SLEPT.fetch_add(8 * 60 * 60, SeqCst);
    client.create(&order_named("S-3")).done();
    assert_eq!(service.connections(), 2, "the connection was too old");
    assert_eq!(lookups(), 2, "the address was too old");
    assert_eq!(tried_dead(), 1, "the address that worked is tried first");
    // A failure, after which the name is looked up again, does not change that.
    service.stop();
    client.create(&order_named("S-4")).is(6);
    assert_eq!(lookups(), 3);
    let before = tried_dead();
    service.start_again();
    client.create(&order_named("S-5")).done();
    assert_eq!(tried_dead(), before, "it is still tried first");
}

fn until(what: impl Fn() -> bool) {
    let began = Instant::now();
    while !what() {
        assert!(
            began.elapsed() < Duration::from_secs(20),
            "it did not happen"
        );
        thread::sleep(Duration::from_millis(2));
    }
}

/// How many connections of this machine to this port are open, or being opened.
fn open_connections_to(port: u16) -> usize {
    let table = std::fs::read_to_string("/proc/net/tcp").expect("the system's connections");
    let (to, open) = (format!(":{port:04X}"), ["01", "02"]);
    let columns = table
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>());
    columns
        .filter(|one| one[2].ends_with(&to) && open.contains(&one[3]))
        .count()
}
