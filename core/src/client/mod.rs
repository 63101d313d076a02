//! A client and its two calls, each in two forms: typed, and as JSON.

pub(crate) mod batch;
pub(crate) mod call;
mod evidence;
pub(crate) mod journaled;
pub(crate) mod log;
pub(crate) mod queue;
pub(crate) mod reconcile;
pub(crate) mod recover;
pub(crate) mod retry;
pub(crate) mod started;
pub(crate) mod state;
pub(crate) mod status_recorder;
pub(crate) mod statuses;
pub(crate) mod summary;
pub(crate) mod wait;

use std::sync::Arc;

use crate::client::call::{Call, PreparedRequest, Request};
use crate::client::log::Log;
use crate::client::retry::RetryPolicy;
use crate::client::state::Shared;
use crate::connection::CancelScope;
use crate::credentials::{CallCredentials, Credentials};
use crate::error::{Code, Error, Operation};
use crate::gateway::checkout::{Checkout, CheckoutUrlRules, read_checkout};
use crate::gateway::order::{self, Order};
use crate::gateway::response::{self, Response};
use crate::gateway::status::Status;
use crate::gateway::wire::NeededCredentials;
use crate::query::StatusQuery;
use crate::settings::config::{Config, read_credentials};
use crate::settings::options::{CallOptions, JsonOptions};
use crate::settings::validation::Settings;

/// A client of one payment service. Every method may be called from any thread, also from several
/// threads at once. A clone is the same client.
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
    /// The started call that this client makes, if any: all its calls are part of that one.
    whole: Option<Arc<CancelScope>>,
}

impl Client {
    /// Creates a client. Reads the files that the configuration names, but makes no connection.
    ///
    /// # Errors
    /// [`Code::InvalidConfig`]; the message lists every problem.
    pub fn new(config: Config) -> Result<Client, Error> {
        Settings::new(config).map(Client::with)
    }

    /// Creates a client from the configuration object of the C ABI.
    ///
    /// # Errors
    /// [`Code::InvalidArgument`] for a text that is not a JSON object, has a key twice, or is over
    /// 256 KiB; [`Code::InvalidConfig`] as [`Client::new`].
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
        Settings::from_env(config).map(Client::with)
    }

    fn with(settings: Settings) -> Client {
        Client {
            shared: Arc::new(Shared::new(settings)),
            whole: None,
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
    /// unknown outcome, give [`Error::status_query`] to [`Client::get_status`].
    pub fn create_order(
        &self,
        order: &Order<'_>,
        options: &CallOptions,
    ) -> Result<Checkout, Error> {
        self.begin(Operation::CreateOrder).run(|call| {
            options.check(&self.shared.settings)?;
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
        self.begin(Operation::GetStatus).run(|call| {
            options.check(&self.shared.settings)?;
            call.get_status(query, options)
        })
    }

    /// [`Client::create_order`] from JSON. `texts` are the order and the options; an error in
    /// reading them is an error of the call.
    #[doc(hidden)]
    pub fn create_order_json(
        &self,
        texts: Result<(&str, JsonOptions<'_>), Error>,
    ) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let (order, options) = texts?;
            call.create_from_json(order, CallOptions::of_create_order(options))
        };
        self.begin(Operation::CreateOrder)
            .run(read)
            .map(|checkout| checkout.json)
    }

    /// [`Client::get_status`] from JSON.
    #[doc(hidden)]
    pub fn get_status_json(
        &self,
        texts: Result<(&str, JsonOptions<'_>), Error>,
    ) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let (query, options) = texts?;
            let options = CallOptions::of_get_status(options)?;
            call.status_from_json(query, &options)
        };
        self.begin(Operation::GetStatus)
            .run(read)
            .map(|status| status.json)
    }

    /// Ends the calls in flight on this client, from another thread. Later calls are not affected.
    pub fn cancel(&self) {
        self.shared.process_state().cancel();
    }

    /// Ends the calls in flight on this client, and refuses all later ones: they end as
    /// [`Code::Cancelled`] with the cause [`crate::Cause::ClientStopped`], and send nothing. Only
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

    pub(crate) fn begin(&self, operation: Operation) -> Call<'_> {
        Call::new(&self.shared, operation, self.whole.clone())
    }
}

