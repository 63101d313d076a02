//! A journal that another process has locked: before a call, or between the intent and the outcome.

use super::till::{FINAL, Till, WAYS, add_many};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use support::abi::{Client, Reply, Token};
use support::calls::make;
use support::log::Log;
use support::patience::until;
use support::responses::{CHECKOUT, created, http, status_body};
use support::result::{CANCELLED, DUPLICATE, JOURNAL_FAILED, SERVICE_FAILED};
use support::rows::Rows;
use support::service::{Service, respond, stall};
use support::shop::{Lock, order};
use support::table;

/// The functions of the journal, and options that are valid.
fn functions() -> [(&'static str, Value); 4] {
    table! {
        "journal_list", json!({});
        "journal_resolve", json!({});
        "journal_settle", json!({"entry": 1});
        "journal_prune", json!({});
    }
}

/// What ends a wait.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    Unlocked,
    ByClient,
    ByToken,
}

#[test]
fn every_function_waits_for_a_locked_journal_and_can_be_cancelled() {
    let mut rows = Rows::new();
    for (name, valid) in functions() {
        for end in [End::Unlocked, End::ByClient, End::ByToken] {
            let row = format!("{name}, {end:?}");
            let till = Till::with("unknown");
            till.service.set_script([respond(http(404, "{}"))]);
            let client = till.shop.client(&till.service);
            drop(till.client);
            // Another process has locked it, so that it cannot even be read.
            let mut holder = Some(till.shop.journal.lock_out());
            let token = Token::new();
            let options = token.among(&valid);
            thread::scope(|scope| {
                let waiting = scope.spawn(|| make(name, &client, &options));
                let other = scope.spawn(|| client.journal_list(&json!({})));
                thread::sleep(Duration::from_millis(150));
                rows.that(&row, !waiting.is_finished(), || "it did not wait".into());
                let mut began = Instant::now();
                match end {
                    End::Unlocked => {
                        holder = None;
                        // Closing the holder's database takes a time of its own.
                        began = Instant::now();
                    }
                    End::ByClient => drop(client.cancel()),
                    End::ByToken => drop(token.cancel()),
                }
                let reply = waiting.join().unwrap();
                let took = began.elapsed();
                // Far less than the time that they wait. On an idle machine it is below 100 ms.
                rows.that(&row, took < Duration::from_secs(3), || format!("{took:?}"));
                if end == End::Unlocked {
                    rows.code(&row, &reply, 0);
                } else {
                    rows.code(&row, &reply, CANCELLED);
                    let found = ["operation", "cause"].map(|key| &reply.error()[key]);
                    rows.same(&row, &json!(found), &json!([name, "cancelled"]));
                }
                if end == End::ByToken {
                    rows.that(&row, !other.is_finished(), || "the other ended".into());
                    holder = None;
                }
                let expected = if end == End::ByClient { CANCELLED } else { 0 };
                rows.code(&row, &other.join().unwrap(), expected);
            });
        }
        let without = Client::new(&support::orders::config("https://pay.example.com"));
        let reply = make(name, &without, &valid);
        let found = ["operation", "cause"].map(|key| &reply.error()[key]);
        rows.same(name, &json!(found), &json!([name, "no_journal"]));
    }
    rows.end();
}

