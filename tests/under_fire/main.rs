//! Results stay right under load and faults: 64 threads call services that fail at random, over
//! plain HTTP, over TLS and through proxies. Some calls have hardly any time, and some are cancelled
//! at any moment. Afterwards each result is compared with what the service received for that order.
//!
//! `PAYORDER_FIRE_CALLS=1000000 cargo test --test under_fire -- --nocapture` is the long run.

mod faults;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use faults::Faults;
use serde_json::{Value, json};
use support::abi::{Client, Outcome, Reply, Token};
use support::certificates::Certificates;
use support::orders::order_named;
use support::random::random;
use support::service::{Seen, Service, Way};
use support::trial::contradiction;
use support::trials::{number_in, trials};
use support::unreachable::refusing_url;

const THREADS: usize = 64;
/// Done, not sent, rejected, unknown.
const OUTCOMES: usize = 4;
/// Long enough for a response on a busy machine, and short enough that stalls do not slow the run
/// down.
const TIMEOUT_MS: u64 = 400;
/// Without a number of calls in the environment, the run ends after this time.
const BOUND: Duration = Duration::from_secs(15);
/// Unless the machine was so slow that an outcome is missing. Then it goes on, and gives each call more
/// time.
const LAST_BOUND: Duration = Duration::from_secs(120);
const LATE_TIMEOUT_MS: u64 = 10 * TIMEOUT_MS;

/// A way to reach a service, and the client that all threads share for it.
struct Route {
    service: Service,
    config: Value,
    shared: Client,
}

impl Route {
    fn new(way: Way, seed: u64, certificates: &Arc<Certificates>, faults: &Faults) -> Route {
        let scripts = faults::scripts(seed, way, faults);
        let service = Service::scripted(scripts, way, certificates, 1);
        let (base_url, proxy) = way.addresses(&format!("localhost:{}", service.port()));
        let mut config = config(&base_url);
        config["proxy"] = proxy.into();
        config["tls"] = json!({"caFile": certificates.authorities()});
        let shared = Client::new(&config);
        Route {
            service,
            config,
            shared,
        }
    }
}

fn config(base_url: &str) -> Value {
    json!({"baseUrl": base_url, "proxy": "none", "timeoutMs": TIMEOUT_MS, "createRetries": 2})
}

#[test]
fn every_result_agrees_with_what_the_service_received() {
    let seed = number_in("PAYORDER_FIRE_SEED").unwrap_or(std::process::id().into());
    let asked = number_in("PAYORDER_FIRE_CALLS").map(|calls| calls as usize);
    let calls = asked.unwrap_or(trials(5_000, 20_000));
    println!("PAYORDER_FIRE_SEED={seed}, {calls} calls, {THREADS} threads");
    let (certificates, faults) = (Arc::new(Certificates::new()), Faults::default());
    let ways = [Way::Plain, Way::Handshake, Way::Proxy, Way::ProxyToTls];
    let routes: Vec<Route> = ways
        .into_iter()
        .zip(1..)
        .map(|(way, salt)| Route::new(way, random(seed, salt), &certificates, &faults))
        .collect();
    let nobody = Client::new(&config(&refusing_url()));

    let (next, records) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(calls)));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                loop {
                    let late = asked.is_none() && began.elapsed() >= BOUND;
                    if late && (has_all_outcomes(&records) || began.elapsed() >= LAST_BOUND) {
                        return;
                    }
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= calls {
                        return;
                    }
                    let chance = random(seed, number as u64);
                    let order_id = format!("F-{number}-{chance:x}");
                    // Half of the calls use plain HTTP.
                    let route = usize::try_from(chance % 6)
                        .expect("small")
                        .saturating_sub(2);
                    let timeout_ms = if late { LATE_TIMEOUT_MS } else { TIMEOUT_MS };
                    let end = End::of(chance >> 16, timeout_ms);
                    let record = if chance >> 8 & 63 == 0 {
                        CallRecord::of(&nobody, route, order_id, end)
                    } else if chance >> 8 & 15 == 1 {
                        CallRecord::of(&Client::new(&routes[route].config), route, order_id, end)
                    } else {
                        CallRecord::of(&routes[route].shared, route, order_id, end)
                    };
                    records.lock().unwrap().push(record);
                }
            });
        }
    });
    let took = began.elapsed().as_secs_f64();
    for route in &routes {
        // The client's connections end with it. The service still reads what is in transit.
        support::abi::free(route.shared.key());
        route.service.stop();
    }

    let records = records.into_inner().unwrap();
    let mut results = BTreeMap::<i32, usize>::new();
    let outcomes = outcomes(&records);
    let mut wrong = Vec::new();
    for record in &records {
        *results.entry(record.reply.code).or_default() += 1;
        let seen = routes[record.route].service.record().seen(&record.order_id);
        if let Some(problem) = record.contradiction(seen) {
            wrong.push(format!(
                "{problem}: {record:?}, and the service received {seen:?}"
            ));
        }
    }
    println!(
        "{} calls in {took:.1} s: {outcomes:?}; {} wrong",
        records.len(),
        wrong.len()
    );
    println!("by result: {results:?}");
    println!("connections by fault: {:?}", faults.lock().unwrap());
    assert!(
        wrong.is_empty(),
        "PAYORDER_FIRE_SEED={seed}: {} of {} calls:\n  {}",
        wrong.len(),
        records.len(),
        wrong.join("\n  ")
    );
    assert_eq!(
        outcomes.len(),
        OUTCOMES,
        "not all outcomes: this proves too little"
    );
}

