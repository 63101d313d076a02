//! After the journal's file was moved, deleted or replaced, nothing is sent, and nothing is written
//! to a file that does not contain the order.

use super::write_failures::{check_journal_failed_event, with_fault_after_the_intent};
use super::{DUPLICATE, JOURNAL_FAILED};
use serde_json::json;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use support::abi::Client;
use support::built::process::{config_of_this_process, passed, process};
use support::log::Log;
use support::responses::{completed_body, created, http};
use support::rows::Rows;
use support::service::{Service, close, respond};
use support::shop::{Shop, entries, is_sound, order, sql, states};

const ENDINGS: [&str; 3] = ["", "-wal", "-shm"];

fn file_with_ending(path: &Path, ending: &str) -> PathBuf {
    format!("{}{ending}", path.display()).into()
}

fn remove(path: &Path) {
    for ending in ENDINGS {
        let _ = fs::remove_file(file_with_ending(path, ending));
    }
}

/// Another name in the same folder.
fn elsewhere(path: &Path) -> PathBuf {
    path.with_file_name("elsewhere.db")
}

/// A complete copy of the journal under another name, made by SQLite.
fn copy(path: &Path) -> PathBuf {
    let copy = elsewhere(path);
    sql(path, &[&format!("VACUUM INTO '{}'", copy.display())]);
    copy
}

type Act = fn(&Path);

/// Every way in which the path can come to name another file or none.
const WAYS: [(&str, Act); 8] = [
    ("deleted", remove),
    ("deleted without its log", |path| {
        fs::remove_file(path).unwrap();
    }),
    ("moved", |path| {
        for ending in ENDINGS {
            fs::rename(
                file_with_ending(path, ending),
                file_with_ending(&elsewhere(path), ending),
            )
            .unwrap();
        }
    }),
    ("replaced by an empty file", |path| {
        remove(path);
        fs::write(path, "").unwrap();
    }),
    ("replaced by a copy of itself", |path| {
        fs::rename(copy(path), path).unwrap();
    }),
    ("replaced by a copy of itself, without the log", |path| {
        let copy = copy(path);
        remove(path);
        fs::rename(copy, path).unwrap();
    }),
    ("emptied", |path| {
        fs::File::options()
            .write(true)
            .truncate(true)
            .open(path)
            .unwrap();
    }),
    ("replaced by a folder", |path| {
        remove(path);
        fs::create_dir(path).unwrap();
    }),
];

#[test]
fn nothing_is_sent_after_the_journal_was_moved_or_replaced() {
    let mut rows = Rows::new();
    for (way, act) in WAYS {
        let (shop, service) = (Shop::new(), Service::responding(created()));
        let clients = [shop.client(&service), shop.client(&service)];
        clients[0].create(&order("A")).done();
        clients[1].create(&order("B")).done();
        act(&shop.path);
        let left: Vec<bool> = ENDINGS
            .map(|ending| file_with_ending(&shop.path, ending).exists())
            .into();
        for (number, client) in clients.iter().enumerate() {
            for (call, reply) in [
                ("the same order", client.create(&order("A"))),
                ("a new order", client.create(&order("NEW"))),
                ("list", client.journal_list(&json!({}))),
                ("prune", client.journal_prune(&json!({}))),
                ("resolve", client.journal_resolve(&json!({}))),
            ] {
                let row = format!("{way}, client {number}, {call}");
                rows.same(&row, reply.code, JOURNAL_FAILED);
                rows.same(&row, &reply.error()["cause"], &json!("journal_replaced"));
            }
        }
        rows.same(way, service.request_count(), 2);
        let after: Vec<bool> = ENDINGS
            .map(|ending| file_with_ending(&shop.path, ending).exists())
            .into();
        rows.same(&format!("{way}: files at its path"), after, left);
    }
    rows.end();
}

#[test]
fn a_journal_that_is_put_back_is_used_by_new_clients_only() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let clients = [shop.client(&service), shop.client(&service)];
    for (client, order_id) in clients.iter().zip(["A", "B"]) {
        client.create(&order(order_id)).done();
    }
    fs::rename(&shop.path, elsewhere(&shop.path)).unwrap();
    // When one client of the process notices it, the other one must not use it either.
    clients[0].create(&order("A")).is(JOURNAL_FAILED);
    fs::rename(elsewhere(&shop.path), &shop.path).unwrap();
    for client in &clients {
        client.create(&order("A")).is(JOURNAL_FAILED);
    }
    let new = shop.client(&service);
    new.create(&order("A")).is(DUPLICATE);
    assert_eq!(states(&entries(&new)), ["A: created", "B: created"]);
    assert_eq!(service.request_count(), 2);
    drop(clients);
    new.create(&order("C")).done();
    is_sound(&shop.path);
}

