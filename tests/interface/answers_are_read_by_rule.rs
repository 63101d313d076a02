//! Every response of the service becomes one result, by the first rule that applies.

mod bodies;
mod http;

use crate::support::abi::Client;
use crate::support::orders::{config, order, query};
use crate::support::responses::http;
use crate::support::rows::Rows;
use crate::support::service::{Reaction, Service};
use httpmock::Method::POST;
use httpmock::MockServer;
use serde_json::json;

const OK: i32 = 0;
const REJECTED: i32 = 100;
const UNAUTHORIZED: i32 = 101;
const RATE_LIMITED: i32 = 102;
const CONNECTION_LOST: i32 = 201;
const BAD_RESPONSE: i32 = 202;
const SERVICE_FAILED: i32 = 203;

/// An envelope that is a success for both calls, except for its code, which is given as JSON text.
fn envelope(code: &str) -> String {
    format!(
        "{{\"responseCode\":{code},\"responseMessage\":\"Said\",\
         \"data\":{{\"url\":\"https://pay.example.com/1\",\"orderId\":\"ORDER-1001\"}}}}"
    )
}

/// Checks each row (HTTP status, body, result) with both calls, against an HTTP server that is not
/// our own.
fn both_calls_read(table: &[(u16, String, i32)]) {
    let server = MockServer::start();
    let mut rows = Rows::new();
    for (number, (status, body, expected)) in table.iter().enumerate() {
        server.mock(|when, then| {
            when.method(POST).path_prefix(format!("/row{number}/"));
            then.status(*status)
                .header("Content-Type", "application/json")
                .body(body);
        });
        let client = Client::new(&config(&server.url(format!("/row{number}"))));
        let shown: String = body.chars().take(60).collect();
        for (call, reply) in [
            ("create_order", client.create(&order())),
            ("get_status", client.status(&query())),
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
fn rule_2_a_4xx_is_a_refusal_unless_its_envelope_says_otherwise() {
    let mut table = Vec::new();
    for status in [400, 402, 404, 405, 410, 418, 422, 451, 499] {
        table.push((status, String::new(), REJECTED));
        table.push((status, envelope("\"400\""), REJECTED));
    }
    for (status, result) in [
        (401, UNAUTHORIZED),
        (403, UNAUTHORIZED),
        (429, RATE_LIMITED),
        (400, REJECTED),
    ] {
        for body in [
            "",
            "{}",
            "[]",
            "null",
            "\"200\"",
            "200",
            "<html>No</html>",
            "{\"responseCode\":",
            "{\"data\":null}",
        ] {
            table.push((status, body.into(), result));
        }
        table.push((status, envelope("\"\""), result));
        table.push((status, envelope("null"), result));
        table.push((status, "x".repeat(3 << 20), result));
        table.push((status, envelope("\"200\""), BAD_RESPONSE));
        table.push((status, envelope("200"), BAD_RESPONSE));
        for code in [
            "\"500\"",
            "503",
            "\"408\"",
            "409",
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
            table.push((status, envelope(code), SERVICE_FAILED));
        }
    }
    table.push((404, envelope("404"), REJECTED));
    table.push((401, envelope("\"401\""), UNAUTHORIZED));
    table.push((403, envelope("\"401\""), UNAUTHORIZED));
    table.push((429, envelope("\"429\""), RATE_LIMITED));
    both_calls_read(&table);
}

#[test]
fn the_named_refusals_may_come_as_http_status_or_as_response_code() {
    let table = [
        (400, envelope("\"401\""), UNAUTHORIZED),
        (422, envelope("\"403\""), UNAUTHORIZED),
        (400, envelope("429"), RATE_LIMITED),
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
        table.push((status, envelope("\"404\""), REJECTED));
    }
    table.push((200, envelope("200"), OK));
    for code in [
        "\"400\"", "\"402\"", "\"404\"", "\"407\"", "\"410\"", "\"499\"", "404", "422",
    ] {
        table.push((200, envelope(code), REJECTED));
    }
    for code in ["\"401\"", "\"403\"", "401", "403"] {
        table.push((200, envelope(code), UNAUTHORIZED));
    }
    for code in ["\"429\"", "429"] {
        table.push((200, envelope(code), RATE_LIMITED));
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
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let by_order = json!({"orderId": "O-1"});
    let by_transaction = json!({"transactionId": "T-1"});
    let table = [
        (&by_order, json!({"orderId": "O-1"}), OK),
        (
            &by_order,
            json!({"orderId": "O-1", "transactionId": "T-7"}),
            OK,
        ),
        (&by_order, json!({"orderId": ""}), OK),
        (&by_order, json!({"orderId": null}), OK),
        (&by_order, json!({"transactionId": "O-1"}), OK),
        (&by_order, json!({"orderId": "O-2"}), BAD_RESPONSE),
        (&by_order, json!({"orderId": "o-1"}), BAD_RESPONSE),
        (&by_order, json!({"orderId": "O-1 "}), BAD_RESPONSE),
        (&by_order, json!({"orderId": "O-10"}), BAD_RESPONSE),
        (
            &by_transaction,
            json!({"transactionId": "T-1", "orderId": "O-5"}),
            OK,
        ),
        (&by_transaction, json!({"transactionId": ""}), OK),
        (&by_transaction, json!({"orderId": "O-5"}), OK),
        (
            &by_transaction,
            json!({"transactionId": "T-2"}),
            BAD_RESPONSE,
        ),
        (
            &by_transaction,
            json!({"transactionId": "t-1"}),
            BAD_RESPONSE,
        ),
    ];
    let mut rows = Rows::new();
    for (query, data, expected) in table {
        let body = json!({"responseCode": "200", "responseMessage": "Success", "data": data});
        service.set_script([Reaction::Respond(http(200, &body.to_string()))]);
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
            envelope("\"404\"").replace("\"responseMessage\":\"Said\"", &said),
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
