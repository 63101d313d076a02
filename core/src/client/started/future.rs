//! A started call of a Rust program: a future, which can also be waited for.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex};
use std::task::{Context, Poll, Waker};
use std::time::Instant;

use crate::client::Client;
use crate::client::call::Call;
use crate::client::check::Checked;
use crate::client::errors::ErrorContext;
use crate::client::reconcile::{Resolved, no_journal};
use crate::client::recover::{Recovered, check_typed};
use crate::client::started::job::Listener;
use crate::client::started::task::{Begin, Deliver};
use crate::client::started::{ToStart, wait, whole};
use crate::client::wait::{PaymentWait, Waited};
use crate::connection::{CancelScope, Ended, SentBytes, wait_without_call};
use crate::error::{Error, Operation};
use crate::gateway::order::Order;
use crate::gateway::verify::Expected;
use crate::limits::LONGEST_CALL;
use crate::lock::{lock, wait_for};
use crate::payment::checkout::Checkout;
use crate::payment::status::Status;
use crate::query::StatusQuery;
use crate::settings::options::{
    CallOptions, CheckOptions, RecoverOptions, StatusesOptions, WaitOptions,
};

/// A call that was started. It is a [`Future`] for any executor, and [`Started::wait`] waits for it
/// without one.
///
/// The call goes on when this is dropped: an order that may be out cannot be taken back.
/// [`Started::cancel`] ends it.
///
/// ```
/// # let client = payorder_core::Client::from_json(
/// #     r#"{"baseUrl":"http://127.0.0.1:9","clientKey":"k","clientId":"i","secretKey":"s"}"#,
/// # )?;
/// let query = payorder_core::StatusQuery::by_order("O-1")?;
/// let started = client.start_get_status(query, &payorder_core::CallOptions::default())?;
/// // Do something else, or `started.await` in an async function.
/// if let Err(error) = started.wait() {
///     println!("{error}: {}", error.action().name());
/// }
/// # Ok::<(), payorder_core::Error>(())
/// ```
#[must_use = "the result says what happened to the order"]
pub struct Started<T> {
    place: Arc<Place<T>>,
    scope: Arc<CancelScope>,
    /// For the error of a forked child, which does not have the call.
    operation: Operation,
    subject: Option<StatusQuery<'static>>,
}

/// Where the result comes.
struct Place<T> {
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    result: Option<Result<T, Error>>,
    waker: Option<Waker>,
}

impl<T: Send + 'static> Place<T> {
    fn new() -> Arc<Place<T>> {
        Arc::new(Place {
            state: Mutex::new(State {
                result: None,
                waker: None,
            }),
            changed: Condvar::new(),
        })
    }

    /// Puts the result here.
    fn deliver(self: &Arc<Self>) -> Deliver<T> {
        let place = Arc::clone(self);
        Box::new(move |result| {
            let mut state = lock(&place.state);
            state.result = Some(result);
            let waker = state.waker.take();
            drop(state);
            place.changed.notify_all();
            if let Some(waker) = waker {
                waker.wake();
            }
            None
        })
    }
}

impl<T: Send + 'static> Started<T> {
    /// Ends the call within 100 ms, also while it waits for a thread. Its result says what happened.
    pub fn cancel(&self) {
        if self.scope.belongs_to_this_process() {
            self.scope.cancel();
        }
    }

    fn forked(&self) -> Error {
        let errors = ErrorContext {
            operation: self.operation,
            host: "",
            sent: &SentBytes::default(),
        };
        let mut error = errors.forked();
        error.set_operation(self.operation, self.subject.as_ref());
        error
    }

    /// Waits for the result. The function of [`crate::set_idle`] runs meanwhile, and may cancel the
    /// call.
    ///
    /// # Errors
    /// Those of the method that blocks. In a forked child, the call goes on in the parent:
    /// [`crate::Cause::Forked`].
    pub fn wait(self) -> Result<T, Error> {
        loop {
            let waited = wait_without_call(Instant::now() + LONGEST_CALL, |time| {
                if !self.scope.belongs_to_this_process() {
                    return Err(Ended::Forked);
                }
                let mut state = lock(&self.place.state);
                if state.result.is_none() {
                    state = wait_for(&self.place.changed, state, time);
                }
                Ok(state.result.take())
            });
            match waited {
                Ok(result) => return result,
                // The result is still to come.
                Err(Ended::Cancelled) => self.cancel(),
                Err(Ended::Forked) => return Err(self.forked()),
                Err(Ended::TimedOut) => {}
            }
        }
    }
}

