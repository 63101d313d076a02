//! After a start: one verdict for each sale that is open.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::client::Client;
use crate::client::call::{Call, RegisteredCall};
use crate::client::reconcile::{journal_error, lock_wait};
use crate::client::status_recorder::StatusRecorder;
use crate::client::summary::Summary;
use crate::credentials::NeededCredentials;
use crate::entry::{Entry, EntryState};
use crate::error::{Cause, Code, Error, Operation};
use crate::gateway::amount::Amount;
use crate::gateway::status::{COMPLETED, Status};
use crate::gateway::status_query::StatusQuery;
use crate::gateway::verify::{Expected, Reason, verify_payment};
use crate::journal::{EntryFilter, Journal};
use crate::settings::options::RecoverOptions;
use crate::text::json::Elements;

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
    #[serde(serialize_with = "as_json")]
    pub status_query: StatusQuery<'static>,
    /// What the service says, or else what the journal has.
    pub transaction_status: Option<String>,
    /// Why it is not paid as expected; only with [`SaleVerdict::Check`].
    pub reasons: Vec<Reason>,
    /// The number of its entry in the journal.
    pub entry: Option<i64>,
}

/// Every open sale with its verdict.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Recovered {
    /// What came of the queries to the service.
    pub summary: Summary,
    /// How many unresolved entries of the journal belong to other services.
    pub other_services: i64,
    /// The program's sales in their order, then the journal's other open ones, oldest first.
    pub sales: Vec<RecoveredSale>,
}

impl Recovered {
    /// The result as JSON, as in the C ABI.
    ///
    /// ```
    /// fn show(recovered: &payorder::Recovered) {
    ///     println!("{}", recovered.to_json());
    /// }
    /// ```
    pub fn to_json(&self) -> String {
        let sales = serde_json::to_string(&self.sales).unwrap_or_else(|_| "[]".into());
        format!(
            "{{\"summary\":{},\"otherServices\":{},\"sales\":{sales}}}",
            self.summary.to_json(),
            self.other_services
        )
    }
}

fn as_json<S: Serializer>(query: &StatusQuery<'_>, serializer: S) -> Result<S::Ok, S::Error> {
    let body = RawValue::from_string(query.wire_body());
    body.map_err(S::Error::custom)?.serialize(serializer)
}

/// After so many failures in a row without an answer, the service counts as unreachable.
const MOST_FAILURES: usize = 8;
/// The pause before the journal is read again while another process sends.
const PAUSE: Duration = Duration::from_millis(100);
/// How many entries are read at once.
const PAGE: u32 = 1000;

/// What the service said about an order.
enum Answer {
    /// Nothing: it was not asked, did not answer, or its answer says nothing about the order.
    None,
    /// It does not know the order.
    NotKnown,
    Status(Box<Status>),
}

