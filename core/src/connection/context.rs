//! The context of a call: its deadline, how it can be cancelled, and how many bytes were sent.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Fingerprint;
use super::scope::CancelScope;
use crate::error::{Cause, Source};

/// What an attempt of a call may use of time, and what it learned.
pub(crate) struct AttemptState {
    /// When the attempt ends at the latest.
    deadline: Cell<Instant>,
    connect_timeout: Duration,
    /// Bytes of the request that the kernel accepted; with TLS, bytes of the records that carry it.
    bytes_sent: Cell<u64>,
    /// Of the service that the attempt is connected to.
    fingerprint: Cell<Option<Fingerprint>>,
}

/// What a call and its connection share.
#[derive(Clone, Copy)]
pub(crate) struct CallContext<'a> {
    pub(crate) scope: &'a Arc<CancelScope>,
    pub(crate) attempt: &'a AttemptState,
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

impl AttemptState {
    pub(crate) fn new(connect_timeout: Duration) -> AttemptState {
        AttemptState {
            deadline: Cell::new(Instant::now()),
            connect_timeout,
            bytes_sent: Cell::new(0),
            fingerprint: Cell::new(None),
        }
    }

    pub(crate) fn deadline(&self) -> Instant {
        self.deadline.get()
    }

    /// Whether the deadline has passed. After it nothing is sent.
    pub(crate) fn is_past_deadline(&self) -> bool {
        self.deadline() <= Instant::now()
    }

    /// The deadline for a connection that is started now.
    pub(crate) fn connect_deadline(&self) -> Instant {
        self.deadline().min(Instant::now() + self.connect_timeout)
    }

    pub(crate) fn bytes_sent(&self) -> u64 {
        self.bytes_sent.get()
    }

    pub(crate) fn add_bytes_sent(&self, bytes: usize) {
        self.bytes_sent.set(self.bytes_sent() + bytes as u64);
    }

    /// The certificate of the service that answered, if that is recorded.
    pub(crate) fn fingerprint(&self) -> Option<Fingerprint> {
        self.fingerprint.get()
    }

    pub(super) fn set_fingerprint(&self, fingerprint: Option<Fingerprint>) {
        self.fingerprint.set(fingerprint);
    }

    /// Starts an attempt: sets its deadline, and the bytes sent to 0.
    pub(crate) fn begin(&self, deadline: Instant) {
        self.deadline.set(deadline);
        self.bytes_sent.set(0);
    }
}
