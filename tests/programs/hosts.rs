//! Host programs in C, each of which checks one promise about the host process. A host exits with 0
//! and prints nothing: any output is a failed check, or was printed by the library.

use super::host::{
    Journal, by_name, check_program, connections_by_order, connections_of, each_order_arrived_once,
    each_transport, host, long_idle_config, over_tls, run,
};
use crate::program::Linked;
use serde_json::json;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use support::built;
use support::orders::{config, with};
use support::patience::until;
use support::responses::{
    completed, completed_body, created, created_body, http, http_with, status_body,
};
use support::service::{Service, Step, close, respond, respond_after, respond_then_close, stall};
use support::tls::Folder;
use support::tls_service::TlsService;
use support::unreachable::{Unreachable, refusing_url};

#[test]
fn a_service_that_closes_the_connection_does_not_end_the_host() {
    let program = host("service_closes", &Linked::Shared);
    let folder = Folder::new();
    for reaction in [
        vec![Step::Close],
        vec![Step::Reset],
        respond_then_close(created()),
        vec![
            Step::Request,
            Step::Send(created()),
            // Time for the client to read the bytes: a reset discards unread ones.
            Step::Wait(100),
            Step::Reset,
        ],
        vec![Step::Head, Step::Close],
        vec![Step::Head, Step::Reset],
    ] {
        each_transport([reaction], |service, config| {
            let report = folder.file("not-sent", "");
            run(&program, &[config.to_string(), report.clone()], 0);
            let not_sent: usize = std::fs::read_to_string(report).unwrap().parse().unwrap();
            let received = service.request_count();
            assert!(
                received + not_sent <= 30,
                "of 30 orders {not_sent} were not sent, but {received} arrived"
            );
        });
    }
}

#[test]
fn a_host_that_closes_descriptors_of_the_library_keeps_its_own_files_and_connections() {
    let program = host("closes_descriptors", &Linked::Shared);
    let (folder, journal) = (Folder::new(), Journal::new());
    let service = Service::responding(created());
    let config = journal.of(&long_idle_config(&service.url()));
    let own = folder.path().to_str().unwrap().to_owned();
    run(&program, &[config.to_string(), own], 0);
    each_order_arrived_once(&service);
}

#[test]
fn neither_a_socket_nor_a_journal_takes_the_place_of_a_standard_stream() {
    let program = host("no_standard_streams", &Linked::Shared);
    each_transport([respond(created())], |service, config| {
        check_program(&program, &[config]);
        assert_eq!(service.connections(), 1, "the connection was kept");
        let folder = Folder::new();
        let journal = folder.path().join("journal.db");
        check_program(&program, &[&with(config, "journal", journal.to_str())]);
        assert!(journal.exists());
    });
}

#[test]
fn two_copies_of_the_library_in_one_process_share_a_journal() {
    let program = host("two_copies", &Linked::Static);
    let (journal, service) = (Journal::new(), Service::responding(created()));
    let config = journal.of(&config(&service.url()));
    let library = built::library().display().to_string();
    run(&program, &[library, config.to_string()], 0);
    assert_eq!(connections_by_order(&service).len(), 150);
    each_order_arrived_once(&service);
    journal.has(150);
}

#[test]
fn a_system_call_that_fails_decides_about_the_journal_only_if_it_must() {
    let program = host("failing_system_calls", &Linked::Shared);
    let (journal, service) = (Journal::new(), Service::responding(created()));
    let config = journal.of(&config(&service.url()));
    run(&program, &[config.to_string(), journal.path()], 0);
    assert_eq!(service.request_count(), 12);
}

#[test]
fn a_call_that_waits_for_another_threads_flush_can_be_cancelled() {
    let program = host("waits_for_flush", &Linked::Shared);
    let (journal, service) = (Journal::new(), Service::responding(created()));
    let config = journal.of(&long_idle_config(&service.url()));
    check_program(&program, &[&with(&config, "timeoutMs", 120_000)]);
    let sent: Vec<String> = connections_by_order(&service).into_keys().collect();
    assert_eq!(sent, ["BEFORE", "FIRST", "SECOND"]);
}

