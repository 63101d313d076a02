//! An order that may exist is not sent again, and what may be sent again is.

use super::{DUPLICATE, INVALID_ARGUMENT};
use serde_json::json;
use std::time::Duration;
use support::abi::Client;
use support::orders::{config, with};
use support::responses::{created, http};
use support::rows::Rows;
use support::service::{Service, close, respond, respond_after, stall};
use support::shop;
use support::shop::{Shop, entries, order, sql, states};
use support::unreachable::refusing_url;

#[test]
fn an_order_that_may_exist_is_not_sent_again() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("CREATED")).done();
    service.set_script([close()]);
    client.create(&order("UNKNOWN")).is(201);
    service.set_script([respond(created())]);
    let mut rows = Rows::new();
    let elsewhere = shop.client(&service);
    for (number, order_id, state, cause, action) in [
        (
            1,
            "CREATED",
            "created",
            "order_already_sent",
            "use_previous",
        ),
        (2, "UNKNOWN", "unknown", "order_may_exist", "ask_status"),
    ] {
        let same_order = with(&order(order_id), "merchantTxnId", "ANOTHER");
        let same_transaction = with(
            &order("ANOTHER"),
            "merchantTxnId",
            format!("TXN-{order_id}"),
        );
        for (what, order, key) in [
            ("order", &same_order, "orderId"),
            ("transaction", &same_transaction, "merchantTxnId"),
        ] {
            for (client, which) in [(&client, "the same client"), (&elsewhere, "another client")] {
                let row = format!("{order_id}, same {what}, {which}");
                let reply = client.create(order);
                rows.code(&row, &reply, DUPLICATE);
                let error = reply.error();
                rows.same(&row, &error["outcome"], &json!("unknown"));
                rows.same(&row, &error["previous"], &entries(client)[number - 1]);
                rows.same(&row, &error["previous"]["state"], &json!(state));
                rows.same(&row, &error["cause"], &json!(cause));
                rows.same(&row, &error["action"], &json!(action));
                rows.same(&row, &error["statusQuery"]["orderId"], &json!(order_id));
                rows.says(&row, &reply, key);
            }
        }
    }
    rows.end();
    assert_eq!(service.request_count(), 2, "no duplicate was sent");
    assert_eq!(entries(&client).len(), 2, "or recorded");
}

#[test]
fn an_order_that_is_being_sent_is_not_sent_again() {
    let (shop, service) = (
        Shop::new(),
        Service::start([respond_after(Duration::from_millis(500), created())]),
    );
    let client = shop.client(&service);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| client.create(&order("A")).code);
        service.wait_for_requests(1);
        for options in [json!({}), json!({"resend": true})] {
            let reply = client.create_with(&order("A"), &options);
            reply.is(DUPLICATE);
            assert_eq!(reply.error()["previous"]["state"], "sending");
        }
        assert_eq!(first.join().unwrap(), 0);
    });
    assert_eq!(service.request_count(), 1);
}

#[test]
fn identifiers_are_compared_byte_for_byte() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    let long = "x".repeat(100_000);
    let identifiers = [
        "A",
        "a",
        "A ",
        "A\u{0}B",
        "A\u{0}C",
        "A%",
        "A_",
        "A'; DROP TABLE orders; --",
        "\u{e9}",
        "e\u{301}",
        "7",
        "7.0",
        "07",
        &long,
    ];
    for identifier in identifiers {
        client.create(&order(identifier)).done();
    }
    let listed = entries(&client);
    let got: Vec<&str> = listed
        .iter()
        .map(|entry| entry["orderId"].as_str().unwrap())
        .collect();
    assert_eq!(got, identifiers);
    for identifier in identifiers {
        client.create(&order(identifier)).is(DUPLICATE);
    }
    // The same text as the other identifier does not match.
    client
        .create(&with(&order("TXN-A"), "merchantTxnId", "A"))
        .done();
}

