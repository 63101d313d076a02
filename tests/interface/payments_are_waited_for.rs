//! A wait polls at growing intervals, until its time is up. The conformance suite has how a wait ends:
//! paid, also after temporary failures, final, timed out, refused, cancelled.

use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::abi::{self, Client, Reply, Token};
use support::log::Log;
use support::orders::{config, query, with, without};
use support::responses::{completed, http, http_with, status_body};
use support::result::INVALID_HANDLE;
use support::rows::Rows;
use support::service::{Script, Service, respond, stall};
use support::table;

fn in_state(state: &str) -> Script {
    let body = status_body("ORDER-1001", &json!({"transactionStatus": state}));
    respond(http(200, body.to_string()))
}

fn paid() -> Script {
    respond(completed("ORDER-1001"))
}

fn failing(status: u16) -> Script {
    respond(http(status, ""))
}

/// Polls often, and waits longer than any test may take.
fn eagerly() -> Value {
    json!({"waitMs": 60_000, "intervalMs": 10, "maxIntervalMs": 20})
}

#[track_caller]
fn is_final(reply: &Reply, polls: usize) {
    let wait = json!([reply["final"], reply["timedOut"], reply["polls"]]);
    assert_eq!(wait, json!([true, false, polls]), "{}", reply.text());
}

#[track_caller]
fn between(began: Instant, least: u64, most: u64) {
    let (took, limits) = (began.elapsed(), [least, most].map(Duration::from_millis));
    assert!((limits[0]..limits[1]).contains(&took), "{took:?}");
}

#[test]
fn after_the_deadline_the_last_status_is_returned() {
    let polls = [in_state("Created"), in_state("Pending"), failing(404)];
    let service = Service::start(polls);
    let client = Client::new(&config(&service.url()));
    let options = json!({"waitMs": 1700, "intervalMs": 400, "maxIntervalMs": 400});
    let began = Instant::now();
    let reply = client.wait(&query(), &options).done();
    between(began, 1700, 6000);
    assert_eq!(reply["timedOut"], true, "{}", reply.text());
    let last = &reply["status"]["data"]["transactionStatus"];
    assert_eq!(last, "Pending", "although later polls failed");
    // The deadline may come in the last poll.
    let (polls, asked) = (&reply["polls"], service.request_count());
    assert!(*polls == asked || *polls == asked + 1, "{polls}: {asked}");
    // The error of the later polls is also returned.
    assert!(["100", "200"].contains(&&*reply["error"]["result"].to_string()));
    assert_eq!(reply["error"]["statusQuery"], query());
}

#[test]
fn the_interval_between_polls_grows_up_to_a_limit() {
    let service = Service::start([in_state("Pending")]);
    let client = Client::new(&config(&service.url()));
    let options = json!({"waitMs": 5000, "intervalMs": 200, "maxIntervalMs": 500});
    client.wait(&query(), &options).done();
    let requests = service.requests();
    let pauses = requests
        .windows(2)
        .map(|pair| (pair[1].at - pair[0].at).as_secs_f64());
    let pauses: Vec<f64> = pauses.collect();
    assert!(pauses.len() > 8, "{pauses:?}");
    let wholes = [0.2, 0.3, 0.45].into_iter().chain(std::iter::repeat(0.5));
    for (pause, whole) in pauses.iter().zip(wholes) {
        let right = whole * 0.75 - 0.01..whole + 0.25;
        assert!(right.contains(pause), "{pause} of {whole}: {pauses:?}");
    }
    let bounded = &pauses[3..pauses.len() - 1];
    let most = bounded.iter().copied().fold(0.0, f64::max);
    let least = bounded.iter().copied().fold(f64::MAX, f64::min);
    assert!(
        most - least > 0.005,
        "the intervals have jitter: {pauses:?}"
    );
}

#[test]
fn each_poll_is_one_attempt_with_its_own_events() {
    let service = Service::start([failing(503), in_state("Pending"), paid()]);
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 5));
    let log = Log::of(&client);
    is_final(&client.wait(&query(), &eagerly()), 3);
    let shown = log.events().into_iter().map(|event| {
        assert_eq!(event["operation"], "wait_for_payment", "{event}");
        assert_eq!(event["orderId"], "ORDER-1001", "{event}");
        let name = event["event"].as_str().expect("a name").to_owned();
        format!("{name} {} {}", event["attempt"], event["result"])
    });
    let expected = [
        "attempt_started 1 null",
        "attempt_failed 1 203",
        "attempt_started 2 null",
        "attempt_finished 2 0",
        "attempt_started 3 null",
        "attempt_finished 3 0",
        "call_finished 3 0",
    ];
    assert_eq!(shown.collect::<Vec<_>>(), expected);
}

