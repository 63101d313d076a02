//! Never wrong about the money under fire: 64 threads, a service that breaks off at random, plain,
//! by TLS and through proxies, and after the calls each word held against what the service received
//! of that very order.
//!
//! `PAYORDER_FIRE_CALLS=1000000 cargo test --test under_fire -- --nocapture` is the long run.

#[path = "../wire_faults/service/mod.rs"]
mod service;
#[path = "../support/mod.rs"]
mod support;
mod weather;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use service::Service;
use service::certificates::Certificates;
use service::fault::Way;
use service::ledger::Seen;
use support::abi::Client;
use support::orders::order_named;
use weather::{Faults, scramble};

const THREADS: usize = 64;
/// Long enough for a response on a busy machine, and short enough for a stall not to hold the run
/// up.
const TIMEOUT_MS: u64 = 400;
/// A run that nobody gave a number of calls ends after this time at the latest.
const BOUND: Duration = Duration::from_secs(15);

/// Of each the range of its results.
const OUTCOMES: [(&str, Range<i32>); 4] = [
    ("done", 0..1),
    ("not sent", 1..100),
    ("rejected", 100..200),
    ("unknown", 200..300),
];

/// A way to a service, and the client that all threads share on it.
struct Front {
    service: Service,
    config: Value,
    shared: Client,
}

impl Front {
    fn new(way: Way, seed: u64, certificates: &Arc<Certificates>, faults: &Faults) -> Front {
        let service = Service::start(weather::script(seed, way, faults), way, certificates, 1);
        let here = format!("localhost:{}", service.port());
        let (base, proxy) = match way.proxy() {
            // The proxy plays the service behind it as well.
            Some(scheme) => ("localhost:9".to_owned(), format!("{scheme}://{here}")),
            None => (here, "none".to_owned()),
        };
        let scheme = if way.base_url_is_secure() {
            "https"
        } else {
            "http"
        };
        let mut config = config(&format!("{scheme}://{base}"));
        config["proxy"] = proxy.into();
        config["tls"] = json!({"caFile": certificates.authorities()});
        let shared = Client::new(&config);
        Front {
            service,
            config,
            shared,
        }
    }
}

fn config(base_url: &str) -> Value {
    json!({"baseUrl": base_url, "proxy": "none", "timeoutMs": TIMEOUT_MS, "createRetries": 2})
}

fn number_in(variable: &str) -> Option<usize> {
    std::env::var(variable).ok()?.parse().ok()
}

#[test]
fn no_word_about_an_order_is_wrong() {
    let seed = number_in("PAYORDER_FIRE_SEED").unwrap_or(std::process::id() as usize) as u64;
    let asked = number_in("PAYORDER_FIRE_CALLS");
    let calls = asked.unwrap_or(20_000);
    println!("PAYORDER_FIRE_SEED={seed}, {calls} calls, {THREADS} threads");
    let (certificates, faults) = (Arc::new(Certificates::new()), Faults::default());
    let ways = [Way::Plain, Way::Handshake, Way::Proxy, Way::ProxyToTls];
    let mut fronts: Vec<Front> = ways
        .into_iter()
        .zip(1..)
        .map(|(way, salt)| Front::new(way, scramble(seed, salt), &certificates, &faults))
        .collect();
    let reserved =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).unwrap();
    let nobody = Client::new(&config(&nobody(&reserved)));

    let (next, words) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(calls)));
    let began = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                while asked.is_some() || began.elapsed() < BOUND {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= calls {
                        return;
                    }
                    let chance = scramble(seed, number as u64);
                    let order_id = format!("F-{number}-{chance:x}");
                    // Half of the calls go the plain way.
                    let front = usize::try_from(chance % 6)
                        .expect("small")
                        .saturating_sub(2);
                    let word = if chance >> 8 & 63 == 0 {
                        Word::of(&nobody, front, order_id)
                    } else if chance >> 8 & 15 == 1 {
                        Word::of(&Client::new(&fronts[front].config), front, order_id)
                    } else {
                        Word::of(&fronts[front].shared, front, order_id)
                    };
                    words.lock().unwrap().push(word);
                    if number.is_multiple_of(20_000) && number > 0 {
                        println!(
                            "{number} calls, {:.0} a second",
                            number as f64 / began.elapsed().as_secs_f64()
                        );
                    }
                }
            });
        }
    });
    let took = began.elapsed().as_secs_f64();
    for front in &mut fronts {
        // Its connections end with the client, and the service reads what is still on the way.
        support::abi::free(front.shared.key());
        front.service.stop();
    }

    let words = words.into_inner().unwrap();
    let mut results = BTreeMap::<i32, usize>::new();
    let mut wrong = Vec::new();
    for word in &words {
        *results.entry(word.result).or_default() += 1;
        let seen = fronts[word.front].service.ledger().seen(&word.order_id);
        if !word.is_right(seen) {
            wrong.push(format!("{word:?}, but the service has {seen:?}"));
        }
    }
    let ended = OUTCOMES.map(|(outcome, range)| {
        (
            results.range(range).map(|(_, count)| count).sum::<usize>(),
            outcome,
        )
    });
    let [done, not_sent, rejected, unknown] =
        ended.map(|(count, outcome)| format!("{count} {outcome}"));
    println!(
        "{} calls in {took:.1} s: {done}, {not_sent}, {rejected}, {unknown}; {} wrong",
        words.len(),
        wrong.len()
    );
    println!("by result: {results:?}");
    println!("connections by fault: {:?}", faults.lock().unwrap());
    assert!(
        wrong.is_empty(),
        "PAYORDER_FIRE_SEED={seed}: {} of {} words:\n  {}",
        wrong.len(),
        words.len(),
        wrong.join("\n  ")
    );
    for (count, outcome) in ended {
        assert!(
            count > 0,
            "no call ended as {outcome}: the weather was too fair to prove anything"
        );
    }
}

/// What the library said of one order.
#[derive(Debug)]
struct Word {
    front: usize,
    order_id: String,
    result: i32,
    took: Duration,
}

impl Word {
    fn of(client: &Client, front: usize, order_id: String) -> Word {
        let order = order_named(&order_id);
        let called = Instant::now();
        // The order's identifier is the token too, so that the service knows whose a part of a
        // request is.
        let reply = client.create_with(&order, &json!({"accessToken": order_id}));
        Word {
            front,
            order_id,
            result: reply.code,
            took: called.elapsed(),
        }
    }

    /// The iron rule: *not sent* means that the service saw no byte, a response that it saw the
    /// whole once, and nothing that it saw two. And the deadline holds, but for what a machine
    /// with more threads than processors may take beyond it.
    fn is_right(&self, seen: Seen) -> bool {
        let true_to_what_was_seen = match self.result {
            0 => seen.complete == 1 && seen.answered == Some(200),
            1..100 => seen.bytes == 0,
            100..200 => {
                seen.complete == 1
                    && seen
                        .answered
                        .is_some_and(|status| (400..500).contains(&status) && status != 409)
            }
            _ => seen.complete <= 1,
        };
        true_to_what_was_seen
            && self.took < Duration::from_millis(TIMEOUT_MS) + Duration::from_secs(10)
    }
}

/// An address where nobody listens, for as long as the socket is there.
fn nobody(reserved: &socket2::Socket) -> String {
    reserved
        .bind(&std::net::SocketAddr::from(([127, 0, 0, 1], 0)).into())
        .unwrap();
    format!(
        "http://{}",
        reserved.local_addr().unwrap().as_socket().unwrap()
    )
}
