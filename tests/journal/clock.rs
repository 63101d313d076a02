//! A clock that was changed: entries in the future, and impossible times.

use super::{DUPLICATE, JOURNAL_FAILED};
use serde_json::json;
use support::responses::created;
use support::rows::Rows;
use support::service::{Service, close, respond};
use support::shop::{Shop, entries, order, sql, states};
use support::table;

const DAY_MS: i64 = 86_400_000;

#[test]
fn an_entry_with_impossible_times_counts_as_unknown() {
    let mut rows = Rows::new();
    let now = "CAST(strftime('%s', 'now') AS INTEGER) * 1000";
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
        let (shop, service) = (Shop::new(), Service::start([close()]));
        let client = shop.client(&service);
        client.create(&order("A")).is(201);
        let set = format!(
            "UPDATE orders SET state = 'sending', result = NULL,
                begun_ms = {now} {begun}, deadline_ms = {now} {deadline}"
        );
        sql(&shop.path, &[&set]);
        rows.same(
            what,
            states(&entries(&client)).as_slice(),
            &[format!("A: {state}")][..],
        );
        let reply = client.create(&order("A"));
        rows.same(what, reply.code, DUPLICATE);
        rows.same(what, &reply.error()["previous"]["state"], &json!(state));
        service.set_script([respond(created())]);
        let again = client.create_with(&order("A"), &json!({"resend": true}));
        let expected = if state == "unknown" { 0 } else { DUPLICATE };
        rows.same(what, again.code, expected);
    }
    rows.end();
}

#[test]
fn prune_removes_nothing_while_an_entry_is_in_the_future() {
    let mut rows = Rows::new();
    for column in ["begun_ms", "updated_ms"] {
        let (shop, service) = (Shop::new(), Service::responding(created()));
        let client = shop.client(&service);
        client.create(&order("OLD")).done();
        client.create(&order("FUTURE")).done();
        let old = format!(
            "UPDATE orders SET updated_ms = updated_ms - {}, transaction_status = 'Completed'
             WHERE order_id = 'OLD'",
            100 * DAY_MS
        );
        let future =
            format!("UPDATE orders SET {column} = {column} + 60000 WHERE order_id = 'FUTURE'");
        sql(&shop.path, &[&old, &future]);
        let reply = client.journal_prune(&json!({}));
        rows.same(column, reply.code, JOURNAL_FAILED);
        rows.same(column, &reply.error()["cause"], &json!("journal_in_future"));
        rows.same(column, &reply.error()["action"], &json!("check_clock"));
        rows.same(column, entries(&client).len(), 2);
        let past =
            format!("UPDATE orders SET {column} = {column} - 60000 WHERE order_id = 'FUTURE'");
        sql(&shop.path, &[&past]);
        rows.same(
            column,
            &client.journal_prune(&json!({}))["removed"],
            &json!(1),
        );
    }
    rows.end();
}
