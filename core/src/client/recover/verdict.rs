//! The verdict about one sale, from the journal and the service's answer.

use std::fmt;

use serde::Serialize;

use super::orders::{Recorded, own_state};
use crate::entry::EntryState;
use crate::error::Error;
use crate::gateway::verify::{Expected, Reason, verify_payment};
use crate::payment::amount::Amount;
use crate::payment::date::rfc3339;
use crate::payment::status::Status;
use crate::query::{StatusQuery, names};

/// What is known about an open sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SaleVerdict {
    /// The service says that it is paid, the amount is the expected one, and the journal sent it.
    /// Without a journal, it may be another sale's order.
    Paid,
    /// A person decides. The reasons say what differs.
    Check,
    /// The order exists and is not paid. The customer pays at its `url`.
    Payable,
    /// The order exists and is not paid, and its URL was lost: a person decides.
    UrlLost,
    /// The order may exist: the service said nothing clear about it, or does not know it, which
    /// proves nothing after a lost response. Ask again later. Nothing may be sold again without a
    /// person.
    Unknown,
    /// Another process is sending it right now.
    Sending,
    /// The service refused it, and does not know it now.
    Refused,
    /// It never left the machine, and the service does not know it now.
    NotSent,
    /// A person closed it.
    Settled,
    /// The journal has no entry, and the service does not know it. If this journal was in use, and
    /// was not restored, replaced or pruned since, it was never sent.
    NotInJournal,
}

/// One sale, and what is known about it.
#[derive(Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct RecoveredSale {
    /// The merchant's order identifier.
    pub order_id: String,
    /// What is known.
    pub verdict: SaleVerdict,
    /// The amount of the sale, or else of the journal's entry.
    pub amount: String,
    /// Where the customer pays; only with [`SaleVerdict::Payable`].
    pub url: Option<String>,
    /// What to give to Get Status to ask again.
    pub status_query: StatusQuery<'static>,
    /// What the service says, or else what the journal has.
    pub transaction_status: Option<String>,
    /// Why it is not paid as expected; only with [`SaleVerdict::Check`].
    pub reasons: Vec<Reason>,
    /// The number of its entry in the journal.
    pub entry: Option<i64>,
}

/// Without the payment page, which is the customer's.
impl fmt::Debug for RecoveredSale {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RecoveredSale")
            .field("order_id", &self.order_id)
            .field("verdict", &self.verdict)
            .field("amount", &self.amount)
            .field("entry", &self.entry)
            .finish_non_exhaustive()
    }
}

pub(super) enum Answer {
    /// Nothing: it was not asked, did not answer, or its answer says nothing about the order.
    None,
    /// It does not know the order.
    NotKnown,
    Status(Box<Status>),
}

pub(super) struct Facts<'a> {
    pub(super) order_id: &'a str,
    /// What the program expects.
    pub(super) amount: Option<&'a str>,
    /// Several of the program's sales have this order.
    pub(super) is_repeated: bool,
    pub(super) has_journal: bool,
    /// What the journal had before the service was asked.
    pub(super) before: &'a Recorded,
    /// The same afterwards; before, if it could not be read again.
    pub(super) after: &'a Recorded,
    pub(super) is_read_again: bool,
    pub(super) answer: &'a Answer,
}

impl Facts<'_> {
    pub(super) fn into_sale(self) -> Result<RecoveredSale, Error> {
        let entry = self.after.entry();
        let recorded = entry.map(|entry| entry.amount.as_str());
        let amount = self.amount.or(recorded).unwrap_or_default();
        let (verdict, reasons) = match self.answer {
            Answer::Status(status) => self.by_status(status, amount, recorded)?,
            _ => (self.without_status(), Vec::new()),
        };
        let status = match self.answer {
            Answer::Status(status) => Some(status.transaction_status()),
            _ => entry.and_then(|entry| entry.transaction_status.as_deref()),
        };
        let url = self.after.url().filter(|_| verdict == SaleVerdict::Payable);
        Ok(RecoveredSale {
            order_id: self.order_id.to_owned(),
            verdict,
            amount: amount.to_owned(),
            url: url.map(str::to_owned),
            status_query: StatusQuery::by_order(self.order_id.to_owned())?,
            transaction_status: status
                .filter(|status| !status.is_empty())
                .map(str::to_owned),
            reasons,
            entry: entry.map(|entry| entry.entry),
        })
    }

    fn by_status(
        &self,
        status: &Status,
        amount: &str,
        recorded: Option<&str>,
    ) -> Result<(SaleVerdict, Vec<Reason>), Error> {
        let may_be_paid = status.facts.may_be_paid || self.after.was_paid();
        let differs = |other: &str| Amount::read(other) != Amount::read(amount);
        let mut reasons = Vec::new();
        if !may_be_paid && self.after.is_sending() {
            return Ok((SaleVerdict::Sending, reasons));
        }
        if !may_be_paid && self.after.state() == Some(EntryState::Settled) {
            return Ok((SaleVerdict::Settled, reasons));
        }
        if may_be_paid {
            let expected = Expected::new(self.order_id, amount, None)?;
            let began = self.before.began().filter(|began| rfc3339(began).is_some());
            let expected = match began {
                Some(began) => expected.not_before(began)?,
                None => expected,
            };
            reasons = verify_payment(&expected, status.json())?.reasons;
            if self.has_journal && !self.before.was_sent() {
                let state = self
                    .before
                    .entry()
                    .map(own_state)
                    .map_or("", EntryState::name);
                reasons.push(Reason::new("journal", EntryState::Created.name(), state));
            }
        } else if !status.amount().is_empty() && differs(status.amount()) {
            reasons.push(Reason::new(names::AMOUNT, amount, status.amount()));
        }
        if let Some(recorded) = recorded.filter(|recorded| differs(recorded)) {
            reasons.push(Reason::new("entryAmount", amount, recorded));
        }
        if self.is_repeated && may_be_paid {
            // One payment is not that of two sales.
            reasons.push(Reason::new(names::ORDER_ID, "one sale", "several sales"));
        }
        if self.after.may_be_anothers() {
            reasons.push(Reason::order_exists());
        }
        let verdict = match (reasons.is_empty(), may_be_paid) {
            (false, _) => SaleVerdict::Check,
            (true, true) => SaleVerdict::Paid,
            (true, false) if self.after.url().is_some() => SaleVerdict::Payable,
            (true, false) => SaleVerdict::UrlLost,
        };
        Ok((verdict, reasons))
    }

    /// The service has no status of the order.
    fn without_status(&self) -> SaleVerdict {
        let not_known = matches!(self.answer, Answer::NotKnown);
        // Otherwise another till may be sending it by now.
        let not_known = not_known && self.is_read_again && !self.after.elsewhere;
        match self.after.state() {
            _ if self.after.is_sending() => SaleVerdict::Sending,
            Some(EntryState::Settled) => SaleVerdict::Settled,
            Some(EntryState::Rejected) if not_known => SaleVerdict::Refused,
            Some(EntryState::NotSent) if not_known => SaleVerdict::NotSent,
            None if not_known && self.has_journal => SaleVerdict::NotInJournal,
            _ => SaleVerdict::Unknown,
        }
    }
}