#[test]
fn a_call_waits_for_a_locked_journal_until_its_deadline() {
    let till = Till::with("created");
    let holder = till.shop.journal.lock();
    let began = Instant::now();
    let reply = till
        .client
        .create_with(&order("B"), &json!({"timeoutMs": 500}));
    reply.is(JOURNAL_FAILED);
    let found = ["cause", "action"].map(|key| &reply.error()[key]);
    assert_eq!(found, ["journal_locked", "retry_later"]);
    let time = Duration::from_millis(490)..Duration::from_secs(5);
    assert!(time.contains(&began.elapsed()), "{:?}", began.elapsed());
    let read = till.states();
    assert_eq!(read, ["A: created"], "it can be read during that time");

    thread::scope(|scope| {
        let waiting = scope.spawn(|| till.client.create(&order("C")));
        thread::sleep(Duration::from_millis(200));
        let began = Instant::now();
        till.client.cancel();
        let reply = waiting.join().unwrap();
        println!("cancelled while it was locked: {:?}", began.elapsed());
        assert!(began.elapsed() < Duration::from_secs(1));
        reply.is(CANCELLED);
        assert_eq!(reply.error()["outcome"], "not_sent");
    });
    assert_eq!(till.service.request_count(), 1, "nothing was sent");

    let (began, reply) = thread::scope(|scope| {
        let waiting = scope.spawn(|| {
            let since_1970 = SystemTime::now().duration_since(UNIX_EPOCH);
            let options = json!({"timeoutMs": 20_000});
            (
                since_1970.unwrap().as_millis() as i64,
                till.client.create_with(&order("D"), &options),
            )
        });
        thread::sleep(Duration::from_secs(1));
        assert_eq!(till.service.request_count(), 1);
        drop(holder);
        waiting.join().unwrap()
    });
    reply.done();
    let deadline = "SELECT deadline_ms FROM payorder_orders WHERE order_id = 'D'";
    let deadline = till.shop.journal.sql(&[deadline])[0][0].as_i64().unwrap();
    let after = deadline - began - 20_000;
    assert!(after < 500, "{after} ms later than that of its call");
    let mut states = till.states();
    if till.shop.journal.may_be_late() {
        // What is only in the database's queue is closed, or runs after the lock.
        states.retain(|state| !state.ends_with(": not_sent") && state != "C: sending");
    }
    assert_eq!(states, ["A: created", "D: created"]);
}

/// A backup or a copy, for example. On other systems nothing keeps a file from being opened.
#[cfg(windows)]
#[test]
fn a_call_waits_while_another_program_has_the_journal_and_does_not_share_it() {
    use std::cell::Cell;
    use std::fs::OpenOptions;
    use std::os::windows::fs::OpenOptionsExt;

    const SHARE_READ: u32 = 1;
    for ending in ["", "-wal", "-shm"] {
        println!("the file that ends in {ending}");
        let till = Till::with("created");
        drop(till.client);
        let mut held = till.shop.path.clone().into_os_string();
        held.push(ending);
        let holder = Cell::new(None);
        // Wine closes a file a moment later.
        until(|| {
            let mut options = OpenOptions::new();
            options.append(true).create(true).share_mode(SHARE_READ);
            let opened = options.open(&held);
            opened.map(|file| holder.set(Some(file))).is_ok()
        });
        let client = till.shop.client(&till.service);
        // Another test may be opening a journal at that moment.
        until(|| {
            let reply = client.create_with(&order("B"), &json!({"timeoutMs": 500}));
            reply.is(JOURNAL_FAILED);
            let found = ["cause", "action"].map(|key| &reply.error()[key]);
            assert_eq!(found, ["journal_locked", "retry_later"]);
            reply.text().contains("open in another program")
        });
        thread::scope(|scope| {
            let waiting = scope.spawn(|| client.create(&order("C")));
            thread::sleep(Duration::from_millis(200));
            drop(holder);
            waiting.join().unwrap().done();
        });
    }
}

/// Creates an order whose journal is locked between its intent and its request. `sent` runs once the
/// service has the order, and may end the lock with `None`. Returns the log of the call.
fn create_locked(
    till: &Till,
    order_id: &str,
    code: i32,
    timeout: u64,
    sent: impl FnOnce(&Mutex<Option<Lock>>),
) -> &'static Log {
    till.service.set_script([match code {
        0 => respond(created()),
        SERVICE_FAILED => respond(http(409, "{}")),
        _ => stall(),
    }]);
    let before = till.service.request_count();
    let holder = Arc::new(Mutex::new(None));
    let (journal, held) = (till.shop.journal.clone(), Arc::clone(&holder));
    let log = Log::reacting(&till.client, move |event| {
        if event["event"] == "attempt_started" {
            *held.lock().unwrap() = Some(journal.lock());
        }
    });
    thread::scope(|scope| {
        let options = json!({"timeoutMs": timeout});
        let client = &till.client;
        let sending = scope.spawn(move || client.create_with(&order(order_id), &options).code);
        till.service.wait_for_requests(before + 1);
        sent(&holder);
        let result = sending.join().unwrap();
        assert_eq!(result, code, "{order_id}: the call keeps its own result");
    });
    *holder.lock().unwrap() = None;
    support::log::unset_log(till.client.key());
    log
}

