//! A process that makes orders, or two that make the same ones, is killed at random instants, again
//! and again; the service knows the truth. After each kill every order that the service has stands
//! in the journal, none that the journal calls not sent or rejected is with the service, the file
//! is sound, and no order is sent twice.
//!
//! `PAYORDER_KILLS=3000 cargo test --test journal_survives_kills -- --nocapture` is the long run.
#![cfg(all(feature = "journal", target_os = "linux"))]

mod built;
#[path = "journal/shop.rs"]
mod shop;
mod support;

use sandbox::{Exchange, Options, Sandbox};
use serde_json::{Value, json};
use shop::{Shop, listed, order, sql};
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use support::abi::Client;
use support::orders::with;
use support::service::refusing_url;

const KILLS: u64 = 60;
/// A run that nobody gave a number of kills ends after this time at the latest.
const BOUND: Duration = Duration::from_secs(60);
/// The longest life of a process; the shortest is none.
const LIFE: Duration = Duration::from_millis(250);
/// So many rounds, of a kill or two each, share a journal and a sandbox: files grow old, too.
const ONE_JOURNAL: u64 = 20;
const THREADS: usize = 4;
const CONFIG: &str = "PAYORDER_TEST_CONFIG";
const REFUSING: &str = "PAYORDER_TEST_REFUSING_CONFIG";
const ROUND: &str = "PAYORDER_TEST_ROUND";
const CONNECT_FAILED: i32 = 6;
const DUPLICATE: i32 = 206;

/// What the sandbox does with an order, by its number; most go well.
const FATES: [&str; 8] = [
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
                        format!("Two coffees {}", FATES[number % FATES.len()]),
                    );
                    if number % 5 == 4 {
                        let reply = nobody.create(&order);
                        // Of two processes with the same orders, the other one can be in the midst
                        // of this one.
                        if ![CONNECT_FAILED, DUPLICATE].contains(&reply.code) {
                            eprintln!("an order that nobody takes: {}", reply.text());
                            std::process::exit(1);
                        }
                    } else {
                        client.create(&order);
                    }
                    // Now and then a till forgets what it has done.
                    if number % 3 == 2 {
                        client.create(&order);
                    }
                }
            });
        }
    });
}

/// SplitMix64: a number that looks random, of a seed and a place.
fn scramble(seed: u64, place: u64) -> u64 {
    let mut mixed = seed.wrapping_add(place.wrapping_mul(0x9e37_79b9_7f4a_7c15));
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}

/// A sandbox and the journal of those who make orders there.
struct Stage {
    shop: Shop,
    sandbox: Sandbox,
    config: Value,
    refusing: Value,
}

impl Stage {
    fn new() -> Stage {
        let (shop, sandbox) = (
            Shop::new(),
            Sandbox::start(Options::default()).expect("the sandbox starts"),
        );
        let credentials = [
            ("accessToken", sandbox::ACCESS_TOKEN),
            ("clientKey", sandbox::CLIENT_KEY),
            ("clientId", sandbox::CLIENT_ID),
            ("secretKey", sandbox::SECRET_KEY),
        ];
        let config = credentials
            .into_iter()
            .fold(shop.config(&sandbox.base_url()), |config, (key, value)| {
                with(&config, key, value)
            });
        let refusing = shop.config(&refusing_url());
        Stage {
            shop,
            sandbox,
            config,
            refusing,
        }
    }

    fn start(&self, round: u64) -> Child {
        Command::new(std::env::current_exe().expect("the test's own path"))
            .args([
                "--exact",
                "making_orders_until_it_is_killed",
                "--include-ignored",
                "--nocapture",
                "--test-threads=1",
            ])
            .env(CONFIG, self.config.to_string())
            .env(REFUSING, self.refusing.to_string())
            .env(ROUND, format!("R{round}"))
            .stdout(Stdio::null())
            .spawn()
            .expect("the test starts again")
    }

    /// Lets processes make orders, each for its own time, and kills them. Of two, each makes the
    /// same orders.
    fn kill_after(&self, round: u64, lives: &[Duration]) {
        let children: Vec<Child> = lives.iter().map(|_| self.start(round)).collect();
        let first = format!("R{round}-");
        let began = Instant::now();
        let is_first = |exchange: &Exchange| exchange.request_body.contains(&first);
        // Its start is of no interest, but now and then.
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

    /// What the service has, and how often it was asked to make each order.
    fn truth(&self) -> (BTreeSet<String>, BTreeMap<String, u32>) {
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

    /// Every violation, in words; counts the entries by their state.
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
            let page = listed(&client.journal_list(&json!({"limit": 10_000, "after": after})));
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
        }
        let (made, asked) = self.truth();
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
                    "{order_id} came to the service and is not in the journal"
                ));
            }
            if made.contains(order_id) && ends(&["created", "unknown", "sending"]) == 0 {
                wrong.push(format!(
                    "the service has {order_id}, and the journal says {known:?}"
                ));
            }
            if *requests as usize > known.len() - ends(&["not_sent"]).min(known.len()) {
                wrong.push(format!(
                    "{order_id} was sent {requests} times, and the journal says {known:?}"
                ));
            }
        }
        for (order_id, known) in &by_order {
            if known.iter().any(|state| state == "created") && !made.contains(order_id) {
                wrong.push(format!(
                    "the service has no {order_id}, and the journal says {known:?}"
                ));
            }
            if known
                .iter()
                .filter(|state| ["created", "unknown", "sending"].contains(&state.as_str()))
                .count()
                > 1
            {
                wrong.push(format!("{order_id} was begun again: {known:?}"));
            }
        }
        // Of this round's orders, those that may exist are refused.
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
                    "{order_id} was sent again, though {known:?}: {}",
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
    let seed = number_in("PAYORDER_KILLS_SEED").unwrap_or(u64::from(std::process::id()));
    println!("PAYORDER_KILLS_SEED={seed}");
    let (mut states, mut duplicates, mut wrong) = (BTreeMap::new(), 0, Vec::new());
    let (mut round, mut kills, mut orders, mut stage) = (0_u64, 0, 0, Stage::new());
    let began = Instant::now();
    while kills < asked.unwrap_or(KILLS) && (asked.is_some() || began.elapsed() < BOUND) {
        let chance = scramble(seed, round);
        let mut lives = vec![LIFE.mul_f64((chance & 0xffff) as f64 / 65536.0)];
        if chance >> 32 & 3 == 0 {
            lives.push(LIFE.mul_f64((chance >> 16 & 0xffff) as f64 / 65536.0));
        }
        lives.sort_unstable();
        stage.kill_after(round, &lives);
        let found = stage.violations(round, &mut states, &mut duplicates);
        wrong.extend(
            found
                .into_iter()
                .map(|violation| format!("in round {round}: {violation}")),
        );
        kills += lives.len() as u64;
        round += 1;
        if round.is_multiple_of(ONE_JOURNAL) {
            orders += stage.truth().0.len();
            stage = Stage::new();
        }
        if round.is_multiple_of(100) {
            println!(
                "{kills} kills in {:.0} s, {} violations, {states:?}",
                began.elapsed().as_secs_f64(),
                wrong.len()
            );
        }
    }
    orders += stage.truth().0.len();
    println!(
        "{kills} kills in {:.0} s: {orders} orders with the service, entries {states:?}, {duplicates} duplicates refused; {} violations",
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
            "no order was {state}: the run was too short to prove anything: {states:?}"
        );
    }
}
