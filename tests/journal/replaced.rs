//! After the journal's file was moved, deleted or replaced, nothing is sent, and nothing is written
//! to a file that does not contain the order.

use super::till::Till;
use super::unusable::lose_the_outcome;
use serde_json::json;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use support::abi::Client;
use support::built::process::{own_config, run};
use support::log::Log;
use support::orders::with;
use support::responses::{created, http, status_body};
use support::result::{DUPLICATE, JOURNAL_FAILED};
use support::rows::Rows;
use support::service::{Service, respond};
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

/// Moves the journal with the files that belong to it.
fn move_away(path: &Path) {
    for ending in ENDINGS {
        let other = file_with_ending(&elsewhere(path), ending);
        fs::rename(file_with_ending(path, ending), other).unwrap();
    }
}

/// Which of its files exist.
fn files(path: &Path) -> [bool; 3] {
    ENDINGS.map(|ending| file_with_ending(path, ending).exists())
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
    ("moved", move_away),
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
        let till = Till::with("created");
        let second = till.shop.client(&till.service);
        second.create(&order("B")).done();
        let path = &till.shop.path;
        act(path);
        let left = files(path);
        for (number, client) in [&till.client, &second].iter().enumerate() {
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
        rows.same(way, till.service.request_count(), 2);
        rows.same(&format!("{way}: files"), files(path), left);
    }
    rows.end();
}

#[test]
fn a_journal_that_is_put_back_is_used_by_new_clients_only() {
    let till = Till::with("created");
    let second = till.shop.client(&till.service);
    second.create(&order("B")).done();
    let path = &till.shop.path;
    fs::rename(path, elsewhere(path)).unwrap();
    // When one client of the process notices it, the other one must not use it either.
    till.client.create(&order("A")).is(JOURNAL_FAILED);
    fs::rename(elsewhere(path), path).unwrap();
    for client in [&till.client, &second] {
        client.create(&order("A")).is(JOURNAL_FAILED);
    }
    let new = till.shop.client(&till.service);
    new.create(&order("A")).is(DUPLICATE);
    assert_eq!(states(&entries(&new)), ["A: created", "B: created"]);
    assert_eq!(till.service.request_count(), 2);
    drop((till.client, second));
    new.create(&order("C")).done();
    is_sound(path);
}

#[test]
fn a_moved_journal_does_not_touch_the_log_of_its_successor() {
    let till = Till::new();
    let path = &till.shop.path;
    till.add("OLD", "created");
    move_away(path);
    let new = till.shop.client(&till.service);
    new.create(&order("NEW")).done();
    till.client.create(&order("NEW")).is(JOURNAL_FAILED);
    drop(till.client);
    let log = file_with_ending(path, "-wal");
    assert!(log.exists(), "the new journal has a log");
    let orders = |path: &Path| sql(path, &["SELECT order_id FROM payorder_orders"]);
    assert_eq!(orders(path), json!([["NEW"]]), "read by another process");
    assert_eq!(orders(&elsewhere(path)), json!([["OLD"]]));
}

#[test]
fn with_a_journal_that_has_two_names_nothing_is_sent() {
    let till = Till::with("created");
    let path = &till.shop.path;
    fs::hard_link(path, elsewhere(path)).unwrap();
    for client in [&till.client, &till.shop.client(&till.service)] {
        for reply in [
            client.create(&order("NEW")),
            client.journal_list(&json!({})),
            client.journal_prune(&json!({})),
        ] {
            reply.is(JOURNAL_FAILED).says("hard link");
            assert_eq!(reply.error()["cause"], "journal_replaced");
        }
    }
    assert_eq!(till.service.request_count(), 1);
    fs::remove_file(elsewhere(path)).unwrap();
    till.client.create(&order("A")).is(DUPLICATE);
    till.client.create(&order("NEW")).done();
    // Nor does such a file become a journal.
    let till = Till::new();
    let path = &till.shop.path;
    fs::write(path, "").unwrap();
    fs::hard_link(path, elsewhere(path)).unwrap();
    let reply = till.client.create(&order("A"));
    assert_eq!(reply.error()["cause"], "journal_replaced");
    assert_eq!(fs::read(path).unwrap(), b"", "nothing was written");
    assert_eq!(till.service.connections(), 0);
}

#[test]
fn a_log_without_its_journal_is_kept() {
    for empty in [false, true] {
        let till = Till::with("created");
        let path = &till.shop.path;
        let saved = elsewhere(path);
        // As after a crash: the log is not merged into the journal.
        for ending in ENDINGS {
            let file = file_with_ending(path, ending);
            fs::copy(file, file_with_ending(&saved, ending)).unwrap();
        }
        let journal = fs::read(&saved).unwrap();
        fs::remove_file(&saved).unwrap();
        if empty {
            fs::write(&saved, "").unwrap();
        }
        let log = fs::read(file_with_ending(&saved, "-wal")).unwrap();
        let config = till.shop.config(&till.service.url());
        let config = with(&config, "journal", saved.to_str());
        let reply = Client::new(&config).create(&order("A"));
        reply.is(JOURNAL_FAILED);
        reply.says("-wal");
        assert!(fs::read(file_with_ending(&saved, "-wal")).is_ok_and(|bytes| bytes == log));
        fs::write(&saved, journal).unwrap();
        Client::new(&config).create(&order("A")).is(DUPLICATE);
        assert_eq!(till.service.request_count(), 1);
    }
}

