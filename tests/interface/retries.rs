//! A call is retried only if that cannot deliver an order twice, and never after its deadline.

use serde_json::json;
use socket2::{Domain, Socket, Type};
use std::net::{SocketAddr, TcpListener};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};
use support::abi::Client;
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed, created, http, http_with};
use support::rows::Rows;
use support::service::{Service, close, reset, respond, respond_then_close};
use support::table;
use support::unreachable::refusing_url;

#[test]
fn create_order_is_retried_after_a_failed_connect_as_configured() {
    let mut rows = Rows::new();
    for retries in [0, 1, 3] {
        let client = Client::new(&with(&config(&refusing_url()), "createRetries", retries));
        let reply = client.create(&order());
        rows.same("result", reply.code, 6);
        rows.same("attempts", &reply.error()["attempts"], &json!(retries + 1));
    }
    let mut config = config(&refusing_url());
    config.as_object_mut().unwrap().remove("createRetries");
    config.as_object_mut().unwrap().remove("statusRetries");
    let client = Client::new(&config);
    rows.same(
        "one further attempt by default",
        &client.create(&order()).error()["attempts"],
        &json!(2),
    );
    rows.same(
        "two for a status",
        &client.status(&query()).error()["attempts"],
        &json!(3),
    );
    rows.end();
}

#[test]
fn create_order_succeeds_when_a_later_attempt_connects() {
    let socket = Socket::new(Domain::IPV4, Type::STREAM, None).unwrap();
    let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
    socket.bind(&any.into()).unwrap();
    let address = socket.local_addr().unwrap().as_socket().unwrap();
    let client = Client::new(&with(
        &config(&format!("http://{address}")),
        "createRetries",
        2,
    ));
    // It refuses connections until the first attempt has failed, then accepts them.
    let later: Mutex<(Option<Socket>, Option<Service>)> = Mutex::new((Some(socket), None));
    let log = Log::reacting(&client, move |event| {
        let mut later = later.lock().unwrap();
        if event["event"] == "attempt_failed"
            && let Some(socket) = later.0.take()
        {
            socket.listen(16).unwrap();
            let service = Service::on(TcpListener::from(socket), [respond(created())], None);
            later.1 = Some(service);
        }
    });
    client.create(&order()).done();
    assert_eq!(
        log.names(),
        [
            "attempt_started",
            "attempt_failed",
            "attempt_started",
            "attempt_finished",
            "call_finished"
        ]
    );
}

#[test]
fn get_status_is_retried_after_temporary_failures() {
    let reactions = table! {
        "closed", close();
        "reset", reset();
        "429", respond(http(429, ""));
        "responseCode 429", respond(http(200, "{\"responseCode\":\"429\"}"));
        "500", respond(http(500, ""));
        "503", respond(http(503, ""));
        "408", respond(http(408, ""));
        "not JSON", respond(http(200, "x"));
        "302", respond(http(302, ""));
        "half a response", respond_then_close(completed("")[..60].to_vec());
        "another order's", respond(completed("ORDER-9"));
    };
    let mut rows = Rows::new();
    for (row, reaction) in reactions {
        let service =
            Service::start([reaction.clone(), reaction, respond(completed("ORDER-1001"))]);
        let client = Client::new(&with(&config(&service.url()), "statusRetries", 2));
        let reply = client.status(&query());
        rows.code(row, &reply, 0);
        rows.same(row, service.request_count(), 3);
    }
    rows.end();
}

#[test]
fn get_status_is_not_retried_after_a_refusal() {
    let reactions = table! {
        "400", respond(http(400, "{}")), 100;
        "404", respond(http(404, "")), 100;
        "responseCode 404", respond(http(200, "{\"responseCode\":\"404\"}")), 100;
        "401", respond(http(401, "")), 101;
        "403", respond(http(403, "")), 101;
    };
    let mut rows = Rows::new();
    for (row, reaction, code) in reactions {
        let service = Service::start([reaction, respond(completed(""))]);
        let client = Client::new(&with(&config(&service.url()), "statusRetries", 5));
        let reply = client.status(&query());
        rows.same(row, reply.code, code);
        rows.same(row, service.request_count(), 1);
    }
    rows.end();
}

