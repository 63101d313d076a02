//! The conversation of one order with the database is cut after any byte of either side.
//!
//! `cargo test --test journal_in_postgresql -- --ignored every_byte` runs all cases.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use support::abi::Client;
use support::orders::with;
use support::postgres::{Database, Server};
use support::random::random;
use support::relay::Relay;
use support::service::{Cut, Ending, Side};
use support::trials::number_in;

use crate::database;
use crate::sales::Sales;

/// Most cases wait for a moment.
const AT_ONCE: usize = 40;
/// Samples have this many cases, over plain TCP and over TLS.
const SAMPLES: [usize; 2] = [150, 1500];

#[test]
fn a_cut_after_any_byte_of_a_sample_sends_nothing_twice() {
    let Some(database) = database() else { return };
    sweep(&database, SAMPLES[0]);
}

#[test]
#[ignore = "takes minutes"]
fn a_cut_after_any_byte_sends_nothing_twice() {
    let Some(database) = database() else { return };
    sweep(&database, usize::MAX);
}

#[test]
#[ignore = "takes half a minute"]
fn a_cut_after_any_byte_of_a_sample_with_tls_sends_nothing_twice() {
    let Some((server, ca_file)) = Server::start_tls() else {
        return;
    };
    let database = Database {
        host: "localhost".to_owned(),
        parameters: format!("sslmode=verify-full&sslrootcert={ca_file}"),
        ..server.database()
    };
    sweep(&database, SAMPLES[1]);
}

fn sweep(database: &Database, sample: usize) {
    let seed = number_in("PAYORDER_BYTES_SEED").unwrap_or(std::process::id().into());
    println!("PAYORDER_BYTES_SEED={seed}");
    // Without a cut, to know how long it is.
    let sales = Sales::new();
    let relay = Relay::to(database.port);
    for order_id in ["MAKES-THE-TABLES", "WHOLE"] {
        let before = [Side::Client, Side::Service].map(|side| relay.bytes(side));
        let client = sales.client(&database.at(relay.port()));
        sales.sell(&client, order_id);
        println!("{order_id}: {before:?} bytes before");
        if order_id != "WHOLE" {
            continue;
        }
        drop(client);
        let lengths = [Side::Client, Side::Service].map(|side| relay.bytes(side));
        let lengths = [lengths[0] - before[0], lengths[1] - before[1]];
        run(seed, sample, lengths, database, &sales);
    }
    sales.check(database);
    sales.recover(database);
}

fn run(seed: u64, sample: usize, lengths: [usize; 2], database: &Database, sales: &Sales) {
    let mut cases = Vec::new();
    for (side, length) in [Side::Client, Side::Service].into_iter().zip(lengths) {
        for ending in [Ending::Close, Ending::Reset, Ending::Stall] {
            for position in 0..=length {
                let place = random(seed, cases.len() as u64);
                cases.push((
                    place,
                    Cut {
                        side,
                        position,
                        ending,
                    },
                ));
            }
        }
    }
    cases.sort_by_key(|(place, _)| *place);
    cases.truncate(sample);
    let (next, began) = (AtomicUsize::new(0), Instant::now());
    let results = Mutex::new(BTreeMap::<i32, usize>::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                let relay = Relay::to(database.port);
                let config = sales.config(&database.at(relay.port()));
                // A silent database costs no more than this.
                let short = with(&config, "timeoutMs", 600);
                let short = with(&short, "connectTimeoutMs", 300);
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    let Some((_, cut)) = cases.get(number) else {
                        return;
                    };
                    relay.cut_next(*cut);
                    let is_silent = cut.ending == Ending::Stall;
                    let client = Client::new(if is_silent { &short } else { &config });
                    let code = sales.create(&client, &format!("{cut:?}"));
                    *results.lock().unwrap().entry(code).or_default() += 1;
                }
            });
        }
    });
    let states = "SELECT string_agg(concat(ending, ' ', state, ' ', count), ', ') FROM (
        SELECT substring(order_id FROM 'ending: (.*) ') AS ending, state, count(*)
        FROM payorder_orders GROUP BY ending, state) AS counted";
    let (count, states) = (cases.len(), database.sql(states));
    println!(
        "{count} cuts in {:?} of {lengths:?} bytes: {results:?}; entries {states}",
        began.elapsed()
    );
    // The database can be asked again, so nothing stays open, unless the machine is too busy.
    let open = "SELECT count(*) FROM payorder_orders
        WHERE state = 'sending' AND order_id NOT LIKE '%Stall%'";
    let open: usize = database.sql(open).parse().expect("a number");
    assert!(open <= count / 50, "{states}");
}
