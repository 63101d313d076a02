//! A connection that is not the process's own: a forked child never touches that of its parent, and
//! no call that of a descriptor which the host closed and uses for something else.

use std::os::fd::AsRawFd;
use std::time::Duration;

use serde_json::json;
use support::abi::Client;
use support::built::process::{own_config, run};
use support::relay::Relay;
use support::responses::created;
use support::service::Service;
use support::shop::{entries, order, states};

use crate::{database, journal_in, names};

/// Runs this in a child, and waits for it.
#[track_caller]
fn in_child(work: impl FnOnce()) {
    // SAFETY: the child makes its calls and exits.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(work));
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(i32::from(done.is_err())) };
    }
    let mut status = 0;
    // SAFETY: `child` is a child process of this test.
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(status, 0, "in the child");
}

#[test]
#[ignore = "started by parent_and_child_have_connections_of_their_own"]
fn forking_between_orders() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    client.create(&order("BEFORE")).done();
    in_child(|| {
        client.create(&order("CHILD")).done();
        client
            .create(&order("BEFORE"))
            .is(support::result::DUPLICATE);
    });
    client.create(&order("BETWEEN")).done();
    // A child that does nothing but end the client.
    in_child(|| {
        support::abi::free(client.key());
    });
    client.create(&order("AFTER")).done();
}

#[test]
fn parent_and_child_have_connections_of_their_own() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let service = Service::responding(created());
    let config = journal_in(&database.at(relay.port()), &service.url());
    run("descriptors::forking_between_orders", &config);
    assert_eq!(
        relay.connections(),
        2,
        "one of the parent, one of the first child"
    );
    let client = Client::new(&journal_in(&database, &service.url()));
    let expected = ["BEFORE", "CHILD", "BETWEEN", "AFTER"].map(|name| format!("{name}: created"));
    assert_eq!(states(&entries(&client)), expected);
    assert_eq!(json!(service.request_count()), 4);
}

#[test]
#[ignore = "started by a_child_looks_the_host_up_itself"]
fn forking_while_the_host_is_looked_up() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    std::thread::scope(|scope| {
        scope.spawn(|| client.create(&order("PARENT")).done());
        std::thread::sleep(Duration::from_millis(100));
        in_child(|| {
            client.create(&order("CHILD")).done();
        });
    });
}

#[test]
fn a_child_looks_the_host_up_itself() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let mut config = journal_in(&database, &service.url());
    let journal = config["journal"].as_str().expect("a URI");
    config["journal"] = journal.replace("127.0.0.1", names::LATE).into();
    run("descriptors::forking_while_the_host_is_looked_up", &config);
    assert_eq!(service.request_count(), 2);
}

/// The sockets of this process that lead to a port.
fn sockets_to(port: u64) -> Vec<i32> {
    let leads_there = |descriptor: &i32| {
        // SAFETY: the address and its size are valid for the call, for any descriptor.
        let (result, address) = unsafe {
            let mut address: libc::sockaddr_in = std::mem::zeroed();
            let mut size = size_of_val(&address) as libc::socklen_t;
            let place = (&raw mut address).cast();
            (libc::getpeername(*descriptor, place, &mut size), address)
        };
        result == 0 && u64::from(u16::from_be(address.sin_port)) == port
    };
    (3..256).filter(leads_there).collect()
}

#[test]
#[ignore = "started by a_descriptor_that_the_host_took_is_not_used"]
fn taking_the_descriptors_of_a_connection() {
    let Some(given) = own_config() else { return };
    let client = Client::new(&given["config"]);
    client.create(&order("A")).done();
    let path = given["file"].as_str().expect("a path");
    let file = std::fs::File::create(path).expect("a file");
    let taken = sockets_to(given["port"].as_u64().expect("a port"));
    assert_eq!(taken.len(), 1);
    // SAFETY: the host closes a descriptor that is not its own, and opens a file.
    let done = unsafe { libc::dup2(file.as_raw_fd(), taken[0]) };
    assert_eq!(done, taken[0]);
    client.create(&order("B")).done();
    drop(client);
    // SAFETY: it asks for the flags of a descriptor.
    let flags = unsafe { libc::fcntl(taken[0], libc::F_GETFD) };
    assert!(flags >= 0, "the host's descriptor is still open");
    assert_eq!(std::fs::read(path).expect("the file"), b"");
}

#[test]
fn a_descriptor_that_the_host_took_is_not_used() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let service = Service::responding(created());
    let folder = support::tls::Folder::new();
    let config = json!({
        "config": journal_in(&database.at(relay.port()), &service.url()),
        "file": folder.path().join("the-hosts"),
        "port": relay.port(),
    });
    run(
        "descriptors::taking_the_descriptors_of_a_connection",
        &config,
    );
    assert_eq!(relay.connections(), 2);
    assert_eq!(service.request_count(), 2);
}

#[test]
#[ignore = "started by a_connection_does_not_take_the_place_of_a_standard_stream"]
fn closing_the_standard_streams() {
    let Some(config) = own_config() else { return };
    // SAFETY: copies keep the streams open, and are put back below.
    let saved = [0, 1, 2].map(|stream| unsafe {
        let copy = libc::fcntl(stream, libc::F_DUPFD_CLOEXEC, 100);
        libc::close(stream);
        copy
    });
    let client = Client::new(&config);
    let created = client.create(&order("A"));
    // SAFETY: it asks for the flags of a descriptor, and puts the copy in its place.
    let taken = [0, 1, 2].map(|stream| unsafe {
        let is_open = libc::fcntl(stream, libc::F_GETFD) != -1;
        libc::dup2(saved[stream as usize], stream);
        is_open
    });
    created.done();
    assert_eq!(taken, [false; 3]);
}

#[test]
fn a_connection_does_not_take_the_place_of_a_standard_stream() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let config = journal_in(&database, &service.url());
    run("descriptors::closing_the_standard_streams", &config);
    assert_eq!(service.request_count(), 1);
}
