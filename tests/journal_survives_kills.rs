//! A process that creates orders, or two that create the same ones, is killed at random instants,
//! many times. After each kill every order that the service has is in the journal, the service has
//! none that the journal calls not sent or rejected, the file is sound, and no order is sent twice.
//!
//! `PAYORDER_KILLS=3000 cargo test --test journal_survives_kills -- --nocapture` is the long run.
#![cfg(all(feature = "journal", any(target_os = "linux", windows)))]

use built::process::again;
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use support::abi::Client;
use support::built;
use support::orders::{sandbox_config, with};
use support::random::random;
use support::shop::{Shop, listed, order, sql};
use support::trials::trials;
use support::unreachable::refusing_url;

/// Kills in `cargo test` and in CI.
const KILLS: [u64; 2] = [20, 60];
/// Without a number of kills in the environment, the run ends after this time at the latest.
const BOUND: Duration = Duration::from_secs(60);
/// The longest life of a process; the shortest is zero. In Wine, processes are slower.
const LIFE: Duration = Duration::from_millis(if cfg!(windows) { 800 } else { 250 });
/// This many rounds, of one or two kills each, share a journal and a sandbox, so that files grow.
const ONE_JOURNAL: u64 = 20;
const THREADS: usize = 4;
const CONFIG: &str = "PAYORDER_TEST_CONFIG";
const REFUSING: &str = "PAYORDER_TEST_REFUSING_CONFIG";
const ROUND: &str = "PAYORDER_TEST_ROUND";
const CONNECT_FAILED: i32 = 6;
const DUPLICATE: i32 = 206;

/// What the sandbox does with an order, chosen by its number. Most have no fault.
const FAULTS: [&str; 8] = [
    "",
    "",
    "",
    "sandbox:reject",
    "sandbox:drop-after-commit",
    "sandbox:drop-before",
    "sandbox:html-502",
    "sandbox:rate-limit",
];

fn config_from(variable: &str) -> Option<Value> {
    Some(serde_json::from_str(&std::env::var(variable).ok()?).expect("a config"))
}

#[test]
#[ignore = "started by every_order_is_accounted_for_after_a_kill_at_any_moment"]
fn making_orders_until_it_is_killed() {
    let (Some(config), Some(refusing)) = (config_from(CONFIG), config_from(REFUSING)) else {
        return;
    };
    let round = std::env::var(ROUND).expect("a round");
    let (client, nobody) = (Client::new(&config), Client::new(&refusing));
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (client, nobody, round) = (&client, &nobody, &round);
            scope.spawn(move || {
                for number in 0.. {
                    let order = order(&format!("{round}-{thread}-{number}"));
                    let order = with(
                        &order,
                        "productInfo",
                        format!("Two coffees {}", FAULTS[number % FAULTS.len()]),
                    );
                    if number % 5 == 4 {
                        let reply = nobody.create(&order);
                        // With two processes, the other one may be sending the same order.
                        if ![CONNECT_FAILED, DUPLICATE].contains(&reply.code) {
                            eprintln!("unexpected result: {}", reply.text());
                            std::process::exit(1);
                        }
                    } else {
                        client.create(&order);
                    }
                    // Sometimes the till sends an order a second time.
                    if number % 3 == 2 {
                        client.create(&order);
                    }
                }
            });
        }
    });
}

/// A sandbox, and the journal of the processes that create orders in it.
struct Setup {
    shop: Shop,
    sandbox: Sandbox,
    config: Value,
    refusing: Value,
}

impl Setup {
    fn new() -> Setup {
        let (shop, sandbox) = (
            Shop::new(),
            Sandbox::start(Options::default()).expect("the sandbox starts"),
        );
        let journal = shop.path.to_str().expect("a path in UTF-8");
        let config = with(&sandbox_config(&sandbox.base_url()), "journal", journal);
        let refusing = shop.config(&refusing_url());
        Setup {
            shop,
            sandbox,
            config,
            refusing,
        }
    }