#[test]
fn a_moved_journal_does_not_touch_the_log_of_its_successor() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let old = shop.client(&service);
    old.create(&order("OLD")).done();
    for ending in ENDINGS {
        fs::rename(
            file_with_ending(&shop.path, ending),
            file_with_ending(&elsewhere(&shop.path), ending),
        )
        .unwrap();
    }
    let new = shop.client(&service);
    new.create(&order("NEW")).done();
    old.create(&order("NEW")).is(JOURNAL_FAILED);
    drop(old);
    assert!(
        file_with_ending(&shop.path, "-wal").exists(),
        "the new journal has a log"
    );
    assert_eq!(
        sql(&shop.path, &["SELECT order_id FROM orders"]),
        json!([["NEW"]]),
        "read by another process"
    );
    assert_eq!(
        sql(&elsewhere(&shop.path), &["SELECT order_id FROM orders"]),
        json!([["OLD"]])
    );
}

#[test]
fn with_a_journal_that_has_two_names_nothing_is_sent() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    fs::hard_link(&shop.path, elsewhere(&shop.path)).unwrap();
    for client in [&client, &shop.client(&service)] {
        for reply in [
            client.create(&order("NEW")),
            client.journal_list(&json!({})),
            client.journal_prune(&json!({})),
        ] {
            reply.is(JOURNAL_FAILED);
            assert_eq!(reply.error()["cause"], "journal_replaced");
            reply.says("hard link");
        }
    }
    assert_eq!(service.request_count(), 1);
    fs::remove_file(elsewhere(&shop.path)).unwrap();
    client.create(&order("A")).is(DUPLICATE);
    client.create(&order("NEW")).done();
}

#[test]
fn a_file_with_two_names_does_not_become_a_journal() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    fs::write(&shop.path, "").unwrap();
    fs::hard_link(&shop.path, elsewhere(&shop.path)).unwrap();
    let reply = shop.client(&service).create(&order("A"));
    assert_eq!(reply.error()["cause"], "journal_replaced");
    assert_eq!(fs::read(&shop.path).unwrap(), b"", "nothing was written");
    assert_eq!(service.connections(), 0);
}

#[test]
fn a_log_without_its_journal_is_kept() {
    for empty in [false, true] {
        let (shop, service) = (Shop::new(), Service::responding(created()));
        let client = shop.client(&service);
        client.create(&order("A")).done();
        let saved = elsewhere(&shop.path);
        // As after a crash: the log is not merged into the journal.
        for ending in ENDINGS {
            fs::copy(
                file_with_ending(&shop.path, ending),
                file_with_ending(&saved, ending),
            )
            .unwrap();
        }
        let journal = fs::read(&saved).unwrap();
        fs::remove_file(&saved).unwrap();
        if empty {
            fs::write(&saved, "").unwrap();
        }
        let log = fs::read(file_with_ending(&saved, "-wal")).unwrap();
        let config = support::orders::with(
            &shop.config(&service.url()),
            "journal",
            saved.to_str().unwrap(),
        );
        let reply = Client::new(&config).create(&order("A"));
        reply.is(JOURNAL_FAILED);
        reply.says("-wal");
        assert!(fs::read(file_with_ending(&saved, "-wal")).is_ok_and(|bytes| bytes == log));
        fs::write(&saved, journal).unwrap();
        Client::new(&config).create(&order("A")).is(DUPLICATE);
        assert_eq!(service.request_count(), 1);
    }
}

