//! Host programs in C that fork: before and during calls, in a callback, with a journal.

use super::host::{
    by_name, check_plain_and_tls, check_program, connections_by_order, connections_of,
    each_order_arrived_once, host, long_idle_config, over_tls,
};
use crate::program::Linked;
use std::process::Command;
use std::time::Duration;
use support::built;
use support::orders::with;
use support::responses::{completed, completed_body, created, http};
use support::service::{Service, respond, respond_after};
use support::tls::Folder;
use support::tls_service::TlsService;

#[test]
fn a_client_works_on_both_sides_of_a_fork() {
    let Some(program) = host("fork", &Linked::Shared) else {
        return;
    };
    check_plain_and_tls(&program, |service| {
        let parents = connections_of(service, "PARENT-", 40);
        assert_eq!(parents.len(), 1, "the parent keeps its connection");
        for child in ["CHILD-A-", "CHILD-B-"] {
            let childs = connections_of(service, child, 10);
            assert_eq!(childs.len(), 1, "a child keeps its connection");
            assert_ne!(childs, parents, "a child has a connection of its own");
        }
    });
}

#[test]
fn a_process_with_threads_inside_calls_can_fork() {
    let Some(program) = host("fork_during_calls", &Linked::Shared) else {
        return;
    };
    check_plain_and_tls(&program, |service| {
        let children = connections_of(service, "CHILD-", 40);
        assert_eq!(children.len(), 40, "each child has a connection of its own");
        each_order_arrived_once(service);
    });
}

#[test]
fn a_fork_does_not_happen_during_a_name_lookup() {
    let Some(program) = host("fork_during_lookups", &Linked::Shared) else {
        return;
    };
    let service = Service::responding(created());
    check_program(&program, &[&by_name(&service)]);
    connections_of(&service, "CHILD-", 40);
    each_order_arrived_once(&service);
}

#[test]
fn a_fork_inside_a_log_callback_sends_the_order_once() {
    let Some(program) = host("fork_in_log", &Linked::Shared) else {
        return;
    };
    check_plain_and_tls(&program, |service| {
        connections_of(service, "FORKED-", 60);
        connections_of(service, "CHILD-", 60);
        each_order_arrived_once(service);
    });
}

#[test]
fn a_fork_inside_an_idle_function_or_a_started_call_leaves_the_call_to_the_parent() {
    let Some(program) = host("fork_in_callbacks", &Linked::Shared) else {
        return;
    };
    let script = [respond_after(Duration::from_millis(250), created())];
    let (plain, secure) = (Service::start(script.clone()), TlsService::start(script));
    for (service, config) in [
        (&plain, long_idle_config(&plain.url())),
        (&secure.service, over_tls(&secure)),
    ] {
        check_program(&program, &[&config]);
        assert_eq!(connections_by_order(service).len(), 8);
        each_order_arrived_once(service);
    }
}

#[test]
fn cancellation_tokens_work_on_both_sides_of_a_fork() {
    let Some(program) = host("fork_with_tokens", &Linked::Shared) else {
        return;
    };
    let service = Service::responding(completed("O-1"));
    check_program(&program, &[&long_idle_config(&service.url())]);
}

/// Reads a journal without the library: whether it is sound, its numbers of entries and orders, and
/// how many of them succeeded.
fn tally(journal: &str) -> String {
    let script = "import sqlite3, sys; database = sqlite3.connect(sys.argv[1]); \
        print(*database.execute('PRAGMA integrity_check').fetchone(), *database.execute(\"SELECT count(*), count(DISTINCT order_id), \
        sum(state = 'created' AND url IS NOT NULL AND result = 0) FROM orders\").fetchone())";
    let python = built::python("the journal after forks").expect("Python 3 is there");
    let output = Command::new(python)
        .args(["-c", script, journal])
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

#[test]
fn a_process_that_keeps_a_journal_can_fork() {
    for (name, childs) in [("fork_during_calls", 40), ("fork_in_log", 60)] {
        let Some(program) = host(name, &Linked::Shared) else {
            return;
        };
        let (folder, service) = (Folder::new(), Service::responding(created()));
        let path = folder.path().join("journal.db");
        let journal = path.to_str().expect("a path in UTF-8");
        check_program(
            &program,
            &[&with(
                &with(&long_idle_config(&service.url()), "journal", journal),
                "timeoutMs",
                60_000,
            )],
        );
        let sent = connections_by_order(&service);
        assert!(
            sent.values().all(|on| on.len() == 1),
            "every order arrived once"
        );
        assert_eq!(
            sent.keys()
                .filter(|order_id| order_id.starts_with("CHILD-"))
                .count(),
            childs
        );
        let count = sent.len();
        assert_eq!(
            tally(journal),
            format!("ok {count} {count} {count}"),
            "{name}"
        );
    }
}

#[test]
fn a_fork_inside_other_calls_leaves_them_to_the_parent() {
    let Some(program) = host("fork_in_further_calls", &Linked::Shared) else {
        return;
    };
    let mut pending = completed_body("");
    pending["data"]["transactionStatus"] = "Pending".into();
    // The order stays open, so that there is something to resolve. For the wait this text is final.
    let folder = Folder::new();
    let service = Service::start([respond(created()), respond(http(200, &pending.to_string()))]);
    let journal = folder.path().join("journal.db");
    check_program(
        &program,
        &[&with(
            &long_idle_config(&service.url()),
            "journal",
            journal.to_str().expect("a path in UTF-8"),
        )],
    );
}
