//! Host programs in C that fork: before and during calls, in a callback, with a journal.

use super::host::{
    Journal, check_program, connections_of, each_order_arrived_once, each_transport, host,
    long_idle_config, over_tls,
};
use crate::program::Linked;
use std::thread;
use std::time::Duration;
use support::responses::{CHECKOUT, completed_body, created, http};
use support::service::{Script, Service, respond, respond_after};
use support::tls_service::TlsService;

const AT_ONCE: Duration = Duration::ZERO;

#[test]
fn a_client_works_on_both_sides_of_a_fork() {
    let program = host("fork", &Linked::Shared);
    each_transport([respond(created())], |service, config| {
        check_program(&program, &[config]);
        let parents = connections_of(service, "PARENT-", 40);
        assert_eq!(parents.len(), 1, "the parent keeps its connection");
        for child in ["CHILD-A-", "CHILD-B-"] {
            let childs = connections_of(service, child, 10);
            assert_eq!(childs.len(), 1, "a child keeps its connection");
            assert_ne!(childs, parents, "a child has a connection of its own");
        }
    });
    let (journal, service) = (Journal::new(), Service::responding(created()));
    check_program(&program, &[&journal.of(&long_idle_config(&service.url()))]);
    assert_eq!(service.request_count(), 60);
    journal.has(60);
}

#[test]
fn a_process_with_threads_inside_calls_and_lookups_can_fork() {
    let program = host("fork_during_calls", &Linked::Shared);
    let check = |service: &Service| {
        let children = connections_of(service, "CHILD-", 40);
        assert_eq!(children.len(), 40, "each child has a connection of its own");
        connections_of(service, "CANCELLED", 0);
        each_order_arrived_once(service);
    };
    each_transport([respond(created())], |service, config| {
        check_program(&program, &[config]);
        check(service);
    });
    let journal = Journal::new();
    let service = Service::responding(created());
    let config = journal.of(&long_idle_config(&service.url()));
    check_program(&program, &[&config]);
    check(&service);
    journal.has(service.request_count());
}

/// The response to both calls, after some time. The status is pending, so that orders stay open.
fn response(delay: Duration) -> [Script; 1] {
    let mut body = completed_body("");
    body["data"]["transactionStatus"] = "Pending".into();
    body["data"]["url"] = CHECKOUT.into();
    [respond_after(delay, http(200, body.to_string()))]
}

#[test]
fn a_fork_inside_a_callback_leaves_the_call_to_the_parent() {
    let program = host("fork_in_callbacks", &Linked::Shared);
    let later = || response(Duration::from_millis(250));
    let check = |quick: &Service, slow: &Service| {
        connections_of(quick, "FORKED-", 40);
        connections_of(slow, "FORKED-", 1);
        connections_of(slow, "STARTED-", 3);
        each_order_arrived_once(slow);
        let requests = quick.requests();
        let orders = requests
            .iter()
            .filter(|request| request.body.contains("\"amount\""));
        orders.count()
    };
    // Both wait most of the time.
    thread::scope(|scope| {
        scope.spawn(|| {
            let (quick, slow) = (
                TlsService::start(response(AT_ONCE)),
                TlsService::start(later()),
            );
            check_program(&program, &[&over_tls(&quick), &over_tls(&slow)]);
            check(&quick.service, &slow.service);
        });
        let (quick, slow) = (Service::start(response(AT_ONCE)), Service::start(later()));
        let journal = Journal::new();
        let config = journal.of(&long_idle_config(&quick.url()));
        check_program(&program, &[&config, &long_idle_config(&slow.url())]);
        journal.has(check(&quick, &slow));
    });
}
