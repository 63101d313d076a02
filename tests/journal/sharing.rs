//! A journal that is locked for a moment, or used by several processes at once.

use super::DUPLICATE;
use serde_json::{Value, json};
use std::time::{Duration, Instant};
use support::abi::{Client, Reply};
#[cfg(unix)]
use support::built::process::{config_of_this_process, passed, process};
use support::log::Log;
use support::responses::{created, http};
use support::rows::Rows;
use support::service::{Service, close, respond, stall};
use support::shop::{LockHolder, Shop, entries, lock_when_sending, order, sql, states};
use support::table;

const CANCELLED: i32 = 8;

type Call = fn(&Client) -> Reply;
const FUNCTIONS: [(&str, Call); 4] = [
    ("journal_list", |client| client.journal_list(&json!({}))),
    ("journal_resolve", |client| {
        client.journal_resolve(&json!({}))
    }),
    ("journal_settle", |client| {
        client.journal_settle(&json!({"entry": 1}))
    }),
    ("journal_prune", |client| client.journal_prune(&json!({}))),
];

/// A journal with an order of unknown outcome. Another process has locked it, so that it cannot
/// even be read.
fn locked() -> (Shop, Service, LockHolder) {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    shop.client(&service).create(&order("A")).is(201);
    sql(&shop.path, &["PRAGMA journal_mode = DELETE"]);
    let holder = LockHolder::of(&shop.path);
    service.set_script([respond(http(404, "{}"))]);
    (shop, service, holder)
}

#[test]
fn every_function_waits_for_a_journal_that_is_locked_for_a_moment() {
    let mut rows = Rows::new();
    for (name, call) in FUNCTIONS {
        let (shop, service, holder) = locked();
        let client = shop.client(&service);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| call(&client));
            std::thread::sleep(Duration::from_millis(300));
            rows.that(name, !waiting.is_finished(), || "it did not wait".into());
            drop(holder);
            let reply = waiting.join().unwrap();
            rows.code(name, &reply, 0);
        });
    }
    rows.end();
}

#[test]
fn a_cancel_ends_every_function_that_waits_for_the_journal() {
    let mut rows = Rows::new();
    for (name, call) in FUNCTIONS {
        let (shop, service, _holder) = locked();
        let client = shop.client(&service);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| call(&client));
            std::thread::sleep(Duration::from_millis(300));
            let began = Instant::now();
            client.cancel();
            let reply = waiting.join().unwrap();
            println!("{name}: {:?} after the cancel", began.elapsed());
            // Far less than the time that they wait. On an idle machine it is below 100 ms.
            rows.that(name, began.elapsed() < Duration::from_secs(3), || {
                format!("{:?}", began.elapsed())
            });
            rows.same(name, reply.code, CANCELLED);
            rows.same(name, &reply.error()["operation"], &json!(name));
            rows.same(name, &reply.error()["cause"], &json!("cancelled"));
        });
    }
    rows.end();
}

#[test]
fn a_token_ends_the_functions_that_have_it_and_no_others() {
    let mut rows = Rows::new();
    type With = fn(&Client, &Value) -> Reply;
    let functions: [(&str, With); 4] = [
        ("journal_list", |client, options| {
            client.journal_list(options)
        }),
        ("journal_resolve", |client, options| {
            client.journal_resolve(options)
        }),
        ("journal_settle", |client, options| {
            let mut options = options.clone();
            options["entry"] = 1.into();
            client.journal_settle(&options)
        }),
        ("journal_prune", |client, options| {
            client.journal_prune(options)
        }),
    ];
    for (name, call) in functions {
        let (shop, service, holder) = locked();
        let client = shop.client(&service);
        let token = support::abi::Token::new();
        let options = json!({"cancellation": token.text()});
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| call(&client, &options));
            let other = scope.spawn(|| client.journal_list(&json!({})));
            std::thread::sleep(Duration::from_millis(300));
            let began = Instant::now();
            token.cancel();
            rows.same(name, waiting.join().unwrap().code, CANCELLED);
            println!("{name}: {:?} after the token's cancel", began.elapsed());
            rows.that(name, began.elapsed() < Duration::from_secs(3), || {
                format!("{:?}", began.elapsed())
            });
            rows.that(name, !other.is_finished(), || "the other call ended".into());
            drop(holder);
            rows.same(name, other.join().unwrap().code, 0);
        });
        // get_statuses ends early with the results so far.
        let again = call(&client, &options);
        match name {
            "journal_resolve" => {
                rows.same(name, &again["summary"]["stopped"], &json!(true));
                rows.same(name, &again["summary"]["asked"], &json!(0));
            }
            _ => rows.same(name, again.code, CANCELLED),
        }
    }
    rows.end();
}

