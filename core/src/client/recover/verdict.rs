//! The verdict about one sale, from the journal and the service's answer.

use serde::Serialize;

use super::orders::Recorded;
use crate::entry::EntryState;
use crate::error::{Error, Outcome};
use crate::gateway::amount::Amount;
use crate::gateway::status::Status;
use crate::gateway::verify::{Expected, Reason, verify_payment};
use crate::query::StatusQuery;

/// What is known about an open sale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SaleVerdict {
    /// The service says that it is paid, and the amount is the expected one.
    Paid,
    /// Money moved, but not as expected: a person decides. The reasons say what differs.
    Check,
    /// The order exists and is not paid. The customer pays at its `url`.
    Payable,
    /// The order exists and is not paid, and its URL was lost: a person decides.
    UrlLost,
    /// The order may exist: the service does not know it, or did not answer. Ask again later.
    /// Nothing may be sold again without a person.
    Unknown,
    /// Another process is sending it right now.
    Sending,
    /// The service refused it.
    Refused,
    /// It never left the machine.
    NotSent,
    /// A person closed it.
    Settled,
    /// The journal has no entry, and the service does not know it. If the journal was in use, it
    /// was never sent.
    NotInJournal,
}

/// One sale, and what is known about it.
#[derive(Debug, Clone, Serialize)]
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
    pub(super) has_journal: bool,
    /// What the journal had before the service was asked.
    pub(super) before: &'a Recorded,
    /// The same afterwards.
    pub(super) after: &'a Recorded,
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
        if !status.is_completed() && !status.is_refunded() && !self.after.is_completed() {
            return Ok((self.unpaid(), Vec::new()));
        }
        let expected = Expected::new(self.order_id, amount, None)?;
        let mut reasons = verify_payment(&expected, status.json())?.reasons;
        if let Some(recorded) = recorded
            && Amount::read(recorded) != Amount::read(amount)
            && reasons.iter().all(|reason| reason.check != "amount")
        {
            reasons.push(Reason::new("amount", amount, recorded));
        }
        Ok(match reasons.is_empty() && !self.was_closed() {
            true => (SaleVerdict::Paid, reasons),
            false => (SaleVerdict::Check, reasons),
        })
    }

    /// Whether the program may have sold it again, because it was refused, not sent or settled. A
    /// status that named a refused order made its entry `created`, but did not change its result.
    fn was_closed(&self) -> bool {
        let Some(entry) = self.before.entry() else {
            return false;
        };
        let outcome = entry.result.map(Outcome::of_number);
        matches!(
            entry.state,
            EntryState::Rejected | EntryState::NotSent | EntryState::Settled
        ) || matches!(outcome, Some(Outcome::NotSent | Outcome::Rejected))
    }

    /// The service has the order, and it is not paid.
    fn unpaid(&self) -> SaleVerdict {
        match self.after.state() {
            Some(EntryState::Settled) => SaleVerdict::Settled,
            _ if self.after.url().is_some() => SaleVerdict::Payable,
            _ => SaleVerdict::UrlLost,
        }
    }

    /// The service said nothing about the order.
    fn without_status(&self) -> SaleVerdict {
        let not_known = matches!(self.answer, Answer::NotKnown);
        match self.after.state() {
            Some(EntryState::Sending) => SaleVerdict::Sending,
            Some(EntryState::Rejected) => SaleVerdict::Refused,
            Some(EntryState::NotSent) => SaleVerdict::NotSent,
            Some(EntryState::Settled) => SaleVerdict::Settled,
            None if not_known && self.has_journal && !self.after.elsewhere => {
                SaleVerdict::NotInJournal
            }
            _ => SaleVerdict::Unknown,
        }
    }
}