#[test]
fn get_status_is_retried_as_often_as_configured() {
    let mut rows = Rows::new();
    for retries in [0, 1, 4] {
        let service = Service::responding(http(503, ""));
        let client = Client::new(&with(&config(&service.url()), "statusRetries", retries));
        let reply = client.status(&query());
        rows.same("result", reply.code, 203);
        rows.same("attempts", &reply.error()["attempts"], &json!(retries + 1));
        rows.same("requests", service.request_count(), retries + 1);
    }
    rows.end();
}

#[test]
fn rule_6_once_something_was_sent_no_later_attempt_makes_it_not_sent() {
    let service = Service::start([close()]);
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 2));
    let (stop, stopped) = std::sync::mpsc::channel();
    let (go, gone) = std::sync::mpsc::channel();
    let gone = Mutex::new(gone);
    let log = Log::reacting(&client, move |event| {
        if event["event"] == "attempt_failed" && event["attempt"] == 1 {
            stop.send(()).unwrap();
            gone.lock().unwrap().recv().unwrap();
        }
    });
    let reply = std::thread::scope(|scope| {
        let call = scope.spawn(|| client.status(&query()));
        stopped.recv().unwrap();
        service.stop_listening();
        go.send(()).unwrap();
        call.join().unwrap()
    });
    let results: Vec<_> = log
        .events()
        .iter()
        .map(|event| event["result"].clone())
        .collect();
    assert!(
        results.contains(&json!(6)),
        "a later attempt was refused: {results:?}"
    );
    reply.is(201);
    assert_eq!(reply.error()["attempts"], 3);
    assert_eq!(reply.error()["outcome"], "unknown");
}

#[test]
fn the_response_to_the_last_attempt_decides() {
    let service = Service::start([
        respond(http(
            503,
            "{\"responseCode\":\"503\",\"responseMessage\":\"first\"}",
        )),
        respond(http(
            429,
            "{\"responseCode\":\"429\",\"responseMessage\":\"second\"}",
        )),
        respond(http(
            404,
            "{\"responseCode\":\"404\",\"responseMessage\":\"third\"}",
        )),
    ]);
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 5));
    let reply = client.status(&query());
    reply.is(100);
    assert_eq!(reply.error()["responseMessage"], "third");
    assert_eq!(reply.error()["attempts"], 3);
}

#[test]
fn if_no_attempt_sent_anything_the_last_one_decides() {
    // The second attempt finds a listener that closes during the handshake.
    let reserved =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    let any: std::net::SocketAddr = "127.0.0.1:0".parse().unwrap();
    reserved.bind(&any.into()).unwrap();
    let address = reserved.local_addr().unwrap().as_socket().unwrap();
    let url = format!("https://{address}");
    let client = Client::new(&with(&config(&url), "createRetries", 1));
    let listening = std::sync::Arc::new(Mutex::new(Some(reserved)));
    let log = Log::reacting(&client, move |event| {
        if event["event"] == "attempt_failed" && event["attempt"] == 1 {
            let socket = listening.lock().unwrap().take().unwrap();
            socket.listen(8).unwrap();
            let listener = std::net::TcpListener::from(socket);
            std::thread::spawn(move || drop(listener.accept()));
        }
    });
    let reply = client.create(&order());
    let causes: Vec<_> = log
        .events()
        .iter()
        .filter(|event| event["event"] == "attempt_failed")
        .map(|event| event["cause"].clone())
        .collect();
    assert_eq!(causes, ["connection_refused", "handshake_failed"]);
    assert_eq!(reply.error()["cause"], "handshake_failed");
    assert_eq!(reply.error()["outcome"], "not_sent");
}

