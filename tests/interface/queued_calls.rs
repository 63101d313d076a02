//! At most `maxCalls` started calls run at once. The others are queued, and what ends a call ends
//! them too: then nothing of them is sent. `tests/programs/queue.c` counts the threads.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use support::abi::{self, Client, Reply, Token};
use support::orders::{config, order, query, with};
use support::patience::until;
use support::responses::{completed, created, http, status_body};
use support::result::{CANCELLED, CANCELLED_IN_FLIGHT, CONNECT_FAILED};
use support::service::{Script, Service, respond, stall};

const LONG: u32 = 60_000;

/// A client that makes this many started calls at once.
fn client_of(service: &Service, max_calls: u32) -> Client {
    let config = with(&config(&service.url()), "timeoutMs", 60_000);
    Client::new(&with(&config, "maxCalls", max_calls))
}

fn start(client: &Client, operation: &str, request: &Value, options: &Value, number: usize) {
    let (request, options) = (request.to_string(), options.to_string());
    let begun = abi::start_taken(
        client.key(),
        operation,
        Some(&request),
        Some(&options),
        number,
    );
    assert_eq!((begun.code, begun.text), (0, None));
}

fn create(client: &Client, options: &Value, number: usize) {
    start(client, "create_order", &order(), options, number);
}

fn taken(client: &Client) -> (usize, Reply) {
    abi::take(client.key(), LONG).expect("an answer")
}

fn cause(reply: &Reply) -> &str {
    reply.error()["cause"].as_str().expect("a cause")
}

fn pending() -> Script {
    let body = status_body("ORDER-1001", &json!({"transactionStatus": "Pending"}));
    respond(http(200, body.to_string()))
}

#[test]
fn after_a_cancel_and_a_stop_and_a_free_nothing_is_sent() {
    for end in ["cancel", "stop", "free", "token"] {
        let service = Service::start([stall()]);
        let client = client_of(&service, 2);
        let token = Token::new();
        for number in 1..=2 {
            create(&client, &json!({}), number);
        }
        service.wait_for_requests(2);
        let (sender, receiver) = std::sync::mpsc::channel();
        for number in 3..=22 {
            let sender = sender.clone();
            let done = move |reply: Reply| sender.send((number, reply)).expect("a receiver");
            let options = token.among(&json!({})).to_string();
            let text = order().to_string();
            let begun = abi::start(
                client.key(),
                "create_order",
                Some(&text),
                Some(&options),
                done,
            );
            assert_eq!(begun.code, 0);
        }
        let began = Instant::now();
        let returned = match end {
            "cancel" => client.cancel(),
            "stop" => abi::stop(client.key()),
            "token" => token.cancel(),
            _ => abi::free(client.key()),
        };
        assert_eq!(returned, 0, "{end}");
        for _ in 3..=22 {
            let (_, reply) = receiver
                .recv_timeout(Duration::from_secs(30))
                .expect("an answer");
            reply.is(CANCELLED);
            let expected = match end {
                "stop" => "client_stopped",
                "free" => "client_freed",
                _ => "cancelled",
            };
            assert_eq!(cause(&reply), expected);
            assert_eq!(reply.error()["outcome"], "not_sent");
        }
        assert!(began.elapsed() < Duration::from_secs(5), "{end}");
        assert_eq!(service.request_count(), 2, "{end}");
        // The two that run learn of all but the token and the free.
        if matches!(end, "cancel" | "stop") {
            for _ in 1..=2 {
                taken(&client).1.is(CANCELLED_IN_FLIGHT);
            }
        }
    }
}

#[test]
fn calls_that_are_cancelled_one_after_the_other_are_not_sent_meanwhile() {
    // A busy machine has more than one try.
    assert!((0..20).any(|_| cancel_one_after_the_other()));
}

