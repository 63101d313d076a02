//! Every response of the service becomes one result, by the first rule that applies.

mod support;

use httpmock::Method::POST;
use httpmock::MockServer;
use serde_json::json;
use support::abi::Client;
use support::orders::{config, order, query, with};
use support::responses::{completed, completed_body, created, created_body, http, http_with};
use support::rows::Rows;
use support::service::{Reaction, Service};

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
fn a_response_that_is_not_a_json_object_cannot_be_used() {
    let whole = envelope("\"200\"");
    let bodies = [
        String::new(),
        " ".into(),
        "null".into(),
        "true".into(),
        "200".into(),
        "\"200\"".into(),
        "Success".into(),
        "<!doctype html><title>200 OK</title>".into(),
        format!("[{whole}]"),
        format!("{whole}{whole}"),
        format!("{whole}x"),
        whole[..whole.len() - 1].into(),
        whole[..30].into(),
        whole.replace('"', "'"),
        format!(")]}}',\n{whole}"),
        "[".repeat(100_000),
        format!(
            "{{\"responseCode\":\"200\",\"data\":{}",
            "{\"a\":".repeat(50_000)
        ),
    ];
    let table: Vec<_> = bodies
        .into_iter()
        .map(|body| (200, body, BAD_RESPONSE))
        .collect();
    both_calls_read(&table);
}

#[test]
fn a_response_in_invalid_utf_8_cannot_be_used() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let mut body = envelope("\"200\"").into_bytes();
    let at = body.iter().position(|byte| *byte == b'S').unwrap();
    body[at] = 0xff;
    let mut response =
        format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len()).into_bytes();
    response.extend(body);
    service.set_script([Reaction::Respond(response)]);
    assert_eq!(client.create(&order()).code, BAD_RESPONSE);
    assert_eq!(client.status(&query()).code, BAD_RESPONSE);
}

#[test]
fn a_response_without_a_body_cannot_be_used() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    for response in [
        "204 No Content\r\n",
        "204 No Content\r\nContent-Length: 0\r\n",
        "200 OK\r\nContent-Length: 0\r\n",
        "205 Reset\r\nContent-Length: 0\r\n",
        "304 Not Modified\r\n",
    ] {
        service.set_script([Reaction::Respond(format!("HTTP/1.1 {response}\r\n").into())]);
        rows.same(response, client.create(&order()).code, BAD_RESPONSE);
        rows.same(response, client.status(&query()).code, BAD_RESPONSE);
    }
    rows.end();
}

#[test]
fn an_interim_response_is_final_only_if_nothing_follows() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    let interim = |heads: &str, then: &[u8]| [heads.as_bytes(), then].concat();
    for heads in [
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 102 Processing\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
    ] {
        service.set_script([Reaction::Respond(interim(heads, &created()))]);
        rows.same(
            &format!("{heads:?} and a response"),
            client.create(&order()).code,
            OK,
        );
        service.set_script([Reaction::Respond(interim(heads, &http(503, "")))]);
        rows.same(
            &format!("{heads:?} and a failure"),
            client.create(&order()).code,
            SERVICE_FAILED,
        );
        service.set_script([Reaction::RespondThenClose(heads.into())]);
        let reply = client.create(&order());
        let right = [CONNECTION_LOST, BAD_RESPONSE].contains(&reply.code);
        rows.that(
            &format!("{heads:?} and the end of the connection"),
            right,
            || reply.text().to_owned(),
        );
    }
    let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
    service.set_script([Reaction::RespondThenClose(switching.into())]);
    rows.same("101", client.create(&order()).code, BAD_RESPONSE);
    rows.end();
}

#[test]
fn a_redirect_is_not_followed_and_nothing_is_sent_to_its_target() {
    let elsewhere = Service::responding(created());
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    for status in [301, 302, 303, 307, 308] {
        for location in [
            elsewhere.url(),
            format!("{}/again", service.url()),
            "/again".into(),
        ] {
            service.set_script([Reaction::Respond(http_with(
                status,
                &[("Location", &location)],
                "",
            ))]);
            let before = service.request_count();
            rows.same(
                &format!("{status} {location}"),
                client.create(&order()).code,
                BAD_RESPONSE,
            );
            rows.same(
                &format!("{status} {location}"),
                client.status(&query()).code,
                BAD_RESPONSE,
            );
            rows.same("one request per call", service.request_count() - before, 2);
        }
    }
    rows.end();
    assert_eq!(elsewhere.connections(), 0);
}

#[test]
fn a_response_is_read_up_to_its_limit() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&with(&config(&service.url()), "maxResponseBytes", 4096));
    let padded = |length: usize| {
        let body = created_body().to_string();
        format!("{body}{}", " ".repeat(length - body.len()))
    };
    let chunked = |length: usize| {
        let body = padded(length);
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        format!("{head}{length:x}\r\n{body}\r\n0\r\n\r\n").into_bytes()
    };
    let closing = |length: usize| format!("HTTP/1.1 200 OK\r\n\r\n{}", padded(length)).into_bytes();
    let mut rows = Rows::new();
    let sizes = [(4096, OK), (4097, BAD_RESPONSE), (1 << 20, BAD_RESPONSE)];
    for (length, expected) in sizes {
        let ways = [
            (
                "with a length",
                Reaction::Respond(http(200, &padded(length))),
            ),
            ("chunked", Reaction::Respond(chunked(length))),
            (
                "until the connection closes",
                Reaction::RespondThenClose(closing(length)),
            ),
        ];
        for (way, reaction) in ways {
            service.set_script([reaction]);
            rows.same(
                &format!("{length} bytes {way}"),
                client.create(&order()).code,
                expected,
            );
        }
    }
    let endless = format!(
        "HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n{}",
        padded(5000)
    );
    service.set_script([Reaction::RespondThenStall(endless.into())]);
    rows.same(
        "the first 5000 bytes of 99 GB",
        client.create(&order()).code,
        BAD_RESPONSE,
    );
    rows.end();
}

