//! A call on a thread of its own.

use std::sync::Arc;

use crate::client::Client;
use crate::client::call::stopped;
use crate::client::reconcile::no_journal;
use crate::client::recover::{no_sales, read_sales};
use crate::client::state::CallRegistration;
use crate::connection::CancelScope;
use crate::error::{Cause, Code, Error, Operation, Source};
use crate::platform::describe_error;
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
    let why = describe_error(&error);
    let message = format!("no thread could be started for the call ({why}); nothing was sent");
    Error::new(Code::Internal, Cause::NoThread, message)
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

type Work = Box<dyn FnOnce(&Client) -> Result<String, Error> + Send>;

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
        let work: Work = match operation {
            name if name == Operation::CreateOrder.name() => {
                let order = object("the order")?;
                let options = CallOptions::of_create_order(options)?;
                options.check(settings)?;
                Box::new(move |client| {
                    let call = client.begin(Operation::CreateOrder);
                    let checkout = call.run(|call| call.create_from_json(&order, Ok(options)));
                    Ok(checkout?.json)
                })
            }
            name if name == Operation::GetStatus.name() => {
                let query = object("the query")?;
                let options = CallOptions::of_get_status(options)?;
                Box::new(move |client| {
                    let call = client.begin(Operation::GetStatus);
                    Ok(call
                        .run(|call| call.status_from_json(&query, &options))?
                        .json)
                })
            }
            name if name == Operation::WaitForPayment.name() => {
                let query = object("the query")?;
                let options = WaitOptions::from_json(options)?;
                Box::new(move |client| client.wait_with(Ok(&query), Ok(options)))
            }
            name if name == Operation::JournalResolve.name() => {
                let options = StatusesOptions::from_json(options)?;
                if settings.journal.is_none() {
                    return Err(no_journal());
                }
                Box::new(move |client| Ok(json::written(&client.journal_resolve(&options)?)))
            }
            name if name == Operation::Recover.name() => {
                let options = RecoverOptions::from_json(options)?;
                request.map(read_sales).transpose()?;
                if request.is_none() && settings.journal.is_none() {
                    return Err(no_sales());
                }
                let sales = request.map(str::to_owned);
                Box::new(move |client| client.recover_json(Ok((sales.as_deref(), options))))
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
        let result = (self.work)(&self.client);
        (self.generation == generation()).then_some(result)
    }
}
