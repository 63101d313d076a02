//! Create Order with a journal: writes an entry before the first byte is sent, and the outcome
//! afterwards.

use std::time::{Duration, Instant};

use crate::client::call::{Call, PreparedRequest};
use crate::client::log::Step;
use crate::client::status_recorder::wait_to_record;
use crate::entry::EntryState;
use crate::error::{Cause, Code, Error};
use crate::gateway::checkout::Checkout;
use crate::gateway::order::Order;
use crate::journal::{ExistingEntry, Journal, NewEntry};
use crate::query::StatusQuery;

/// How long writing the outcome may take after the call's deadline: recording what happened to the
/// order is worth a short delay.
const RECORD_GRACE: Duration = Duration::from_millis(500);

impl Call<'_> {
    pub(crate) fn send_journaled(
        &mut self,
        journal: &Journal,
        prepared: &PreparedRequest<'_>,
        order: &Order<'_>,
        resend: bool,
        send: impl FnOnce(&mut Self) -> Result<Checkout, Error>,
    ) -> Result<Checkout, Error> {
        let deadline = self.deadline(prepared);
        let new_entry = NewEntry {
            order_id: order.order_id(),
            merchant_txn_id: order.field("merchantTxnId"),
            amount: order.field("amount"),
            currency_code: order.field("currencyCode"),
            body: prepared.request.body,
            left: deadline.saturating_duration_since(Instant::now()),
        };
        let mut lock_wait = |pause| match prepared.scope.sleep(pause) {
            true => Ok(Instant::now() < deadline),
            false => Err(self.cancelled()),
        };
        let begun = match journal.begin(&new_entry, resend, &mut lock_wait) {
            Ok(Ok(begun)) => begun,
            Ok(Err(earlier)) => return Err(duplicate(order, earlier, resend)),
            Err(error) => return Err(error.into_error("; nothing was sent")),
        };
        self.attempt_ends = Some(Vec::new());
        let mut result = send(self);
        if begun.is_resend {
            let query = StatusQuery::Order(order.order_id().into());
            result = result.map_err(|error| {
                let mut error = error.into_failed_resend();
                error.set_status_query(&query);
                error
            });
        }
        // In a forked child the call and its outcome belong to the parent.
        if self.is_forked(prepared) {
            return result;
        }
        let attempts = self.attempt_ends.take().unwrap_or_default();
        let mut lock_wait = wait_to_record(&prepared.scope, deadline + RECORD_GRACE);
        let order_id = order.order_id();
        let written = journal.finish(begun.entry, order_id, &result, &attempts, &mut lock_wait);
        if let Err(error) = written {
            let error = error.into_event_error();
            self.log_step(Step::JournalFailed, Some(Err(&error)));
        }
        result
    }
}

const A_PERSON_DECIDES: &str =
    "Only a person may decide to create another order, with new identifiers, for the same sale";

/// The error for an order that the journal has already: which entry it is, and what to do.
fn duplicate(order: &Order<'_>, earlier: ExistingEntry, resend: bool) -> Error {
    let ExistingEntry {
        mut entry,
        is_same_order,
        is_own_service,
    } = earlier;
    let key = if entry.order_id == order.order_id() {
        "orderId"
    } else {
        "merchantTxnId"
    };
    let advice = match entry.state {
        _ if !is_own_service => {
            // A customer must not be sent to the page of another service.
            entry.url = None;
            let service = match &entry.service {
                Some(service) => format!("another service, {service}"),
                None => "a service that is not known".into(),
            };
            format!("it was sent to {service}: ask there for its status. {A_PERSON_DECIDES}")
        }
        EntryState::Sending => format!(
            "the call that sends it may run until {}: wait for its result; if there is none by \
             then, its process is gone: ask Get Status by order id, or resolve the journal",
            entry.deadline
        ),
        EntryState::Unknown if resend && !is_same_order => {
            format!(
                "this order was changed since then, and only an unchanged order may be sent \
                 again: ask Get Status by order id. {A_PERSON_DECIDES}"
            )
        }
        EntryState::Unknown => {
            "it may exist: ask Get Status by order id, or resolve the journal; the option resend \
             sends the same order again"
                .into()
        }
        EntryState::Settled => format!("a person closed it. {A_PERSON_DECIDES}"),
        _ if entry.url.is_none() => format!(
            "the service has it, but its checkout URL is lost: ask Get Status by order id. \
             {A_PERSON_DECIDES}"
        ),
        _ => format!("the service has it: continue with that order. {A_PERSON_DECIDES}"),
    };
    let what = format!(
        "the journal has an order with this {key} already (entry {}, {}); {advice}; this call sent \
         nothing",
        entry.entry,
        entry.state.name()
    );
    let cause = match entry.state {
        _ if !is_own_service => Cause::OrderOfAnotherService,
        EntryState::Sending => Cause::OrderBeingSent,
        EntryState::Unknown => Cause::OrderMayExist,
        EntryState::Settled => Cause::OrderSettled,
        _ => Cause::OrderAlreadySent,
    };
    let mut error = Error::new(Code::Duplicate, cause, what);
    // Ask about the earlier order, which may have another order id.
    error.set_status_query(&StatusQuery::Order(entry.order_id.as_str().into()));
    error.set_previous(entry);
    error
}