impl Client {
    /// Says for each sale that may be open what is known about it: to be called when a program
    /// starts. It takes the program's own `sales`, and every entry of the journal that is not
    /// closed, asks for their statuses, and records what it learns.
    ///
    /// ```no_run
    /// # fn main() -> Result<(), payorder::Error> {
    /// use payorder::{Client, Config, RecoverOptions, SaleVerdict};
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
    /// [`Code::InvalidArgument`] without a journal and without sales; [`Code::MissingCredentials`];
    /// [`Code::JournalFailed`]. A service that cannot be reached is no error: its sales are
    /// [`SaleVerdict::Unknown`].
    pub fn recover(
        &self,
        sales: &[Expected<'_>],
        options: &RecoverOptions<'_>,
    ) -> Result<Recovered, Error> {
        self.begin(Operation::Recover).run(|call| {
            options.check(call.settings())?;
            self.recover_sales(call, sales, options)
        })
    }

    /// [`Client::recover`] from JSON; NULL is `None`.
    pub(crate) fn recover_json<'a>(
        &self,
        given: impl FnOnce() -> Result<(Option<&'a str>, RecoverOptions<'a>), Error>,
    ) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let (sales, options) = given()?;
            let sales = match sales {
                Some(sales) => read_sales(sales)?,
                None if call.settings().journal.is_none() => return Err(no_sales()),
                None => Vec::new(),
            };
            self.recover_sales(call, &sales, &options)
        };
        self.begin(Operation::Recover)
            .run(read)
            .map(|recovered| recovered.to_json())
    }

    fn recover_sales(
        &self,
        call: &mut Call<'_>,
        sales: &[Expected<'_>],
        options: &RecoverOptions<'_>,
    ) -> Result<Recovered, Error> {
        let mut entries = Entries::of(call, options)?;
        let mut named = HashSet::new();
        let mut all: Vec<(&str, Option<&str>)> = Vec::new();
        for sale in sales {
            named.insert(sale.order_id());
            all.push((sale.order_id(), Some(sale.amount())));
        }
        let open = entries.open(call)?;
        let mut seen = named.clone();
        all.extend(
            open.iter()
                .map(String::as_str)
                .filter(|order_id| seen.insert(order_id))
                .map(|order_id| (order_id, None)),
        );
        let mut before = entries.read(call, &all)?;
        let until = Instant::now() + options.wait;
        while before.values().any(Known::is_sending) && Instant::now() < until {
            let left = until.saturating_duration_since(Instant::now());
            if !entries.pause(PAUSE.min(left)) {
                break;
            }
            before = entries.read(call, &all)?;
        }

        let mut asked_about = HashSet::new();
        let asked: Vec<&str> = all
            .iter()
            .map(|(order_id, _)| *order_id)
            .filter(|order_id| !before.get(order_id).is_some_and(Known::is_sending))
            .filter(|order_id| asked_about.insert(*order_id))
            .collect();
        let (summary, answers) = self.ask(call, &asked, options)?;
        let after = entries.read(call, &all)?;
        let unknown = Answer::None;
        let sales = all
            .iter()
            .map(|(order_id, amount)| {
                let none = Known::default();
                let place = asked.iter().position(|asked| asked == order_id);
                Facts {
                    order_id,
                    amount: *amount,
                    has_journal: call.settings().journal.is_some(),
                    before: before.get(order_id).unwrap_or(&none),
                    after: after.get(order_id).unwrap_or(&none),
                    answer: place.and_then(|at| answers.get(&at)).unwrap_or(&unknown),
                }
                .into_sale()
            })
            .collect::<Result<_, _>>()?;
        Ok(Recovered {
            summary,
            other_services: entries.other_services(call)?,
            sales,
        })
    }

    /// Asks about orders until the service counts as unreachable, and records what it says.
    fn ask(
        &self,
        call: &mut Call<'_>,
        orders: &[&str],
        options: &RecoverOptions<'_>,
    ) -> Result<(Summary, HashMap<usize, Answer>), Error> {
        if orders.is_empty() {
            return Ok((Summary::default(), HashMap::new()));
        }
        let statuses = options.statuses.clone().into_owned();
        let current = call.client_credentials();
        NeededCredentials::GetStatus.headers(&current.with(&statuses.call.credentials))?;
        // Cancelled on its own, so that an outage ends the queries and not this call.
        let registered = call.register(statuses.call.cancellation.as_ref());
        let scope = Arc::clone(&registered.scope);
        let journal = call.settings().journal.clone();
        let mut recorder = journal
            .as_ref()
            .map(|journal| StatusRecorder::new(journal, &scope, call.settings()));
        let mut answers = HashMap::new();
        let mut failures = 0;
        let mut each = |place, result: Result<Status, Error>| {
            let error = result.as_ref().err().map(Error::code);
            failures = match error {
                Some(code) if !is_answer(code) => failures + 1,
                _ => 0,
            };
            if failures >= MOST_FAILURES {
                scope.cancel();
            }
            let order_id = orders.get(place).copied().unwrap_or_default();
            let answer = match result {
                Err(error) if error.code() == Code::Rejected => Answer::NotKnown,
                Err(_) => Answer::None,
                Ok(status) if status.is_echo() => Answer::NotKnown,
                Ok(status) if status.order_id() != order_id => Answer::None,
                Ok(status) => {
                    if let Some(recorder) = &mut recorder {
                        recorder.take(&status);
                    }
                    Answer::Status(Box::new(status))
                }
            };
            answers.insert(place, answer);
            true
        };
        let queries = orders
            .iter()
            .map(|order_id| StatusQuery::by_order(order_id.to_string()));
        let summary = self.query_all(call, &registered, queries, statuses, &mut each)?;
        if let Some(mut recorder) = recorder {
            recorder.write();
            if let Some(error) = recorder.error {
                return Err(journal_error(call, error));
            }
        }
        Ok((summary, answers))
    }
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

pub(crate) fn read_sales(text: &str) -> Result<Vec<Expected<'_>>, Error> {
    let mut sales = Vec::new();
    for (index, sale) in Elements::new(text, "the array of sales")?.enumerate() {
        let sale = Expected::from_json(sale).and_then(Expected::without_transaction);
        sales.push(sale.map_err(|error| error.with_prefix(&format!("sale {index}: ")))?);
    }
    Ok(sales)
}

pub(crate) fn no_sales() -> Error {
    Error::argument(
        Cause::NoJournal,
        "without a journal, name the sales that may be open: the client's configuration has no \
         journal (or this build of the library has none)",
    )
}

/// The journal's entries of one order.
#[derive(Default)]
struct Known {
    /// Of this client's service, oldest first.
    entries: Vec<Entry>,
    /// It was sent to another service.
    elsewhere: bool,
}

