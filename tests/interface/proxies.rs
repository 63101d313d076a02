//! A proxy is used if the config or the environment says so, and a request that it refuses is not
//! sent.

mod environment;

use serde_json::{Value, json};
use support::abi::Client;
use support::orders::{config, order, query, with};
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Service, respond, tunnel, tunnel_to};
use support::tls::{Authority, Folder, requiring_client_certificate_tls_1_2, serving};
use support::tls_service::TlsService;

fn secure() -> TlsService {
    TlsService::start([respond(created())])
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
    let proxy = Service::start([tunnel()]);
    let client = Client::new(&with_proxy(&secure, &proxy.url()));
    client.create(&order()).done();
    secure.service.set_script([respond(completed(""))]);
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
        let proxy = Service::start([tunnel()]);
        let client = Client::new(&with_proxy(&secure, &proxy.url_with(userinfo)));
        let reply = client.create(&order());
        rows.code(userinfo, &reply, 0);
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
    let long = format!("{}invalid", format!("{}.", "x".repeat(47)).repeat(4));
    assert_eq!(long.len(), 199);
    for name in ["pay.name.invalid", &long] {
        let service =
            Service::start_tls(serving(authority.identity_for(name)), [respond(created())]);
        let proxy = Service::start([tunnel_to(service.port())]);
        let config = with(&config(&format!("https://{name}")), "tls", tls.clone());
        Client::new(&with(&config, "proxy", proxy.url()))
            .create(&order())
            .done();
        let line = format!("CONNECT {name}:443 HTTP/1.1\r\n");
        assert!(proxy.heads()[0].starts_with(&line), "{:?}", proxy.heads());
    }
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
    let proxy = Service::start_tls(requiring_client_certificate, [respond(created())]);
    let config = with(&config("https://localhost:9"), "tls", tls);
    let client = Client::new(&with(&config, "proxy", proxy.url()));
    let reply = client.create(&order());
    reply.is(7);
    assert_eq!(reply.error()["cause"], "client_certificate_refused");
    assert_eq!(proxy.bytes(), 0, "the handshake was completed");
}
