//! A call as the queue knows it.

use std::time::Instant;

use crate::platform::HostFunction;

/// A call that waits for a thread, or for its next query.
pub(super) trait Job: Send {
    /// As its observer of cancellations has it.
    fn id(&self) -> u64;

    fn lane(&self) -> Lane;

    /// When it ends if it has no thread by then.
    fn deadline(&self) -> Option<Instant>;

    /// Whether too little of its time is left to begin.
    fn is_too_late(&self, now: Instant) -> bool;

    fn is_cancelled(&self) -> bool;

    /// Whether a thread has worked on it.
    fn has_begun(&self) -> bool;

    fn listener(&self) -> Listener;

    /// Does the next piece of its work.
    fn go_on(self: Box<Self>) -> Progress;

    /// Ends it without a further piece.
    fn end(self: Box<Self>, why: QueueEnd) -> Progress;
}

/// What comes after a piece of work.
pub(super) enum Progress {
    Sleeps(Instant, Box<dyn Job>),
    /// Gives the result to the program, once nothing else of the call is left.
    Ended {
        was_cancelled: bool,
        deliver: Box<dyn FnOnce() -> Option<HostFunction>>,
    },
}

/// Who learns the result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Listener {
    /// A function of the program, which may take long.
    Function,
    /// Who takes it from the client, and so nobody once that is freed.
    Taker,
    Future,
}

/// Why a call ends before a thread could go on with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum QueueEnd {
    TimedOut,
    Cancelled,
    ClientFreed,
}

/// Which calls are done first, and how many at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    /// Orders and statuses.
    Call,
    /// The queries of waits: behind the calls.
    Question,
    /// What asks many times: with places of its own, so that it delays no order.
    Long,
}
