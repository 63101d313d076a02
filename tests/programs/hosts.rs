//! Host programs in C, each of which checks one promise about the host process. A host exits with 0
//! and prints nothing: any output is a failed check, or was printed by the library.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::built;
use crate::program::{Linked, Running, build};
use crate::support::orders::{config, with};
use crate::support::responses::{
    completed, completed_body, created, created_body, http, http_with,
};
use crate::support::service::{Reaction, Service, refusing_url};
use crate::support::tls::{Authority, Folder, serving};

/// A TLS service, and the file with the certificate authority for its clients.
struct TlsService {
    service: Service,
    ca_file: String,
    _folder: Folder,
}

impl TlsService {
    fn start(script: &[Reaction]) -> TlsService {
        let (folder, authority) = (Folder::new(), Authority::new());
        let ca_file = folder.file("ca.pem", authority.pem());
        let service = Service::start_tls(
            serving(authority.identity_for("localhost")),
            script.to_vec(),
        );
        TlsService {
            service,
            ca_file,
            _folder: folder,
        }
    }

    fn config(&self) -> Value {
        with(
            &long_idle_config(&self.service.url()),
            "tls",
            json!({"caFile": self.ca_file}),
        )
    }
}

/// Connections are kept for a long time, so that none becomes too old on a slow machine.
fn long_idle_config(base_url: &str) -> Value {
    with(&config(base_url), "maxIdleMs", 60_000)
}

fn by_name(service: &Service) -> Value {
    long_idle_config(&format!("http://localhost:{}", service.port()))
}

fn host(name: &str, linked: &Linked) -> Option<PathBuf> {
    let compiler = built::c_compiler(name)?;
    Some(build(
        &compiler,
        "c11",
        &format!("tests/programs/{name}.c"),
        linked,
        &format!("host-{name}"),
    ))
}

/// Runs a host, which must exit with `status` and print nothing.
fn run(program: &PathBuf, arguments: &[String], status: i32) {
    let output = Running::start(Command::new(program).args(arguments).stdin(Stdio::null())).end();
    let transcript = built::transcript(&output);
    assert_eq!(output.status.code(), Some(status), "{transcript}");
    assert!(
        output.stdout.is_empty() && output.stderr.is_empty(),
        "{transcript}"
    );
}

fn check_program(program: &PathBuf, configs: &[&Value]) {
    let arguments: Vec<String> = configs.iter().map(|config| config.to_string()).collect();
    run(program, &arguments, 0);
}

/// The connections on which each order arrived, by order id.
fn connections_by_order(service: &Service) -> BTreeMap<String, Vec<usize>> {
    let mut connections_by_order = BTreeMap::<String, Vec<usize>>::new();
    for request in service.requests() {
        let body: Value = serde_json::from_str(&request.body).expect("a request is JSON");
        let order_id = body["orderId"]
            .as_str()
            .expect("a request has an order id")
            .to_owned();
        connections_by_order
            .entry(order_id)
            .or_default()
            .push(request.connection);
    }
    connections_by_order
}

/// Checks that every order arrived once, and returns the connections of those whose id starts with
/// `beginning`.
fn connections_of(service: &Service, beginning: &str, count: usize) -> Vec<usize> {
    let connections_by_order = connections_by_order(service);
    let found: Vec<_> = connections_by_order
        .iter()
        .filter(|(order_id, _)| order_id.starts_with(beginning))
        .collect();
    assert_eq!(found.len(), count, "orders that begin with {beginning}");
    let mut connections: Vec<usize> = found
        .into_iter()
        .map(|(order_id, on)| {
            assert_eq!(on.len(), 1, "{order_id} arrived {} times", on.len());
            on[0]
        })
        .collect();
    connections.sort_unstable();
    connections.dedup();
    connections
}

#[test]
fn a_service_that_closes_the_connection_does_not_end_the_host() {
    let Some(program) = host("service_closes", &Linked::Shared) else {
        return;
    };
    for reaction in [
        Reaction::RespondThenClose(created()),
        Reaction::RespondThenReset(created()),
        Reaction::CloseAfterHead,
    ] {
        let plain = Service::start([reaction.clone()]);
        check_program(&program, &[&long_idle_config(&plain.url())]);
        let secure = TlsService::start(&[reaction]);
        check_program(&program, &[&secure.config()]);
    }
}

/// A listener whose accept queue is full: a connect waits until it times out.
struct FullQueue {
    listener: TcpListener,
    _waiting: Vec<socket2::Socket>,
}

