//! A sandbox that other machines can reach, and what web pages cannot do with any sandbox.

use std::io::{self, BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};
use sandbox::tls::Tls;
use sandbox::{Options, Sandbox};
use serde_json::json;
use support::built;

use crate::wire::*;

fn exposed(tls: Option<Tls>) -> Sandbox {
    start_with(Options {
        listen: ([0, 0, 0, 0], 0).into(),
        host: Some("till.example".to_owned()),
        tls,
        ..Options::default()
    })
}

/// To the sandbox from this machine, also if its URL names another address.
fn connected(sandbox: &Sandbox) -> TcpStream {
    let base_url = sandbox.base_url();
    let (_, port) = base_url.rsplit_once(':').expect("a port");
    connect_to(&format!("http://127.0.0.1:{port}"))
}

#[test]
fn only_its_own_pages_and_those_who_know_the_secret_can_use_an_exposed_sandbox() {
    let sandbox = exposed(None);
    let secret = sandbox.secret().expect("a secret").to_owned();
    let own = sandbox.base_url();
    let host = own.trim_start_matches("http://");
    let bearer = format!("Bearer {secret}");
    let wrong = format!("Bearer {}", "0".repeat(secret.len()));
    let status = |method: &str, path: &str, headers: Headers| {
        let stream = connected(&sandbox);
        send(&stream, &request(method, path, headers, ""));
        receive(&stream).expect("a response").status
    };
    let (here, known) = (("Host", host), ("Authorization", bearer.as_str()));
    let stream = connected(&sandbox);
    send(&stream, &create("A-1", json!({})));
    assert_eq!(receive(&stream).expect("a response").status, 200);

    for path in ["/sandbox", "/sandbox/requests", "/sandbox/events"] {
        assert_eq!(status("GET", path, &[here]), 401);
        assert_eq!(status("GET", path, &[here, ("Authorization", &wrong)]), 401);
        assert_eq!(
            status("GET", path, &[here, ("Authorization", &secret)]),
            401
        );
        assert_eq!(status("GET", path, &[("Host", "shop.example"), known]), 403);
        assert_eq!(status("GET", path, &[here, known, ("Origin", "null")]), 403);
    }
    assert_eq!(
        status("GET", "/sandbox", &[here, known, ("Origin", &own)]),
        200
    );
    assert_eq!(
        status("GET", "/sandbox", &[("Host", "192.168.7.7"), known]),
        200
    );

    for path in ["/", "/checkout/1", "/shop/return"] {
        assert_eq!(status("GET", path, &[here]), 200, "{path}");
        // A shop sends its customer here.
        let from_shop = ("Sec-Fetch-Site", "cross-site");
        assert_eq!(status("GET", path, &[here, from_shop]), 200, "{path}");
        assert_eq!(
            status("GET", path, &[("Host", "shop.example")]),
            403,
            "{path}"
        );
    }
    for forged in [
        ("Origin", "https://shop.example"),
        ("Origin", "http://127.0.0.1"),
        ("Origin", "null"),
        ("Sec-Fetch-Site", "cross-site"),
        ("Sec-Fetch-Site", "same-site"),
    ] {
        assert_eq!(
            status("POST", "/checkout/1/pay", &[here, forged]),
            403,
            "{forged:?}"
        );
    }
    assert_eq!(
        status("POST", "/checkout/1/pay", &[here, ("Origin", &own)]),
        303
    );
}

