//! Replaced credentials are used by every attempt that begins later. The conformance suite has
//! those of later calls.

use serde_json::json;

use support::abi::{Client, set_credentials};
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed, created, http};
use support::result::{DONE, INVALID_HANDLE, UNAUTHORIZED};
use support::service::{Service, respond};
use support::table;

/// The log function gets new ones when a query was refused.
#[test]
fn a_wait_ends_when_a_query_is_unauthorized_unless_they_were_replaced_since_it_began() {
    let unauthorized = || respond(http(401, ""));
    let service = Service::start([unauthorized(), respond(completed("ORDER-1001"))]);
    let client = Client::new(&config(&service.url()));
    let options = json!({"intervalMs": 10, "waitMs": 60_000});
    let waits_again = |key: &str| {
        set_credentials(client.key(), &json!({"clientKey": key}).to_string()).done();
        client.wait(&query(), &options)
    };
    client.wait(&query(), &options).is(UNAUTHORIZED);
    assert_eq!(waits_again("second").done()["final"], true);
    // Replaced before the query.
    service.set_script([unauthorized()]);
    waits_again("third").is(UNAUTHORIZED);
    assert_eq!(service.request_count(), 3);

    service.set_script([unauthorized(), respond(completed("ORDER-1001"))]);
    let key = client.key();
    let _log = Log::reacting(&client, move |event| {
        if event["event"] == "attempt_failed" && event["result"] == 101 {
            set_credentials(key, r#"{"clientKey":"fourth"}"#).done();
        }
    });
    let waited = client.wait(&query(), &options).done();
    assert_eq!(
        (&waited["final"], &waited["polls"]),
        (&json!(true), &json!(2))
    );
    // The next query has them, with the others as they were.
    let sent = service.last_request();
    assert_eq!(sent.header("x-client-key").as_deref(), Some("fourth"));
    assert_eq!(sent.header("x-client-id").as_deref(), Some("client-id-1"));
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
    set_credentials(key, "{}").is(DONE);
    set_credentials(0, "{}").is(INVALID_HANDLE);
    client.create(&order()).done();
    let sent = service.last_request().header("access-token");
    assert_eq!(sent.as_deref(), Some("before"));
}