impl Known {
    /// The entry that says most. An order that was sent several times has several.
    fn entry(&self) -> Option<&Entry> {
        let weight = |entry: &&Entry| match entry.state {
            EntryState::Sending => 5,
            // A person decided about the order.
            EntryState::Settled => 4,
            EntryState::Created => 3,
            EntryState::Unknown => 2,
            EntryState::Rejected => 1,
            EntryState::NotSent => 0,
        };
        self.entries.iter().max_by_key(weight)
    }

    fn is_sending(&self) -> bool {
        self.state() == Some(EntryState::Sending)
    }

    fn state(&self) -> Option<EntryState> {
        self.entry().map(|entry| entry.state)
    }

    fn url(&self) -> Option<&str> {
        self.entries
            .iter()
            .rev()
            .find_map(|entry| entry.url.as_deref())
    }

    fn is_completed(&self) -> bool {
        let mut statuses = self.entries.iter().map(|entry| &entry.transaction_status);
        statuses.any(|status| status.as_deref() == Some(COMPLETED))
    }
}

/// The journal, if the client has one.
struct Entries {
    journal: Option<Arc<Journal>>,
    registered: RegisteredCall,
}

impl Entries {
    fn of(call: &mut Call<'_>, options: &RecoverOptions<'_>) -> Result<Entries, Error> {
        let token = options.statuses.call.cancellation.as_ref();
        Ok(Entries {
            registered: call.register_unless_cancelled(token)?,
            journal: call.settings().journal.clone(),
        })
    }

    /// Waits. False if the call was cancelled.
    fn pause(&self, time: Duration) -> bool {
        self.registered.scope.sleep(time)
    }

    fn list(&self, call: &Call<'_>, filter: &EntryFilter<'_>) -> Result<Vec<Entry>, Error> {
        let Some(journal) = &self.journal else {
            return Ok(Vec::new());
        };
        journal
            .list(filter, &mut lock_wait(&self.registered.scope))
            .map_err(|error| journal_error(call, error))
    }

    /// The orders with open entries, oldest first.
    fn open(&self, call: &Call<'_>) -> Result<Vec<String>, Error> {
        let mut orders = Vec::new();
        let mut after = 0;
        loop {
            let filter = EntryFilter {
                states: &[],
                open: true,
                own: true,
                order_id: None,
                after,
                limit: PAGE,
                events: false,
            };
            let page = self.list(call, &filter)?;
            let Some(last) = page.last() else {
                return Ok(orders);
            };
            after = last.entry;
            orders.extend(page.into_iter().map(|entry| entry.order_id));
        }
    }

    /// The entries of these orders.
    fn read<'o>(
        &mut self,
        call: &Call<'_>,
        orders: &[(&'o str, Option<&str>)],
    ) -> Result<HashMap<&'o str, Known>, Error> {
        let mut all = HashMap::new();
        for (order_id, _) in orders {
            if all.contains_key(order_id) {
                continue;
            }
            let mut known = Known::default();
            for own in [true, false] {
                let filter = EntryFilter {
                    states: &[],
                    open: false,
                    own,
                    order_id: Some(order_id),
                    after: 0,
                    limit: PAGE,
                    events: false,
                };
                let entries = self.list(call, &filter)?;
                match own {
                    true => known.entries = entries,
                    false => known.elsewhere = entries.len() > known.entries.len(),
                }
            }
            all.insert(*order_id, known);
        }
        Ok(all)
    }

    fn other_services(&self, call: &Call<'_>) -> Result<i64, Error> {
        let Some(journal) = &self.journal else {
            return Ok(0);
        };
        journal
            .other_services(&mut lock_wait(&self.registered.scope))
            .map_err(|error| journal_error(call, error))
    }
}

/// Everything that is known about one sale.
struct Facts<'a> {
    order_id: &'a str,
    /// What the program expects.
    amount: Option<&'a str>,
    has_journal: bool,
    /// What the journal had before the service was asked.
    before: &'a Known,
    /// The same afterwards.
    after: &'a Known,
    answer: &'a Answer,
}

impl Facts<'_> {
    fn into_sale(self) -> Result<RecoveredSale, Error> {
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
        if !status.is_completed() && !status.is_refunded() && !self.before.is_completed() {
            return Ok((self.unpaid(), Vec::new()));
        }
        let expected = Expected::new(self.order_id, amount, None)?;
        let mut reasons = verify_payment(&expected, status.json())?.reasons;
        if let Some(recorded) = recorded
            && Amount::read(recorded) != Amount::read(amount)
        {
            reasons.push(Reason::new("amount", amount, recorded));
        }
        let was_closed = matches!(
            self.before.state(),
            Some(EntryState::Rejected | EntryState::NotSent | EntryState::Settled)
        );
        Ok(match reasons.is_empty() && !was_closed {
            true => (SaleVerdict::Paid, reasons),
            false => (SaleVerdict::Check, reasons),
        })
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
