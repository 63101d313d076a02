//! After a start: one verdict for each sale that is open.

mod orders;
mod verdict;

use std::collections::{HashMap, HashSet};

use serde::Serialize;

use crate::client::Client;
use crate::client::call::Call;
use crate::client::log::Step;
use crate::client::summary::{Refusals, Summary};
use crate::error::{Cause, Code, Error, Operation};
use crate::gateway::verify::Expected;
use crate::payment::status::Status;
use crate::query::StatusQuery;
use crate::settings::options::RecoverOptions;
use crate::settings::validation::Settings;
use crate::text::json;
use orders::Recorded;
use verdict::{Answer, Facts};

pub use verdict::{RecoveredSale, SaleVerdict};

/// Every open sale with its verdict.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
#[must_use]
pub struct Recovered {
    /// What came of the queries to the service.
    pub summary: Summary,
    /// How many unresolved entries of the journal belong to other services.
    pub other_services: i64,
    /// The service's words, if it refused every query of two or more: then it said nothing about
    /// any order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refusal: Option<String>,
    /// The program's sales in their order, then the journal's other open ones, oldest first.
    pub sales: Vec<RecoveredSale>,
}

impl Recovered {
    /// The result as JSON, as in the C ABI.
    pub fn to_json(&self) -> String {
        json::written(self)
    }
}

/// After so many failures in a row without an answer, the service counts as unreachable.
const MOST_FAILURES: usize = 8;

