//! The connections of a client: how many, how often they are used, and what happens to broken ones.

use std::os::unix::fs::PermissionsExt;
use std::thread;
use std::time::Duration;

use serde_json::json;
use support::abi::Client;
use support::built::process::{own_config, passed, process, tell, told};
use support::log::Log;
use support::orders::{config, with};
use support::postgres::{Database, PASSWORD, Pooler, Server, shared};
use support::relay::Relay;
use support::responses::created;
use support::result::{DUPLICATE, JOURNAL_FAILED};
use support::service::Service;
use support::shop::{entries, order};
use support::unreachable::Unreachable;

use crate::sales::Sales;
use crate::{database, journal_in};

#[test]
fn an_order_costs_at_most_six_round_trips() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
    client.create(&order("FIRST")).done();
    println!("the first order: {} round trips", relay.round_trips());
    for number in 0..5 {
        let before = relay.round_trips();
        client.create(&order(&format!("O-{number}"))).done();
        let trips = relay.round_trips() - before;
        assert_eq!(trips, 2, "the intent and the outcome");
        let before = relay.round_trips();
        client.create(&order("FIRST")).is(DUPLICATE);
        let trips = relay.round_trips() - before;
        assert!(trips <= 6, "a duplicate: {trips}");
    }
    assert_eq!(relay.connections(), 1, "it is kept");
}

#[test]
fn a_client_has_at_most_eight_connections() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let sales = Sales::new();
    let client = sales.client(&database.at(relay.port()));
    thread::scope(|scope| {
        for till in 0..24 {
            let (sales, client) = (&sales, &client);
            scope.spawn(move || {
                for number in 0..5 {
                    sales.sell(client, &format!("T-{till}-{number}"));
                }
            });
        }
    });
    assert!(relay.connections() <= 8, "{}", relay.connections());
    drop(client);
    let others = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE usename = '{}'",
        database.role
    );
    let admin = shared().expect("a server").database();
    support::patience::until(|| admin.sql(&others) == "0");
    sales.check(&database);
}

#[test]
fn calls_that_wait_for_a_connection_fail_with_the_database() {
    let Some(database) = database() else { return };
    let silent = Unreachable::full_queue();
    let service = Service::responding(created());
    let config = journal_in(&database.at(silent.port()), &service.url());
    let config = with(&config, "connectTimeoutMs", 400);
    let client = Client::new(&with(&config, "timeoutMs", 1500));
    thread::scope(|scope| {
        for number in 0..40 {
            let client = &client;
            scope.spawn(move || {
                let reply = client.create(&order(&format!("T-{number}")));
                let error = reply.is(JOURNAL_FAILED).error();
                assert_eq!(error["cause"], "journal_unavailable", "{error}");
            });
        }
    });
}

#[test]
fn a_kept_connection_that_broke_is_replaced() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database.at(relay.port()), &service.url()));
    let end = format!(
        "SELECT count(pg_terminate_backend(pid, 5000)) FROM pg_stat_activity WHERE usename = '{}'",
        database.role
    );
    let admin = shared().expect("a server").database();
    for number in 0..3 {
        client.create(&order(&format!("A-{number}"))).done();
        admin.sql(&end);
        // Until that has passed the relay.
        thread::sleep(Duration::from_millis(50));
        client.create(&order(&format!("B-{number}"))).done();
        relay.cut_all();
        client.create(&order(&format!("C-{number}"))).done();
        relay.cut_all();
        assert_eq!(entries(&client).len(), 3 * (number + 1));
    }
    assert_eq!(service.request_count(), 9);
}

/// Tills of two machines make the same orders at the same time. Each is sent once.
#[track_caller]
fn make_each_order_twice(what: &str, reached: &Database, database: &Database) {
    let sales = Sales::new();
    let clients = [(); 2].map(|()| sales.client(reached));
    thread::scope(|scope| {
        for till in 0..8 {
            let (sales, client) = (&sales, &clients[till % 2]);
            scope.spawn(move || {
                for number in 0..10 {
                    sales.create(client, &format!("{}-{number}", till / 2));
                }
            });
        }
    });
    let expected = [(0, 40), (DUPLICATE, 40)];
    let others = sales.others(&[0, DUPLICATE]);
    assert_eq!(sales.results(), expected.into(), "{what}: {others:?}");
    sales.check(database);
    sales.recover(reached);
}

