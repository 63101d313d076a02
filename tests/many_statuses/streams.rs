//! Queries from a callback: they are taken only as they are needed, and each has one result.

use super::{AT_ONCE, completing, numbers};
use serde_json::json;
use std::cell::Cell;
use std::thread;
use std::time::{Duration, Instant};
use support::abi::{self, Client, Reply};
use support::orders::config;
use support::result::INVALID_ARGUMENT;

fn query(number: usize) -> Vec<u8> {
    format!("{{\"orderId\":\"O-{number}\"}}").into_bytes()
}

#[test]
fn each_query_is_taken_when_it_is_needed_and_has_one_result() {
    let service = completing(AT_ONCE);
    let client = Client::new(&config(&service.url()));
    let caller = thread::current().id();
    let (taken, ended, results) = (Cell::new(0), Cell::new(false), Cell::new(0));
    let next = || {
        assert_eq!(thread::current().id(), caller);
        assert!(!ended.get(), "it runs after it has returned NULL");
        assert!(taken.get() - results.get() < 4, "more than 4 ahead");
        if taken.get() == 100 {
            ended.set(true);
            return None;
        }
        taken.set(taken.get() + 1);
        Some(query(taken.get() - 1))
    };
    let mut seen = vec![false; 100];
    let each = |index: usize, reply: Reply| {
        assert!(!std::mem::replace(&mut seen[index], true));
        assert_eq!(reply["data"]["orderId"], format!("O-{index}"));
        results.set(results.get() + 1);
        true
    };
    let summary = abi::stream_statuses(client.key(), next, each, Some(r#"{"concurrency":4}"#));
    assert_eq!(numbers(&summary.done().json), [100, 100, 0, 0, 0]);
    assert!(seen.into_iter().all(|seen| seen));
}

#[test]
fn a_text_that_is_not_a_query_is_that_querys_own_result() {
    let service = completing(AT_ONCE);
    let client = Client::new(&config(&service.url()));
    let mut texts = [
        b"{".to_vec(),
        query(1),
        b"{\"orderId\":\"\xff\"}".to_vec(),
        b"{\"orderId\":7}".to_vec(),
    ]
    .into_iter();
    let mut codes = [0; 4];
    let each = |index: usize, reply: Reply| {
        codes[index] = reply.code;
        true
    };
    let summary = abi::stream_statuses(client.key(), || texts.next(), each, None).done();
    assert_eq!(codes, [1, 0, 1, 4]);
    assert_eq!(numbers(&summary.json), [4, 1, 0, 0, 3]);
    let empty = abi::stream_statuses(client.key(), || None, |_, _| true, None).done();
    assert_eq!(numbers(&empty.json), [0; 5]);
}

/// callbacks.rs and tests/interface/cancelling end an array of queries in the other ways.
#[test]
fn a_cancel_ends_it_before_a_query_is_sent() {
    let service = completing(AT_ONCE);
    let client = Client::new(&config(&service.url()));
    let endless = || {
        client.cancel();
        Some(query(1))
    };
    let began = Instant::now();
    let cancelled = abi::stream_statuses(client.key(), endless, |_, _| true, None).done();
    assert_eq!(cancelled["stopped"], true);
    assert!(began.elapsed() < Duration::from_secs(5));
    let invalid = abi::stream_statuses(client.key(), endless, |_, _| true, Some("[]"));
    invalid.is(INVALID_ARGUMENT);
    assert_eq!(invalid.error()["operation"], json!("get_statuses"));
}