#[test]
fn an_event_has_the_time_of_its_answer_and_not_of_the_lock_s_end() {
    let till = Till::new();
    let pause = Duration::from_secs(1);
    let unlock = |holder: &mut Option<Lock>| {
        thread::sleep(pause);
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        *holder = None;
        now.expect("after 1970").as_millis() as i64
    };
    let mut unlocked = [0; 2];
    create_locked(&till, "A", 0, 20_000, |holder| {
        unlocked[0] = unlock(&mut holder.lock().unwrap());
    });
    till.says("A", json!({}));
    let mut holder = Some(till.shop.journal.lock());
    thread::scope(|scope| {
        let asking = scope.spawn(|| till.client.status(&json!({"orderId": "A"})));
        till.service.wait_for_requests(2);
        unlocked[1] = unlock(&mut holder);
        asking.join().unwrap().done();
    });
    let times = "SELECT at_ms FROM payorder_events ORDER BY number";
    let times = till.shop.journal.sql(&[times]);
    for (place, unlocked) in unlocked.into_iter().enumerate() {
        let at = times[place][0].as_i64().expect("a time");
        assert!(unlocked - at > 500, "{} ms before", unlocked - at);
    }
}

fn journal_failed(log: &Log) -> Value {
    let mut events = log.events().into_iter();
    let failed = events.find(|event| event["event"] == "journal_failed");
    failed.unwrap_or_default()
}

/// Recording the outcome may take half a second longer than the deadline, and after a cancel 50 ms.
#[test]
fn the_outcome_is_written_after_a_short_lock() {
    let till = Till::with("created");
    for (what, code, timeout) in [
        ("during the call", 0, 20_000),
        ("after its deadline", 0, 4000),
        ("after a cancel", 204, 20_000),
    ] {
        // On a busy machine the lock may be released too late.
        let written = (0..5).any(|number| {
            let deadline = Instant::now() + Duration::from_millis(timeout);
            let order_id = format!("{what} {number}");
            let log = create_locked(&till, &order_id, code, timeout, |holder| {
                let pause = match what {
                    "after its deadline" => deadline + Duration::from_millis(50) - Instant::now(),
                    "after a cancel" => {
                        till.client.cancel();
                        Duration::from_millis(10)
                    }
                    _ => Duration::from_millis(200),
                };
                thread::sleep(pause);
                *holder.lock().unwrap() = None;
            });
            journal_failed(log).is_null()
        });
        assert!(written, "never written {what}");
        let last = till.entries().pop().unwrap_or_default();
        assert_eq!(last["result"], code, "{what}");
    }
}

#[test]
fn an_outcome_that_cannot_be_written_leaves_the_entry_and_is_logged() {
    for (code, attempt) in [(0, "attempt_finished"), (204, "attempt_failed")] {
        let till = Till::with("created");
        let began = Instant::now();
        let log = create_locked(&till, "B", code, 5000, |_| {
            if code != 0 {
                till.client.cancel();
            }
        });
        assert!(began.elapsed() < Duration::from_secs(30));
        let names = format!("attempt_started {attempt} journal_failed call_finished");
        assert_eq!(log.names().join(" "), names);
        let failed = journal_failed(log);
        let found = ["operation", "orderId", "name"].map(|key| &failed[key]);
        assert_eq!(found, ["create_order", "B", "PAYORDER_JOURNAL_FAILED"]);
        let row = "SELECT state, url, result FROM payorder_orders WHERE order_id = 'B'";
        let row = || till.shop.journal.sql(&[row]);
        let late = match code {
            0 => json!([["created", CHECKOUT, 0]]),
            _ => json!([["unknown", null, code]]),
        };
        match till.shop.journal.may_be_late() {
            true => until(|| row() == late),
            false => assert_eq!(row(), json!([["sending", null, null]])),
        }
        // The client's next call writes it.
        let again = till.client.create(&order("B"));
        let url = match code {
            0 => json!(CHECKOUT),
            _ => json!(null),
        };
        assert_eq!(again.is(DUPLICATE).error()["previous"]["url"], url);
        let entry = till.told().pop().unwrap_or_default();
        assert_eq!(entry["result"], code);
        assert_eq!(entry["events"][1]["event"], "attempt");
    }
}

