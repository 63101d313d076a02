//! Calls from JSON to JSON, as in the C ABI.

use crate::client::call::Call;
use crate::client::recover::{check_sales, needs_journal, of_sale};
use crate::client::wait::PaymentWait;
use crate::error::{Cause, Error, Operation};
use crate::gateway::verify::Expected;
use crate::payment::status::Status;
use crate::query::StatusQuery;
use crate::settings::journal_options::{ListOptions, PruneOptions, SettleOptions};
use crate::settings::options::{
    CallOptions, CheckOptions, JsonOptions, RecoverOptions, StatusesOptions, WaitOptions,
};
use crate::settings::validation::Settings;
use crate::text::json::{elements, read_object, written};

impl Call<'_> {
    /// Makes the call: `request` is the order, the query, the queries or the sales.
    ///
    /// # Errors
    /// As for the method of the client.
    pub fn make(
        &mut self,
        request: Option<&str>,
        options: JsonOptions<'_>,
    ) -> Result<String, Error> {
        match self.operation {
            Operation::CreateOrder => {
                let order = required(request, "the order")?;
                self.create_order_json(order, || CallOptions::of_create_order(options))
            }
            Operation::GetStatus => {
                let query = required(request, "the query")?;
                self.get_status_json(query, &CallOptions::of_get_status(options)?)
            }
            Operation::WaitForPayment => {
                let query = required(request, "the query")?;
                let wait = self.begin_wait_json(query, || WaitOptions::from_json(options))?;
                Ok(wait.finish(self)?.to_json())
            }
            Operation::GetStatuses => {
                let queries = required(request, "the queries")?;
                self.get_statuses_json(queries, options, &mut |_, _| true)
            }
            Operation::Recover => self.recover_json(request, &RecoverOptions::from_json(options)?),
            Operation::Check => Ok(self.check(&CheckOptions::from_json(options)?)?.to_json()),
            Operation::JournalResolve => {
                let options = StatusesOptions::from_json(options)?;
                Ok(written(&self.journal_resolve(&options)?))
            }
            Operation::JournalList => {
                let options = ListOptions::from_json(options)?;
                Ok(written(&self.journal_list(&options)?))
            }
            Operation::JournalSettle => {
                let example = "the entry to close, such as {\"entry\":7}";
                options.text.ok_or_else(|| null("options_json", example))?;
                let options = SettleOptions::from_json(options)?;
                Ok(written(&self.journal_settle(&options)?))
            }
            Operation::JournalPrune => {
                let options = PruneOptions::from_json(options)?;
                let removed = self.journal_prune(&options)?;
                Ok(format!("{{\"removed\":{removed}}}"))
            }
        }
    }

    /// The order is read first: then each error says which one it is about.
    pub(super) fn create_order_json(
        &mut self,
        order: &str,
        options: impl FnOnce() -> Result<CallOptions, Error>,
    ) -> Result<String, Error> {
        let order = read_object(order, "the order")?;
        let service = self.settings().service;
        if let Some(order_id) = (service.order_id)(&order) {
            self.set_subject(|| StatusQuery::Order(order_id.to_owned().into()));
        }
        let options = options()?;
        self.note_tag(&options);
        options.check(self.settings())?;
        let order = (service.order)(order, self.body_options(&options))?;
        Ok(self.create_order(order, &options)?.json)
    }

    pub(super) fn get_status_json(
        &mut self,
        query: &str,
        options: &CallOptions,
    ) -> Result<String, Error> {
        self.note_tag(options);
        let status = self.get_status(&StatusQuery::from_json(query)?, options)?;
        Ok(status.json)
    }

    /// Each error of a wait has its query, also if the options are invalid.
    pub(super) fn begin_wait_json(
        &mut self,
        query: &str,
        options: impl FnOnce() -> Result<WaitOptions, Error>,
    ) -> Result<PaymentWait, Error> {
        let query = StatusQuery::from_json(query);
        if let Ok(query) = &query {
            self.set_subject(|| query.clone().into_owned());
        }
        let options = options()?;
        self.note_tag(&options.call);
        PaymentWait::begin(self, query?.into_owned(), options)
    }

    /// [`Call::make`] for many statuses, each of which is given to `each`.
    pub fn get_statuses_json(
        &mut self,
        queries: &str,
        options: JsonOptions<'_>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<String, Error> {
        let options = StatusesOptions::from_json(options)?;
        // Other threads send them, so they borrow nothing.
        let read = |query| StatusQuery::from_json(query).map(StatusQuery::into_owned);
        let queries = elements(queries, "the array of queries")?.map(read);
        Ok(self.get_statuses(queries, options, each)?.to_json())
    }

    pub(super) fn recover_json(
        &mut self,
        sales: Option<&str>,
        options: &RecoverOptions,
    ) -> Result<String, Error> {
        let sales = read_sales(sales, self.settings())?;
        Ok(self.recover(&sales, options)?.to_json())
    }
}

/// The sales, each of which is checked; none without a text, if the client has a journal.
pub(super) fn read_sales<'a>(
    text: Option<&'a str>,
    settings: &Settings,
) -> Result<Vec<Expected<'a>>, Error> {
    let Some(text) = text else {
        return needs_journal(settings).map(|()| Vec::new());
    };
    let read = |(index, sale)| Expected::from_json(sale).map_err(of_sale(index));
    let sales = elements(text, "the array of sales")?.enumerate();
    let sales = sales.map(read).collect::<Result<Vec<_>, _>>()?;
    check_sales(&sales)?;
    Ok(sales)
}

pub(super) fn required<'a>(request: Option<&'a str>, what: &str) -> Result<&'a str, Error> {
    request.ok_or_else(|| null("request_json", what))
}

fn null(argument: &str, what: &str) -> Error {
    Error::argument(Cause::Null, format!("{argument} is NULL: give {what}"))
}
