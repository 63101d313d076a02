//! Many statuses at once: every query that was sent has its own result, even if others fail, and
//! the requested rate is kept.

#[path = "many_statuses/callbacks.rs"]
mod callbacks;
#[path = "many_statuses/pace.rs"]
mod pace;
#[path = "many_statuses/process.rs"]
mod process;
#[path = "many_statuses/streams.rs"]
mod streams;

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::time::{Duration, Instant};
use support::abi::{self, Client, Reply};
use support::orders::{config, with, without};
use support::responses::{completed, completed_body, http};
use support::result::INVALID_ARGUMENT;
use support::rows::Rows;
use support::service::{Service, close, reset, respond, respond_after, stall};

const AT_ONCE: Duration = Duration::ZERO;

fn queries(count: usize) -> Value {
    (0..count)
        .map(|number| json!({"orderId": format!("O-{number}")}))
        .collect()
}

/// A service that knows every order as paid, and answers after this time.
fn completing(delay: Duration) -> Service {
    Service::deciding(move |query| respond_after(delay, completed(&query.order_id)))
}

/// Calls get_statuses and returns the summary and each query's result. Checks that no query has two
/// results.
#[track_caller]
fn ask(client: &Client, queries: &Value, with: &Value) -> (Value, BTreeMap<usize, Reply>) {
    let (mut results, mut twice) = (BTreeMap::new(), Vec::new());
    let summary = client.statuses(queries, with, |index, reply| {
        if results.insert(index, reply).is_some() {
            twice.push(index);
        }
        true
    });
    assert!(twice.is_empty(), "got two results: {twice:?}");
    (summary.done().json, results)
}

/// The numbers of a summary: asked, ok, rejected, unknown, not sent.
fn numbers(summary: &Value) -> [u64; 5] {
    ["asked", "ok", "rejected", "unknown", "notSent"]
        .map(|key| summary[key].as_u64().expect("a number"))
}

#[test]
fn each_query_gets_the_same_result_as_from_payorder_get_status() {
    let service = Service::deciding(|query| {
        let response = match query.order_id.as_str() {
            "O-1" => http(
                404,
                "{\"responseCode\":\"404\",\"responseMessage\":\"No such order\"}",
            ),
            "O-2" => http(500, ""),
            "O-3" => completed("ANOTHER"),
            "O-4" => http(200, "x"),
            "O-5" => http(401, "{\"responseMessage\":\"client-key-1 is unknown\"}"),
            "O-6" => return close(),
            "O-7" => {
                let mut body = completed_body("O-7");
                body["data"]["transactionStatus"] = "Pending".into();
                http(200, body.to_string())
            }
            order_id => completed(order_id),
        };
        respond_after(AT_ONCE, response)
    });
    let client = Client::new(&config(&service.url()));
    let mut queries = queries(9);
    queries[8] = json!({"searchType": "2", "transactionId": "T-900"});
    let (summary, results) = ask(&client, &queries, &json!({"concurrency": 3}));
    assert_eq!(numbers(&summary), [9, 3, 2, 4, 0], "{summary}");
    assert_eq!(
        summary["transactionStatus"],
        json!({"Completed": 2, "Pending": 1})
    );
    assert_eq!(summary["stopped"], false);
    assert_eq!(summary.as_object().unwrap().len(), 8, "{summary}");
    let mut rows = Rows::new();
    for (index, got) in &results {
        let mut alone = client.status(&queries[*index]);
        let mut got = got.clone();
        for reply in [&mut alone, &mut got] {
            if let Some(error) = reply.json["error"].as_object_mut() {
                assert!(error.remove("elapsedMs").is_some());
            }
        }
        rows.same(
            &format!("query {index}"),
            (got.code, &got.json),
            (alone.code, &alone.json),
        );
    }
    rows.end();
    assert_eq!(results.len(), 9);
}

