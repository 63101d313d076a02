//! The journal: an order is recorded before it is sent, its outcome afterwards, and it is not sent
//! twice. Here the journal is a file; tests/journal_in_postgresql has most of these modules too.

#![cfg(feature = "journal")]

#[path = "journal/certificates.rs"]
mod certificates;
#[path = "journal/clock.rs"]
mod clock;
#[path = "journal/events.rs"]
mod events;
#[cfg(unix)]
#[path = "journal/flushes.rs"]
mod flushes;
#[cfg(windows)]
#[path = "journal/handles.rs"]
mod handles;
#[path = "journal/learned.rs"]
mod learned;
#[path = "journal/locks.rs"]
mod locks;
#[path = "journal/paths.rs"]
mod paths;
#[cfg(unix)]
#[path = "journal/processes.rs"]
mod processes;
#[path = "journal/records.rs"]
mod records;
#[path = "journal/recover.rs"]
mod recover;
#[cfg(unix)]
#[path = "journal/replaced.rs"]
mod replaced;
#[path = "journal/states.rs"]
mod states;
#[path = "journal/till.rs"]
mod till;
#[path = "journal/unusable.rs"]
mod unusable;

/// With an empty journal.
fn shop() -> support::shop::Shop {
    support::shop::Shop::new()
}
