//! A proxy is used if the config or the environment says so, and a request that it refuses is not
//! sent.

mod environment;

use serde_json::{Value, json};
use support::abi::{Client, Reply};
use support::orders::{config, order, query, with, without};
use support::proxy::{Behaviour, Proxy};
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Reaction, Service, refusing_url};
use support::tls::{Authority, Folder, requiring_client_certificate_tls_1_2, serving};
use support::tls_service::TlsService;

const CONNECT_FAILED: i32 = 6;

fn secure() -> TlsService {
    TlsService::start([Reaction::Respond(created())])
}

fn with_proxy(secure: &TlsService, proxy: &str) -> Value {
    with(
        &secure.trusted_by(&config(&secure.service.url())),
        "proxy",
        proxy,
    )
}

fn header(head: &str, name: &str) -> Option<String> {
    head.lines().find_map(|line| {
        let (given, value) = line.split_once(':')?;
        given
            .eq_ignore_ascii_case(name)
            .then(|| value.trim().to_owned())
    })
}

#[test]
fn an_https_call_goes_through_a_tunnel() {
    let secure = secure();
    let proxy = Proxy::start(Behaviour::Tunnel);
    let client = Client::new(&with_proxy(&secure, &proxy.url()));
    client.create(&order()).done();
    secure
        .service
        .set_script([Reaction::Respond(completed(""))]);
    client.status(&query()).done();
    let port = secure.service.port();
    let heads = proxy.heads();
    assert_eq!(heads.len(), 1, "the tunnel is kept: {heads:?}");
    assert!(
        heads[0].starts_with(&format!("CONNECT localhost:{port} HTTP/1.1\r\n")),
        "{}",
        heads[0]
    );
    assert_eq!(header(&heads[0], "proxy-authorization"), None);
    for private in ["access-token", "ACCESS-TOKEN", "ORDER-1001"] {
        assert!(!heads[0].contains(private), "{}", heads[0]);
    }
    let requests = secure.service.requests();
    assert_eq!(
        requests[0].line(),
        "POST /api/v1/Gateway/CreateOrder HTTP/1.1"
    );
    assert_eq!(
        requests[0].header("host"),
        Some(format!("localhost:{port}"))
    );
    assert_eq!(requests[0].header("proxy-authorization"), None);
}

#[test]
fn a_proxys_credentials_go_to_the_proxy() {
    let mut rows = Rows::new();
    // Base64 of `till:open`, `till:open sesame` and `till:p@ss:/`.
    for (userinfo, basic) in [
        ("till:open", "dGlsbDpvcGVu"),
        ("till:open%20sesame", "dGlsbDpvcGVuIHNlc2FtZQ=="),
        ("ti%6Cl:p%40ss%3a%2F", "dGlsbDpwQHNzOi8="),
    ] {
        let secure = secure();
        let proxy = Proxy::start(Behaviour::Tunnel);
        let client = Client::new(&with_proxy(&secure, &proxy.url_with(userinfo)));
        let reply = client.create(&order());
        rows.that(userinfo, reply.code == 0, || reply.text().to_owned());
        let given = proxy
            .heads()
            .first()
            .and_then(|head| header(head, "proxy-authorization"));
        rows.same(userinfo, given, Some(format!("Basic {basic}")));
        let inside = secure
            .service
            .requests()
            .pop()
            .and_then(|request| request.header("proxy-authorization"));
        rows.same(userinfo, inside, None);
    }
    rows.end();
}

#[test]
fn a_name_is_resolved_by_the_proxy() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    let service = Service::start_tls(
        serving(authority.identity_for("pay.name.invalid")),
        [Reaction::Respond(created())],
    );
    let proxy = Proxy::start(Behaviour::TunnelTo(service.port()));
    let config = with(&config("https://pay.name.invalid"), "tls", tls);
    Client::new(&with(&config, "proxy", proxy.url()))
        .create(&order())
        .done();
    assert!(proxy.heads()[0].starts_with("CONNECT pay.name.invalid:443 HTTP/1.1\r\n"));
}

