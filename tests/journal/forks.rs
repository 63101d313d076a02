//! A journal in a process that forks: in a log callback, or before it closes its client.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use support::abi::Client;
use support::built::process::{config_of_this_process, passed, process};
use support::log::Log;
use support::responses::{CHECKOUT, created};
use support::service::Service;
use support::shop::{Shop, entries, is_sound, order, states};

#[test]
#[ignore = "started by a_fork_during_a_call_leaves_the_journal_to_the_parent"]
fn forking_in_the_log_callback() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let client = Client::new(&config);
    client.create(&order("BEFORE")).done();
    let key = client.key();
    Log::reacting(&client, move |event| {
        if event["event"] != "attempt_started" || event["orderId"] != "A" {
            return;
        }
        // SAFETY: the child makes its calls and exits without the parent's exit handlers.
        let child = unsafe { libc::fork() };
        if child == 0 {
            // The C programs test its return into the call.
            let good = support::abi::create_order(key, &order("CHILD").to_string(), None).code == 0;
            // SAFETY: it ends the child at once.
            unsafe { libc::_exit(if good { 0 } else { 1 }) };
        }
        let mut status = 0;
        // SAFETY: `child` is a child process of this test.
        unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!(status, 0, "the child's call");
    });
    client.create(&order("A")).done();
}

#[test]
fn a_fork_during_a_call_leaves_the_journal_to_the_parent() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    passed(
        &process("forks::forking_in_the_log_callback", &config)
            .output()
            .unwrap(),
    );
    let listed = entries(&Client::new(&config));
    assert_eq!(
        states(&listed),
        ["BEFORE: created", "A: created", "CHILD: created"]
    );
    assert!(listed.iter().all(|entry| entry["url"] == CHECKOUT));
    is_sound(&shop.path);
}

#[test]
#[ignore = "started by a_child_that_returns_into_its_parents_call_writes_nothing"]
fn returning_into_the_parents_call() {
    static IS_CHILD: AtomicBool = AtomicBool::new(false);
    let Some(config) = config_of_this_process() else {
        return;
    };
    let client = Client::new(&config);
    Log::reacting(&client, |event| {
        if event["event"] == "attempt_started" {
            // SAFETY: the child returns into the call, and exits after it.
            let child = unsafe { libc::fork() };
            IS_CHILD.store(child == 0, SeqCst);
            let mut status = 0;
            if child != 0 {
                // SAFETY: `child` is a child process of this test.
                unsafe { libc::waitpid(child, &mut status, 0) };
            }
            assert_eq!(status, 0, "the child's result");
        }
    });
    let reply = client.create(&order("A"));
    if IS_CHILD.load(SeqCst) {
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(if reply.code == 205 { 0 } else { 1 }) };
    }
    reply.done();
}

#[test]
fn a_child_that_returns_into_its_parents_call_writes_nothing() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    let name = "forks::returning_into_the_parents_call";
    passed(&process(name, &config).output().unwrap());
    assert_eq!(service.request_count(), 1);
    let client = Client::new(&config);
    assert_eq!(states(&entries(&client)), ["A: created"]);
    let listed = client.journal_list(&serde_json::json!({"events": true}));
    let events = listed["entries"][0]["events"].as_array().expect("events");
    assert_eq!(events.len(), 2, "the parent's: {events:?}");
}

#[test]
#[ignore = "started by a_child_can_use_the_journal_after_its_parent_closed_it"]
fn forking_and_closing() {
    let Some(config) = config_of_this_process() else {
        return;
    };
    let client = Client::new(&config);
    client.create(&order("BEFORE")).done();
    let mut ends = [0; 2];
    // SAFETY: the array has room for both ends.
    assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
    // SAFETY: the child makes its call and exits without the parent's exit handlers.
    let child = unsafe { libc::fork() };
    if child == 0 {
        let mut byte = [0_u8];
        // SAFETY: the pipe is open, and the buffer is valid.
        unsafe { libc::read(ends[0], byte.as_mut_ptr().cast(), 1) };
        let good = client.create(&order("CHILD")).code == 0;
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(if good { 0 } else { 1 }) };
    }
    drop(client);
    let mut status = 0;
    // SAFETY: the pipe is open, and `child` is a child process of this test.
    unsafe {
        libc::write(ends[1], [1_u8].as_ptr().cast(), 1);
        libc::waitpid(child, &mut status, 0);
    }
    assert_eq!(status, 0, "the child's call");
}

#[test]
fn a_child_can_use_the_journal_after_its_parent_closed_it() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let config = shop.config(&service.url());
    passed(
        &process("forks::forking_and_closing", &config)
            .output()
            .unwrap(),
    );
    assert_eq!(
        states(&entries(&Client::new(&config))),
        ["BEFORE: created", "CHILD: created"]
    );
    is_sound(&shop.path);
}
