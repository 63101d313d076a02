//! Every response of the service becomes one result, by the first rule that applies. `wire_faults`
//! has what is not a complete response, or not one in HTTP.

use serde_json::value::RawValue;
use serde_json::{Deserializer, Value, json};
use std::time::Instant;
use support::abi::{self, Client, Reply};
use support::orders::{config, order, query, with};
use support::responses::{completed_body, created, created_body, http};
use support::result::{BAD_RESPONSE, CONNECTION_LOST, DONE, REJECTED, SERVICE_FAILED, TIMEOUT};
use support::rows::Rows;
use support::service::{Script, Service, Step, respond, respond_then_close, stall};
use support::table;
use support::tls_service::TlsService;

/// A service, and both calls to it.
struct Calls {
    service: Service,
    client: Client,
    rows: Rows,
}

impl Calls {
    fn with(change: impl FnOnce(Value) -> Value) -> Calls {
        let service = Service::start([stall()]);
        let client = Client::new(&change(config(&service.url())));
        let rows = Rows::new();
        Calls {
            service,
            client,
            rows,
        }
    }

    fn new() -> Calls {
        Calls::with(|config| config)
    }

    fn create(&self, script: Script) -> Reply {
        self.service.set_script([script]);
        self.client.create(&order())
    }

    fn status(&self, script: Script) -> Reply {
        self.service.set_script([script]);
        self.client.status(&query())
    }

    /// Checks the results of Create Order and Get Status.
    fn give(&mut self, row: &str, script: Script, [created, asked]: [i32; 2]) {
        let row: String = row.chars().take(100).collect();
        self.rows.code(&row, &self.create(script.clone()), created);
        self.rows.code(&row, &self.status(script), asked);
    }
}

/// A success for both calls, except for its code, which is given as JSON.
fn envelope(code: &str) -> String {
    format!(
        "{{\"responseCode\":{code},\"responseMessage\":\"Said\",\
         \"data\":{{\"url\":\"https://pay.example.com/1\",\"orderId\":\"ORDER-1001\"}}}}"
    )
}

fn without_url(code: &str) -> String {
    envelope(code).replace("\"url\":\"https://pay.example.com/1\",", "")
}

/// As docs/abi.md lists the refusal codes.
fn refusal(code: u16) -> Option<i32> {
    match code {
        401 | 403 => Some(101),
        429 => Some(102),
        400..=407 | 410..=417 | 421 | 422 | 426 | 428 | 431 | 451 => Some(REJECTED),
        _ => None,
    }
}

/// What docs/abi.md says of this HTTP status and `responseCode`. Only a created order needs a
/// checkout URL, and only a refused order must not have one.
fn result(status: u16, code: &str, creates: bool, has_url: bool) -> i32 {
    let named = (code.len() == 3).then(|| refusal(code.parse().ok()?));
    let contradicts = creates && has_url;
    match (refusal(status), named.flatten(), code) {
        _ if creates && (status == 409 || code == "409") => SERVICE_FAILED,
        (Some(_), _, "200") => BAD_RESPONSE,
        (Some(_), ..) if contradicts => BAD_RESPONSE,
        (Some(refused), _, "") => refused,
        (Some(REJECTED), Some(named), _) => named,
        (Some(refused), Some(_), _) => refused,
        (Some(_), None, _) => SERVICE_FAILED,
        (None, ..) if (400..=599).contains(&status) => SERVICE_FAILED,
        (None, ..) if !(200..=299).contains(&status) => BAD_RESPONSE,
        (None, _, "200") if has_url || !creates => DONE,
        (None, _, "200" | "") => BAD_RESPONSE,
        (None, None, _) => SERVICE_FAILED,
        (None, Some(_), _) if contradicts => BAD_RESPONSE,
        (None, Some(named), _) => named,
    }
}

/// Codes as JSON. What looks like a code without being its exact text is another code.
const CODES: &str = r#"
    "200" 200 "" null "201" "204" "302" "100" "0" 0 "00" "0200" "200 " " 200" "200.0" 200.0 2e2 -200
    "+200" "2OO" "２００" "200\u0000" "499" "500" 503 "599" "0404" "4040" "40" "404x" "404 " 404.0
    4.04e2 "-400" "E400" "٤٠٠" "Success" " " "null"
