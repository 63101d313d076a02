//! What the service's support asks for: the request's identifier, and the response itself.

use serde_json::{Value, json};
use support::abi::{Client, Reply};
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed_body, created_body, http, http_with};
use support::result::{BAD_RESPONSE, CONNECTION_LOST, REJECTED, SERVICE_FAILED};
use support::rows::Rows;
use support::service::{Service, respond, respond_then_close};
use support::shop::{self, Shop};
use support::table;

fn request_id(reply: &Reply) -> Option<&str> {
    reply.error()["requestId"].as_str()
}

#[test]
fn the_first_header_of_the_list_is_the_request_id() {
    let (long, most) = ("x".repeat(250), "x".repeat(200));
    let long_before = "x".repeat(195);
    let across = format!("{long_before} secret-key-1");
    let cut = format!("{long_before} [red");
    type Row<'a> = (&'a [(&'a str, &'a str)], Option<&'a str>);
    let rows: [Row<'_>; 9] = table! {
        &[("CF-Ray", "7"), ("X-Amzn-Trace-Id", "Root=1-2;x"), ("Date", "now")], Some("Root=1-2;x");
        &[("Request-Id", "c"), ("x-correlation-id", "b"), ("X-REQUEST-ID", "a")], Some("a");
        &[("x-amzn-requestid", "d"), ("X-Cloud-Trace-Context", "e/1")], Some("d");
        &[("x-request-id", ""), ("cf-ray", "f")], Some("f");
        &[("x-request-id", "é"), ("request-id", "g")], Some("g");
        &[("x-request-id", &long)], Some(&most);
        &[("x-request-id", "for secret-key-1 only")], Some("for [redacted] only");
        &[("x-request-id", &across)], Some(&cut);
        &[("x-requestid", "h")], None;
    };
    let mut checked = Rows::new();
    for (headers, expected) in rows {
        let service = Service::start([respond(http_with(500, headers, "no"))]);
        let client = Client::new(&with(&config(&service.url()), "statusRetries", 0));
        let log = Log::of(&client);
        let reply = client.status(&query());
        let row = format!("{headers:.60?}");
        checked.same(&row, request_id(&reply), expected);
        let named = expected.map(|id| format!("(request id {id})"));
        checked.same(
            &row,
            named.is_some(),
            reply.message().contains("(request id "),
        );
        checked.says(&row, &reply, named.unwrap_or_default());
        for event in log.events() {
            let expected = expected.filter(|_| event["event"] != "attempt_started");
            checked.same(&row, event["requestId"].as_str(), expected);
        }
    }
    checked.end();
}

#[test]
fn every_end_of_a_call_has_the_request_id_and_no_later_call() {
    let id = ("x-request-id", "R-1");
    let shop = Shop::new();
    let refused = json!({"responseCode": "400", "responseMessage": "no"}).to_string();
    let service = Service::start([
        respond(http_with(200, &[id], created_body().to_string())),
        respond(http_with(400, &[id], &refused)),
        respond_then_close(
            b"HTTP/1.1 200 OK\r\nX-Request-Id: R-1\r\nContent-Length: 9\r\n\r\n{".into(),
        ),
        respond_then_close(Vec::new()),
        respond(http_with(200, &[id], completed_body("A").to_string())),
    ]);
    let client = shop.client(&service);
    let log = Log::of(&client);
    let ids = |replies: &[&Reply]| {
        let ids = replies
            .iter()
            .map(|reply| request_id(reply).map(str::to_owned));
        ids.collect::<Vec<_>>()
    };
    client.create(&shop::order("A")).done();
    let finished = log.events().pop().expect("an event");
    assert_eq!(
        (&finished["event"], &finished["requestId"]),
        (&json!("call_finished"), &json!("R-1"))
    );
    let refused = client.create(&shop::order("B"));
    refused.is(REJECTED);
    assert!(!refused.message().contains("R-1"), "{}", refused.message());
    let cut = client.create(&shop::order("C"));
    cut.is(CONNECTION_LOST).says("(request id R-1)");
    let lost = client.create(&shop::order("D"));
    let known = Some("R-1".to_owned());
    assert_eq!(
        ids(&[&refused, &cut, lost.is(CONNECTION_LOST)]),
        [known.clone(), known, None]
    );
    client.status(&json!({"orderId": "A"})).done();
    // Another identifier with the same status is no news.
    client.status(&json!({"orderId": "A"})).done();
    let listed = client.journal_list(&json!({"events": true})).done();
    let events = |entry: &Value| {
        let events = entry["events"].as_array().expect("events").iter();
        let shown = events.map(|event| format!("{} {}", event["event"], event["requestId"]));
        shown.collect::<Vec<_>>().join(", ")
    };
    let seen: Vec<String> = shop::listed(&listed).iter().map(events).collect();
    let attempt = r#""sending" null, "attempt" "R-1""#;
    let first = format!(r#"{attempt}, "status" "R-1""#);
    assert_eq!(
        seen,
        [
            &first,
            attempt,
            attempt,
            r#""sending" null, "attempt" null"#
        ]
    );
}

#[test]
fn unusable_responses_are_quoted_only_if_the_client_asks_for_it() {
    let page = format!(
        "<p>secret-key-1 access-token-1 access\\u002dtoken-1 {}</p>",
        "é".repeat(3000)
    );
    let quoted = page
        .replace("secret-key-1", "[redacted]")
        .replace("access-token-1", "[redacted]");
    let quoted = quoted.replace("access\\u002dtoken-1", "[redacted]");
    let quoted: String = quoted.chars().take(2000).collect();
    let refusal = json!({"responseCode": "400", "responseMessage": "no"}).to_string();
    let mut rows = Rows::new();
    for quotes in [false, true] {
        for (status, body, code, expected) in table! {
            200, &page, BAD_RESPONSE, Some(&quoted);
            502, &page, SERVICE_FAILED, Some(&quoted);
            400, &refusal, REJECTED, None;
        } {
            let (status, code): (u16, i32) = (status, code);
            let shop = Shop::new();
            let service = Service::start([respond(http(status, body))]);
            let config = with(&shop.config(&service.url()), "quoteResponses", quotes);
            let client = Client::new(&config);
            let log = Log::of(&client);
            let reply = client.create(&order());
            let row = format!("{quotes} {status}");
            rows.code(&row, &reply, code);
            let expected = expected.filter(|_| quotes).map(String::as_str);
            rows.same(&row, reply.error()["responseBody"].as_str(), expected);
            let journal = client
                .journal_list(&json!({"events": true}))
                .text()
                .to_owned();
            for text in log.texts().iter().chain([&journal]) {
                rows.holds(&row, !text.contains("<p>"), text);
            }
        }
    }
    rows.end();
}
