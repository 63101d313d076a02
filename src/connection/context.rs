//! The context of a call: its deadline, whether it was cancelled, and how many bytes were sent.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use super::Fingerprint;
use super::fork;
use super::shared_socket::SharedSocket;
use crate::error::{Cause, Source};

/// What a call and its connection share.
pub(crate) struct CallContext {
    started: Instant,
    /// When the current attempt ends at the latest, in microseconds after `started`.
    deadline: AtomicU64,
    generation: u64,
    /// Bytes of the request that the kernel accepted; with TLS, bytes of the records that carry it.
    bytes_sent: AtomicU64,
    /// Of the service that the current attempt is connected to.
    fingerprint: Mutex<Option<Fingerprint>>,
    cancelled: AtomicBool,
    socket: Mutex<Weak<SharedSocket>>,
    cancel_signal: Condvar,
    connect_timeout: Duration,
}

/// Why there is no complete response. It does not include the outcome, which depends on the number
/// of bytes sent.
#[derive(Debug, Clone)]
pub(crate) enum Failure {
    /// Name lookup, TCP or proxy.
    Connect(Problem),
    /// Certificate or handshake.
    Tls(Problem),
    /// The connection ended.
    ConnectionLost(Problem),
    /// The response is not valid HTTP.
    InvalidResponse(String),
    TimedOut,
    Cancelled,
    /// The call was started in the parent process, and continues there.
    Forked,
    /// A bug in the library.
    Internal(String),
}

/// What went wrong, for programs and for people.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) cause: Cause,
    pub(crate) message: String,
    /// This machine's clock differs from the certificate's dates by more than a day.
    pub(crate) clock_is_suspect: bool,
    /// The error of the system or of TLS behind it.
    pub(crate) source: Option<Source>,
}

impl Problem {
    pub(crate) fn new(cause: Cause, message: impl Into<String>) -> Problem {
        Problem {
            cause,
            message: message.into(),
            clock_is_suspect: false,
            source: None,
        }
    }

    /// The same problem, with the error behind it.
    pub(crate) fn with_source(self, error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Problem {
            source: Some(Arc::new(error)),
            ..self
        }
    }

    /// The same problem with another message.
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
            fingerprint: Mutex::new(None),
            cancelled: AtomicBool::new(false),
            socket: Mutex::new(Weak::new()),
            cancel_signal: Condvar::new(),
            connect_timeout,
        }
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.started + Duration::from_micros(self.deadline.load(Ordering::Relaxed))
    }

    /// Whether the deadline has passed. After it nothing is sent.
    pub(crate) fn is_past_deadline(&self) -> bool {
        self.deadline() <= Instant::now()
    }

    /// The deadline for a connection that is started now.
    pub(crate) fn connect_deadline(&self) -> Instant {
        self.deadline().min(Instant::now() + self.connect_timeout)
    }

    /// Bytes sent in the current attempt.
    pub(crate) fn bytes_sent(&self) -> u64 {
        self.bytes_sent.load(Ordering::Relaxed)
    }

    pub(crate) fn add_bytes_sent(&self, bytes: usize) {
        self.bytes_sent.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// The certificate of the service that answered, if that is recorded.
    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        *self
            .fingerprint
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn set_fingerprint(&self, fingerprint: Option<Fingerprint>) {
        *self
            .fingerprint
            .lock()
            .unwrap_or_else(PoisonError::into_inner) = fingerprint;
    }

    /// Starts an attempt: sets its deadline, and the bytes sent to 0.
    pub(crate) fn begin_attempt(&self, deadline: Instant) {
        let left = deadline.saturating_duration_since(self.started);
        self.deadline
            .store(left.as_micros() as u64, Ordering::Relaxed);
        self.bytes_sent.store(0, Ordering::Relaxed);
    }

    /// False in a forked child: the call belongs to the parent.
    pub(crate) fn belongs_to_this_process(&self) -> bool {
        self.generation == fork::generation()
    }

    /// Cancels the call from another thread. An operation that blocks on its socket fails at once,
    /// and a pause between attempts ends.
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

    /// Sets the socket to shut down when the call is cancelled. Fails if it is cancelled already.
    pub(crate) fn attach_socket(&self, shared: &Arc<SharedSocket>) -> Result<(), Failure> {
        let mut socket = self.socket();
        *socket = Arc::downgrade(shared);
        if self.is_cancelled() {
            Err(Failure::Cancelled)
        } else {
            Ok(())
        }
    }

    /// Forgets the socket. After the attempt, another call may use it.
    pub(crate) fn detach_socket(&self) {
        *self.socket() = Weak::new();
    }

    /// Sleeps between two attempts. False if the call was cancelled.
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
