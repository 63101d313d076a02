//! The effect of many queries on the calling process. Each test runs in a process of its own.
#![cfg(target_os = "linux")]

use super::{AT_ONCE, completing, numbers, queries};
use serde_json::json;
use std::fmt::Write as _;
use std::time::Duration;
use support::abi::Client;
use support::built::process::{own_config, run};
use support::orders::config;
use support::trials::trials;

fn resident_bytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux has this file");
    statm
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok())
        .expect("pages")
        * 4096
}

#[test]
#[ignore = "started by memory_is_flat_and_no_thread_is_left"]
fn asking_for_more_and_more() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    // The first calls fill the allocator; later calls reuse that memory.
    client
        .statuses(&queries(1000), &json!({"concurrency": 16}), |_, _| true)
        .done();
    let mut grown = Vec::new();
    for count in [1000, trials(10_000, 100_000)] {
        // Written straight into one text, so that no free memory is left that could be used.
        let mut text = String::with_capacity(count * 24);
        for number in 0..count {
            text.push(if number == 0 { '[' } else { ',' });
            write!(text, "{{\"orderId\":\"O-{number}\"}}").expect("text");
        }
        text.push(']');
        // The test copies the text for the call: here is room for that.
        let room = text.clone();
        let before = resident_bytes();
        drop(room);
        let mut most = before;
        let mut received = 0;
        let summary = support::abi::get_statuses(
            client.key(),
            &text,
            Some("{\"concurrency\":16}"),
            |_, _| {
                received += 1;
                if received % 500 == 0 {
                    most = most.max(resident_bytes());
                }
                true
            },
        );
        assert_eq!(numbers(&summary.done().json)[..2], [count as u64; 2]);
        assert_eq!(asking(), 0, "a thread is still running");
        println!(
            "{count} queries, {} bytes: memory has grown by {} bytes",
            text.len(),
            most - before
        );
        grown.push((text.len(), most - before));
    }
    let [(_, few), (length, many)] = grown[..] else {
        unreachable!("two were pushed")
    };
    // The library copies no text, and keeps nothing of a result.
    assert!(many <= few + length / 4 + (1 << 19), "{grown:?}");
}

#[test]
fn memory_is_flat_and_no_thread_is_left() {
    let _alone = super::pace::alone();
    let service = completing(AT_ONCE);
    run("process::asking_for_more_and_more", &config(&service.url()))
        .lines()
        .filter(|line| line.contains("has grown by"))
        .for_each(|line| println!("{line}"));
}

/// The number of query threads, found by their name. A thread that has ended stays listed for a
/// moment.
fn asking() -> usize {
    const EXITING: u32 = 4;
    let is_asking = |folder: std::path::PathBuf| {
        let stat = std::fs::read_to_string(folder.join("stat")).ok()?;
        let (name, rest) = stat.rsplit_once(") ")?;
        let flags: u32 = rest.split(' ').nth(6)?.parse().ok()?;
        Some(name.contains("(payorder-") && flags & EXITING == 0)
    };
    let threads = std::fs::read_dir("/proc/self/task").expect("Linux has this file");
    threads
        .filter(|thread| {
            let folder = thread.as_ref().map(|thread| thread.path());
            folder.is_ok_and(|folder| is_asking(folder) == Some(true))
        })
        .count()
}

#[test]
#[ignore = "started by no_thread_is_left_after_a_stop"]
fn stopping_in_every_way() {
    let Some(config) = own_config() else { return };
    let client = Client::new(&config);
    let most = json!({"concurrency": 64});
    for _ in 0..trials(2, 20) {
        let mut calls = 0;
        let stopped = client.statuses(&queries(1000), &most, |_, _| {
            calls += 1;
            calls < 10
        });
        assert_eq!(stopped.done()["stopped"], true);
        assert_eq!(asking(), 0, "after a callback that returns 0");

        let cancelled = client.statuses(&queries(1000), &most, |_, _| client.cancel() == 0);
        assert_eq!(cancelled.done()["stopped"], true);
        assert_eq!(asking(), 0, "after a cancel");

        let ended = client.statuses(&queries(100), &most, |_, _| true);
        assert_eq!(ended.done()["asked"], 100);
        assert_eq!(asking(), 0, "after the last response");

        let rust = payorder_core::Client::from_json(&config.to_string()).unwrap();
        let mut taken = 0;
        let queries = (0..1000).map(|_| {
            taken += 1;
            payorder_core::StatusQuery::Order("O-1".into())
        });
        let options = payorder_core::StatusesOptions {
            concurrency: 64,
            ..payorder_core::StatusesOptions::default()
        };
        let call = || rust.get_statuses(queries, &options, |_, _| panic!("a bug in the program"));
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call));
        assert!(panic.is_err(), "the program's panic goes on");
        assert_eq!(asking(), 0, "after a panic");
        assert!(taken < 1000, "it went on asking after a panic");
    }
}

#[test]
fn no_thread_is_left_after_a_stop() {
    let _alone = super::pace::alone();
    let service = completing(Duration::from_millis(10));
    run("process::stopping_in_every_way", &config(&service.url()));
}
