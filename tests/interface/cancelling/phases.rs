//! Cancelling by token, by client or by idle callback ends a call in each of its phases, with the
//! outcome that fits what was sent. The times are printed.

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use payorder_core::{CallOptions, CancellationToken};
use serde_json::{Value, json};

use super::{CANCELLED, IN_FLIGHT, long_timeouts};
use crate::names;
use support::abi::{self, Client, Reply, Token};
use support::log::Log;
use support::orders::{order, query, with};
use support::patience::{patience, until};
use support::responses::{completed_body, created, http, http_with};
use support::rows::Rows;
use support::service::{Service, Step, respond, stall};
use support::tls_service::TlsService;
use support::trial::create_large;
use support::unreachable::{Unreachable, refusing_url};

/// The promise is 100 ms. A busy machine gets more time.
const TIME_LIMIT: Duration = Duration::from_millis(1500);

#[derive(Clone, Copy, Debug)]
enum CancelBy {
    Token,
    Client,
    Idle,
}

struct Phases {
    by: CancelBy,
    rows: Rows,
}

impl Phases {
    /// Cancels a call when it is in a phase, and checks its result and that it ends soon.
    fn check(
        &mut self,
        phase: &str,
        expected: i32,
        call: impl FnOnce() -> i32 + Send,
        in_phase: impl FnOnce(),
        cancel: impl FnOnce(),
    ) {
        let (code, took) = thread::scope(|scope| {
            let running = scope.spawn(|| (call(), Instant::now()));
            in_phase();
            // Let the call settle in the phase.
            thread::sleep(Duration::from_millis(100));
            let began = Instant::now();
            cancel();
            let (code, ended) = running.join().expect("the call returns");
            (code, ended.saturating_duration_since(began))
        });
        println!(
            "{phase}, by {:?}: {:.1} ms",
            self.by,
            took.as_secs_f64() * 1000.0
        );
        self.rows.same(phase, code, expected);
        self.rows.that(phase, took < patience(TIME_LIMIT), || {
            format!("it took {took:?}")
        });
    }

    /// The same by the C interface.
    fn check_c(
        &mut self,
        phase: &str,
        expected: i32,
        config: &Value,
        call: impl FnOnce(&Client, &Value) -> Reply + Send,
        in_phase: impl FnOnce(),
    ) {
        let (client, token, by) = (Client::new(config), Token::new(), self.by);
        let options = match by {
            CancelBy::Token => token.among(&json!({})),
            CancelBy::Client | CancelBy::Idle => json!({}),
        };
        let (asked, runs) = (AtomicBool::new(false), AtomicU32::new(0));
        let idle = || {
            runs.fetch_add(1, Ordering::SeqCst);
            asked.load(Ordering::SeqCst)
        };
        let log = Log::of(&client);
        let cancel = || {
            let code = match by {
                CancelBy::Token => token.cancel(),
                CancelBy::Client => client.cancel(),
                CancelBy::Idle => {
                    let before = runs.load(Ordering::SeqCst);
                    until(|| runs.load(Ordering::SeqCst) > before + 1);
                    asked.store(true, Ordering::SeqCst);
                    0
                }
            };
            assert_eq!(code, 0);
        };
        let make = || match by {
            CancelBy::Idle => abi::with_idle(idle, || call(&client, &options).code),
            _ => call(&client, &options).code,
        };
        let started = || {
            until(|| !log.names().is_empty());
            in_phase();
        };
        self.check(phase, expected, make, started, cancel);
    }
}

