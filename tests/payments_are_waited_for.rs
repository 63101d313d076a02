//! A wait ends when the payment is final, the deadline passes or the call is cancelled. It polls at
//! growing intervals, and temporary failures do not end it.

mod support;

use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};
use support::abi::{self, Client, Reply, Token};
use support::log::Log;
use support::orders::{config, query, with, without};
use support::responses::{completed, completed_body, http, http_with};
use support::rows::Rows;
use support::service::{Reaction, Service, refusing_url};

const INVALID_ARGUMENT: i32 = 1;
const CANCELLED: i32 = 8;
const CANCELLED_IN_FLIGHT: i32 = 204;

fn in_state(state: &str) -> Reaction {
    let mut body = completed_body("ORDER-1001");
    body["data"]["transactionStatus"] = state.into();
    Reaction::Respond(http(200, &body.to_string()))
}

fn paid() -> Reaction {
    Reaction::Respond(completed("ORDER-1001"))
}

/// Polls often, and waits longer than any test may take.
fn eagerly() -> Value {
    json!({"waitMs": 60_000, "intervalMs": 10, "maxIntervalMs": 20})
}

#[track_caller]
fn is_final(reply: &Reply, polls: usize, state: &str) {
    assert_eq!(reply.code, 0, "{}", reply.text());
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
fn a_status_that_the_options_call_final_ends_the_wait() {
    let service = Service::start([in_state("Pending"), in_state("failed"), in_state("Failed")]);
    let client = Client::new(&config(&service.url()));
    let options = with(&eagerly(), "final", json!(["Cancelled", "Failed"]));
    is_final(&client.wait(&query(), &options), 3, "Failed");
    service.set_script([in_state("Pending"), paid()]);
    is_final(
        &client.wait(&query(), &with(&eagerly(), "final", json!([]))),
        2,
        "Completed",
    );
}

#[test]
fn after_the_deadline_the_last_status_is_returned() {
    let service = Service::start([
        in_state("Created"),
        in_state("Pending"),
        Reaction::Respond(http(404, "{}")),
    ]);
    let client = Client::new(&config(&service.url()));
    let began = Instant::now();
    let reply = client
        .wait(&query(), &with(&eagerly(), "waitMs", 400))
        .done();
    let took = began.elapsed();
    assert!(
        (Duration::from_millis(400)..Duration::from_secs(3)).contains(&took),
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
fn without_any_status_the_last_error_is_returned() {
    let unknown = http(
        404,
        "{\"responseCode\":\"404\",\"responseMessage\":\"No such order\"}",
    );
    let service = Service::start([Reaction::Respond(http(500, "")), Reaction::Respond(unknown)]);
    let client = Client::new(&config(&service.url()));
    let reply = client
        .wait(&query(), &with(&eagerly(), "waitMs", 300))
        .done();
    assert_eq!(
        [&reply["final"], &reply["timedOut"]],
        [&json!(false), &json!(true)],
        "{}",
        reply.text()
    );
    assert!(reply["polls"].as_u64().unwrap() > 2, "{}", reply.text());
    assert_eq!(reply["status"], Value::Null);
    let error = reply.error();
    assert_eq!(
        [&error["result"], &error["name"], &error["outcome"]],
        [&json!(100), &json!("PAYORDER_REJECTED"), &json!("rejected")]
    );
    assert_eq!(
        [&error["httpStatus"], &error["responseMessage"]],
        [&json!(404), &json!("No such order")]
    );

    let nobody = Client::new(&config(&refusing_url()));
    let reply = nobody
        .wait(&query(), &with(&eagerly(), "waitMs", 100))
        .done();
    assert_eq!(reply.error()["result"], 6, "{}", reply.text());
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
    let service = Service::start([
        Reaction::Respond(http(503, "")),
        in_state("Pending"),
        paid(),
    ]);
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

#[test]
fn a_temporary_failure_does_not_end_the_wait() {
    let failures = [
        ("400", Reaction::Respond(http(400, "{}"))),
        ("404", Reaction::Respond(http(404, ""))),
        ("429", Reaction::Respond(http(429, ""))),
        ("500", Reaction::Respond(http(500, ""))),
        (
            "503 later",
            Reaction::Respond(http_with(503, &[("Retry-After", "0")], "")),
        ),
        (
            "responseCode 404",
            Reaction::Respond(http(200, "{\"responseCode\":\"404\"}")),
        ),
        ("not JSON", Reaction::Respond(http(200, "x"))),
        ("another order's", Reaction::Respond(completed("ORDER-9"))),
        ("closed", Reaction::Close),
        ("reset", Reaction::Reset),
        (
            "half a response",
            Reaction::RespondThenClose(completed("")[..60].to_vec()),
        ),
    ];
    let mut rows = Rows::new();
    for (row, failure) in failures {
        // With retries there would be more than one request per poll.
        let service = Service::start([failure.clone(), failure, paid()]);
        let client = Client::new(&with(&config(&service.url()), "statusRetries", 5));
        let reply = client.wait(&query(), &eagerly());
        rows.that(row, reply["final"] == true && reply["polls"] == 3, || {
            reply.text().to_owned()
        });
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
        let service = Service::start([
            in_state("Pending"),
            Reaction::Respond(refusal.clone()),
            paid(),
        ]);
        let client = Client::new(&config(&service.url()));
        let reply = client.wait(&query(), &eagerly());
        let row = String::from_utf8_lossy(&refusal).into_owned();
        rows.that(&row, reply.code == 101, || reply.text().to_owned());
        rows.same(
            &row,
            &reply.error()["operation"],
            &json!("wait_for_payment"),
        );
        rows.same(&row, &reply.error()["attempts"], &json!(2));
        rows.same(&row, &reply.error()["statusQuery"], &query());
        let seen = &reply.error()["status"]["data"]["transactionStatus"];
        rows.same(&row, seen, &json!("Pending"));
        rows.same(&row, service.request_count(), 2);
    }
    rows.end();
}

#[test]
fn retry_after_pauses_the_wait() {
    let later = http_with(429, &[("Retry-After", "1")], "");
    let service = Service::start([Reaction::Respond(later.clone()), paid()]);
    let client = Client::new(&config(&service.url()));
    is_final(&client.wait(&query(), &eagerly()), 2, "Completed");
    let requests = service.requests();
    let pause = requests[1].at - requests[0].at;
    assert!(pause >= Duration::from_millis(990), "{pause:?}");

    service.set_script([Reaction::Respond(http_with(
        429,
        &[("Retry-After", "3600")],
        "",
    ))]);
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
    let service = Service::start([Reaction::Stall, Reaction::Stall, paid()]);
    let client = Client::new(&config(&service.url()));
    let began = Instant::now();
    is_final(
        &client.wait(&query(), &with(&eagerly(), "timeoutMs", 200)),
        3,
        "Completed",
    );
    assert!(
        (Duration::from_millis(400)..Duration::from_secs(5)).contains(&began.elapsed()),
        "{:?}",
        began.elapsed()
    );

    service.set_script([Reaction::Stall]);
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

/// Cancels a wait when `ready` returns, and returns its reply.
fn cancelled(client: &Client, where_it_was: &str, ready: impl FnOnce()) -> Reply {
    thread::scope(|scope| {
        let options = json!({"waitMs": 60_000, "intervalMs": 30_000, "timeoutMs": 60_000});
        let waiting = scope.spawn(move || client.wait(&query(), &options));
        ready();
        let began = Instant::now();
        assert_eq!(client.cancel(), 0);
        let reply = waiting.join().unwrap();
        let took = began.elapsed();
        println!("cancelled while {where_it_was}: {took:?}");
        assert!(took < Duration::from_secs(1), "{took:?}");
        reply
    })
}

#[test]
fn cancelling_ends_a_wait_in_every_phase() {
    let service = Service::start([in_state("Pending"), Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let asleep = || {
        service.wait_for_requests(1);
        thread::sleep(Duration::from_millis(300));
    };
    let reply = cancelled(&client, "asleep", asleep);
    assert_eq!(reply.code, CANCELLED_IN_FLIGHT, "{}", reply.text());
    assert_eq!(reply.error()["operation"], "wait_for_payment");
    assert_eq!(reply.error()["statusQuery"], query());
    let seen = &reply.error()["status"]["data"]["transactionStatus"];
    assert_eq!(seen, "Pending", "{}", reply.text());
    let reply = cancelled(&client, "while waiting for the response", || {
        service.wait_for_requests(2)
    });
    assert_eq!(reply.code, CANCELLED_IN_FLIGHT, "{}", reply.text());

    let nobody = Client::new(&config(&refusing_url()));
    let log = Log::of(&nobody);
    let refused = || {
        while log.names().len() < 2 {
            thread::sleep(Duration::from_millis(2));
        }
    };
    let reply = cancelled(&nobody, "asleep, nothing sent", refused);
    assert_eq!(reply.code, CANCELLED, "{}", reply.text());
    assert_eq!(reply.error()["statusQuery"], query());
    assert_eq!(reply.error().get("status"), None, "no status was seen");

    service.set_script([paid()]);
    is_final(&client.wait(&query(), &eagerly()), 1, "Completed");
}

#[test]
fn the_log_callback_can_cancel_its_wait() {
    for (attempt, code) in [(1, CANCELLED), (2, CANCELLED_IN_FLIGHT)] {
        let service = Service::start([in_state("Pending")]);
        let client = Client::new(&config(&service.url()));
        let key = client.key();
        let log = Log::reacting(&client, move |event| {
            if event["event"] == "attempt_started" && event["attempt"] == attempt {
                assert_eq!(abi::cancel(key), 0);
            }
        });
        let reply = client.wait(&query(), &eagerly());
        assert_eq!(reply.code, code, "{}", reply.text());
        assert_eq!(
            service.request_count(),
            attempt - 1,
            "the cancelled poll was not sent"
        );
        assert_eq!(log.names().last().unwrap(), "call_finished");
    }
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
    is_final(&client.wait(&query(), &eagerly()), 3, "Completed");
    assert_eq!(
        client.wait(&query(), &eagerly()).code,
        2,
        "a freed client is invalid"
    );
}

#[test]
fn invalid_options_and_queries_are_refused_and_nothing_is_sent() {
    let service = Service::start([paid()]);
    let client = Client::new(&config(&service.url()));
    let mut broken = vec![
        json!({"final": null}),
        json!({"final": "Failed"}),
        json!({"final": {}}),
        json!({"final": [1]}),
        json!({"final": [null]}),
        json!({"final": [""]}),
        json!({"final": ["Failed", " \t"]}),
        json!({"interval": 100}),
        json!({"statusRetries": 1}),
        json!({"extraFields": {}}),
        json!({"resend": true}),
        json!({"concurrency": 1}),
        json!({"accessToken": ""}),
        json!({"timeoutMs": 0}),
        json!({"timeoutMs": 600_001}),
    ];
    for (key, least, most) in [
        ("waitMs", 1, 86_400_000),
        ("intervalMs", 10, 600_000),
        ("maxIntervalMs", 10, 600_000),
    ] {
        for value in [
            json!(least - 1),
            json!(most + 1),
            json!(-1),
            json!(100.5),
            json!("100"),
            json!(null),
            json!(true),
            json!([100]),
        ] {
            broken.push(json!({key: value}));
        }
    }
    let mut rows = Rows::new();
    for options in &broken {
        rows.same(
            &options.to_string(),
            client.wait(&query(), options).code,
            INVALID_ARGUMENT,
        );
    }
    let of_text =
        |query: &str, options: &str| abi::wait_for_payment(client.key(), query, Some(options)).code;
    let asked = query().to_string();
    for options in ["", "[]", "{", "null", "{\"waitMs\":100,\"waitMs\":100}"] {
        rows.same(options, of_text(&asked, options), INVALID_ARGUMENT);
    }
    for (query, code) in [
        ("[]", 1),
        ("", 1),
        ("{}", 4),
        ("{\"orderId\":\" \"}", 4),
        ("{\"orderId\":\"O\",\"orderID\":\"O\"}", 4),
    ] {
        rows.same(query, of_text(query, "{}"), code);
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
    let edges = json!({
        "waitMs": 86_400_000,
        "intervalMs": 600_000,
        "maxIntervalMs": 10,
        "final": ["x"],
        "accessToken": "a",
    });
    is_final(&client.wait(&query(), &edges), 1, "Completed");
    is_final(
        &client.wait(
            &query(),
            &json!({"waitMs": 60_000, "intervalMs": 10, "maxIntervalMs": 600_000}),
        ),
        1,
        "Completed",
    );
}

#[test]
fn nothing_is_sent_without_an_out_pointer_a_credential_or_a_client() {
    let service = Service::start([paid()]);
    let client = Client::new(&config(&service.url()));
    let (asked, null) = (abi::c(query().to_string()), std::ptr::null_mut());
    let handle = std::ptr::without_provenance_mut(client.key());
    // SAFETY: NULL may be passed for the options; the out pointer and the query are valid.
    let code =
        unsafe { abi::payorder_wait_for_payment(handle, asked.as_ptr(), std::ptr::null(), null) };
    assert_eq!(code, INVALID_ARGUMENT);
    // SAFETY: as above, without a query.
    let reply = abi::call(|out| unsafe {
        abi::payorder_wait_for_payment(handle, std::ptr::null(), std::ptr::null(), out)
    });
    assert_eq!(reply.code, INVALID_ARGUMENT, "{}", reply.text());
    assert_eq!(abi::wait_for_payment(0, &query().to_string(), None).code, 2);

    for key in ["clientKey", "clientId", "secretKey"] {
        let poor = Client::new(&without(&config(&service.url()), key));
        let reply = poor.wait(&query(), &eagerly());
        assert_eq!(reply.code, 5, "{}", reply.text());
        assert_eq!(reply.error()["outcome"], "not_sent");
    }
    assert_eq!(service.connections(), 0, "nothing was sent");
    let poor = Client::new(&without(&config(&service.url()), "secretKey"));
    is_final(
        &poor.wait(&query(), &with(&eagerly(), "secretKey", "from-the-call")),
        1,
        "Completed",
    );
    assert_eq!(
        service.last_request().header("x-secret-key").as_deref(),
        Some("from-the-call")
    );
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
    for (row, code, reply) in [
        ("a broken option", 1, wait(client.key(), "{\"waitMs\":0}")),
        ("an unknown option", 1, wait(client.key(), "{\"x\":1}")),
        ("options that are not JSON", 1, wait(client.key(), "{")),
        (
            "a freed token",
            2,
            wait(client.key(), &json!({"cancellation": gone}).to_string()),
        ),
        (
            "a forged token",
            2,
            wait(client.key(), "{\"cancellation\":\"x\"}"),
        ),
        ("a freed client", 2, wait(freed, "{}")),
        ("no client", 2, wait(0, "{}")),
        ("no secret key", 5, wait(poor.key(), "{}")),
    ] {
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
