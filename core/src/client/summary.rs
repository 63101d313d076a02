//! Counts the outcomes of many status queries.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use crate::error::{Error, Outcome, in_milliseconds};
use crate::payment::status::Status;
use crate::text::json;

/// The outcomes of many queries, as counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
#[must_use]
pub struct Summary {
    /// Queries whose result was delivered: the sum of the next four.
    pub asked: u64,
    /// Queries that returned a status.
    pub ok: u64,
    /// Queries that the service refused.
    pub rejected: u64,
    /// Queries without a usable response.
    pub unknown: u64,
    /// Queries that were not sent.
    pub not_sent: u64,
    /// It ended early: the callback or another thread stopped it, or a recovery gave up because the
    /// service could not be reached. Queries may be left that were not asked.
    pub stopped: bool,
    /// The time for all of it.
    #[serde(rename = "elapsedMs", serialize_with = "in_milliseconds")]
    pub elapsed: Duration,
    /// How often each `transactionStatus` occurred: the first 1000 different ones of at most 64
    /// bytes. Longer ones count as `(other)`, together with any that reads so.
    pub transaction_status: BTreeMap<String, u64>,
}

/// A service that sends ever new texts must not fill the memory.
const MAX_DISTINCT_STATUSES: usize = 1000;
/// Texts with more bytes than this count as [`OTHER_STATUSES`].
const MAX_STATUS_BYTES: usize = 64;
const OTHER_STATUSES: &str = "(other)";

/// What the refusals of a run say together.
#[derive(Default)]
pub(super) struct Refusals {
    /// A query got a status, which an echo of the question is not.
    pub(super) any_status: bool,
    words: Option<String>,
}

impl Refusals {
    pub(super) fn note(&mut self, result: &Result<Status, Error>) {
        match result {
            Ok(status) => self.any_status |= !status.facts.is_echo,
            Err(error) if error.outcome() == Outcome::Rejected => {
                let words = error.response_message();
                let words = || words.map_or_else(|| error.to_string(), str::to_owned);
                self.words.get_or_insert_with(words);
            }
            Err(_) => {}
        }
    }

    /// The service's words, if it refused every query of two or more: such as "Client is not
    /// active", which says nothing about any order.
    pub(super) fn of_all(self, summary: &Summary) -> Option<String> {
        let refused_all = summary.asked > 1 && summary.rejected == summary.asked;
        self.words.filter(|_| refused_all)
    }
}

impl Summary {
    pub(super) fn count(&mut self, result: &Result<Status, Error>) {
        self.asked += 1;
        match result {
            Ok(status) => {
                self.ok += 1;
                self.count_status(status.transaction_status());
            }
            Err(error) => match error.outcome() {
                Outcome::NotSent => self.not_sent += 1,
                Outcome::Rejected => self.rejected += 1,
                Outcome::Unknown | Outcome::Done => self.unknown += 1,
            },
        }
    }

    fn count_status(&mut self, text: &str) {
        let text = match text.len() <= MAX_STATUS_BYTES {
            true => text,
            false => OTHER_STATUSES,
        };
        let others = self.transaction_status.contains_key(OTHER_STATUSES);
        let distinct = self.transaction_status.len() - usize::from(others);
        if let Some(count) = self.transaction_status.get_mut(text) {
            *count += 1;
        } else if text == OTHER_STATUSES || distinct < MAX_DISTINCT_STATUSES {
            self.transaction_status.insert(text.to_owned(), 1);
        }
    }

    /// The summary as JSON, as in the C ABI.
    pub fn to_json(&self) -> String {
        json::written(self)
    }
}