    fn start(&self, round: u64) -> Child {
        again("making_orders_until_it_is_killed")
            .env(CONFIG, self.config.to_string())
            .env(REFUSING, self.refusing.to_string())
            .env(ROUND, format!("R{round}"))
            .stdout(Stdio::null())
            .spawn()
            .expect("the test starts again")
    }

    /// Runs processes that create orders, and kills each after its time. Two processes create the
    /// same orders.
    fn kill_after(&self, round: u64, lives: &[Duration]) {
        let children: Vec<Child> = lives.iter().map(|_| self.start(round)).collect();
        let first = format!("R{round}-");
        let began = Instant::now();
        let is_first = |exchange: &Value| {
            let body = exchange["body"].as_str();
            body.is_some_and(|body| body.contains(&first))
        };
        // Usually skip the start of the process, where little happens.
        while !round.is_multiple_of(10)
            && began.elapsed() < Duration::from_secs(10)
            && !self.sandbox.exchanges().iter().any(is_first)
        {
            std::thread::sleep(Duration::from_millis(1));
        }
        let began = Instant::now();
        for (mut child, life) in children.into_iter().zip(lives) {
            std::thread::sleep(life.saturating_sub(began.elapsed()));
            let ended = child.try_wait().expect("it can be waited for");
            assert!(ended.is_none(), "it ended by itself: {ended:?}");
            child.kill().expect("it can be killed");
            child.wait().expect("it can be waited for");
        }
    }

    /// The orders that the service has, and how many requests it received for each.
    fn received(&self) -> (BTreeSet<String>, BTreeMap<String, u32>) {
        let records = self.sandbox.orders();
        let made = records
            .iter()
            .filter(|record| record.state.is_some())
            .map(|record| record.order_id.clone())
            .collect();
        (
            made,
            records
                .into_iter()
                .map(|record| (record.order_id, record.create_requests))
                .collect(),
        )
    }

    /// Every violation as text. Also counts the entries by state.
    fn violations(
        &self,
        round: u64,
        states: &mut BTreeMap<String, usize>,
        duplicates: &mut usize,
    ) -> Vec<String> {
        let mut wrong = Vec::new();
        let soundness = sql(&self.shop.path, &["PRAGMA integrity_check"]);
        if soundness != json!([["ok"]]) {
            wrong.push(format!("the file is not sound: {soundness}"));
        }
        let client = Client::new(&self.config);
        let mut entries = Vec::new();
        loop {
            let after = entries
                .last()
                .map_or(json!(0), |entry: &Value| entry["entry"].clone());
            let page = {
                let options = json!({"limit": 10_000, "after": after, "events": true});
                listed(&client.journal_list(&options))
            };
            if page.is_empty() {
                break;
            }
            entries.extend(page);
        }
        let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let mut by_order = BTreeMap::<String, Vec<String>>::new();
        for entry in &entries {
            by_order
                .entry(text(entry, "orderId"))
                .or_default()
                .push(text(entry, "state"));
            // An attempt is written together with the outcome.
            let told: Vec<&Value> = entry["events"]
                .as_array()
                .expect("events")
                .iter()
                .map(|event| &event["event"])
                .collect();
            let has_outcome = !entry["result"].is_null();
            if told.first().is_none_or(|first| *first != "sending")
                || told.contains(&&json!("attempt")) != has_outcome
            {
                wrong.push(format!("the events of {entry}"));
            }
        }
        let (made, asked) = self.received();
        for (order_id, requests) in &asked {
            let known = by_order.get(order_id).map_or(&[][..], Vec::as_slice);
            let ends = |names: &[&str]| {
                known
                    .iter()
                    .filter(|state| names.contains(&state.as_str()))
                    .count()
            };
            if known.is_empty() {
                wrong.push(format!(
                    "{order_id} reached the service, but is not in the journal"
                ));
            }
            if made.contains(order_id) && ends(&["created", "unknown", "sending"]) == 0 {
                wrong.push(format!(
                    "the service has {order_id}, but the journal says {known:?}"
                ));
            }
            if *requests as usize > known.len() - ends(&["not_sent"]).min(known.len()) {
                wrong.push(format!(
                    "{order_id} was sent {requests} times, but the journal says {known:?}"
                ));
            }
        }
        for (order_id, known) in &by_order {
            if known.iter().any(|state| state == "created") && !made.contains(order_id) {
                wrong.push(format!(
                    "the service does not have {order_id}, but the journal says {known:?}"
                ));
            }
            if known
                .iter()
                .filter(|state| ["created", "unknown", "sending"].contains(&state.as_str()))
                .count()
                > 1
            {
                wrong.push(format!("{order_id} was started again: {known:?}"));
            }
        }
        // Orders of this round that may exist are refused.
        let ours = format!("R{round}-");
        let open = by_order.iter().filter(|(order_id, known)| {
            order_id.starts_with(&ours)
                && known
                    .iter()
                    .any(|state| !["rejected", "not_sent"].contains(&state.as_str()))
        });
        for (order_id, known) in open.take(20) {
            let reply = client.create(&order(order_id));
            *duplicates += 1;
            if reply.code != DUPLICATE {
                wrong.push(format!(
                    "{order_id} was sent again, although {known:?}: {}",
                    reply.text()
                ));
            }
        }
        for (_, known) in by_order
            .iter()
            .filter(|(order_id, _)| order_id.starts_with(&ours))
        {
            for state in known {
                *states.entry(state.clone()).or_default() += 1;
            }
        }
        wrong
    }
}

