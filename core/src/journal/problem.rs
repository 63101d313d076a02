//! Why the journal cannot be used, and what to do about it.

use std::borrow::Cow;

use crate::error::{Cause, Source};

/// Why the journal cannot be used, as a message that follows its name. Each engine has its own.
pub(super) struct JournalProblem {
    pub(super) cause: Cause,
    pub(super) words: Cow<'static, str>,
    /// The error of the system or of the database behind it.
    pub(super) source: Option<Source>,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy)]
pub(super) enum Kind {
    Lasts,
    /// Others use the journal at this moment.
    Busy,
    /// What was read has changed since, or the tables are other ones: connect again.
    Changed,
    /// This server cannot write. Another host of the same address may.
    Elsewhere,
    /// It may work again later, without anybody's help in this program.
    Passes,
    /// The connection to the database ended, and what was asked may have been done.
    Broken,
    /// The call ended, and what was asked may be done.
    Ended,
}

impl JournalProblem {
    pub(super) fn new(cause: Cause, words: impl Into<Cow<'static, str>>) -> JournalProblem {
        JournalProblem {
            cause,
            words: words.into(),
            source: None,
            kind: Kind::Lasts,
        }
    }

    pub(super) fn of_kind(self, kind: Kind) -> JournalProblem {
        JournalProblem { kind, ..self }
    }

    /// What was read has changed since.
    pub(super) fn changed() -> JournalProblem {
        JournalProblem::new(
            Cause::JournalLocked,
            "is written by many programs at once: call again",
        )
        .of_kind(Kind::Changed)
    }

    pub(super) fn is_busy(&self) -> bool {
        matches!(self.kind, Kind::Busy | Kind::Changed)
    }

    /// What was asked may have been done.
    pub(super) fn is_uncertain(&self) -> bool {
        matches!(self.kind, Kind::Broken | Kind::Ended)
    }

    /// The same, of settling an entry.
    pub(super) fn may_be_settled(mut self) -> JournalProblem {
        if self.is_uncertain() {
            self.words += "; the entry may be settled: list the journal";
        }
        self
    }

    /// Nothing if only a right was missing.
    pub(super) fn unless_denied(self) -> Result<(), JournalProblem> {
        match (self.cause, &self.kind) {
            (Cause::JournalReadOnly, Kind::Lasts) => Ok(()),
            _ => Err(self),
        }
    }

    /// It has data that this library did not write.
    pub(super) fn not_ours() -> JournalProblem {
        JournalProblem::new(
            Cause::JournalDamaged,
            "contains data that this library did not write",
        )
    }

    /// An entry that was made is not there any more.
    pub(super) fn replaced() -> JournalProblem {
        JournalProblem::new(
            Cause::JournalReplaced,
            "was moved, deleted, replaced or set back to an earlier state while this process used \
             it: put it back in its place, then make a new client. If entries are lost, ask that \
             client for your own sales (payorder_recover)",
        )
    }

    /// It has entries with a time in the future, by this clock.
    pub(super) fn future(clock: &str) -> JournalProblem {
        let words = format!(
            "has entries that were written at a later time than now: set {clock}, then call again"
        );
        JournalProblem::new(Cause::JournalInFuture, words)
    }
}