#[test]
fn the_limits_of_a_head_are_64_kib_and_128_headers() {
    let body = created_body().to_string();
    let length = format!("Content-Length: {}\r\n", body.len());
    let sized = |size: usize| {
        let (line, rest) = ("HTTP/1.1 200 OK\r\n", format!("{length}\r\n"));
        let filler = size - line.len() - rest.len() - "X: \r\n".len();
        let head = format!("{line}X: {}\r\n{rest}", "y".repeat(filler));
        assert_eq!(head.len(), size);
        head
    };
    let counted = |count: usize| {
        let others = "X: y\r\n".repeat(count - 1);
        format!("HTTP/1.1 200 OK\r\n{others}{length}\r\n")
    };
    let mut rows = Rows::new();
    for (row, head, expected) in [
        ("a head of 64 KiB", sized(65536), OK),
        ("a head of 64 KiB and one byte", sized(65537), BAD_RESPONSE),
        ("128 headers", counted(128), OK),
        ("129 headers", counted(129), BAD_RESPONSE),
    ] {
        let response = format!("{head}{body}").into_bytes();
        let half = head.len() / 2;
        let at_once = Reaction::Respond(response.clone());
        let head_alone = Reaction::RespondInParts(vec![
            response[..half].to_vec(),
            response[half..head.len()].to_vec(),
            response[head.len()..].to_vec(),
        ]);
        for (way, reaction) in [("at once", at_once), ("in parts", head_alone)] {
            let service = Service::start([reaction]);
            let reply = Client::new(&config(&service.url())).create(&order());
            rows.that(&format!("{row}, {way}"), reply.code == expected, || {
                reply.text().to_owned()
            });
        }
    }
    rows.end();
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

#[test]
fn a_response_may_use_every_framing_of_http() {
    let service = Service::start([Reaction::Stall]);
    let body = String::from_utf8(completed("ORDER-1001")).unwrap();
    let body = body.split("\r\n\r\n").nth(1).unwrap().to_owned();
    let (one, two) = body.split_at(20);
    let forms = [
        (
            "chunked",
            format!(
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{one}\r\n{:x};a=b\r\n{two}\r\n0\r\nX: y\r\n\r\n",
                one.len(),
                two.len()
            ),
        ),
        (
            "HTTP/1.0 until close",
            format!("HTTP/1.0 200 OK\r\n\r\n{body}"),
        ),
        (
            "no reason phrase",
            format!(
                "HTTP/1.1 200 \r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        ),
        (
            "no content type",
            format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        ),
        (
            "called HTML",
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        ),
        (
            "many headers",
            format!(
                "HTTP/1.1 200 OK\r\n{}Content-Length: {}\r\n\r\n{body}",
                "X-Trace: abcdefghijklmnop\r\n".repeat(60),
                body.len()
            ),
        ),
    ];
    let mut rows = Rows::new();
    for (form, response) in forms {
        service.set_script([Reaction::RespondThenClose(response.into())]);
        let reply = Client::new(&config(&service.url())).status(&query());
        rows.that(form, reply.code == OK, || reply.text().to_owned());
    }
    rows.end();
}

#[test]
fn an_envelope_with_a_field_twice_cannot_be_used() {
    let data = r#""data":{"url":"https://pay.example.com/c","orderId":"ORDER-1001"}"#;
    let code = r#""responseCode":"200""#;
    let message = r#""responseMessage":"Success""#;
    let mut rows = Rows::new();
    for (field, twice) in [
        ("none", "\"other\":1,\"other\":2"),
        ("responseCode", code),
        ("a refusing responseCode", r#""responseCode":"400""#),
        ("responseMessage", message),
        ("data", data),
        ("no data", r#""data":null"#),
    ] {
        for body in [
            format!("{{{twice},{code},{message},{data}}}"),
            format!("{{{code},{message},{data},{twice}}}"),
        ] {
            let service = Service::responding(http(200, &body));
            let client = Client::new(&config(&service.url()));
            let expected = if field == "none" { OK } else { BAD_RESPONSE };
            rows.same(field, client.create(&order()).code, expected);
            rows.same(field, client.status(&query()).code, expected);
        }
    }
    rows.end();
}

#[test]
fn a_status_with_a_field_twice_cannot_be_used() {
    let fields = [
        "orderId",
        "transactionId",
        "amount",
        "transactionStatus",
        "refundStatus",
        "payMode",
    ];
    let body = completed_body("ORDER-1001").to_string();
    let reactions = fields.map(|field| {
        let twice = body.replacen("\"data\":{", &format!("\"data\":{{\"{field}\":\"x\","), 1);
        assert_ne!(twice, body);
        Reaction::Respond(http(200, &twice))
    });
    let service = Service::start(reactions);
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 0));
    let mut rows = Rows::new();
    for field in fields {
        let reply = client.status(&query());
        rows.same(field, reply.code, BAD_RESPONSE);
        rows.same(field, &reply.error()["cause"], &json!("response_not_json"));
    }
    rows.end();
}