#[test]
fn errors_of_the_journal_functions_name_their_operation() {
    let mut rows = Rows::new();
    let without = Client::new(&support::orders::config("https://pay.example.com"));
    for (name, call) in FUNCTIONS {
        let reply = call(&without);
        rows.same(name, reply.code, 1);
        rows.same(name, &reply.error()["operation"], &json!(name));
        rows.same(name, &reply.error()["cause"], &json!("no_journal"));
    }
    rows.end();
}

#[test]
fn the_outcome_is_written_after_a_short_lock() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("BEFORE")).done();
    let (log, holder) = lock_when_sending(&client, &shop.path);
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| client.create(&order("A")).code);
        service.wait_for_requests(2);
        std::thread::sleep(Duration::from_millis(200));
        *holder.lock().unwrap() = None;
        assert_eq!(sending.join().unwrap(), 0);
    });
    assert!(!log.names().contains(&"journal_failed".to_owned()));
    assert_eq!(states(&entries(&client)), ["BEFORE: created", "A: created"]);
}

/// Recording the outcome may take half a second longer than the deadline.
#[test]
fn the_outcome_is_written_after_the_deadline() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("BEFORE")).done();
    // On a busy machine the lock may be released too late.
    let written = (0..5).any(|number| {
        let order_id = format!("A-{number}");
        let (log, holder) = lock_when_sending(&client, &shop.path);
        let deadline = Instant::now() + Duration::from_millis(4000);
        std::thread::scope(|scope| {
            let (client, order) = (&client, order(&order_id));
            let sending =
                scope.spawn(move || client.create_with(&order, &json!({"timeoutMs": 4000})).code);
            std::thread::sleep(deadline + Duration::from_millis(50) - Instant::now());
            *holder.lock().unwrap() = None;
            assert_eq!(sending.join().unwrap(), 0);
        });
        !log.names().contains(&"journal_failed".to_owned())
    });
    assert!(written, "never written after its deadline");
}

#[test]
fn the_outcome_is_written_after_a_cancel_and_a_short_lock() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
    let client = shop.client(&service);
    // On a busy machine the lock may be released too late.
    let written = (0..5).any(|number| {
        let order = order(&format!("A-{number}"));
        let (log, holder) = lock_when_sending(&client, &shop.path);
        std::thread::scope(|scope| {
            let sending = scope.spawn(|| client.create(&order).code);
            service.wait_for_requests(number + 1);
            client.cancel();
            std::thread::sleep(Duration::from_millis(10));
            *holder.lock().unwrap() = None;
            assert_eq!(sending.join().unwrap(), 204);
        });
        !log.names().contains(&"journal_failed".to_owned())
    });
    assert!(written, "never written after a cancel");
}

#[test]
fn resolve_asks_only_about_entries_that_existed_at_its_start() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    for order_id in ["A", "B"] {
        client.create(&order(order_id)).is(201);
    }
    let before = service.request_count();
    // An order that is created during resolve.
    const LATE: &str = "INSERT INTO orders (order_id, merchant_txn_id, amount, currency_code,
            body_sha256, state, begun_ms, deadline_ms, updated_ms, service)
        SELECT 'LATE', 'T', amount, currency_code, body_sha256, state, begun_ms, deadline_ms,
            updated_ms, service FROM orders WHERE order_id = 'A'";
    let path = shop.path.clone();
    service.set_script([respond(http(404, "{}"))]);
    let _log = Log::reacting(&client, move |event| {
        if event["event"] == "attempt_started" && event["orderId"] == "A" {
            sql(&path, &[LATE]);
        }
    });
    let reply = client.journal_resolve(&json!({"concurrency": 1})).done();
    assert_eq!(reply["summary"]["asked"], 2, "{}", reply.text());
    assert_eq!(service.request_count() - before, 2);
    assert_eq!(
        states(reply["entries"].as_array().unwrap()),
        ["A: unknown", "B: unknown", "LATE: unknown"],
        "it is counted as still unresolved"
    );
}

