//! Tells a page that something has changed, as server-sent events. What it is, the page then asks
//! the control address.

use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use super::http::{Connection, Response};

pub const EVENTS: &str = "/sandbox/events";

/// So often a page without news gets a comment, or a connection that is gone would stay open.
const PULSE: Duration = Duration::from_secs(15);
/// A page cannot keep up with an event for each of a thousand requests.
const PAUSE: Duration = Duration::from_millis(100);

#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Counts {
    changes: u64,
    resets: u64,
    stopped: bool,
}

#[derive(Default)]
pub struct Changes {
    counts: Mutex<Counts>,
    changed: Condvar,
}

impl Changes {
    pub fn tell(&self) {
        self.count(|counts| counts.changes += 1);
    }

    /// Orders and requests begin with number 1 again.
    pub fn tell_reset(&self) {
        self.count(|counts| counts.resets += 1);
    }

    /// Ends every stream.
    pub fn stop(&self) {
        self.count(|counts| counts.stopped = true);
    }

    fn count(&self, change: impl Fn(&mut Counts)) {
        change(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner));
        self.changed.notify_all();
    }

    /// The first event comes at once. Returns when the sandbox stops or the page is gone.
    pub fn stream(&self, connection: &mut Connection) -> io::Result<()> {
        connection.begin(Response::events())?;
        let mut told = None;
        loop {
            let counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
            let waited = self
                .changed
                .wait_timeout_while(counts, PULSE, |counts| told == Some(*counts));
            let counts = *waited.unwrap_or_else(PoisonError::into_inner).0;
            if counts.stopped {
                return Ok(());
            }
            match told.replace(counts) == Some(counts) {
                true => connection.write(b":\n\n")?,
                false => connection.write(format!("data: {}\n\n", counts.resets).as_bytes())?,
            }
            thread::sleep(PAUSE);
        }
    }
}
