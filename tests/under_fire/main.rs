//! Never wrong about the money under fire: many threads, a service that breaks off at random, and after each call its word held against what the
//! service saw of that very order.
//!
//! `PAYORDER_FIRE_CALLS=1000000 cargo test --release --test under_fire -- --nocapture` is the long run.

mod service;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use serde_json::json;
use service::{Seen, Service};
use support::abi::Client;
use support::orders::order_named;

const THREADS: usize = 64;
/// Long enough for an answer on a busy machine, and short enough for a stall not to hold the run up.
const TIMEOUT_MS: u64 = 400;

fn calls() -> usize {
    std::env::var("PAYORDER_FIRE_CALLS").ok().and_then(|text| text.parse().ok()).unwrap_or(6_000)
}

/// A small generator with a seed, so that a run can be had again.
fn scramble(seed: u64, number: u64) -> u64 {
    let mut value = seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    for shift in [30, 27, 31] {
        value = (value ^ (value >> shift)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    }
    value ^ (value >> 32)
}

#[test]
fn no_word_about_an_order_is_wrong() {
    let seed = std::env::var("PAYORDER_FIRE_SEED").ok().and_then(|text| text.parse().ok()).unwrap_or_else(|| u64::from(std::process::id()));
    let calls = calls();
    println!("seed {seed}, {calls} calls, {THREADS} threads");
    let service = Service::start(seed);
    let config = |base_url: &str| json!({"baseUrl": base_url, "proxy": "none", "timeoutMs": TIMEOUT_MS, "createRetries": 2});
    let client = Client::new(&config(&service.base_url()));
    // Every so often a call goes to a port where nobody listens.
    let nobody = Client::new(&config(&nobody()));
    let next = AtomicUsize::new(0);
    let words = Mutex::new(Vec::with_capacity(calls));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= calls {
                        return;
                    }
                    let order_id = format!("F-{number}-{:x}", scramble(seed, number as u64));
                    let client = if number.is_multiple_of(50) { &nobody } else { &client };
                    let order = order_named(&order_id);
                    let called = Instant::now();
                    // The order's identifier is the token too, so that the service knows whose a part of a request is.
                    let reply = client.create_with(&order, &json!({"accessToken": order_id}));
                    let word = Word { order_id, result: reply.code, took: called.elapsed() };
                    words.lock().expect("no panic").push(word);
                    if number.is_multiple_of(50_000) && number > 0 {
                        println!("{number} calls, {:.0} a second", number as f64 / began.elapsed().as_secs_f64());
                    }
                }
            });
        }
    });
    let took = began.elapsed().as_secs_f64();
    // What the service has not read yet, it reads now.
    std::thread::sleep(Duration::from_secs(1));
    let words = words.into_inner().expect("no panic");
    let mut results = BTreeMap::<i32, usize>::new();
    let mut wrong = Vec::new();
    for word in &words {
        *results.entry(word.result).or_default() += 1;
        let seen = service.seen(&word.order_id);
        if !word.is_right(seen) {
            wrong.push(format!("{word:?}, but the service saw {seen:?}"));
        }
    }
    println!("{results:?} in {took:.1} s; faults {:?}", service.faults());
    assert_eq!(words.len(), calls);
    assert!(wrong.is_empty(), "seed {seed}: {} of {calls} words were wrong:\n{}", wrong.len(), wrong.join("\n"));
    for (outcome, range) in [("done", 0..1), ("not sent", 1..100), ("rejected", 100..200), ("unknown", 200..300)] {
        assert!(
            results.keys().any(|result| range.contains(result)),
            "no call ended as {outcome}: the weather was too fair to prove anything"
        );
    }
}

/// What the library said of one order.
#[derive(Debug)]
struct Word {
    order_id: String,
    result: i32,
    took: Duration,
}

impl Word {
    /// The iron rule: *not sent* means that the service saw no byte, an answer that it was asked once, and nothing that it was asked twice. And the
    /// deadline holds, but for what a machine with more threads than processors may take beyond it.
    fn is_right(&self, seen: Seen) -> bool {
        let true_to_what_was_seen = match self.result {
            0 => seen.complete == 1 && seen.answered == Some(200),
            1..100 => seen.bytes == 0,
            100..200 => seen.complete == 1 && seen.answered == Some(400),
            _ => seen.complete <= 1,
        };
        true_to_what_was_seen && self.took < Duration::from_millis(TIMEOUT_MS) + Duration::from_secs(10)
    }
}

/// An address where nobody listens.
fn nobody() -> String {
    let port = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port").port();
    format!("http://127.0.0.1:{port}")
}