#[test]
fn the_outcome_is_not_written_to_another_journal() {
    let (shop, another, service) = (Shop::new(), Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    let path = shop.path.clone();
    let (code, log) = with_fault_after_the_intent(&client, "A", move || remove(&path));
    assert_eq!(code, 0);
    check_journal_failed_event(log);
    drop(client);

    let refusing = Service::start([close()]);
    another.client(&refusing).create(&order("OTHER")).is(201);
    let all = "SELECT entry, order_id, state, url, result, updated_ms FROM orders";
    let before = sql(&another.path, &[all]);
    let client = shop.client(&service);
    let (path, other) = (shop.path.clone(), another.path.clone());
    let (code, log) = with_fault_after_the_intent(&client, "A", move || {
        remove(&path);
        fs::copy(&other, &path).unwrap();
    });
    assert_eq!(code, 0);
    check_journal_failed_event(log);
    assert_eq!(
        sql(&shop.path, &[all]),
        before,
        "the other order's entry is unchanged"
    );
}

/// The file stays, but it now contains another journal.
#[test]
fn the_outcome_is_not_written_to_another_order() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("BEFORE")).done();
    let path = shop.path.clone();
    let (code, log) = with_fault_after_the_intent(&client, "A", move || {
        sql(
            &path,
            &["UPDATE orders SET order_id = 'OTHER' WHERE order_id = 'A'"],
        );
    });
    assert_eq!(code, 0);
    check_journal_failed_event(log);
    let entry = &entries(&client)[1];
    assert_eq!(
        [&entry["orderId"], &entry["state"], &entry["url"]],
        [&json!("OTHER"), &json!("sending"), &json!(null)]
    );
}

#[test]
fn resolve_does_not_write_to_another_journal() {
    let (shop, another) = (Shop::new(), Shop::new());
    let service = Service::start([close()]);
    let client = shop.client(&service);
    client.create(&order("A")).is(201);
    another.client(&service).create(&order("OTHER")).is(201);
    let all = "SELECT entry, order_id, state, transaction_id, updated_ms FROM orders";
    let before = sql(&another.path, &[all]);
    service.set_script([respond(http(200, &completed_body("A").to_string()))]);
    let (path, other) = (shop.path.clone(), another.path.clone());
    let _log = Log::reacting(&client, move |event| {
        if event["event"] == "attempt_started" {
            remove(&path);
            fs::copy(&other, &path).unwrap();
        }
    });
    client.journal_resolve(&json!({})).is(JOURNAL_FAILED);
    assert_eq!(sql(&shop.path, &[all]), before);
}

#[test]
#[ignore = "started by nothing_is_sent_if_the_journal_is_replaced_around_a_fork"]
fn replacing_the_journal_around_a_fork() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let path = PathBuf::from(config["journal"].as_str().unwrap());
    let client = Client::new(&config);
    client.create(&order("BEFORE")).done();
    // A fork closes the descriptor, so the next file can get the same inode number.
    let before = fs::metadata(&path).unwrap().ino();
    forked(|| true);
    let bytes = fs::read(&path).unwrap();
    remove(&path);
    let mut same_number = false;
    for attempt in 0..20 {
        let new = path.with_file_name(format!("new-{attempt}"));
        fs::write(&new, &bytes).unwrap();
        same_number |= fs::metadata(&new).unwrap().ino() == before;
        if same_number || attempt == 19 {
            fs::rename(&new, &path).unwrap();
            break;
        }
    }
    println!("the inode number was reused: {same_number}");
    let fails = || {
        let replies = [
            client.create(&order("BEFORE")),
            client.create(&order("NEW")),
        ];
        replies.iter().all(|reply| reply.code == JOURNAL_FAILED)
    };
    forked(fails);
    assert!(fails(), "in the parent");
}

/// Checks that something is true in a forked child.
fn forked(holds: impl FnOnce() -> bool) {
    // SAFETY: the child makes its calls and exits without the parent's exit handlers.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(if holds() { 0 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: `child` is a child process of this test.
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(status, 0, "in the child");
}

#[test]
fn nothing_is_sent_if_the_journal_is_replaced_around_a_fork() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    passed(
        &process("replaced::replacing_the_journal_around_a_fork", &config)
            .output()
            .unwrap(),
    );
    assert_eq!(service.request_count(), 1);
}

#[test]
fn a_journal_in_another_mode_is_switched_to_wal_mode() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    shop.client(&service).create(&order("A")).done();
    let copy = copy(&shop.path);
    remove(&shop.path);
    fs::rename(copy, &shop.path).unwrap();
    assert_eq!(
        sql(&shop.path, &["PRAGMA journal_mode"]),
        json!([["delete"]])
    );
    let client = shop.client(&service);
    client.create(&order("A")).is(DUPLICATE);
    assert_eq!(sql(&shop.path, &["PRAGMA journal_mode"]), json!([["wal"]]));
    client.create(&order("B")).done();
    is_sound(&shop.path);
}
