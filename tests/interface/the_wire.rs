//! What goes over the wire is what the interface asks for, and nothing else. The conformance suite
//! has the names and texts of the fields.

use serde_json::json;
use support::abi::{self, Client, build_create_order, build_get_status};
use support::orders::{FIELDS, config, keys_in_order, order, query, with, without};
use support::responses::{completed, created};
use support::result::MISSING_CREDENTIALS;
use support::rows::Rows;
use support::service::{Request, Service, respond};
use support::table;
use support::tls_service::TlsService;

const KEYS: [&str; 4] = ["accessToken", "clientKey", "clientId", "secretKey"];

fn both() -> Service {
    Service::start([respond(created()), respond(completed("ORDER-1001"))])
}

/// The headers with credentials, and similar ones.
fn secret(request: &Request) -> String {
    let names = "access-token x-client-key x-client-id x-secret-key authorization cookie";
    let mut headers = request.headers();
    headers.retain(|(name, _)| names.split(' ').any(|secret| secret == name));
    headers.sort();
    let headers = headers
        .iter()
        .map(|(name, value)| format!("{name}: {value}"));
    headers.collect::<Vec<_>>().join(", ")
}

#[test]
fn each_endpoint_has_its_path_below_the_base_url_and_one_connection() {
    let mut rows = Rows::new();
    for (given, prefix) in table! {
        "", "";
        "/", "";
        "/pay/v9", "/pay/v9";
        "/a%20b/", "/a%20b";
    } {
        let service = both();
        let client = Client::new(&config(&format!("{}{given}", service.url())));
        client.create(&order()).done();
        client.status(&query()).done();
        for (request, path) in service.requests().iter().zip(["CreateOrder", "GetStatus"]) {
            let line = format!("POST {prefix}/api/v1/Gateway/{path} HTTP/1.1");
            rows.same(given, request.line(), &line);
            let host = format!("127.0.0.1:{}", service.port());
            rows.same(given, request.header("host"), Some(host));
            let kind = request.header("content-type");
            rows.same(given, kind.as_deref(), Some("application/json"));
            rows.same(given, request.header("expect"), None);
            rows.same(given, request.header("transfer-encoding"), None);
            let encoding = request.header("accept-encoding").unwrap_or_default();
            rows.holds(given, !encoding.contains("gzip"), &encoding);
        }
        rows.same(given, service.connections(), 1);
        Client::new(&config(&service.url())).status(&query()).done();
        rows.same("another client", service.connections(), 2);
    }
    rows.end();
}

#[test]
fn the_user_agent_is_the_librarys_with_the_programs_before_it() {
    let service = both();
    let library = format!("payorder/{}", abi::version());
    let sent = || service.last_request().header("user-agent");
    Client::new(&config(&service.url())).create(&order()).done();
    assert_eq!(sent(), Some(library.clone()));
    for agent in ["till/7 (desk 3)", &"x".repeat(512)] {
        let named = with(&config(&service.url()), "userAgent", agent);
        Client::new(&named).status(&query()).done();
        assert_eq!(sent(), Some(format!("{agent} {library}")));
    }
}

#[test]
fn what_is_built_is_what_is_sent() {
    let secure = TlsService::start([respond(created())]);
    let named = with(
        &config(&secure.service.url()),
        "returnUrlField",
        "return url",
    );
    let client = Client::new(&secure.trusted_by(&named));
    let extra = json!({"extraFields": {"udf2": "b", "udf1": "é\n"}});
    client.create_with(&order(), &extra).done();
    let options = with(&extra, "returnUrlField", "return url").to_string();
    let built = build_create_order(&order().to_string(), Some(&options)).done();
    assert_eq!(built.text(), secure.service.last_request().body);
    let mut names = FIELDS
        .map(|field| field.replace("redirectionURL", "return url"))
        .to_vec();
    names.extend(["udf1".into(), "udf2".into()]);
    assert_eq!(keys_in_order(built.text()), names);
    // In requests and violations it keeps its name.
    let broken = client.create(&without(&order(), "redirectionURL"));
    assert_eq!(broken.violations(), ["redirectionURL: required"]);
    let by_wire_name = client.create(&with(&order(), "return url", "https://a.example"));
    assert_eq!(by_wire_name.violations(), ["return url: unknown_field"]);

    secure.service.set_script([respond(completed(""))]);
    for query in [json!({"orderId": "O-1"}), json!({"transactionId": "T-900"})] {
        client.status(&query).done();
        let built = build_get_status(&query.to_string()).done();
        assert_eq!(built.text(), secure.service.last_request().body);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn head_and_body_leave_in_one_write() {
    let secure = TlsService::start([respond(created())]);
    let plain = Service::responding(created());
    for (service, config) in [
        (&plain, config(&plain.url())),
        (
            &secure.service,
            secure.trusted_by(&config(&secure.service.url())),
        ),
    ] {
        let client = Client::new(&config);
        client.create(&order()).done();
        client.create(&order()).done();
        // The first request's count has the handshake in it.
        assert_eq!(service.last_request().segments, Some(1));
    }
}

#[test]
fn each_endpoint_gets_its_own_credentials_and_those_of_a_call_serve_it_only() {
    let service = both();
    let client = Client::new(&config(&service.url()));
    let own = json!({"accessToken": "a2", "clientKey": "k2", "clientId": "i2", "secretKey": "s2"});
    let of_status = "x-client-id: client-id-1, x-client-key: client-key-1, x-secret-key: ";
    client.create(&order()).done();
    assert_eq!(
        secret(&service.last_request()),
        "access-token: access-token-1"
    );
    for (options, sent) in [
        (json!({}), format!("{of_status}secret-key-1")),
        (
            own.clone(),
            "x-client-id: i2, x-client-key: k2, x-secret-key: s2".into(),
        ),
        (json!({"secretKey": "s3"}), format!("{of_status}s3")),
    ] {
        client.status_with(&query(), &options).done();
        assert_eq!(secret(&service.last_request()), sent);
    }
    service.set_script([respond(created())]);
    let long = "~!#$%&'()*+,-./:;<=>?@[]^_`{|}\"\\".repeat(200)[..4096].to_owned();
    for token in ["a2", &long] {
        client
            .create_with(&order(), &with(&own, "accessToken", token))
            .done();
        assert_eq!(
            secret(&service.last_request()),
            format!("access-token: {token}")
        );
    }
    client.create(&order()).done();
    assert_eq!(
        secret(&service.last_request()),
        "access-token: access-token-1"
    );
}

#[test]
fn credentials_may_come_with_the_call_alone_and_without_any_nothing_is_sent() {
    let service = both();
    let bare = KEYS
        .iter()
        .fold(config(&service.url()), |config, key| without(&config, key));
    let client = Client::new(&bare);
    let all = KEYS.iter().fold(json!({}), |all, key| with(&all, key, "x"));
    for missing in KEYS {
        let options = without(&all, missing);
        let reply = match missing {
            "accessToken" => client.create_with(&order(), &options),
            _ => client.status_with(&query(), &options),
        };
        reply.is(MISSING_CREDENTIALS).says(missing);
    }
    assert_eq!(service.connections(), 0, "nothing is sent");
    client
        .create_with(&order(), &json!({"accessToken": "a"}))
        .done();
    client
        .status_with(&query(), &without(&all, "accessToken"))
        .done();
}
