//! With the C ABI, no credential and no customer data is in the process's memory between calls,
//! used or freed, heap or stack, after the host has wiped its own copies. A Rust program that uses
//! the crate keeps its own allocator.

#![cfg(target_os = "linux")]

mod built;
mod secrets;
mod support;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use secrets::host::{self, Host};
use secrets::marked;
use secrets::memory::Search;
use secrets::tls_proxy::TlsProxy;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::orders::with;
use support::proxy::{Behaviour, Proxy};
use support::responses::{created, http, http_with};
use support::service::{Reaction, Service};
use support::tls::{Authority, Folder, Identity, serving};

/// The proxy's credentials as they are sent.
fn basic() -> String {
    BASE64_STANDARD.encode(proxy_credentials())
}

fn proxy_credentials() -> String {
    format!("{}:{}", marked::PROXY_USER.1, marked::PROXY_PASSWORD.1)
}

/// Runs one host program step by step, and searches its memory after each step.
struct Life<'a> {
    host: Host,
    folder: &'a Folder,
    search: Search,
    found: Vec<String>,
}

impl Life<'_> {
    fn begin<'a>(program: &Path, folder: &'a Folder) -> Life<'a> {
        let mut search = Search::new();
        for (secret, text) in marked::ALL {
            search.add(secret, text);
        }
        search.add("the proxy's credentials in base64", &basic());
        let broken = marked::order().to_string();
        for (name, text) in [
            ("order", marked::order().to_string()),
            ("broken-order", broken[..broken.len() - 10].to_owned()),
            (
                "blank-order",
                with(&marked::order(), "amount", " ").to_string(),
            ),
            ("query", json!({"orderId": "ORDER-1001"}).to_string()),
            ("options", marked::options().to_string()),
            (
                "short-options",
                with(&marked::options(), "timeoutMs", 400).to_string(),
            ),
            (
                "unknown-options",
                with(&marked::options(), "colour", "red").to_string(),
            ),
            ("status", marked::status().to_string()),
            (
                "expected",
                json!({"orderId": "ORDER-1001", "amount": "100.10"}).to_string(),
            ),
            ("token", marked::ACCESS_TOKEN.1.to_owned()),
        ] {
            folder.file(name, text);
        }
        Life {
            host: Host::start(program),
            folder,
            search,
            found: Vec::new(),
        }
    }

    /// Runs a command with texts from files of the folder, checks its result, and searches.
    #[track_caller]
    fn step(&mut self, what: &str, command: &str, expected: i32) {
        let mut words = command.split(' ');
        let mut line = words.next().unwrap_or_default().to_owned();
        for name in words {
            line = format!("{line} {}", self.folder.path().join(name).display());
        }
        assert_eq!(self.host.call(&line), expected, "{what}");
        let found = self.search.process(self.host.process());
        self.found
            .extend(found.iter().map(|found| format!("{what}: {found}")));
    }

    #[track_caller]
    fn new_client(&mut self, config: &Value) {
        self.folder.file("config", config.to_string());
        self.step("a client is created", "new config", 0);
    }

    #[track_caller]
    fn nothing_was_found(&self) {
        let first: Vec<&str> = self.found.iter().take(40).map(String::as_str).collect();
        assert!(
            first.is_empty(),
            "secrets found at {} places:\n{}",
            self.found.len(),
            first.join("\n")
        );
    }
}

/// The library that cargo built with the test, and the release library if it is up to date.
fn libraries() -> Vec<PathBuf> {
    let own = built::library();
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified()).ok();
    let release = built::folder().join("../../release/libpayorder.so");
    let current = modified(&release) >= newest_source(&built::project().join("src"));
    let mut libraries = vec![own];
    if current && modified(&release).is_some() {
        libraries.push(release.canonicalize().expect("the release library's path"));
    } else {
        eprintln!(
            "SKIPPED: the release library, which is missing or older than its sources; \
             `cargo test --release` searches it too"
        );
    }
    libraries
}

fn newest_source(folder: &Path) -> Option<std::time::SystemTime> {
    let entries = fs::read_dir(folder).expect("the sources");
    let times = entries.map(|entry| {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            newest_source(&path)
        } else {
            fs::metadata(&path).and_then(|file| file.modified()).ok()
        }
    });
    times.max().flatten()
}

fn for_each_library(life: impl Fn(&Path, &Folder)) {
    for library in libraries() {
        let folder = Folder::new();
        let Some(program) = host::compile(&folder, &library) else {
            return;
        };
        eprintln!("{}", library.display());
        life(&program, &folder);
    }
}