#[test]
fn a_public_url_that_other_machines_can_use_makes_a_secret_necessary() {
    for (url, is_exposed, insecure) in [
        ("https://till.example", true, false),
        ("http://till.example", true, true),
        ("http://localhost:8080", false, false),
        ("http://[::1]:8080", false, false),
    ] {
        let sandbox = start_with(Options {
            public_url: Some(url.to_owned()),
            ..Options::default()
        });
        let stream = connect_to(&sandbox.address());
        send(&stream, &plain("GET", "/sandbox", ""));
        let told = receive(&stream).expect("a response");
        assert_eq!(told.status, if is_exposed { 401 } else { 200 }, "{url}");
        let bearer = format!("Bearer {}", sandbox.secret().unwrap_or_default());
        let headers = [CREATE_HEADERS[0], ("Authorization", &bearer)];
        send(&stream, &request("GET", "/sandbox", &headers, ""));
        let about = receive(&stream).expect("a response").json();
        assert_eq!(about["insecure"], insecure, "{url}");
    }
}

/// Trusts only the authority of the sandbox.
fn encrypted(
    sandbox: &Sandbox,
    authority: &str,
    host: &str,
) -> StreamOwned<ClientConnection, TcpStream> {
    let mut roots = RootCertStore::empty();
    let authority = CertificateDer::from_pem_slice(authority.as_bytes()).expect("PEM");
    roots.add(authority).expect("an authority");
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    let name = ServerName::try_from(host.to_owned()).expect("a name");
    let client = ClientConnection::new(Arc::new(config), name).expect("a client");
    StreamOwned::new(client, connected(sandbox))
}

#[test]
fn tls_serves_the_named_hosts_and_shows_whether_something_was_cut() {
    // A long list, whose length takes two bytes, and an address.
    let mut names: Vec<String> = (0..9)
        .map(|n| format!("{n}{}.example", "x".repeat(50)))
        .collect();
    names.extend(["till.example", "::1"].map(str::to_owned));
    let tls = Tls::made(&names).expect("a certificate");
    let authority = tls.authority.clone().expect("an authority");
    let sandbox = exposed(Some(tls));
    assert!(sandbox.base_url().starts_with("https://till.example:"));
    let asked = |host: &str, text: &str| {
        let mut stream = encrypted(&sandbox, &authority, host);
        stream.write_all(text.as_bytes())?;
        let mut received = String::new();
        stream.read_to_string(&mut received).map(|_| received)
    };
    let (host, close) = (("Host", "till.example"), ("Connection", "close"));
    let got = asked(
        "till.example",
        &request("GET", "/ca.pem", &[host, close], ""),
    );
    assert!(got.expect("a response").ends_with(&authority));
    let got = asked(
        "::1",
        &request("GET", "/", &[("Host", "[::1]:8443"), close], ""),
    );
    assert!(got.expect("a response").starts_with("HTTP/1.1 200"));
    let other = asked("shop.example", "").expect_err("a name that is not its own");
    assert!(other.to_string().contains("not valid for name"), "{other}");
    let lost = create("A-1", json!({"productInfo": "sandbox:drop-after-commit"}));
    let lost = asked("till.example", &lost).expect_err("a cut connection");
    assert_eq!(lost.kind(), ErrorKind::UnexpectedEof);
    assert_eq!(sandbox.orders().len(), 1);

    let stream = connected(&sandbox);
    send(&stream, &request("GET", "/checkout/1", &[host], ""));
    let told = receive(&stream).expect("a response");
    let address = format!("{}/checkout/1", sandbox.base_url());
    assert_eq!(
        (told.status, told.header("Location")),
        (307, Some(&*address))
    );
}