#[test]
fn an_order_that_was_refused_or_not_sent_may_be_sent_again() {
    let (shop, service) = (Shop::new(), Service::responding(http(400, "{}")));
    let client = shop.client(&service);
    client.create(&order("A")).is(100);
    Client::new(&shop.config(&refusing_url()))
        .create(&order("A"))
        .is(6);
    service.set_script([respond(created())]);
    client.create(&order("A")).done();
    assert_eq!(
        states(&entries(&client)),
        ["A: rejected", "A: not_sent", "A: created"]
    );
    client.create(&order("A")).is(DUPLICATE);
}

#[test]
fn resend_sends_only_unknown_orders_again() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    let again = json!({"resend": true});
    client.create(&order("A")).is(201);
    client.create_with(&order("A"), &again).is(201);
    service.set_script([respond(created())]);
    client
        .create_with(&order("A"), &json!({"resend": false}))
        .is(DUPLICATE);
    client.create_with(&order("A"), &again).done();
    let reply = client.create_with(&order("A"), &again);
    assert_eq!(
        reply.code,
        DUPLICATE,
        "a created order is never sent again, even if older entries are unknown: {}",
        reply.text()
    );
    assert_eq!(reply.error()["previous"]["entry"], 3);
    assert_eq!(
        states(&entries(&client)),
        ["A: unknown", "A: unknown", "A: created"]
    );
    client.create_with(&order("NEW"), &again).done();
    assert_eq!(service.request_count(), 4);

    for broken in [
        json!({"resend": 1}),
        json!({"resend": "true"}),
        json!({"resend": null}),
    ] {
        client
            .create_with(&order("B"), &broken)
            .is(INVALID_ARGUMENT);
    }
    let without = Client::new(&config(&service.url()));
    without
        .create_with(&order("B"), &again)
        .is(INVALID_ARGUMENT);
    assert_eq!(service.request_count(), 4);
}

#[test]
fn an_older_entry_also_prevents_sending() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    let again = json!({"resend": true});
    for _ in 0..2 {
        client.create_with(&order("A"), &again).is(201);
    }
    // The call that wrote the first entry took longer than its deadline, and succeeded.
    sql(
        &shop.path,
        &["UPDATE orders SET state = 'created' WHERE entry = 1"],
    );
    let reply = client.create_with(&order("A"), &again);
    reply.is(DUPLICATE);
    assert_eq!(reply.error()["previous"]["entry"], 1);
    assert_eq!(service.request_count(), 2);
}

#[test]
fn a_refused_resend_stays_unknown() {
    let body = json!({"responseCode": "400", "responseMessage": "It exists"}).to_string();
    let refusals = [
        http(400, &body),
        http(200, &body),
        http(401, ""),
        http(429, ""),
        http(404, ""),
    ];
    let mut rows = Rows::new();
    for refusal in refusals {
        let row = String::from_utf8_lossy(&refusal).into_owned();
        let (shop, service) = (Shop::new(), Service::start([close()]));
        let client = shop.client(&service);
        rows.same(&row, client.create(&order("A")).code, 201);
        service.set_script([respond(refusal)]);
        let reply = client.create_with(&order("A"), &json!({"resend": true}));
        rows.same(&row, reply.code, 203);
        rows.same(&row, &reply.error()["cause"], &json!("resend_refused"));
        rows.same(&row, &reply.error()["action"], &json!("ask_status"));
        let query = json!({"searchType": "1", "orderId": "A"});
        rows.same(&row, &reply.error()["statusQuery"], &query);
        if row.contains("It exists") {
            let said = &reply.error()["responseMessage"];
            rows.same(&row, said, &json!("It exists"));
        }
        let states = states(&entries(&client));
        rows.same(&row, states, vec!["A: unknown".into(), "A: unknown".into()]);
        rows.same(&row, client.create(&order("A")).code, DUPLICATE);
    }
    rows.end();
}

#[test]
fn a_resend_that_was_not_sent_says_that_the_order_may_exist() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    client.create(&order("A")).is(201);
    drop(service);
    let reply = client.create_with(&order("A"), &json!({"resend": true}));
    assert_eq!(reply.error()["outcome"], "not_sent", "{}", reply.text());
    let query = json!({"searchType": "1", "orderId": "A"});
    assert_eq!(reply.error()["statusQuery"], query);
    assert_eq!(reply.error()["action"], "ask_status");
    assert!(reply.message().contains("it may exist all the same"));
    assert_eq!(states(&entries(&client)), ["A: unknown", "A: not_sent"]);
    client.create(&order("A")).is(DUPLICATE);
    let first = client.create(&order("B"));
    assert_eq!(first.error()["statusQuery"], json!(null));
}

