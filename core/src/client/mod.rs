//! A client and its two calls, each in two forms: typed, and as JSON.

mod attempt;
mod batch;
pub(crate) mod call;
mod callers_code;
mod channel;
pub(crate) mod check;
mod errors;
mod evidence;
mod journaled;
pub(crate) mod json;
pub(crate) mod log;

pub(crate) mod reconcile;
pub(crate) mod recover;
mod retry;
pub(crate) mod started;
mod state;
mod status_recorder;
pub(crate) mod statuses;
pub(crate) mod summary;
pub(crate) mod wait;

use std::ffi::OsStr;
use std::sync::Arc;
use std::time::Duration;

use crate::client::attempt::{ReadResponse, Request};
use crate::client::call::Call;
use crate::client::log::Log;
use crate::client::retry::RetryPolicy;
use crate::client::state::Shared;
use crate::credentials::{CallCredentials, Credentials};
use crate::error::{Error, Operation};
use crate::gateway::order::Order;
use crate::payment::checkout::{Checkout, CheckoutUrlRules};
use crate::payment::order::{BodyOptions, OrderRequest};
use crate::payment::response::Response;
use crate::payment::status::Status;
use crate::query::StatusQuery;
use crate::settings::config::{Config, read_credentials};
use crate::settings::options::CallOptions;
use crate::settings::validation::Settings;

/// A client of one payment service. Every method may be called from any thread, also from several
/// threads at once. A clone is the same client.
///
/// Calls that were started keep the client: dropping the last clone ends none of them, and queued
/// orders are still sent. [`Client::stop`] ends them.
///
/// ```
/// use payorder_core::{CallOptions, Cause, Client, Credentials, StatusQuery};
///
/// let client = Client::from_json(r#"{"baseUrl":"https://pay.example.com"}"#)?;
/// let same = Client::from_env(Some(r#"{"baseUrl":"https://pay.example.com"}"#))?;
/// same.cancel();
/// client.set_credentials(&Credentials::default().with_access_token("Qz7-today")?);
/// client.stop();
/// let query = StatusQuery::by_order("O-1")?;
/// let error = client.get_status(&query, &CallOptions::default()).unwrap_err();
/// assert_eq!(error.cause(), Cause::ClientStopped);
/// # Ok::<(), payorder_core::Error>(())
/// ```
#[derive(Clone)]
pub struct Client {
    pub(crate) shared: Arc<Shared>,
}

impl Client {
    /// Creates a client. Reads the files that the configuration names, but makes no connection.
    ///
    /// # Errors
    /// [`crate::Code::InvalidConfig`]; the message lists every problem.
    pub fn new(config: Config) -> Result<Client, Error> {
        Settings::new(config).map(Client::with)
    }

    /// Creates a client from the configuration object of the C ABI.
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a text that is not a JSON object, has a key twice, or is over
    /// 256 KiB; [`crate::Code::InvalidConfig`] as [`Client::new`].
    pub fn from_json(text: &str) -> Result<Client, Error> {
        Settings::from_json(text).map(Client::with)
    }

    /// Creates a client from the environment: `PAYORDER_BASE_URL`, `PAYORDER_ACCESS_TOKEN`,
    /// `PAYORDER_CLIENT_KEY`, `PAYORDER_CLIENT_ID`, `PAYORDER_SECRET_KEY`, `PAYORDER_JOURNAL`,
    /// `PAYORDER_CA_FILE`, and `PAYORDER_CONFIG`, the path of a file with the configuration object
    /// of the C ABI. `config`, such an object too, wins over the variables, and they win over the
    /// file.
    ///
    /// # Errors
    /// As [`Client::from_json`]. The message names the variable, or the file and the key.
    pub fn from_env(config: Option<&str>) -> Result<Client, Error> {
        Settings::from_env(None, config).map(Client::with)
    }

    /// [`Client::from_env`] with a file instead of the one that `PAYORDER_CONFIG` names, for
    /// libraries around this one.
    #[doc(hidden)]
    pub fn from_file_and_env(file: Option<&OsStr>, config: Option<&str>) -> Result<Client, Error> {
        Settings::from_env(file, config).map(Client::with)
    }

