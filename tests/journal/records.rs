//! What the journal has of an order: before it is sent, afterwards, and never.

use serde_json::{Value, json};
use support::abi::Client;
use support::orders::with;
use support::responses::{CHECKOUT, created, http, http_with};
use support::result::{DUPLICATE, INVALID_ARGUMENT, INVALID_REQUEST, MISSING_CREDENTIALS};
use support::rows::Rows;
use support::service::{Service, close, respond, stall};
#[cfg(unix)]
use support::shop::Journal;
use support::shop::{Shop, entries, listed, order, states};
use support::table;
use support::unreachable::refusing_url;

use super::till::{Till, sha256, status};

#[test]
fn the_journal_records_the_outcome_of_each_order_and_of_each_attempt() {
    let refused = json!({"responseCode": "422", "responseMessage": "no"}).to_string();
    let shop = crate::shop();
    let mut rows = Rows::new();
    let mut number = 0;
    let mut check = |url: &str, state: &str, result: i32, attempts: Value| {
        number += 1;
        let order_id = format!("{state} {result} {attempts}");
        // Long enough for a slow machine, except where the test waits for its end.
        let time = if result == 200 { 3000 } else { 60_000 };
        let config = with(&shop.config(url), "timeoutMs", time);
        let client = Client::new(&with(&config, "createRetries", 2));
        rows.code(&order_id, &client.create(&order(&order_id)), result);
        let options = json!({"orderId": order_id, "events": true});
        let mut entry = listed(&client.journal_list(&options)).remove(0);
        let events = entry["events"].take();
        let events = events.as_array().expect("events");
        let times = ["startedAt", "updatedAt", "deadline"].map(|key| entry[key].clone());
        let checkout = (state == "created").then_some(CHECKOUT);
        let expected = json!({
            "entry": number,
            "events": null,
            "orderId": order_id,
            "merchantTxnId": format!("TXN-{order_id}"),
            "amount": "100.10",
            "currencyCode": "INR",
            "state": state,
            "url": checkout,
            "service": url,
            "result": result,
            "transactionId": null,
            "transactionStatus": null,
            "startedAt": times[0],
            "deadline": times[2],
            "updatedAt": times[1],
        });
        rows.same(&order_id, &entry, &expected);
        let times = times.map(|time| time.as_str().unwrap_or_default().to_owned());
        for time in &times {
            let shape = time.replace(|digit: char| digit.is_ascii_digit(), "0");
            rows.same(&order_id, shape.as_str(), "0000-00-00T00:00:00.000Z");
        }
        let in_order = times[0] <= times[1] && times[0] < times[2];
        rows.that(&order_id, in_order, || format!("{times:?}"));
        let keys = ["event", "attempt", "result", "cause"];
        let keys = [&keys[..], &["httpStatus", "responseCode"]].concat();
        let values = |event: &Value| keys.iter().map(|key| event[key].clone()).collect::<Value>();
        let found: Value = events.iter().map(values).collect();
        rows.same(&order_id, &found, &attempts);
    };
    let sending = json!(["sending", null, null, null, null, null]);
    for (reaction, state, result, attempt) in table! {
        respond(created()), "created", 0, json!(["attempt", 1, 0, null, 200, "200"]);
        respond(http(400, &refused)), "rejected", 100,
            json!(["attempt", 1, 100, "service_refused", 400, "422"]);
        respond(http_with(429, &[("Retry-After", "1")], "{}")), "rejected", 102,
            json!(["attempt", 1, 102, "rate_limited", 429, null]);
        respond(http(503, "")), "unknown", 203,
            json!(["attempt", 1, 203, "service_error", 503, null]);
        respond(http(409, "")), "unknown", 203,
            json!(["attempt", 1, 203, "order_exists", 409, null]);
        respond(http(200, "x")), "unknown", 202,
            json!(["attempt", 1, 202, "response_not_json", 200, null]);
        close(), "unknown", 201, json!(["attempt", 1, 201, "connection_closed", null, null]);
        stall(), "unknown", 200, json!(["attempt", 1, 200, "response_timed_out", null, null]);
    } {
        let service = Service::start([reaction]);
        check(&service.url(), state, result, json!([sending, attempt]));
    }
    let refused = |number: i32| json!(["attempt", number, 6, "connection_refused", null, null]);
    let attempts = json!([sending, refused(1), refused(2), refused(3)]);
    check(&refusing_url(), "not_sent", 6, attempts);
    rows.end();
    shop.journal.is_sound();
}

