//! With the C ABI, no credential and no customer data is in the process's memory between calls,
//! used or freed, after the host has wiped its own copies. Stacks and registers are not searched:
//! what the compiler leaves there is not promised.

#![cfg(target_os = "linux")]

mod secrets;

use secrets::calls::calls;
use secrets::life::{Life, basic, for_each_library, proxy_credentials};
use secrets::memory::Search;
use secrets::{host, marked};
use serde_json::{Value, json};
use std::process::Command;
use support::built;
use support::orders::with;
use support::responses::{created, http};
use support::service::{Service, Step, respond, response, tunnel_to};
use support::tls::{Authority, Folder, Identity, serving};
use support::tls_service::TlsService;

#[test]
fn nothing_secret_stays_in_memory_over_plain_http() {
    for_each_library(|life| {
        let service = Service::responding(created());
        life.new_client(&marked::config(&service.url()));
        calls(life, &service);
    });
}

/// A TLS service on localhost, and the configuration of a client that trusts it.
fn tls_service() -> (TlsService, Value) {
    let secure = TlsService::start([respond(created())]);
    let config = secure.trusted_by(&marked::config(&secure.service.url()));
    (secure, config)
}

#[test]
fn nothing_secret_stays_in_memory_over_tls() {
    for_each_library(|life| {
        let (secure, config) = tls_service();
        life.new_client(&config);
        calls(life, &secure.service);
    });
}

fn through(config: &Value, proxy: &Service) -> Value {
    with(config, "proxy", proxy.url_with(&proxy_credentials()))
}

#[test]
fn nothing_secret_stays_in_memory_through_a_proxy() {
    for_each_library(|life| {
        let folder = life.folder;
        let mut both_calls = |config: &Value, service: &Service, proxy: &Service, what: &str| {
            service.set_script([respond(created())]);
            life.new_client(&through(config, proxy));
            life.step(&format!("an order, {what}"), "create order options", 0);
            assert!(proxy.heads()[0].contains(&basic()), "{:?}", proxy.heads());
            service.set_script([respond(http(200, marked::status().to_string()))]);
            life.step(&format!("a status, {what}"), "status query", 0);
            life.step("the client is freed", "free", 0);
        };
        let plain = Service::responding(created());
        let config = marked::config(&plain.url());
        let proxy = Service::start([tunnel_to(plain.port())]);
        both_calls(&config, &plain, &proxy, "through a tunnel");

        let authority = Authority::new();
        let secure = serving(authority.identity_for("localhost"));
        let proxy = Service::start_tls(secure, [tunnel_to(plain.port())]);
        let trusted = json!({"caFile": folder.file("proxy.pem", authority.pem())});
        let trusting = with(&config, "tls", trusted);
        both_calls(&trusting, &plain, &proxy, "through a tunnel in TLS");

        let (secure, config) = tls_service();
        let service = &secure.service;
        let proxy = Service::start([tunnel_to(service.port())]);
        both_calls(&config, service, &proxy, "through TLS in a tunnel");

        let proxy = Service::start([vec![Step::Connect, Step::Send(response(407)), Step::Close]]);
        life.new_client(&through(&config, &proxy));
        life.step("a proxy that refuses", "create order", 6);
        life.step("the client is freed", "free", 0);
    });
}

#[test]
fn nothing_secret_stays_in_memory_after_a_failure_before_the_call() {
    for_each_library(|life| {
        let (secure, trusting) = tls_service();
        life.new_client(&marked::config(&secure.service.url()));
        life.step("a service that is not trusted", "create order options", 7);
        life.step("the client is freed", "free", 0);

        let mut config = through(
            &trusting,
            &Service::start([vec![Step::Connect, Step::Close]]),
        );
        config["colour"] = "red".into();
        config["clientId"] = format!("{}\n", marked::CREDENTIALS[2].1).into();
        life.folder.file("config", config.to_string());
        life.step("an invalid configuration", "new config", 3);
        life.folder.file(
            "config",
            &config.to_string()[..config.to_string().len() - 1],
        );
        life.step("a configuration that is not JSON", "new config", 1);
        config["proxy"] = format!("socks5://{}@localhost:1", proxy_credentials()).into();
        life.folder.file("config", config.to_string());
        life.step("an invalid proxy", "new config", 3);
    });
}

/// The text of a client's private key. The parsed key must stay as long as the client.
#[test]
fn the_text_of_a_private_key_does_not_stay_in_memory() {
    for_each_library(|life| {
        let authority = Authority::new();
        let Identity {
            certificate, key, ..
        } = authority.identity_for("till");
        let service = Service::start_tls(
            serving(authority.identity_for("localhost")),
            [respond(created())],
        );
        let tls = json!({
            "caFile": life.folder.file("ca.pem", authority.pem()),
            "certFile": life.folder.file("till.pem", certificate.pem()),
            "keyFile": life.folder.file("till.key", key.serialize_pem()),
        });
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
    });
}

#[test]
fn nothing_secret_is_in_a_core_dump() {
    // Without gdb, the search of the running process must do: a core dump contains nothing else.
    let Some(debugger) = built::tool("GDB", &["gdb"], "the search of a core dump") else {
        return;
    };
    for_each_library(|life| {
        let (secure, config) = tls_service();
        let mut control = Search::new();
        control.add("a symbol of the program", "payorder_create_order");
        life.new_client(&config);
        for (what, response, command) in [
            ("an order was created", created(), "create order options"),
            (
                "a status was asked for",
                http(200, marked::status().to_string()),
                "status query options",
            ),
        ] {
            secure.service.set_script([respond(response)]);
            life.step(what, command, 0);
            let core = life.folder.path().join("core");
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
                !control.core_dump(&core, life.host.process()).is_empty(),
                "the core dump does not contain the program"
            );
            let found = life.search.core_dump(&core, life.host.process());
            life.found
                .extend(found.iter().map(|found| format!("{what}: {found}")));
        }
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
            life.found.iter().any(|found| found.contains("accessToken")),
            "{command}: {:?}",
            life.found
        );
    }
}