#[test]
fn the_options_of_get_status_apply_to_each_query() {
    let service = Service::start([respond(http(503, "")), respond(completed(""))]);
    let client = Client::new(&with(
        &without(&config(&service.url()), "secretKey"),
        "statusRetries",
        1,
    ));
    let (summary, _) = ask(&client, &queries(3), &json!({}));
    assert_eq!(
        numbers(&summary),
        [3, 0, 0, 0, 3],
        "without credentials nothing is sent: {summary}"
    );
    assert_eq!(service.connections(), 0);
    let (summary, results) = ask(
        &client,
        &queries(3),
        &json!({"secretKey": "of-the-call", "concurrency": 1}),
    );
    assert_eq!(numbers(&summary), [3, 3, 0, 0, 0], "{summary} {results:?}");
    assert_eq!(service.request_count(), 4, "one query was retried");
    assert!(
        service
            .requests()
            .iter()
            .all(|request| request.header("x-secret-key").as_deref() == Some("of-the-call"))
    );

    service.set_script([stall()]);
    let began = Instant::now();
    let options = json!({"secretKey": "s", "timeoutMs": 200, "concurrency": 1});
    let (summary, _) = ask(&client, &queries(3), &options);
    assert_eq!(numbers(&summary), [3, 0, 0, 3, 0], "{summary}");
    assert!(
        (Duration::from_millis(600)..Duration::from_secs(10)).contains(&began.elapsed()),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn an_invalid_query_is_its_own_result_and_the_others_are_sent() {
    let service = completing(AT_ONCE);
    let client = Client::new(&config(&service.url()));
    let long = format!("{{\"orderId\":\"{}\"}}", "x".repeat(256 * 1024));
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let broken = [
        ("null", 1),
        ("7", 1),
        ("\"O-1\"", 1),
        ("[{\"orderId\":\"O-1\"}]", 1),
        ("{\"orderId\":\"O-1\",\"orderId\":\"O-1\"}", 1),
        ("{\"orderId\":\"\\ud800\"}", 1),
        (&long, 1),
        (&deep, 1),
        ("{}", 4),
        ("{\"orderId\":\" \"}", 4),
        ("{\"orderId\":7}", 4),
        ("{\"orderId\":\"O-1\",\"amount\":\"1\"}", 4),
        ("{\"orderId\":\"O-1\",\"transactionId\":\"T\"}", 4),
        ("{\"searchType\":\"3\",\"orderId\":\"O-1\"}", 4),
    ];
    let mut texts = vec!["{\"orderId\":\"FIRST\"}"];
    texts.extend(broken.map(|(text, _)| text));
    texts.push(" {\"orderId\" :\"LAST,[]{}\\\"\" }");
    let mut results = BTreeMap::new();
    let array = format!(" \n[{}\t] ", texts.join(" ,\r\n"));
    let summary = abi::get_statuses(client.key(), &array, None, |index, reply| {
        results.insert(index, reply).is_none()
    });
    assert_eq!(numbers(&summary.done().json), [16, 2, 0, 0, 14]);
    let mut rows = Rows::new();
    for (index, (text, code)) in broken.iter().enumerate() {
        let reply = &results[&(index + 1)];
        let row: String = text.chars().take(50).collect();
        rows.holds(
            &row,
            reply.code == *code && reply.error()["outcome"] == "not_sent",
            reply.text(),
        );
        let alone = abi::get_status(client.key(), text, None);
        rows.same(
            &row,
            (reply.code, reply.message()),
            (alone.code, alone.message()),
        );
        rows.same(&row, reply.violations(), alone.violations());
    }
    rows.end();
    assert_eq!(results[&15]["data"]["orderId"], "LAST,[]{}\"");
    assert_eq!(service.request_count(), 2, "an invalid query is not sent");
}

#[test]
fn an_invalid_array_is_an_invalid_argument_and_nothing_is_sent() {
    let service = completing(AT_ONCE);
    let client = Client::new(&config(&service.url()));
    let texts = [
        "{\"orderId\":\"O\"}",
        "[{\"orderId\":\"O\"}",
        "[{\"orderId\":\"O\"},]",
        "[{\"orderId\":\"O\"} {\"orderId\":\"O\"}]",
        "[{\"orderId\":\"O\"}]]",
        "[{\"orderId\":\"O\"}] x",
        "[{orderId:\"O\"}]",
        "{\"a\":[{\"orderId\":\"O\"}]}",
        "\u{a0}[]",
    ];
    let mut rows = Rows::new();
    let mut asked = 0;
    for text in texts {
        let row: String = text.chars().take(40).collect();
        let reply = abi::get_statuses(client.key(), text, None, |_, _| {
            asked += 1;
            true
        });
        rows.code(&row, &reply, INVALID_ARGUMENT);
        rows.same(&row, &reply.error()["operation"], &json!("get_statuses"));
    }
    rows.end();
    assert_eq!(
        (asked, service.request_count()),
        (0, 0),
        "nothing is sent, and the callback is not called"
    );
    let (summary, _) = ask(&client, &json!([]), &json!({"ratePerSecond": 0.001}));
    assert_eq!(numbers(&summary), [0; 5], "no queries are fine");
    for rate in [json!(1e300), json!(u64::MAX), json!(1e-300)] {
        let (summary, _) = ask(&client, &queries(1), &json!({"ratePerSecond": rate}));
        assert_eq!(numbers(&summary), [1, 1, 0, 0, 0], "{rate}: {summary}");
    }
}

#[test]
fn a_service_that_stops_half_way_leaves_a_result_for_every_query() {
    let service = Service::start([respond_after(Duration::from_millis(5), completed(""))]);
    let client = Client::new(&config(&service.url()));
    let mut results = BTreeMap::<i32, usize>::new();
    let summary = client.statuses(&queries(300), &json!({"concurrency": 8}), |_, reply| {
        *results.entry(reply.code).or_default() += 1;
        if results.values().sum::<usize>() == 100 {
            service.set_script([reset()]);
            service.stop_listening();
        }
        true
    });
    let summary = summary.done().json;
    assert_eq!(results.values().sum::<usize>(), 300, "{results:?}");
    let [asked, ok, _, unknown, not_sent] = numbers(&summary);
    assert_eq!([asked, ok + unknown + not_sent], [300, 300], "{summary}");
    assert!(
        ok >= 100 && unknown > 0 && not_sent > 100,
        "{summary} {results:?}"
    );
    assert_eq!(summary["stopped"], false);
}

#[test]
fn long_statuses_and_those_after_the_first_thousand_are_counted_together() {
    let (longest, too_long) = ("x".repeat(64), "x".repeat(65));
    // The bucket of the long texts is there first, and takes no place of the thousand.
    let mut texts = vec![
        too_long,
        "(other)".to_owned(),
        "é".repeat(33),
        longest.clone(),
    ];
    texts.extend((1..=1000).map(|number| format!("State {number}")));
    texts.extend(["y".repeat(5000), "State 7".to_owned()]);
    let count = texts.len();
    let service = Service::deciding(move |query| {
        let mut body = completed_body(&query.order_id);
        body["data"]["transactionStatus"] = texts[query.number].as_str().into();
        respond_after(AT_ONCE, http(200, body.to_string()))
    });
    let client = Client::new(&config(&service.url()));
    // One at a time, so that the first thousand are known.
    let (summary, _) = ask(&client, &queries(count), &json!({"concurrency": 1}));
    let counts = summary["transactionStatus"].as_object().unwrap();
    assert_eq!(counts.len(), 1001, "a thousand texts, and one for the rest");
    assert_eq!(counts["(other)"], 4, "the long ones and the bucket's name");
    assert_eq!(counts[&longest], 1);
    assert_eq!(counts["State 7"], 2);
    assert_eq!(counts["State 999"], 1);
    assert_eq!(counts.get("State 1000"), None);
}