/// Only the last call is sent. False if the cancels took so long that others may have been: a
/// cancelled call keeps its place until there was no cancel for 100 ms, and at most for a second.
fn cancel_one_after_the_other() -> bool {
    let service = Service::start([stall(), stall(), respond(created())]);
    let client = client_of(&service, 2);
    let tokens: Vec<Token> = (0..30).map(|_| Token::new()).collect();
    for (number, token) in tokens.iter().enumerate() {
        create(&client, &token.among(&json!({})), number);
    }
    create(&client, &json!({}), tokens.len());
    service.wait_for_requests(2);
    let (began, mut longest) = (Instant::now(), Duration::ZERO);
    for token in &tokens {
        let last = Instant::now();
        token.cancel();
        sleep(Duration::from_millis(1));
        longest = longest.max(last.elapsed());
    }
    let in_time =
        longest < Duration::from_millis(50) && began.elapsed() < Duration::from_millis(800);
    let mut ends: Vec<_> = (0..=tokens.len()).map(|_| taken(&client)).collect();
    ends.sort_by_key(|(number, _)| *number);
    let codes: Vec<i32> = ends.into_iter().map(|(_, reply)| reply.code).collect();
    if in_time {
        let mut expected = vec![CANCELLED; 30];
        expected[..2].fill(CANCELLED_IN_FLIGHT);
        expected.push(0);
        assert_eq!(codes, expected);
        assert_eq!(service.request_count(), 3);
    }
    in_time
}

#[test]
fn a_wait_of_a_freed_client_goes_on_after_another_one_was_cancelled() {
    let paid = respond(completed("ORDER-1001"));
    let service = Service::start([pending(), stall(), paid]);
    let client = client_of(&service, 1);
    let (token, (sender, receiver)) = (Token::new(), std::sync::mpsc::channel());
    let wait = |options: Value, name: &'static str| {
        let sender = sender.clone();
        let done = move |reply: Reply| {
            // The place is taken for as long as this runs.
            sleep(Duration::from_millis(30));
            sender.send((name, reply)).expect("a receiver");
        };
        let (request, options) = (query().to_string(), options.to_string());
        let key = client.key();
        let begun = abi::start(
            key,
            "wait_for_payment",
            Some(&request),
            Some(&options),
            done,
        );
        assert_eq!(begun.code, 0);
    };
    wait(json!({"waitMs": 60_000, "intervalMs": 2000}), "paid");
    service.wait_for_requests(1);
    let stalled = json!({"waitMs": 60_000, "timeoutMs": 60_000});
    wait(token.among(&stalled), "cancelled");
    service.wait_for_requests(2);
    // Until the first one waits for the place of the second one.
    sleep(Duration::from_millis(2200));
    assert_eq!(abi::free(client.key()), 0);
    sleep(Duration::from_millis(50));
    token.cancel();
    let patience = Duration::from_secs(30);
    let (name, reply) = receiver.recv_timeout(patience).expect("an end");
    assert_eq!((name, reply.code), ("cancelled", CANCELLED_IN_FLIGHT));
    let (name, reply) = receiver.recv_timeout(patience).expect("an end");
    assert_eq!((name, &reply["final"]), ("paid", &json!(true)));
}

#[test]
fn waiting_in_the_queue_is_a_part_of_the_call() {
    let service = Service::start([stall()]);
    let client = client_of(&service, 1);
    create(&client, &json!({}), 1);
    service.wait_for_requests(1);
    let began = Instant::now();
    create(&client, &json!({"timeoutMs": 2500}), 3);
    create(&client, &json!({"timeoutMs": 500}), 2);
    start(
        &client,
        "wait_for_payment",
        &query(),
        &json!({"waitMs": 1500}),
        4,
    );
    for expected in [2, 4, 3] {
        let (number, reply) = taken(&client);
        assert_eq!(number, expected);
        reply.is(CONNECT_FAILED);
        assert_eq!(cause(&reply), "queue_timed_out");
        let action = if number == 4 {
            "ask_status"
        } else {
            "retry_later"
        };
        assert!([action, "retry_later"].contains(&reply.error()["action"].as_str().unwrap()));
        assert_eq!(reply.error()["attempts"], 0);
    }
    assert!(began.elapsed() >= Duration::from_millis(2500));
    assert_eq!(service.request_count(), 1);
    client.cancel();
    assert_eq!(taken(&client).0, 1);
}

