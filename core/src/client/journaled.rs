//! Create Order with a journal: writes an entry before the first byte is sent, and the outcome
//! afterwards.

use std::time::{Duration, Instant};

use crate::client::call::Call;
use crate::client::evidence;
use crate::entry::EntryState;
use crate::error::{Cause, Code, Error};
use crate::journal::{
    AttemptRecord, BegunEntry, ExistingEntry, GRACE, Journal, JournalWait, NO_GRACE,
};
use crate::payment::amount::Amount;
use crate::payment::checkout::Checkout;
use crate::payment::order::OrderRequest;
use crate::query::{StatusQuery, names};

/// How long writing the outcome may take after the call's deadline: recording what happened to the
/// order is worth a short delay.
pub(super) const RECORD_GRACE: Duration = Duration::from_millis(500);

/// The journal's entry of the order that a call sends, and what happened to the order so far.
pub(crate) struct OrderRecord<'j> {
    journal: &'j Journal,
    entry: BegunEntry,
    /// The latest time at which the outcome is written.
    until: Instant,
    attempts: Vec<AttemptRecord>,
}

impl OrderRecord<'_> {
    /// Whether no time of the call is left.
    pub(crate) fn is_late(&self) -> bool {
        Instant::now() + RECORD_GRACE >= self.until
    }

    pub(crate) fn add_attempt(&mut self, call: &Call<'_>, began: Instant, error: Option<&Error>) {
        self.attempts.push(evidence::of_attempt(call, began, error));
    }
}

impl<'c> Call<'c> {
    /// Writes that an order is about to be sent.
    ///
    /// # Errors
    /// [`Code::Duplicate`] if the journal has the order already.
    pub(crate) fn begin_record(
        &self,
        journal: &'c Journal,
        order: &OrderRequest<'_>,
        timeout: Duration,
        resend: bool,
    ) -> Result<OrderRecord<'c>, Error> {
        let deadline = self.started + timeout;
        let mut wait = JournalWait::new(self.scope(), deadline, NO_GRACE);
        let begun = journal
            .begin(order, resend, &mut wait)
            .map_err(|error| self.journal_error(error, "; nothing was sent"))?;
        let entry = begun.map_err(|earlier| duplicate(order, earlier, resend))?;
        Ok(OrderRecord {
            journal,
            entry,
            until: deadline + RECORD_GRACE,
            attempts: Vec::new(),
        })
    }

    /// Writes the outcome of the order, and returns the result of the call.
    pub(crate) fn finish_record(
        &self,
        record: OrderRecord<'_>,
        order_id: &str,
        mut result: Result<Checkout, Error>,
    ) -> Result<Checkout, Error> {
        let entry = record.entry;
        if entry.is_resend {
            result = result.map_err(|error| {
                let mut error = error.into_failed_resend();
                error.set_status_query(&StatusQuery::Order(order_id.into()));
                if entry.may_be_anothers {
                    error.set_may_be_anothers();
                }
                error
            });
        }
        // In a forked child the call and its outcome belong to the parent.
        if !self.is_forked() {
            let mut wait = JournalWait::new(self.scope(), record.until, GRACE);
            let (journal, attempts) = (record.journal, record.attempts);
            let written = journal.finish(entry, order_id, &result, attempts, &mut wait);
            if let Err(error) = written {
                self.log_journal_failure(error);
            }
        }
        result
    }
}

pub(crate) fn too_slow() -> Error {
    Error::new(
        Code::JournalFailed,
        Cause::JournalLocked,
        "writing the order to the journal took all the time of the call, because its disk is slow or \
         busy; nothing was sent. Call again, or set a longer timeoutMs",
    )
}

const A_PERSON_DECIDES: &str =
    "Only a person may decide to create another order, with new identifiers, for the same sale";

/// The error for an order that the journal has already: which entry it is, and what to do.
fn duplicate(order: &OrderRequest<'_>, earlier: ExistingEntry, resend: bool) -> Error {
    let mut entry = earlier.entry;
    let key = if entry.order_id == order.order_id {
        names::ORDER_ID
    } else {
        names::MERCHANT_TXN_ID
    };
    let is_same_sale = entry.order_id == order.order_id
        && entry.merchant_txn_id == order.merchant_txn_id
        && Amount::read(&entry.amount) == Amount::read(&order.amount)
        && entry.currency_code == order.currency_code;
    let (cause, advice) = match entry.state {
        _ if !earlier.is_own_service => {
            let service = &entry.service;
            (
                Cause::OrderOfAnotherService,
                format!(
                    "it was sent to another service, {service}: ask there for its status. \
                     {A_PERSON_DECIDES}"
                ),
            )
        }
        _ if !is_same_sale => (
            Cause::IdentifierUsed,
            "it differs from this one: use a new orderId and a new merchantTxnId. If it is the \
             same sale with another amount, ask for its status first, because the customer may \
             have paid it"
                .into(),
        ),
        EntryState::Sending => (
            Cause::OrderBeingSent,
            format!(
                "the call that sends it may run until {}: wait for its result; if there is none by \
                 then, its process is gone: ask Get Status by order id, or resolve the journal",
                entry.deadline
            ),
        ),
        EntryState::Settled => (
            Cause::OrderSettled,
            format!("a person closed it. {A_PERSON_DECIDES}"),
        ),
        _ if earlier.may_be_anothers => (
            Cause::OrderExists,
            format!(
                "the service said that it has an order with these identifiers already, which may \
                 be another sale's: hand nothing over. {A_PERSON_DECIDES}"
            ),
        ),
        EntryState::Unknown => {
            let advice = if resend && !earlier.is_same_order {
                format!(
                    "this order was changed since then, and only an unchanged order may be sent \
                     again: ask Get Status by order id. {A_PERSON_DECIDES}"
                )
            } else {
                "it may exist: ask Get Status by order id, or resolve the journal; the option \
                 resend sends the same order again"
                    .into()
            };
            (Cause::OrderMayExist, advice)
        }
        _ if earlier.was_paid => (
            Cause::OrderCompleted,
            "it may be paid: ask Get Status by order id, and verify the payment".into(),
        ),
        _ if entry.url.is_none() && entry.may_run => (
            Cause::OrderAlreadySent,
            format!(
                "the service has it, and the call that sends it may run until {}: wait for its \
                 result, which has the checkout URL; if there is none by then, its process is gone: \
                 ask Get Status by order id",
                entry.deadline
            ),
        ),
        _ if entry.url.is_none() => (
            Cause::OrderAlreadySent,
            format!(
                "the service has it, but its checkout URL is lost: ask Get Status by order id. \
                 {A_PERSON_DECIDES}"
            ),
        ),
        _ => (
            Cause::OrderAlreadySent,
            format!("the service has it: the customer pays at its url. {A_PERSON_DECIDES}"),
        ),
    };
    let what = format!(
        "the journal has an order with this {key} already (entry {}, {}); {advice}; this call sent \
         nothing",
        entry.entry,
        entry.state.name()
    );
    // The customer may pay there only if it is this order, and not paid.
    if cause != Cause::OrderAlreadySent {
        entry.url = None;
    }
    let mut error = Error::new(Code::Duplicate, cause, what);
    // Ask about the earlier order, which may have another order id.
    error.set_status_query(&StatusQuery::Order(entry.order_id.as_str().into()));
    error.details.previous = Some(Box::new(entry));
    error
}
