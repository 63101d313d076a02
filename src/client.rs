//! A client: its two calls, in their two forms, typed and JSON.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arc_swap::{ArcSwap, ArcSwapOption};

use crate::answer::{self, CheckoutRule};
use crate::call::{Call, Plan};
use crate::config::{Config, Settings};
use crate::connection::{self, Connections, Delivery};
use crate::credentials::{Credentials, Secret};
use crate::error::{Code, Error, Operation};
use crate::event::Log;
use crate::options::{CallOptions, Takes};
use crate::order::{Checkout, Order};
use crate::status::{Status, StatusQuery};

/// A client of one payment service. Every method may be called from any thread, on the same client too; a clone is the same client.
#[derive(Clone)]
pub struct Client {
    shared: Arc<Shared>,
}

pub(crate) struct Shared {
    pub(crate) settings: Settings,
    era: ArcSwap<Era>,
    log: ArcSwapOption<Log>,
}

/// All that changes while a client lives, for one process: after a fork the child begins an era of its own and leaves its parent's alone.
pub(crate) struct Era {
    generation: u64,
    pub(crate) connections: Connections,
    calls: Mutex<Vec<Arc<Delivery>>>,
}

impl Client {
    /// Makes a client. No connection is made; named files are read.
    ///
    /// # Errors
    /// [`Code::InvalidConfig`], with everything that is wrong in the message.
    pub fn new(config: Config) -> Result<Client, Error> {
        Settings::new(config).map(Client::with)
    }

    /// Makes a client from the configuration object of the C ABI.
    ///
    /// # Errors
    /// [`Code::InvalidArgument`] for a text that is no JSON object, has a key twice, or is over 256 KiB; [`Code::InvalidConfig`] as [`Client::new`].
    pub fn from_json(text: &str) -> Result<Client, Error> {
        Settings::from_json(text).map(Client::with)
    }

    fn with(settings: Settings) -> Client {
        connection::watch();
        let era = Era::new(&settings);
        Client { shared: Arc::new(Shared { settings, era: ArcSwap::from_pointee(era), log: ArcSwapOption::empty() }) }
    }

    /// Makes an order. On success the service has it, and the answer says where the customer pays.
    ///
    /// # Errors
    /// By [`Error::outcome`]: not sent, rejected, or unknown; in every unknown outcome [`Error::status_query`] is what to ask next.
    pub fn create_order(&self, order: &Order<'_>, options: &CallOptions<'_>) -> Result<Checkout, Error> {
        self.begin(Operation::CreateOrder).run(|call| {
            options.check(&self.shared.settings.return_url_field)?;
            call.create_order(order, options)
        })
    }

    /// Asks for the status of an order or a transaction.
    ///
    /// # Errors
    /// By [`Error::outcome`]; asking again does no harm.
    pub fn get_status(&self, query: &StatusQuery<'_>, options: &CallOptions<'_>) -> Result<Status, Error> {
        self.begin(Operation::GetStatus).run(|call| {
            options.check(&self.shared.settings.return_url_field)?;
            call.get_status(query, options)
        })
    }

    /// [`Client::create_order`] from the texts that `texts` gives, the order and the options, so that a failure to read them is one of the call.
    pub(crate) fn create_order_json<'a>(&self, texts: impl FnOnce() -> Result<(&'a str, Option<&'a str>), Error>) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let (order, options) = texts()?;
            let options = CallOptions::from_json(options, Takes::Order)?;
            options.check(&self.shared.settings.return_url_field)?;
            call.create_order(&Order::from_json(order)?, &options)
        };
        self.begin(Operation::CreateOrder).run(read).map(|checkout| checkout.json)
    }

    /// [`Client::get_status`] from texts.
    pub(crate) fn get_status_json<'a>(&self, texts: impl FnOnce() -> Result<(&'a str, Option<&'a str>), Error>) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let (query, options) = texts()?;
            let options = CallOptions::from_json(options, Takes::Status)?;
            call.get_status(&StatusQuery::from_json(query)?, &options)
        };
        self.begin(Operation::GetStatus).run(read).map(|status| status.json)
    }

    /// Ends the calls in flight on this client, from another thread. Later calls are not touched.
    pub fn cancel(&self) {
        let calls = self.shared.era().calls().clone();
        for call in calls {
            call.cancel();
        }
    }

    /// Sends log events to `log` from the next call on; `None` ends that. A call goes on with what it began with.
    pub fn set_log(&self, log: Option<Log>) {
        self.shared.log.store(log.map(Arc::new));
    }

    fn begin(&self, operation: Operation) -> Call<'_> {
        Call::new(&self.shared, operation, self.shared.log.load_full())
    }
}

