//! Replaces the journal in a build without the feature `journal`. No journal can be created, so its
//! methods are never called.

use std::path::PathBuf;
use std::time::Duration;

use super::{
    AttemptRecord, BegunEntry, EntryFilter, ExistingEntry, JournalError, JournalWait, StatusUpdate,
};
use crate::entry::Entry;
use crate::error::{Cause, Error};
use crate::payment::checkout::Checkout;
use crate::payment::order::OrderRequest;

pub(crate) enum Journal {}

macro_rules! methods {
    ($($name:ident($($argument:ty),*) -> $result:ty;)+) => {
        $(pub(crate) fn $name(
            &self,
            $(_: $argument,)*
            _: &mut JournalWait<'_>,
        ) -> Result<$result, JournalError> {
            match *self {}
        })+
    };
}

impl Journal {
    pub(crate) fn new(_: PathBuf, _: &str, _: Duration) -> Result<Journal, (Cause, String)> {
        let problem = "is not available: this build of the library has no journal";
        Err((Cause::NoJournal, problem.into()))
    }

    pub(crate) fn digest(_: &[u8]) -> [u8; 32] {
        [0; 32]
    }

    pub(crate) fn is_own(&self, _: &Entry) -> bool {
        match *self {}
    }

    methods! {
        begin(&OrderRequest<'_>, bool) -> Result<BegunEntry, ExistingEntry>;
        finish(BegunEntry, &str, &Result<Checkout, Error>, Vec<AttemptRecord>) -> ();
        list(&EntryFilter<'_>) -> Vec<Entry>;
        other_services() -> i64;
        record_statuses(&[StatusUpdate]) -> ();
        settle(i64, Option<&str>) -> (Option<Entry>, bool);
        prune(Duration) -> u64;
    }
}
