//! A started call returns at once, and its result arrives exactly once.
//! `tests/programs/cancelled_threads.c` ends its thread.

use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use support::abi::{self, Client, Reply, Token};
use support::orders::{config, order, query, with};
use support::responses::{completed, created};
use support::result::{CANCELLED, CANCELLED_IN_FLIGHT, INVALID_HANDLE, INVALID_REQUEST};
use support::service::{Service, respond, stall};
use support::table;
use support::tls_service::TlsService;

const LONG: Duration = Duration::from_secs(60);

/// Begins a call; the receiver gets its reply.
fn started(client: &Client, operation: &str, request: &Value, with: &Value) -> Receiver<Reply> {
    let (sender, receiver) = channel();
    let options = with.to_string();
    let begun = abi::start(
        client.key(),
        operation,
        Some(&request.to_string()),
        Some(&options),
        move |reply| sender.send(reply).expect("a receiver"),
    );
    assert_eq!((begun.code, begun.text), (0, None));
    receiver
}

/// Begins a call and waits for its reply.
fn waited(client: &Client, operation: &str, request: &Value, with: &Value) -> Reply {
    let reply = started(client, operation, request, with);
    reply.recv_timeout(LONG).expect("a reply")
}

#[test]
fn its_result_is_that_of_the_blocking_function() {
    let none = json!({});
    let service = Service::start([respond(created())]);
    let client = Client::new(&config(&service.url()));
    let reply = waited(&client, "create_order", &order(), &none);
    assert_eq!(reply.text, client.create(&order()).text);
    let broken = waited(&client, "create_order", &none, &none);
    broken.is(INVALID_REQUEST);
    assert_eq!(broken.violations(), client.create(&none).violations());
    service.set_script([respond(completed("ORDER-1001"))]);
    let reply = waited(&client, "get_status", &query(), &none);
    assert_eq!(reply.text, client.status(&query()).text);
    let options = json!({"waitMs": 60_000, "final": ["Failed"]});
    let reply = waited(&client, "wait_for_payment", &query(), &options);
    assert_eq!(reply.done()["final"], true);
    // A TLS handshake fits into its stack.
    let secure = TlsService::start([respond(created())]);
    let client = Client::new(&secure.trusted_by(&config(&secure.service.url())));
    waited(&client, "create_order", &order(), &none).done();
}

#[test]
fn a_hundred_at_once_each_end_once_and_count_as_live_until_then() {
    let held = Arc::new(Mutex::new(()));
    let waits = Arc::clone(&held);
    let service = Service::deciding(move |_| {
        drop(waits.lock().unwrap());
        respond(created())
    });
    let client = Client::new(&with(&config(&service.url()), "timeoutMs", 60_000));
    let none = json!({});
    let guard = held.lock().unwrap();
    let began: Vec<_> = (0..100)
        .map(|_| started(&client, "create_order", &order(), &none))
        .collect();
    assert!(abi::payorder_live_calls() >= 100);
    drop(guard);
    for reply in &began {
        reply.recv_timeout(LONG).expect("a reply").done();
    }
    for reply in began {
        assert!(reply.recv().is_err(), "a second reply");
    }
    assert_eq!(service.request_count(), 100);
}

#[test]
fn a_token_and_the_client_end_it_and_done_may_free_and_start() {
    let service = Service::start([stall()]);
    let client = Client::new(&with(&config(&service.url()), "timeoutMs", 60_000));
    let token = Token::new();
    let by_token = started(&client, "create_order", &order(), &token.among(&json!({})));
    service.wait_for_requests(1);
    assert_eq!(token.cancel(), 0);
    let reply = by_token.recv_timeout(LONG).expect("a reply");
    reply.is(CANCELLED_IN_FLIGHT);

    let by_client = started(&client, "get_status", &query(), &json!({}));
    service.wait_for_requests(2);
    client.cancel();
    by_client
        .recv_timeout(LONG)
        .expect("a reply")
        .is(CANCELLED_IN_FLIGHT);

    // Also one whose thread has not begun yet.
    service.set_script([stall()]);
    for _ in 0..20 {
        let operations = [("create_order", order()), ("get_status", query())];
        let begun = operations.map(|(name, request)| started(&client, name, &request, &json!({})));
        client.cancel();
        for ended in begun {
            let reply = ended
                .recv_timeout(Duration::from_secs(30))
                .expect("a reply");
            assert!([8, 204].contains(&reply.code), "{}", reply.text());
        }
    }

    // A token that is freed after the start no longer matters.
    let freed = Token::new();
    service.set_script([respond(created())]);
    let goes_on = started(&client, "create_order", &order(), &freed.among(&json!({})));
    drop(freed);
    goes_on.recv_timeout(LONG).expect("a reply").done();

    let (sender, receiver) = channel();
    let key = client.key();
    let order = order().to_string();
    let again = order.clone();
    let begun = abi::start(key, "create_order", Some(&order), None, move |first| {
        let second = abi::start(key, "create_order", Some(&again), None, move |second| {
            sender.send((first.code, second.code)).expect("a receiver");
        });
        assert_eq!(second.code, 0);
        abi::free(key);
    });
    assert_eq!(begun.code, 0);
    assert_eq!(receiver.recv_timeout(LONG), Ok((0, 0)));
    std::mem::forget(client);
}

#[test]
fn what_is_wrong_is_said_at_once_and_done_never_runs() {
    let client = Client::new(&config("http://127.0.0.1:9"));
    let never = |_: Reply| panic!("done ran");
    let (order, query) = (order().to_string(), query().to_string());
    let (order, query) = (Some(order.as_str()), Some(query.as_str()));
    for (operation, request, options, code, cause) in table! {
        "createOrder", order, None, 1, "invalid_value";
        "get_statuses", query, None, 1, "invalid_value";
        "create_order", None, None, 1, "null";
        "create_order", Some("{"), None, 1, "not_json";
        "create_order", order, Some(r#"{"waitMs":1}"#), 1, "unknown_key";
        "get_status", query, Some(r#"{"resend":true}"#), 1, "unknown_key";
        "wait_for_payment", query, Some(r#"{"waitMs":0}"#), 1, "invalid_value";
        "create_order", order, Some(r#"{"resend":true}"#), 1, "no_journal";
        "get_status", query, Some(r#"{"cancellation":"x"}"#), 2, "cancellation_freed";
        "journal_resolve", None, None, 1, "no_journal";
        "journal_resolve", query, None, 1, "invalid_value";
        "check", Some("junk"), None, 1, "not_json";
        "check", Some("[]"), None, 1, "not_json";
        "check", query, None, 1, "invalid_value";
    } {
        let reply = abi::start(client.key(), operation, request, options, never);
        assert_eq!(reply.is(code).error()["cause"], cause, "{}", reply.text());
    }
    let reply = abi::start(0, "create_order", order, None, never);
    reply.is(INVALID_HANDLE);
    assert_eq!(abi::stop(client.key()), 0);
    let reply = abi::start(client.key(), "create_order", order, None, never);
    assert_eq!(reply.is(CANCELLED).error()["cause"], "client_stopped");
}
