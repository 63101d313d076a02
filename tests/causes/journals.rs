//! The journal: a file that cannot be used, and orders that it already has.

use std::fs;
use std::path::Path;

use serde_json::json;

use crate::case::Case;
use support::abi::{Client, Reply};
use support::responses::{created, http};
use support::service::{Service, close, respond, stall};
use support::shop::{LockHolder, Shop, order, sql};

/// A journal with one order, which nobody has open.
fn used() -> (Shop, Service) {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    shop.client(&service).create(&order("A")).done();
    (shop, service)
}

/// Creates an order with a damaged journal.
fn unusable_file(cause: &'static str, what: &'static str, damage: fn(&Path)) -> Case {
    Case::new(cause, 10, what, move || {
        let (shop, service) = used();
        damage(&shop.path);
        let reply = shop.client(&service).create(&order("B"));
        assert_eq!(service.request_count(), 1, "nothing was sent");
        reply
    })
}

/// Creates an order that the journal already has.
fn again(cause: &'static str, prepare: fn(&Client, &Service)) -> Case {
    Case::new(cause, 206, "an order that the journal has", move || {
        let (shop, service) = (Shop::new(), Service::responding(created()));
        let client = shop.client(&service);
        prepare(&client, &service);
        client.create(&order("A"))
    })
}

fn file(ending: &str, path: &Path) -> String {
    format!("{}{ending}", path.display())
}

fn files() -> Vec<Case> {
    vec![
        unusable_file("journal_damaged", "a text", |path| {
            fs::write(path, b"notes of the day\n".repeat(200)).unwrap();
        }),
        unusable_file("journal_foreign", "a database of another program", |path| {
            sql(path, &["PRAGMA application_id = 7"]);
        }),
        unusable_file("journal_newer", "of a newer version", |path| {
            sql(path, &["PRAGMA user_version = 3"]);
        }),
        unusable_file("journal_unavailable", "no space for its log", |path| {
            for ending in ["-wal", "-shm"] {
                let _ = fs::remove_file(file(ending, path));
            }
            fs::create_dir(file("-wal", path)).unwrap();
        }),
        unusable_file("journal_replaced", "two names", |path| {
            fs::hard_link(path, file("-too", path)).unwrap();
        }),
        Case::new("journal_replaced", 10, "moved while it was open", || {
            let (shop, service) = (Shop::new(), Service::responding(created()));
            let client = shop.client(&service);
            client.create(&order("A")).done();
            fs::rename(&shop.path, file("-elsewhere", &shop.path)).unwrap();
            client.create(&order("B"))
        }),
        Case::new(
            "journal_locked",
            10,
            "another process has locked it",
            || {
                let (shop, service) = used();
                let client = shop.client(&service);
                let _holder = LockHolder::of(&shop.path);
                client.create_with(&order("B"), &json!({"timeoutMs": 300}))
            },
        ),
        Case::new(
            "journal_in_future",
            10,
            "an entry with tomorrow's date",
            || {
                let (shop, service) = used();
                sql(
                    &shop.path,
                    &["UPDATE orders SET updated_ms = updated_ms + 86400000"],
                );
                shop.client(&service).journal_prune(&json!({}))
            },
        ),
    ]
}

fn being_sent() -> Reply {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let client = shop.client(&service);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| client.create(&order("A")));
        service.wait_for_requests(1);
        let reply = client.create(&order("A"));
        client.cancel();
        first.join().unwrap().is(204);
        reply
    })
}

fn lost(client: &Client, service: &Service) {
    service.set_script([close()]);
    client.create(&order("A")).is(201);
}

pub fn cases() -> Vec<Case> {
    let mut cases = files();
    cases.extend([
        again("order_already_sent", |client, _| {
            drop(client.create(&order("A")).done())
        }),
        again("order_may_exist", lost),
        Case::new("order_of_another_service", 206, "another base URL", || {
            let (shop, service) = used();
            let url = format!("{}/test", service.url());
            Client::new(&shop.config(&url)).create(&order("A"))
        }),
        again("order_settled", |client, service| {
            lost(client, service);
            client.journal_settle(&json!({"entry": 1})).done();
        }),
        Case::new("resend_refused", 203, "a refusal of a resent order", || {
            let (shop, service) = (Shop::new(), Service::start([stall()]));
            let client = shop.client(&service);
            lost(&client, &service);
            let body = r#"{"responseCode":"400","responseMessage":"It exists"}"#;
            service.set_script([respond(http(400, body))]);
            client.create_with(&order("A"), &json!({"resend": true}))
        }),
        Case::new("order_being_sent", 206, "a call in flight", being_sent),
    ]);
    cases
}
