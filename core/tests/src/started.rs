//! Started calls of a Rust program: futures for any executor, which can also be waited for.

use std::future::Future;
use std::pin::pin;
use std::rc::Rc;
use std::sync::Arc;
use std::task::{Context, Poll, Wake, Waker};
use std::thread::Thread;
use std::time::{Duration, Instant};

use httpmock::{Method::POST, Mock, MockServer};
use payorder_core::{
    CallOptions, CancellationToken, Cause, CheckOptions, Code, Outcome, Started, WaitOptions,
    set_idle,
};

use crate::{CREATE, STATUS, client, config, created, order, paid, query};

struct Unparks(Thread);

impl Wake for Unparks {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

/// The smallest executor.
fn block_on<F: Future>(future: F) -> F::Output {
    let waker = Waker::from(Arc::new(Unparks(std::thread::current())));
    let mut context = Context::from_waker(&waker);
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut context) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park_timeout(Duration::from_secs(60)),
        }
    }
}

/// This path gets the response, after some time.
fn replies_after<'s>(
    server: &'s MockServer,
    path: &'s str,
    status: u16,
    body: String,
    time: Duration,
) -> Mock<'s> {
    server.mock(|when, then| {
        when.method(POST).path(path);
        then.status(status).delay(time).body(body);
    })
}

fn replies<'s>(server: &'s MockServer, path: &'s str, status: u16, body: String) -> Mock<'s> {
    replies_after(server, path, status, body, Duration::ZERO)
}

fn pending() -> String {
    paid().replace("Completed", "Pending")
}

const NONE: fn() -> CallOptions = CallOptions::default;

#[test]
fn any_executor_gets_the_typed_result() {
    let server = MockServer::start();
    replies(&server, CREATE, 200, created());
    replies(&server, STATUS, 200, paid());
    let client = client(&server);
    let (checkout, waited) = block_on(async {
        let order = client
            .start_create_order(order(), &NONE())
            .expect("it starts");
        let checkout = order.await.expect("an order");
        let wait = client.start_wait_for_payment(query(), &WaitOptions::default());
        (checkout, wait.expect("it starts").await.expect("a wait"))
    });
    assert_eq!(checkout.url(), "https://pay.example.com/c/1");
    assert!(waited.is_final && waited.polls == 1);
    let refused = MockServer::start();
    replies(&refused, CREATE, 422, String::new());
    let started = self::client(&refused).start_create_order(order(), &NONE());
    let error = block_on(started.expect("it starts")).expect_err("a refusal");
    assert_eq!(error.outcome(), Outcome::Rejected);
}

#[test]
fn tokio_runs_hundreds_at_once_and_a_timeout_cancels() {
    let server = MockServer::start();
    replies(&server, STATUS, 200, pending());
    let client = client(&server);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build();
    runtime.expect("a runtime").block_on(async {
        let started: Vec<_> = (0..300)
            .map(|_| {
                client
                    .start_get_status(query(), &NONE())
                    .expect("it starts")
            })
            .collect();
        for call in started {
            assert_eq!(
                call.await.expect("a status").transaction_status(),
                "Pending"
            );
        }
        let options = WaitOptions {
            wait: Duration::from_secs(600),
            ..WaitOptions::default()
        };
        let mut wait = client
            .start_wait_for_payment(query(), &options)
            .expect("it starts");
        let limit = Duration::from_millis(300);
        assert!(tokio::time::timeout(limit, &mut wait).await.is_err());
        wait.cancel();
        let error = wait.await.expect_err("a cancelled wait");
        assert_eq!(error.code(), Code::CancelledInFlight);
        assert!(error.last_status().is_some());
    });
}

#[test]
fn dropping_a_call_does_not_cancel_it_and_a_token_does() {
    let server = MockServer::start();
    let orders = replies_after(&server, CREATE, 200, created(), Duration::from_millis(300));
    let client = client(&server);
    drop(
        client
            .start_create_order(order(), &NONE())
            .expect("it starts"),
    );
    let began = Instant::now();
    while orders.calls() < 1 {
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "it was cancelled"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let mut config = config(&server);
    config.max_calls = 1;
    let client = payorder_core::Client::new(config).expect("a client");
    let options = CallOptions {
        cancellation: Some(CancellationToken::new()),
        ..NONE()
    };
    let first = client
        .start_create_order(order(), &NONE())
        .expect("it starts");
    let queued = client
        .start_create_order(order(), &options)
        .expect("it starts");
    options.cancellation.as_ref().expect("a token").cancel();
    assert_eq!(
        queued.wait().expect_err("cancelled").code(),
        Code::Cancelled
    );
    let _ = first.wait().expect("an order");
    assert_eq!(orders.calls(), 2);
}

#[test]
fn the_idle_function_runs_while_a_thread_waits_and_may_cancel_the_call() {
    let server = MockServer::start();
    replies_after(&server, CREATE, 200, created(), Duration::from_secs(20));
    let client = client(&server);
    set_idle(Some(Rc::new(|| true)));
    let started: Started<_> = client
        .start_create_order(order(), &NONE())
        .expect("it starts");
    let error = started.wait().expect_err("cancelled");
    set_idle(None);
    assert_eq!(error.code(), Code::CancelledInFlight);
}

#[test]
fn nothing_is_sent_that_is_started_after_a_free() {
    let server = MockServer::start();
    let orders = replies(&server, CREATE, 200, created());
    let freed = client(&server);
    freed.free();
    let began = Instant::now();
    let taken = freed.take_done(Duration::from_secs(30));
    assert!(taken.expect("no error").is_none());
    assert!(began.elapsed() < Duration::from_secs(15), "it waited");
    let started = freed
        .start_create_order(order(), &NONE())
        .expect("it starts");
    let error = started.wait().expect_err("freed");
    assert_eq!(error.cause(), Cause::ClientFreed);
    assert_eq!(orders.calls(), 0);
}

#[test]
fn connections_are_checked_without_blocking() {
    let server = MockServer::start();
    replies(&server, STATUS, 404, String::new());
    let started = client(&server).start_check(&CheckOptions::default());
    let checked = block_on(started.expect("it starts")).expect("a check");
    assert!(
        checked
            .steps
            .iter()
            .any(|step| step.step == "connect" && step.ok)
    );
}

/// A waker that panics.
struct Broken;

impl Wake for Broken {
    fn wake(self: Arc<Self>) {
        panic!("a mistake of the executor");
    }
}

#[test]
fn a_waker_that_panics_holds_up_no_other_call() {
    let server = MockServer::start();
    replies_after(&server, STATUS, 200, paid(), Duration::from_millis(100));
    let mut config = config(&server);
    config.max_calls = 1;
    let client = payorder_core::Client::new(config).expect("a client");
    let waker = Waker::from(Arc::new(Broken));
    for _ in 0..3 {
        let mut broken = client
            .start_get_status(query(), &NONE())
            .expect("it starts");
        let polled = pin!(&mut broken).poll(&mut Context::from_waker(&waker));
        assert!(polled.is_pending());
    }
    let last = client
        .start_get_status(query(), &NONE())
        .expect("it starts");
    assert!(last.wait().expect("a status").is_completed());
}

#[test]
fn an_answer_can_be_waited_for_without_a_limit() {
    let server = MockServer::start();
    let client = client(&server);
    client.stop();
    let taken = client.take_done(Duration::MAX).expect("no answer comes");
    assert!(taken.is_none());
}
