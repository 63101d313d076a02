//! The idle callback runs on the calling thread while a call waits, and never in a quick call.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{IN_FLIGHT, long_timeouts};
use support::abi::{Client, with_idle};
use support::orders::{order, query};
use support::patience::patience;
use support::responses::{completed, created};
use support::service::{Service, Step, respond_after, stall};

/// The promise is 100 ms. A busy machine gets more time.
const LONGEST_GAP: Duration = Duration::from_millis(1000);

/// Makes a call, and checks when and on which thread its idle callback ran.
fn checked_runs(call: impl FnOnce()) -> usize {
    let (began, own) = (Instant::now(), thread::current().id());
    let mut runs = Vec::new();
    let note = || {
        assert_eq!(thread::current().id(), own);
        runs.push(began.elapsed());
        false
    };
    with_idle(note, call);
    let end = began.elapsed();
    assert!(
        runs.first().unwrap_or(&end) >= &Duration::from_millis(50),
        "{runs:?}"
    );
    let mut before = Duration::ZERO;
    for run in runs.iter().chain([&end]) {
        assert!(*run - before < patience(LONGEST_GAP), "{runs:?}, {end:?}");
        before = *run;
    }
    // Never more often than every 50 ms, whatever the call waits for.
    let most = end.as_millis() / 50;
    assert!(runs.len() as u128 <= most, "{runs:?}, {end:?}");
    runs.len()
}

#[test]
fn it_runs_about_every_50_ms_while_a_call_waits() {
    let slow = respond_after(Duration::from_millis(500), created());
    let dripping = vec![Step::Request, Step::Drip(created(), 3)];
    let service = Service::start([slow, dripping]);
    let client = Client::new(&long_timeouts(&service.url()));
    for what in ["a slow response", "a response that arrives byte by byte"] {
        let runs = checked_runs(|| drop(client.create(&order()).done()));
        assert!(runs >= 3, "{what}: {runs}");
    }
    let slow = respond_after(Duration::from_millis(60), completed("ORDER-1001"));
    let service = Service::start([slow]);
    let client = Client::new(&long_timeouts(&service.url()));
    let queries = json!([query(), query(), query(), query(), query()]);
    let runs = checked_runs(|| {
        let one = json!({"concurrency": 1});
        client.statuses(&queries, &one, |_, _| true).done();
    });
    assert!(runs >= 3, "many statuses: {runs}");
}

#[test]
fn a_quick_call_never_runs_it() {
    let service = Service::responding(created());
    let client = Client::new(&long_timeouts(&service.url()));
    for _ in 0..20 {
        let began = Instant::now();
        let mut runs = 0;
        let count = || {
            runs += 1;
            false
        };
        with_idle(count, || drop(client.create(&order()).done()));
        let took = began.elapsed();
        assert!(runs == 0 || took > Duration::from_millis(50), "{took:?}");
    }
}

#[test]
fn a_call_that_it_makes_runs_none_and_it_may_cancel_and_free() {
    let service = Service::start([
        stall(),
        respond_after(Duration::from_millis(300), completed("ORDER-1001")),
    ]);
    let client = Client::new(&long_timeouts(&service.url()));
    let mut runs = 0;
    let ask_and_cancel = || {
        runs += 1;
        client.status(&query()).done();
        assert_eq!(client.cancel(), 0);
        false
    };
    let reply = with_idle(ask_and_cancel, || client.create(&order()));
    reply.is(IN_FLIGHT);
    assert_eq!(runs, 1, "the call of the callback ran it as well");

    let service = Service::start([respond_after(Duration::from_millis(200), created())]);
    let mut client = Some(Client::new(&long_timeouts(&service.url())));
    let key = client.as_ref().map_or(0, Client::key);
    let free = || {
        drop(client.take());
        false
    };
    let order = order().to_string();
    let reply = with_idle(free, || support::abi::create_order(key, &order, None));
    assert_eq!(reply.code, 0, "a freed client's call finishes");
}

#[test]
fn a_call_keeps_the_callback_that_it_began_with() {
    let service = Service::start([respond_after(Duration::from_millis(300), created())]);
    let client = Client::new(&long_timeouts(&service.url()));
    let (mut first, mut second) = (0, 0);
    let replace = || {
        first += 1;
        with_idle(|| true, || ());
        false
    };
    with_idle(replace, || client.create(&order()).done());
    assert!(first >= 2, "{first}");
    let count = || {
        second += 1;
        true
    };
    let reply = with_idle(count, || client.create(&order()));
    assert_eq!((reply.code, second), (IN_FLIGHT, 1));
    client.create(&order()).done();
}

#[test]
fn the_threads_of_other_calls_do_not_run_it() {
    let service = Service::start([respond_after(Duration::from_millis(200), created())]);
    let client = Client::new(&long_timeouts(&service.url()));
    let mut runs = 0;
    let count = || {
        runs += 1;
        false
    };
    with_idle(count, || {
        thread::scope(|scope| {
            scope.spawn(|| client.create(&order()).done());
        })
    });
    assert_eq!(runs, 0);
}
