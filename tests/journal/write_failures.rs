//! If the journal cannot be written, the call reports it and nothing is sent. If that happens only
//! after the order was sent, the call keeps its own result.

use super::{DUPLICATE, JOURNAL_FAILED};
use serde_json::json;
use std::fs;
use std::sync::{Arc, Barrier, Mutex};
use std::time::{Duration, Instant};
use support::abi::Client;
use support::built::process::{config_of_this_process, passed, process};
use support::log::Log;
use support::orders::{config, with};
use support::responses::created;
use support::rows::Rows;
use support::service::{Service, stall};
use support::shop::{LockHolder, Shop, entries, lock_when_sending, order, sql, states};
use support::table;

pub const INVALID_CONFIG: i32 = 3;
const CANCELLED: i32 = 8;

/// Checks that nothing can be sent, listed, resolved or pruned, and that the errors name the cause.
#[track_caller]
pub fn check_unusable(shop: &Shop, cause: &str, message: &str) {
    let service = Service::responding(created());
    let client = shop.client(&service);
    let mut rows = Rows::new();
    for (call, reply) in [
        ("create", client.create(&order("NEW"))),
        ("list", client.journal_list(&json!({}))),
        ("resolve", client.journal_resolve(&json!({}))),
        ("prune", client.journal_prune(&json!({}))),
    ] {
        rows.holds(
            call,
            reply.code == JOURNAL_FAILED && reply.error()["outcome"] == "not_sent",
            reply.text(),
        );
        rows.same(call, &reply.error()["cause"], &json!(cause));
        rows.says(call, &reply, message);
        rows.says(call, &reply, shop.path.to_str().unwrap());
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn a_file_that_is_not_a_journal_is_not_changed() {
    let contents: [(&str, Vec<u8>, &str); 3] = table! {
        "text", b"these are notes of the day\n".repeat(200), "not a journal";
        "a damaged header", [b"SQLite format 3\0".as_slice(), &[0xff; 5000]].concat(),
            "not a journal";
        "zeros", vec![0; 8192], "not a journal";
    };
    for (what, bytes, said) in contents {
        println!("{what}");
        let shop = Shop::new();
        fs::write(&shop.path, &bytes).unwrap();
        check_unusable(&shop, "journal_damaged", said);
        assert!(fs::read(&shop.path).unwrap() == bytes, "{what} was changed");
    }
    for (statement, said) in [
        ("CREATE TABLE notes (text)", "another program"),
        ("PRAGMA application_id = 7", "another program"),
        ("PRAGMA user_version = 1", "another program"),
    ] {
        let shop = Shop::new();
        sql(&shop.path, &[statement]);
        check_unusable(&shop, "journal_foreign", said);
    }
}

#[test]
fn a_damaged_journal_cannot_be_used() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    for number in 0..50 {
        client.create(&order(&format!("O-{number}"))).done();
    }
    drop(client);
    let mut bytes = fs::read(&shop.path).unwrap();
    assert!(bytes.len() > 3 * 4096);
    bytes[4096..].fill(0x5a);
    fs::write(&shop.path, bytes).unwrap();
    check_unusable(&shop, "journal_damaged", "damaged");
}

#[test]
fn a_journal_of_a_newer_version_is_not_used() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    shop.client(&service).create(&order("A")).done();
    sql(&shop.path, &["PRAGMA user_version = 3"]);
    check_unusable(&shop, "journal_newer", "newer");
    sql(
        &shop.path,
        &[
            "PRAGMA user_version = 1",
            "ALTER TABLE orders DROP COLUMN note",
        ],
    );
    check_unusable(&shop, "journal_foreign", "draft");
    sql(
        &shop.path,
        &[
            "ALTER TABLE orders ADD COLUMN note TEXT",
            "PRAGMA user_version = 2",
        ],
    );
    assert_eq!(states(&entries(&shop.client(&service))), ["A: created"]);
}

#[test]
fn an_empty_file_becomes_a_journal() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    fs::write(&shop.path, "").unwrap();
    let client = shop.client(&service);
    client.create(&order("A")).done();
    client.create(&order("A")).is(DUPLICATE);
}

#[test]
fn a_path_that_cannot_be_a_file_is_an_invalid_config() {
    let shop = Shop::new();
    let folder = shop.folder.path().to_str().unwrap().to_owned();
    let file = shop.folder.file("a-file", "");
    let mut rows = Rows::new();
    for journal in [
        json!(folder),
        json!(format!("{folder}/missing/journal.db")),
        json!(format!("{file}/journal.db")),
        json!(if cfg!(windows) { "NUL" } else { "/dev/null" }),
        json!(""),
        json!("a\u{0}b"),
        json!(null),
        json!(7),
        json!(true),
        json!(["journal.db"]),
    ] {
        let reply = Client::try_new(&with(
            &config("https://pay.example.com"),
            "journal",
            journal.clone(),
        ))
        .err();
        rows.that(
            &journal.to_string(),
            reply
                .as_ref()
                .is_some_and(|reply| reply.code == INVALID_CONFIG),
            || format!("{reply:?}"),
        );
        let named = reply.is_some_and(|reply| reply.message().contains("journal"));
        rows.that(&journal.to_string(), named, || {
            "does not name the key".into()
        });
    }
    rows.end();
    Client::new(&shop.config("https://pay.example.com"));
    assert!(
        !shop.path.exists(),
        "the file is created when it is first needed"
    );
}

