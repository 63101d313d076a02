//! A call on a thread of its own.

use std::sync::Arc;

use crate::client::Client;
use crate::client::call::stopped;
use crate::client::reconcile::no_journal;
use crate::client::recover::{no_sales, read_sales};
use crate::client::state::CallRegistration;
use crate::connection::CancelScope;
use crate::error::{Cause, Code, Error, Operation, Source};
use crate::platform::fork::generation;
use crate::settings::options::{CallOptions, RecoverOptions, StatusesOptions, WaitOptions};
use crate::text::json;

/// Enough for a TLS connection and for a function of the host. Without optimisation, the same code
/// needs more.
pub const STACK: usize = match cfg!(debug_assertions) {
    true => 1024 * 1024,
    false => 256 * 1024,
};

/// The error of a call for which the system has no thread.
pub fn no_thread(error: std::io::Error) -> Error {
    Error::new(
        Code::Internal,
        Cause::NoThread,
        "the system could not start a thread for the call; nothing was sent",
    )
    .with_source(Some(Arc::new(error) as Source))
}

/// A call whose arguments were checked, and which borrows nothing.
pub struct StartedCall {
    client: Client,
    /// From the start on, also before the thread runs, the call can be cancelled.
    _registered: CallRegistration,
    work: Work,
    generation: u64,
}

enum Work {
    CreateOrder(String, CallOptions),
    GetStatus(String, CallOptions),
    WaitForPayment(String, WaitOptions),
    JournalResolve(StatusesOptions),
    Recover(Option<String>, RecoverOptions),
}

impl Client {
    /// Checks what can be checked before the call begins: the operation, and that the texts are
    /// JSON with valid options.
    #[doc(hidden)]
    pub fn prepare_start(
        &self,
        operation: &str,
        request: Option<&str>,
        options: Option<&str>,
    ) -> Result<StartedCall, Error> {
        let settings = &self.shared.settings;
        let object = |what: &str| {
            let text = request.ok_or_else(|| {
                Error::argument(Cause::Null, format!("request_json is NULL: give {what}"))
            })?;
            json::read_object(text, what).map(|_| text.to_owned())
        };
        let work = match operation {
            name if name == Operation::CreateOrder.name() => {
                let order = object("the order")?;
                let options = CallOptions::of_create_order(options)?;
                options.check(settings)?;
                Work::CreateOrder(order, options)
            }
            name if name == Operation::GetStatus.name() => {
                let query = object("the query")?;
                Work::GetStatus(query, CallOptions::of_get_status(options)?)
            }
            name if name == Operation::WaitForPayment.name() => {
                let query = object("the query")?;
                Work::WaitForPayment(query, WaitOptions::from_json(options)?)
            }
            name if name == Operation::JournalResolve.name() => {
                let options = StatusesOptions::from_json(options)?;
                if settings.journal.is_none() {
                    return Err(no_journal());
                }
                Work::JournalResolve(options)
            }
            name if name == Operation::Recover.name() => {
                let options = RecoverOptions::from_json(options)?;
                request.map(read_sales).transpose()?;
                if request.is_none() && settings.journal.is_none() {
                    return Err(no_sales());
                }
                Work::Recover(request.map(str::to_owned), options)
            }
            other => {
                let problem = format!(
                    "the operation {other:?} cannot be started: create_order, get_status, \
                     wait_for_payment, journal_resolve and recover can"
                );
                return Err(Error::argument(Cause::InvalidValue, problem));
            }
        };
        let scope = Arc::new(CancelScope::new());
        let registered = self.shared.cancellable(&scope, None, None);
        if self.shared.is_stopped() {
            return Err(stopped());
        }
        Ok(StartedCall {
            client: Client {
                shared: Arc::clone(&self.shared),
                whole: Some(scope),
            },
            _registered: registered,
            work,
            generation: generation(),
        })
    }
}

impl StartedCall {
    /// Makes the call. `None` in a forked child: the call goes on in the parent.
    pub fn run(self) -> Option<Result<String, Error>> {
        let StartedCall { client, work, .. } = &self;
        let result = match work {
            Work::CreateOrder(order, options) => client
                .begin(Operation::CreateOrder)
                .run(|call| call.create_from_json(order, || Ok(options.clone())))
                .map(|checkout| checkout.json),
            Work::GetStatus(query, options) => client
                .begin(Operation::GetStatus)
                .run(|call| call.status_from_json(query, options))
                .map(|status| status.json),
            Work::WaitForPayment(query, options) => {
                client.wait_with(Ok(query), || Ok(options.clone()))
            }
            Work::Recover(sales, options) => {
                client.recover_json(|| Ok((sales.as_deref(), options.clone())))
            }
            Work::JournalResolve(options) => client
                .journal_resolve(options)
                .map(|resolved| json::written(&resolved)),
        };
        (self.generation == generation()).then_some(result)
    }
}