/// What the service said, that it has the order already, is not forgotten.
#[test]
fn a_409_that_cannot_be_written_stays_a_409() {
    let till = Till::with("created");
    create_locked(&till, "B", SERVICE_FAILED, 2000, |_| {});
    till.says("B", json!({}));
    let sales = json!([{"orderId": "B", "amount": "100.10"}]);
    let recovered = till.client.recover(Some(&sales), &json!({})).done();
    let checked = recovered["sales"].as_array().expect("sales");
    let of_b = checked.iter().find(|sale| sale["orderId"] == "B");
    let reasons = of_b.expect("the sale")["reasons"].to_string();
    assert!(reasons.contains("orderExists"), "{reasons}");
    let again = till.client.create(&order("B"));
    assert_eq!(again.is(DUPLICATE).error()["cause"], "order_exists");
}

#[test]
fn a_status_is_recorded_after_a_short_lock() {
    let mut rows = Rows::new();
    for (way, ask) in WAYS {
        let till = Till::with("unknown");
        till.says("A", json!({"transactionStatus": "Pending"}));
        let holder = till.shop.journal.lock();
        thread::scope(|scope| {
            let asking = scope.spawn(|| ask(&till.client).code);
            till.service.wait_for_requests(2);
            thread::sleep(Duration::from_millis(200));
            drop(holder);
            rows.same(way, asking.join().unwrap(), 0);
        });
        let seen = till
            .shop
            .journal
            .sql(&["SELECT state FROM payorder_orders"]);
        rows.same(way, &seen, &json!([["created"]]));
    }
    rows.end();
}

#[test]
fn a_status_that_cannot_be_recorded_is_still_returned() {
    let mut rows = Rows::new();
    let query = json!({"orderId": "A"});
    type Call = fn(&Client, &Value) -> Reply;
    let calls: [(&str, Call); 3] = [
        ("get_status", |client, options| {
            client.status_with(&json!({"orderId": "A"}), options)
        }),
        ("wait_for_payment", |client, options| {
            let mut options = options.clone();
            options["final"] = json!(FINAL);
            client.wait(&json!({"orderId": "A"}), &options)
        }),
        ("get_statuses", |client, options| {
            client.statuses(&json!([{"orderId": "A"}]), options, |_, _| true)
        }),
    ];
    for (way, ask) in calls {
        let till = Till::with("unknown");
        till.says("A", json!({"transactionStatus": "Pending"}));
        let holder = till.shop.journal.lock();
        let log = Log::of(&till.client);
        let began = Instant::now();
        // A batch waits for the lock as long as without a limit.
        let limit = if way == "get_statuses" { 10_000 } else { 1000 };
        rows.code(way, &ask(&till.client, &json!({"timeoutMs": limit})), 0);
        // Without its limit each would wait 2 s for the lock.
        let in_time = began.elapsed() < Duration::from_secs(2) || way == "get_statuses";
        rows.that(way, in_time, || format!("{:?}", began.elapsed()));
        let failed = journal_failed(log);
        let found = ["operation", "name"].map(|key| &failed[key]);
        rows.same(way, &json!(found), &json!([way, "PAYORDER_JOURNAL_FAILED"]));
        drop(holder);
        let states = till.states();
        let is_late = till.shop.journal.may_be_late() && states == ["A: created"];
        let right = is_late || states == ["A: unknown"];
        rows.that(way, right, || format!("{states:?}"));
        till.client.status(&query).done();
        rows.same(way, till.states(), vec!["A: created".to_owned()]);
        if till.shop.journal.may_be_late() {
            // A database takes a lock of the table for a statement that changes no row.
            continue;
        }
        // What is already recorded is not written again, and needs no lock.
        let _holder = till.shop.journal.lock();
        let log = Log::of(&till.client);
        rows.code(way, &ask(&till.client, &json!({})), 0);
        rows.that(way, journal_failed(log).is_null(), || "it waited".into());
    }
    rows.end();
}

