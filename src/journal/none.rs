//! Stands in for the journal where the library is built without one: no journal can be made, so
//! none of its functions is ever called.

use std::path::PathBuf;
use std::time::Duration;

use super::{Earlier, Ending, Intent, Learned, Patience, Settled, Trouble};
use crate::entry::{Entry, EntryState};
use crate::error::Cause;

pub(crate) enum Journal {}

impl Journal {
    /// Why the configuration's path cannot be used.
    pub(crate) const UNUSABLE: Cause = Cause::NoJournal;

    pub(crate) fn at(_: PathBuf) -> Result<Journal, String> {
        Err("is not available: this build of the library has no journal".into())
    }

    pub(crate) fn begin(
        &self,
        _: &Intent<'_>,
        _: bool,
        _: &mut Patience<'_>,
    ) -> Result<Result<i64, Earlier>, Trouble> {
        match *self {}
    }

    pub(crate) fn finish(
        &self,
        _: i64,
        _: &Ending<'_>,
        _: &mut Patience<'_>,
    ) -> Result<(), Trouble> {
        match *self {}
    }

    pub(crate) fn list(
        &self,
        _: &[EntryState],
        _: i64,
        _: u32,
        _: &mut Patience<'_>,
    ) -> Result<Vec<Entry>, Trouble> {
        match *self {}
    }

    pub(crate) fn last(&self, _: &mut Patience<'_>) -> Result<i64, Trouble> {
        match *self {}
    }

    pub(crate) fn open_orders(
        &self,
        _: i64,
        _: i64,
        _: u32,
        _: &mut Patience<'_>,
    ) -> Result<Vec<(i64, String)>, Trouble> {
        match *self {}
    }

    pub(crate) fn learn(&self, _: &[Learned], _: &mut Patience<'_>) -> Result<(), Trouble> {
        match *self {}
    }

    pub(crate) fn settle(
        &self,
        _: i64,
        _: Option<&str>,
        _: &mut Patience<'_>,
    ) -> Result<Settled, Trouble> {
        match *self {}
    }

    pub(crate) fn prune(&self, _: Duration, _: &mut Patience<'_>) -> Result<u64, Trouble> {
        match *self {}
    }
}
