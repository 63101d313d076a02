//! A process that forks between two orders: the child never touches its parent's connection.

use serde_json::json;
use support::abi::Client;
use support::built::process::{own_config, run};
use support::relay::Relay;
use support::responses::created;
use support::service::Service;
use support::shop::{entries, order, states};

use crate::{database, journal_in};

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
    run("forks::forking_between_orders", &config);
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