impl FullQueue {
    fn start() -> FullQueue {
        let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None)
            .expect("a socket");
        socket
            .bind(&SocketAddr::from((Ipv4Addr::LOCALHOST, 0)).into())
            .expect("a free port");
        socket.listen(0).expect("it listens");
        let listener = TcpListener::from(socket);
        let address = listener.local_addr().expect("its address");
        let waiting = (0..4).map(|_| {
            let socket = socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None)
                .expect("a socket");
            socket.set_nonblocking(true).expect("nonblocking mode");
            // It is connecting, or failed at once: in both cases the queue is full.
            let _ = socket.connect(&address.into());
            socket
        });
        let _waiting = waiting.collect();
        FullQueue { listener, _waiting }
    }

    fn url(&self) -> String {
        format!(
            "http://{}",
            self.listener.local_addr().expect("its address")
        )
    }
}

#[test]
fn signals_change_neither_results_nor_deadlines() {
    let Some(program) = host("signals", &Linked::Shared) else {
        return;
    };
    let limited = http_with(
        429,
        &[("Retry-After", "1")],
        &created_body().to_string().replace("200", "429"),
    );
    let script = [
        Reaction::Respond(limited),
        Reaction::RespondAfter(Duration::from_millis(100), created()),
    ];
    let (plain, secure, named) = (
        Service::start(script.clone()),
        TlsService::start(&script),
        Service::start(script),
    );
    let (silent, deaf) = (Service::start([Reaction::Stall]), FullQueue::start());
    let never_responds = with(&config(&silent.url()), "timeoutMs", 1000);
    let never_connects = with(&config(&deaf.url()), "connectTimeoutMs", 1000);
    for config in [
        long_idle_config(&plain.url()),
        secure.config(),
        by_name(&named),
    ] {
        check_program(
            &program,
            &[
                &with(&config, "statusRetries", 1),
                &never_responds,
                &never_connects,
            ],
        );
    }
    for service in [&plain, &secure.service, &named] {
        assert_eq!(service.connections(), 1, "no call was interrupted");
    }
}

#[test]
fn a_client_works_on_both_sides_of_a_fork() {
    let Some(program) = host("fork", &Linked::Shared) else {
        return;
    };
    let plain = Service::responding(created());
    let secure = TlsService::start(&[Reaction::Respond(created())]);
    for (service, config) in [
        (&plain, long_idle_config(&plain.url())),
        (&secure.service, secure.config()),
    ] {
        check_program(&program, &[&config]);
        let parents = connections_of(service, "PARENT-", 40);
        assert_eq!(parents.len(), 1, "the parent keeps its connection");
        for child in ["CHILD-A-", "CHILD-B-"] {
            let childs = connections_of(service, child, 10);
            assert_eq!(childs.len(), 1, "a child keeps its connection");
            assert_ne!(childs, parents, "a child has a connection of its own");
        }
    }
}

#[test]
fn a_process_with_threads_inside_calls_can_fork() {
    let Some(program) = host("fork_during_calls", &Linked::Shared) else {
        return;
    };
    let plain = Service::responding(created());
    let secure = TlsService::start(&[Reaction::Respond(created())]);
    for (service, config) in [
        (&plain, long_idle_config(&plain.url())),
        (&secure.service, secure.config()),
    ] {
        check_program(&program, &[&config]);
        let children = connections_of(service, "CHILD-", 40);
        assert_eq!(children.len(), 40, "each child has a connection of its own");
        assert!(
            connections_by_order(service)
                .values()
                .all(|on| on.len() == 1),
            "every order arrived once"
        );
    }
}

#[test]
fn a_fork_does_not_happen_during_a_name_lookup() {
    let Some(program) = host("fork_during_lookups", &Linked::Shared) else {
        return;
    };
    let service = Service::responding(created());
    check_program(&program, &[&by_name(&service)]);
    connections_of(&service, "CHILD-", 40);
    assert!(
        connections_by_order(&service)
            .values()
            .all(|on| on.len() == 1),
        "every order arrived once"
    );
}