#[test]
fn the_message_of_a_duplicate_says_what_to_do() {
    let mut rows = Rows::new();
    for (state, cause, action, said) in table! {
        "unknown", "order_may_exist", "ask_status",
            &["entry 1, unknown", "resolve the journal", "resend"][..];
        "created", "order_already_sent", "use_previous",
            &["entry 1, created", "the service has it"][..];
        "settled", "order_settled", "ask_status", &["entry 1, settled", "a person closed it"][..];
        "sending", "order_being_sent", "ask_status",
            &["entry 1, sending", "may run until 20", "its process is gone"][..];
    } {
        let (shop, service) = (Shop::new(), Service::start([close()]));
        let client = shop.client(&service);
        client.create(&order("A")).is(201);
        let set = format!("UPDATE orders SET state = '{state}', deadline_ms = begun_ms + 600000");
        sql(&shop.path, &[&set]);
        let reply = client.create(&order("A"));
        rows.same(state, reply.code, DUPLICATE);
        rows.same(state, &reply.error()["cause"], &json!(cause));
        rows.same(state, &reply.error()["action"], &json!(action));
        for part in said {
            rows.says(state, &reply, part);
        }
        let deadline = entries(&client)[0]["deadline"].clone();
        let deadline = deadline.as_str().unwrap();
        let named = reply.message().contains(deadline) == (state == "sending");
        rows.holds(state, named, reply.message());
    }
    rows.end();
}

/// How many descriptors of this process are open on a journal's log.
#[cfg(unix)]
fn open_logs() -> usize {
    let descriptors = std::fs::read_dir("/proc/self/fd").unwrap();
    descriptors
        .filter_map(|one| std::fs::read_link(one.ok()?.path()).ok())
        .filter(|path| path.to_string_lossy().ends_with("-wal"))
        .count()
}

#[cfg(unix)]
#[test]
#[ignore = "started by several_clients_with_journals_work_after_a_fork"]
fn forking_with_several_clients() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let path = config["journal"].as_str().unwrap().to_owned();
    let at = |name: &str| {
        let path = format!("{path}{name}");
        support::orders::with(&config, "journal", path)
    };
    // Two clients with one journal, one with another.
    let clients = ["", "", "-other"].map(|name| Client::new(&at(name)));
    let create = |who: &str| {
        clients
            .iter()
            .enumerate()
            .all(|(number, client)| client.create(&order(&format!("{who}-{number}"))).code == 0)
    };
    assert!(create("BEFORE"));
    assert!(open_logs() >= 2, "both journals are open");
    // SAFETY: the child makes its calls and exits without the parent's exit handlers.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SQLite does not allow an open database to be used across a fork.
        let status = match open_logs() {
            0 if create("CHILD") => 0,
            0 => 1,
            _ => 2,
        };
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(status) };
    }
    assert!(create("PARENT"));
    let mut status = 0;
    // SAFETY: `child` is a child process of this test.
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(status, 0, "the child's calls");
    clients[1].create(&order("CHILD-0")).is(DUPLICATE);
    assert!(create("AFTER"));
}

#[cfg(unix)]
#[test]
fn several_clients_with_journals_work_after_a_fork() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    let mut command = process("sharing::forking_with_several_clients", &config);
    passed(&command.output().unwrap());
    for (path, count) in [("", 8), ("-other", 4)] {
        let path = format!("{}{path}", shop.path.display());
        let sound = sql(path.as_ref(), &["PRAGMA integrity_check"]);
        assert_eq!(sound, json!([["ok"]]));
        let rows = sql(
            path.as_ref(),
            &["SELECT count(*), count(DISTINCT order_id) FROM orders WHERE state = 'created'"],
        );
        assert_eq!(rows, json!([[count, count]]), "{path}");
    }
    assert_eq!(service.request_count(), 12);
}