    pub(crate) fn with(settings: Settings) -> Client {
        Client {
            shared: Arc::new(Shared::new(settings)),
        }
    }

    /// Creates an order. On success the service has the order, and the checkout says where the
    /// customer pays.
    ///
    /// ```
    /// # use payorder_core::{Client, Error, Order};
    /// fn pay(client: &Client, order: &Order<'_>) -> Result<(), Error> {
    ///     let checkout = client.create_order(order, &payorder_core::CallOptions::default())?;
    ///     println!("send the customer to {}: {}", checkout.url(), checkout.response_message());
    ///     println!("the whole response: {}", checkout.json());
    ///     Ok(())
    /// }
    /// ```
    ///
    /// # Errors
    /// [`Error::outcome`] says what happened to the order: not sent, rejected or unknown. After an
    /// unknown outcome, give [`Error::status_query`] to [`Client::get_status`]. But if
    /// [`Error::action`] is [`crate::Action::AskPerson`], the order may be another sale's, and then
    /// so is its payment: a person decides.
    pub fn create_order(
        &self,
        order: &Order<'_>,
        options: &CallOptions,
    ) -> Result<Checkout, Error> {
        self.call(Operation::CreateOrder, |call| {
            call.note_tag(options);
            options.check(call.settings())?;
            let order = order.clone().into_request(call.body_options(options));
            call.create_order(order, options)
        })
    }

    /// Asks for the status of an order or a transaction.
    ///
    /// ```
    /// # let client = payorder_core::Client::from_json(
    /// #     r#"{"baseUrl":"http://127.0.0.1:9","clientKey":"k","clientId":"i","secretKey":"s"}"#,
    /// # )?;
    /// let query = payorder_core::StatusQuery::by_order("O-1")?;
    /// match client.get_status(&query, &payorder_core::CallOptions::default()) {
    ///     Ok(status) => println!("{}", status.transaction_status()),
    ///     Err(error) => println!("{error}: {}", error.action().name()),
    /// }
    /// # Ok::<(), payorder_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// Any failure. It is always safe to ask again.
    pub fn get_status(
        &self,
        query: &StatusQuery<'_>,
        options: &CallOptions,
    ) -> Result<Status, Error> {
        self.call(Operation::GetStatus, |call| call.get_status(query, options))
    }

    /// Ends the calls in flight on this client, from another thread. Later calls are not affected.
    pub fn cancel(&self) {
        self.shared.process_state().cancel();
    }

    /// Ends the calls in flight on this client, and refuses all later ones: they end as
    /// [`crate::Code::Cancelled`] with the cause [`crate::Cause::ClientStopped`], and send nothing. Only
    /// [`Client::journal_list`] still works.
    pub fn stop(&self) {
        self.shared.stop();
    }

    /// Replaces the credentials that are given, for example because a token has changed. Attempts
    /// that begin later use them, also those of waits that are running.
    pub fn set_credentials(&self, credentials: &Credentials) {
        self.shared.replace_credentials(credentials);
    }

    /// [`Client::set_credentials`] from JSON.
    #[doc(hidden)]
    pub fn set_credentials_json(&self, text: &str) -> Result<(), Error> {
        self.set_credentials(&read_credentials(text)?);
        Ok(())
    }

    /// Sends the log events of all later calls to `log`; `None` stops that. A call that is running
    /// keeps the log that it started with.
    ///
    /// ```
    /// # let client = payorder_core::Client::from_json(
    /// #     r#"{"baseUrl":"http://127.0.0.1:9","clientKey":"k","clientId":"i","secretKey":"s"}"#,
    /// # )?;
    /// client.set_log(Some(Box::new(|event| {
    ///     println!("{}", event.to_json());
    /// })));
    /// # Ok::<(), payorder_core::Error>(())
    /// ```
    pub fn set_log(&self, log: Option<Log>) {
        self.shared.set_log(log);
    }

