//! Processes that create orders, some of them the same ones, are killed at random instants, many
//! times. After each kill every order that the service has is in the journal, the service has none
//! that the journal calls not sent or rejected, the file is sound, and no order is sent twice. In the
//! end another process recovers, and finds every order that the service has. With a journal in
//! PostgreSQL, the processes are as many machines.
//!
//! The long runs have a number of kills or of orders in the environment:
//! `PAYORDER_KILLS=3000 cargo test --test journal_survives_kills in_a_file -- --nocapture`, and
//! `PAYORDER_KILLED_ORDERS=1000000 PAYORDER_KILLS_LIFE_MS=8000 cargo test --release --test \
//! journal_survives_kills in_postgresql -- --nocapture`. With longer lives, fewer of the orders meet
//! a kill, but there are more of them in the same time.
#![cfg(feature = "journal")]

use built::process::{own_config, process};
use sandbox::{Options, Sandbox};
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use support::abi::Client;
use support::built;
use support::orders::{sandbox_config, with};
use support::random::random;
use support::result::{CONNECT_FAILED, DUPLICATE};
use support::shop::{Shop, listed, order};
use support::table;
use support::trials::{number_in, trials};
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

#[test]
#[ignore = "started by the tests below"]
fn making_orders_until_it_is_killed() {
    let Some(given) = own_config() else { return };
    let round = given["round"].as_str().expect("a round");
    let [client, nobody] = ["config", "refusing"].map(|key| Client::new(&given[key]));
    let own = format!("-{}", std::process::id());
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let (client, nobody, own) = (&client, &nobody, &own);
            scope.spawn(move || {
                for number in 0.. {
                    // Every second order is also that of the other processes.
                    let own = ["", own.as_str()][number % 2];
                    let order = order(&format!("{round}-{thread}-{number}{own}"));
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
    /// The number of the last request that was looked at.
    seen: Cell<u64>,
    /// The last entry that was looked at.
    listed: Cell<u64>,
}

/// What the run met.
#[derive(Default)]
struct Counts {
    /// Orders that the processes began, and those of them that the service has.
    orders: usize,
    in_service: usize,
    /// Entries by state.
    states: BTreeMap<String, usize>,
    duplicates: usize,
}

impl Setup {
    fn of(shop: Shop) -> Setup {
        let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
        let config = sandbox_config(&sandbox.base_url());
        let config = with(&config, "journal", shop.journal.setting());
        let refusing = shop.config(&refusing_url());
        Setup {
            shop,
            sandbox,
            config,
            refusing,
            seen: Cell::new(0),
            listed: Cell::new(0),
        }
    }

    fn start(&self, round: u64) -> Child {
        let round = format!("R{round}");
        let given = json!({"config": self.config, "refusing": self.refusing, "round": round});
        process("making_orders_until_it_is_killed", &given)
            .stdout(Stdio::null())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the test starts again")
    }

    /// Runs processes that create the same orders, and kills each after its time.
    fn kill_after(&self, round: u64, lives: &[Duration]) {
        let children: Vec<Child> = lives.iter().map(|_| self.start(round)).collect();
        let first = format!("R{round}-");
        let began = Instant::now();
        let has_begun = || {
            let news = self.sandbox.exchanges_since(self.seen.get());
            let last = news.last().and_then(|last| last["number"].as_u64());
            self.seen.set(last.unwrap_or(self.seen.get()));
            let mut bodies = news.iter().filter_map(|news| news["body"].as_str());
            bodies.any(|body| body.contains(&first))
        };
        // Usually skip the start of the process, where little happens.
        while !round.is_multiple_of(10) && began.elapsed() < Duration::from_secs(10) && !has_begun()
        {
            std::thread::sleep(Duration::from_millis(10));
        }
        let began = Instant::now();
        for (mut child, life) in children.into_iter().zip(lives) {
            std::thread::sleep(life.saturating_sub(began.elapsed()));
            let ended = child.try_wait().expect("it can be waited for");
            assert!(ended.is_none(), "it ended by itself: {ended:?}");
            child.kill().expect("it can be killed");
            child.wait().expect("it can be waited for");
        }
        self.shop.journal.is_quiet();
    }

    /// All entries after this one, with their events.
    fn entries(&self, client: &Client, mut after: Value) -> Vec<Value> {
        let mut entries: Vec<Value> = Vec::new();
        loop {
            let options = json!({"limit": 10_000, "after": after, "events": true});
            let page = listed(&client.journal_list(&options));
            if page.is_empty() {
                return entries;
            }
            after = page[page.len() - 1]["entry"].clone();
            entries.extend(page);
        }
    }

    /// Every violation as text: of the orders of this round, which are counted too, or of all.
    fn violations(&self, round: Option<u64>, counts: &mut Counts) -> Vec<String> {
        let mut wrong = Vec::new();
        self.shop.journal.is_sound();
        let client = Client::new(&self.config);
        // The states of the entries of each order.
        let mut journal = BTreeMap::<String, Vec<String>>::new();
        let after = if round.is_some() {
            self.listed.get()
        } else {
            0
        };
        for entry in self.entries(&client, after.into()) {
            self.listed.set(entry["entry"].as_u64().expect("a number"));
            let text = |key: &str| entry[key].as_str().unwrap_or_default().to_owned();
            let known = journal.entry(text("orderId")).or_default();
            known.push(text("state"));
            // An attempt is written together with the outcome.
            let events = entry["events"].as_array().expect("events");
            let attempted = events.iter().any(|event| event["event"] == "attempt");
            let begins = events.first().map(|event| &event["event"]);
            let has_outcome = !entry["result"].is_null();
            if begins != Some(&json!("sending")) || attempted != has_outcome {
                wrong.push(format!("the events of {entry}"));
            }
        }
        let ours = round.map_or_else(|| "R".to_owned(), |round| format!("R{round}-"));
        let service = self.sandbox.orders().into_iter();
        let service = service.filter(|one| one.order_id.starts_with(&ours));
        let service: BTreeMap<_, _> = service.map(|one| (one.order_id.clone(), one)).collect();
        let all: BTreeSet<&String> = journal.keys().chain(service.keys()).collect();
        if round.is_none() {
            counts.orders += all.len();
            let service = service.values();
            counts.in_service += service.filter(|one| one.checkout_url.is_some()).count();
        }
        let mut asked_again = 0;
        for order_id in all {
            let known = journal.get(order_id).map_or(&[][..], Vec::as_slice);
            let received = service.get(order_id);
            let sent = received.map_or(0, |one| one.create_requests as usize);
            let exists = received.is_some_and(|one| one.checkout_url.is_some());
            let count = |names: &[&str]| {
                let found = known.iter().filter(|state| names.contains(&state.as_str()));
                found.count()
            };
            let may_exist = count(&["created", "unknown", "sending"]);
            for (holds, rule) in table! {
                received.is_none() || !known.is_empty(), "is not in the journal";
                !exists || may_exist > 0, "exists, and the journal denies it";
                exists || count(&["created"]) == 0, "does not exist, and the journal has it";
                sent + count(&["not_sent"]) <= known.len(), "was sent without an entry";
                may_exist <= 1, "was started again";
            } {
                if !holds {
                    wrong.push(format!("{order_id} {rule}: {known:?}, sent {sent} times"));
                }
            }
            if round.is_none() {
                continue;
            }
            for state in known {
                *counts.states.entry(state.clone()).or_default() += 1;
            }
            // Orders of this round that may exist are refused.
            if asked_again < 20 && count(&["rejected", "not_sent"]) < known.len() {
                asked_again += 1;
                let reply = client.create(&order(order_id));
                if reply.code != DUPLICATE {
                    let reply = reply.text();
                    wrong.push(format!("{order_id} was sent again: {known:?}: {reply}"));
                }
            }
        }
        counts.duplicates += asked_again;
        wrong
    }

    /// Recovers when all calls are over. Each order that the service has must be found.
    fn not_recovered(&self) -> Vec<String> {
        let client = Client::new(&self.config);
        client.journal_list(&json!({})).done();
        let overdue = "UPDATE payorder_orders SET deadline_ms = begun_ms WHERE state = 'sending'";
        self.shop.journal.sql(&[overdue]);
        client.recover(None, &json!({})).done();
        let entries = self.entries(&client, json!(0)).into_iter();
        let created = entries.filter(|entry| entry["state"] == "created");
        let created: BTreeSet<_> = created.map(|entry| entry["orderId"].to_string()).collect();
        let orders = self.sandbox.orders().into_iter();
        let missing = orders.filter(|one| {
            one.checkout_url.is_some() && !created.contains(&json!(one.order_id).to_string())
        });
        missing
            .map(|one| format!("{} was not recovered", one.order_id))
            .collect()
    }
}

#[test]
fn every_order_in_a_file_is_accounted_for_after_a_kill_at_any_moment() {
    kill_at_any_moment(Shop::new, 1, LIFE);
}

#[cfg(unix)]
#[test]
fn every_order_in_postgresql_is_accounted_for_after_a_kill_at_any_moment() {
    use support::postgres::shared;
    use support::shop::Journal;

    let Some(server) = shared() else { return };
    let fresh = || Shop::with(|_| Journal::Database(server.database().fresh()));
    kill_at_any_moment(fresh, 3, 3 * LIFE);
}

/// Usually this many processes create orders, sometimes one more.
fn kill_at_any_moment(shop: impl Fn() -> Shop, processes: usize, longest: Duration) {
    let asked = number_in("PAYORDER_KILLS");
    let asked_orders = number_in("PAYORDER_KILLED_ORDERS").unwrap_or(0) as usize;
    // In CI, a run by itself counts the orders in a database.
    let in_ci = if processes > 1 { KILLS[0] } else { KILLS[1] };
    let enough = asked.unwrap_or(trials(KILLS[0], in_ci));
    let seed = number_in("PAYORDER_KILLS_SEED").unwrap_or(u64::from(std::process::id()));
    println!("PAYORDER_KILLS_SEED={seed}");
    let (mut counts, mut wrong) = (Counts::default(), Vec::new());
    let (mut round, mut kills, mut setup) = (0_u64, 0, Setup::of(shop()));
    let longest = number_in("PAYORDER_KILLS_LIFE_MS").map_or(longest, Duration::from_millis);
    let began = Instant::now();
    let is_long = asked.is_some() || asked_orders > 0;
    while (kills < enough || counts.orders < asked_orders) && (is_long || began.elapsed() < BOUND) {
        let chance = random(seed, round);
        let count = processes + usize::from(chance & 3 == 0);
        let life =
            |number: usize| longest.mul_f64((chance >> (16 * number) & 0xffff) as f64 / 65536.0);
        let mut lives: Vec<Duration> = (0..count).map(life).collect();
        lives.sort_unstable();
        setup.kill_after(round, &lives);
        let found = setup.violations(Some(round), &mut counts);
        let found = found.into_iter();
        wrong.extend(found.map(|violation| format!("in round {round}: {violation}")));
        kills += lives.len() as u64;
        round += 1;
        if round.is_multiple_of(ONE_JOURNAL) {
            wrong.extend(setup.violations(None, &mut counts));
            wrong.extend(setup.not_recovered());
            setup = Setup::of(shop());
        }
    }
    wrong.extend(setup.violations(None, &mut counts));
    wrong.extend(setup.not_recovered());
    let Counts {
        orders,
        in_service,
        states,
        duplicates,
    } = counts;
    println!(
        "{kills} kills in {:.0} s: {orders} orders, {in_service} of them in the service, entries \
         {states:?}, {duplicates} duplicates refused; {} violations",
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
