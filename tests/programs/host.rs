//! Builds and runs a host program in C, with a service to call, and reads which orders arrived.

use crate::program::{Linked, Running, build};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use support::built;
use support::orders::{config, with};
use support::service::{Script, Service};
use support::tls::Folder;
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

/// Calls `check` with a service over plain HTTP, one that is found by its name, and one over TLS, and
/// with the configuration for it.
pub fn each_transport(
    script: impl Into<VecDeque<Script>> + Clone,
    check: impl Fn(&Service, &Value),
) {
    let plain = Service::start(script.clone());
    check(&plain, &long_idle_config(&plain.url()));
    let named = Service::start(script.clone());
    check(&named, &by_name(&named));
    let secure = TlsService::start(script);
    check(&secure.service, &over_tls(&secure));
}

/// The journal of a host.
pub struct Journal(Folder);

impl Journal {
    pub fn new() -> Journal {
        Journal(Folder::new())
    }

    pub fn path(&self) -> String {
        let path = self.0.path().join("journal.db");
        path.to_str().expect("a path in UTF-8").to_owned()
    }

    pub fn of(&self, config: &Value) -> Value {
        with(&with(config, "journal", self.path()), "timeoutMs", 60_000)
    }

    /// Reads the journal without the library: it is sound, and has so many orders. Each has one
    /// entry with two events, and was created.
    pub fn has(&self, count: usize) {
        let script = "import sqlite3, sys; database = sqlite3.connect(sys.argv[1])
print(*database.execute('PRAGMA integrity_check').fetchone())
print(*database.execute('''SELECT count(*), count(DISTINCT order_id),
    sum(state = 'created' AND url IS NOT NULL AND result = 0) FROM payorder_orders''').fetchone())
print(*database.execute('''SELECT count(*) FROM payorder_events WHERE event != 'status' ''').fetchone())";
        let expected = format!("ok\n{count} {count} {count}\n{count}\n");
        assert_eq!(self.read(script), expected);
    }

    pub fn order_ids(&self) -> BTreeSet<String> {
        let script = "import sqlite3, sys; database = sqlite3.connect(sys.argv[1])
for order_id, in database.execute('SELECT order_id FROM payorder_orders'): print(order_id)";
        self.read(script).lines().map(str::to_owned).collect()
    }

    fn read(&self, script: &str) -> String {
        let python = built::python("the journal of a host").expect("Python 3 is there");
        let output = Command::new(python)
            .args(["-c", script, &self.path()])
            .output()
            .expect("Python runs");
        assert!(output.status.success(), "{}", built::transcript(&output));
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}
