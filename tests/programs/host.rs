//! Builds and runs a host program in C, with a service to call, and reads which orders arrived.

use crate::program::{Linked, Running, build};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use support::built;
use support::orders::{config, with};
use support::responses::created;
use support::service::{Service, respond};
use support::tls_service::TlsService;

/// Connections are kept for a long time, so that none becomes too old on a slow machine.
pub fn long_idle_config(base_url: &str) -> Value {
    with(&config(base_url), "maxIdleMs", 60_000)
}

pub fn over_tls(service: &TlsService) -> Value {
    service.trusted_by(&long_idle_config(&service.service.url()))
}

pub fn by_name(service: &Service) -> Value {
    long_idle_config(&format!("http://localhost:{}", service.port()))
}

/// Builds a host. The library's own build needs a C compiler too.
pub fn host(name: &str, linked: &Linked) -> PathBuf {
    let compiler = built::c_compiler(name).expect("a C compiler");
    let source = format!("tests/programs/{name}.c");
    build(&compiler, "c11", &source, linked, &format!("host-{name}"))
}

/// Runs a host, which must exit with `status` and print nothing.
pub fn run(program: &PathBuf, arguments: &[String], status: i32) {
    let output = Running::start(Command::new(program).args(arguments).stdin(Stdio::null())).end();
    let transcript = built::transcript(&output);
    assert_eq!(output.status.code(), Some(status), "{transcript}");
    assert!(
        output.stdout.is_empty() && output.stderr.is_empty(),
        "{transcript}"
    );
}

pub fn check_program(program: &PathBuf, configs: &[&Value]) {
    let arguments: Vec<String> = configs.iter().map(|config| config.to_string()).collect();
    run(program, &arguments, 0);
}

/// The connections on which each order arrived, by order id.
pub fn connections_by_order(service: &Service) -> BTreeMap<String, Vec<usize>> {
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
pub fn connections_of(service: &Service, beginning: &str, count: usize) -> Vec<usize> {
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

#[track_caller]
pub fn each_order_arrived_once(service: &Service) {
    let connections = connections_by_order(service);
    assert!(
        connections.values().all(|on| on.len() == 1),
        "every order arrived once"
    );
}

/// Runs the program with a service over plain HTTP and with one over TLS, which create each order.
/// After each, `check` looks at what arrived.
pub fn check_plain_and_tls(program: &PathBuf, check: impl Fn(&Service)) {
    let plain = Service::responding(created());
    let secure = TlsService::start([respond(created())]);
    for (service, config) in [
        (&plain, long_idle_config(&plain.url())),
        (&secure.service, over_tls(&secure)),
    ] {
        check_program(program, &[&config]);
        check(service);
    }
}
