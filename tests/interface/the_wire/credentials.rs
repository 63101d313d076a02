//! Credentials on the wire: the right ones for each endpoint and each call.

use super::both;
use serde_json::json;
use support::abi::Client;
use support::orders::{config, order, query, without};
use support::responses::created;
use support::rows::Rows;
use support::service::{Request, Service, respond};
use support::table;

fn headers_named(request: &Request, names: &[&str]) -> Vec<(String, String)> {
    let mut headers = request.headers();
    headers.retain(|(name, _)| names.contains(&name.as_str()));
    headers.sort();
    headers
}

#[test]
fn each_endpoint_gets_its_own_credentials_and_no_others() {
    let service = both();
    let client = Client::new(&config(&service.url()));
    client.create(&order()).done();
    client.status(&query()).done();
    let requests = service.requests();
    let secret = [
        "access-token",
        "x-client-key",
        "x-client-id",
        "x-secret-key",
        "authorization",
        "cookie",
    ];
    assert_eq!(
        headers_named(&requests[0], &secret),
        [("access-token".to_owned(), "access-token-1".to_owned())]
    );
    assert_eq!(
        headers_named(&requests[1], &secret),
        [
            ("x-client-id".to_owned(), "client-id-1".to_owned()),
            ("x-client-key".to_owned(), "client-key-1".to_owned()),
            ("x-secret-key".to_owned(), "secret-key-1".to_owned()),
        ]
    );
    for request in requests {
        assert_eq!(
            request.header("content-type").as_deref(),
            Some("application/json")
        );
        assert_eq!(request.header("expect"), None);
        assert_eq!(request.header("transfer-encoding"), None);
        let encoding = request.header("accept-encoding").unwrap_or_default();
        assert!(!encoding.contains("gzip"), "{encoding}");
    }
}

#[test]
fn a_calls_own_credentials_serve_that_call_only() {
    let service = both();
    let client = Client::new(&config(&service.url()));
    let own =
        json!({"accessToken": "a-2", "clientKey": "k-2", "clientId": "i-2", "secretKey": "s-2"});
    let secret = [
        "access-token",
        "x-client-key",
        "x-client-id",
        "x-secret-key",
    ];
    let sent = |request: Request| {
        let headers = headers_named(&request, &secret);
        headers
            .into_iter()
            .map(|(_, value)| value)
            .collect::<Vec<_>>()
    };
    client.create_with(&order(), &own).done();
    assert_eq!(sent(service.last_request()), ["a-2"]);
    client.status_with(&query(), &own).done();
    assert_eq!(sent(service.last_request()), ["i-2", "k-2", "s-2"]);
    client
        .status_with(&query(), &json!({"secretKey": "s-3"}))
        .done();
    assert_eq!(
        sent(service.last_request()),
        ["client-id-1", "client-key-1", "s-3"]
    );
    service.set_script([respond(created())]);
    client.create(&order()).done();
    assert_eq!(sent(service.last_request()), ["access-token-1"]);
}

#[test]
fn credentials_may_come_with_the_call_alone_and_without_any_nothing_is_sent() {
    let service = both();
    let mut bare = config(&service.url());
    for key in ["accessToken", "clientKey", "clientId", "secretKey"] {
        bare = without(&bare, key);
    }
    let client = Client::new(&bare);
    let mut rows = Rows::new();
    let status = table! {
        "accessToken", json!({"clientKey": "k", "clientId": "i", "secretKey": "s"});
        "clientKey", json!({"clientId": "i", "secretKey": "s", "accessToken": "a"});
        "clientId", json!({"clientKey": "k", "secretKey": "s", "accessToken": "a"});
        "secretKey", json!({"clientKey": "k", "clientId": "i", "accessToken": "a"});
    };
    for (missing, options) in status {
        let reply = if missing == "accessToken" {
            client.create_with(&order(), &options)
        } else {
            client.status_with(&query(), &options)
        };
        rows.same(missing, reply.code, 5);
        rows.same(
            missing,
            &reply.error()["name"],
            &json!("PAYORDER_MISSING_CREDENTIALS"),
        );
        rows.says(missing, &reply, missing);
    }
    rows.same("nothing is sent", service.connections(), 0);
    rows.end();
    client
        .create_with(&order(), &json!({"accessToken": "a"}))
        .done();
    client
        .status_with(
            &query(),
            &json!({"clientKey": "k", "clientId": "i", "secretKey": "s"}),
        )
        .done();
}

#[test]
fn a_credential_of_4096_bytes_is_sent_whole() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let long = "~!#$%&'()*+,-./:;<=>?@[]^_`{|}\"\\".repeat(200)[..4096].to_owned();
    client
        .create_with(&order(), &json!({"accessToken": long}))
        .done();
    assert_eq!(service.last_request().header("access-token"), Some(long));
}
