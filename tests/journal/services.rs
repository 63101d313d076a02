//! An entry belongs to the service that it was sent to.

use super::{DUPLICATE, INVALID_ARGUMENT};
use serde_json::{Value, json};
use support::abi::Client;
use support::orders::with;
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Service, close, respond};
use support::shop::{Shop, entries, listed, order, sql, states};
use support::table;

/// Two entries of one service, `CREATED` and `UNKNOWN`, and a client for another service.
fn two_services() -> (Shop, Service, Service, Client, Client) {
    let (shop, first) = (Shop::new(), Service::responding(created()));
    let own = shop.client(&first);
    own.create(&order("CREATED")).done();
    first.set_script([close()]);
    own.create(&order("UNKNOWN")).is(201);
    let second = Service::responding(created());
    let other = shop.client(&second);
    (shop, first, second, own, other)
}

#[test]
fn an_order_of_another_service_is_refused_without_its_url() {
    let (_shop, first, second, own, other) = two_services();
    let mut rows = Rows::new();
    for (order_id, number) in [("CREATED", 0), ("UNKNOWN", 1)] {
        for options in [json!({}), json!({"resend": true})] {
            let row = format!("{order_id} {options}");
            let reply = other.create_with(&order(order_id), &options);
            rows.same(&row, reply.code, DUPLICATE);
            let mut expected = entries(&own)[number].clone();
            expected["url"] = Value::Null;
            rows.same(&row, &reply.error()["previous"], &expected);
            rows.same(&row, &expected["service"], &json!(first.url()));
            rows.same(
                &row,
                &reply.error()["cause"],
                &json!("order_of_another_service"),
            );
            rows.same(&row, &reply.error()["action"], &json!("ask_status"));
            rows.says(&row, &reply, first.url());
        }
    }
    rows.end();
    assert_eq!(second.connections(), 0);
    let previous = own.create(&order("CREATED")).error()["previous"].clone();
    assert_eq!(previous, entries(&own)[0], "its own service gets the URL");
    other.create(&order("NEW")).done();
    assert_eq!(entries(&own)[2]["service"], second.url());
}

#[test]
fn a_client_does_nothing_with_entries_of_another_service() {
    let (shop, first, second, own, other) = two_services();
    let before = entries(&own);
    second.set_script([respond(completed("CREATED"))]);
    let resolved = other.journal_resolve(&json!({})).done();
    assert_eq!(resolved["summary"]["asked"], 0);
    assert_eq!(resolved["otherServices"], 1, "the unresolved one");
    assert_eq!(resolved["entries"], json!([]));
    for order_id in ["CREATED", "UNKNOWN"] {
        second.set_script([respond(completed(order_id))]);
        other.status(&json!({"orderId": order_id})).done();
    }
    for entry in [1, 2] {
        let reply = other.journal_settle(&json!({"entry": entry}));
        reply.is(INVALID_ARGUMENT);
        reply.says("another service");
    }
    assert_eq!(entries(&other), before, "it lists them, as they were");
    first.set_script([respond(completed("CREATED"))]);
    own.status(&json!({"orderId": "CREATED"})).done();
    sql(
        &shop.path,
        &["UPDATE orders SET updated_ms = updated_ms - 10 * 86400000"],
    );
    let days = json!({"olderThanDays": 1});
    assert_eq!(other.journal_prune(&days).done()["removed"], 0);
    let resolved = own.journal_resolve(&json!({})).done();
    assert_eq!(resolved["summary"]["asked"], 1);
    assert_eq!(resolved["otherServices"], 0);
    assert_eq!(
        states(resolved["entries"].as_array().unwrap()),
        ["UNKNOWN: unknown"]
    );
    own.journal_settle(&json!({"entry": 2})).done();
    assert_eq!(own.journal_prune(&days).done()["removed"], 1);
}

#[test]
fn the_same_service_may_be_written_in_several_ways() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let port = service.port();
    let at = |url: String| Client::new(&shop.config(&url));
    let normal = format!("http://localhost:{port}");
    at(normal.clone()).create(&order("A")).done();
    let mut rows = Rows::new();
    for (url, cause) in table! {
        format!("http://localhost:{port}/"), "order_already_sent";
        format!("HTTP://LocalHost:{port}//"), "order_already_sent";
        format!("http://127.0.0.1:{port}"), "order_of_another_service";
        format!("http://localhost:{port}/test"), "order_of_another_service";
        format!("http://localhost:{port}/Test"), "order_of_another_service";
    } {
        let reply = at(url.clone()).create(&order("A"));
        rows.same(&url, &reply.error()["cause"], &json!(cause));
        rows.same(&url, &reply.error()["previous"]["service"], &json!(normal));
    }
    rows.end();
    let usual = with(&shop.config("http://localhost:80/pay/"), "timeoutMs", 500);
    Client::new(&usual).create(&order("B"));
    let listed = entries(&Client::new(&usual));
    assert_eq!(listed[1]["service"], "http://localhost/pay");
}

#[test]
fn an_entry_of_an_unknown_service_is_for_a_person() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("CREATED")).done();
    service.set_script([close()]);
    client.create(&order("UNKNOWN"));
    sql(&shop.path, &["UPDATE orders SET service = NULL"]);
    let before = entries(&client);
    assert_eq!(before[0]["service"], Value::Null);
    let reply = client.create(&order("CREATED"));
    reply.is(DUPLICATE);
    assert_eq!(reply.error()["cause"], "order_of_another_service");
    assert_eq!(reply.error()["previous"]["url"], Value::Null);
    service.set_script([respond(completed("UNKNOWN"))]);
    let resolved = client.journal_resolve(&json!({})).done();
    assert_eq!(resolved["summary"]["asked"], 0);
    assert_eq!(resolved["otherServices"], 1);
    client.status(&json!({"orderId": "UNKNOWN"})).done();
    assert_eq!(entries(&client), before);
    for entry in [1, 2] {
        client.journal_settle(&json!({"entry": entry})).done();
    }
    sql(
        &shop.path,
        &["UPDATE orders SET updated_ms = updated_ms - 10 * 86400000"],
    );
    let days = json!({"olderThanDays": 1});
    assert_eq!(client.journal_prune(&days).done()["removed"], 2);
    assert!(listed(&client.journal_list(&json!({}))).is_empty());
}
