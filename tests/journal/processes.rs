//! A journal and processes: several that share it, one that is killed, and the order in which one
//! writes and sends.

use super::DUPLICATE;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use support::abi::Client;
use support::built;
use support::built::process::{config_of_this_process, passed, process};
use support::orders::with;
use support::responses::created;
use support::service::{Service, respond, stall};
use support::shop::{Shop, entries, is_sound, order, sql, states};

const INSTANT: &str = "PAYORDER_TEST_INSTANT";

fn now_ms() -> u128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970")
        .as_millis()
}

/// Waits for an instant at which all processes do the same: they are 40 ms apart and start at the
/// instant that each process was given.
fn wait_for_instant(number: u128) {
    let first: u128 = std::env::var(INSTANT)
        .expect("an instant")
        .parse()
        .expect("milliseconds");
    let at = first + number * 40;
    std::thread::sleep(Duration::from_millis(
        at.saturating_sub(now_ms()).saturating_sub(2) as u64,
    ));
    while now_ms() < at {
        std::hint::spin_loop();
    }
}

/// Runs the ignored test of this name in several processes at the same instants, and returns what
/// each printed.
fn at_the_same_instants(name: &str, config: &Value) -> Vec<String> {
    let instant = (now_ms() + 1000).to_string();
    let start = |_| {
        process(name, config)
            .env(INSTANT, &instant)
            .spawn()
            .unwrap()
    };
    let running: Vec<_> = (0..PROCESSES).map(start).collect();
    running
        .into_iter()
        .map(|child| passed(&child.wait_with_output().unwrap()))
        .collect()
}

const PROCESSES: usize = 4;
const ORDERS: u128 = 25;

#[test]
#[ignore = "started by only_one_of_two_processes_sends_the_same_order"]
fn making_orders_at_given_instants() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let clients = [Client::new(&config), Client::new(&config)];
    for number in 0..ORDERS {
        wait_for_instant(number);
        // Half of the orders share one identifier, half the other.
        let own = format!("{number}-{}", std::process::id());
        let order = order(&format!("O-{number}"));
        let order = if number % 2 == 0 {
            with(&order, "orderId", own)
        } else {
            with(&order, "merchantTxnId", own)
        };
        let replies = std::thread::scope(|scope| {
            let calls = clients
                .each_ref()
                .map(|client| scope.spawn(|| client.create(&order)));
            calls.map(|call| call.join().unwrap())
        });
        for reply in &replies {
            if reply.code == 0 {
                println!("SENT {number}");
            } else {
                reply.is(DUPLICATE);
            }
        }
    }
}

#[test]
fn only_one_of_two_processes_sends_the_same_order() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    let mut sent = BTreeMap::<String, usize>::new();
    for output in at_the_same_instants("processes::making_orders_at_given_instants", &config) {
        for (_, number) in output.lines().filter_map(|line| line.split_once("SENT ")) {
            *sent.entry(number.to_owned()).or_default() += 1;
        }
    }
    assert_eq!(sent.len() as u128, ORDERS, "{sent:?}");
    assert!(sent.values().all(|count| *count == 1), "{sent:?}");
    assert_eq!(service.request_count() as u128, ORDERS, "each once");
    assert_eq!(entries(&shop.client(&service)).len() as u128, ORDERS);
    is_sound(&shop.path);
}

const JOURNALS: u128 = 60;

#[test]
#[ignore = "started by processes_and_clients_that_create_the_journal_together_can_all_use_it"]
fn making_journals_at_given_instants() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let path = config["journal"].as_str().expect("a path");
    for number in 0..JOURNALS {
        let path = format!("{path}-{number}");
        let config = with(&config, "journal", path.as_str());
        let clients = [Client::new(&config), Client::new(&config)];
        std::thread::scope(|scope| {
            for (thread, client) in clients.iter().enumerate() {
                scope.spawn(move || {
                    wait_for_instant(number);
                    let order_id = format!("O-{thread}-{}", std::process::id());
                    client.create(&order(&order_id)).done();
                });
            }
        });
        // The last connection that closes the file removes its log.
        let log = format!("{path}-wal");
        let is_there = std::fs::exists(log).expect("a folder");
        assert!(
            is_there,
            "the log of an open journal was removed, number {number}"
        );
    }
}

