//! A database that cannot be used: nothing is sent, and the error says why and what to do.

use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::json;
use support::abi::Client;
use support::log::Log;
use support::orders::with;
use support::postgres::{Database, PASSWORD, shared};
use support::relay::Relay;
use support::responses::{created, http};
use support::result::{DUPLICATE, INVALID_CONFIG, JOURNAL_FAILED, REJECTED};
use support::rows::Rows;
use support::service::{Service, respond_after};
use support::shop::{entries, order, states};
use support::table;
use support::unreachable::Unreachable;

use crate::{database, journal_in};

/// Checks that nothing is sent, listed, resolved or pruned, and what the errors say.
fn check(rows: &mut Rows, what: &str, database: &Database, cause: &str, action: &str, words: &str) {
    let service = Service::responding(created());
    // A server that answers may be busy.
    let longest = if action == "retry_later" { 400 } else { 20_000 };
    let config = with(
        &journal_in(database, &service.url()),
        "connectTimeoutMs",
        longest,
    );
    let client = Client::new(&config);
    let log = Log::of(&client);
    for (call, reply) in [
        ("create", client.create(&order("NEW"))),
        ("list", client.journal_list(&json!({}))),
        ("resolve", client.journal_resolve(&json!({}))),
        ("prune", client.journal_prune(&json!({}))),
    ] {
        let row = format!("{what}, {call}");
        rows.code(&row, &reply, JOURNAL_FAILED);
        let found = ["outcome", "cause", "action"].map(|key| &reply.error()[key]);
        let right = json!(found) == json!(["not_sent", cause, action]);
        rows.holds(&row, right, reply.text());
        rows.says(&row, &reply, words);
        // A till with two journals must know which one.
        rows.says(&row, &reply, &database.host);
        rows.says(&row, &reply, &database.name);
        rows.holds(&row, !reply.text().contains(PASSWORD), reply.text());
    }
    let shown = log.texts().join("\n");
    rows.holds(what, !shown.contains(PASSWORD), &shown);
    rows.same(what, service.connections(), 0);
}

#[test]
fn a_server_that_does_not_answer_is_reported_in_time() {
    let Some(database) = database() else { return };
    let nobody = Unreachable::refusing();
    let full = Unreachable::full_queue();
    let web = Service::responding(http(200, "{}"));
    let silent = Service::start([vec![support::service::Step::Silence]]);
    let mut rows = Rows::new();
    for (what, port) in table! {
        "nobody listens", nobody.port();
        "connecting hangs", full.port();
        "a web server", web.port();
        "a silent server", silent.port();
    } {
        let began = Instant::now();
        let unreachable = database.at(port);
        check(
            &mut rows,
            what,
            &unreachable,
            "journal_unavailable",
            "retry_later",
            "",
        );
        // Four calls, each at most as long as connectTimeoutMs.
        let took = began.elapsed();
        rows.that(what, took < Duration::from_millis(4000), || {
            format!("{took:?}")
        });
    }
    let admin = shared().expect("a server").database();
    let closed = admin.fresh_database("UTF8").role(&database.role);
    admin.sql(&format!(
        "REVOKE CONNECT ON DATABASE {} FROM PUBLIC",
        closed.name
    ));
    for (what, other, words) in [
        (
            "no such database",
            Database {
                name: "nothing".into(),
                ..database.clone()
            },
            "does not exist",
        ),
        ("no such role", database.role("nobody"), "does not exist"),
        ("no right to connect", closed, "permission denied"),
        (
            "a setting that it refuses",
            database.with("options=-cwork_mem%3Dmuch"),
            "work_mem",
        ),
    ] {
        check(
            &mut rows,
            what,
            &other,
            "journal_unavailable",
            "fix_configuration",
            words,
        );
    }
    rows.end();
}

