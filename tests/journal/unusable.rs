//! If the journal cannot be written, the call reports it and nothing is sent. If that happens only
//! after the order was sent, the call keeps its own result.

use super::till::Till;
use serde_json::json;
use std::fs;
use support::abi::Client;
#[cfg(unix)]
use support::disk::Disk;
#[cfg(unix)]
use support::log::Log;
use support::orders::{config, with};
use support::responses::created;
use support::result::{DUPLICATE, INVALID_CONFIG, JOURNAL_FAILED};
use support::rows::Rows;
use support::service::Service;
#[cfg(unix)]
use support::shop::{Journal, is_sound};
use support::shop::{LockHolder, Shop, entries, order, sql, states};
use support::table;

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
    let till = Till::new();
    for number in 0..50 {
        till.client.create(&order(&format!("O-{number}"))).done();
    }
    drop(till.client);
    let mut bytes = fs::read(&till.shop.path).unwrap();
    assert!(bytes.len() > 3 * 4096);
    bytes[4096..].fill(0x5a);
    fs::write(&till.shop.path, bytes).unwrap();
    check_unusable(&till.shop, "journal_damaged", "damaged");
}

#[test]
fn a_journal_of_a_newer_version_is_not_used() {
    let till = Till::with("created");
    drop(till.client);
    let path = &till.shop.path;
    sql(path, &["PRAGMA user_version = 2"]);
    check_unusable(&till.shop, "journal_newer", "newer");
    sql(path, &["PRAGMA user_version = 1"]);
    let client = till.shop.client(&till.service);
    assert_eq!(states(&entries(&client)), ["A: created"]);
}

#[test]
fn an_empty_file_becomes_a_journal() {
    let till = Till::new();
    fs::write(&till.shop.path, "").unwrap();
    till.client.create(&order("A")).done();
    till.client.create(&order("A")).is(DUPLICATE);
}

#[test]
fn a_call_waits_while_another_process_creates_the_journal() {
    let till = Till::new();
    sql(&till.shop.path, &["VACUUM"]);
    let holder = LockHolder::of(&till.shop.path);
    let short = json!({"timeoutMs": 300});
    let reply = till.client.create_with(&order("A"), &short);
    reply.is(JOURNAL_FAILED);
    assert_eq!(till.service.connections(), 0);
    drop(holder);
    till.client.create(&order("A")).done();
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
        json!(["journal.db"]),
    ] {
        let row = journal.to_string();
        let config = with(&config("https://pay.example.com"), "journal", journal);
        match Client::try_new(&config) {
            Ok(_) => rows.holds(&row, false, "it was accepted"),
            Err(reply) => {
                rows.code(&row, &reply, INVALID_CONFIG);
                rows.says(&row, &reply, "journal");
            }
        }
    }
    rows.end();
    Client::new(&shop.config("https://pay.example.com"));
    let made = shop.path.exists();
    assert!(!made, "the file is created when it is first needed");
}

#[cfg(windows)]
#[test]
#[ignore = "started by a_client_library_of_postgresql_that_cannot_be_loaded_is_an_invalid_config"]
fn making_a_client_in_a_process() {
    use support::built::process::{own_config, tell};

    let Some(config) = own_config() else { return };
    tell(&Client::try_new(&config).err().expect("an error"));
}

/// tests/journal_in_postgresql/libpq.rs tests it on other systems.
#[cfg(windows)]
#[test]
fn a_client_library_of_postgresql_that_cannot_be_loaded_is_an_invalid_config() {
    use support::built::process::{passed, process, told};

    let shop = Shop::new();
    let text = shop.folder.file("text.dll", "not a library");
    let journal = json!("postgresql://u@127.0.0.1:1/d");
    let config = with(&config("https://pay.example.com"), "journal", journal);
    let mut rows = Rows::new();
    for (file, why) in [
        (
            r"C:\nothing\libpq.dll",
            "a DLL that it needs, was not found",
        ),
        (&text, "for another processor"),
        // It has other functions.
        ("kernel32.dll", "has not all functions"),
    ] {
        let mut test = process("unusable::making_a_client_in_a_process", &config);
        let output = test.env("PAYORDER_LIBPQ", file).output();
        let reply = told(&passed(&output.expect("it starts")));
        rows.code(file, &reply, INVALID_CONFIG);
        rows.says(file, &reply, why);
        rows.says(file, &reply, "next to the program");
    }
    rows.end();
}

/// Creates the order A, and calls `fault` after the intent was written and before anything is sent.
/// The outcome cannot be written: the call keeps its own result, and the log says so.
#[cfg(unix)]
#[track_caller]
pub fn lose_the_outcome(client: &Client, fault: impl Fn() + Send + Sync + 'static) {
    let log = Log::reacting(client, move |event| {
        if event["event"] == "attempt_started" {
            fault();
        }
    });
    let time = json!({"timeoutMs": 5000});
    client.create_with(&order("A"), &time).done();
    support::log::unset_log(client.key());
    assert!(log.names().contains(&"journal_failed".to_owned()));
}

#[cfg(unix)]
#[test]
fn on_a_full_disk_nothing_is_sent_and_nothing_is_lost() {
    let mut till = Till::new();
    let Some(disk) = Disk::of(&till.shop.folder.path().join("disk"), 256) else {
        return;
    };
    till.shop.path = disk.path().join("journal.db");
    till.shop.journal = Journal::File(till.shop.path.clone());
    Disk::fill(disk.path());
    check_unusable(&till.shop, "journal_full", "full");
    Disk::make_room(disk.path());
    let client = till.shop.client(&till.service);
    client.create(&order("FIRST")).done();
    Disk::fill(disk.path());
    let reply = client.create(&order("SECOND"));
    reply.is(JOURNAL_FAILED).says("full");
    assert_eq!(reply.error()["cause"], "journal_full", "{}", reply.text());
    assert_eq!(till.service.request_count(), 1, "nothing was sent");
    // Its entries are still known.
    client.create(&order("FIRST")).is(DUPLICATE);
    Disk::make_room(disk.path());
    client.create(&order("SECOND")).done();
    let folder = disk.path().to_owned();
    lose_the_outcome(&client, move || Disk::fill(&folder));
    Disk::make_room(disk.path());
    client.create(&order("A")).is(DUPLICATE);
    let first = &states(&entries(&client))[..2];
    assert_eq!(first, ["FIRST: created", "SECOND: created"]);
    is_sound(&till.shop.path);
}

#[cfg(unix)]
#[test]
fn a_prune_on_a_full_disk_says_that_nothing_was_removed() {
    let mut till = Till::new();
    let Some(disk) = Disk::of(&till.shop.folder.path().join("disk"), 256) else {
        return;
    };
    till.shop.path = disk.path().join("journal.db");
    till.shop.journal = Journal::File(till.shop.path.clone());
    till.client = till.shop.client(&till.service);
    till.add("A", "rejected");
    till.change("updated_ms = 1");
    Disk::fill(disk.path());
    let reply = till.client.journal_prune(&json!({}));
    reply.is(JOURNAL_FAILED).says("full");
    assert_eq!(states(&till.entries()), ["A: rejected"]);
    Disk::make_room(disk.path());
    assert_eq!(till.client.journal_prune(&json!({}))["removed"], 1);
}
