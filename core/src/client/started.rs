//! A call on a thread of its own.

use std::sync::Arc;

use crate::client::Client;
use crate::client::call::Call;
use crate::client::errors::stopped;
use crate::client::json::{read_sales, required};
use crate::client::reconcile::no_journal;
use crate::client::state::CallRegistration;
use crate::error::{Cause, Code, Error, Operation, Source};
use crate::platform::describe_error;
use crate::settings::options::{
    CallOptions, JsonOptions, RecoverOptions, StatusesOptions, WaitOptions,
};
use crate::text::json;

/// A call whose arguments were checked, and which borrows nothing. It can be cancelled from the start
/// on, also before a thread of its own makes it.
pub struct StartedCall {
    client: Client,
    registration: CallRegistration,
    operation: Operation,
    work: Work,
}

type Work = Box<dyn FnOnce(&mut Call<'_>) -> Result<String, Error> + Send>;

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
            let text = required(request, what)?;
            json::read_object(text, what).map(|_| text.to_owned())
        };
        let work: Work = match operation {
            Operation::CreateOrder => {
                let order = object("the order")?;
                let options = CallOptions::of_create_order(options)?;
                options.check(settings)?;
                Box::new(move |call| call.create_order_json(&order, || Ok(options)))
            }
            Operation::GetStatus => {
                let query = object("the query")?;
                let options = CallOptions::of_get_status(options)?;
                Box::new(move |call| call.get_status_json(&query, &options))
            }
            Operation::WaitForPayment => {
                let query = object("the query")?;
                let options = WaitOptions::from_json(options)?;
                Box::new(move |call| call.wait_for_payment_json(&query, || Ok(options)))
            }
            Operation::JournalResolve => {
                let options = StatusesOptions::from_json(options)?;
                settings.journal.as_ref().ok_or_else(no_journal)?;
                Box::new(move |call| Ok(json::written(&call.journal_resolve(&options)?)))
            }
            Operation::Recover => {
                let options = RecoverOptions::from_json(options)?;
                read_sales(request, settings)?;
                let sales = request.map(str::to_owned);
                Box::new(move |call| call.recover_json(sales.as_deref(), &options))
            }
            other => {
                let problem = format!("the operation {} cannot be started", other.name());
                return Err(Error::argument(Cause::InvalidValue, problem));
            }
        };
        let registration = self.shared.register(None);
        if self.shared.is_stopped() {
            return Err(stopped());
        }
        Ok(StartedCall {
            client: Client {
                shared: Arc::clone(&self.shared),
                whole: Some(Arc::clone(registration.scope())),
            },
            registration,
            operation,
            work,
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
        let result = self.client.call(self.operation, self.work);
        let is_here = self.registration.scope().belongs_to_this_process();
        is_here.then_some(result)
    }
}
