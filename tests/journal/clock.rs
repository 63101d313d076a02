//! A clock that was changed: entries in the future, and impossible times.

use super::till::Till;
use serde_json::json;
use support::responses::created;
use support::result::{DUPLICATE, JOURNAL_FAILED};
use support::rows::Rows;
use support::service::respond;
use support::shop::order;
use support::table;

#[test]
fn an_entry_with_impossible_times_counts_as_unknown() {
    let mut rows = Rows::new();
    for (what, begun, deadline, state) in table! {
        "a running call", "-1000", "+29000", "sending";
        "a call with the longest timeout", "-1000", "+598000", "sending";
        "starts in the future", "+3600000", "+3630000", "unknown";
        "starts in a minute", "+60000", "+90000", "unknown";
        "starts in the future, deadline passed", "+3600000", "-1000", "unknown";
        "deadline too far away", "-1000", "+610000", "unknown";
        "deadline a day away", "-1000", "+86400000", "unknown";
        "deadline at the end of time", "-1000", "* 0 + 9223372036854775807", "unknown";
        "before 1970", "* 0 - 9223372036854775807", "* 0 - 5", "unknown";
    } {
        let till = Till::with("sending");
        let now = till.shop.journal.now();
        till.change(&format!(
            "begun_ms = {now} {begun}, deadline_ms = {now} {deadline}"
        ));
        rows.same(what, till.states(), vec![format!("A: {state}")]);
        let reply = till.client.create(&order("A"));
        rows.code(what, &reply, DUPLICATE);
        rows.same(what, &reply.error()["previous"]["state"], &json!(state));
        till.service.set_script([respond(created())]);
        let again = till.resend();
        rows.code(what, &again, if state == "unknown" { 0 } else { DUPLICATE });
    }
    rows.end();
}

#[test]
fn prune_removes_nothing_while_an_entry_is_in_the_future() {
    let mut rows = Rows::new();
    for column in ["begun_ms", "updated_ms"] {
        let till = Till::with("rejected");
        till.add("FUTURE", "created");
        till.change("updated_ms = 1 WHERE order_id = 'A'");
        till.change(&format!(
            "{column} = {column} + 60000 WHERE order_id = 'FUTURE'"
        ));
        let reply = till.client.journal_prune(&json!({}));
        rows.code(column, &reply, JOURNAL_FAILED);
        let found = ["cause", "action"].map(|key| &reply.error()[key]);
        rows.same(
            column,
            &json!(found),
            &json!(["journal_in_future", "check_clock"]),
        );
        rows.same(column, till.entries().len(), 2);
        till.change(&format!(
            "{column} = {column} - 60000 WHERE order_id = 'FUTURE'"
        ));
        let removed = till.client.journal_prune(&json!({}))["removed"].clone();
        rows.same(column, removed, json!(1));
    }
    rows.end();
}
