//! Calls that do not block: they go through the client's queue.

pub(super) mod answers;
mod future;
mod job;
pub(super) mod queue;
mod task;

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use crate::client::Client;
use crate::client::call::{Call, CallState};
use crate::client::errors::stopped;
use crate::client::json::{read_sales, required};
use crate::client::reconcile::no_journal;
use crate::client::wait::{PaymentWait, Waited};
use crate::connection::{CancelScope, CancellationToken};
use crate::error::{Cause, Code, Error, Operation, Source};
use crate::platform::{describe_error, watch_for_exit};
use crate::query::StatusQuery;
use crate::settings::options::{
    CallOptions, CheckOptions, JsonOptions, RecoverOptions, StatusesOptions, WaitOptions,
};
use crate::text::json;

pub use answers::Answer;
use answers::Waiting;
pub use future::Started;
use job::Listener;
pub use task::Deliver;
use task::{Begin, Begun, Next, Task};

/// A call that is to be started.
struct ToStart {
    operation: Operation,
    /// What it is about, for its error if it ends before it begins.
    subject: Option<StatusQuery<'static>>,
    token: Option<CancellationToken>,
    /// Of its options, for its log events.
    tag: Option<String>,
    /// How long it may wait for a thread, if that is limited.
    timeout: Option<Duration>,
}

impl ToStart {
    /// A call with many requests, whose time is not limited.
    fn new(operation: Operation, options: &CallOptions) -> ToStart {
        ToStart {
            operation,
            subject: None,
            token: options.cancellation.clone(),
            tag: options.tag.clone(),
            timeout: None,
        }
    }

    fn wait(subject: Option<StatusQuery<'static>>, options: &WaitOptions) -> ToStart {
        ToStart {
            subject,
            timeout: Some(options.wait),
            ..ToStart::new(Operation::WaitForPayment, &options.call)
        }
    }
}

/// Who gets the result of a call that was started as JSON.
pub enum Receiver {
    /// A function, on a thread of the library.
    Done(Deliver<String>),
    /// [`Client::take_done`].
    Taken {
        /// Comes back with the answer.
        user_data: usize,
        /// Dropped when the answer can be taken.
        until_ready: Box<dyn Any + Send>,
    },
}

impl Client {
    /// Starts a call, for libraries around this one. Checks what can be checked before: the
    /// operation, that the request is JSON, and the options.
    ///
    /// # Errors
    /// [`Code::InvalidArgument`], [`Code::InvalidHandle`] for the options' token,
    /// [`Code::Cancelled`] after [`Client::stop`], and [`Code::Internal`] if the system has no
    /// thread. Then there will be no answer.
    pub fn start_json(
        &self,
        operation: Operation,
        request: Option<&str>,
        options: JsonOptions<'_>,
        receiver: Receiver,
    ) -> Result<(), Error> {
        let (to_start, begin) = self.json_to_start(operation, request, options)?;
        let (listener, deliver): (_, Deliver<String>) = match receiver {
            Receiver::Done(deliver) => (Listener::Function, deliver),
            Receiver::Taken {
                user_data,
                until_ready,
            } => {
                let answers = self.shared.process_state().answers();
                let waiting = Waiting::new(answers, user_data, until_ready);
                let deliver = Box::new(move |result| waiting.answer(result));
                (Listener::Taker, deliver)
            }
        };
        self.start(to_start, begin, listener, deliver).map(drop)
    }

