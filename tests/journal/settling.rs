//! Entries that a person settles.

use super::{DUPLICATE, INVALID_ARGUMENT};
use serde_json::{Value, json};
use support::abi::{self, Client};
use support::responses::{completed, created, http};
use support::rows::Rows;
use support::service::{Service, close, respond, stall};
use support::shop::{Shop, entries, listed, order, sql};

const INVALID_REQUEST: i32 = 4;

const SENDING: &str = "UPDATE orders SET state = 'sending', result = NULL,
    deadline_ms = begun_ms + 600000 WHERE order_id = 'SENDING'";

/// Entries 1 to 6: unknown, sending, created, paid, rejected, not sent.
fn one_of_each(shop: &Shop, service: &Service) -> Client {
    let client = shop.client(service);
    for (order_id, reaction) in [
        ("UNKNOWN", close()),
        ("SENDING", close()),
        ("CREATED", respond(created())),
        ("PAID", respond(created())),
        ("REFUSED", respond(http(400, "{}"))),
        ("NOT-SENT", respond(http(400, "{}"))),
    ] {
        service.set_script([reaction]);
        client.create(&order(order_id));
    }
    let paid = "UPDATE orders SET transaction_status = 'Completed' WHERE order_id = 'PAID'";
    let not_sent = "UPDATE orders SET state = 'not_sent', result = 6 WHERE order_id = 'NOT-SENT'";
    sql(&shop.path, &[SENDING, paid, not_sent]);
    client
}

#[test]
fn settle_closes_unresolved_and_unpaid_entries() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = one_of_each(&shop, &service);
    let before = entries(&client);
    for entry in 1..=3 {
        let note = format!("paid in cash, receipt {entry}");
        let reply = client
            .journal_settle(&json!({"entry": entry, "note": note}))
            .done();
        let mut expected = before[entry - 1].clone();
        expected["state"] = "settled".into();
        expected["note"] = note.into();
        expected["updatedAt"] = reply["updatedAt"].clone();
        assert_eq!(reply.json, expected, "the response is the entry");
    }
    let sent = service.request_count();
    service.set_script([respond(completed("anything"))]);
    let resolved = client.journal_resolve(&json!({})).done();
    assert_eq!(resolved["summary"]["asked"], 0, "no longer asked about");
    assert_eq!(resolved["entries"], json!([]));
    for order_id in ["UNKNOWN", "SENDING", "CREATED"] {
        for options in [json!({}), json!({"resend": true})] {
            let reply = client.create_with(&order(order_id), &options);
            reply.is(DUPLICATE);
            assert_eq!(reply.error()["previous"]["state"], "settled");
            reply.says("person");
        }
    }
    assert_eq!(service.request_count(), sent);
    let settled = listed(&client.journal_list(&json!({"state": "settled"})));
    assert_eq!(settled.len(), 3);
    assert_eq!(settled[0]["note"], "paid in cash, receipt 1");
    assert!(listed(&client.journal_list(&json!({"state": "unresolved"}))).is_empty());
}

#[test]
fn a_closed_entry_cannot_be_settled() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = one_of_each(&shop, &service);
    client.journal_settle(&json!({"entry": 1})).done();
    let with_events = || listed(&client.journal_list(&json!({"events": true})));
    let before = with_events();
    assert_eq!(before[0].get("note"), None, "no note");
    let mut rows = Rows::new();
    for (entry, code, said) in [
        (1, INVALID_ARGUMENT, "settled"),
        (4, INVALID_REQUEST, "paid"),
        (5, INVALID_ARGUMENT, "rejected"),
        (6, INVALID_ARGUMENT, "not_sent"),
        (7, INVALID_ARGUMENT, "no entry 7"),
        (0, INVALID_ARGUMENT, "no entry 0"),
    ] {
        let reply = client.journal_settle(&json!({"entry": entry, "note": "late"}));
        let row = format!("entry {entry}");
        rows.same(&row, reply.code, code);
        rows.same(&row, &reply.error()["operation"], &json!("journal_settle"));
        rows.says(&row, &reply, said);
    }
    rows.end();
    assert_eq!(with_events(), before, "no event either");
}

#[test]
fn an_order_that_is_closed_while_it_is_sent_keeps_its_outcome_and_stays_closed() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let client = shop.client(&service);
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| client.create(&order("A")).code);
        service.wait_for_requests(1);
        let other = shop.client(&service);
        other.journal_settle(&json!({"entry": 1})).done();
        client.cancel();
        assert_eq!(sending.join().unwrap(), 204);
    });
    let entry = &entries(&client)[0];
    assert_eq!(
        [&entry["state"], &entry["result"]],
        [&json!("settled"), &json!(204)]
    );
}

#[test]
fn a_settled_entry_is_pruned_when_it_is_old() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    client.create(&order("A"));
    client.journal_settle(&json!({"entry": 1})).done();
    let prune = || client.journal_prune(&json!({"olderThanDays": 5})).done()["removed"].clone();
    assert_eq!(prune(), 0);
    sql(
        &shop.path,
        &["UPDATE orders SET updated_ms = updated_ms - 6 * 86400000"],
    );
    assert_eq!(prune(), 1);
    service.set_script([respond(created())]);
    client.create(&order("A")).done();
}

#[test]
fn a_note_has_up_to_200_characters() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    client.create(&order("A"));
    let none = abi::journal_call(abi::payorder_journal_settle, client.key(), None);
    none.is(INVALID_ARGUMENT);
    // The limit counts characters, not bytes.
    let note = "\u{e9}".repeat(200);
    let reply = client.journal_settle(&json!({"entry": 1, "note": note}));
    assert_eq!(reply.done()["note"], Value::from(note));
}
