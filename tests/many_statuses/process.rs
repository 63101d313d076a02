//! What many questions do to the process that asks them, seen in one of its own.
#![cfg(target_os = "linux")]

use super::desk::{Desk, Said};
use super::{AT_ONCE, numbers, queries};
use crate::support::abi::Client;
use crate::support::answers::completed;
use crate::support::orders::config;
use serde_json::json;
use std::process::Command;
use std::time::{Duration, Instant};

const URL: &str = "PAYORDER_TEST_URL";

fn resident_bytes() -> usize {
    let statm = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    statm
        .split_whitespace()
        .nth(1)
        .and_then(|pages| pages.parse::<usize>().ok())
        .expect("pages")
        * 4096
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task")
        .expect("Linux has it")
        .count()
}

#[test]
#[ignore = "started by memory_is_flat_and_no_thread_is_left"]
fn asking_for_ever_more() {
    let Ok(url) = std::env::var(URL) else { return };
    let client = Client::new(&config(&url));
    // What the first calls leave with the allocator is the same for all that follow.
    client
        .statuses(&queries(1000), &json!({"concurrency": 16}), |_, _| true)
        .done();
    let mut grown = Vec::new();
    for count in [1000, 100_000] {
        let text = queries(count).to_string();
        let (threads_before, before) = (threads(), resident_bytes());
        let mut most = before;
        let mut taken = 0;
        let summary = crate::support::abi::get_statuses(
            client.key(),
            &text,
            Some("{\"concurrency\":16}"),
            |_, _| {
                taken += 1;
                if taken % 500 == 0 {
                    most = most.max(resident_bytes());
                }
                true
            },
        );
        assert_eq!(numbers(&summary.done().json)[..2], [count as u64; 2]);
        // One that has ended stays listed for a moment, until the kernel has cleared it away.
        let began = Instant::now();
        while threads() > threads_before {
            assert!(
                began.elapsed() < Duration::from_secs(10),
                "a thread was left"
            );
        }
        println!(
            "{count} queries, {} bytes: grown by {} bytes",
            text.len(),
            most - before
        );
        grown.push((text.len(), most - before));
    }
    let [(_, few), (length, many)] = grown[..] else {
        unreachable!("two were pushed")
    };
    // The text is copied twice here and in the library, and is measured with what the allocator
    // keeps.
    assert!(many <= few + 4 * length + (2 << 20), "{grown:?}");
}

#[test]
fn memory_is_flat_and_no_thread_is_left() {
    let _alone = super::pace::alone();
    let desk = Desk::answering(|question| Said::After(AT_ONCE, completed(&question.order_id)));
    let output = Command::new(std::env::current_exe().expect("the test's own path"))
        .args([
            "process::asking_for_ever_more",
            "--exact",
            "--ignored",
            "--nocapture",
            "--test-threads=1",
        ])
        .env(URL, desk.url())
        .output()
        .expect("the test starts again");
    let said = String::from_utf8_lossy(&output.stdout);
    said.lines()
        .filter(|line| line.contains("grown by"))
        .for_each(|line| println!("{line}"));
    assert!(
        output.status.success() && said.contains("1 passed"),
        "{said}{}",
        String::from_utf8_lossy(&output.stderr)
    );
}