    fn json_to_start(
        &self,
        operation: Operation,
        request: Option<&str>,
        options: JsonOptions<'_>,
    ) -> Result<(ToStart, Begin<String>), Error> {
        let settings = &self.shared.settings;
        let object = |what: &'static str| {
            let text = required(request, what)?;
            json::read_object(text, what).map(|_| text.to_owned())
        };
        Ok(match operation {
            Operation::CreateOrder => {
                let order = required(request, "the order")?;
                let order_id = (settings.service.order_id)(&json::read_object(order, "the order")?)
                    .map(|id| id.to_owned().into());
                let options = CallOptions::of_create_order(options)?;
                options.check(settings)?;
                let subject = order_id.map(StatusQuery::Order);
                let to_start = self.short_call(operation, subject, &options);
                let order = order.to_owned();
                let work =
                    move |call: &mut Call<'_>| call.create_order_json(&order, || Ok(options));
                (to_start, whole(work))
            }
            Operation::GetStatus => {
                let query = object("the query")?;
                let options = CallOptions::of_get_status(options)?;
                options.check(settings)?;
                let to_start = self.short_call(operation, subject_of(&query), &options);
                let work = move |call: &mut Call<'_>| call.get_status_json(&query, &options);
                (to_start, whole(work))
            }
            Operation::WaitForPayment => {
                let query = object("the query")?;
                let options = WaitOptions::from_json(options)?;
                options.check(settings)?;
                let to_start = ToStart::wait(subject_of(&query), &options);
                let begin = move |call: &mut Call<'_>| call.begin_wait_json(&query, || Ok(options));
                (to_start, wait(begin, |waited| waited.to_json()))
            }
            Operation::Check => {
                no_request(operation, request)?;
                let options = CheckOptions::from_json(options)?;
                options.call.check(settings)?;
                let to_start = ToStart::new(operation, &options.call);
                let work = move |call: &mut Call<'_>| Ok(call.check(&options)?.to_json());
                (to_start, whole(work))
            }
            Operation::JournalResolve => {
                no_request(operation, request)?;
                let options = StatusesOptions::from_json(options)?;
                settings.journal.as_ref().ok_or_else(no_journal)?;
                options.check(settings)?;
                let to_start = ToStart::new(operation, &options.call);
                let work =
                    move |call: &mut Call<'_>| Ok(json::written(&call.journal_resolve(&options)?));
                (to_start, whole(work))
            }
            Operation::Recover => {
                let options = RecoverOptions::from_json(options)?;
                read_sales(request, settings)?;
                let sales = request.map(str::to_owned);
                options.check(settings)?;
                let to_start = ToStart::new(operation, &options.statuses.call);
                let work = move |call: &mut Call<'_>| call.recover_json(sales.as_deref(), &options);
                (to_start, whole(work))
            }
            other => {
                let problem = format!("the operation {} cannot be started", other.name());
                return Err(Error::argument(Cause::InvalidValue, problem));
            }
        })
    }

    /// A call with one request.
    fn short_call(
        &self,
        operation: Operation,
        subject: Option<StatusQuery<'static>>,
        options: &CallOptions,
    ) -> ToStart {
        let timeout = self.shared.settings.config.timeout;
        ToStart {
            subject,
            timeout: Some(options.timeout.unwrap_or(timeout)),
            ..ToStart::new(operation, options)
        }
    }

    /// Puts a call into the queue. It can be cancelled from here on.
    fn start<T: Send + 'static>(
        &self,
        to_start: ToStart,
        begin: Begin<T>,
        listener: Listener,
        deliver: Deliver<T>,
    ) -> Result<Arc<CancelScope>, Error> {
        if !watch_for_exit() {
            return Err(no_thread(std::io::Error::other("the process is exiting")));
        }
        let shared = &self.shared;
        let process = shared.process_state();
        let queue = process.queue(shared.settings.config.max_calls as usize);
        let (id, observer) = queue.observer();
        let scope = CancelScope::observed_by(observer);
        let mut registration = shared.register(Arc::new(scope), None);
        registration.add_token(to_start.token.as_ref());
        if shared.is_stopped() {
            return Err(stopped());
        }
        let scope = Arc::clone(registration.scope());
        let log = shared.log();
        let mut state = CallState::new(self, to_start.operation, log, registration, None);
        state.subject = to_start.subject;
        state.tag = to_start.tag;
        let task = Task {
            id,
            client: self.clone(),
            deadline: to_start.timeout.map(|time| state.started + time),
            state,
            listener,
            next: Next::Begin(Some(begin)),
            deliver,
        };
        queue.push(Box::new(task)).map_err(no_thread)?;
        Ok(scope)
    }

    /// Takes the next answer of a call that was started with [`Receiver::Taken`]. Waits for it, but
    /// not once the client was stopped or freed and no answer can come any more. The function of
    /// [`crate::set_idle`] runs meanwhile. Without an answer, it closes the connections that were
    /// idle for too long.
    ///
    /// # Errors
    /// [`Code::Cancelled`] if that function asked for it. No answer is lost.
    pub fn take_done(&self, wait: Duration) -> Result<Option<Answer>, Error> {
        let is_stopped = || self.shared.is_stopped();
        let answers = self.shared.process_state().answers();
        let taken = answers.take(wait, &is_stopped)?;
        if taken.is_none() {
            // The function may have forked: then these are the child's own.
            self.shared.process_state().connections.close_old();
        }
        Ok(taken)
    }

    /// What an event loop can wait for: it is ready while an answer waits for [`Client::take_done`].
    /// `None` if the system has none.
    pub fn done_handle(&self) -> Option<isize> {
        self.shared.process_state().answers().handle()
    }

    /// For libraries around this one: nobody has the client any more, except the calls that run. Ends
    /// the started calls that wait for a thread.
    pub fn free(&self) {
        self.shared.process_state().free();
    }
}

/// Refuses a request to an operation that has none.
fn no_request(operation: Operation, request: Option<&str>) -> Result<(), Error> {
    let members = request.map(|text| json::read_object(text, "the request"));
    if members
        .transpose()?
        .is_none_or(|members| members.is_empty())
    {
        return Ok(());
    }
    let problem = format!("{} has options and no request", operation.name());
    Err(Error::argument(Cause::InvalidValue, problem))
}

/// What a query is about. If it is invalid, the call says so later.
fn subject_of(query: &str) -> Option<StatusQuery<'static>> {
    let query = StatusQuery::from_json(query).ok()?;
    Some(query.into_owned())
}

/// The work of a call that holds its thread until the end.
fn whole<T: 'static>(
    work: impl FnOnce(&mut Call<'_>) -> Result<T, Error> + Send + 'static,
) -> Begin<T> {
    Box::new(move |call| work(call).map(Begun::Done))
}

/// The work of a wait for a payment. `result` makes the result of it.
fn wait<T: 'static>(
    begin: impl FnOnce(&mut Call<'_>) -> Result<PaymentWait, Error> + Send + 'static,
    result: fn(Waited) -> T,
) -> Begin<T> {
    Box::new(move |call| Ok(Begun::Waits(Box::new(begin(call)?), result)))
}

fn no_thread(error: std::io::Error) -> Error {
    let why = describe_error(&error);
    let message = format!("no thread could be started for the call ({why}); nothing was sent");
    Error::new(Code::Internal, Cause::NoThread, message)
        .with_source(Some(Arc::new(error) as Source))
}