#[test]
fn an_outcome_that_could_not_be_written_is_written_before_anything_else() {
    let till = Till::new();
    let all = json!([{"orderId": "A", "amount": "100.10"}, {"orderId": "B", "amount": "100.10"}]);
    let verdicts = |client: &Client| {
        let recovered = client.recover(Some(&all), &json!({})).done();
        ["0", "1"].map(|place| {
            recovered.json["sales"]
                .pointer(&format!("/{place}/verdict"))
                .cloned()
        })
    };
    // The service has A already, so it may be another sale's.
    create_locked(&till, "A", SERVICE_FAILED, 2000, |_| ());
    till.says("A", json!({}));
    till.client.status(&json!({"orderId": "A"})).done();
    let another = till.shop.client(&till.service);
    assert_eq!(verdicts(&another)[0], Some(json!("check")));

    create_locked(&till, "B", 0, 2000, |_| ());
    let sent = till.service.request_count();
    let lock = till.shop.journal.lock();
    let refused = till.client.recover(Some(&all), &json!({}));
    refused.is(JOURNAL_FAILED);
    assert_eq!(till.service.request_count(), sent);
    let again = thread::scope(|scope| {
        let resend = json!({"resend": true, "timeoutMs": 20_000});
        let sending = scope.spawn(move || till.client.create_with(&order("B"), &resend));
        thread::sleep(Duration::from_secs(1));
        drop(lock);
        sending.join().unwrap()
    });
    again.is(DUPLICATE);
    let found = ["/cause", "/previous/url"].map(|key| again.error().pointer(key).cloned());
    assert_eq!(
        found,
        [Some(json!("order_already_sent")), Some(json!(CHECKOUT))]
    );
}

/// The journal is locked when the first answer has come.
#[test]
fn answers_that_cannot_be_recorded_are_returned() {
    let mut rows = Rows::new();
    for (name, cancels) in [
        ("recover", false),
        ("recover", true),
        ("journal_resolve", true),
    ] {
        let row = format!("{name}, cancelled: {cancels}");
        let till = Till::with("unknown");
        till.says("A", json!({}));
        let lock = Arc::new(Mutex::new(None));
        let (journal, held) = (till.shop.journal.clone(), Arc::clone(&lock));
        let log = Log::reacting(&till.client, move |event| {
            if event["event"] == "attempt_finished" {
                *held.lock().unwrap() = Some(journal.lock());
            }
        });
        let reply = thread::scope(|scope| {
            let asking = scope.spawn(|| make(name, &till.client, &json!({})));
            if cancels {
                until(|| lock.lock().unwrap().is_some());
                thread::sleep(Duration::from_millis(100));
                till.client.cancel();
            }
            asking.join().unwrap()
        });
        rows.code(&row, &reply, 0);
        rows.same(&row, &reply.json["summary"]["stopped"], &json!(cancels));
        rows.same(&row, &reply.json["summary"]["ok"], &json!(1));
        if name == "recover" {
            rows.same(&row, &reply.json["sales"][0]["verdict"], &json!("paid"));
        }
        rows.same(
            &row,
            &journal_failed(log)["event"],
            &json!("journal_failed"),
        );
        support::log::unset_log(till.client.key());
    }
    rows.end();
}

#[test]
fn recover_does_not_wait_for_a_locked_journal_with_each_part_of_its_answers() {
    let service = Service::deciding(|query| match query.is_order {
        true => respond(created()),
        false => respond(http(
            200,
            status_body(&query.order_id, &json!({})).to_string(),
        )),
    });
    let shop = crate::shop();
    let client = shop.client(&service);
    client.create(&order("A")).done();
    add_many(&shop.journal, 1499);
    // Locked once the first answer has come.
    let lock = Mutex::new(None);
    let journal = shop.journal.clone();
    Log::reacting(&client, move |event| {
        if event["event"] == "attempt_finished" {
            lock.lock().unwrap().get_or_insert_with(|| journal.lock());
        }
    });
    let began = Instant::now();
    let recovered = client.recover(None, &json!({})).done();
    let took = began.elapsed();
    // If each of the 15 parts waited for two seconds, it would take 30.
    assert!(took < Duration::from_secs(25), "{took:?}");
    assert_eq!(recovered["summary"]["ok"], 1500);
    support::log::unset_log(client.key());
}