impl Call<'_> {
    fn create_order(&mut self, order: &Order<'_>, options: &CallOptions<'_>) -> Result<Checkout, Error> {
        self.subject(StatusQuery::Order(order.order_id().to_owned().into()));
        let settings = self.settings();
        let credentials = options.credentials.or(&settings.credentials);
        let headers = [("access-token", required(&credentials.access_token, "accessToken", Operation::CreateOrder)?)];
        let plan = Plan {
            uri: &settings.create_order,
            credentials: &headers,
            body: &order.wire_body(&settings.return_url_field, &options.extra_fields),
            timeout: options.timeout.unwrap_or(settings.timeout),
            retries: settings.create_retries,
            // Only a connection that never stood is tried again: whatever else happened, the service may have the order.
            retry_after: |code| code == Code::ConnectFailed,
        };
        let rule = CheckoutRule { allow_insecure_http: settings.allow_insecure_http, hosts: settings.checkout_hosts.as_deref() };
        self.ask(&plan, &credentials, |answer, redact| answer::read_checkout(answer, &rule, redact))
    }

    fn get_status(&mut self, query: &StatusQuery<'_>, options: &CallOptions<'_>) -> Result<Status, Error> {
        self.subject(query.clone().into_owned());
        let settings = self.settings();
        let credentials = options.credentials.or(&settings.credentials);
        let headers = [
            ("x-client-key", required(&credentials.client_key, "clientKey", Operation::GetStatus)?),
            ("x-client-id", required(&credentials.client_id, "clientId", Operation::GetStatus)?),
            ("x-secret-key", required(&credentials.secret_key, "secretKey", Operation::GetStatus)?),
        ];
        let plan = Plan {
            uri: &settings.get_status,
            credentials: &headers,
            body: &query.wire_body(),
            timeout: options.timeout.unwrap_or(settings.timeout),
            retries: settings.status_retries,
            retry_after: |code| {
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
        self.ask(&plan, &credentials, |answer, redact| answer::read_status(answer, query, redact))
    }
}

fn required<'a>(secret: &'a Option<Secret>, key: &str, operation: Operation) -> Result<&'a Secret, Error> {
    secret.as_ref().ok_or_else(|| {
        let call = match operation {
            Operation::CreateOrder => "Create Order",
            Operation::GetStatus => "Get Status",
        };
        Error::new(
            Code::MissingCredentials,
            format!("{call} needs {key}, which is in neither the configuration nor the options; nothing was sent"),
        )
    })
}

impl Shared {
    /// The era of this process: after a fork, the child's own.
    pub(crate) fn era(&self) -> Arc<Era> {
        let era = self.era.load_full();
        if era.generation == connection::generation() {
            return era;
        }
        let own = Arc::new(Era::new(&self.settings));
        let before = arc_swap::Guard::into_inner(self.era.compare_and_swap(&era, Arc::clone(&own)));
        if !Arc::ptr_eq(&before, &era) {
            return before;
        }
        leave_alone(before);
        own
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        let era = self.era.load_full();
        if era.generation != connection::generation() {
            leave_alone(era);
        }
    }
}

/// Keeps the era of a parent process from being dropped in its child: another thread may have been at work on it in the moment of the fork,
/// and so have left it half changed.
fn leave_alone(era: Arc<Era>) {
    std::mem::forget(era);
}

impl Era {
    fn new(settings: &Settings) -> Era {
        Era {
            generation: connection::generation(),
            connections: Connections::new(Arc::clone(&settings.route)),
            calls: Mutex::new(Vec::new()),
        }
    }

    fn calls(&self) -> MutexGuard<'_, Vec<Arc<Delivery>>> {
        self.calls.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists a call among those that can be cancelled, until the guard is dropped.
    pub(crate) fn in_flight(&self, delivery: &Arc<Delivery>) -> InFlight<'_> {
        self.calls().push(Arc::clone(delivery));
        InFlight { era: self, delivery: Arc::clone(delivery) }
    }
}

pub(crate) struct InFlight<'a> {
    era: &'a Era,
    delivery: Arc<Delivery>,
}

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        // A lock of the parent's era might never be released in a forked child.
        if self.era.generation == connection::generation() {
            self.era.calls().retain(|call| !Arc::ptr_eq(call, &self.delivery));
        }
    }
}

impl std::fmt::Debug for Client {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Client").field("host", &self.shared.settings.route.host).finish_non_exhaustive()
    }
}

const _: () = {
    const fn is_shared_between_threads<T: Send + Sync>() {}
    is_shared_between_threads::<Client>();
    is_shared_between_threads::<Credentials>();
};
