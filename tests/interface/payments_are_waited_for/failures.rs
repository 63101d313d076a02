//! Polls that fail, are refused, or take too long.

use super::{eagerly, in_state, is_final, paid};
use serde_json::json;
use std::time::{Duration, Instant};
use support::abi::Client;
use support::orders::{config, query, with};
use support::responses::{completed, http, http_with};
use support::rows::Rows;
use support::service::{Service, close, reset, respond, respond_then_close, stall};
use support::table;

#[test]
fn a_temporary_failure_does_not_end_the_wait() {
    let failures = table! {
        "400", respond(http(400, "{}"));
        "404", respond(http(404, ""));
        "429", respond(http(429, ""));
        "500", respond(http(500, ""));
        "503 later", respond(http_with(503, &[("Retry-After", "0")], ""));
        "responseCode 404", respond(http(200, "{\"responseCode\":\"404\"}"));
        "not JSON", respond(http(200, "x"));
        "another order's", respond(completed("ORDER-9"));
        "closed", close();
        "reset", reset();
        "half a response", respond_then_close(completed("")[..60].to_vec());
    };
    let mut rows = Rows::new();
    for (row, failure) in failures {
        // With retries there would be more than one request per poll.
        let service = Service::start([failure.clone(), failure, paid()]);
        let client = Client::new(&with(&config(&service.url()), "statusRetries", 5));
        let reply = client.wait(&query(), &eagerly());
        rows.holds(
            row,
            reply["final"] == true && reply["polls"] == 3,
            reply.text(),
        );
        rows.same(row, service.request_count(), 3);
    }
    rows.end();
}

#[test]
fn a_refused_credential_ends_the_wait_at_once() {
    let refusals = [
        http(401, ""),
        http(403, "{}"),
        http(200, "{\"responseCode\":\"401\"}"),
        http(200, "{\"responseCode\":\"403\"}"),
    ];
    let mut rows = Rows::new();
    for refusal in refusals {
        let service = Service::start([in_state("Pending"), respond(refusal.clone()), paid()]);
        let client = Client::new(&config(&service.url()));
        let reply = client.wait(&query(), &eagerly());
        let row = String::from_utf8_lossy(&refusal).into_owned();
        rows.code(&row, &reply, 101);
        rows.same(
            &row,
            &reply.error()["operation"],
            &json!("wait_for_payment"),
        );
        rows.same(&row, &reply.error()["attempts"], &json!(2));
        rows.same(&row, &reply.error()["statusQuery"], &query());
        rows.same(&row, &reply.error()["action"], &json!("ask_status"));
        let seen = &reply.error()["status"]["data"]["transactionStatus"];
        rows.same(&row, seen, &json!("Pending"));
        rows.same(&row, service.request_count(), 2);
    }
    rows.end();
}

#[test]
fn retry_after_pauses_the_wait() {
    let later = http_with(429, &[("Retry-After", "1")], "");
    let service = Service::start([respond(later.clone()), paid()]);
    let client = Client::new(&config(&service.url()));
    is_final(&client.wait(&query(), &eagerly()), 2, "Completed");
    let requests = service.requests();
    let pause = requests[1].at - requests[0].at;
    assert!(pause >= Duration::from_millis(990), "{pause:?}");

    service.set_script([respond(http_with(429, &[("Retry-After", "3600")], ""))]);
    let began = Instant::now();
    let reply = client
        .wait(&query(), &with(&eagerly(), "waitMs", 300))
        .done();
    assert!(
        (Duration::from_millis(300)..Duration::from_secs(3)).contains(&began.elapsed()),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(
        [
            &reply["timedOut"],
            &reply["polls"],
            &reply.error()["result"]
        ],
        [&json!(true), &json!(1), &json!(102)],
        "{}",
        reply.text()
    );
}

#[test]
fn the_timeout_limits_one_poll_and_the_wait_all_of_them() {
    let service = Service::start([stall(), stall(), paid()]);
    let client = Client::new(&config(&service.url()));
    let began = Instant::now();
    is_final(
        &client.wait(&query(), &with(&eagerly(), "timeoutMs", 500)),
        3,
        "Completed",
    );
    assert!(
        (Duration::from_millis(1000)..Duration::from_secs(10)).contains(&began.elapsed()),
        "{:?}",
        began.elapsed()
    );

    service.set_script([stall()]);
    let began = Instant::now();
    let reply = client
        .wait(&query(), &with(&eagerly(), "waitMs", 300))
        .done();
    assert!(
        (Duration::from_millis(300)..Duration::from_secs(5)).contains(&began.elapsed()),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(
        [&reply["timedOut"], &reply.error()["result"]],
        [&json!(true), &json!(200)],
        "{}",
        reply.text()
    );
    assert!(
        !reply.message().contains("20000 ms"),
        "the wait did not use the time of a poll: {}",
        reply.message()
    );
}