#[test]
fn a_pooler_in_transaction_mode_may_be_between() {
    let Some(server) = shared() else { return };
    for mode in ["transaction", "statement"] {
        let Some(pooler) = Pooler::start(server, mode) else {
            return;
        };
        let database = server.database().fresh_database("UTF8");
        make_each_order_twice(mode, &pooler.reach(&database), &database);
    }
}

#[test]
fn a_database_that_stops_behind_a_pooler_is_reported_in_time() {
    let Some(server) = Server::start() else {
        return;
    };
    let Some(pooler) = Pooler::start(&server, "transaction") else {
        return;
    };
    let database = pooler.reach(&server.database().fresh());
    let sales = Sales::new();
    let config = with(&sales.config(&database), "connectTimeoutMs", 500);
    let config = with(&config, "timeoutMs", 30_000);
    Client::new(&config).create(&order("A")).done();
    server.stop();
    let reply = Client::new(&config).create(&order("B"));
    let error = reply.is(JOURNAL_FAILED).error();
    assert_eq!(error["cause"], "journal_unavailable", "{error}");
    assert!(
        error["elapsedMs"].as_u64().expect("a time") < 10_000,
        "{error}"
    );
}

#[test]
fn a_connection_is_kept_while_others_are_in_the_way() {
    let Some(database) = database() else { return };
    let relay = Relay::to(database.port);
    let sales = Sales::new();
    shared().expect("a server").database().sql(&format!(
        "ALTER ROLE {} SET lock_timeout = '20ms'",
        database.role
    ));
    let client = sales.client(&database.at(relay.port()));
    sales.sell(&client, "A");
    let lock = database.person("BEGIN; LOCK TABLE payorder_orders IN EXCLUSIVE MODE");
    thread::scope(|scope| {
        scope.spawn(|| sales.sell(&client, "B"));
        thread::sleep(Duration::from_millis(500));
        drop(lock);
    });
    assert_eq!(relay.connections(), 1);
}

#[test]
fn the_role_may_have_another_isolation_level() {
    let Some(server) = shared() else { return };
    for level in ["repeatable read", "serializable"] {
        let database = server.database().fresh();
        server.database().sql(&format!(
            "ALTER ROLE {} SET default_transaction_isolation = '{level}'",
            database.role
        ));
        make_each_order_twice(level, &database, &database);
    }
}

#[test]
fn tls_is_used_and_verified_as_the_uri_says() {
    let Some((server, ca_file)) = Server::start_tls() else {
        return;
    };
    let service = Service::responding(created());
    let relay = Relay::to(server.port());
    let database = support::postgres::Database {
        host: "localhost".to_owned(),
        ..server.database().at(relay.port())
    };
    let client = |parameters: &str| {
        let config = journal_in(&database.with(parameters), &service.url());
        Client::new(&with(&config, "connectTimeoutMs", 2000))
    };
    let verified = client(&format!("sslmode=verify-full&sslrootcert={ca_file}"));
    for number in 0..3 {
        verified.create(&order(&format!("A-{number}"))).done();
    }
    assert_eq!(relay.connections(), 1, "it is kept");
    let stranger = support::tls::Authority::named("Stranger", |_| ());
    let folder = support::tls::Folder::new();
    let other = folder.file("other.pem", stranger.pem());
    for (parameters, words) in [
        (
            format!("sslmode=verify-full&sslrootcert={other}"),
            "certificate",
        ),
        (
            format!(
                "sslmode=verify-full&sslrootcert={ca_file}&hostaddr=127.0.0.1&host=other.example"
            ),
            "",
        ),
        ("sslmode=disable".to_owned(), "encryption"),
    ] {
        let reply = client(&parameters).create(&order("B"));
        reply.is(JOURNAL_FAILED).says(words);
        assert!(!reply.text().contains(PASSWORD), "{}", reply.text());
    }
    assert_eq!(service.request_count(), 3);
}

#[test]
#[ignore = "started by the test below"]
fn listing_the_journal_in_a_process() {
    let Some(given) = own_config() else { return };
    tell(&Client::new(&given).journal_list(&json!({})));
}

