//! Connections that are kept for later calls.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::context::Delivery;
use super::http_connection::Connection;
use super::sys::Moment;

/// As many as threads are likely to call at once.
const MOST_KEPT: usize = 64;

/// The connection that was put by last is taken first, so that those that are too many grow old.
pub(super) struct Pool {
    kept: Mutex<Vec<Kept>>,
    max_idle: Duration,
}

struct Kept {
    connection: Connection,
    since: Moment,
}

impl Pool {
    pub(super) fn new(max_idle: Duration) -> Pool {
        Pool {
            kept: Mutex::new(Vec::new()),
            max_idle,
        }
    }

    /// A kept connection that the service has not closed, for the delivery to watch.
    pub(super) fn take(&self, delivery: &Delivery) -> Option<Connection> {
        loop {
            let mut kept = self.kept();
            let mut last = kept.pop()?;
            if last.since.elapsed() > self.max_idle {
                // Those below it are older. They are closed when the lock is free again.
                let old = std::mem::take(&mut *kept);
                drop(kept);
                drop(old);
                return None;
            }
            drop(kept);
            if last.connection.take_up(delivery) {
                return Some(last.connection);
            }
        }
    }

    pub(super) fn put(&self, mut connection: Connection) {
        if self.max_idle.is_zero() || !connection.put_by() {
            return;
        }
        let mut kept = self.kept();
        let oldest = (kept.len() >= MOST_KEPT).then(|| kept.remove(0));
        kept.push(Kept {
            connection,
            since: Moment::now(),
        });
        drop(kept);
        drop(oldest);
    }

    fn kept(&self) -> MutexGuard<'_, Vec<Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