/// A journal that no client has open, with the order OTHER.
fn another_journal() -> Shop {
    let till = Till::new();
    till.add("OTHER", "unknown");
    till.shop
}

#[test]
fn the_outcome_is_not_written_to_another_journal() {
    let all = "SELECT entry, order_id, state, url, result, updated_ms FROM payorder_orders";
    let (till, another) = (Till::new(), another_journal());
    let before = sql(&another.path, &[all]);
    let (path, other) = (till.shop.path.clone(), another.path.clone());
    lose_the_outcome(&till.client, move || {
        remove(&path);
        fs::copy(&other, &path).unwrap();
    });
    assert_eq!(sql(&till.shop.path, &[all]), before);
    let till = Till::new();
    let path = till.shop.path.clone();
    lose_the_outcome(&till.client, move || remove(&path));
}

/// The file stays, but it now contains another journal.
#[test]
fn the_outcome_is_not_written_to_another_order() {
    let till = Till::new();
    till.add("BEFORE", "created");
    let path = till.shop.path.clone();
    let another = "UPDATE payorder_orders SET order_id = 'OTHER' WHERE order_id = 'A'";
    lose_the_outcome(&till.client, move || drop(sql(&path, &[another])));
    let found = ["orderId", "state", "url"].map(|key| till.entries()[1][key].clone());
    assert_eq!(found, [json!("OTHER"), json!("sending"), json!(null)]);
}

/// What only the journal could tell is not known any more: a till may have sent an order meanwhile.
#[test]
fn recover_returns_what_was_answered_after_the_journal_was_lost() {
    let service = Service::deciding(|query| match query.order_id.as_str() {
        _ if query.is_order => respond(created()),
        "A" => respond(http(200, status_body("A", &json!({})).to_string())),
        _ => respond(http(404, r#"{"responseCode":"404","responseMessage":"?"}"#)),
    });
    let shop = Shop::new();
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let path = shop.path.clone();
    Log::reacting(&client, move |event| {
        if event["event"] == "attempt_finished" {
            remove(&path);
        }
    });
    let sales = json!([{"orderId": "A", "amount": "100.10"}, {"orderId": "C", "amount": "1.00"}]);
    let recovered = client.recover(Some(&sales), &json!({})).done();
    let verdicts = [0, 1].map(|place| &recovered["sales"][place]["verdict"]);
    assert_eq!(verdicts, ["paid", "unknown"]);
    support::log::unset_log(client.key());
}

#[test]
fn resolve_does_not_write_to_another_journal() {
    let all = "SELECT entry, order_id, state, transaction_id, updated_ms FROM payorder_orders";
    let (till, another) = (Till::with("unknown"), another_journal());
    let before = sql(&another.path, &[all]);
    till.says("A", json!({}));
    let (path, other) = (till.shop.path.clone(), another.path.clone());
    let _log = Log::reacting(&till.client, move |event| {
        if event["event"] == "attempt_started" {
            remove(&path);
            fs::copy(&other, &path).unwrap();
        }
    });
    till.client.journal_resolve(&json!({})).is(JOURNAL_FAILED);
    assert_eq!(sql(&till.shop.path, &[all]), before);
}

/// Starts a child that does this, and exits without its parent's exit handlers.
fn fork(holds: impl FnOnce() -> bool) -> libc::pid_t {
    // SAFETY: the child makes its calls and exits.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(if holds() { 0 } else { 1 }) };
    }
    child
}

/// Waits for a child, which must have done what it should.
#[track_caller]
fn is_done_by(child: libc::pid_t) {
    let mut status = 0;
    // SAFETY: `child` is a child process of this test.
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(status, 0, "in the child");
}

#[test]
#[ignore = "started by nothing_is_sent_if_the_journal_is_replaced_around_a_fork"]
fn replacing_the_journal_around_a_fork() {
    let Some(config) = own_config() else { return };
    let path = PathBuf::from(config["journal"].as_str().unwrap());
    let client = Client::new(&config);
    client.create(&order("BEFORE")).done();
    // A fork closes the descriptor, so the next file can get the same inode number.
    let before = fs::metadata(&path).unwrap().ino();
    is_done_by(fork(|| true));
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
    is_done_by(fork(fails));
    assert!(fails(), "in the parent");
}

#[test]
fn nothing_is_sent_if_the_journal_is_replaced_around_a_fork() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    run("replaced::replacing_the_journal_around_a_fork", &config);
    assert_eq!(service.request_count(), 1);
}

#[test]
fn a_journal_in_another_mode_is_switched_to_wal_mode() {
    let till = Till::with("created");
    let path = &till.shop.path;
    drop(till.client);
    let copy = copy(path);
    remove(path);
    fs::rename(copy, path).unwrap();
    let mode = || sql(path, &["PRAGMA journal_mode"]);
    assert_eq!(mode(), json!([["delete"]]));
    let client = till.shop.client(&till.service);
    client.create(&order("A")).is(DUPLICATE);
    assert_eq!(mode(), json!([["wal"]]));
    client.create(&order("B")).done();
    is_sound(path);
}