impl<T: Send + 'static> Future for Started<T> {
    type Output = Result<T, Error>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Result<T, Error>> {
        if !self.scope.belongs_to_this_process() {
            return Poll::Ready(Err(self.forked()));
        }
        // An executor's waker may use this future: it is cloned and dropped without the lock.
        let waker = context.waker().clone();
        let mut state = lock(&self.place.state);
        if let Some(result) = state.result.take() {
            return Poll::Ready(result);
        }
        let before = state.waker.replace(waker);
        drop(state);
        drop(before);
        Poll::Pending
    }
}

impl Client {
    /// [`Client::create_order`] without blocking.
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for invalid options, [`crate::Code::Cancelled`] after
    /// [`Client::stop`], and [`crate::Code::Internal`] if the system has no thread. Nothing was sent.
    pub fn start_create_order(
        &self,
        order: Order<'static>,
        options: &CallOptions,
    ) -> Result<Started<Checkout>, Error> {
        options.check(&self.shared.settings)?;
        let subject = StatusQuery::Order(order.order_id().to_owned().into());
        let to_start = self.short_call(Operation::CreateOrder, Some(subject), options);
        let options = options.clone();
        let work = move |call: &mut Call<'_>| {
            let order = order.into_request(call.body_options(&options));
            call.create_order(order, &options)
        };
        self.start_future(to_start, whole(work))
    }

    /// [`Client::get_status`] without blocking.
    ///
    /// # Errors
    /// As [`Client::start_create_order`].
    pub fn start_get_status(
        &self,
        query: StatusQuery<'static>,
        options: &CallOptions,
    ) -> Result<Started<Status>, Error> {
        options.check(&self.shared.settings)?;
        let to_start = self.short_call(Operation::GetStatus, Some(query.clone()), options);
        let options = options.clone();
        let work = move |call: &mut Call<'_>| call.get_status(&query, &options);
        self.start_future(to_start, whole(work))
    }

    /// [`Client::wait_for_payment`] without blocking. It holds no thread between its queries.
    ///
    /// # Errors
    /// As [`Client::start_create_order`].
    pub fn start_wait_for_payment(
        &self,
        query: StatusQuery<'static>,
        options: &WaitOptions,
    ) -> Result<Started<Waited>, Error> {
        options.check(&self.shared.settings)?;
        let to_start = ToStart::wait(Some(query.clone()), options);
        let options = options.clone();
        let begin = move |call: &mut Call<'_>| PaymentWait::begin(call, query, options);
        self.start_future(to_start, wait(begin, |waited| waited))
    }

    /// [`Client::recover`] without blocking.
    ///
    /// # Errors
    /// As [`Client::start_create_order`]; also for sales that [`Client::recover`] refuses.
    pub fn start_recover(
        &self,
        sales: Vec<Expected<'static>>,
        options: &RecoverOptions,
    ) -> Result<Started<Recovered>, Error> {
        let settings = &self.shared.settings;
        check_typed(&sales, settings)?;
        options.check(settings)?;
        let to_start = ToStart::new(Operation::Recover, &options.statuses.call);
        let options = options.clone();
        let work = move |call: &mut Call<'_>| call.recover(&sales, &options);
        self.start_future(to_start, whole(work))
    }

    /// [`Client::journal_resolve`] without blocking.
    ///
    /// # Errors
    /// As [`Client::start_create_order`]; also for a client without a journal.
    pub fn start_journal_resolve(
        &self,
        options: &StatusesOptions,
    ) -> Result<Started<Resolved>, Error> {
        let settings = &self.shared.settings;
        settings.journal.as_ref().ok_or_else(no_journal)?;
        options.check(settings)?;
        let to_start = ToStart::new(Operation::JournalResolve, &options.call);
        let options = options.clone();
        let work = move |call: &mut Call<'_>| call.journal_resolve(&options);
        self.start_future(to_start, whole(work))
    }

    /// [`Client::check`] without blocking.
    ///
    /// # Errors
    /// As [`Client::start_create_order`].
    pub fn start_check(&self, options: &CheckOptions) -> Result<Started<Checked>, Error> {
        options.call.check(&self.shared.settings)?;
        let to_start = ToStart::new(Operation::Check, &options.call);
        let options = options.clone();
        let work = move |call: &mut Call<'_>| call.check(&options);
        self.start_future(to_start, whole(work))
    }

    fn start_future<T: Send + 'static>(
        &self,
        to_start: ToStart,
        begin: Begin<T>,
    ) -> Result<Started<T>, Error> {
        let place = Place::new();
        let (operation, subject) = (to_start.operation, to_start.subject.clone());
        let scope = self.start(to_start, begin, Listener::Future, place.deliver())?;
        Ok(Started {
            place,
            scope,
            operation,
            subject,
        })
    }
}
