//! The order in which a process writes, flushes and sends.

use std::process::Command;

use serde_json::json;
use support::abi::Client;
use support::built;
use support::built::process::{own_config, passed, process, tell, told};
use support::responses::created;
use support::result::JOURNAL_FAILED;
use support::service::Service;
use support::shop::{Shop, order};

#[test]
#[ignore = "started by the_intent_is_flushed_to_the_disk_before_the_first_byte"]
fn making_one_order() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    client.create(&order("FIRST")).done();
    client.create(&order("SECOND")).done();
}

/// Runs a test under strace. Returns what it printed, and the trace.
fn traced(strace: &str, expression: &str, test: &Command, shop: &Shop) -> (String, String) {
    let trace = shop.folder.path().join("trace");
    let output = Command::new(strace)
        .args(["-f", "-y", "-e", expression, "-o"])
        .arg(&trace)
        .arg(test.get_program())
        .args(test.get_args())
        .envs(
            test.get_envs()
                .filter_map(|(name, value)| Some((name, value?))),
        )
        .output()
        .expect("strace runs");
    (passed(&output), std::fs::read_to_string(trace).unwrap())
}

#[test]
fn the_intent_is_flushed_to_the_disk_before_the_first_byte() {
    let Some(strace) = built::tool("STRACE", &["strace"], "flushing before sending") else {
        return;
    };
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let test = process("flushes::making_one_order", &shop.config(&service.url()));
    let calls = "trace=fsync,fdatasync,sync_file_range,pwrite64,write,%network";
    let (_, trace) = traced(&strace, calls, &test, &shop);
    // For each line: the call, and whether it is for the log or for a socket.
    let steps = trace.lines().filter_map(|line| {
        let sends = line.contains("send") && line.contains("socket:")
            || line.contains("TCP:") && line.contains("send");
        let step = match line {
            _ if sends => "send",
            _ if line.contains("journal.db-wal") && line.contains("sync(") => "flush",
            _ if line.contains("journal.db-wal") && line.contains("write") => "write",
            _ => return None,
        };
        Some(step)
    });
    let mut steps: Vec<&str> = steps.collect();
    steps.dedup();
    let sends: Vec<usize> = (0..steps.len()).filter(|at| steps[*at] == "send").collect();
    assert_eq!(sends.len(), 2, "{steps:?}\n{trace}");
    for send in sends {
        assert_eq!(
            steps[send - 2..send],
            ["write", "flush"],
            "the intent: {steps:?}"
        );
        assert_eq!(
            steps[send + 1..send + 3],
            ["write", "flush"],
            "the outcome: {steps:?}"
        );
    }
}

#[test]
#[ignore = "started by a_disk_that_is_too_slow_for_the_call_is_the_journal_s_failure"]
fn making_an_order_in_300_ms() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    tell(&client.create_with(&order("LATE"), &json!({"timeoutMs": 300})));
}

#[test]
fn a_disk_that_is_too_slow_for_the_call_is_the_journal_s_failure() {
    let Some(strace) = built::tool("STRACE", &["strace"], "a slow disk") else {
        return;
    };
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    let test = process("flushes::making_an_order_in_300_ms", &config);
    let slow = "inject=fsync,fdatasync:delay_exit=400000";
    let (printed, _) = traced(&strace, slow, &test, &shop);
    let reply = told(&printed);
    reply.is(JOURNAL_FAILED);
    let found = ["outcome", "cause", "action"].map(|key| &reply.error()[key]);
    assert_eq!(found, ["not_sent", "journal_locked", "retry_later"]);
    assert_eq!(service.request_count(), 0);
    let states = "SELECT order_id, state FROM payorder_orders";
    assert_eq!(
        json!(shop.journal.sql(&[states])),
        json!([["LATE", "not_sent"]])
    );
}