/// A response in chunks, without a length.
fn chunked(body: &str) -> Vec<u8> {
    let mut response =
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            .to_vec();
    for chunk in body.as_bytes().chunks(700) {
        response.extend(format!("{:x}\r\n", chunk.len()).bytes());
        response.extend(chunk);
        response.extend(b"\r\n");
    }
    response.extend(b"0\r\n\r\n");
    response
}

/// A status with the customer's data everywhere, so that any part left in memory has a piece of it.
fn long_status(entries: usize) -> String {
    let customer = [marked::NAME.1, marked::EMAIL.1, marked::MOBILE.1].join(" ");
    with(&marked::status(), "history", vec![customer; entries]).to_string()
}

/// The same text with every letter of its strings escaped, so that parsing it makes copies.
fn escaped(status: &Value) -> String {
    let mut text = status.to_string();
    for (_, secret) in [marked::NAME, marked::EMAIL, marked::MOBILE] {
        let escaped: String = secret
            .bytes()
            .map(|byte| format!("\\u{byte:04x}"))
            .collect();
        text = text.replace(secret, &escaped);
    }
    text
}

/// Every way in which a call can end, on one client.
fn calls(life: &mut Life<'_>, service: &Service) {
    use Reaction::{Close, Reset, Respond, RespondThenClose, RespondThenCut, Stall};
    let cut_short = [http(200, &long_status(20)), b"\x00".to_vec()].concat();
    let cut_short = cut_short[..cut_short.len() / 2].to_vec();
    let until_close = format!("HTTP/1.1 200 OK\r\n\r\n{}", long_status(40)).into_bytes();
    let too_large = http(200, &long_status(12_000));
    let rate_limited = http_with(
        429,
        &[("Retry-After", "1")],
        &marked::quoting("429").to_string(),
    );
    let quoting = |status, code| Respond(http(status, &marked::quoting(code).to_string()));
    let status = |body: &str| Respond(http(200, body));

    for (what, reaction, command, expected) in [
        (
            "an order was created, the connection is kept",
            Respond(created()),
            "create order",
            0,
        ),
        (
            "a status was read, the connection is kept",
            status(&marked::status().to_string()),
            "status query",
            0,
        ),
        (
            "an order with credentials of its own",
            Respond(created()),
            "create order options",
            0,
        ),
        (
            "a status with credentials of its own",
            status(&marked::status().to_string()),
            "status query options",
            0,
        ),
        (
            "a status with escapes",
            status(&escaped(&marked::status())),
            "status query",
            0,
        ),
        ("a long status", status(&long_status(40)), "status query", 0),
        (
            "a status over 64 KiB",
            status(&long_status(1000)),
            "status query",
            0,
        ),
        (
            "a status in chunks",
            Respond(chunked(&long_status(40))),
            "status query",
            0,
        ),
        (
            "a short status after a long one",
            status(&marked::status().to_string()),
            "status query",
            0,
        ),
        (
            "a status without a length",
            RespondThenClose(until_close.clone()),
            "status query",
            0,
        ),
        (
            "a status over the limit",
            Respond(too_large),
            "status query",
            202,
        ),
        (
            "another order's status",
            status(
                &marked::status()
                    .to_string()
                    .replace("ORDER-1001", "ORDER-1002"),
            ),
            "status query",
            202,
        ),
        (
            "an order refused with a message that quotes it",
            quoting(200, "400"),
            "create order",
            100,
        ),
        (
            "an order refused by HTTP status",
            quoting(400, "400"),
            "create order options",
            100,
        ),
        (
            "wrong credentials",
            quoting(401, "401"),
            "create order",
            101,
        ),
        ("too many calls", Respond(rate_limited), "create order", 102),
        (
            "a service that failed",
            quoting(500, "500"),
            "create order",
            203,
        ),
        (
            "a truncated response",
            Respond(http(200, &marked::quoting("200").to_string()[..200])),
            "create order",
            202,
        ),
        (
            "a response that is not HTTP",
            Respond(marked::status().to_string().into_bytes()),
            "create order",
            202,
        ),
        (
            "a response that was cut",
            RespondThenCut(cut_short),
            "status query",
            201,
        ),
        (
            "no response in time",
            Stall,
            "create order short-options",
            200,
        ),
        (
            "a call that was cancelled",
            Stall,
            "create-and-cancel order",
            204,
        ),
        ("a connection that was reset", Reset, "create order", 201),
        (
            "an order that breaks rules",
            Stall,
            "create blank-order options",
            4,
        ),
        (
            "an order that is not JSON",
            Stall,
            "create broken-order options",
            1,
        ),
        (
            "options that do not exist",
            Stall,
            "create order unknown-options",
            1,
        ),
        ("a connection that was closed", Close, "create order", 201),
    ] {
        service.set_script([reaction]);
        life.step(what, command, expected);
    }
    for (what, command) in [
        ("an order's body was built", "build order"),
        ("a payment was verified", "verify expected status"),
        ("a value was read", "get status"),
        ("an object was written", "object token"),
        ("a text was quoted", "quote token"),
        ("a value was set", "set status"),
        ("values were iterated", "each status"),
    ] {
        life.step(what, command, 0);
    }
    service.stop_listening();
    life.step("a service that does not listen", "create order options", 6);
    life.step("the client is freed", "free", 0);
}