#[test]
fn tables_that_are_not_of_this_version_are_not_used() {
    let Some(server) = shared() else { return };
    let mut rows = Rows::new();
    for (what, before, change, cause, action, words) in table! {
        "another program's orders", false, "CREATE TABLE payorder_orders (note text)",
            "journal_foreign", "fix_configuration", "another program";
        "another program's version", false, "CREATE TABLE payorder_version (note text)",
            "journal_foreign", "fix_configuration", "another program";
        "a newer version", true, "UPDATE payorder_version SET version = 2",
            "journal_newer", "fix_configuration", "newer";
        "no version", true, "DELETE FROM payorder_version",
            "journal_foreign", "fix_configuration", "";
        "a column is gone", true, "ALTER TABLE payorder_orders DROP COLUMN url",
            "journal_foreign", "fix_configuration", "";
        "another type", true, "ALTER TABLE payorder_orders ALTER COLUMN url TYPE bytea
            USING url::bytea", "journal_foreign", "fix_configuration", "";
        "no unique index", true, "DROP INDEX payorder_orders_by_order",
            "journal_foreign", "fix_configuration", "";
        "orders are gone", true, "DROP TABLE payorder_orders CASCADE",
            "journal_foreign", "fix_configuration", "";
        "events are gone", true, "DROP TABLE payorder_events", "journal_foreign", "fix_configuration", "";
    } {
        let database = server.database().fresh();
        let service = Service::responding(created());
        if before {
            Client::new(&journal_in(&database, &service.url()))
                .create(&order("A"))
                .done();
        }
        database.sql(change);
        check(&mut rows, what, &database, cause, action, words);
    }
    rows.end();
}

#[test]
fn tables_that_are_moved_away_or_dropped_are_missed_by_a_client_that_used_them() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
    client.create(&order("A")).done();
    let mut rows = Rows::new();
    let mut fails = |what: &str| {
        // Also over a new connection: it makes no tables again, in which nothing is.
        for _ in 0..2 {
            rows.code(what, &client.create(&order("A")), JOURNAL_FAILED);
            rows.code(what, &client.create(&order("B")), JOURNAL_FAILED);
            relay.cut_all();
        }
    };
    database.sql("ALTER TABLE payorder_orders RENAME TO away");
    fails("moved");
    database.sql("ALTER TABLE away RENAME TO payorder_orders");
    client.create(&order("A")).is(DUPLICATE);
    database.sql("DROP TABLE payorder_orders, payorder_events, payorder_version");
    fails("dropped");
    assert_eq!(database.sql("SELECT to_regclass('payorder_orders')"), "");
    // Another till makes new ones, which are not those of this client.
    let other = Client::new(&journal_in(&database, &service.url()));
    other.create(&order("OTHER")).done();
    fails("replaced");
    rows.end();
    assert_eq!(service.request_count(), 2);
}

