//! The journal: a file that cannot be used, and orders that it already has.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::case::Case;
use support::abi::{Client, Reply};
use support::orders::with;
use support::responses::{completed, created, http};
use support::result::{CANCELLED_IN_FLIGHT, CONNECTION_LOST, SERVICE_FAILED};
use support::service::{Service, close, respond, stall};
use support::shop::{LockHolder, Shop, order, sql};
use support::table;

/// A journal with one order, which nobody has open.
fn used() -> (Shop, Service) {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    shop.client(&service).create(&order("A")).done();
    (shop, service)
}

fn file(ending: &str, path: &Path) -> String {
    format!("{}{ending}", path.display())
}

/// What makes the file of a used journal unusable before another order is created.
fn files() -> Vec<Case> {
    let damages: [(_, fn(&Path)); 5] = table! {
        "journal_damaged", |path| fs::write(path, b"notes of the day\n".repeat(200)).unwrap();
        "journal_foreign", |path| drop(sql(path, &["PRAGMA application_id = 7"]));
        "journal_newer", |path| drop(sql(path, &["PRAGMA user_version = 2"]));
        "journal_unavailable", |path| {
            for ending in ["-wal", "-shm"] {
                let _ = fs::remove_file(file(ending, path));
            }
            fs::create_dir(file("-wal", path)).unwrap();
        };
        "journal_replaced", |path| fs::hard_link(path, file("-too", path)).unwrap();
    };
    let cases = damages.map(|(cause, damage)| {
        Case::new(cause, 10, "a damaged file", move || {
            let (shop, service) = used();
            damage(&shop.path);
            let reply = shop.client(&service).create(&order("B"));
            assert_eq!(service.request_count(), 1, "nothing was sent");
            reply
        })
    });
    cases.into()
}

/// What makes an order A a duplicate.
fn duplicates() -> Vec<Case> {
    type Prepare = fn(&Client, &Service);
    let preparations: [(_, Prepare); 6] = table! {
        "order_already_sent", |client, _| drop(client.create(&order("A")).done());
        "order_completed", |client, service| {
            client.create(&order("A")).done();
            service.set_script([respond(completed("A"))]);
            client.status(&json!({"orderId": "A"})).done();
        };
        "identifier_used", |client, _| {
            client.create(&with(&order("A"), "amount", "99.00")).done();
        };
        "order_exists", |client, service| {
            service.set_script([respond(http(409, ""))]);
            client.create(&order("A")).is(SERVICE_FAILED);
        };
        "order_may_exist", lost;
        "order_settled", |client, service| {
            lost(client, service);
            client.journal_settle(&json!({"entry": 1})).done();
        };
    };
    let cases = preparations.map(|(cause, prepare)| {
        Case::new(cause, 206, "an order that the journal has", move || {
            let (shop, service) = (Shop::new(), Service::responding(created()));
            let client = shop.client(&service);
            prepare(&client, &service);
            client.create(&order("A"))
        })
    });
    cases.into()
}

fn lost(client: &Client, service: &Service) {
    service.set_script([close()]);
    client.create(&order("A")).is(CONNECTION_LOST);
}

fn being_sent() -> Reply {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let client = shop.client(&service);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| client.create(&order("A")));
        service.wait_for_requests(1);
        let reply = client.create(&order("A"));
        client.cancel();
        first.join().unwrap().is(CANCELLED_IN_FLIGHT);
        reply
    })
}

pub fn cases() -> Vec<Case> {
    let others: [(_, _, _, fn() -> Reply); 6] = table! {
        "journal_replaced", 10, "moved while it was open", || {
            let (shop, service) = (Shop::new(), Service::responding(created()));
            let client = shop.client(&service);
            client.create(&order("A")).done();
            fs::rename(&shop.path, file("-elsewhere", &shop.path)).unwrap();
            client.create(&order("B"))
        };
        "journal_locked", 10, "another process has locked it", || {
            let (shop, service) = used();
            let client = shop.client(&service);
            let _holder = LockHolder::of(&shop.path);
            client.create_with(&order("B"), &json!({"timeoutMs": 1000}))
        };
        "journal_in_future", 10, "an entry with tomorrow's date", || {
            let (shop, service) = used();
            sql(&shop.path, &["UPDATE payorder_orders SET updated_ms = updated_ms + 86400000"]);
            shop.client(&service).journal_prune(&json!({}))
        };
        "order_of_another_service", 206, "another base URL", || {
            let (shop, service) = used();
            let url = format!("{}/test", service.url());
            Client::new(&shop.config(&url)).create(&order("A"))
        };
        "order_being_sent", 206, "a call in flight", being_sent;
        "resend_refused", 203, "a refusal of a resent order", || {
            let (shop, service) = (Shop::new(), Service::start([stall()]));
            let client = shop.client(&service);
            lost(&client, &service);
            let body = r#"{"responseCode":"400","responseMessage":"It exists"}"#;
            service.set_script([respond(http(400, body))]);
            client.create_with(&order("A"), &json!({"resend": true}))
        };
    };
    let others =
        others.map(|(cause, result, what, provoke)| Case::new(cause, result, what, provoke));
    let all = [files(), duplicates(), others.into()];
    all.into_iter().flatten().collect()
}
