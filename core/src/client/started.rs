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
use crate::settings::options::{
    CallOptions, JsonOptions, RecoverOptions, StatusesOptions, WaitOptions,
};
use crate::text::json;

/// A call whose arguments were checked, and which borrows nothing. It can be cancelled from the start
/// on, also before a thread of its own makes it.
pub struct StartedCall {
    client: Client,
    _registered: CallRegistration,
    work: Work,
    generation: u64,
}

type Work = Box<dyn FnOnce(&Client) -> Result<String, Error> + Send>;

impl Client {
    /// Prepares a call for a thread of its own, for libraries around this one. Checks what can be
    /// checked before: the operation, that the request is JSON, and the options.
    ///
    /// # Errors
    /// [`Code::InvalidArgument`], [`Code::InvalidHandle`] for the options' token, and
    /// [`Code::Cancelled`] after [`Client::stop`].
    pub fn prepare_start(
        &self,
        operation: Operation,
        request: Option<&str>,
        options: JsonOptions<'_>,
    ) -> Result<StartedCall, Error> {
        let settings = &self.shared.settings;
        let object = |what: &'static str| {
            let text = request.ok_or_else(|| {
                Error::argument(Cause::Null, format!("request_json is NULL: give {what}"))
            })?;
            json::read_object(text, what).map(|_| text.to_owned())
        };
        let work: Work = match operation {
            Operation::CreateOrder => {
                let order = object("the order")?;
                let options = CallOptions::of_create_order(options)?;
                options.check(settings)?;
                Box::new(move |client| {
                    let call = client.begin(Operation::CreateOrder);
                    let checkout = call.run(|call| call.create_from_json(&order, Ok(options)));
                    Ok(checkout?.json)
                })
            }
            Operation::GetStatus => {
                let query = object("the query")?;
                let options = CallOptions::of_get_status(options)?;
                Box::new(move |client| {
                    let call = client.begin(Operation::GetStatus);
                    Ok(call
                        .run(|call| call.status_from_json(&query, &options))?
                        .json)
                })
            }
            Operation::WaitForPayment => {
                let query = object("the query")?;
                let options = WaitOptions::from_json(options)?;
                Box::new(move |client| client.wait_with(Ok(&query), Ok(options)))
            }
            Operation::JournalResolve => {
                let options = StatusesOptions::from_json(options)?;
                if settings.journal.is_none() {
                    return Err(no_journal());
                }
                Box::new(move |client| Ok(json::written(&client.journal_resolve(&options)?)))
            }
            Operation::Recover => {
                let options = RecoverOptions::from_json(options)?;
                request.map(read_sales).transpose()?;
                if request.is_none() && settings.journal.is_none() {
                    return Err(no_sales());
                }
                let sales = request.map(str::to_owned);
                Box::new(move |client| client.recover_json(Ok((sales.as_deref(), options))))
            }
            other => {
                let problem = format!("the operation {} cannot be started", other.name());
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
    /// The stack of its thread: enough for TLS and for a function of the program. Without
    /// optimisation, the same code needs more.
    pub const STACK: usize = match cfg!(debug_assertions) {
        true => 1024 * 1024,
        false => 256 * 1024,
    };

    /// The error if the system has no thread for it.
    pub fn no_thread(error: std::io::Error) -> Error {
        let why = describe_error(&error);
        let message = format!("no thread could be started for the call ({why}); nothing was sent");
        Error::new(Code::Internal, Cause::NoThread, message)
            .with_source(Some(Arc::new(error) as Source))
    }

    /// Makes the call. `None` in a forked child: the call goes on in the parent.
    pub fn run(self) -> Option<Result<String, Error>> {
        let result = (self.work)(&self.client);
        (self.generation == generation()).then_some(result)
    }
}