/// After a failover to a standby that was behind, or with a restored backup.
#[test]
fn a_client_whose_entry_the_database_lost_writes_no_other_entry_and_sends_nothing_more() {
    let Some(database) = database() else { return };
    let set_back = database.clone();
    let service = Service::deciding(move |_| {
        // Another machine sends the same order, whose entry got the same number.
        set_back.sql("UPDATE payorder_orders SET entry_key = 'of another machine'");
        respond_after(Duration::ZERO, http(400, r#"{"responseCode":"400"}"#))
    });
    let client = Client::new(&journal_in(&database, &service.url()));
    client.create(&order("A")).is(REJECTED);
    let other = Client::new(&journal_in(&database, &service.url()));
    assert_eq!(states(&entries(&other)), ["A: sending"]);
    let refused = client.create(&order("B"));
    assert_eq!(
        refused.is(JOURNAL_FAILED).error()["cause"],
        "journal_replaced"
    );
    assert_eq!(service.request_count(), 1);
}

#[test]
fn a_lost_entry_is_missed_by_an_outcome_that_is_written_late() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let relay = Arc::new(Relay::to(database.port));
    let config = journal_in(&database.at(relay.port()), &service.url());
    let client = Client::new(&config);
    client.create(&order("A")).done();
    let stalled = Arc::clone(&relay);
    Log::reacting(&client, move |event| {
        if event["event"] == "attempt_started" {
            stalled.stall(true);
        }
    });
    client
        .create_with(&order("B"), &json!({"timeoutMs": 500}))
        .done();
    support::log::unset_log(client.key());
    relay.stall(false);
    database.sql("UPDATE payorder_orders SET entry_key = NULL");
    let refused = client.create(&order("C"));
    let error = refused.is(JOURNAL_FAILED).error();
    assert_eq!(error["cause"], "journal_replaced", "{error}");
    assert_eq!(service.request_count(), 2);
}

#[test]
fn a_database_in_another_encoding_is_not_used() {
    let Some(server) = shared() else { return };
    let mut rows = Rows::new();
    for encoding in ["SQL_ASCII", "LATIN1"] {
        let database = server.database().fresh_database(encoding);
        check(
            &mut rows,
            encoding,
            &database,
            "journal_foreign",
            "fix_configuration",
            encoding,
        );
    }
    rows.end();
}

#[test]
fn a_database_that_can_only_be_read_is_read_only() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    Client::new(&journal_in(&database, &service.url()))
        .create(&order("A"))
        .done();
    let alter = format!("ALTER ROLE {} SET", database.role);
    database.sql(&format!("{alter} default_transaction_read_only = on"));
    let client = Client::new(&journal_in(&database, &service.url()));
    let reply = client.create(&order("B"));
    reply.is(JOURNAL_FAILED);
    assert_eq!(
        reply.error()["cause"],
        "journal_read_only",
        "{}",
        reply.text()
    );
    assert_eq!(states(&entries(&client)), ["A: created"], "it can be read");
    assert_eq!(service.request_count(), 1);
}

#[test]
fn a_uri_that_libpq_refuses_or_that_is_misspelt_is_an_invalid_config() {
    let Some(_) = shared() else { return };
    let mut rows = Rows::new();
    for uri in [
        format!("postgresql://role:{PASSWORD}@[::1/shop"),
        format!("postgresql://role:{PASSWORD}@%zz/shop"),
        format!("postgresql://role:{PASSWORD}@host/shop\n"),
        format!("postgresql://role:{PASSWORD}@host/shop?nonsense=1"),
        format!("postgresql://role:{PASSWORD}@host/shop?sslmode"),
        format!("postgres://role:{PASSWORD}@host/shop?=x"),
        format!("Postgresql:/role:{PASSWORD}@host/shop"),
        format!("postgresql//role:{PASSWORD}@host/shop"),
        format!("postgrsql:/role:{PASSWORD}@host/shop"),
        format!("pg:/role:{PASSWORD}@host/shop"),
        format!("role:{PASSWORD}@127.0.0.1/missing/shop"),
        format!("role:/{PASSWORD}@127.0.0.1/shop"),
        format!("host=missing/shop user=role passwd = {PASSWORD}"),
    ] {
        let config = with(
            &support::orders::config("https://pay.example.com"),
            "journal",
            &*uri,
        );
        match Client::try_new(&config) {
            Ok(_) => rows.holds(&uri, false, "it was accepted"),
            Err(reply) => {
                rows.code(&uri, &reply, INVALID_CONFIG);
                rows.says(&uri, &reply, "journal");
                let has_break = uri.contains('\n');
                rows.same(&uri, reply.text().contains("line break"), has_break);
                rows.holds(&uri, !reply.text().contains(PASSWORD), reply.text());
            }
        }
    }
    rows.end();
}

/// Without it, the system calls the address invalid.
#[test]
fn a_link_local_address_keeps_its_network_interface() {
    let Some(database) = database() else { return };
    let link_local = Database {
        host: "[fe80::1%25lo]".into(),
        ..database
    };
    let service = Service::responding(created());
    let config = journal_in(&link_local, &service.url());
    let reply = Client::new(&with(&config, "connectTimeoutMs", 400)).create(&order("A"));
    let text = reply.is(JOURNAL_FAILED).text();
    assert!(!text.contains("Invalid argument"), "{text}");
}