#[test]
fn processes_and_clients_that_create_the_journal_together_can_all_use_it() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    at_the_same_instants("processes::making_journals_at_given_instants", &config);
    let orders = 2 * PROCESSES;
    assert_eq!(service.request_count() as u128, JOURNALS * orders as u128);
    for number in 0..JOURNALS {
        let path = format!("{}-{number}", shop.path.display());
        let count = sql(path.as_ref(), &["SELECT count(*) FROM orders"]);
        assert_eq!(count, json!([[orders]]), "journal {number}");
    }
}

#[test]
#[ignore = "started by an_order_whose_process_was_killed_is_not_sent_again"]
fn sending_an_order_that_gets_no_response() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    Client::new(&config).create(&order("A"));
}

#[test]
fn an_order_whose_process_was_killed_is_not_sent_again() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let config = with(&shop.config(&service.url()), "timeoutMs", 3000);
    let mut child = process("processes::sending_an_order_that_gets_no_response", &config)
        .spawn()
        .unwrap();
    service.wait_for_requests(1);
    child.kill().unwrap();
    child.wait().unwrap();
    let client = Client::new(&config);
    assert_eq!(states(&entries(&client)), ["A: sending"]);
    let reply = client.create_with(&order("A"), &json!({"resend": true}));
    assert_eq!(
        reply.code,
        DUPLICATE,
        "its deadline has not passed: {}",
        reply.text()
    );
    std::thread::sleep(Duration::from_millis(3100));
    assert_eq!(states(&entries(&client)), ["A: unknown"]);
    client.create(&order("A")).is(DUPLICATE);
    assert_eq!(service.request_count(), 1);
    service.set_script([respond(created())]);
    client
        .create_with(&order("A"), &json!({"resend": true}))
        .done();
    is_sound(&shop.path);
}

#[test]
#[ignore = "started by the_intent_is_flushed_to_the_disk_before_the_first_byte"]
fn making_one_order() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let client = Client::new(&config);
    client.create(&order("FIRST")).done();
    client.create(&order("SECOND")).done();
}

#[test]
fn the_intent_is_flushed_to_the_disk_before_the_first_byte() {
    let Some(strace) = built::tool("STRACE", &["strace"], "flushing before sending") else {
        return;
    };
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    let test = process("processes::making_one_order", &config);
    let trace = shop.folder.path().join("trace");
    let calls = "trace=fsync,fdatasync,sync_file_range,pwrite64,write,%network";
    let output = Command::new(strace)
        .args(["-f", "-y", "-e", calls, "-o"])
        .arg(&trace)
        .arg(test.get_program())
        .args(test.get_args())
        .envs(
            test.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .output()
        .expect("strace runs");
    passed(&output);
    // For each line: the call, and whether it is for the log or for a socket.
    let trace = std::fs::read_to_string(trace).unwrap();
    let steps = trace.lines().filter_map(|line| {
        let sends = line.contains("send") && line.contains("socket:")
            || line.contains("TCP:") && line.contains("send");
        let step = match line {
            _ if sends => "send",
            _ if line.contains("journal.db-wal") && line.contains("sync(") => "flush",
            _ if line.contains("journal.db-wal") && line.contains("write") => "write",
            _ => return None,
        };
        Some(step)
    });
    let mut steps: Vec<&str> = steps.collect();
    steps.dedup();
    let sends: Vec<usize> = (0..steps.len()).filter(|at| steps[*at] == "send").collect();
    assert_eq!(sends.len(), 2, "{steps:?}\n{trace}");
    for send in sends {
        assert_eq!(
            steps[send - 2..send],
            ["write", "flush"],
            "the intent: {steps:?}"
        );
        assert_eq!(
            steps[send + 1..send + 3],
            ["write", "flush"],
            "the outcome: {steps:?}"
        );
    }
}