#[test]
fn signals_change_neither_results_nor_deadlines() {
    let program = host("signals", &Linked::Shared);
    let limited = http_with(
        429,
        &[("Retry-After", "1")],
        created_body().to_string().replace("200", "429"),
    );
    let script = [
        respond(limited),
        respond_after(Duration::from_millis(100), created()),
    ];
    let (silent, deaf) = (Service::start([stall()]), Unreachable::full_queue());
    let never_responds = with(&config(&silent.url()), "timeoutMs", 1000);
    let never_connects = with(&config(&deaf.url()), "connectTimeoutMs", 1000);
    each_transport(script, |service, config| {
        check_program(
            &program,
            &[
                &with(config, "statusRetries", 1),
                &never_responds,
                &never_connects,
            ],
        );
        assert_eq!(service.connections(), 1, "no call was interrupted");
    });
}

#[test]
fn a_thread_that_is_cancelled_inside_a_call_ends_after_it() {
    let program = host("cancelled_threads", &Linked::Shared);
    let later = |response| respond_after(Duration::from_millis(150), response);
    let service = Service::start([later(created()), later(completed(""))]);
    check_program(&program, &[&long_idle_config(&service.url())]);
}

#[test]
fn the_queue_has_threads_only_for_work_and_sends_nothing_at_exit() {
    let program = host("queue", &Linked::Shared);
    let pending = Service::deciding(|query| match query.is_order {
        true => respond(created()),
        false => {
            let pending = json!({"transactionStatus": "Pending"});
            respond(http(200, status_body("O-1", &pending).to_string()))
        }
    });
    let silent = Service::start([stall()]);
    // Places become free while the exit handlers run.
    let folder = Folder::new();
    let exits = folder.path().join("exits");
    let exit_file = exits.to_str().expect("a path in UTF-8").to_owned();
    let ended = Service::deciding(move |_| {
        until(|| exits.exists());
        respond(created())
    });
    let journal = Journal::new();
    let of = |service: &Service| with(&long_idle_config(&service.url()), "maxCalls", 4);
    let in_journal = with(&journal.of(&of(&ended)), "timeoutMs", 120_000);
    let configs = [of(&pending), of(&silent), in_journal].map(|config| config.to_string());
    run(&program, &[&configs[..], &[exit_file]].concat(), 0);
    assert!(silent.request_count() <= 12);
    let began = journal.order_ids();
    assert_eq!(began.len(), 4);
    let sent: BTreeSet<String> = connections_by_order(&ended).into_keys().collect();
    assert!(
        sent.is_subset(&began),
        "{sent:?} were sent, {began:?} are in the journal"
    );
}

#[test]
fn exit_does_not_wait_for_calls() {
    let program = host("exit_during_calls", &Linked::Shared);
    each_transport([stall()], |service, config| {
        let began = Instant::now();
        let config = with(config, "timeoutMs", 120_000);
        run(&program, &[config.to_string()], 7);
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "{:?}",
            began.elapsed()
        );
        assert_eq!(service.request_count(), 3);
    });
}

#[test]
fn the_library_can_be_closed_and_loaded_again() {
    let program = host("dlopen", &Linked::Not);
    let library = built::library()
        .to_str()
        .expect("a path in UTF-8")
        .to_owned();
    each_transport([respond(created())], |service, config| {
        run(&program, &[library.clone(), config.to_string()], 0);
        assert_eq!(service.request_count(), 10);
    });
}

#[test]
fn two_hundred_threads_share_a_client() {
    let program = host("many_threads", &Linked::Shared);
    let service = Service::responding(created());
    check_program(&program, &[&long_idle_config(&service.url())]);
    connections_of(&service, "O-", 1000);
}

