//! Several processes share a journal.

use serde_json::json;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use support::abi::Client;
use support::built::process::{own_config, passed, process};
use support::orders::with;
use support::responses::created;
use support::result::DUPLICATE;
use support::service::Service;
use support::shop::{Journal, Shop, order};
use support::trials::trials;

const INSTANT: &str = "PAYORDER_TEST_INSTANT";

fn now_ms() -> u128 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .expect("after 1970")
        .as_millis()
}

/// Waits for an instant at which all processes do the same: they are 40 ms apart and start at the
/// instant that each process was given.
fn wait_for_instant(number: u128) {
    let first: u128 = std::env::var(INSTANT)
        .expect("an instant")
        .parse()
        .expect("milliseconds");
    let at = first + number * 40;
    std::thread::sleep(Duration::from_millis(
        at.saturating_sub(now_ms()).saturating_sub(2) as u64,
    ));
    while now_ms() < at {
        std::hint::spin_loop();
    }
}

const PROCESSES: usize = 4;

/// How many journals they create: in a database, which is slower, fewer.
fn journals(shop: &Shop) -> u128 {
    let is_file = matches!(shop.journal, Journal::File(_));
    trials(12, if is_file { 50 } else { 16 })
}

#[test]
#[ignore = "started by processes_create_a_journal_together_and_only_one_sends_the_same_order"]
fn making_journals_and_orders_at_given_instants() {
    let Some(config) = own_config() else { return };
    let journals = config["journals"].as_array().expect("journals");
    for (number, journal) in (0..).zip(journals) {
        let config = with(&config["config"], "journal", journal.clone());
        let clients = [Client::new(&config), Client::new(&config)];
        std::thread::scope(|scope| {
            for (thread, client) in clients.iter().enumerate() {
                scope.spawn(move || {
                    let own = format!("{thread}-{}", std::process::id());
                    wait_for_instant(2 * number);
                    client.create(&order(&own)).done();
                    // Half of these orders share one identifier, half the other.
                    let field = ["orderId", "merchantTxnId"][number as usize % 2];
                    let shared = with(&order("SHARED"), field, format!("SHARED-{own}"));
                    wait_for_instant(2 * number + 1);
                    let reply = client.create(&shared);
                    if reply.code != 0 {
                        reply.is(DUPLICATE);
                    }
                });
            }
        });
        // The last connection that closes a file removes its log.
        let path = journal.as_str().expect("a text");
        let is_there = path.contains("://") || Path::new(&format!("{path}-wal")).exists();
        assert!(
            is_there,
            "the log of an open journal was removed, number {number}"
        );
    }
}

#[test]
fn processes_create_a_journal_together_and_only_one_sends_the_same_order() {
    let (shop, service) = (crate::shop(), Service::responding(created()));
    let journals: Vec<Journal> = (0..journals(&shop))
        .map(|number| shop.journal.another(number))
        .collect();
    let config = json!({
        "config": shop.config(&service.url()),
        "journals": journals.iter().map(Journal::setting).collect::<Vec<_>>(),
    });
    let instant = (now_ms() + 1000).to_string();
    let start = |_| {
        process(
            "processes::making_journals_and_orders_at_given_instants",
            &config,
        )
        .env(INSTANT, &instant)
        .spawn()
        .unwrap()
    };
    let running: Vec<_> = (0..PROCESSES).map(start).collect();
    for child in running {
        passed(&child.wait_with_output().unwrap());
    }
    // Those of each client, and one that they share.
    let orders = 2 * PROCESSES + 1;
    assert_eq!(service.request_count(), journals.len() * orders);
    for journal in journals {
        let found = journal.sql(&["SELECT count(*) FROM payorder_orders"]);
        assert_eq!(found, json!([[orders]]), "{journal:?}");
        journal.is_sound();
    }
}
