//! The rate: as fast as the concurrency allows, never faster than `ratePerSecond`, and paused when
//! the service sends `Retry-After`.

use super::{AT_ONCE, ask, completing, numbers, queries};
use serde_json::json;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use support::abi::Client;
use support::orders::{config, with};
use support::patience::until;
use support::responses::{completed, http_with};
use support::service::{Service, respond_after};
use support::trials::trials;

/// Tests that measure time run one after the other.
static CLOCK: Mutex<()> = Mutex::new(());

pub fn alone() -> impl Drop {
    CLOCK
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// The largest number of arrivals in any span of this length.
fn most_within(span: Duration, arrivals: &[Instant]) -> usize {
    let from = |first: Instant| {
        arrivals
            .iter()
            .filter(|at| (first..first + span).contains(*at))
            .count()
    };
    arrivals.iter().map(|first| from(*first)).max().unwrap_or(0)
}

#[test]
fn thousands_of_queries_use_the_full_concurrency() {
    let _alone = alone();
    let count: usize = trials(2_000, 10_000);
    let delay = Duration::from_millis(50);
    let service = completing(delay);
    let client = Client::new(&config(&service.url()));
    let began = Instant::now();
    let mut asked = BTreeSet::new();
    let summary = client.statuses(
        &queries(count),
        &json!({"concurrency": 64}),
        |index, reply| reply.code == 0 && asked.insert(index),
    );
    let took = began.elapsed();
    assert_eq!(
        numbers(&summary.done().json),
        [count as u64, count as u64, 0, 0, 0]
    );
    assert_eq!(asked.len(), count);
    let ideal = delay.as_secs_f64() * count as f64 / 64.0;
    let ratio = took.as_secs_f64() / ideal;
    println!("{count} queries, 64 at once, 50 ms each: {took:?}, {ratio:.3} of the ideal");
    assert!(ratio < 1.25, "{ratio:.3}");
}

#[test]
fn at_most_concurrency_queries_are_in_flight() {
    let _alone = alone();
    for concurrency in [1, 8, 64] {
        let under_way = Mutex::new((0_usize, 0_usize));
        let under_way: &'static Mutex<(usize, usize)> = Box::leak(Box::new(under_way));
        let service = Service::deciding(move |query| {
            let mut now = under_way.lock().unwrap();
            now.0 += 1;
            now.1 = now.1.max(now.0);
            drop(now);
            // The first ones wait for as many as there may be.
            until(|| under_way.lock().unwrap().1 >= concurrency);
            std::thread::sleep(Duration::from_millis(30));
            under_way.lock().unwrap().0 -= 1;
            respond_after(AT_ONCE, completed(&query.order_id))
        });
        let client = Client::new(&config(&service.url()));
        let options = if concurrency == 8 {
            json!({})
        } else {
            json!({"concurrency": concurrency})
        };
        let (summary, _) = ask(&client, &queries(10 * concurrency), &options);
        assert_eq!(summary["ok"], 10 * concurrency);
        assert_eq!(under_way.lock().unwrap().1, concurrency);
    }
}

#[test]
fn the_rate_is_reached_and_never_exceeded() {
    let _alone = alone();
    // Slow responses, so that one thread could not reach the rate. Each query is retried once:
    // retries count.
    let seen = Mutex::new(BTreeSet::new());
    let service = Service::deciding(move |query| {
        let again = !seen.lock().unwrap().insert(query.order_id.clone());
        let response = if again {
            completed(&query.order_id)
        } else {
            http_with(503, &[("Retry-After", "0")], "")
        };
        respond_after(Duration::from_millis(40), response)
    });
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 2));
    let (summary, _) = ask(
        &client,
        &queries(150),
        &json!({"concurrency": 16, "ratePerSecond": 100}),
    );
    assert_eq!(numbers(&summary), [150, 150, 0, 0, 0], "{summary}");
    let arrivals: Vec<Instant> = service.asked().into_iter().map(|(at, _)| at).collect();
    assert_eq!(arrivals.len(), 300);
    let (most, whole) = (
        most_within(Duration::from_secs(1), &arrivals),
        arrivals[299] - arrivals[0],
    );
    let rate = 299.0 / whole.as_secs_f64();
    println!(
        "at 100 a second, with retries: at most {most} in one second, {rate:.1} a second on average"
    );
    // On a busy machine a thread of the service can be late, so that its query seems to arrive
    // together with later ones.
    let most = most_within(Duration::from_millis(800), &arrivals);
    assert!(most <= 100, "{most} within 800 ms");
    assert!(rate >= 90.0, "{rate:.1} a second");
    let gaps: Vec<Duration> = arrivals.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let bunched = gaps
        .iter()
        .filter(|gap| **gap < Duration::from_millis(3))
        .count();
    assert!(
        bunched < 60,
        "expected 10 ms between queries, but {bunched} of 299 came within 3 ms of the one before"
    );
}

