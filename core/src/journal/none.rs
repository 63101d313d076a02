//! Replaces the journal in a build without the feature `journal`. No journal can be created, so its
//! methods are never called.

use std::path::PathBuf;
use std::time::Duration;

use super::{
    BegunEntry, EntryFilter, ExistingEntry, JournalError, LockWait, NewEntry, SendResult,
    SettleResult, StatusUpdate,
};
use crate::entry::Entry;
use crate::error::Cause;

pub(crate) enum Journal {}

impl Journal {
    pub(crate) fn new(_: PathBuf, _: &str) -> Result<Journal, (Cause, String)> {
        let problem = "is not available: this build of the library has no journal";
        Err((Cause::NoJournal, problem.into()))
    }

    pub(crate) fn digest(_: &[u8]) -> [u8; 32] {
        [0; 32]
    }

    pub(crate) fn begin(
        &self,
        _: &NewEntry<'_>,
        _: bool,
        _: &mut LockWait<'_>,
    ) -> Result<Result<BegunEntry, ExistingEntry>, JournalError> {
        match *self {}
    }

    pub(crate) fn finish(
        &self,
        _: i64,
        _: &SendResult<'_>,
        _: &mut LockWait<'_>,
    ) -> Result<(), JournalError> {
        match *self {}
    }

    pub(crate) fn list(
        &self,
        _: &EntryFilter<'_>,
        _: &mut LockWait<'_>,
    ) -> Result<Vec<Entry>, JournalError> {
        match *self {}
    }

    pub(crate) fn last(&self, _: &mut LockWait<'_>) -> Result<i64, JournalError> {
        match *self {}
    }

    pub(crate) fn other_services(&self, _: &mut LockWait<'_>) -> Result<i64, JournalError> {
        match *self {}
    }

    pub(crate) fn open_orders(
        &self,
        _: i64,
        _: i64,
        _: u32,
        _: &mut LockWait<'_>,
    ) -> Result<Vec<(i64, String)>, JournalError> {
        match *self {}
    }

    pub(crate) fn record_statuses(
        &self,
        _: &[StatusUpdate],
        _: &mut LockWait<'_>,
    ) -> Result<(), JournalError> {
        match *self {}
    }

    pub(crate) fn settle(
        &self,
        _: i64,
        _: Option<&str>,
        _: &mut LockWait<'_>,
    ) -> Result<SettleResult, JournalError> {
        match *self {}
    }

    pub(crate) fn prune(&self, _: Duration, _: &mut LockWait<'_>) -> Result<u64, JournalError> {
        match *self {}
    }
}
