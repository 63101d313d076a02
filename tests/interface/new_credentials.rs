//! Replaced credentials are used by every attempt that begins later. The conformance suite has
//! those of later calls.

use std::thread;

use serde_json::json;

use support::abi::{Client, set_credentials};
use support::orders::{config, order, query, with};
use support::responses::{completed_body, created, http};
use support::service::{Service, respond};
use support::table;

#[test]
fn a_wait_that_runs_uses_them_for_its_next_query_and_keeps_the_others() {
    let mut body = completed_body("ORDER-1001");
    body["data"]["transactionStatus"] = "Pending".into();
    let service = Service::start([respond(http(200, body.to_string()))]);
    let client = Client::new(&config(&service.url()));
    let options = json!({"intervalMs": 10, "maxIntervalMs": 20, "waitMs": 60_000});
    thread::scope(|scope| {
        let waiting = scope.spawn(|| client.wait(&query(), &options));
        service.wait_for_requests(2);
        set_credentials(client.key(), r#"{"clientKey":"of-noon"}"#).done();
        let asked = service.request_count();
        service.wait_for_requests(asked + 3);
        let last = service.last_request();
        assert_eq!(last.header("x-client-key").as_deref(), Some("of-noon"));
        assert_eq!(last.header("x-client-id").as_deref(), Some("client-id-1"));
        client.cancel();
        waiting.join().unwrap();
    });
}

#[test]
fn invalid_credentials_change_none() {
    let service = Service::responding(created());
    let client = Client::new(&with(&config(&service.url()), "accessToken", "before"));
    let key = client.key();
    for (credentials, code, cause, named) in table! {
        r#"{"accessToken":"good","clientId":" x"}"#, 3, "invalid_value", "clientId";
        r#"{"accessToken":"good","clientID":"x"}"#, 3, "unknown_key", "clientID";
        r#"{"accessToken":7}"#, 3, "invalid_value", "accessToken";
        "[]", 1, "not_json", "credentials";
        r#"{"accessToken":"a","accessToken":"b"}"#, 1, "duplicate_key", "credentials";
    } {
        let reply = set_credentials(key, credentials);
        reply.is(code).says(named);
        assert_eq!(reply.error()["cause"], cause, "{credentials}");
        assert!(!reply.text().contains("good"), "{}", reply.text());
    }
    set_credentials(key, "{}").is(0);
    set_credentials(0, "{}").is(2);
    client.create(&order()).done();
    let sent = service.last_request().header("access-token");
    assert_eq!(sent.as_deref(), Some("before"));
}
