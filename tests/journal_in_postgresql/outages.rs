//! The database stops while orders are made: killed, stopped at once, restarted, or failed over to
//! a synchronous standby. No order is received twice, none is lost, and each call ends in time.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::thread;
use std::time::Duration;

use serde_json::json;
use support::abi::Client;
use support::patience::until;
use support::postgres::{Database, Server};
use support::responses::{created, http};
use support::result::JOURNAL_FAILED;
use support::service::{Service, respond};
use support::shop::{entries, order};

use crate::journal_in;
use crate::sales::Sales;

const TILLS: usize = 4;

/// Several tills make orders, each with a client of its own, while this is done.
fn sell_during(database: &Database, sales: &Sales, act: impl FnOnce(&dyn Fn(usize))) {
    let (is_over, done) = (AtomicBool::new(false), AtomicUsize::new(0));
    thread::scope(|scope| {
        for till in 0..TILLS {
            let (is_over, done) = (&is_over, &done);
            scope.spawn(move || {
                let client: Client = sales.client(database);
                for number in 0.. {
                    if is_over.load(SeqCst) {
                        return;
                    }
                    // Two tills have the same orders.
                    let order_id = format!("{}-{number}", till / 2);
                    // What was not sent is sent again.
                    for _ in 0..3 {
                        let code = sales.create(&client, &order_id);
                        if code == 0 {
                            done.fetch_add(1, SeqCst);
                        }
                        if !(1..100).contains(&code) {
                            break;
                        }
                        thread::sleep(Duration::from_millis(20));
                    }
                }
            });
        }
        // Waits for so many more orders.
        act(&|more| {
            let before = done.load(SeqCst);
            until(|| done.load(SeqCst) >= before + more);
        });
        is_over.store(true, SeqCst);
    });
}

/// A commit that does not insist is on the disk ten seconds later.
const LAX: &str = "synchronous_commit = off\nwal_writer_delay = 10s\n";

fn outages(acts: &[fn(&Server)]) {
    let Some(server) = Server::start_with(LAX) else {
        return;
    };
    let database = server.database().fresh();
    server.database().sql("CHECKPOINT");
    let sales = Sales::new();
    sell_during(&database, &sales, |sold| {
        sold(20);
        for act in acts {
            act(&server);
            thread::sleep(Duration::from_millis(200));
            server.run();
            sold(20);
        }
    });
    println!("{} orders; calls: {:?}", sales.received(), sales.results());
    sales.check(&database);
    sales.recover(&database);
    sales.check(&database);
}

#[test]
fn what_a_call_has_returned_survives_a_crash() {
    let Some(server) = Server::start_with(LAX) else {
        return;
    };
    let database = server.database().fresh();
    let sales = Sales::new();
    sales.sell(&sales.client(&database), "A");
    let crash = || {
        server.kill();
        server.run();
        entries(&sales.client(&database)).remove(0)
    };
    let created = crash();
    assert!(created["url"].is_string(), "{created}");
    let settle = json!({"entry": created["entry"]});
    sales.client(&database).journal_settle(&settle).done();
    assert_eq!(crash()["state"], "settled");
}

#[test]
fn a_killed_database_loses_no_order() {
    outages(&[Server::kill]);
}

#[test]
#[ignore = "takes a minute"]
fn a_database_that_is_killed_and_stopped_again_and_again_loses_no_order() {
    outages(&[Server::kill, Server::stop].repeat(10));
}

/// The database on the one of two servers that can be written.
fn on_both(database: &Database, first: &Server, standby: &Server) -> Database {
    Database {
        host: format!("127.0.0.1:{},127.0.0.1", first.port()),
        port: standby.port(),
        parameters: "target_session_attrs=read-write".to_owned(),
        ..database.clone()
    }
}

#[test]
#[ignore = "makes a standby"]
fn a_failover_to_a_synchronous_standby_loses_no_order() {
    let Some(first) = Server::start() else { return };
    let database = first.database().fresh();
    let standby = first.synchronous_standby();
    let both = on_both(&database, &first, &standby);
    let sales = Sales::new();
    let mut before = 0;
    sell_during(&both, &sales, |sold| {
        sold(40);
        first.kill();
        before = sales.received();
        standby.promote();
        sold(40);
    });
    println!(
        "{before} orders before the failover, {} in sum; calls: {:?}",
        sales.received(),
        sales.results()
    );
    let database = database.at(standby.port());
    sales.check(&database);
    sales.recover(&database);
}

#[test]
#[ignore = "makes a standby"]
fn a_client_follows_a_planned_switch_over() {
    let Some(first) = Server::start() else { return };
    let database = first.database().fresh();
    let standby = first.synchronous_standby();
    let both = on_both(&database, &first, &standby);
    let sales = Sales::new();
    let client = sales.client(&both);
    sales.sell(&client, "A");
    first.configure("default_transaction_read_only = on");
    first.reload();
    let setting = "SHOW default_transaction_read_only";
    until(|| first.database().sql(setting) == "on");
    standby.promote();
    sales.sell(&client, "B");
    sales.check(&database.at(standby.port()));
}

#[test]
#[ignore = "makes a standby"]
fn a_standby_alone_is_read_only() {
    let Some(first) = Server::start() else { return };
    let database = first.database().fresh();
    let sales = Sales::new();
    let client = sales.client(&database);
    let standby = first.synchronous_standby();
    sales.sell(&client, "A");
    let read_only = sales.client(&database.at(standby.port()));
    let reply = read_only.create(&order("B"));
    reply.is(JOURNAL_FAILED);
    assert_eq!(
        reply.error()["cause"],
        "journal_read_only",
        "{}",
        reply.text()
    );
    // What it has may be old.
    read_only.journal_list(&json!({})).is(JOURNAL_FAILED);
    // Without its standby the server commits nothing: the call ends at its deadline, unsent.
    drop(standby);
    assert_ne!(sales.create(&client, "C"), 0);
    sales.check(&database);
}

/// Without target_session_attrs, a client that cannot reach the first host connects to the next one.
#[test]
#[ignore = "makes a standby"]
fn a_standby_that_is_behind_gives_no_verdict() {
    let Some(first) = Server::start() else { return };
    let database = first.database().fresh();
    // It does not know the order yet.
    let service = Service::deciding(|query| match query.is_order {
        true => respond(created()),
        false => respond(http(
            404,
            r#"{"responseCode":"404","responseMessage":"Not found"}"#,
        )),
    });
    let client = Client::new(&journal_in(&database, &service.url()));
    client.create(&order("A")).done();
    let standby = first.synchronous_standby();
    standby.database().sql("SELECT pg_wal_replay_pause()");
    let both = on_both(&database, &first, &standby).with("");
    let config = journal_in(&both, &service.url());
    let client = Client::new(&config);
    client.create(&order("B")).done();
    first.kill();
    let lost = json!([{"orderId": "B", "amount": "100.10"}]);
    for client in [client, Client::new(&config)] {
        let reply = client.recover(Some(&lost), &json!({}));
        let error = reply.is(JOURNAL_FAILED).error();
        assert_eq!(error["cause"], "journal_read_only", "{error}");
    }
}