    /// Makes a call. `work` first reads what it was given; an error in that is an error of the call.
    #[doc(hidden)]
    pub fn call<T>(
        &self,
        operation: Operation,
        work: impl FnOnce(&mut Call<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        Call::new(self, operation, self.shared.log(), None).run(work)
    }
}

impl<'c> Call<'c> {
    /// What the body of an order depends on.
    fn body_options<'a>(&self, options: &'a CallOptions) -> BodyOptions<'a>
    where
        'c: 'a,
    {
        BodyOptions {
            return_url_field: &self.settings().config.return_url_field,
            extra_fields: &options.extra_fields,
        }
    }

    /// Sends an order. The options were checked.
    fn create_order(
        &mut self,
        order: OrderRequest<'_>,
        options: &CallOptions,
    ) -> Result<Checkout, Error> {
        let settings = self.settings();
        self.set_subject(|| StatusQuery::Order(order.order_id.to_string().into()));
        let rules = CheckoutUrlRules {
            allow_insecure_http: settings.config.allow_insecure_http,
            hosts: settings.config.checkout_hosts.as_deref(),
        };
        let request = Request {
            uri: &settings.create_order,
            endpoint: &settings.service.create_order,
            body: &order.body,
            options,
            timeout: options.timeout.unwrap_or(settings.config.timeout),
            read: &|response, credentials| {
                (settings.service.read_checkout)(response, &rules, credentials)
            },
            shown: |_, _| None,
        };
        let retries = RetryPolicy::of_orders(&settings.config);
        self.begin(options.cancellation.as_ref())?;
        let credentials = self.client.shared.credentials();
        // Before the order is recorded.
        request.authorize(&credentials)?;
        let Some(journal) = &settings.journal else {
            return self.send(&request, &retries, None);
        };
        let mut record = self.begin_record(journal, &order, request.timeout, options.resend)?;
        let result = match record.is_late() && !self.scope().is_cancelled() {
            true => Err(journaled::too_slow()),
            false => self.send(&request, &retries, Some(&mut record)),
        };
        self.finish_record(record, &order.order_id, result)
    }

    fn get_status(
        &mut self,
        query: &StatusQuery<'_>,
        options: &CallOptions,
    ) -> Result<Status, Error> {
        let status = self.query_status(query, options)?;
        let timeout = options.timeout.unwrap_or(self.settings().config.timeout);
        self.record(&status, self.started + timeout);
        Ok(status)
    }

    /// Get Status without the journal.
    fn query_status(
        &mut self,
        query: &StatusQuery<'_>,
        options: &CallOptions,
    ) -> Result<Status, Error> {
        let settings = self.settings();
        self.note_tag(options);
        options.check(settings)?;
        self.set_subject(|| query.clone().into_owned());
        query.check()?;
        let read = |response: &Response<'_>, credentials: &CallCredentials<'_>| {
            (settings.service.read_status)(response, query, credentials)
        };
        let timeout = options.timeout.unwrap_or(settings.config.timeout);
        let body = (settings.service.query)(query);
        let request = status_request(settings, &body, options, timeout, &read);
        self.begin(options.cancellation.as_ref())?;
        let credentials = self.client.shared.credentials();
        request.authorize(&credentials)?;
        let retries = RetryPolicy::of_queries(&settings.config);
        self.send(&request, &retries, None)
    }
}

/// The request of Get Status. `timeout` is for the whole call; in a wait, for each attempt.
fn status_request<'a>(
    settings: &'a Settings,
    body: &'a str,
    options: &'a CallOptions,
    timeout: Duration,
    read: &'a ReadResponse<'a, Status>,
) -> Request<'a, Status> {
    Request {
        uri: &settings.get_status,
        endpoint: &settings.service.get_status,
        body,
        options,
        timeout,
        read,
        shown: Status::shown,
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("Client")
            .field("host", &self.shared.settings.route.host)
            .finish_non_exhaustive()
    }
}

const _: () = {
    const fn is_shared_between_threads<T: Send + Sync>() {}
    is_shared_between_threads::<Client>();
    is_shared_between_threads::<Credentials>();
};