#[test]
fn retry_after_is_obeyed_in_seconds_and_as_a_date() {
    // An HTTP date has whole seconds, so three ahead are at least two.
    let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3));
    for (status, value, least) in [(429, &*date, 1500), (503, "1", 990)] {
        let service = Service::start([
            respond(http_with(status, &[("Retry-After", value)], "")),
            respond(completed("")),
        ]);
        let client = Client::new(&with(&config(&service.url()), "statusRetries", 1));
        client.status(&query()).done();
        let requests = service.requests();
        let waited = requests[1].at - requests[0].at;
        let right = Duration::from_millis(least)..Duration::from_secs(10);
        assert!(right.contains(&waited), "{value}: {waited:?}");
    }
}

#[test]
fn a_past_or_invalid_retry_after_is_ignored() {
    let past = "Sun, 06 Nov 1994 08:49:37 GMT";
    let mut rows = Rows::new();
    for value in [
        "0",
        past,
        "",
        "soon",
        "-5",
        "1.5",
        "99999999999999999999999",
        "Sun, 99 Xxx 2026 99:99:99 GMT",
    ] {
        let service = Service::start([
            respond(http_with(503, &[("Retry-After", value)], "")),
            respond(completed("")),
        ]);
        let quick = with(&config(&service.url()), "timeoutMs", 5000);
        let client = Client::new(&with(&quick, "statusRetries", 1));
        let began = Instant::now();
        let reply = client.status(&query());
        let endless = value.len() == 23;
        rows.holds(
            value,
            reply.code == 0 || (endless && reply.code == 203),
            reply.text(),
        );
        rows.that(value, began.elapsed() < Duration::from_secs(4), || {
            format!("{:?}", began.elapsed())
        });
    }
    rows.end();
}

#[test]
fn no_wait_starts_that_would_pass_the_deadline() {
    let service = Service::start([
        respond(http_with(503, &[("Retry-After", "60")], "")),
        respond(completed("")),
    ]);
    let client = Client::new(&with(
        &with(&config(&service.url()), "timeoutMs", 10_000),
        "statusRetries",
        5,
    ));
    let began = Instant::now();
    let reply = client.status(&query());
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    reply.is(203);
    assert_eq!(reply.error()["attempts"], 1);
    assert_eq!(reply.error()["retryAfterMs"], 60_000);
    assert_eq!(service.request_count(), 1);
}

#[test]
fn a_retry_after_of_centuries_is_reported_exactly_and_ends_the_call() {
    let mut rows = Rows::new();
    // The last number that every JSON reader reads exactly is 2^53 - 1.
    for (seconds, milliseconds) in [
        ("4294967295", 4_294_967_295_000_u64),
        ("4294967296", 4_294_967_296_000),
        ("5000000000", 5_000_000_000_000),
        ("9007199254740", 9_007_199_254_740_000),
        ("9007199254741", 9_007_199_254_740_991),
        ("18446744073709551615", 9_007_199_254_740_991),
        ("18446744073709551616", 9_007_199_254_740_991),
    ] {
        let service = Service::responding(http_with(429, &[("Retry-After", seconds)], ""));
        let client = Client::new(&with(&config(&service.url()), "statusRetries", 5));
        for reply in [client.create(&order()), client.status(&query())] {
            rows.same(seconds, reply.code, 102);
            rows.same(
                seconds,
                &reply.error()["retryAfterMs"],
                &milliseconds.into(),
            );
        }
        rows.same(seconds, service.request_count(), 2);
    }
    rows.end();
}

#[test]
fn all_attempts_and_waits_end_by_the_deadline() {
    let service = Service::responding(http(503, ""));
    let client = Client::new(&with(
        &with(&config(&service.url()), "timeoutMs", 1500),
        "statusRetries",
        10,
    ));
    let began = Instant::now();
    let reply = client.status(&query());
    // Wine is slow: the deadline may come in the last attempt.
    let expected: &[i32] = if cfg!(windows) { &[203, 200] } else { &[203] };
    assert!(expected.contains(&reply.code), "{}", reply.text());
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
    assert!(service.request_count() < 11);
    assert_eq!(reply.error()["attempts"], service.request_count());
}