fn number_in(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn every_order_is_accounted_for_after_a_kill_at_any_moment() {
    let asked = number_in("PAYORDER_KILLS");
    let enough = asked.unwrap_or(trials(KILLS[0], KILLS[1]));
    let seed = number_in("PAYORDER_KILLS_SEED").unwrap_or(u64::from(std::process::id()));
    println!("PAYORDER_KILLS_SEED={seed}");
    let (mut states, mut duplicates, mut wrong) = (BTreeMap::new(), 0, Vec::new());
    let (mut round, mut kills, mut orders, mut setup) = (0_u64, 0, 0, Setup::new());
    let began = Instant::now();
    while kills < enough && (asked.is_some() || began.elapsed() < BOUND) {
        let chance = random(seed, round);
        let mut lives = vec![LIFE.mul_f64((chance & 0xffff) as f64 / 65536.0)];
        if chance >> 32 & 3 == 0 {
            lives.push(LIFE.mul_f64((chance >> 16 & 0xffff) as f64 / 65536.0));
        }
        lives.sort_unstable();
        setup.kill_after(round, &lives);
        let found = setup.violations(round, &mut states, &mut duplicates);
        wrong.extend(
            found
                .into_iter()
                .map(|violation| format!("in round {round}: {violation}")),
        );
        kills += lives.len() as u64;
        round += 1;
        if round.is_multiple_of(ONE_JOURNAL) {
            orders += setup.received().0.len();
            setup = Setup::new();
        }
        if round.is_multiple_of(100) {
            println!(
                "{kills} kills in {:.0} s, {} violations, {states:?}",
                began.elapsed().as_secs_f64(),
                wrong.len()
            );
        }
    }
    orders += setup.received().0.len();
    println!(
        "{kills} kills in {:.0} s: {orders} orders in the service, entries {states:?}, \
         {duplicates} duplicates refused; {} violations",
        began.elapsed().as_secs_f64(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "PAYORDER_KILLS_SEED={seed}: {} violations:\n  {}",
        wrong.len(),
        wrong.join("\n  ")
    );
    for state in ["created", "rejected", "not_sent", "unknown", "sending"] {
        assert!(
            states.contains_key(state),
            "no order was {state}: the run was too short: {states:?}"
        );
    }
}
