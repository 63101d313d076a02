//! Responses of a service in this process: no system call, and no wait that takes time.
#![no_main]

mod check;

use std::sync::LazyLock;

use check::{SCRIPT, Till};
use libfuzzer_sys::{Corpus, fuzz_target};
use payorder_fuzz::clock;
use payorder_fuzz::service::Service;

static TILL: LazyLock<Till> = LazyLock::new(|| {
    clock::skip_waits();
    let service = Service::start(|_| check::lock(&SCRIPT).clone());
    Till::new(service)
});

fuzz_target!(|input: &[u8]| -> Corpus { check::check(&TILL, input) });