impl Client {
    /// Says for each sale that may be open what is known about it: to be called when a program
    /// starts. It takes the program's own `sales`, and every entry of the journal that is not
    /// closed, asks for their statuses, and records what it learns.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), payorder_core::Error> {
    /// use payorder_core::{Client, Config, RecoverOptions, SaleVerdict};
    ///
    /// let mut config = Config::new("https://pay.example.com");
    /// config.journal = Some("/var/lib/till/orders.db".into());
    /// let client = Client::new(config)?;
    /// for sale in client.recover(&[], &RecoverOptions::default())?.sales {
    ///     if sale.verdict == SaleVerdict::Paid {
    ///         println!("{} is paid", sale.order_id);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Code::InvalidArgument`] without a journal and without sales; [`Code::InvalidRequest`] for a
    /// sale with a transaction or [`Expected::not_before`]; [`Code::MissingCredentials`];
    /// [`Code::JournalFailed`]. A service that cannot be reached is no error: its sales are
    /// [`SaleVerdict::Unknown`].
    pub fn recover(
        &self,
        sales: &[Expected<'_>],
        options: &RecoverOptions,
    ) -> Result<Recovered, Error> {
        self.call(Operation::Recover, |call| {
            check_typed(sales, call.settings())?;
            call.recover(sales, options)
        })
    }
}

/// Checks sales that did not come from JSON.
pub(super) fn check_typed(sales: &[Expected<'_>], settings: &Settings) -> Result<(), Error> {
    if sales.is_empty() {
        needs_journal(settings)?;
    }
    check_sales(sales)
}

/// An error if neither the program nor a journal names sales.
pub(super) fn needs_journal(settings: &Settings) -> Result<(), Error> {
    match settings.journal {
        Some(_) => Ok(()),
        None => Err(Error::argument(
            Cause::NoJournal,
            "without a journal, name the sales that may be open: the client's configuration has \
             no journal (or this build of the library has none)",
        )),
    }
}

pub(super) fn check_sales(sales: &[Expected<'_>]) -> Result<(), Error> {
    let mut numbered = sales.iter().enumerate();
    numbered.try_for_each(|(index, sale)| sale.check_sale().map_err(of_sale(index)))
}

pub(super) fn of_sale(index: usize) -> impl FnOnce(Error) -> Error {
    move |error| error.with_prefix(&format!("sale {index}: "))
}

impl Call<'_> {
    pub(super) fn recover(
        &mut self,
        sales: &[Expected<'_>],
        options: &RecoverOptions,
    ) -> Result<Recovered, Error> {
        self.note_tag(&options.statuses.call);
        options.check(self.settings())?;
        self.begin(options.statuses.call.cancellation.as_ref())?;
        let open = self.open_entries()?;
        let mut all: Vec<(&str, Option<&str>)> = sales
            .iter()
            .map(|sale| (sale.order_id(), Some(sale.amount())))
            .collect();
        let (mut seen, mut repeated) = (HashSet::new(), HashSet::new());
        for (order_id, _) in &all {
            if !seen.insert(*order_id) {
                repeated.insert(*order_id);
            }
        }
        let others = open.iter().map(|entry| entry.order_id.as_str());
        all.extend(
            others
                .filter(|order_id| seen.insert(order_id))
                .map(|order_id| (order_id, None)),
        );
        let ids = || all.iter().map(|(order_id, _)| *order_id);
        let mut before = self.recorded(ids(), true)?;
        let other_services = self.other_services()?;
        let has_waited = self.wait_for_senders(&mut before, options.wait)?;

        seen.clear();
        let asked: Vec<&str> = ids()
            .filter(|order_id| !before.get(order_id).is_some_and(Recorded::is_sending))
            .filter(|order_id| seen.insert(order_id))
            .collect();
        let Asked {
            mut summary,
            answers,
            refusal,
        } = self.ask(&asked, options)?;
        summary.stopped |= !has_waited;
        // After a cancel, only what was answered: the journal can be large. What cannot be read again
        // is as it was before.
        let is_new = |order_id: &&str| !summary.stopped || answers.contains_key(order_id);
        let after = self.recorded(ids().filter(is_new), false);
        let after = after.unwrap_or_else(|error| {
            self.log_step(Step::JournalFailed, Some(Err(&error)));
            HashMap::new()
        });
        let (nothing, no_answer) = (Recorded::default(), Answer::None);
        let sales = all
            .iter()
            .map(|(order_id, amount)| {
                Facts {
                    order_id,
                    amount: *amount,
                    is_repeated: repeated.contains(order_id),
                    has_journal: self.settings().journal.is_some(),
                    before: before.get(order_id).unwrap_or(&nothing),
                    after: after
                        .get(order_id)
                        .or(before.get(order_id))
                        .unwrap_or(&nothing),
                    is_read_again: after.contains_key(order_id),
                    answer: answers.get(order_id).unwrap_or(&no_answer),
                }
                .into_sale()
            })
            .collect::<Result<_, _>>()?;
        Ok(Recovered {
            summary,
            other_services,
            refusal,
            sales,
        })
    }

    /// Asks about orders until the service counts as unreachable, and records what it says.
    fn ask<'o>(
        &mut self,
        orders: &[&'o str],
        options: &RecoverOptions,
    ) -> Result<Asked<'o>, Error> {
        let mut asked = Asked::default();
        if orders.is_empty() {
            return Ok(asked);
        }
        let statuses = options.statuses.clone();
        let current = self.client.shared.credentials();
        let endpoint = &self.settings().service.get_status;
        endpoint.headers(&current.with(&statuses.call))?;
        let batch = self.batch(&statuses);
        let mut failures = 0;
        let mut refusals = Refusals::default();
        let mut each = |place, result: Result<Status, Error>| {
            refusals.note(&result);
            let error = result.as_ref().err().map(Error::code);
            failures = match error {
                Some(code) if !is_answer(code) => failures + 1,
                _ => 0,
            };
            // An outage ends the queries, and not this call.
            if failures >= MOST_FAILURES {
                batch.calls.cancel();
            }
            let order_id = orders.get(place).copied().unwrap_or_default();
            let answer = match result {
                Err(error) if error.details.is_not_known => Answer::NotKnown,
                Err(_) => Answer::None,
                Ok(status) if status.facts.is_echo || status.order_id() != order_id => Answer::None,
                Ok(status) => Answer::Status(Box::new(status)),
            };
            asked.answers.insert(order_id, answer);
            true
        };
        let queries = orders
            .iter()
            .map(|order_id| StatusQuery::by_order(order_id.to_string()));
        let (summary, failed) = self.query_all(&batch, queries, statuses, &mut each)?;
        // What was answered is known all the same.
        if let Some(error) = failed {
            self.log_journal_failure(error);
        }
        // A service that gave no status at all may refuse for another reason.
        if summary.asked > 1 && !refusals.any_status {
            asked.answers.clear();
        }
        asked.refusal = refusals.of_all(&summary);
        asked.summary = summary;
        Ok(asked)
    }
}

/// What the service said.
#[derive(Default)]
struct Asked<'o> {
    summary: Summary,
    answers: HashMap<&'o str, Answer>,
    refusal: Option<String>,
}

/// Whether the service, or something in front of it, answered.
fn is_answer(code: Code) -> bool {
    matches!(
        code,
        Code::Rejected
            | Code::Unauthorized
            | Code::RateLimited
            | Code::BadResponse
            | Code::ServiceFailed
    )
}
