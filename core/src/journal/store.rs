//! The journal of a client: where it is kept, and its work there. What is in it: `orders.rs`,
//! `outcome.rs` and `events.rs`.

use std::path::PathBuf;
use std::time::Duration;

use super::JournalError;
use super::outcome::Unwritten;
use super::postgresql::SharedJournal;
use super::problem::{JournalProblem, Kind};
use super::sql::{Access, Database, Dialect, Engine};
use super::sqlite::FileJournal;
use super::wait::JournalWait;
use crate::entry::Entry;
use crate::error::{Cause, Code, Error};

pub(crate) struct Journal {
    pub(super) engine: Box<dyn Engine>,
    /// The service of the client's own entries.
    pub(super) service: String,
    pub(super) unwritten: Unwritten,
}

impl Journal {
    /// The journal at a path, or in a database with a URI. It is opened when it is first needed.
    pub(crate) fn new(
        place: PathBuf,
        service: &str,
        connect_timeout: Duration,
    ) -> Result<Journal, (Cause, String)> {
        let uri = place.to_str().filter(|text| SharedJournal::is_uri(text));
        let engine: Box<dyn Engine> = match uri {
            Some(uri) => Box::new(SharedJournal::new(uri, connect_timeout)?),
            None => Box::new(FileJournal::new(&place)?),
        };
        Ok(Journal {
            engine,
            service: service.to_owned(),
            unwritten: Unwritten::default(),
        })
    }

    /// Whether the order was sent to the service of this client.
    pub(crate) fn is_own(&self, entry: &Entry) -> bool {
        entry.service == self.service
    }

    pub(super) fn dialect(&self) -> &'static Dialect {
        self.engine.dialect()
    }

    pub(super) fn run<T>(
        &self,
        access: Access,
        wait: &mut JournalWait<'_>,
        mut work: impl FnMut(&mut dyn Database) -> Result<T, JournalProblem>,
    ) -> Result<T, JournalError> {
        let mut result = None;
        self.engine.run(access, wait, &mut |database| {
            result = Some(work(database)?);
            Ok(())
        })?;
        result.ok_or_else(|| JournalError::of(JournalProblem::not_ours(), &""))
    }
}

impl JournalError {
    /// The error of the journal with this name.
    pub(super) fn of(problem: JournalProblem, name: &dyn std::fmt::Display) -> JournalError {
        match problem.kind {
            Kind::Ended => JournalError::CallEnded,
            kind => {
                let message = format!("the journal {name} {}", problem.words);
                let error = Error::new(Code::JournalFailed, problem.cause, message);
                let mut error = error.with_source(problem.source);
                error.details.passes = matches!(kind, Kind::Passes | Kind::Broken);
                JournalError::Failed(error)
            }
        }
    }
}