#[test]
fn a_call_that_sends_nothing_is_not_in_the_journal() {
    let till = Till::new();
    till.client
        .create(&with(&order("A"), "amount", "0.50"))
        .is(INVALID_REQUEST);
    let reply = till.client.create_with(&order("A"), &json!({"nothing": 1}));
    reply.is(INVALID_ARGUMENT);
    let poor = support::orders::without(&till.shop.config(&till.service.url()), "accessToken");
    Client::new(&poor)
        .create(&order("A"))
        .is(MISSING_CREDENTIALS);
    assert_eq!(till.entries(), Vec::<Value>::new());
    till.client.create(&order("A")).done();
    assert_eq!(till.service.request_count(), 1);
}

#[test]
fn the_intent_is_in_the_journal_before_the_first_byte_is_sent() {
    let till = Till::new();
    till.service.set_script([stall()]);
    let other = till.shop.client(&till.service);
    let events = || listed(&other.journal_list(&json!({"events": true})))[0]["events"].clone();
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| till.client.create(&order("A")).code);
        till.service.wait_for_requests(1);
        let seen = entries(&other);
        assert_eq!(states(&seen), ["A: sending"]);
        let empty = [&seen[0]["result"], &seen[0]["url"]];
        assert_eq!(empty, [&Value::Null, &Value::Null]);
        assert_eq!(events().as_array().map(Vec::len), Some(1), "no attempt yet");
        let row = "SELECT state, body_sha256, deadline_ms - begun_ms FROM payorder_orders";
        let row = till.shop.journal.sql(&[row]);
        let digest = sha256(till.service.last_request().body.as_bytes());
        let found = [&row[0][0], &row[0][1]];
        assert_eq!(found, ["sending", &digest], "another process sees it too");
        let left = row[0][2].as_i64().unwrap();
        assert!(
            (15_000..=20_000).contains(&left),
            "the call's own timeout: {left}"
        );
        let reply = other.create_with(&order("A"), &json!({"resend": true}));
        reply.is(DUPLICATE);
        till.client.cancel();
        assert_eq!(sending.join().unwrap(), 204);
    });
    assert_eq!(till.states(), ["A: unknown"]);
    assert_eq!(events()[1]["cause"], "cancelled");
    assert_eq!(till.service.request_count(), 1);
}

#[test]
fn the_journal_is_private_and_has_no_secret_or_personal_data() {
    let till = Till::new();
    for number in 0..30 {
        let options =
            json!({"accessToken": "token-of-the-call", "extraFields": {"note": "a private note"}});
        let order = order(&format!("O-{number}"));
        till.client.create_with(&order, &options).done();
    }
    // The service can repeat a credential anywhere.
    let secret = "secret-key-1";
    let echo = json!({"responseCode": secret, "responseMessage": secret}).to_string();
    till.service.set_script([
        respond(http(400, &echo)),
        status("O-0", json!({})),
        respond(http(404, "{}")),
    ]);
    till.client.create(&order("ECHOED"));
    let one = json!({"concurrency": 1});
    till.client.journal_resolve(&one).done();
    let text = content(&till.shop).to_lowercase();
    assert!(
        text.contains("o-29")
            && text.contains("txn-o-29")
            && text.contains("100.10")
            && text.contains("t-900"),
        "the search works"
    );
    let secret = "access-token-1|token-of-the-call|client-key-1|client-id-1|secret-key-1";
    let personal =
        "asha|verma|9876543210|example.com/done|two coffees|private note|m-7|corner cafe";
    for word in secret.split('|').chain(personal.split('|')) {
        assert!(!text.contains(word), "{word} is in the journal");
    }
}

/// All that is in the journal. The files of a journal are private.
fn content(shop: &Shop) -> String {
    #[cfg(unix)]
    if let Journal::Database(database) = &shop.journal {
        return database.sql(
            "SELECT orders::text FROM payorder_orders AS orders UNION ALL
            SELECT events::text FROM payorder_events AS events",
        );
    }
    let mut bytes = Vec::new();
    for file in std::fs::read_dir(shop.folder.path()).unwrap() {
        let path = file.unwrap().path();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{}", path.display());
        }
        bytes.extend(std::fs::read(path).unwrap());
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
