//! Numbers over 32 bits and long inputs mean the same on 32-bit systems as on others. Nothing is
//! cut off to a small number that would be valid.

use serde_json::{Value, json};
use support::abi::{self, Client, json_get};
use support::orders::{config, order, query, with};
use support::responses::{completed, created, created_body};
use support::rows::Rows;
use support::service::{Service, respond_then_close};

const OK: i32 = 0;
const INVALID_ARGUMENT: i32 = 1;
const INVALID_CONFIG: i32 = 3;
const INVALID_REQUEST: i32 = 4;
const CONNECTION_LOST: i32 = 201;
const OVER: u64 = 1 << 32;
const LONGEST: usize = 64 << 20;

#[test]
fn a_body_of_over_4_gib_is_not_one_of_a_few_bytes() {
    let service = Service::start([]);
    let client = Client::new(&config(&service.url()));
    let body = created_body().to_string();
    let length = OVER + body.len() as u64;
    let responses = [
        format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}"),
        format!(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n{length:x}\r\n{body}\r\n0\r\n\r\n"
        ),
    ];
    let mut rows = Rows::new();
    for response in responses {
        service.set_script([respond_then_close(response.clone().into())]);
        let reply = client.create(&order());
        rows.same(&response, reply.code, CONNECTION_LOST);
    }
    rows.end();
}

#[test]
fn a_number_over_32_bits_is_out_of_range() {
    let service = Service::responding(created());
    let valid = config(&service.url());
    let mut rows = Rows::new();
    for (key, small) in [
        ("timeoutMs", 1000),
        ("connectTimeoutMs", 1000),
        ("createRetries", 1),
        ("statusRetries", 1),
        ("maxIdleMs", 1000),
        ("maxResponseBytes", 4096),
    ] {
        let refused = Client::try_new(&with(&valid, key, OVER + small)).err();
        rows.same(key, refused.map(|reply| reply.code), Some(INVALID_CONFIG));
    }
    rows.same("requests", service.request_count(), 0);
    rows.end();
}

#[test]
fn an_index_over_32_bits_is_not_the_first_one() {
    let reply = json_get("[\"a\",\"b\"]", &format!("/{OVER}"));
    reply.is(INVALID_REQUEST);
}

#[test]
fn the_longest_times_do_not_overflow() {
    let service = Service::responding(completed("ORDER-1001"));
    let longest = with(&config(&service.url()), "timeoutMs", 600_000);
    let longest = with(&longest, "connectTimeoutMs", 600_000);
    let client = Client::new(&with(&longest, "maxIdleMs", 600_000));
    let times = json!({"waitMs": 86_400_000, "intervalMs": 600_000, "maxIntervalMs": 600_000,
        "timeoutMs": 600_000});
    client.wait(&query(), &times).done().is(OK);
}

#[test]
fn a_text_of_64_mib_is_too_long_everywhere_except_in_an_array_of_queries() {
    let service = Service::responding(completed("ORDER-1001"));
    let client = Client::new(&config(&service.url()));
    let padded = |value: &Value, length: usize| {
        let text = value.to_string();
        let spaces = " ".repeat(length - text.len());
        text + &spaces
    };
    let mut rows = Rows::new();
    let object = padded(&order(), LONGEST);
    let expected = json!({"orderId": "ORDER-1001", "amount": "100.10"}).to_string();
    for (call, reply) in [
        ("order", abi::create_order(client.key(), &object, None)),
        ("query", abi::get_status(client.key(), &object, None)),
        (
            "options",
            abi::get_status(client.key(), &query().to_string(), Some(&object)),
        ),
        ("built order", abi::build_create_order(&object, None)),
        ("return URL", abi::parse_return_url(&object)),
        ("verified status", abi::verify_payment(&expected, &object)),
        ("JSON", json_get(&object, "/a")),
    ] {
        rows.same(call, reply.code, INVALID_ARGUMENT);
    }
    let refused = Client::try_from_text(&object).err();
    rows.that("configuration", refused.is_some(), || "accepted".into());
    rows.same("requests", service.request_count(), 0);

    for (length, code, asked) in [(LONGEST, OK, 1), (LONGEST + 1, INVALID_ARGUMENT, 1)] {
        let queries = padded(&json!([query()]), length);
        let reply = abi::get_statuses(client.key(), &queries, None, |_, _| true);
        rows.same(&format!("queries of {length}"), reply.code, code);
        rows.same("requests", service.request_count(), asked);
    }
    rows.end();
}
