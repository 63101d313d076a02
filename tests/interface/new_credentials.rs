//! Replaced credentials are used by every attempt that begins later.

use std::thread;

use serde_json::json;

use support::abi::{self, Client, set_credentials};
use support::orders::{config, order, query};
use support::responses::{completed_body, created, http};
use support::service::{Service, respond};
use support::table;

#[test]
fn later_calls_use_the_credentials_that_were_given_and_keep_the_others() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    client.create(&order()).done();
    let before = service.last_request().header("access-token");
    let reply = set_credentials(client.key(), r#"{"accessToken":"new-token"}"#);
    assert_eq!((reply.code, reply.text), (0, None));
    client.create(&order()).done();
    let after = service.last_request().header("access-token");
    assert!(before != after);
    assert_eq!(after.as_deref(), Some("new-token"));
    client
        .create_with(&order(), &json!({"accessToken": "of-the-call"}))
        .done();
    let own = service.last_request().header("access-token");
    assert_eq!(own.as_deref(), Some("of-the-call"));

    let service = Service::responding(support::responses::completed("ORDER-1001"));
    let client = Client::new(&config(&service.url()));
    client.status(&query()).done();
    let before = service.last_request();
    set_credentials(client.key(), r#"{"secretKey":"new-secret"}"#).done();
    client.status(&query()).done();
    let after = service.last_request();
    assert_eq!(after.header("x-secret-key").as_deref(), Some("new-secret"));
    assert_eq!(after.header("x-client-id"), before.header("x-client-id"));
}

#[test]
fn a_wait_that_runs_uses_them_for_its_next_query() {
    let mut body = completed_body("ORDER-1001");
    body["data"]["transactionStatus"] = "Pending".into();
    let pending = respond(http(200, &body.to_string()));
    let service = Service::start([pending]);
    let client = Client::new(&config(&service.url()));
    let options = json!({"intervalMs": 10, "maxIntervalMs": 20, "waitMs": 60_000});
    thread::scope(|scope| {
        let waiting = scope.spawn(|| client.wait(&query(), &options));
        service.wait_for_requests(2);
        set_credentials(client.key(), r#"{"clientKey":"of-noon"}"#).done();
        let asked = service.request_count();
        service.wait_for_requests(asked + 3);
        let last = service.last_request().header("x-client-key");
        assert_eq!(last.as_deref(), Some("of-noon"));
        client.cancel();
        waiting.join().unwrap();
    });
}

#[test]
fn invalid_credentials_change_none() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    client.create(&order()).done();
    let before = service.last_request().header("access-token");
    let key = client.key();
    for (credentials, code, cause, named) in table! {
        r#"{"accessToken":"good","clientId":" x"}"#, 3, "invalid_value", "clientId";
        r#"{"accessToken":"good","clientID":"x"}"#, 3, "unknown_key", "clientID";
        r#"{"accessToken":7}"#, 3, "invalid_value", "accessToken";
        "[]", 1, "not_json", "credentials";
        r#"{"accessToken":"a","accessToken":"b"}"#, 1, "duplicate_key", "credentials";
    } {
        let reply = set_credentials(key, credentials);
        assert_eq!(reply.code, code, "{credentials}: {}", reply.text());
        assert_eq!(reply.error()["cause"], cause, "{credentials}");
        reply.says(named);
        assert!(!reply.text().contains("good"), "{}", reply.text());
    }
    assert_eq!(set_credentials(key, "{}").code, 0);
    set_credentials(0, "{}").is(2);
    // SAFETY: NULL is refused.
    let null = abi::call(|out| unsafe {
        abi::payorder_client_set_credentials(
            std::ptr::without_provenance_mut(key),
            std::ptr::null(),
            out,
        )
    });
    null.is(1);
    client.create(&order()).done();
    assert_eq!(service.last_request().header("access-token"), before);
}
