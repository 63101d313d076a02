//! Options, queries and clients with which nothing is sent.

use super::{eagerly, is_final, paid};
use serde_json::{Value, json};
use support::abi::{self, Client, Token};
use support::orders::{config, query, with, without};
use support::rows::Rows;
use support::service::Service;
use support::table;

const INVALID_ARGUMENT: i32 = 1;

#[test]
fn an_invalid_query_is_refused_and_nothing_is_sent() {
    let service = Service::start([paid()]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    for (query, code) in [
        ("{}", 4),
        ("{\"orderId\":\" \"}", 4),
        ("{\"orderId\":\"O\",\"orderID\":\"O\"}", 4),
    ] {
        let reply = abi::wait_for_payment(client.key(), query, None);
        rows.code(query, &reply, code);
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn nothing_is_sent_without_a_credential() {
    let service = Service::start([paid()]);
    for key in ["clientKey", "clientId", "secretKey"] {
        let poor = Client::new(&without(&config(&service.url()), key));
        let reply = poor.wait(&query(), &eagerly());
        reply.is(5);
        assert_eq!(reply.error()["outcome"], "not_sent");
    }
    assert_eq!(service.connections(), 0, "nothing was sent");
    let poor = Client::new(&without(&config(&service.url()), "secretKey"));
    is_final(
        &poor.wait(&query(), &with(&eagerly(), "secretKey", "from-the-call")),
        1,
        "Completed",
    );
    let sent = service.last_request().header("x-secret-key");
    assert_eq!(sent.as_deref(), Some("from-the-call"));
}

#[test]
fn a_wait_that_fails_before_it_asks_still_says_what_to_ask() {
    let service = Service::start([paid()]);
    let client = Client::new(&config(&service.url()));
    let poor = Client::new(&without(&config(&service.url()), "secretKey"));
    let freed = Client::new(&config(&service.url())).key();
    let token = Token::new();
    let gone = token.text().to_owned();
    drop(token);

    let asked = query();
    let expected = json!({"searchType": "1", "orderId": asked["orderId"]});
    let wait = |key, options: &str| abi::wait_for_payment(key, &asked.to_string(), Some(options));
    let mut rows = Rows::new();
    for (row, code, reply) in table! {
        "a broken option", 1, wait(client.key(), "{\"waitMs\":0}");
        "an unknown option", 1, wait(client.key(), "{\"x\":1}");
        "options that are not JSON", 1, wait(client.key(), "{");
        "a freed token", 2, wait(client.key(), &json!({"cancellation": gone}).to_string());
        "a forged token", 2, wait(client.key(), "{\"cancellation\":\"x\"}");
        "a freed client", 2, wait(freed, "{}");
        "no client", 2, wait(0, "{}");
        "no secret key", 5, wait(poor.key(), "{}");
    } {
        rows.same(row, reply.code, code);
        rows.same(row, &reply.error()["statusQuery"], &expected);
    }
    let (query, latin) = (
        abi::c(asked.to_string()),
        abi::c(b"{\"x\":\"\xe9\"}".to_vec()),
    );
    let handle = std::ptr::without_provenance_mut(client.key());
    // SAFETY: both are strings, and `out` is a place for an answer.
    let reply = abi::call(|out| unsafe {
        abi::payorder_wait_for_payment(handle, query.as_ptr(), latin.as_ptr(), out)
    });
    rows.same("options in Latin-1", reply.code, INVALID_ARGUMENT);
    rows.same(
        "options in Latin-1",
        &reply.error()["statusQuery"],
        &expected,
    );
    for (row, query) in [("no query", "{}"), ("a broken query", "{")] {
        for key in [client.key(), freed] {
            let reply = abi::wait_for_payment(key, query, None);
            rows.same(row, &reply.error()["statusQuery"], &Value::Null);
        }
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was asked");
}