#[test]
fn nothing_secret_stays_in_memory_over_plain_http() {
    for_each_library(|program, folder| {
        let service = Service::responding(created());
        let mut life = Life::begin(program, folder);
        life.new_client(&marked::config(&service.url()));
        calls(&mut life, &service);
        life.nothing_was_found();
    });
}

/// A TLS service on localhost, and the configuration of a client that trusts it.
fn tls_service(folder: &Folder) -> (Service, Value) {
    let authority = Authority::new();
    let service = Service::start_tls(
        serving(authority.identity_for("localhost")),
        [Reaction::Respond(created())],
    );
    let config = with(
        &marked::config(&service.url()),
        "tls",
        json!({"caFile": folder.file("ca.pem", authority.pem())}),
    );
    (service, config)
}

#[test]
fn nothing_secret_stays_in_memory_over_tls() {
    for_each_library(|program, folder| {
        let (service, config) = tls_service(folder);
        let mut life = Life::begin(program, folder);
        life.new_client(&config);
        calls(&mut life, &service);
        life.nothing_was_found();
    });
}

fn through(config: &Value, proxy: &Proxy) -> Value {
    with(config, "proxy", proxy.url_with(&proxy_credentials()))
}

#[test]
fn nothing_secret_stays_in_memory_through_a_proxy() {
    for_each_library(|program, folder| {
        let service = Service::responding(created());
        let proxy = Proxy::start(Behaviour::TunnelTo(service.port()));
        let mut life = Life::begin(program, folder);
        life.new_client(&through(&marked::config(&service.url()), &proxy));
        life.step("an order through a tunnel", "create order options", 0);
        assert!(proxy.heads()[0].contains(&basic()), "{:?}", proxy.heads());
        service.set_script([Reaction::Respond(http(200, &marked::status().to_string()))]);
        life.step("a status through a tunnel", "status query", 0);
        life.step("the client is freed", "free", 0);

        let (service, config) = tls_service(folder);
        let proxy = Proxy::start(Behaviour::TunnelTo(service.port()));
        life.new_client(&through(&config, &proxy));
        life.step("an order through TLS in a tunnel", "create order", 0);
        service.set_script([Reaction::Respond(http(200, &marked::status().to_string()))]);
        life.step("a status through TLS in a tunnel", "status query", 0);
        life.step("the client is freed", "free", 0);

        let authority = Authority::new();
        let service = Service::responding(created());
        let proxy = TlsProxy::start(serving(authority.identity_for("localhost")), service.port());
        let trusting = with(
            &marked::config(&service.url()),
            "tls",
            json!({"caFile": folder.file("proxy.pem", authority.pem())}),
        );
        life.new_client(&with(
            &trusting,
            "proxy",
            proxy.url_with(&proxy_credentials()),
        ));
        life.step("an order through a tunnel in TLS", "create order", 0);
        assert!(proxy.heads()[0].contains(&basic()), "{:?}", proxy.heads());
        service.set_script([Reaction::Respond(http(200, &marked::status().to_string()))]);
        life.step("a status through a tunnel in TLS", "status query", 0);
        life.step("the client is freed", "free", 0);

        let proxy = Proxy::start(Behaviour::Respond(
            "HTTP/1.1 407 Credentials Needed\r\nContent-Length: 0\r\n\r\n",
        ));
        life.new_client(&through(&config, &proxy));
        life.step("a proxy that refuses", "create order", 6);
        life.step("the client is freed", "free", 0);
        life.nothing_was_found();
    });
}

#[test]
fn nothing_secret_stays_in_memory_after_a_failure_before_the_call() {
    for_each_library(|program, folder| {
        let (service, trusting) = tls_service(folder);
        let mut life = Life::begin(program, folder);
        life.new_client(&marked::config(&service.url()));
        life.step("a service that is not trusted", "create order options", 7);
        life.step("the client is freed", "free", 0);

        let mut config = through(&trusting, &Proxy::start(Behaviour::Close));
        config["colour"] = "red".into();
        config["clientId"] = format!("{}\n", marked::CLIENT_ID.1).into();
        folder.file("config", config.to_string());
        life.step("an invalid configuration", "new config", 3);
        folder.file(
            "config",
            &config.to_string()[..config.to_string().len() - 1],
        );
        life.step("a configuration that is not JSON", "new config", 1);
        config["proxy"] = format!("socks5://{}@localhost:1", proxy_credentials()).into();
        folder.file("config", config.to_string());
        life.step("an invalid proxy", "new config", 3);
        life.nothing_was_found();
    });
}