#[test]
fn they_run_in_the_order_of_their_start_and_before_the_questions_of_waits() {
    let service = Service::deciding(|query| {
        sleep(Duration::from_millis(20));
        match query.is_order {
            true => respond(created()),
            false => pending(),
        }
    });
    let client = client_of(&service, 1);
    let wait = json!({"waitMs": 60_000, "intervalMs": 10, "maxIntervalMs": 10});
    for number in 100..120 {
        start(&client, "wait_for_payment", &query(), &wait, number);
    }
    for number in 0..20 {
        create(&client, &json!({}), number);
    }
    for number in 0..20 {
        let (taken, reply) = taken(&client);
        assert_eq!(taken, number);
        reply.done();
    }
    // At most one question was before each order.
    assert!(service.request_count() <= 45, "{}", service.request_count());
    client.cancel();
    let mut ended: Vec<_> = (0..20).map(|_| taken(&client).0).collect();
    ended.sort_unstable();
    assert_eq!(ended, (100..120).collect::<Vec<_>>());
}

#[test]
fn an_order_is_sent_while_the_service_answers_no_question_of_a_wait() {
    let service = Service::deciding(|query| match query.is_order {
        true => respond(created()),
        false => stall(),
    });
    let client = client_of(&service, 3);
    for number in 1..=5 {
        let wait = json!({"waitMs": 60_000});
        start(&client, "wait_for_payment", &query(), &wait, number);
    }
    service.wait_for_requests(2);
    create(&client, &json!({"timeoutMs": 20_000}), 6);
    let (number, reply) = taken(&client);
    assert_eq!(number, 6);
    reply.done();
    client.cancel();
}

#[test]
fn an_order_is_sent_at_once_while_waits_are_cancelled() {
    let service = Service::start([stall(), respond(created())]);
    let client = client_of(&service, 2);
    let tokens: Vec<Token> = (0..200).map(|_| Token::new()).collect();
    for (number, token) in tokens.iter().enumerate() {
        let options = token.among(&json!({"waitMs": 60_000, "timeoutMs": 60_000}));
        start(&client, "wait_for_payment", &query(), &options, number);
    }
    service.wait_for_requests(1);
    // Their places stay taken meanwhile, and no question may get the one that is left for orders.
    let is_sent = || service.request_count() > 1;
    let mut cancelled = tokens.iter().take_while(|token| {
        sleep(Duration::from_millis(5));
        token.cancel() == 0 && !is_sent()
    });
    assert!(cancelled.next().is_some());
    create(&client, &json!({}), tokens.len());
    assert!(cancelled.count() < tokens.len() - 1);
    let requests = service.requests();
    assert!(requests[1].body.contains("amount"), "{}", requests[1].body);
    client.cancel();
}

#[test]
fn no_order_leaves_in_the_last_tenth_of_its_time() {
    let service = Service::deciding(|_| {
        sleep(Duration::from_millis(3750));
        respond(created())
    });
    let client = client_of(&service, 1);
    create(&client, &json!({}), 1);
    create(&client, &json!({"timeoutMs": 4000}), 2);
    taken(&client).1.done();
    let (number, reply) = taken(&client);
    assert_eq!(number, 2);
    reply.is(CONNECT_FAILED);
    assert_eq!(cause(&reply), "queue_timed_out");
    assert_eq!(service.request_count(), 1);
}

#[test]
fn a_cancel_reaches_a_wait_while_slow_functions_hold_places() {
    let service = Service::deciding(|query| match query.is_order {
        true => stall(),
        false => pending(),
    });
    let client = client_of(&service, 4);
    let (slow, quick) = (Token::new(), Token::new());
    let options = |token: &Token| {
        let long = json!({"waitMs": 600_000, "intervalMs": 600_000, "maxIntervalMs": 600_000});
        token.among(&long)
    };
    let (began, begins) = std::sync::mpsc::channel();
    let held = Arc::new(std::sync::Barrier::new(5));
    for _ in 0..4 {
        let (began, held) = (began.clone(), Arc::clone(&held));
        let done = move |_: Reply| {
            began.send(()).expect("a receiver");
            held.wait();
        };
        let (query, options) = (query().to_string(), options(&slow).to_string());
        let begun = abi::start(
            client.key(),
            "wait_for_payment",
            Some(&query),
            Some(&options),
            done,
        );
        assert_eq!(begun.code, 0);
    }
    start(&client, "wait_for_payment", &query(), &options(&quick), 9);
    service.wait_for_requests(5);
    slow.cancel();
    for _ in 0..4 {
        let begun = begins.recv_timeout(Duration::from_secs(20));
        begun.expect("a slow function begins");
    }
    for number in 0..4 {
        create(&client, &json!({}), number);
    }
    service.wait_for_requests(7);
    sleep(Duration::from_millis(1500));
    assert_eq!(service.request_count(), 7, "two functions hold places");
    quick.cancel();
    let answer = abi::take(client.key(), 20_000).expect("an answer");
    assert_eq!(answer.0, 9);
    held.wait();
    client.cancel();
    for _ in 0..4 {
        taken(&client);
    }
}

