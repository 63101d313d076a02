//! The addresses of a host: in which order they are tried, how long each may take, which failure is
//! reported, and how long they are remembered. Kept connections and addresses age while the machine
//! sleeps, although most clocks stop.

#![cfg(all(target_os = "linux", target_env = "gnu"))]

use std::ffi::{CStr, CString, c_char, c_int};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI64, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use socket2::SockAddr;
use support::abi::Client;
use support::orders::{config, order, order_named, with};
use support::patience::until;
use support::responses::{completed, created};
use support::result::{CANCELLED, CONNECT_FAILED};
use support::service::{Service, respond};
use support::tls::{Authority, Folder, serving};
use support::unreachable::Unreachable;

/// The hosts, with what their lookups find. All of 127.0.0.0/8 is this machine, and the system has
/// no route to 255.255.255.255. After the word are those of later lookups.
const HOSTS: [(&str, &str); 7] = [
    (
        "down.test",
        "127.0.0.2 127.0.0.3 127.0.0.4 ::1 255.255.255.255",
    ),
    ("deaf.test", "127.0.0.2 255.255.255.255"),
    ("busy.test", "127.0.0.2 127.0.0.3 127.0.0.4"),
    (
        "far.test",
        "127.0.0.2 127.0.0.3 127.0.0.4 127.0.0.5 127.0.0.6 127.0.0.7 127.0.0.8 127.0.0.9",
    ),
    ("half.test", "127.0.0.2 127.0.0.1"),
    ("silent.test", "127.0.0.1 127.0.0.2"),
    ("moved.test", "127.0.0.2 then 127.0.0.1"),
];

/// How long the machine has slept, in seconds.
static SLEPT: AtomicI64 = AtomicI64::new(0);
/// Held by a test in which the machine sleeps, or must not.
static SLEEP: Mutex<()> = Mutex::new(());
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

/// The system's own function of this name.
unsafe fn system<F>(name: &CStr) -> F {
    // SAFETY: the caller's promise that it has this type.
    unsafe { std::mem::transmute_copy(&libc::dlsym(libc::RTLD_NEXT, name.as_ptr())) }
}

type Text = *const c_char;
type Entries = *mut libc::addrinfo;

/// Finds the addresses of the hosts. glibc frees each entry of a list on its own, so lists can be
/// joined.
///
/// # Safety
/// The same as for the system's function.
#[unsafe(no_mangle)]
unsafe extern "C" fn getaddrinfo(
    node: Text,
    service: Text,
    hints: Entries,
    result: *mut Entries,
) -> c_int {
    // SAFETY: the system's function has this type, gets such arguments as this one got, and ends
    // its lists with NULL.
    unsafe {
        let look_up: unsafe extern "C" fn(Text, Text, Entries, *mut Entries) -> c_int =
            system(c"getaddrinfo");
        let name = CStr::from_ptr(node).to_str().unwrap_or_default();
        let Some((_, addresses)) = HOSTS.iter().find(|(host, _)| *host == name) else {
            return look_up(node, service, hints, result);
        };
        let addresses = match addresses.split_once(" then ") {
            Some((first, _)) if lookups(name) == 0 => first,
            Some((_, later)) => later,
            None => addresses,
        };
        LOOKUPS.lock().unwrap().push(name.to_owned());
        let mut end = result;
        for address in addresses.split(' ') {
            let address = CString::new(address).unwrap();
            assert_eq!(look_up(address.as_ptr(), service, hints, end), 0);
            end = &raw mut (**end).ai_next;
        }
        0
    }
}

fn lookups(name: &str) -> usize {
    let names = LOOKUPS.lock().unwrap();
    names.iter().filter(|one| *one == name).count()
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
        let connect: unsafe extern "C" fn(c_int, *const libc::sockaddr, libc::socklen_t) -> c_int =
            system(c"connect");
        connect(socket, address, length)
    }
}