impl Call<'_> {
    /// Create Order with an order from JSON, which is read first.
    fn create_from_json(
        &mut self,
        order: &str,
        options: Result<CallOptions, Error>,
    ) -> Result<Checkout, Error> {
        let order = order::read(order)?;
        if let Some(order_id) = order::order_id(&order) {
            self.set_subject(|| StatusQuery::Order(order_id.to_owned().into()));
        }
        let options = options?;
        options.check(self.settings())?;
        self.create_order(&Order::from_entries(order)?, &options)
    }

    fn status_from_json(&mut self, query: &str, options: &CallOptions) -> Result<Status, Error> {
        self.get_status(&StatusQuery::from_json(query)?, options)
    }

    fn create_order(
        &mut self,
        order: &Order<'_>,
        options: &CallOptions,
    ) -> Result<Checkout, Error> {
        self.set_subject(|| StatusQuery::Order(order.order_id().to_owned().into()));
        let settings = self.settings();
        let current = self.client_credentials();
        let credentials = current.with(&options.credentials);
        let request = Request {
            uri: &settings.create_order,
            needs: NeededCredentials::CreateOrder,
            body: &order.wire_body(&settings.config.return_url_field, &options.extra_fields),
            own: &options.credentials,
            credentials: &credentials,
            timeout: options.timeout.unwrap_or(settings.config.timeout),
            cancellation: options.cancellation.as_ref(),
        };
        // An order is sent again only if no connection could be made. After any other failure the
        // service may have the order.
        let retries = RetryPolicy {
            most: settings.config.create_retries,
            after: |code| code == Code::ConnectFailed,
        };
        let rule = CheckoutUrlRules {
            allow_insecure_http: settings.config.allow_insecure_http,
            hosts: settings.config.checkout_hosts.as_deref(),
        };
        let prepared = self.prepare(&request)?;
        let read = |response: &Response<'_>, credentials: &CallCredentials<'_>| {
            read_checkout(response, &rule, credentials)
        };
        let send = |call: &mut Self| call.send_with_retries(&prepared, &retries, read, |_| None);
        match &settings.journal {
            Some(journal) => self.send_journaled(journal, &prepared, order, options.resend, send),
            None => send(self),
        }
    }

    pub(crate) fn get_status(
        &mut self,
        query: &StatusQuery<'_>,
        options: &CallOptions,
    ) -> Result<Status, Error> {
        self.with_prepared_status(query, options, |call, prepared| {
            let retries = RetryPolicy {
                most: call.settings().config.status_retries,
                after: |code| {
                    matches!(
                        code,
                        Code::ConnectFailed
                            | Code::RateLimited
                            | Code::Timeout
                            | Code::ConnectionLost
                            | Code::BadResponse
                            | Code::ServiceFailed
                    )
                },
            };
            let read = |response: &Response<'_>, credentials: &CallCredentials<'_>| {
                response::read_status(response, query, credentials)
            };
            let mut status = call.send_with_retries(prepared, &retries, read, Status::shown)?;
            call.note_certificate(&mut status);
            // A batch records its statuses together.
            if !call.is_in_batch() {
                call.record(prepared, &status);
            }
            Ok(status)
        })
    }

    /// Prepares the request of Get Status. `work` decides how often to send it.
    pub(crate) fn with_prepared_status<T>(
        &mut self,
        query: &StatusQuery<'_>,
        options: &CallOptions,
        work: impl FnOnce(&mut Self, &PreparedRequest<'_>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.set_subject(|| query.clone().into_owned());
        query.check()?;
        let settings = self.settings();
        let current = self.client_credentials();
        let credentials = current.with(&options.credentials);
        let request = Request {
            uri: &settings.get_status,
            needs: NeededCredentials::GetStatus,
            body: &query.wire_body(),
            own: &options.credentials,
            credentials: &credentials,
            timeout: options.timeout.unwrap_or(settings.config.timeout),
            cancellation: options.cancellation.as_ref(),
        };
        let prepared = self.prepare(&request)?;
        work(self, &prepared)
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