#[test]
fn retry_after_pauses_the_wait() {
    let later = |seconds| respond(http_with(429, &[("Retry-After", seconds)], ""));
    let service = Service::start([later("1"), paid()]);
    let client = Client::new(&config(&service.url()));
    let began = Instant::now();
    let by_transaction = json!({"transactionId": "T-900"});
    is_final(&client.wait(&by_transaction, &eagerly()), 2);
    between(began, 990, 60_000);

    service.set_script([later("3600")]);
    let began = Instant::now();
    let reply = client
        .wait(&query(), &with(&eagerly(), "waitMs", 300))
        .done();
    between(began, 300, 3000);
    let ended = json!([reply["timedOut"], reply["polls"], reply.error()["result"]]);
    assert_eq!(ended, json!([true, 1, 102]), "{}", reply.text());
}

#[test]
fn the_timeout_limits_one_poll_and_the_wait_all_of_them() {
    let service = Service::start([stall(), stall(), paid()]);
    let client = Client::new(&config(&service.url()));
    let began = Instant::now();
    is_final(
        &client.wait(&query(), &with(&eagerly(), "timeoutMs", 500)),
        3,
    );
    between(began, 1000, 10_000);

    service.set_script([stall()]);
    let began = Instant::now();
    let reply = client
        .wait(&query(), &with(&eagerly(), "waitMs", 300))
        .done();
    between(began, 300, 5000);
    assert_eq!(reply["timedOut"], true, "{}", reply.text());
    assert_eq!(reply.error()["result"], 200);
    let names_it = reply.message().contains("20000 ms");
    assert!(
        !names_it,
        "it did not use the time of a poll: {}",
        reply.message()
    );
}

#[test]
fn a_wait_continues_after_its_client_was_freed() {
    let service = Service::start([in_state("Pending"), in_state("Pending"), paid()]);
    let client = Client::new(&config(&service.url()));
    let key = client.key();
    Log::reacting(&client, move |event| {
        if event["attempt"] == 1 {
            abi::free(key);
        }
    });
    is_final(&client.wait(&query(), &eagerly()), 3);
    client.wait(&query(), &eagerly()).is(INVALID_HANDLE);
}

#[test]
fn a_wait_that_fails_before_it_asks_still_says_what_to_ask() {
    let service = Service::start([paid()]);
    let client = Client::new(&config(&service.url()));
    let poor = Client::new(&without(&config(&service.url()), "secretKey"));
    let freed = Client::new(&config(&service.url())).key();
    let stopped = Client::new(&config(&service.url()));
    abi::stop(stopped.key());
    let token = Token::new();
    let gone = token.among(&json!({})).to_string();
    drop(token);
    let asked = query().to_string();
    let wait = |key, options: &str| abi::wait_for_payment(key, &asked, Some(options));
    let (text, latin) = (abi::c(asked.as_str()), abi::c(b"{\"x\":\"\xe9\"}".to_vec()));
    let handle = std::ptr::without_provenance_mut(client.key());
    // SAFETY: both are strings, and `out` is a place for an answer.
    let in_latin = abi::call(|out| unsafe {
        abi::payorder_wait_for_payment(handle, text.as_ptr(), latin.as_ptr(), out)
    });
    let mut rows = Rows::new();
    for (row, code, reply) in table! {
        "a broken option", 1, wait(client.key(), "{\"waitMs\":0}");
        "options that are not JSON", 1, wait(client.key(), "{");
        "options in Latin-1", 1, in_latin;
        "a freed token", 2, wait(client.key(), &gone);
        "a freed client", 2, wait(freed, "{}");
        "no client", 2, wait(0, "{}");
        "a stopped client", 8, wait(stopped.key(), "{}");
        "no secret key", 5, wait(poor.key(), "{}");
    } {
        rows.code(row, &reply, code);
        rows.same(row, &reply.error()["statusQuery"], &query());
    }
    for broken in ["{}", "{\"orderId\":\"O\",\"orderID\":\"O\"}", "{"] {
        for key in [client.key(), freed] {
            let reply = abi::wait_for_payment(key, broken, None);
            rows.that(broken, reply.code != 0, || "it waits".into());
            rows.same(broken, &reply.error()["statusQuery"], &Value::Null);
        }
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was asked");
    let own = with(&eagerly(), "secretKey", "from-the-call");
    is_final(&poor.wait(&query(), &own), 1);
    let sent = service.last_request().header("x-secret-key");
    assert_eq!(sent.as_deref(), Some("from-the-call"));
}