#[test]
fn the_checkout_url_of_an_unclear_refusal_is_kept() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let client = shop.client(&service);
    let url = "https://pay.example.com/A";
    let body = json!({"responseCode": "400", "data": {"url": url}}).to_string();
    service.set_script([respond(http(400, &body))]);
    let reply = client.create(&order("A"));
    reply.is(202);
    assert_eq!(reply.error()["checkoutUrl"], url);
    let entry = &entries(&client)[0];
    assert_eq!(
        (&entry["state"], &entry["url"]),
        (&json!("unknown"), &json!(url))
    );
    let again = client.create(&order("A"));
    assert_eq!(again.error()["previous"]["url"], url);
    // Also if the order was sent again without an answer: the last entry has no URL.
    service.set_script([close()]);
    let resend = client.create_with(&order("A"), &json!({"resend": true}));
    resend.is(201);
    let again = client.create(&order("A"));
    assert_eq!(again.error()["previous"]["entry"], 2);
    assert_eq!(again.error()["previous"]["url"], url);
}

#[test]
fn a_changed_order_is_not_sent_under_the_identifiers_of_an_unknown_one() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    client.create(&order("A")).is(201);
    let again = json!({"resend": true});
    let mut rows = Rows::new();
    service.set_script([respond(created())]);
    for (field, value) in [
        ("amount", "9999.00"),
        ("amount", "100.1"),
        ("productInfo", "Three coffees"),
        ("customerName", "Another"),
        ("merchantTxnId", "TXN-OTHER"),
        ("orderId", "OTHER"),
    ] {
        let changed = with(&order("A"), field, value);
        let plain = client.create(&changed);
        rows.same(field, &plain.error()["cause"], &json!("order_may_exist"));
        rows.same(field, &plain.error()["action"], &json!("ask_status"));
        rows.holds(field, !plain.message().contains("changed"), plain.message());
        let reply = client.create_with(&changed, &again);
        rows.same(field, reply.code, DUPLICATE);
        rows.same(field, &reply.error()["previous"]["entry"], &json!(1));
        rows.says(field, &reply, "changed");
    }
    let extra = json!({"resend": true, "extraFields": {"note": "new"}});
    rows.same(
        "an extra field",
        client.create_with(&order("A"), &extra).code,
        DUPLICATE,
    );
    rows.end();
    assert_eq!(service.request_count(), 1);
    client.create_with(&order("A"), &again).done();
}

#[test]
fn an_entry_of_a_dead_process_is_unknown_after_its_deadline() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let sending = "UPDATE orders SET state = 'sending', url = NULL, result = NULL";
    sql(
        &shop.path,
        &[&format!("{sending}, deadline_ms = begun_ms + 600000")],
    );
    assert_eq!(states(&entries(&client)), ["A: sending"]);
    assert_eq!(
        client
            .create_with(&order("A"), &json!({"resend": true}))
            .code,
        DUPLICATE,
        "its call may still be running"
    );
    sql(&shop.path, &[&format!("{sending}, deadline_ms = begun_ms")]);
    assert_eq!(states(&entries(&client)), ["A: unknown"]);
    let reply = client.create(&order("A"));
    assert_eq!(
        (reply.code, &reply.error()["previous"]["state"]),
        (DUPLICATE, &json!("unknown"))
    );
    for (state, expected) in [
        ("sending", 0),
        ("unknown", 1),
        ("unresolved", 1),
        ("created", 0),
    ] {
        let listed = shop::listed(&client.journal_list(&json!({"state": state})));
        assert_eq!(listed.len(), expected, "{state}");
    }
    client
        .create_with(&order("A"), &json!({"resend": true}))
        .done();
    assert_eq!(service.request_count(), 2);
}