fn has_all_outcomes(records: &Mutex<Vec<CallRecord>>) -> bool {
    outcomes(&records.lock().unwrap()).len() == OUTCOMES
}

fn outcomes(records: &[CallRecord]) -> BTreeMap<Outcome, usize> {
    let mut outcomes = BTreeMap::new();
    for record in records {
        *outcomes.entry(record.reply.outcome()).or_default() += 1;
    }
    outcomes
}

/// What may end a call before its service does.
#[derive(Clone, Copy)]
enum End {
    /// In milliseconds.
    Deadline(u64),
    /// A cancellation after so many microseconds.
    Cancellation(u64),
}

impl End {
    fn of(chance: u64, timeout_ms: u64) -> End {
        match chance & 15 {
            // A time in which hardly any call can succeed.
            0 => End::Deadline(1 + (chance >> 4) % 12),
            1 => End::Cancellation((chance >> 4) % 5_000),
            _ => End::Deadline(timeout_ms),
        }
    }

    fn time(self) -> Duration {
        match self {
            End::Deadline(time) => Duration::from_millis(time),
            End::Cancellation(time) => Duration::from_micros(time),
        }
    }
}

/// What the library reported for one order.
#[derive(Debug)]
struct CallRecord {
    route: usize,
    order_id: String,
    reply: Reply,
    end: Duration,
    took: Duration,
}

impl CallRecord {
    fn of(client: &Client, route: usize, order_id: String, end: End) -> CallRecord {
        let order = order_named(&order_id);
        // The order's identifier is also its access token, so that the service knows which order a
        // partial request belongs to.
        let mut options = json!({"accessToken": order_id});
        // Only the call is measured: on a busy machine, Wine's threads begin and end seconds late.
        let timed = |options: &Value| {
            let called = Instant::now();
            (client.create_with(&order, options), called.elapsed())
        };
        let (reply, took) = match end {
            End::Deadline(time) => {
                options["timeoutMs"] = time.into();
                timed(&options)
            }
            End::Cancellation(_) => {
                let token = Token::new();
                let options = token.among(&options);
                std::thread::scope(|scope| {
                    let call = scope.spawn(|| timed(&options));
                    std::thread::sleep(end.time());
                    token.cancel();
                    call.join().expect("the call returns")
                })
            }
        };
        CallRecord {
            route,
            order_id,
            reply,
            end: end.time(),
            took,
        }
    }

    /// What contradicts it. The deadline has a margin for a machine that has more threads than
    /// processors.
    fn contradiction(&self, seen: Seen) -> Option<&'static str> {
        let has_its_response = match self.reply.code {
            0 => seen.answered == Some(200),
            100..200 => matches!(seen.answered, Some(400..=408 | 410..=499)),
            _ => true,
        };
        let longest = self.end + Duration::from_secs(10);
        contradiction(&self.reply, &self.order_id, seen.bytes, seen.complete)
            .or((!has_its_response).then_some("not what the service answered"))
            .or((self.took >= longest).then_some("later than its deadline"))
    }
}
