//! One request on its way: its deadline, whether it was cancelled, and the evidence of what was
//! sent.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::fork;
use super::shared_socket::SharedSocket;
use crate::error::Cause;

/// What a call and its connection share.
pub(crate) struct CallContext {
    started: Instant,
    /// When the attempt under way ends, whatever happens: microseconds after `started`.
    deadline: AtomicU64,
    generation: u64,
    /// Bytes of the request that the kernel took, below the HTTP client; of a TLS connection,
    /// bytes of the records that carry it.
    bytes_sent: AtomicU64,
    cancelled: AtomicBool,
    socket: Mutex<Weak<SharedSocket>>,
    cancel_signal: Condvar,
    connect_timeout: Duration,
}

/// Why there is no whole answer. The outcome is not among it: that is told by what was sent.
#[derive(Debug, Clone)]
pub(crate) enum Failure {
    /// Name lookup, TCP or proxy.
    Connect(Problem),
    /// Certificate or handshake.
    Tls(Problem),
    /// The connection ended.
    ConnectionLost(Problem),
    /// The answer is no HTTP, or no whole one.
    InvalidResponse(String),
    TimedOut,
    Cancelled,
    /// The call was started in the parent process, and goes on there.
    Forked,
    /// A defect of the library.
    Internal(String),
}

/// What went wrong, for programs and for people.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) cause: Cause,
    pub(crate) message: String,
    /// This machine's clock is more than a day away from the certificate's dates.
    pub(crate) clock_is_suspect: bool,
}

impl Problem {
    pub(crate) fn new(cause: Cause, message: impl Into<String>) -> Problem {
        Problem {
            cause,
            message: message.into(),
            clock_is_suspect: false,
        }
    }

    /// The same problem in more words.
    pub(crate) fn map_message(self, map: impl FnOnce(String) -> String) -> Problem {
        Problem {
            message: map(self.message),
            ..self
        }
    }
}

impl CallContext {
    pub(crate) fn new(connect_timeout: Duration) -> CallContext {
        CallContext {
            started: Instant::now(),
            deadline: AtomicU64::new(0),
            generation: fork::generation(),
            bytes_sent: AtomicU64::new(0),
            cancelled: AtomicBool::new(false),
            socket: Mutex::new(Weak::new()),
            cancel_signal: Condvar::new(),
            connect_timeout,
        }
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.started + Duration::from_micros(self.deadline.load(Ordering::Relaxed))
    }

    /// Whether the deadline has passed: what was not sent by then is not sent any more.
    pub(crate) fn is_past_deadline(&self) -> bool {
        self.deadline() <= Instant::now()
    }

    /// When a connection that is started now must stand.
    pub(crate) fn connect_deadline(&self) -> Instant {
        self.deadline().min(Instant::now() + self.connect_timeout)
    }

    /// Bytes sent in the attempt that is under way.
    pub(crate) fn bytes_sent(&self) -> u64 {
        self.bytes_sent.load(Ordering::Relaxed)
    }

    pub(crate) fn add_bytes_sent(&self, bytes: usize) {
        self.bytes_sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// Begins an attempt that has sent nothing.
    pub(crate) fn begin_attempt(&self, deadline: Instant) {
        let left = deadline.saturating_duration_since(self.started);
        self.deadline
            .store(left.as_micros() as u64, Ordering::Relaxed);
        self.bytes_sent.store(0, Ordering::Relaxed);
    }

    /// A call that began before a fork belongs to the parent.
    pub(crate) fn belongs_to_this_process(&self) -> bool {
        self.generation == fork::generation()
    }

    /// Ends the call from another thread: what blocks on its socket fails at once, and a wait
    /// between attempts ends.
    pub(crate) fn cancel(&self) {
        let socket = self.socket();
        self.cancelled.store(true, Ordering::Release);
        if let Some(shared) = socket.upgrade() {
            shared.shut_down();
        }
        drop(socket);
        self.cancel_signal.notify_all();
    }

    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Acquire)
    }

    /// The socket to shut down when the call is cancelled. Fails where that has happened already.
    pub(crate) fn attach_socket(&self, shared: &Arc<SharedSocket>) -> Result<(), Failure> {
        let mut socket = self.socket();
        *socket = Arc::downgrade(shared);
        if self.is_cancelled() {
            Err(Failure::Cancelled)
        } else {
            Ok(())
        }
    }

    /// Forgets the socket: after the attempt it may serve another call.
    pub(crate) fn detach_socket(&self) {
        *self.socket() = Weak::new();
    }

    /// Sleeps between two attempts. False where the call was cancelled meanwhile.
    pub(crate) fn sleep(&self, time: Duration) -> bool {
        let end = Instant::now() + time;
        let mut socket = self.socket();
        while !self.is_cancelled() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return true;
            }
            socket = self
                .cancel_signal
                .wait_timeout(socket, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        false
    }

    fn socket(&self) -> MutexGuard<'_, Weak<SharedSocket>> {
        self.socket.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
