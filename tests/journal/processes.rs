//! A journal and processes: several that share it, one that is killed, one that cannot write any
//! more, one that forks.

use super::{DUPLICATE, JOURNAL_FAILED};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::process::Command;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use support::abi::Client;
use support::built;
use support::built::process::{config_of_this_process, passed, process};
use support::orders::with;
use support::responses::{created, http};
use support::service::{Service, respond, stall};
use support::shop::{Shop, entries, is_sound, order, states};

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
            assert!(
                [0, DUPLICATE].contains(&reply.code),
                "order {number}: {}",
                reply.text()
            );
        }
        println!("CODES {number} {} {}", replies[0].code, replies[1].code);
    }
}

#[test]
fn only_one_of_two_processes_sends_the_same_order() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let mut codes = BTreeMap::<u128, Vec<i32>>::new();
    for output in at_the_same_instants(
        "processes::making_orders_at_given_instants",
        &shop.config(&service.url()),
    ) {
        for (_, line) in output.lines().filter_map(|line| line.split_once("CODES ")) {
            let mut words = line.split(' ');
            let number = words
                .next()
                .and_then(|word| word.parse().ok())
                .expect("a number");
            codes
                .entry(number)
                .or_default()
                .extend(words.map(|word| word.parse::<i32>().expect("a result")));
        }
    }
    assert_eq!(codes.len() as u128, ORDERS);
    for (number, codes) in codes {
        assert_eq!(codes.len(), 2 * PROCESSES);
        let sent = codes.iter().filter(|code| **code == 0).count();
        let refused = codes.iter().filter(|code| **code == DUPLICATE).count();
        assert_eq!(
            (sent, refused),
            (1, 2 * PROCESSES - 1),
            "order {number}: {codes:?}"
        );
    }
    assert_eq!(
        service.request_count() as u128,
        ORDERS,
        "each order was sent once"
    );
    assert_eq!(entries(&shop.client(&service)).len() as u128, ORDERS);
    is_sound(&shop.path);
}

const JOURNALS: u128 = 60;

#[test]
#[ignore = "started by processes_that_create_the_journal_together_can_all_use_it"]
fn making_journals_at_given_instants() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let path = config["journal"].as_str().expect("a path");
    for number in 0..JOURNALS {
        let client = Client::new(&with(&config, "journal", format!("{path}-{number}")));
        wait_for_instant(number);
        client
            .create(&order(&format!("O-{}", std::process::id())))
            .done();
    }
}

#[test]
fn processes_that_create_the_journal_together_can_all_use_it() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    at_the_same_instants(
        "processes::making_journals_at_given_instants",
        &shop.config(&service.url()),
    );
    assert_eq!(
        service.request_count() as u128,
        JOURNALS * PROCESSES as u128
    );
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

/// Creates orders until the journal cannot grow any more, prints how many were created after the
/// first one, and returns the client. SIGXFSZ has this action.
pub fn make_orders_until_the_limit(config: &Value, action: libc::sighandler_t) -> Client {
    let client = Client::new(config);
    client.create(&order("FIRST")).done();
    let limit = libc::rlimit {
        rlim_cur: 150_000,
        rlim_max: 150_000,
    };
    // SAFETY: the process runs only this test, and its writes are meant to fail.
    unsafe {
        libc::signal(libc::SIGXFSZ, action);
        libc::setrlimit(libc::RLIMIT_FSIZE, &limit);
    }
    let mut made = 0;
    let refused = loop {
        let reply = client.create(&order(&format!("O-{made}")));
        if reply.code != 0 || made > 500 {
            break reply;
        }
        made += 1;
    };
    assert_eq!(
        refused.code,
        JOURNAL_FAILED,
        "after {made}: {}",
        refused.text()
    );
    assert_eq!(refused.error()["cause"], "journal_full");
    assert!(made > 0);
    println!("MADE {made}");
    client
}

/// How many orders a process printed that it created.
pub fn made(output: &str) -> usize {
    output
        .lines()
        .find_map(|line| line.split_once("MADE ")?.1.parse().ok())
        .expect("a number")
}

#[test]
#[ignore = "started by with_a_file_that_cannot_grow_nothing_is_sent"]
fn creating_orders_until_the_file_cannot_grow() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let client = make_orders_until_the_limit(&config, libc::SIG_IGN);
    client.create(&order("FIRST")).is(DUPLICATE);
}

#[test]
fn with_a_file_that_cannot_grow_nothing_is_sent() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    let said = passed(
        &process(
            "processes::creating_orders_until_the_file_cannot_grow",
            &config,
        )
        .output()
        .unwrap(),
    );
    let made = made(&said);
    assert_eq!(
        service.request_count(),
        made + 1,
        "an order that could not be recorded was not sent"
    );
    let listed = entries(&Client::new(&config));
    assert_eq!(listed.len(), made + 1);
    assert!(
        states(&listed[..made])
            .iter()
            .all(|state| state.ends_with(": created"))
    );
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

#[test]
fn two_clients_of_a_process_write_into_one_journal() {
    let (shop, service) = (
        Shop::new(),
        Service::start([respond(http(200, "x")), respond(created())]),
    );
    let clients: Vec<Client> = (0..4).map(|_| shop.client(&service)).collect();
    std::thread::scope(|scope| {
        for (number, client) in clients.iter().enumerate() {
            for thread in 0..2 {
                scope.spawn(move || {
                    for order_number in 0..10 {
                        client.create(&order(&format!("O-{number}-{thread}-{order_number}")));
                    }
                });
            }
        }
    });
    let listed = entries(&clients[0]);
    assert_eq!(listed.len(), 80);
    assert_eq!(
        listed
            .iter()
            .filter(|entry| entry["state"] == "created")
            .count(),
        79
    );
    assert_eq!(service.request_count(), 80);
    is_sound(&shop.path);
}
