//! Every response of the service becomes one result, by the first rule that applies.

mod bodies;
mod http;

use serde_json::{Value, json};
use support::abi::Client;
use support::orders::{config, order, query, with};
use support::responses::http;
use support::rows::Rows;
use support::service::{Service, respond, respond_then_close, stall};
use support::table;

const OK: i32 = 0;
const REJECTED: i32 = 100;
const UNAUTHORIZED: i32 = 101;
const RATE_LIMITED: i32 = 102;
const BAD_RESPONSE: i32 = 202;
const SERVICE_FAILED: i32 = 203;

/// An envelope that is a success for both calls, except for its code, which is given as JSON text.
fn envelope(code: &str) -> String {
    format!(
        "{{\"responseCode\":{code},\"responseMessage\":\"Said\",\
         \"data\":{{\"url\":\"https://pay.example.com/1\",\"orderId\":\"ORDER-1001\"}}}}"
    )
}

/// The same without a checkout URL.
fn without_url(code: &str) -> String {
    envelope(code).replace("\"url\":\"https://pay.example.com/1\",", "")
}

/// Checks each row (HTTP status, body, result) with both calls.
fn both_calls_read(table: &[(u16, String, i32)]) {
    let of_each =
        |(status, body, result): &(u16, String, i32)| (*status, body.clone(), *result, *result);
    each_call_reads(&table.iter().map(of_each).collect::<Vec<_>>());
}

/// Checks each row (HTTP status, body, result of Create Order, result of Get Status).
fn each_call_reads(table: &[(u16, String, i32, i32)]) {
    let server = Service::start([stall()]);
    let client = Client::new(&config(&server.url()));
    let mut rows = Rows::new();
    for (status, body, created, asked) in table {
        server.set_script([respond(http(*status, body))]);
        let shown: String = body.chars().take(60).collect();
        for (call, reply, expected) in [
            ("create_order", client.create(&order()), created),
            ("get_status", client.status(&query()), asked),
        ] {
            let row = format!("{call}: {status} {shown}");
            rows.that(&row, reply.code == *expected, || {
                format!("expected {expected}, got {}", reply.text())
            });
        }
    }
    rows.end();
}

#[test]
fn rule_2_the_refusal_codes_are_listed() {
    let listed = [
        400, 402, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 426, 428,
        431, 451,
    ];
    let mut table = Vec::new();
    for code in 400..=499 {
        let result = match code {
            401 | 403 => UNAUTHORIZED,
            429 => RATE_LIMITED,
            code if listed.contains(&code) => REJECTED,
            _ => SERVICE_FAILED,
        };
        table.push((code, String::new(), result));
        table.push((code, "{}".into(), result));
        table.push((200, without_url(&format!("\"{code}\"")), result));
    }
    both_calls_read(&table);
}

