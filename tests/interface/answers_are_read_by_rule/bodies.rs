//! Bodies: JSON or not, their size, and fields that occur twice.

use super::{BAD_RESPONSE, OK};
use serde_json::json;
use support::abi::Client;
use support::orders::{config, order, query, with};
use support::responses::{completed_body, created_body, http};
use support::rows::Rows;
use support::service::{Service, Step, respond, respond_then_close, stall};

#[test]
fn a_response_is_read_up_to_its_limit() {
    let service = Service::start([stall()]);
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
            ("with a length", respond(http(200, &padded(length)))),
            ("chunked", respond(chunked(length))),
            (
                "until the connection closes",
                respond_then_close(closing(length)),
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
    service.set_script([vec![
        Step::Request,
        Step::Send(endless.into()),
        Step::Silence,
    ]]);
    rows.same(
        "the first 5000 bytes of 99 GB",
        client.create(&order()).code,
        BAD_RESPONSE,
    );
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
        respond(http(200, &twice))
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