#[test]
fn at_most_eight_recoveries_run_at_once_and_delay_no_order() {
    let service = Service::deciding(|query| match query.is_order {
        true => respond(created()),
        false => stall(),
    });
    let client = client_of(&service, 1);
    for number in 1..=10 {
        let sales = json!([{"orderId": format!("O-{number}"), "amount": "1.00"}]);
        start(&client, "recover", &sales, &json!({}), number);
    }
    service.wait_for_requests(8);
    create(&client, &json!({}), 11);
    let (number, reply) = taken(&client);
    assert_eq!(number, 11);
    reply.done();
    assert_eq!(service.request_count(), 9);
    client.cancel();
}

#[test]
fn an_answer_is_taken_once_and_says_which_call_it_is() {
    let service = Service::start([respond(completed("ORDER-1001"))]);
    let client = client_of(&service, 64);
    assert!(abi::take(client.key(), 0).is_none());
    let began = Instant::now();
    assert!(abi::take(client.key(), 200).is_none());
    assert!(began.elapsed() >= Duration::from_millis(190));
    for number in 1..=100 {
        start(&client, "get_status", &query(), &json!({}), number);
    }
    let key = client.key();
    let left = Arc::new(AtomicUsize::new(100));
    let takers: Vec<_> = (0..4)
        .map(|_| {
            let left = Arc::clone(&left);
            std::thread::spawn(move || {
                let mut numbers = Vec::new();
                // After the stop, it waits only while an answer can come.
                while let Some((number, reply)) = abi::take(key, LONG) {
                    reply.done();
                    numbers.push(number);
                    if left.fetch_sub(1, Ordering::Relaxed) == 1 {
                        assert_eq!(abi::stop(key), 0);
                    }
                }
                numbers
            })
        })
        .collect();
    let taken = takers
        .into_iter()
        .map(|taker| taker.join().expect("numbers"));
    let mut numbers: Vec<_> = taken.flatten().collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=100).collect::<Vec<_>>());
}