#[test]
fn tls_and_passwords_are_as_the_files_of_libpq_say() {
    let Some((server, ca_file)) = Server::start_tls() else {
        return;
    };
    let folder = support::tls::Folder::new();
    let Database {
        port, role, name, ..
    } = server.database();
    let ask = |host: &str| {
        let text = format!(
            "[shop]\nhost={host}\nhostaddr=127.0.0.1\nport={port}\nuser={role}\ndbname={name}\n\
             password={PASSWORD}\nsslmode=verify-full\nsslrootcert={ca_file}\n"
        );
        let uri = "postgresql:///?service=shop";
        let given = with(&config("https://pay.example.com"), "journal", uri);
        process("connections::listing_the_journal_in_a_process", &given)
            .env("PGSERVICEFILE", folder.file("services.conf", &text))
            .output()
            .expect("it starts")
    };
    told(&passed(&ask("localhost"))).done();
    told(&passed(&ask("other.example"))).is(JOURNAL_FAILED);

    // A password file that others can read is named in the error, and not on standard error.
    let password = format!("*:*:*:*:{PASSWORD}\n");
    let [own, other] = [".pgpass", "other"].map(|file| folder.file(file, &password));
    let service = format!(
        "[shop]\nhost=127.0.0.1\nport={port}\nuser={role}\ndbname={name}\npassfile={other}\n"
    );
    let service = folder.file("own.conf", service);
    let direct = format!("postgresql://{role}@127.0.0.1:{port}/{name}");
    for (uri, [of_home, of_service], unused) in [
        (&*direct, [0o600, 0o600], None),
        (&*direct, [0o644, 0o600], Some(&own)),
        ("postgresql:///?service=shop", [0o644, 0o600], None),
        ("postgresql:///?service=shop", [0o600, 0o644], Some(&other)),
    ] {
        for (file, mode) in [(&own, of_home), (&other, of_service)] {
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(file, mode).expect("its owner may");
        }
        let given = with(&config("https://pay.example.com"), "journal", uri);
        let output = process("connections::listing_the_journal_in_a_process", &given)
            .env("HOME", folder.path())
            .env("PGSERVICEFILE", &service)
            .output()
            .expect("it starts");
        let printed = String::from_utf8_lossy(&output.stderr);
        assert_eq!(printed, "", "libpq warns");
        let listed = told(&passed(&output));
        match unused {
            None => listed.done(),
            Some(file) => {
                listed.is(JOURNAL_FAILED);
                listed.says(format!("the password file {file} is not used"));
                assert_eq!(listed.error()["action"], "fix_configuration");
                listed
            }
        };
    }
}

#[test]
fn nothing_shows_the_password() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let config = journal_in(&database, &service.url());
    let client = Client::new(&config);
    let log = Log::of(&client);
    let mut texts = Vec::new();
    for reply in [
        client.create(&order("A")),
        client.create(&order("A")),
        client.journal_list(&json!({"events": true})),
        client.recover(None, &json!({})),
        client.journal_settle(&json!({"entry": 9})),
    ] {
        texts.push(reply.text().to_owned());
    }
    database.sql("DROP TABLE payorder_orders");
    texts.push(client.create(&order("B")).text().to_owned());
    texts.push(
        client
            .create_with(&order("B"), &json!({"nothing": 1}))
            .text()
            .to_owned(),
    );
    if let Err(reply) = Client::try_new(&with(&config, "nothing", 1)) {
        texts.push(reply.text().to_owned());
    }
    texts.extend(log.texts());
    for text in texts {
        assert!(!text.contains(PASSWORD), "{text}");
    }
}

#[test]
fn a_host_that_does_not_answer_leaves_time_for_the_next_one() {
    let Some(database) = database() else { return };
    let (refusing, silent) = (Unreachable::refusing(), Unreachable::full_queue());
    let service = Service::responding(created());
    for (what, first) in [("refusing", refusing.port()), ("silent", silent.port())] {
        let hosts = Database {
            host: format!("127.0.0.1:{first},127.0.0.1"),
            ..database.clone()
        };
        let config = with(
            &journal_in(&hosts, &service.url()),
            "connectTimeoutMs",
            3000,
        );
        Client::new(&config).create(&order(what)).done();
    }
}