#[test]
fn rule_2_a_refused_order_needs_an_empty_body_or_one_readable_object() {
    let mut table = Vec::new();
    let deep = format!(
        "{}{{\"a\":1,\"a\":2}}{}",
        "{\"x\":".repeat(200),
        "}".repeat(200)
    );
    for (status, result) in [
        (401, UNAUTHORIZED),
        (403, UNAUTHORIZED),
        (429, RATE_LIMITED),
        (400, REJECTED),
    ] {
        for body in [
            "",
            "{}",
            "{\"data\":null}",
            "{\"data\":{\"url\":\"\"}}",
            "{\"x\":[1e999]}",
        ] {
            table.push((status, body.into(), result, result));
        }
        for body in [
            "[]",
            "[{\"responseCode\":\"400\"}]",
            "null",
            "\"200\"",
            "200",
            " ",
            "<html>No</html>",
            "{\"responseCode\":",
            "\u{feff}{\"responseCode\":\"400\"}",
            "{\"responseCode\":\"400\"}{\"responseCode\":\"400\"}",
            "{\"responseCode\":\"400\",\"responseCode\":\"400\"}",
            "{\"error\":1,\"error\":2}",
            "{\"data\":{\"a\":1,\"a\":2}}",
            "{\"error\":{\"a\":1,\"a\":2}}",
            "{\"errors\":[{\"a\":1,\"\\u0061\":2}]}",
            "{\"data\":{\"url\":\"\",\"url\":\"\"}}",
            "{\"data\":{\"url\":\"x\"}}",
            "{\"data\":{\"url\":false}}",
            "{\"a\":1e999,\"a\":2}",
            "{\"error\":\"\\ud800\"}",
            deep.as_str(),
        ] {
            table.push((status, body.into(), BAD_RESPONSE, result));
        }
        for code in ["\"\"", "null"] {
            table.push((status, without_url(code), result, result));
            table.push((status, envelope(code), BAD_RESPONSE, result));
        }
        table.push((status, "x".repeat(3 << 20), BAD_RESPONSE, result));
        for code in ["\"200\"", "200"] {
            table.push((status, without_url(code), BAD_RESPONSE, BAD_RESPONSE));
            table.push((status, envelope(code), BAD_RESPONSE, BAD_RESPONSE));
        }
        for code in [
            "\"500\"",
            "503",
            "\"408\"",
            "409",
            "\"418\"",
            "\"499\"",
            "\"201\"",
            "\"0\"",
            "\"4000\"",
            "\"40\"",
            "\" 400\"",
            "\"400.0\"",
            "400.0",
            "\"-400\"",
            "\"0404\"",
            "\"E400\"",
            "\"FAILED\"",
            "\"٤٠٠\"",
        ] {
            table.push((status, without_url(code), SERVICE_FAILED, SERVICE_FAILED));
        }
    }
    table.push((404, without_url("404"), REJECTED, REJECTED));
    table.push((401, without_url("\"401\""), UNAUTHORIZED, UNAUTHORIZED));
    table.push((403, without_url("\"401\""), UNAUTHORIZED, UNAUTHORIZED));
    table.push((429, without_url("\"429\""), RATE_LIMITED, RATE_LIMITED));
    each_call_reads(&table);
}

#[test]
fn rule_2_a_refused_order_in_bytes_that_cannot_be_read_is_unclear() {
    let object = b"{\"responseCode\":\"400\",\"responseMessage\":\"caf\xe9\"}";
    let utf_16: Vec<u8> = "{\"responseCode\":\"400\"}"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let with_length = |headers: &str, body: &[u8]| {
        let length = body.len();
        let head = format!("HTTP/1.1 400 Bad\r\n{headers}Content-Length: {length}\r\n\r\n");
        [head.as_bytes(), body].concat()
    };
    let until_closed = |body: &str| format!("HTTP/1.1 400 Bad\r\n\r\n{body}").into_bytes();
    let gzip = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3, 0xab, 0xae, 5, 0];
    let refused = "{\"responseCode\":\"400\"}";
    let chunked = "HTTP/1.1 400 Bad\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
    let service = Service::start([stall()]);
    let client = Client::new(&with(&config(&service.url()), "maxIdleMs", 0));
    let mut rows = Rows::new();
    for (row, response, expected) in table! {
        "Latin-1", with_length("", object), BAD_RESPONSE;
        "UTF-16", with_length("", &utf_16), BAD_RESPONSE;
        "gzip", with_length("Content-Encoding: gzip\r\n", &gzip), BAD_RESPONSE;
        "cut without a length", until_closed(&refused[..9]), BAD_RESPONSE;
        "empty without a length", until_closed(""), BAD_RESPONSE;
        "whole without a length", until_closed(refused), REJECTED;
        "no chunk", chunked.into(), REJECTED;
        "a length of 0", with_length("", b""), REJECTED;
    } {
        service.set_script([respond_then_close(response)]);
        let reply = client.create(&order());
        rows.same(row, reply.code, expected);
        if expected == BAD_RESPONSE {
            rows.same(row, &reply.error()["cause"], &json!("refusal_unclear"));
            rows.same(row, &reply.error()["action"], &json!("ask_status"));
            rows.holds(row, reply.error()["statusQuery"].is_object(), reply.text());
        }
        rows.same(row, client.status(&query()).code, REJECTED);
    }
    rows.end();
}

