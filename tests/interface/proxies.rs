//! A proxy is used if the config or the environment says so, and a request that it refuses is not
//! sent.

mod environment;

use serde_json::{Value, json};
use support::abi::Client;
use support::orders::{config, order, query, with};
use support::responses::{completed, created, http_with};
use support::result::TLS_FAILED;
use support::rows::Rows;
use support::service::{Service, Step, header, respond, tunnel, tunnel_to};
use support::table;
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

#[test]
fn an_https_call_goes_through_a_tunnel() {
    let secure = secure();
    let proxy = Service::start([tunnel()]);
    let client = Client::new(&with_proxy(&secure, &proxy.url()));
    client.create(&order()).done();
    secure.service.set_script([respond(completed(""))]);
    client.status(&query()).done();
    let heads = proxy.heads();
    assert_eq!(heads.len(), 1, "the tunnel is kept: {heads:?}");
    let host = format!("localhost:{}", secure.service.port());
    assert!(
        heads[0].starts_with(&format!("CONNECT {host} HTTP/1.1\r\n")),
        "{}",
        heads[0]
    );
    assert_eq!(header(&heads[0], "proxy-authorization"), None);
    for private in ["access-token", "ACCESS-TOKEN", "ORDER-1001"] {
        assert!(!heads[0].contains(private), "{}", heads[0]);
    }
    let request = &secure.service.requests()[0];
    assert_eq!(request.line(), "POST /api/v1/Gateway/CreateOrder HTTP/1.1");
    assert_eq!(request.header("host"), Some(host));
}

#[test]
fn a_proxys_credentials_go_to_the_proxy_alone() {
    // Base64 of `till:open` and `till:p@ss:/ `.
    for (userinfo, basic) in [
        ("till:open", "Basic dGlsbDpvcGVu"),
        ("ti%6Cl:p%40ss%3a%2F%20", "Basic dGlsbDpwQHNzOi8g"),
    ] {
        let (secure, proxy) = (secure(), Service::start([tunnel()]));
        let client = Client::new(&with_proxy(&secure, &proxy.url_with(userinfo)));
        client.create(&order()).done();
        let heads = proxy.heads();
        let given = header(&heads[0], "proxy-authorization");
        assert_eq!(given, Some(basic));
        let inside = secure.service.last_request();
        assert_eq!(inside.header("proxy-authorization"), None);
    }
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
    reply.is(TLS_FAILED);
    assert_eq!(reply.error()["cause"], "client_certificate_refused");
    assert_eq!(proxy.bytes(), 0, "the handshake was completed");
}

#[test]
fn a_proxy_that_accepts_no_password_says_what_it_offers() {
    let mut rows = Rows::new();
    for (offered, cause, said) in table! {
        "NTLM", "proxy_refused", "(Basic): NTLM; ask";
        r#"Negotiate, NTLM TlRM, Digest realm="a, Basic b", qop=auth"#, "proxy_refused",
            "(Basic): Negotiate, NTLM, Digest; ask";
        "Negotiate, basic realm=x", "proxy_needs_credentials", "needs a user name";
    } {
        let refusal = http_with(407, &[("Proxy-Authenticate", offered)], "");
        let proxy = Service::start([vec![Step::Connect, Step::Send(refusal)]]);
        let client = Client::new(&with(
            &config("https://pay.name.invalid"),
            "proxy",
            proxy.url(),
        ));
        let reply = client.create(&order());
        rows.same(offered, reply.error()["cause"].clone(), json!(cause));
        rows.holds(offered, reply.message().contains(said), reply.message());
    }
    rows.end();
}