/// The text of a client's private key. The parsed key must stay as long as the client.
#[test]
fn the_text_of_a_private_key_does_not_stay_in_memory() {
    for_each_library(|program, folder| {
        let authority = Authority::new();
        let Identity {
            certificate, key, ..
        } = authority.identity_for("till");
        let service = Service::start_tls(
            serving(authority.identity_for("localhost")),
            [Reaction::Respond(created())],
        );
        let tls = json!({
            "caFile": folder.file("ca.pem", authority.pem()),
            "certFile": folder.file("till.pem", certificate.pem()),
            "keyFile": folder.file("till.key", key.serialize_pem()),
        });
        let mut life = Life::begin(program, folder);
        for line in key
            .serialize_pem()
            .lines()
            .filter(|line| line.len() > 30 && !line.starts_with('-'))
        {
            life.search.add("the private key's text", line);
        }
        life.new_client(&with(&marked::config(&service.url()), "tls", tls));
        life.step("an order was created", "create order", 0);
        life.step("the client is freed", "free", 0);
        life.nothing_was_found();
    });
}

#[test]
fn nothing_secret_is_in_a_core_dump() {
    // Without gdb, the search of the running process must do: a core dump contains nothing else.
    let Some(debugger) = built::tool("GDB", &["gdb"], "the search of a core dump") else {
        return;
    };
    for_each_library(|program, folder| {
        let (service, config) = tls_service(folder);
        let mut life = Life::begin(program, folder);
        let mut control = Search::new();
        control.add("a symbol of the program", "payorder_create_order");
        life.new_client(&config);
        for (what, response, command) in [
            ("an order was created", created(), "create order options"),
            (
                "a status was asked for",
                http(200, &marked::status().to_string()),
                "status query options",
            ),
        ] {
            service.set_script([Reaction::Respond(response)]);
            life.step(what, command, 0);
            let core = folder.path().join("core");
            let output = Command::new(&debugger)
                .args([
                    "-batch",
                    "-nx",
                    "-p",
                    &life.host.process().to_string(),
                    "-ex",
                ])
                .arg(format!("generate-core-file {}", core.display()))
                .output()
                .expect("gdb runs");
            assert!(core.exists(), "{}", built::transcript(&output));
            assert!(
                !control.file(&core).is_empty(),
                "the core dump does not contain the program"
            );
            // In addition to the memory it has the processor's registers.
            life.found.extend(
                life.search
                    .file(&core)
                    .iter()
                    .map(|found| format!("{what}: {found}")),
            );
        }
        life.nothing_was_found();
    });
}

#[test]
fn the_search_finds_a_copy_that_is_kept_and_one_that_was_freed() {
    let folder = Folder::new();
    let Some(program) = host::compile(&folder, &built::library()) else {
        return;
    };
    for command in ["keep-a-copy token", "free-a-copy token"] {
        let mut life = Life::begin(&program, &folder);
        life.step("a copy", command, i32::from(command.starts_with("free")));
        assert!(
            life.found
                .iter()
                .any(|found| found.contains("the access token")),
            "{command}: {:?}",
            life.found
        );
    }
}

#[test]
#[ignore = "builds the library once more; .ci/run runs it"]
fn a_rust_program_keeps_its_own_allocator() {
    let folder = Folder::new();
    fs::create_dir(folder.path().join("src")).expect("a folder");
    let project = built::project().display().to_string();
    folder.file(
        "Cargo.toml",
        format!(
            "[package]\nname = \"own-allocator\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\npayorder = {{ path = {project:?}, default-features = false }}\n"
        ),
    );
    // The versions in the lock file, so that no registry is needed.
    fs::copy(
        built::project().join("Cargo.lock"),
        folder.path().join("Cargo.lock"),
    )
    .expect("the lock file");
    folder.file(
        "src/main.rs",
        r#"
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

struct Counting;
static COUNT: AtomicUsize = AtomicUsize::new(0);

unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.fetch_add(1, Ordering::Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() {
    let before = COUNT.load(Ordering::Relaxed);
    payorder::Client::new(payorder::Config::new("https://pay.example.com")).unwrap();
    assert!(COUNT.load(Ordering::Relaxed) > before, "the library has another allocator");
    println!("its own");
}
"#,
    );
    let output = Command::new(env!("CARGO"))
        .args(["run", "--offline"])
        .current_dir(folder.path())
        .env("CARGO_TARGET_DIR", folder.path().join("target"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success() && output.stdout == b"its own\n",
        "{}",
        built::transcript(&output)
    );
}