#[test]
fn a_fork_inside_a_log_callback_sends_the_order_once() {
    let Some(program) = host("fork_in_log", &Linked::Shared) else {
        return;
    };
    let plain = Service::responding(created());
    let secure = TlsService::start(&[Reaction::Respond(created())]);
    for (service, config) in [
        (&plain, long_idle_config(&plain.url())),
        (&secure.service, secure.config()),
    ] {
        check_program(&program, &[&config]);
        connections_of(service, "FORKED-", 60);
        connections_of(service, "CHILD-", 60);
        assert!(
            connections_by_order(service)
                .values()
                .all(|on| on.len() == 1),
            "every order arrived once"
        );
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

#[test]
fn a_thread_that_is_cancelled_inside_a_call_ends_after_it() {
    let Some(program) = host("cancelled_threads", &Linked::Shared) else {
        return;
    };
    let later = |response| Reaction::RespondAfter(Duration::from_millis(150), response);
    let service = Service::start([later(created()), later(completed(""))]);
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
    let service = Service::start([
        Reaction::Respond(created()),
        Reaction::Respond(http(200, &pending.to_string())),
    ]);
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

#[test]
fn exit_does_not_wait_for_calls() {
    let Some(program) = host("exit_during_calls", &Linked::Shared) else {
        return;
    };
    let plain = Service::start([Reaction::Stall]);
    let secure = TlsService::start(&[Reaction::Stall]);
    for (service, config) in [
        (&plain, long_idle_config(&plain.url())),
        (&secure.service, secure.config()),
    ] {
        let began = Instant::now();
        run(
            &program,
            &[with(&config, "timeoutMs", 120_000).to_string()],
            7,
        );
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "{:?}",
            began.elapsed()
        );
        assert_eq!(service.request_count(), 2);
    }
}

#[test]
fn the_library_can_be_closed_and_loaded_again() {
    let Some(program) = host("dlopen", &Linked::Not) else {
        return;
    };
    let library = built::library()
        .to_str()
        .expect("a path in UTF-8")
        .to_owned();
    let plain = Service::responding(created());
    let secure = TlsService::start(&[Reaction::Respond(created())]);
    for (service, config) in [
        (&plain, by_name(&plain)),
        (&secure.service, secure.config()),
    ] {
        run(&program, &[library.clone(), config.to_string()], 0);
        assert_eq!(service.request_count(), 10);
    }
}

#[test]
fn two_hundred_threads_share_a_client() {
    let Some(program) = host("many_threads", &Linked::Shared) else {
        return;
    };
    let service = Service::responding(created());
    check_program(&program, &[&long_idle_config(&service.url())]);
    connections_of(&service, "O-", 1000);
}

#[test]
fn a_stack_of_128_kib_is_enough() {
    let Some(program) = host("small_stack", &Linked::Shared) else {
        return;
    };
    let plain = Service::responding(created());
    let secure = TlsService::start(&[Reaction::Respond(created())]);
    for config in [
        long_idle_config(&plain.url()),
        by_name(&plain),
        secure.config(),
    ] {
        check_program(&program, &[&config]);
    }
}

#[test]
fn without_file_descriptors_nothing_is_sent_and_later_calls_work() {
    let Some(program) = host("no_descriptors", &Linked::Shared) else {
        return;
    };
    let (plain, named) = (
        Service::responding(created()),
        Service::responding(created()),
    );
    let secure = TlsService::start(&[Reaction::Respond(created())]);
    for (service, config) in [
        (&plain, long_idle_config(&plain.url())),
        (&named, by_name(&named)),
        (&secure.service, secure.config()),
    ] {
        check_program(&program, &[&config]);
        connections_of(service, "SENT-", 3);
        connections_of(service, "NOT-SENT", 0);
    }
}

#[test]
fn changing_the_clock_changes_no_deadline() {
    let Some(program) = host("clock_set_back", &Linked::Shared) else {
        return;
    };
    let (plain, silent) = (
        Service::responding(created()),
        Service::start([Reaction::Stall]),
    );
    let now = httpdate::fmt_http_date(std::time::SystemTime::now());
    let limited = Reaction::Respond(http_with(429, &[("Retry-After", &now)], "{}"));
    let dated = Service::start([limited.clone(), Reaction::Respond(completed("O")), limited]);
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
    let Some(program) = host("no_memory", &Linked::Shared) else {
        return;
    };
    let mut large = completed_body("O");
    large["data"]["customerName"] = "x".repeat(12 << 20).into();
    let (large, named) = (
        Service::responding(http(200, &large.to_string())),
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
    let Some(program) = host("nothing_is_left", &Linked::Shared) else {
        return;
    };
    let plain = Service::responding(created());
    let secure = TlsService::start(&[Reaction::Respond(created())]);
    let (silent, closing) = (
        Service::start([Reaction::Stall]),
        Service::start([Reaction::Close]),
    );
    let untrusted = with(&secure.config(), "tls", json!({}));
    let arguments = [
        (long_idle_config(&plain.url()), 0),
        (by_name(&plain), 0),
        (secure.config(), 0),
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
    let Some(program) = host("slow_names", &Linked::Shared) else {
        return;
    };
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
    let Some(program) = host("misuse", &Linked::Shared) else {
        return;
    };
    let service = Service::responding(created());
    check_program(&program, &[&long_idle_config(&service.url())]);
    let connections_by_order = connections_by_order(&service);
    assert!(
        connections_by_order.contains_key("AFTER-ALL-THAT")
            && connections_by_order.contains_key("IN-A-CALL"),
        "{connections_by_order:?}"
    );
    assert!(
        !connections_by_order.contains_key("CANCELLED"),
        "{connections_by_order:?}"
    );
}