#[test]
fn a_call_waits_for_a_locked_journal_until_its_deadline() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let holder = LockHolder::of(&shop.path);
    let began = Instant::now();
    let reply = client.create_with(&order("B"), &json!({"timeoutMs": 500}));
    reply.is(JOURNAL_FAILED);
    let error = reply.error();
    assert_eq!(
        [&error["cause"], &error["action"]],
        ["journal_locked", "retry_later"]
    );
    assert!(
        (Duration::from_millis(490)..Duration::from_secs(5)).contains(&began.elapsed()),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(
        states(&entries(&client)),
        ["A: created"],
        "it can be read during that time"
    );

    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| client.create(&order("C")));
        std::thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        client.cancel();
        let reply = waiting.join().unwrap();
        println!(
            "cancelled while the journal was locked: {:?}",
            began.elapsed()
        );
        assert!(
            began.elapsed() < Duration::from_secs(1),
            "{:?}",
            began.elapsed()
        );
        assert_eq!(
            (reply.code, &reply.error()["outcome"]),
            (CANCELLED, &json!("not_sent")),
            "{}",
            reply.text()
        );
    });
    assert_eq!(service.request_count(), 1, "nothing was sent");

    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| client.create(&order("D")));
        std::thread::sleep(Duration::from_millis(200));
        assert_eq!(service.request_count(), 1);
        drop(holder);
        waiting.join().unwrap().done();
    });
    assert_eq!(states(&entries(&client)), ["A: created", "D: created"]);
}

/// Calls `fault` after the intent was written and before anything is sent. Returns the result and
/// the log.
pub fn with_fault_after_the_intent(
    client: &Client,
    order_id: &str,
    fault: impl Fn() + Send + Sync + 'static,
) -> (i32, &'static Log) {
    let log = Log::reacting(client, move |event| {
        if event["event"] == "attempt_started" {
            fault();
        }
    });
    let code = client
        .create_with(&order(order_id), &json!({"timeoutMs": 5000}))
        .code;
    support::log::unset_log(client.key());
    (code, log)
}

#[track_caller]
pub fn check_journal_failed_event(log: &Log) {
    assert_eq!(
        log.names(),
        [
            "attempt_started",
            "attempt_finished",
            "journal_failed",
            "call_finished"
        ]
    );
    let event = &log.events()[2];
    assert_eq!(
        [&event["operation"], &event["orderId"], &event["name"]],
        ["create_order", "A", "PAYORDER_JOURNAL_FAILED"]
    );
    assert_eq!(
        log.events()[3]["result"],
        0,
        "the call keeps its own result"
    );
}

#[test]
fn an_outcome_that_cannot_be_written_leaves_the_entry_and_is_logged() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("BEFORE")).done();
    let holder = Arc::new(Mutex::new(None));
    let (path, held) = (shop.path.clone(), Arc::clone(&holder));
    let began = Instant::now();
    let (code, log) = with_fault_after_the_intent(&client, "A", move || {
        *held.lock().unwrap() = Some(LockHolder::of(&path))
    });
    assert!(
        began.elapsed() < Duration::from_secs(30),
        "{:?}",
        began.elapsed()
    );
    assert_eq!(code, 0);
    check_journal_failed_event(log);
    let entry = sql(
        &shop.path,
        &["SELECT state, url, result FROM orders WHERE order_id = 'A'"],
    );
    assert_eq!(entry, json!([["sending", null, null]]));
    *holder.lock().unwrap() = None;
    assert_eq!(
        states(&entries(&client)),
        ["BEFORE: created", "A: unknown"],
        "its deadline has passed"
    );
    client.create(&order("A")).is(DUPLICATE);
}

#[test]
fn a_cancelled_call_does_not_wait_for_a_locked_journal() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let client = shop.client(&service);
    let (log, _holder) = lock_when_sending(&client, &shop.path);
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| client.create(&order("A")).code);
        service.wait_for_requests(1);
        let began = Instant::now();
        client.cancel();
        assert_eq!(sending.join().unwrap(), 204);
        assert!(
            began.elapsed() < Duration::from_secs(5),
            "{:?}",
            began.elapsed()
        );
    });
    assert_eq!(
        log.names(),
        [
            "attempt_started",
            "attempt_failed",
            "journal_failed",
            "call_finished"
        ]
    );
}

#[test]
fn a_call_waits_while_another_process_creates_the_journal() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    sql(&shop.path, &["VACUUM"]);
    let holder = LockHolder::of(&shop.path);
    let client = shop.client(&service);
    client
        .create_with(&order("A"), &json!({"timeoutMs": 300}))
        .is(JOURNAL_FAILED);
    assert_eq!(service.connections(), 0);
    drop(holder);
    client.create(&order("A")).done();
}

#[test]
fn clients_that_create_the_file_together_keep_their_locks() {
    // In a process of its own, because a fork by another test would close the journals of this one.
    let name = "write_failures::creating_the_file_together";
    passed(&process(name, &json!({})).output().unwrap());
}

#[test]
#[ignore = "started by clients_that_create_the_file_together_keep_their_locks"]
fn creating_the_file_together() {
    if config_of_this_process().is_none() {
        return;
    }
    let service = Service::responding(created());
    for round in 0..30 {
        let shop = Shop::new();
        let clients: Vec<Client> = (0..4).map(|_| shop.client(&service)).collect();
        let together = Barrier::new(clients.len());
        std::thread::scope(|scope| {
            for (number, client) in clients.iter().enumerate() {
                let together = &together;
                scope.spawn(move || {
                    together.wait();
                    client.create(&order(&format!("O-{round}-{number}"))).done();
                });
            }
        });
        // The last connection that closes the file removes its log.
        assert_eq!(
            sql(&shop.path, &["SELECT count(*) FROM orders"]),
            json!([[4]]),
            "round {round}"
        );
        assert!(
            shop.path.with_extension("db-wal").exists(),
            "a process removed the log of an open journal, in round {round}"
        );
    }
}
