//! Idle connections, kept for later calls.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use super::context::CallContext;
use super::http_connection::HttpConnection;
use crate::lock::lock;
use crate::platform::BootInstant;

/// As many as there are likely to be threads that call at the same time.
const MAX_IDLE_CONNECTIONS: usize = 64;

/// The connection that was used last is taken first, so that surplus connections grow old.
pub(super) struct Pool {
    idle: Mutex<Vec<IdleConnection>>,
    max_idle: Duration,
}

struct IdleConnection {
    connection: HttpConnection,
    since: BootInstant,
}

impl Pool {
    pub(super) fn new(max_idle: Duration) -> Pool {
        Pool {
            idle: Mutex::new(Vec::new()),
            max_idle,
        }
    }

    /// An idle connection that the service has not closed, attached to the call.
    pub(super) fn take(&self, context: CallContext<'_>) -> Option<HttpConnection> {
        loop {
            let (mut idle, old) = self.current();
            let last = idle.pop();
            drop(idle);
            drop(old);
            let mut last = last?.connection;
            if last.reuse_for(context) {
                return Some(last);
            }
        }
    }

    /// Closes those that were idle for too long.
    pub(super) fn close_old(&self) {
        let (idle, old) = self.current();
        drop(idle);
        drop(old);
    }

    /// The idle connections, and the first ones, which were idle for too long: they are closed
    /// after the lock is released.
    fn current(&self) -> (MutexGuard<'_, Vec<IdleConnection>>, Vec<IdleConnection>) {
        let mut idle = lock(&self.idle);
        let is_old = |one: &IdleConnection| one.since.elapsed() > self.max_idle;
        let count = idle.partition_point(is_old);
        let old = idle.drain(..count).collect();
        (idle, old)
    }

    pub(super) fn put(&self, mut connection: HttpConnection) {
        if self.max_idle.is_zero() || !connection.reset_for_reuse() {
            return;
        }
        let mut idle = lock(&self.idle);
        let oldest = (idle.len() >= MAX_IDLE_CONNECTIONS).then(|| idle.remove(0));
        idle.push(IdleConnection {
            connection,
            since: BootInstant::now(),
        });
        drop(idle);
        drop(oldest);
    }
}
