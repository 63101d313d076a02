//! The callback runs on the calling thread, may call every function, and can stop the queries.

use super::{AT_ONCE, completing, queries};
use serde_json::json;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};
use support::abi::{self, Client};
use support::orders::{config, with};
use support::responses::{completed, http_with};
use support::service::{Service, respond_after};
use support::trials::trials;

#[test]
fn a_callback_that_returns_0_gets_the_queries_already_sent_and_no_others() {
    let service = completing(Duration::from_millis(30));
    let client = Client::new(&config(&service.url()));
    let mut results = BTreeMap::<i32, usize>::new();
    let mut calls = 0;
    let summary = client.statuses(&queries(1000), &json!({"concurrency": 8}), |_, reply| {
        *results.entry(reply.code).or_default() += 1;
        calls += 1;
        calls != 20
    });
    let summary = summary.done().json;
    assert_eq!(summary["stopped"], true);
    assert_eq!(summary["asked"], calls, "{summary}");
    assert!(
        (20..=36).contains(&calls),
        "{calls}: expected those already sent, and no others"
    );
    assert_eq!(
        service.request_count(),
        calls,
        "each query that was sent has a result"
    );
    assert_eq!(
        results,
        BTreeMap::from([(0, calls)]),
        "queries already sent are completed"
    );
}

#[test]
fn stopping_does_not_wait_for_retries() {
    let later = http_with(503, &[("Retry-After", "15")], "");
    let service = Service::deciding(move |query| {
        respond_after(
            AT_ONCE,
            if query.number == 0 {
                later.clone()
            } else {
                completed(&query.order_id)
            },
        )
    });
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 3));
    let began = Instant::now();
    let mut results = BTreeMap::<i32, usize>::new();
    let summary = client.statuses(&queries(100), &json!({"concurrency": 4}), |_, reply| {
        *results.entry(reply.code).or_default() += 1;
        results[&reply.code] < 50
    });
    let summary = summary.done().json;
    assert_eq!(summary["stopped"], true, "{summary}");
    assert_eq!(summary["unknown"], 1, "{summary} {results:?}");
    assert_eq!(results.get(&203), Some(&1), "its last error: {results:?}");
    assert!(
        began.elapsed() < Duration::from_secs(10),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn cancelling_at_any_moment_gives_each_query_a_result() {
    // A query that is sent although it was cancelled waits a long time for its response.
    let cancelled = Arc::new(AtomicBool::new(false));
    let seen = Arc::clone(&cancelled);
    let service = Service::deciding(move |query| {
        let delay = if seen.load(SeqCst) { 3000 } else { 1 };
        respond_after(Duration::from_millis(delay), completed(&query.order_id))
    });
    let client = Client::new(&config(&service.url()));
    let queries = queries(10_000);
    for round in 0..trials(30, 150_u64) {
        cancelled.store(false, SeqCst);
        let begun = AtomicBool::new(false);
        let mut results = BTreeMap::<i32, usize>::new();
        let (summary, took) = thread::scope(|scope| {
            let asking = scope.spawn(|| {
                let count = |_, reply: abi::Reply| {
                    begun.store(true, SeqCst);
                    *results.entry(reply.code).or_default() += 1;
                    true
                };
                client.statuses(&queries, &json!({"concurrency": 8}), count)
            });
            // Cancelling before the call has begun has no effect.
            while !begun.load(SeqCst) {
                thread::sleep(Duration::from_micros(100));
            }
            thread::sleep(Duration::from_micros(round * 371 % 5000));
            cancelled.store(true, SeqCst);
            let began = Instant::now();
            client.cancel();
            (asking.join().unwrap().done().json, began.elapsed())
        });
        assert!(took < Duration::from_secs(2), "{took:?}");
        assert_eq!(summary["stopped"], true, "{summary}");
        assert_eq!(summary["asked"], results.values().sum::<usize>());
        let codes = results.keys().all(|code| [0, 8, 204].contains(code));
        let cancelled: usize = [8, 204].iter().filter_map(|code| results.get(code)).sum();
        assert!(codes && cancelled <= 8, "{results:?}");
    }
    cancelled.store(false, SeqCst);
    client.status(&queries[0]).done();
}

#[test]
fn a_slow_callback_delays_queries_and_keeps_memory_flat() {
    let service = completing(AT_ONCE);
    let client = Client::new(&config(&service.url()));
    let mut ahead = Vec::new();
    let mut calls = 0;
    client.statuses(&queries(60), &json!({"concurrency": 4}), |_, _| {
        calls += 1;
        thread::sleep(Duration::from_millis(10));
        ahead.push(service.request_count() - calls);
        true
    });
    // For each thread, one result waits and one more query is in flight.
    assert!(ahead.iter().all(|ahead| *ahead <= 8), "{ahead:?}");
}