fn every_phase(by: CancelBy) {
    let mut phases = Phases {
        by,
        rows: Rows::new(),
    };
    let create = |client: &Client, options: &Value| client.create_with(&order(), options);
    let ask = |client: &Client, options: &Value| client.status_with(&query(), options);
    let begun = || {};

    let slow = long_timeouts("https://pay.example.com");
    let slow = with(&slow, "baseUrl", format!("https://{}", names::SLOW));
    phases.check_c("name lookup", CANCELLED, &slow, create, begun);

    let queue = Unreachable::full_queue();
    let config = long_timeouts(&queue.url());
    let config = with(&config, "allowInsecureHttp", true);
    phases.check_c("connect", CANCELLED, &config, create, begun);

    let proxy = Service::start([vec![Step::Connect, Step::Silence]]);
    let config = with(
        &long_timeouts("https://pay.example.com"),
        "proxy",
        proxy.url(),
    );
    let asked = || until(|| !proxy.heads().is_empty());
    phases.check_c("proxy", CANCELLED, &config, create, asked);

    let mute = Service::start([vec![Step::Wait(1_000_000)]]);
    let config = long_timeouts(&mute.url().replace("http://", "https://"));
    let connected = || until(|| mute.connections() > 0);
    phases.check_c("handshake", CANCELLED, &config, create, connected);

    let unread = Service::start([vec![Step::Head, Step::StartNextCall, Step::Wait(1_000_000)]]);
    let client = payorder_core::Client::from_json(&long_timeouts(&unread.url()).to_string());
    let (client, token) = (client.expect("a client"), CancellationToken::new());
    let options = CallOptions {
        cancellation: matches!(by, CancelBy::Token).then(|| token.clone()),
        ..CallOptions::default()
    };
    // It sends by the Rust interface, which has no idle callback.
    if !matches!(by, CancelBy::Idle) {
        phases.check(
            "send",
            IN_FLIGHT,
            || create_large(&client, "LARGE", &options).code,
            || until(|| unread.script_says()),
            || match by {
                CancelBy::Token => token.cancel(),
                CancelBy::Client | CancelBy::Idle => client.cancel(),
            },
        );
    }

    let silent = Service::start([stall()]);
    let requested = || silent.wait_for_requests(1);
    let config = long_timeouts(&silent.url());
    phases.check_c("receive", IN_FLIGHT, &config, create, requested);

    let config = with(&config, "statusRetries", 5);
    let asked = || silent.wait_for_requests(2);
    phases.check_c("receive, a status", IN_FLIGHT, &config, ask, asked);
    phases.rows.same("not retried", silent.request_count(), 2);

    let secure = TlsService::start([stall()]);
    let requested = || secure.service.wait_for_requests(1);
    let config = secure.trusted_by(&long_timeouts(&secure.service.url()));
    phases.check_c("receive, TLS", IN_FLIGHT, &config, create, requested);

    let half = Service::start([vec![
        Step::Request,
        Step::Send(created()[..60].to_vec()),
        Step::Silence,
    ]]);
    let requested = || half.wait_for_requests(1);
    let config = long_timeouts(&half.url());
    phases.check_c("receive, half", IN_FLIGHT, &config, create, requested);

    // The end of its own socket is not the end that says: this was the whole refusal.
    let refusal = "HTTP/1.1 400 Bad Request\r\n\r\n{\"responseCode\":\"400\"}";
    let endless = Service::start([vec![
        Step::Request,
        Step::Send(refusal.into()),
        Step::Silence,
    ]]);
    let requested = || endless.wait_for_requests(1);
    let config = long_timeouts(&endless.url());
    phases.check_c("receive, no length", IN_FLIGHT, &config, create, requested);

    let later = http_with(503, &[("Retry-After", "40")], "");
    let busy = Service::start([respond(later)]);
    let config = with(&long_timeouts(&busy.url()), "statusRetries", 3);
    let requested = || busy.wait_for_requests(1);
    phases.check_c("between attempts", IN_FLIGHT, &config, ask, requested);

    let config = with(&long_timeouts(&refusing_url()), "createRetries", 10);
    phases.check_c("between connects", CANCELLED, &config, create, begun);

    let mut body = completed_body("ORDER-1001");
    body["data"]["transactionStatus"] = "Pending".into();
    let pending = Service::responding(http(200, body.to_string()));
    let config = long_timeouts(&pending.url());
    let wait = |client: &Client, options: &Value| {
        let options = with(options, "intervalMs", 600_000);
        client.wait(&query(), &with(&options, "waitMs", 86_400_000))
    };
    let requested = || pending.wait_for_requests(1);
    phases.check_c("between queries", IN_FLIGHT, &config, wait, requested);

    let paced = Service::responding(http(200, body.to_string()));
    let config = long_timeouts(&paced.url());
    let many = |client: &Client, options: &Value| {
        let options = with(options, "ratePerSecond", 0.01);
        client.statuses(&json!([query(), query()]), &options, |_, _| true)
    };
    let requested = || paced.wait_for_requests(1);
    phases.check_c("rate limit", 0, &config, many, requested);
    phases.rows.end();
}

#[test]
fn a_token_ends_its_call_in_every_phase_with_the_right_outcome() {
    every_phase(CancelBy::Token);
}

#[test]
fn the_client_ends_its_calls_in_every_phase_with_the_right_outcome() {
    every_phase(CancelBy::Client);
}

#[test]
fn the_idle_callback_ends_its_call_in_every_phase_with_the_right_outcome() {
    every_phase(CancelBy::Idle);
}