#[test]
fn rule_5_a_usable_checkout_url_of_an_unknown_outcome_is_returned() {
    let server = Service::start([stall()]);
    let client = Client::new(&config(&server.url()));
    let url = "https://pay.example.com/1";
    let mut rows = Rows::new();
    for (status, code, cause) in [
        (409, "\"409\"", "service_error"),
        (400, "\"400\"", "refusal_unclear"),
        (422, "\"\"", "refusal_unclear"),
        (400, "\"200\"", "refusal_unclear"),
        (200, "\"400\"", "refusal_unclear"),
        (200, "\"401\"", "refusal_unclear"),
        (200, "\"409\"", "service_error"),
        (200, "\"\"", "response_code_missing"),
        (503, "\"200\"", "service_error"),
        (302, "\"200\"", "redirected"),
    ] {
        let row = format!("{status} {code}");
        let bodies = [
            (envelope(code), json!(url)),
            (without_url(code), Value::Null),
            (envelope(code).replace("https:", "http:"), Value::Null),
            (envelope(code).replace("pay.", "me@pay."), Value::Null),
        ];
        for (body, expected) in bodies {
            server.set_script([respond(http(status, &body))]);
            let reply = client.create(&order());
            rows.same(&row, &reply.error()["checkoutUrl"], &expected);
            if expected == url {
                rows.same(&row, &reply.error()["outcome"], &json!("unknown"));
                rows.same(&row, &reply.error()["cause"], &json!(cause));
            }
        }
    }
    rows.end();
}

#[test]
fn the_named_refusals_may_come_as_http_status_or_as_response_code() {
    let table = [
        (400, without_url("\"401\""), UNAUTHORIZED),
        (422, without_url("\"403\""), UNAUTHORIZED),
        (400, without_url("429"), RATE_LIMITED),
    ];
    both_calls_read(&table);
}

#[test]
fn rule_3_redirects_are_bad_responses_and_server_errors_are_failures() {
    let mut table = Vec::new();
    for status in [300, 301, 302, 303, 304, 305, 307, 308, 399, 600, 700, 999] {
        table.push((status, String::new(), BAD_RESPONSE));
        if status != 304 {
            table.push((status, envelope("\"200\""), BAD_RESPONSE));
            table.push((status, envelope("\"400\""), BAD_RESPONSE));
        }
    }
    for status in [408, 409, 500, 501, 502, 503, 504, 511, 599] {
        for body in [
            String::new(),
            "<html>".into(),
            envelope("\"200\""),
            envelope("\"401\""),
            envelope("\"500\""),
        ] {
            table.push((status, body, SERVICE_FAILED));
        }
    }
    both_calls_read(&table);
}

