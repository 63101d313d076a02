//! The context of a call: its deadline, how it can be cancelled, and how much of it was sent.

use std::cell::Cell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::Fingerprint;
use super::scope::CancelScope;

/// What an attempt of a call may use of time, and what it learned.
pub(crate) struct AttemptState {
    /// When the attempt ends at the latest.
    deadline: Cell<Instant>,
    connect_timeout: Duration,
    pub(crate) sent: SentBytes,
    /// The HTTP status of the response, even if the rest of it never arrived.
    pub(crate) status: Cell<Option<u16>>,
    /// What the response calls the request.
    pub(crate) request_id: Cell<Option<String>>,
    /// What arrived of the body of a response that did not end.
    pub(crate) part: Cell<Vec<u8>>,
    /// The time in the response, if it is kept.
    pub(crate) date: Cell<Option<String>>,
    pub(crate) keeps_date: Cell<bool>,
    /// Of the certificate of the service that the attempt is connected to, if that is recorded.
    pub(crate) fingerprint: Cell<Option<Fingerprint>>,
}

/// How much of a call's request was sent: bytes that the kernel accepted; with TLS, bytes of the
/// records that carry it. This fact alone separates "not sent" from "unknown".
#[derive(Default)]
pub(crate) struct SentBytes {
    in_attempt: Cell<u64>,
    earlier: Cell<bool>,
}

impl SentBytes {
    /// By the current attempt, or the last one.
    pub(crate) fn in_attempt(&self) -> u64 {
        self.in_attempt.get()
    }

    /// Whether the current attempt, or the last one, sent a byte.
    pub(crate) fn any_in_attempt(&self) -> bool {
        self.in_attempt() > 0
    }

    /// Whether any attempt of the call sent a byte.
    pub(crate) fn any(&self) -> bool {
        self.earlier.get() || self.any_in_attempt()
    }

    pub(crate) fn add(&self, bytes: usize) {
        self.in_attempt.set(self.in_attempt() + bytes as u64);
    }

    /// Counts the request as sent, for a call whose request another call sent.
    pub(crate) fn set_sent_earlier(&self) {
        self.earlier.set(true);
    }

    fn begin_attempt(&self) {
        self.earlier.set(self.any());
        self.in_attempt.set(0);
    }
}

#[derive(Clone, Copy)]
pub(crate) struct CallContext<'a> {
    pub(crate) scope: &'a Arc<CancelScope>,
    pub(crate) attempt: &'a AttemptState,
}

impl AttemptState {
    pub(crate) fn new(connect_timeout: Duration) -> AttemptState {
        AttemptState {
            deadline: Cell::new(Instant::now()),
            connect_timeout,
            sent: SentBytes::default(),
            status: Cell::new(None),
            request_id: Cell::new(None),
            part: Cell::default(),
            date: Cell::new(None),
            keeps_date: Cell::new(false),
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

    /// Starts an attempt, which ends at this deadline.
    pub(crate) fn begin(&self, deadline: Instant) {
        self.deadline.set(deadline);
        self.status.set(None);
        self.request_id.set(None);
        self.part.take();
        self.sent.begin_attempt();
    }
}