/// The addresses of this port that calls have tried, in this order, except for 127.0.0.1, to which
/// tests connect too.
fn tried(port: u16) -> Vec<IpAddr> {
    let connects = CONNECTS.lock().unwrap();
    let of_port = connects.iter().filter(|address| address.port() == port);
    let ips = of_port.map(SocketAddr::ip);
    ips.filter(|ip| *ip != Ipv4Addr::LOCALHOST).collect()
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
    reply.is(CONNECT_FAILED).says("(tried 127.0.0.2, ");
    reply.says(" and 1 more): connection refused; nothing was sent");
    // The families take turns.
    let order = "127.0.0.2 ::1 127.0.0.3 127.0.0.4 255.255.255.255".split(' ');
    let order: Vec<IpAddr> = order.map(|one| one.parse().unwrap()).collect();
    assert_eq!(tried(down.port()), order);

    let deaf = Unreachable::full_queue();
    let config = with(&at("deaf.test", deaf.port()), "connectTimeoutMs", 800);
    let reply = Client::new(&config).create(&order_named("O-2"));
    assert_eq!(reply.error()["cause"], "connect_timed_out");
    reply.says("(tried 127.0.0.2, 255.255.255.255): it did not accept the connection in time");
}

/// Each address answers after a second, because the first packet to it is lost: that is when the
/// system sends it again. An eighth of the time is shorter.
#[test]
fn eight_addresses_that_are_slow_can_all_be_connected_to() {
    let far = Unreachable::full_queue();
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
    assert_eq!(open_connections_to(port), 1, "only the one that was used");
}

#[test]
fn a_call_that_tries_several_addresses_is_cancelled_at_once() {
    let busy = Unreachable::full_queue();
    let config = with(&at("busy.test", busy.port()), "connectTimeoutMs", 60_000);
    let client = Client::new(&with(&config, "timeoutMs", 60_000));
    let (reply, took) = thread::scope(|scope| {
        let call = scope.spawn(|| client.create(&order()));
        until(|| tried(busy.port()).len() == 3);
        let began = Instant::now();
        client.cancel();
        (call.join().unwrap(), began.elapsed())
    });
    reply.is(CANCELLED);
    assert!(took < Duration::from_secs(2), "{took:?}");
    let open = open_connections_to(busy.port());
    assert_eq!(open, 8, "those that fill the queue");
}

#[test]
fn kept_connections_and_addresses_age_while_the_machine_sleeps_but_not_which_address_works() {
    let _sleep = SLEEP.lock();
    let service = Service::responding(created());
    let tried_dead = || tried(service.port()).len();
    let lookups = || lookups("half.test");
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
    client.create(&order_named("S-4")).is(CONNECT_FAILED);
    assert_eq!(lookups(), 3);
    let before = tried_dead();
    service.start_again();
    client.create(&order_named("S-5")).done();
    assert_eq!(tried_dead(), before, "it is still tried first");
}

#[test]
fn a_check_finds_a_service_that_has_moved_since_the_last_call() {
    let _awake = SLEEP.lock();
    let listen = |ip: &str, port: u16| TcpListener::bind((ip, port)).expect("a free port");
    let before = Service::on(listen("127.0.0.2", 0), [respond(created())], None);
    let client = Client::new(&at("moved.test", before.port()));
    client.create(&order()).done();
    before.stop();
    let status = [respond(completed("payorder-check"))];
    let _after = Service::on(listen("127.0.0.1", before.port()), status, None);
    let checked = client.check(&json!({})).done();
    assert_eq!(checked.json["ok"], true, "{}", checked.text());
}

#[test]
fn a_check_works_although_another_address_of_the_host_does_not_answer() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    let status = [respond(completed("payorder-check"))];
    let service = Service::start_tls(serving(authority.identity_for("silent.test")), status);
    let port = service.port();
    let _silent = Unreachable::full_queue_at(Ipv4Addr::new(127, 0, 0, 2), port);
    let config = with(&config(&format!("https://silent.test:{port}")), "tls", tls);
    // The whole call has as much time as a connection.
    let client = Client::new(&with(&config, "connectTimeoutMs", 2_000));
    let checked = client.check(&json!({"timeoutMs": 2_000})).done();
    assert_eq!(checked.json["ok"], true, "{}", checked.text());
    let unreachable = json!([format!("127.0.0.2:{port}")]);
    let connect = &checked.json["steps"][1]["details"];
    assert_eq!(connect["unreachable"], unreachable, "{}", checked.text());
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
