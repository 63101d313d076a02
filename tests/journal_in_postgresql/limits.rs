//! Limits of the server: connections, disk, times.

use std::fs;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use support::abi::Client;
use support::built::process::{own_config, process};
use support::disk::Disk;
use support::patience::until;
use support::postgres::{Server, shared};
use support::responses::created;
use support::result::{DUPLICATE, JOURNAL_FAILED};
use support::service::Service;
use support::shop::{entries, order, states};
use support::tls::Folder;

use crate::{database, journal_in};

#[test]
fn a_server_without_a_free_connection_is_an_error_until_one_is_free() {
    let Some(server) =
        Server::start_with("max_connections = 6\nsuperuser_reserved_connections = 3\n")
    else {
        return;
    };
    let database = server.database().fresh();
    let service = Service::responding(created());
    let config = journal_in(&database, &service.url());
    let persons = [(); 3].map(|()| database.person("SELECT 1"));
    let client = Client::new(&config);
    let reply = client.create(&order("A"));
    reply.is(JOURNAL_FAILED);
    let found = ["cause", "action"].map(|key| &reply.error()[key]);
    assert_eq!(
        found,
        ["journal_unavailable", "retry_later"],
        "{}",
        reply.text()
    );
    assert_eq!(service.connections(), 0);
    drop(persons);
    let began = Instant::now();
    while client.create(&order("A")).code != 0 {
        assert!(
            began.elapsed() < Duration::from_secs(10),
            "it is never free"
        );
    }
    client.create(&order("A")).is(DUPLICATE);
}

#[test]
fn a_servers_own_time_limits_send_nothing_twice() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let config = journal_in(&database, &service.url());
    Client::new(&config).create(&order("A")).done();
    let admin = shared().expect("a server").database();
    let role = &database.role;
    admin.sql(&format!(
        "ALTER ROLE {role} SET statement_timeout = '200ms';
         ALTER ROLE {role} SET idle_in_transaction_session_timeout = '500ms';
         ALTER ROLE {role} SET idle_session_timeout = '500ms'"
    ));
    let client = Client::new(&config);
    for number in 0..3 {
        client.create(&order(&format!("O-{number}"))).done();
        std::thread::sleep(Duration::from_secs(1));
    }
    let schema = &database.role;
    let held = admin.person(&format!("BEGIN; LOCK TABLE {schema}.payorder_orders"));
    let reply = client.create_with(&order("B"), &json!({"timeoutMs": 2000}));
    reply.is(JOURNAL_FAILED);
    let found = ["outcome", "action"].map(|key| &reply.error()[key]);
    assert_eq!(found, ["not_sent", "retry_later"], "{}", reply.text());
    drop(held);
    client.create(&order("B")).done();
    assert_eq!(service.request_count(), 5);
}

/// Otherwise they would take all connections of the server, and write orders that were given up.
#[test]
fn the_statements_of_calls_that_ended_are_ended_on_the_server() {
    let Some(server) = Server::start() else {
        return;
    };
    let (admin, database) = (server.database(), server.database().fresh());
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database, &service.url()));
    client.create(&order("A")).done();
    let role = &database.role;
    let count = |condition: &str| {
        let sessions = format!("SELECT count(*) FROM pg_stat_activity WHERE usename = '{role}'");
        let count = admin.sql(&format!("{sessions} AND {condition}"));
        count.parse::<usize>().expect("a number")
    };
    let give_up = |what: &str| {
        for round in 0..3 {
            thread::scope(|scope| {
                for number in 0..8 {
                    let order = order(&format!("{what}-{round}-{number}"));
                    let client = &client;
                    scope.spawn(move || {
                        let reply = client.create_with(&order, &json!({"timeoutMs": 300}));
                        reply.is(JOURNAL_FAILED);
                    });
                }
            });
            until(|| count("true") <= 8);
        }
        until(|| count("state = 'active'") == 0);
    };
    let lock = admin.person(&format!("BEGIN; LOCK TABLE {role}.payorder_orders"));
    give_up("LOCKED");
    drop(lock);
    assert_eq!(states(&entries(&client)), ["A: created"]);
    server.configure("synchronous_standby_names = 'lost'\n");
    server.reload();
    until(|| admin.sql("SHOW synchronous_standby_names") == "lost");
    give_up("STANDBY");
    assert_eq!(service.request_count(), 1);
}

#[test]
#[ignore = "started by the test below"]
fn giving_up_in_a_process() {
    let Some(given) = own_config() else { return };
    let client = Client::new(&given);
    let reply = client.create_with(&order("B"), &json!({"timeoutMs": 300}));
    reply.is(JOURNAL_FAILED);
    drop(client);
    std::process::exit(0);
}

#[test]
fn a_process_that_gives_up_and_ends_leaves_nothing_on_the_server() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let config = journal_in(&database, &service.url());
    Client::new(&config).create(&order("A")).done();
    let (admin, role) = (shared().expect("a server").database(), &database.role);
    let lock = admin.person(&format!("BEGIN; LOCK TABLE {role}.payorder_orders"));
    let mut test = process("limits::giving_up_in_a_process", &config);
    assert!(test.status().expect("it starts").success());
    let sessions = format!("SELECT count(*) FROM pg_stat_activity WHERE usename = '{role}'");
    until(|| admin.sql(&sessions) == "0");
    drop(lock);
}

#[test]
fn on_a_full_disk_nothing_is_sent_and_nothing_is_lost() {
    let Some(server) = Server::start() else {
        return;
    };
    let folder = Folder::new();
    let Some(disk) = Disk::of(&folder.path().join("disk"), 1024) else {
        return;
    };
    let place = disk.path().join("place");
    fs::create_dir(&place).expect("a folder");
    server.own(&place);
    let database = server.database().fresh();
    let (admin, role) = (server.database(), &database.role);
    admin.sql(&format!(
        "CREATE TABLESPACE small LOCATION '{}'",
        place.display()
    ));
    admin.sql(&format!(
        "GRANT CREATE ON TABLESPACE small TO {role};
         ALTER ROLE {role} SET default_tablespace = small"
    ));
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database, &service.url()));
    client.create(&order("FIRST")).done();
    Disk::fill(disk.path());
    // A page has room for some more.
    let mut sent = 1;
    let failed = (0..500).find_map(|number| {
        let reply = client.create(&order(&format!("O-{number}")));
        sent += usize::from(reply.code == 0);
        (reply.code != 0).then_some((number, reply))
    });
    let (number, reply) = failed.expect("the disk is full");
    reply.is(JOURNAL_FAILED);
    assert_eq!(reply.error()["cause"], "journal_full", "{}", reply.text());
    assert_eq!(service.request_count(), sent);
    client.create(&order("FIRST")).is(DUPLICATE);
    Disk::make_room(disk.path());
    client.create(&order(&format!("O-{number}"))).done();
    drop((client, server));
}