#[test]
fn a_request_that_a_proxy_refuses_is_not_sent() {
    let mut rows = Rows::new();
    let manners = [
        (
            "refuses",
            Behaviour::Respond("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"),
        ),
        (
            "asks for credentials",
            Behaviour::Respond(
                "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n",
            ),
        ),
        (
            "cannot reach the host",
            Behaviour::Respond("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 3\r\n\r\nno!"),
        ),
        (
            "redirects",
            Behaviour::Respond(
                "HTTP/1.1 302 Found\r\nLocation: http://x\r\nContent-Length: 0\r\n\r\n",
            ),
        ),
        (
            "is not a proxy",
            Behaviour::Respond("SSH-2.0-OpenSSH\r\n\r\n"),
        ),
        ("hangs up", Behaviour::Close),
        ("stalls", Behaviour::Stall),
        ("cannot connect", Behaviour::TunnelTo(1)),
    ];
    for (row, behaviour) in manners {
        let secure = secure();
        let proxy = Proxy::start(behaviour);
        let slow = with(&with_proxy(&secure, &proxy.url()), "connectTimeoutMs", 700);
        let client = Client::new(&slow);
        for reply in [client.create(&order()), client.status(&query())] {
            let right = reply.code == CONNECT_FAILED && reply.error()["outcome"] == "not_sent";
            rows.that(row, right, || reply.text().to_owned());
        }
        rows.same(row, secure.service.bytes(), 0);
    }
    let secure = secure();
    let client = Client::new(&with_proxy(&secure, &refusing_url()));
    rows.same(
        "does not listen",
        client.create(&order()).code,
        CONNECT_FAILED,
    );
    let client = Client::new(&with_proxy(&secure, "http://proxy.name.invalid:3128"));
    rows.same(
        "has no known address",
        client.create(&order()).code,
        CONNECT_FAILED,
    );
    rows.same("nothing was sent", secure.service.bytes(), 0);
    rows.end();
}

#[test]
fn a_stalling_proxy_does_not_outlast_the_deadline() {
    let secure = secure();
    let proxy = Proxy::start(Behaviour::Stall);
    let client = Client::new(&with(&with_proxy(&secure, &proxy.url()), "timeoutMs", 500));
    let reply = client.create(&order());
    assert!((1..100).contains(&reply.code), "{}", reply.text());
    assert!(
        reply.error()["elapsedMs"].as_u64().unwrap() < 5000,
        "{}",
        reply.text()
    );
}

#[test]
fn an_invalid_certificate_is_also_refused_through_a_proxy() {
    let secure = secure();
    let proxy = Proxy::start(Behaviour::Tunnel);
    let client = Client::new(&without(&with_proxy(&secure, &proxy.url()), "tls"));
    assert_eq!(client.create(&order()).code, 7);
    assert_eq!(secure.service.bytes(), 0);
}

#[test]
fn sent_bytes_are_also_counted_through_a_proxy() {
    let secure = secure();
    secure.service.set_script([Reaction::Close]);
    let proxy = Proxy::start(Behaviour::Tunnel);
    let client = Client::new(&with(
        &with_proxy(&secure, &proxy.url()),
        "createRetries",
        5,
    ));
    let reply: Reply = client.create(&order());
    assert_eq!(reply.code, 201, "{}", reply.text());
    assert_eq!(secure.service.request_count(), 1);
}

#[test]
fn the_client_certificate_is_not_for_a_proxy() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let identity = authority.identity_for("till-1");
    let tls = json!({
        "caFile": folder.file("ca.pem", authority.pem()),
        "certFile": folder.file("till.pem", identity.certificate.pem()),
        "keyFile": folder.file("till.key", identity.key.serialize_pem()),
    });
    // A proxy that requires one.
    let requiring_client_certificate =
        requiring_client_certificate_tls_1_2(authority.identity_for("localhost"), &authority);
    let proxy = Service::start_tls(requiring_client_certificate, [Reaction::Respond(created())]);
    let config = with(&config("https://localhost:9"), "tls", tls);
    let client = Client::new(&with(&config, "proxy", proxy.url()));
    let reply = client.create(&order());
    assert_eq!(reply.code, 7, "{}", reply.message());
    assert_eq!(reply.error()["cause"], "client_certificate_refused");
    assert_eq!(proxy.bytes(), 0, "the handshake was completed");
}