#[test]
fn a_stack_of_128_kib_is_enough() {
    let program = host("small_stack", &Linked::Shared);
    each_transport([respond(created())], |_, config| {
        check_program(&program, &[config]);
    });
}

#[test]
fn without_file_descriptors_nothing_is_sent_and_later_calls_work() {
    let program = host("no_descriptors", &Linked::Shared);
    each_transport([respond(created())], |service, config| {
        check_program(&program, &[config]);
        connections_of(service, "SENT-", 3);
        connections_of(service, "NOT-SENT", 0);
    });
}

#[test]
fn changing_the_clock_changes_no_deadline() {
    let program = host("clock_set_back", &Linked::Shared);
    let (plain, silent) = (Service::responding(created()), Service::start([stall()]));
    let now = httpdate::fmt_http_date(std::time::SystemTime::now());
    let limited = respond(http_with(429, &[("Retry-After", &now)], "{}"));
    let dated = Service::start([limited.clone(), respond(completed("O")), limited]);
    let never_responds = with(&config(&silent.url()), "timeoutMs", 1000);
    check_program(
        &program,
        &[
            &long_idle_config(&plain.url()),
            &never_responds,
            &with(&long_idle_config(&dated.url()), "statusRetries", 1),
        ],
    );
    assert_eq!(
        plain.connections(),
        1,
        "the age of the kept connection does not depend on the clock"
    );
    assert_eq!(dated.request_count(), 3);
}

#[test]
fn without_memory_a_call_fails_and_later_calls_work() {
    let program = host("no_memory", &Linked::Shared);
    let mut large = completed_body("O");
    large["data"]["customerName"] = "x".repeat(12 << 20).into();
    let (large, named) = (
        Service::responding(http(200, large.to_string())),
        Service::responding(completed("O")),
    );
    let reads_much = with(
        &with(
            &long_idle_config(&large.url()),
            "maxResponseBytes",
            16 << 20,
        ),
        "timeoutMs",
        60_000,
    );
    check_program(
        &program,
        &[
            &with(&reads_much, "statusRetries", 0),
            &with(&by_name(&named), "statusRetries", 0),
        ],
    );
}

#[test]
fn no_thread_outlives_a_call_and_no_descriptor_a_client() {
    let program = host("nothing_is_left", &Linked::Shared);
    let plain = Service::responding(created());
    let secure = TlsService::start([respond(created())]);
    let (silent, closing) = (Service::start([stall()]), Service::start([close()]));
    let untrusted = with(&over_tls(&secure), "tls", json!({}));
    let arguments = [
        (long_idle_config(&plain.url()), 0),
        (by_name(&plain), 0),
        (over_tls(&secure), 0),
        (long_idle_config(&refusing_url()), 6),
        (long_idle_config("https://name.invalid"), 6),
        (untrusted, 7),
        (with(&config(&silent.url()), "timeoutMs", 300), 200),
        (long_idle_config(&closing.url()), 201),
    ];
    let arguments: Vec<String> = arguments
        .iter()
        .flat_map(|(config, result)| [config.to_string(), result.to_string()])
        .collect();
    run(&program, &arguments, 0);
}

#[test]
fn a_name_lookup_that_hangs_does_not_delay_calls_beyond_their_deadline() {
    let program = host("slow_names", &Linked::Shared);
    let service = Service::responding(created());
    check_program(
        &program,
        &[&with(&by_name(&service), "connectTimeoutMs", 500)],
    );
    assert_eq!(
        connections_by_order(&service).keys().collect::<Vec<_>>(),
        ["CHILD", "PARENT"]
    );
}

#[test]
fn misuse_is_a_result_and_nothing_is_printed() {
    let program = host("misuse", &Linked::Shared);
    let service = Service::responding(created());
    check_program(&program, &[&long_idle_config(&service.url())]);
    connections_of(&service, "AFTER-ALL-THAT", 1);
}
