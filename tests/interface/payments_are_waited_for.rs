//! A wait ends when the payment is final, the deadline passes or the call is cancelled. It polls at
//! growing intervals, and temporary failures do not end it.

mod cancelling;
mod failures;
mod refusals;

use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::abi::{self, Client, Reply};
use support::log::Log;
use support::orders::{config, query, with};
use support::responses::{completed, completed_body, http};
use support::service::{Script, Service, respond};

fn in_state(state: &str) -> Script {
    let mut body = completed_body("ORDER-1001");
    body["data"]["transactionStatus"] = state.into();
    respond(http(200, &body.to_string()))
}

fn paid() -> Script {
    respond(completed("ORDER-1001"))
}

/// Polls often, and waits longer than any test may take.
fn eagerly() -> Value {
    json!({"waitMs": 60_000, "intervalMs": 10, "maxIntervalMs": 20})
}

#[track_caller]
fn is_final(reply: &Reply, polls: usize, state: &str) {
    reply.is(0);
    let wait = json!([
        reply["final"],
        reply["timedOut"],
        reply["polls"],
        reply["status"]["data"]["transactionStatus"]
    ]);
    assert_eq!(wait, json!([true, false, polls, state]), "{}", reply.text());
}

#[test]
fn a_completed_payment_is_returned_at_once() {
    let service = Service::start([paid()]);
    let client = Client::new(&config(&service.url()));
    let began = Instant::now();
    let reply = abi::wait_for_payment(client.key(), &query().to_string(), None);
    is_final(&reply, 1, "Completed");
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(
        reply["status"],
        client.status(&query()).done().json,
        "the status is the result of payorder_get_status"
    );
    assert_eq!(reply.json.as_object().unwrap().len(), 4, "{}", reply.text());
    let by_transaction = client.wait(&json!({"transactionId": "T-900"}), &json!({}));
    is_final(&by_transaction, 1, "Completed");
    assert_eq!(
        service.last_request().body,
        "{\"searchType\":\"2\",\"orderId\":\"\",\"transactionId\":\"T-900\"}"
    );
}

#[test]
fn a_payment_is_polled_until_it_is_completed() {
    let service = Service::start([
        in_state("Pending"),
        in_state(""),
        in_state("completed"),
        in_state("Completed "),
        paid(),
    ]);
    let client = Client::new(&config(&service.url()));
    is_final(&client.wait(&query(), &eagerly()), 5, "Completed");
    assert_eq!(service.request_count(), 5);
}

#[test]
fn after_the_deadline_the_last_status_is_returned() {
    let service = Service::start([
        in_state("Created"),
        in_state("Pending"),
        respond(http(404, "{}")),
    ]);
    let client = Client::new(&config(&service.url()));
    // The deadline comes long after one query and long before the next.
    let options = json!({"waitMs": 1700, "intervalMs": 400, "maxIntervalMs": 400});
    let began = Instant::now();
    let reply = client.wait(&query(), &options).done();
    let took = began.elapsed();
    assert!(
        (Duration::from_millis(1700)..Duration::from_secs(6)).contains(&took),
        "{took:?}"
    );
    assert_eq!(
        [&reply["final"], &reply["timedOut"]],
        [&json!(false), &json!(true)],
        "{}",
        reply.text()
    );
    assert_eq!(
        reply["status"]["data"]["transactionStatus"], "Pending",
        "the last status is returned, although later polls failed"
    );
    assert_eq!(reply["polls"], service.request_count());
    assert_eq!(
        (&reply["error"]["result"], &reply["error"]["statusQuery"]),
        (&json!(100), &query()),
        "the error of the later polls is also returned"
    );
}

#[test]
fn the_interval_between_polls_grows_up_to_a_limit() {
    let service = Service::start([in_state("Pending")]);
    let client = Client::new(&config(&service.url()));
    let options = json!({"waitMs": 5000, "intervalMs": 200, "maxIntervalMs": 500});
    client.wait(&query(), &options).done();
    let arrivals: Vec<Instant> = service
        .requests()
        .iter()
        .map(|request| request.at)
        .collect();
    let pauses: Vec<f64> = arrivals
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).as_secs_f64())
        .collect();
    assert!(pauses.len() > 8, "{pauses:?}");
    for (pause, whole) in pauses
        .iter()
        .zip([0.2, 0.3, 0.45].into_iter().chain(std::iter::repeat(0.5)))
    {
        assert!(
            (whole * 0.75 - 0.01..whole + 0.25).contains(pause),
            "{pause} of {whole}: {pauses:?}"
        );
    }
    let bounded = &pauses[3..pauses.len() - 1];
    let (least, most) = bounded
        .iter()
        .fold((f64::MAX, 0.0_f64), |(least, most), pause| {
            (least.min(*pause), most.max(*pause))
        });
    assert!(
        most - least > 0.005,
        "the intervals have jitter: {pauses:?}"
    );
}

#[test]
fn each_poll_is_one_attempt_with_its_own_events() {
    let service = Service::start([respond(http(503, "")), in_state("Pending"), paid()]);
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 5));
    let log = Log::of(&client);
    is_final(&client.wait(&query(), &eagerly()), 3, "Completed");
    assert_eq!(
        log.names(),
        [
            "attempt_started",
            "attempt_failed",
            "attempt_started",
            "attempt_finished",
            "attempt_started",
            "attempt_finished",
            "call_finished"
        ]
    );
    let events = log.events();
    assert!(
        events
            .iter()
            .all(|event| event["operation"] == "wait_for_payment"
                && event["orderId"] == "ORDER-1001"),
        "{events:?}"
    );
    let numbers: Vec<&Value> = events
        .iter()
        .filter(|event| event["event"] == "attempt_started")
        .map(|event| &event["attempt"])
        .collect();
    assert_eq!(numbers, [1, 2, 3]);
    assert_eq!(
        [
            &events[1]["result"],
            &events[1]["httpStatus"],
            &events[3]["result"]
        ],
        [203, 503, 0]
    );
}