#[test]
fn rule_4_the_response_code_decides_a_2xx_by_its_exact_text() {
    let mut table = Vec::new();
    for status in [200, 201, 202, 203, 206, 226, 299] {
        table.push((status, envelope("\"200\""), OK));
        table.push((status, without_url("\"404\""), REJECTED));
    }
    table.push((200, envelope("200"), OK));
    for code in [
        "\"400\"", "\"402\"", "\"404\"", "\"407\"", "\"410\"", "\"451\"", "404", "422",
    ] {
        table.push((200, without_url(code), REJECTED));
    }
    for code in ["\"401\"", "\"403\"", "401", "403"] {
        table.push((200, without_url(code), UNAUTHORIZED));
    }
    for code in ["\"429\"", "429"] {
        table.push((200, without_url(code), RATE_LIMITED));
    }
    for code in [
        "\"408\"",
        "\"409\"",
        "408",
        "\"500\"",
        "\"503\"",
        "599",
        "\"201\"",
        "\"204\"",
        "\"302\"",
        "\"100\"",
        "\"0\"",
        "0",
        "\"00\"",
        "\"0200\"",
        "\"200 \"",
        "\" 200\"",
        "\"200.0\"",
        "200.0",
        "2e2",
        "2E2",
        "-200",
        "\"+200\"",
        "\"2OO\"",
        "\"２００\"",
        "\"٢٠٠\"",
        "\"0404\"",
        "\"00404\"",
        "\"4040\"",
        "\"40\"",
        "\"4\"",
        "\"404x\"",
        "\"404 \"",
        "404.0",
        "4.04e2",
        "\"４０４\"",
        "\"Success\"",
        "\"OK\"",
        "\" \"",
        "\"200\\u0000\"",
        "\"null\"",
    ] {
        table.push((200, envelope(code), SERVICE_FAILED));
    }
    for body in [
        envelope("\"\""),
        envelope("null"),
        "{}".into(),
        "{\"responseMessage\":\"Success\"}".into(),
        "{\"ResponseCode\":\"200\"}".into(),
        "{\"data\":{\"responseCode\":\"200\"}}".into(),
    ] {
        table.push((200, body, BAD_RESPONSE));
    }
    both_calls_read(&table);
}

#[test]
fn rule_7_another_orders_status_is_a_bad_response() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let by_order = json!({"orderId": "O-1"});
    let by_transaction = json!({"transactionId": "T-1"});
    let table = table! {
        &by_order, json!({"orderId": "O-1"}), OK;
        &by_order, json!({"orderId": "O-1", "transactionId": "T-7"}), OK;
        &by_order, json!({"orderId": ""}), OK;
        &by_order, json!({"orderId": null}), OK;
        &by_order, json!({"transactionId": "O-1"}), OK;
        &by_order, json!({"orderId": "O-2"}), BAD_RESPONSE;
        &by_order, json!({"orderId": "o-1"}), BAD_RESPONSE;
        &by_order, json!({"orderId": "O-1 "}), BAD_RESPONSE;
        &by_order, json!({"orderId": "O-10"}), BAD_RESPONSE;
        &by_transaction, json!({"transactionId": "T-1", "orderId": "O-5"}), OK;
        &by_transaction, json!({"transactionId": ""}), OK;
        &by_transaction, json!({"orderId": "O-5"}), OK;
        &by_transaction, json!({"transactionId": "T-2"}), BAD_RESPONSE;
        &by_transaction, json!({"transactionId": "t-1"}), BAD_RESPONSE;
    };
    let mut rows = Rows::new();
    for (query, data, expected) in table {
        let body = json!({"responseCode": "200", "responseMessage": "Success", "data": data});
        service.set_script([respond(http(200, &body.to_string()))]);
        rows.same(
            &format!("{query} answered {data}"),
            client.status(query).code,
            expected,
        );
    }
    rows.end();
}

#[test]
fn the_response_message_decides_nothing() {
    let mut table = Vec::new();
    for message in [
        "\"Failed\"",
        "\"\"",
        "null",
        "\"401\"",
        "\"Unauthorized\"",
        "17",
    ] {
        let said = format!("\"responseMessage\":{message}");
        table.push((
            200,
            envelope("\"200\"").replace("\"responseMessage\":\"Said\"", &said),
            OK,
        ));
        table.push((
            200,
            without_url("\"404\"").replace("\"responseMessage\":\"Said\"", &said),
            REJECTED,
        ));
    }
    table.push((
        200,
        envelope("\"500\"").replace("Said", "Success"),
        SERVICE_FAILED,
    ));
    table.push((
        200,
        envelope("\"200\"").replace("\"responseMessage\":\"Said\",", ""),
        OK,
    ));
    both_calls_read(&table);
}