#[test]
fn a_rate_below_one_per_second_is_kept() {
    let service = completing(AT_ONCE);
    let client = Client::new(&config(&service.url()));
    ask(&client, &queries(3), &json!({"ratePerSecond": 0.8}));
    let arrivals = service.asked();
    for pair in arrivals.windows(2) {
        let gap = (pair[1].0 - pair[0].0).as_secs_f64();
        // At a rate of 1 it would be 1 second. The service can be late.
        assert!((1.1..2.5).contains(&gap), "{gap}");
    }
}

/// A service that answers the query of this number, counted from 0, with a 429.
fn limiting(number: usize, headers: &'static [(&str, &str)]) -> Service {
    Service::deciding(move |query| {
        let response = if query.number == number {
            http_with(429, headers, "{}")
        } else {
            completed(&query.order_id)
        };
        respond_after(Duration::from_millis(10), response)
    })
}

#[test]
fn one_429_with_retry_after_pauses_all_queries_and_they_resume_evenly() {
    let _alone = alone();
    let service = limiting(20, &[("Retry-After", "1")]);
    let client = Client::new(&with(&config(&service.url()), "statusRetries", 1));
    let options = json!({"concurrency": 16, "ratePerSecond": 50});
    let (summary, results) = ask(&client, &queries(60), &options);
    assert_eq!(
        numbers(&summary),
        [60, 60, 0, 0, 0],
        "{summary} {results:?}"
    );
    let asked = service.asked();
    let limited = asked[20].0 + Duration::from_millis(10);
    let mut same = asked.iter().filter(|(_, id)| *id == asked[20].1);
    let again = same.nth(1).expect("it was retried").0 - limited;
    assert!(again >= Duration::from_millis(970), "{again:?}");
    let later = asked.iter().map(|(at, _)| *at);
    let later = later.filter(|at| *at > limited + Duration::from_millis(200));
    let later: Vec<Instant> = later.collect();
    // One or two queries can already be in flight at the time of the 429.
    assert!(later.len() >= 37, "{} came later", later.len());
    let pause = later[0] - limited;
    println!("paused for {pause:?}");
    let expected = Duration::from_millis(980)..Duration::from_millis(2500);
    assert!(expected.contains(&pause), "{pause:?}");
    let pairs = later.windows(2);
    let bunched = pairs.filter(|pair| pair[1] - pair[0] < Duration::from_millis(7));
    let bunched = bunched.count();
    assert!(
        bunched < 8,
        "expected 20 ms between queries, but {bunched} were closer"
    );
}

#[test]
fn a_429_without_retry_after_pauses_nothing() {
    let _alone = alone();
    let service = limiting(5, &[]);
    let client = Client::new(&config(&service.url()));
    let began = Instant::now();
    let (summary, _) = ask(&client, &queries(50), &json!({}));
    assert_eq!(numbers(&summary), [50, 49, 1, 0, 0], "{summary}");
    assert!(
        began.elapsed() < Duration::from_secs(1),
        "{:?}",
        began.elapsed()
    );
}