#[test]
fn a_page_is_told_of_each_change_until_the_sandbox_ends() {
    let sandbox = start();
    let stream = connect(&sandbox);
    send(&stream, &plain("GET", "/sandbox/events", ""));
    let mut lines = BufReader::new(&stream).lines().map(Result::unwrap);
    assert_eq!(lines.next().as_deref(), Some("HTTP/1.1 200 OK"));
    let mut event = || lines.find(|line| line.starts_with("data: "));
    assert_eq!(event().as_deref(), Some("data: 0"));
    // Looking at the sandbox changes nothing.
    ask(&sandbox, &plain("GET", "/sandbox/orders", ""));
    ask(&sandbox, &plain("GET", "/", ""));
    let patience = Some(Duration::from_millis(300));
    stream.set_read_timeout(patience).expect("a read timeout");
    assert!((&stream).read(&mut [0]).is_err());
    let patience = Some(Duration::from_secs(30));
    stream.set_read_timeout(patience).expect("a read timeout");
    for change in [
        create("A-1", json!({})),
        plain("POST", "/checkout/1/pay", ""),
    ] {
        ask(&sandbox, &change);
        assert_eq!(event().as_deref(), Some("data: 0"));
    }
    ask(&sandbox, &plain("POST", "/sandbox/reset", ""));
    assert!((0..9).any(|_| event().as_deref() == Some("data: 1")));
    drop(sandbox);
    assert!((0..9).any(|_| event().is_none()));
}

#[test]
fn the_fingerprint_of_the_authority_is_that_of_its_certificate() {
    let tls = Tls::made(&["till.example".to_owned()]).expect("TLS");
    let authority = tls.authority.clone().expect("an authority");
    let sandbox = exposed(Some(tls));
    let certificate = CertificateDer::from_pem_slice(authority.as_bytes()).expect("PEM");
    let hash = ring::digest::digest(&ring::digest::SHA256, &certificate);
    let found = sandbox.fingerprint().expect("a fingerprint");
    let bytes: Vec<u8> = found
        .split(':')
        .map(|byte| u8::from_str_radix(byte, 16).expect("two digits"))
        .collect();
    assert_eq!((bytes.as_slice(), found.len()), (hash.as_ref(), 95));
    assert_eq!(exposed(None).fingerprint(), None);
}

#[test]
fn wrong_options_and_lost_output_are_failures() {
    let urls = [
        "nonsense",
        "http://",
        "http:///",
        "https://my till",
        "http://a:x",
        "http://u@a",
        "https://shop.example/pay",
    ];
    let urls = urls.map(|url| (vec!["--public-url", url], 2));
    for (arguments, status) in urls.into_iter().chain([(vec!["--help"], 1)]) {
        let program = built::folder().with_file_name("examples").join("sandbox");
        let mut program = Command::new(program);
        let (reader, closed) = io::pipe().expect("a pipe");
        drop(reader);
        let ended = program.args(&arguments).stdout(closed).status();
        assert_eq!(
            ended.expect("it runs").code(),
            Some(status),
            "{arguments:?}"
        );
    }
}

#[test]
fn its_health_is_whether_a_sandbox_answers() {
    let health = |port: &str| {
        let program = built::folder().with_file_name("examples").join("sandbox");
        let mut program = Command::new(program);
        let output = program.args(["--health", port]).output().expect("it runs");
        (
            output.status.code(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        )
    };
    for tls in [
        None,
        Some(Tls::made(&["till.example".to_owned()]).expect("TLS")),
    ] {
        let sandbox = exposed(tls);
        let base_url = sandbox.base_url();
        let (_, port) = base_url.rsplit_once(':').expect("a port");
        assert_eq!(health(port), (Some(0), String::new()));
        drop(sandbox);
        let (status, said) = health(port);
        assert_eq!(status, Some(1));
        assert!(said.contains("no sandbox answers"), "{said}");
    }
    let sandbox = start_with(Options {
        listen: ([127, 0, 0, 2], 0).into(),
        ..Options::default()
    });
    let address = sandbox.base_url();
    let address = address.trim_start_matches("http://");
    assert_eq!(health(address), (Some(0), String::new()));
    for wrong in ["x", "127.0.0.2", "127.0.0.2:x"] {
        assert_eq!(health(wrong).0, Some(2), "{wrong}");
    }
    let other = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = other.local_addr().expect("an address").port().to_string();
    let answered = thread::spawn(move || {
        let (mut stream, _) = other.accept()?;
        stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    });
    assert_eq!(health(&port).0, Some(1));
    answered.join().expect("no panic").expect("answered");
}