#[test]
fn a_taker_waits_only_while_an_answer_can_come() {
    for free in [false, true] {
        let service = Service::start([stall()]);
        let client = client_of(&service, 1);
        create(&client, &json!({}), 1);
        create(&client, &json!({}), 2);
        service.wait_for_requests(1);
        let key = client.key();
        let (sender, begun) = std::sync::mpsc::channel();
        let taker = std::thread::spawn(move || {
            let mut codes = Vec::new();
            sender.send(()).expect("a receiver");
            while let Some((_, reply)) = abi::take(key, LONG) {
                codes.push(reply.code);
                if codes.len() == 2 {
                    break;
                }
            }
            let again = (!free).then(|| abi::take(key, LONG).is_none());
            (codes, again)
        });
        begun.recv().expect("a taker");
        sleep(Duration::from_millis(300));
        let began = Instant::now();
        match free {
            false => assert_eq!(abi::stop(key), 0),
            true => assert_eq!(abi::free(key), 0),
        }
        let (mut codes, again) = taker.join().expect("codes");
        codes.sort_unstable();
        match free {
            false => assert_eq!((codes, again), (vec![8, 204], Some(true))),
            true => assert_eq!(codes, Vec::<i32>::new()),
        }
        assert!(began.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn what_is_wrong_with_a_take_loses_no_answer() {
    let service = Service::start([respond(created())]);
    let client = client_of(&service, 1);
    create(&client, &json!({}), 7);
    let key = std::ptr::without_provenance_mut(client.key());
    let (mut taken, mut result) = (0, 0);
    for place in 0..3 {
        let mut out = std::ptr::null_mut();
        // SAFETY: every pointer is valid for the call, or NULL.
        let code = unsafe {
            let taken = if place == 0 {
                std::ptr::null_mut()
            } else {
                &raw mut taken
            };
            let result = if place == 1 {
                std::ptr::null_mut()
            } else {
                &raw mut result
            };
            let out = if place == 2 {
                std::ptr::null_mut()
            } else {
                &raw mut out
            };
            abi::payorder_take_done(key, 1000, taken, result, out, std::ptr::null_mut())
        };
        assert_eq!(code, 1);
        if !out.is_null() {
            // SAFETY: the library gave it.
            unsafe { abi::payorder_string_free(out) };
        }
    }
    assert_eq!(taken_of(&client), 7);
    let mut out = std::ptr::null_mut();
    let no_client = std::ptr::null_mut();
    // SAFETY: as above.
    let code = unsafe {
        abi::payorder_take_done(
            no_client,
            0,
            &raw mut taken,
            &raw mut result,
            &raw mut out,
            std::ptr::null_mut(),
        )
    };
    assert_eq!((code, taken), (2, 0));
    // SAFETY: the library gave it.
    unsafe { abi::payorder_string_free(out) };
    assert_eq!(abi::payorder_done_handle(no_client), -1);
}

fn taken_of(client: &Client) -> usize {
    let (number, reply) = taken(client);
    reply.done();
    number
}

#[test]
fn the_idle_function_runs_while_a_thread_waits_for_an_answer() {
    let service = Service::start([stall()]);
    let client = client_of(&service, 1);
    create(&client, &json!({}), 1);
    let mut runs = 0;
    let (mut taken, mut result) = (-1, -1);
    let reply = abi::with_idle(
        || {
            runs += 1;
            runs == 3
        },
        || {
            let key = std::ptr::without_provenance_mut(client.key());
            // SAFETY: every pointer is valid for the call.
            abi::call(|out| unsafe {
                let none = std::ptr::null_mut();
                abi::payorder_take_done(key, LONG, &mut taken, &mut result, out, none)
            })
        },
    );
    assert_eq!(reply.is(CANCELLED).error()["cause"], "cancelled");
    assert_eq!((taken, result), (0, 0));
    client.cancel();
    assert_eq!(self::taken(&client).0, 1);
}

#[cfg(unix)]
#[test]
fn the_handle_is_ready_while_an_answer_waits() {
    use std::os::fd::BorrowedFd;
    let service = Service::start([respond(created())]);
    let client = client_of(&service, 1);
    create(&client, &json!({}), 1);
    // Made after the first answer came.
    sleep(Duration::from_millis(300));
    let handle = abi::payorder_done_handle(std::ptr::without_provenance_mut(client.key()));
    assert!(handle >= 0);
    // SAFETY: it is open until the client is freed.
    let handle = unsafe { BorrowedFd::borrow_raw(handle as i32) };
    let is_ready = |wait| is_readable(handle, wait);
    assert!(is_ready(10_000));
    create(&client, &json!({}), 2);
    sleep(Duration::from_millis(300));
    assert_eq!(taken_of(&client), 1);
    assert!(is_ready(0));
    assert_eq!(taken_of(&client), 2);
    assert!(!is_ready(0));
    create(&client, &json!({}), 3);
    assert!(is_ready(10_000));
    assert_eq!(taken_of(&client), 3);
    assert!(!is_ready(0));
}

#[test]
fn a_stopped_wait_that_has_asked_was_sent_and_has_its_last_status() {
    let service = Service::deciding(|_| pending());
    let client = client_of(&service, 4);
    let wait = json!({"waitMs": 600_000, "intervalMs": 10, "maxIntervalMs": 10});
    for number in 0..300 {
        start(&client, "wait_for_payment", &query(), &wait, number);
    }
    // On a busy machine, all at once can take longer than a test waits for one thing.
    for count in [150, 300, 450, 600] {
        service.wait_for_requests(count);
    }
    assert_eq!(abi::stop(client.key()), 0);
    for _ in 0..300 {
        let (_, reply) = taken(&client);
        assert_eq!(reply.error()["action"], "ask_status");
        assert!(!reply.error()["statusQuery"].is_null());
        if reply.error()["attempts"] != 0 {
            reply.is(CANCELLED_IN_FLIGHT);
            let last = &reply.error()["status"]["data"]["transactionStatus"];
            // The first query may have been on its way.
            assert!(
                last == "Pending" || reply.error()["attempts"] == 1,
                "{}",
                reply.text()
            );
        }
    }
}

/// The thread that starts an order reads it while another one frees the client.
#[test]
fn no_order_is_sent_that_was_started_while_its_client_was_freed() {
    for round in 0..40 {
        let service = Service::start([stall()]);
        let client = client_of(&service, 1);
        create(&client, &json!({}), 1);
        service.wait_for_requests(1);
        let key = client.key();
        let large = with(&order(), "productInfo", "x".repeat(200_000)).to_string();
        let (sender, receiver) = std::sync::mpsc::channel();
        let starter = std::thread::spawn(move || {
            let done = move |reply: Reply| sender.send(reply).expect("a receiver");
            abi::start(key, "create_order", Some(&large), None, done).code
        });
        sleep(Duration::from_micros(50 * round));
        assert_eq!(abi::free(key), 0);
        if starter.join().expect("a result") == 0 {
            let reply = receiver.recv_timeout(Duration::from_secs(30));
            assert_eq!(
                cause(reply.expect("an answer").is(CANCELLED)),
                "client_freed"
            );
        }
        assert_eq!(service.request_count(), 1);
    }
}

#[test]
fn a_thousand_orders_have_one_result_each() {
    let service = Service::start([respond(created())]);
    let client = client_of(&service, 8);
    for number in 0..1000 {
        create(&client, &json!({}), number);
    }
    let mut numbers: Vec<_> = (0..1000).map(|_| taken_of(&client)).collect();
    numbers.sort_unstable();
    assert_eq!(numbers, (0..1000).collect::<Vec<_>>());
    assert_eq!(service.request_count(), 1000);
}

/// The library has no thread for it.
#[test]
fn calls_and_who_takes_no_answer_close_connections_that_were_idle_for_too_long() {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    let counts = Arc::new([AtomicUsize::new(0), AtomicUsize::new(0)]);
    let [made, closed] = &*counts;
    let service = Arc::clone(&counts);
    std::thread::spawn(move || {
        for connection in listener.incoming() {
            let (mut connection, counts) = (connection.expect("a client"), Arc::clone(&service));
            counts[0].fetch_add(1, Ordering::SeqCst);
            std::thread::spawn(move || {
                while connection.read(&mut [0; 4096]).is_ok_and(|read| read > 0) {
                    // The first two requests need a connection each.
                    until(|| counts[0].load(Ordering::SeqCst) > 1);
                    let sent = connection.write_all(&completed("ORDER-1001"));
                    sent.expect("a client that waits");
                }
                counts[1].fetch_add(1, Ordering::SeqCst);
            });
        }
    });
    let open = || made.load(Ordering::SeqCst) - closed.load(Ordering::SeqCst);
    let client = Client::new(&with(&config(&url), "maxIdleMs", 200));
    for number in 0..2 {
        start(&client, "get_status", &query(), &json!({}), number);
    }
    for _ in 0..2 {
        taken(&client).1.done();
    }
    assert_eq!(open(), 2);
    until(|| {
        client.status(&query()).done();
        open() == 1
    });
    until(|| {
        assert!(abi::take(client.key(), 0).is_none());
        open() == 0
    });
}

/// Whether a byte can be read within that time.
#[cfg(unix)]
fn is_readable(handle: std::os::fd::BorrowedFd<'_>, wait_ms: u64) -> bool {
    let socket = socket2::Socket::from(handle.try_clone_to_owned().expect("a copy"));
    let until = Instant::now() + Duration::from_millis(wait_ms);
    loop {
        let mut byte = [std::mem::MaybeUninit::uninit()];
        match socket.peek(&mut byte) {
            Ok(count) => return count == 1,
            Err(_) if Instant::now() < until => sleep(Duration::from_millis(5)),
            Err(_) => return false,
        }
    }
}
