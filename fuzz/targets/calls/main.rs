//! Sequences of calls: clients are created, freed, used after that, forged, cancelled and logged,
//! first one call after the other, then from several threads at once, then one after the other
//! again. Freed and forged clients must stay invalid, nothing may leak, and no service may have
//! received an order that was reported as not sent.
#![no_main]

mod input;
mod services;
mod state;

use input::Input;
use libfuzzer_sys::fuzz_target;
use payorder::{payorder_live_calls, payorder_live_clients, payorder_live_strings};
use services::SERVICE;
use state::{Mode, State};
use std::sync::Mutex;

fuzz_target!(|input: Input| {
    let (clients, strings) = (payorder_live_clients(), payorder_live_strings());
    let state = State {
        slots: Default::default(),
        freed: Mutex::default(),
        logs: Mutex::default(),
        orders: Mutex::default(),
    };
    SERVICE.forget();
    input
        .before
        .iter()
        .take(12)
        .for_each(|step| state.perform(*step, Mode::Sequential));
    std::thread::scope(|scope| {
        let threads = input.threads.iter().filter(|steps| !steps.is_empty());
        let threads = threads.map(|steps| {
            scope.spawn(|| {
                steps
                    .iter()
                    .take(6)
                    .for_each(|step| state.perform(*step, Mode::Concurrent))
            })
        });
        // Start all threads, then join each, so that their resources are not counted as leaks.
        for thread in threads.collect::<Vec<_>>() {
            thread.join().expect("a thread ends");
        }
    });
    state.end_logs();
    input
        .after
        .iter()
        .take(8)
        .for_each(|step| state.perform(*step, Mode::Sequential));
    state.check_orders();
    state.end();
    assert_eq!(payorder_live_clients(), clients, "a client leaked");
    assert_eq!(payorder_live_strings(), strings, "a string leaked");
    assert_eq!(payorder_live_calls(), 0, "a call is still running");
});
