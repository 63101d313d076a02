//! Every way in which a call can end, on one client.

use crate::secrets::life::Life;
use crate::secrets::marked;
use serde_json::Value;
use support::orders::with;
use support::responses::{created, http, http_with};
use support::service::{Service, Step, close, reset, respond, respond_then_close, stall};
use support::table;

/// A response in chunks, without a length.
fn chunked(body: &str) -> Vec<u8> {
    let mut response =
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            .to_vec();
    for chunk in body.as_bytes().chunks(700) {
        response.extend(format!("{:x}\r\n", chunk.len()).bytes());
        response.extend(chunk);
        response.extend(b"\r\n");
    }
    response.extend(b"0\r\n\r\n");
    response
}

/// A status with the customer's data everywhere, so that any part left in memory has a piece of it.
fn long_status(entries: usize) -> String {
    with(
        &marked::status(),
        "history",
        vec![marked::customer(); entries],
    )
    .to_string()
}

/// The same text with every letter of its strings escaped, so that parsing it makes copies.
fn escaped(status: &Value) -> String {
    let mut text = status.to_string();
    for (_, secret) in marked::CUSTOMER {
        let escaped: String = secret
            .bytes()
            .map(|byte| format!("\\u{byte:04x}"))
            .collect();
        text = text.replace(secret, &escaped);
    }
    text
}

/// Every way in which a call can end, on one client.
pub fn calls(life: &mut Life<'_>, service: &Service) {
    let cut_short = [http(200, long_status(20)), b"\x00".to_vec()].concat();
    let cut_short = cut_short[..cut_short.len() / 2].to_vec();
    let until_close = format!("HTTP/1.1 200 OK\r\n\r\n{}", long_status(40)).into_bytes();
    let too_large = http(200, long_status(12_000));
    let rate_limited = http_with(
        429,
        &[("Retry-After", "1")],
        marked::quoting("429").to_string(),
    );
    let quoting = |status, code| respond(http(status, marked::quoting(code).to_string()));
    let status = |body: &str| respond(http(200, body));

    for (what, reaction, command, expected) in table! {
        "an order was created, the connection is kept", respond(created()), "create order", 0;
        "a status was read, the connection is kept", status(&marked::status().to_string()),
            "status query", 0;
        "an order with credentials of its own", respond(created()), "create order options", 0;
        "a status with credentials of its own", status(&marked::status().to_string()),
            "status query options", 0;
        "a status with escapes", status(&escaped(&marked::status())), "status query", 0;
        "a long status", status(&long_status(40)), "status query", 0;
        "a status over 64 KiB", status(&long_status(1000)), "status query", 0;
        "a status in chunks", respond(chunked(&long_status(40))), "status query", 0;
        "a short status after a long one", status(&marked::status().to_string()), "status query", 0;
        "a status without a length", respond_then_close(until_close.clone()), "status query", 0;
        "a status over the limit", respond(too_large), "status query", 202;
        "another order's status",
            status(&marked::status().to_string().replace("ORDER-1001", "ORDER-1002")),
            "status query", 202;
        "an order refused with a message that quotes it", quoting(200, "400"), "create order", 100;
        "an order refused by HTTP status", quoting(400, "400"), "create order options", 100;
        "wrong credentials", quoting(401, "401"), "create order", 101;
        "too many calls", respond(rate_limited), "create order", 102;
        "a service that failed", quoting(500, "500"), "create order", 203;
        "a truncated response", respond(http(200, &marked::quoting("200").to_string()[..200])),
            "create order", 202;
        "a response that is not HTTP", respond(marked::status().to_string().into_bytes()),
            "create order", 202;
        "a response that was cut", vec![Step::Request, Step::Send(cut_short), Step::Cut],
            "status query", 201;
        "no response in time", stall(), "create order short-options", 200;
        "a call that was cancelled", stall(), "create-and-cancel order", 204;
        "a connection that was reset", reset(), "create order", 201;
        "an order that breaks rules", stall(), "create blank-order options", 4;
        "an order that is not JSON", stall(), "create broken-order options", 1;
        "options that do not exist", stall(), "create order unknown-options", 1;
        "a connection that was closed", close(), "create order", 201;
    } {
        service.set_script([reaction]);
        life.step(what, command, expected);
    }
    for (what, command) in [
        ("an order's body was built", "build order"),
        ("a payment was verified", "verify expected status"),
        ("a value was read", "get status"),
        ("an object was written", "object token"),
        ("a text was quoted", "quote token"),
        ("a value was set", "set status"),
        ("values were iterated", "each status"),
    ] {
        life.step(what, command, 0);
    }
    service.stop_listening();
    life.step("a service that does not listen", "create order options", 6);
    life.step("the client is freed", "free", 0);
}