"#;

#[test]
fn the_status_and_the_exact_response_code_decide() {
    let mut calls = Calls::new();
    let odd = Deserializer::from_str(CODES).into_iter::<Box<RawValue>>();
    let odd: Vec<String> = odd.map(|code| code.unwrap().get().to_owned()).collect();
    let plain = (400..=499).map(|code| format!("\"{code}\""));
    let all: Vec<String> = odd.into_iter().chain(plain).collect();
    let few = [r#""""#, r#""200""#, r#""400""#, r#""500""#].map(str::to_owned);
    let others = [201, 206, 299, 300, 308, 399, 500, 502, 599, 600, 999];
    let statuses = others
        .into_iter()
        .chain(400..=499)
        .map(|one| (one, &few[..]));
    let with_all = [200, 400, 401, 429].map(|status| (status, &all[..]));
    for (status, codes) in statuses.chain(with_all) {
        for code in codes {
            let text = match serde_json::from_str(code) {
                Ok(Value::String(text)) => text,
                _ => code.replace("null", ""),
            };
            for (body, has_url) in [(envelope(code), true), (without_url(code), false)] {
                let row = format!("HTTP {status} {body}");
                let expected = [true, false].map(|creates| result(status, &text, creates, has_url));
                calls.give(&row, respond(http(status, &body)), expected);
            }
        }
    }
    calls.rows.end();
}

/// Bodies, one to a line, that two readers could read differently or not at all, or that have a
/// checkout URL.
const UNCLEAR: &str = r#"[{"responseCode":"400"}]
null
200
<html>No</html>
{"responseCode":
{"responseCode":"400"}{"responseCode":"400"}
{"responseCode":"400","responseCode":"400"}
{"errors":[{"a":1,"\u0061":2}]}
{"data":{"a":1,"a":2}}
{"data":{"url":"","url":""}}
{"data":{"url":false}}
{"a":1e999,"a":2}
{"error":"\ud800"}"#;

#[test]
fn a_refused_order_needs_an_empty_body_or_one_readable_object() {
    let mut calls = Calls::new();
    let deep = "{\"x\":".repeat(200) + "{\"a\":1,\"a\":2}" + &"}".repeat(200);
    let (mark, long) = ("\u{feff}{\"responseCode\":\"400\"}", "x".repeat(3 << 20));
    for (status, result) in [(403, 101), (429, 102), (400, REJECTED)] {
        for body in ["", "{}", "{\"data\":{\"url\":\"\"}}", "{\"x\":[1e999]}"] {
            calls.give(body, respond(http(status, body)), [result; 2]);
        }
        for body in UNCLEAR.lines().chain([" ", mark, &deep, &long]) {
            calls.give(body, respond(http(status, body)), [BAD_RESPONSE, result]);
        }
    }
    calls.rows.end();
}

#[test]
fn a_refusal_that_is_nested_deeply_is_read_as_fast_as_others() {
    let calls = Calls::with(|config| with(&config, "maxResponseBytes", 2 << 20));
    let time = |depth: usize| {
        let zeros = "0,".repeat(500_000);
        let (start, end) = ("[".repeat(depth), "]".repeat(depth));
        let body = format!("{{\"x\":{start}{zeros}0{end}}}");
        let mut took = Vec::new();
        for _ in 0..3 {
            let began = Instant::now();
            calls.create(respond(http(400, &body))).is(REJECTED);
            took.push(began.elapsed());
        }
        took.into_iter().min().unwrap_or_default()
    };
    let (flat, deep) = (time(1), time(100));
    // Twelve times as long if each level is read once more.
    assert!(deep < 6 * flat, "{deep:?}, and {flat:?} if it is flat");
}

#[test]
fn a_refused_order_in_bytes_that_cannot_be_read_is_unclear() {
    let refused = "{\"responseCode\":\"400\"}";
    let utf_16: Vec<u8> = refused.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let sent = |headers: &str, body: &[u8]| {
        [
            format!("HTTP/1.1 400 Bad\r\n{headers}\r\n").as_bytes(),
            body,
        ]
        .concat()
    };
    let calls = Calls::with(|config| with(&config, "maxIdleMs", 0));
    let mut rows = Rows::new();
    for (row, response, expected) in table! {
        "Latin-1", sent("Content-Length: 9\r\n", b"{\"a\":\"\xe9\"}"), BAD_RESPONSE;
        "UTF-16", sent("Content-Length: 44\r\n", &utf_16), BAD_RESPONSE;
        "gzip", sent("Content-Encoding: gzip\r\nContent-Length: 4\r\n", b"\x1f\x8b\x08\0"),
            BAD_RESPONSE;
        "said to be gzip", sent("Content-Encoding: gzip\r\nContent-Length: 2\r\n", b"{}"),
            BAD_RESPONSE;
        "said to be gzip, empty", sent("Content-Encoding: gzip\r\nContent-Length: 0\r\n", b""),
            REJECTED;
        "said to be as it is", sent("Content-Encoding: Identity\r\nContent-Length: 2\r\n", b"{}"),
            REJECTED;
        "cut without a length", sent("", &refused.as_bytes()[..9]), BAD_RESPONSE;
        "empty without a length", sent("", b""), BAD_RESPONSE;
        "whole without a length", sent("", refused.as_bytes()), REJECTED;
        "no chunk", sent("Transfer-Encoding: chunked\r\n", b"0\r\n\r\n"), REJECTED;
        "a chunk, cut before the empty line after the last one",
            sent("Transfer-Encoding: chunked\r\n", b"2\r\n{}\r\n0\r\n"), BAD_RESPONSE;
        "a body behind its length", sent("Content-Length: 0\r\n", refused.as_bytes()),
            BAD_RESPONSE;
        "a second response", [sent("Content-Length: 2\r\n", b"{}"), created()].concat(),
            BAD_RESPONSE;
    } {
        let reply = calls.create(respond_then_close(response.clone()));
        rows.code(row, &reply, expected);
        if expected == BAD_RESPONSE {
            rows.same(row, &reply.error()["cause"], &json!("refusal_unclear"));
            rows.same(row, &reply.error()["action"], &json!("ask_status"));
            rows.holds(row, reply.error()["statusQuery"].is_object(), reply.text());
        }
        rows.code(row, &calls.status(respond_then_close(response)), REJECTED);
    }
    rows.end();
}

#[test]
fn a_refusal_that_is_followed_by_a_success_is_unclear_with_tls_too() {
    let mut rows = Rows::new();
    let refused = "{\"responseCode\":\"400\"}";
    for (row, status, padding) in table! {
        "400", 400, 0;
        "400 in the body", 200, 0;
        // The refusal ends where the first buffer does.
        "a full buffer", 200, 4096 - http(200, refused).len() - 2;
    } {
        let padded = refused.to_owned() + &" ".repeat(padding);
        let both = [http(status, padded), created()].concat();
        let secure = TlsService::start([respond(both.clone())]);
        let trusting = secure.trusted_by(&config(&secure.service.url()));
        let plain = Service::start([respond(both)]);
        for client in [Client::new(&config(&plain.url())), Client::new(&trusting)] {
            let reply = client.create(&order());
            rows.same(row, &reply.error()["cause"], &json!("refusal_unclear"));
        }
    }
    rows.end();
}

#[test]
fn a_usable_checkout_url_of_an_unknown_outcome_is_returned() {
    let calls = Calls::new();
    let mut rows = Rows::new();
    for (status, code, cause) in table! {
        409, "\"409\"", "order_exists";
        400, "\"400\"", "refusal_unclear";
        422, "\"\"", "refusal_unclear";
        400, "\"200\"", "refusal_unclear";
        200, "\"401\"", "refusal_unclear";
        200, "\"409\"", "order_exists";
        200, "\"\"", "response_code_missing";
        503, "\"200\"", "service_error";
        302, "\"200\"", "redirected";
    } {
        let row = format!("{status} {code}");
        let reply = calls.create(respond(http(status, envelope(code))));
        let url = json!("https://pay.example.com/1");
        rows.same(&row, &reply.error()["checkoutUrl"], &url);
        rows.same(&row, &reply.error()["outcome"], &json!("unknown"));
        rows.same(&row, &reply.error()["cause"], &json!(cause));
        for unusable in [
            without_url(code),
            envelope(code).replace("https:", "http:"),
            envelope(code).replace("pay.", "me@pay."),
        ] {
            let reply = calls.create(respond(http(status, &unusable)));
            rows.same(&row, &reply.error()["checkoutUrl"], &Value::Null);
        }
    }
    rows.end();
}

/// A customer can pay there.
#[test]
fn a_checkout_url_that_has_arrived_is_returned_however_its_response_ends() {
    let calls = Calls::with(|config| with(&config, "timeoutMs", 1000));
    let mut rows = Rows::new();
    let url = json!("https://pay.example.com/1");
    let body = envelope("\"200\"");
    let (length, chunk) = (body.len(), format!("{:x}\r\n{body}\r\n", body.len()));
    let until_close = format!("\r\n{body}");
    let too_short = format!("Content-Length: {}\r\n\r\n{body}", length + 40);
    let two_codes = too_short.replace("\"200\"", "\"200\",\"responseCode\":\"409\"");
    let chunked = |end: &str| format!("Transfer-Encoding: chunked\r\n\r\n{chunk}{end}");
    let half = &body[..length - 1];
    let cut = format!("Content-Length: {length}\r\n\r\n{half}");
    for (row, status, rest, closes, code, expected) in table! {
        "no length", 200, until_close.clone(), false, TIMEOUT, &url;
        "no length, 409", 409, until_close, false, TIMEOUT, &Value::Null;
        "too short", 200, too_short.clone(), false, TIMEOUT, &url;
        "too short, two codes", 200, two_codes, false, TIMEOUT, &Value::Null;
        "too short, closed", 200, too_short.clone(), true, CONNECTION_LOST, &url;
        "too short, 400", 400, too_short, true, CONNECTION_LOST, &url;
        "no last chunk", 200, chunked(""), true, CONNECTION_LOST, &url;
        "no end of the last chunk", 200, chunked("0\r\n"), false, TIMEOUT, &url;
        "a broken chunk", 200, chunked("x\r\n"), false, BAD_RESPONSE, &url;
        "half", 200, cut, true, CONNECTION_LOST, &Value::Null;
    } {
        let head = format!("HTTP/1.1 {status} x\r\n");
        let mut script = respond(format!("{head}{rest}").into());
        script.push(if closes { Step::Close } else { Step::Silence });
        let reply = calls.create(script);
        rows.code(row, &reply, code);
        rows.same(row, &reply.error()["checkoutUrl"], expected);
    }
    rows.end();
}

#[test]
fn a_409_to_create_order_is_a_persons_case() {
    let calls = Calls::new();
    let mut rows = Rows::new();
    for (status, body, expected) in table! {
        409, String::new(), SERVICE_FAILED;
        409, "<html>".to_owned(), SERVICE_FAILED;
        409, "{\"responseCode\":\"400\"}".to_owned(), SERVICE_FAILED;
        409, envelope("\"200\""), SERVICE_FAILED;
        200, without_url("\"409\""), SERVICE_FAILED;
        200, without_url("409"), SERVICE_FAILED;
        400, without_url("\"409\""), SERVICE_FAILED;
        401, without_url("\"409\""), SERVICE_FAILED;
        503, without_url("\"409\""), SERVICE_FAILED;
        400, envelope("\"409\""), SERVICE_FAILED;
        200, envelope("\"409\""), SERVICE_FAILED;
        302, without_url("\"409\""), SERVICE_FAILED;
        600, without_url("\"409\""), SERVICE_FAILED;
    } {
        let row = format!("{status} {body}");
        let reply = calls.create(respond(http(status, &body)));
        rows.code(&row, &reply, expected);
        let found = ["cause", "action", "outcome"].map(|key| &reply.error()[key]);
        let person = json!(["order_exists", "ask_person", "unknown"]);
        rows.same(&row, &json!(found), &person);
        rows.holds(&row, reply.error()["statusQuery"].is_object(), reply.text());
        let asked = calls.status(respond(http(status, &body)));
        rows.holds(&row, asked.error()["cause"] != "order_exists", asked.text());
    }
    for code in ["\"0409\"", "\"409 \"", "409.0"] {
        let reply = calls.create(respond(http(200, without_url(code))));
        rows.same(code, &reply.error()["cause"], &json!("service_error"));
    }
    rows.end();
}

/// In what decides nothing, damaged characters read as U+FFFD.
#[test]
fn damaged_characters_and_a_byte_order_mark_lose_no_answer() {
    let calls = Calls::new();
    let mut rows = Rows::new();
    let damaged = |body: &str, half: &str| {
        let (before, after) = body.split_once("DAMAGED").expect("a place");
        let bytes = [before.as_bytes(), b"\xff\xfe", after.as_bytes()].concat();
        [body.replace("DAMAGED", half).into_bytes(), bytes]
    };
    let status = completed_body("ORDER-1001");
    let fields = status["data"].as_object().expect("fields").keys();
    const DECIDING: &str = "orderId transactionId amount transactionStatus refundStatus refundType";
    for field in fields {
        let mut given = status.clone();
        given["data"][field] = json!("DAMAGED");
        for body in damaged(&given.to_string(), "\\ud83d") {
            let reply = calls.status(respond(http(200, &body)));
            let decides = DECIDING.split(' ').any(|name| name == field);
            rows.code(field, &reply, if decides { BAD_RESPONSE } else { DONE });
            match decides {
                true => rows.says(field, &reply, field),
                false => rows.holds(
                    field,
                    reply["data"][field]
                        .as_str()
                        .is_some_and(|text| text.contains('\u{fffd}')),
                    reply.text(),
                ),
            }
        }
    }
    let made = |code: &str, x: &str, url: &str| {
        json!({"responseCode": code, "x": x, "data": {"url": url}}).to_string()
    };
    let page = "https://pay.example.com/1";
    for body in damaged(&made("200", "DAMAGED", page), "\\uDE00") {
        let reply = calls.create(respond(http(200, &body))).done();
        rows.same("x", &reply["data"]["url"], &json!(page));
        rows.same(
            "x",
            reply["x"].as_str().map(|text| text.contains('\u{fffd}')),
            Some(true),
        );
    }
    for body in damaged(
        &made("200", "", "https://pay.example.com/DAMAGED"),
        "\\ud83d",
    ) {
        let reply = calls.create(respond(http(200, &body)));
        rows.code("data.url", &reply, BAD_RESPONSE);
        rows.says("data.url", &reply, "data.url");
        rows.same("data.url", &reply.error()["checkoutUrl"], &Value::Null);
    }
    for body in damaged(&made("2DAMAGED00", "", page), "\\ud83d") {
        rows.code(
            "responseCode",
            &calls.create(respond(http(200, &body))),
            BAD_RESPONSE,
        );
        rows.code(
            "responseCode",
            &calls.status(respond(http(200, &body))),
            BAD_RESPONSE,
        );
    }
    let marked = |body: &str| format!("\u{feff}{body}");
    let reply = calls.create(respond(http(200, marked(&envelope("\"200\"")))));
    rows.same("a mark", &reply["data"]["url"], &json!(page));
    let reply = calls.status(respond(http(200, marked(&status.to_string()))));
    rows.code("a mark", &reply, DONE);
    let reply = calls.status(respond(http(404, marked(&without_url("\"404\"")))));
    rows.same("a mark", &reply.error()["responseMessage"], &json!("Said"));
    // A refusal of an order is read strictly.
    for (status, code) in [(400, "\"400\""), (200, "\"400\"")] {
        let reply = calls.create(respond(http(status, marked(&without_url(code)))));
        rows.same("a mark", &reply.error()["cause"], &json!("refusal_unclear"));
        rows.says("a mark", &reply, "byte-order mark");
        let half = without_url(code).replace("Said", "\\ud83d");
        let reply = calls.create(respond(http(status, &half)));
        rows.same("half", &reply.error()["cause"], &json!("refusal_unclear"));
    }
    let twice = marked(&marked(&envelope("\"200\"")));
    rows.code(
        "two marks",
        &calls.create(respond(http(200, &twice))),
        BAD_RESPONSE,
    );
    // A damaged name may be the one of a field that decides.
    for (name, half) in [
        ("refundStatus", "refund\\ud83dStatus"),
        ("data", "da\\udc00ta"),
    ] {
        let body = status.to_string().replacen(name, half, 1);
        rows.code(name, &calls.status(respond(http(200, &body))), BAD_RESPONSE);
        rows.code(
            name,
            &abi::verify_payment("{\"orderId\":\"A\",\"amount\":\"1\"}", &body),
            1,
        );
    }
    let saved = marked(&status.to_string().replace("Asha Verma", "\\ud83d"));
    let expected = json!({"orderId": "ORDER-1001", "amount": "100.10"}).to_string();
    let verdict = abi::verify_payment(&expected, &saved).done();
    rows.same("saved", &verdict["paid"], &json!(true));
    let saved = saved.replace("ORDER-1001", "ORDER\\ud83d");
    rows.code("saved", &abi::verify_payment(&expected, &saved), 1);
    rows.end();
}

#[test]
fn another_orders_status_is_a_bad_response() {
    let calls = Calls::new();
    let (by_order, by_transaction) = (json!({"orderId": "O-1"}), json!({"transactionId": "T-1"}));
    let mut rows = Rows::new();
    for (query, data, expected) in table! {
        &by_order, json!({"orderId": "O-1", "transactionId": "T-7"}), DONE;
        &by_order, json!({"orderId": ""}), DONE;
        &by_order, json!({"orderId": null}), DONE;
        &by_order, json!({"transactionId": "O-1"}), DONE;
        &by_order, json!({"orderId": "o-1"}), BAD_RESPONSE;
        &by_order, json!({"orderId": "O-1 "}), BAD_RESPONSE;
        &by_order, json!({"orderId": "O-10"}), BAD_RESPONSE;
        &by_transaction, json!({"transactionId": "T-1", "orderId": "O-5"}), DONE;
        &by_transaction, json!({"orderId": "O-5"}), DONE;
        &by_transaction, json!({"transactionId": "t-1"}), BAD_RESPONSE;
    } {
        let body = json!({"responseCode": "200", "data": data}).to_string();
        calls.service.set_script([respond(http(200, &body))]);
        let row = format!("{query} answered {data}");
        rows.code(&row, &calls.client.status(query), expected);
    }
    rows.end();
}

#[test]
fn an_envelope_with_a_field_twice_cannot_be_used() {
    let mut calls = Calls::new();
    let body = envelope("\"200\"");
    for (twice, expected) in table! {
        r#""other":1,"other":2"#, DONE;
        r#""responseCode":"200""#, BAD_RESPONSE;
        r#""responseCode":"400""#, BAD_RESPONSE;
        r#""responseCode":"409""#, BAD_RESPONSE;
        r#""responseMessage":"Said""#, BAD_RESPONSE;
        r#""data":null"#, BAD_RESPONSE;
    } {
        let before = body.replacen('{', &format!("{{{twice},"), 1);
        calls.give(twice, respond(http(200, &before)), [expected; 2]);
        if expected == BAD_RESPONSE {
            let reply = calls.create(respond(http(200, &before)));
            let has_none = twice.contains("data") || twice.contains("409");
            let page = (!has_none).then_some("https://pay.example.com/1");
            calls
                .rows
                .same(twice, reply.error()["checkoutUrl"].as_str(), page);
        }
        let after = format!("{},{twice}}}", &body[..body.len() - 1]);
        calls.give(twice, respond(http(200, &after)), [expected; 2]);
    }
    let body = completed_body("ORDER-1001").to_string();
    for field in "orderId transactionId amount transactionStatus refundStatus".split(' ') {
        let twice = body.replacen("\"data\":{", &format!("\"data\":{{\"{field}\":\"x\","), 1);
        let reply = calls.status(respond(http(200, &twice)));
        calls.rows.code(field, &reply, BAD_RESPONSE);
        let cause = &reply.error()["cause"];
        calls.rows.same(field, cause, &json!("response_not_json"));
    }
    calls.rows.end();
}

#[test]
fn a_response_is_read_up_to_its_limit() {
    let calls = Calls::with(|config| with(&config, "maxResponseBytes", 4096));
    let body = created_body().to_string();
    let padded = |length: usize| body.clone() + &" ".repeat(length - body.len());
    let mut rows = Rows::new();
    for (length, expected) in [(4096, DONE), (4097, BAD_RESPONSE), (1 << 20, BAD_RESPONSE)] {
        let body = padded(length);
        let head = "HTTP/1.1 200 OK\r\n";
        let chunk = format!("{length:x}\r\n{body}\r\n0\r\n\r\n");
        let chunked = format!("{head}Transfer-Encoding: chunked\r\n\r\n{chunk}");
        let until_closed = format!("{head}\r\n{body}");
        for (way, script) in table! {
            "with a length", respond(http(200, &body));
            "chunked", respond(chunked.into());
            "until the connection closes", respond_then_close(until_closed.into());
        } {
            let row = format!("{length} bytes {way}");
            rows.code(&row, &calls.create(script), expected);
        }
    }
    let begun = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{}",
        padded(5000)
    );
    let reply = calls.create(vec![Step::Request, Step::Send(begun.into()), Step::Silence]);
    rows.code("the first 5000 bytes of 99 GB", &reply, BAD_RESPONSE);
    let reply = calls.create(respond(http(400, padded(500_000))));
    rows.code("a refusal that is too long", &reply, BAD_RESPONSE);
    rows.says("a refusal that is too long", &reply, "maxResponseBytes");
    // In 32 bits, this would be the length of the body.
    let over = (1_u64 << 32) + body.len() as u64;
    for response in [
        format!("HTTP/1.1 200 OK\r\nContent-Length: {over}\r\n\r\n{body}"),
        format!(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{over:x}\r\n{body}\r\n0\r\n\r\n"
        ),
    ] {
        let reply = calls.create(respond_then_close(response.clone().into()));
        rows.code(&response, &reply, CONNECTION_LOST);
    }
    rows.end();
}

#[test]
fn the_limits_of_a_head_are_64_kib_and_128_headers() {
    let body = created_body().to_string();
    let length = format!("Content-Length: {}\r\n\r\n", body.len());
    let line = "HTTP/1.1 200 OK\r\n";
    let sized = |size: usize| {
        let filler = size - line.len() - length.len() - "X: \r\n".len();
        format!("{line}X: {}\r\n{length}", "y".repeat(filler))
    };
    let counted = |count: usize| format!("{line}{}{length}", "X: y\r\n".repeat(count - 1));
    let calls = Calls::new();
    let mut rows = Rows::new();
    for (row, head, expected) in table! {
        "a head of 64 KiB", sized(65536), DONE;
        "a head of 64 KiB and one byte", sized(65537), BAD_RESPONSE;
        "128 headers", counted(128), DONE;
        "129 headers", counted(129), BAD_RESPONSE;
    } {
        let at_once = calls.create(respond(format!("{head}{body}").into_bytes()));
        rows.code(row, &at_once, expected);
        let (first, second) = head.split_at(head.len() / 2);
        let mut in_parts = vec![Step::Request];
        for part in [first, second, &body] {
            in_parts.extend([Step::Send(part.into()), Step::Wait(20)]);
        }
        rows.code(row, &calls.create(in_parts), expected);
    }
    rows.end();
}
