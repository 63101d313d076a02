//! The statuses of many orders: one query each, several at a time.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::client::batch::{Batch, Permit};
use crate::client::call::{Call, RegisteredCall};
use crate::client::log::{Log, LogEvent, OwnedEvent, Step};
use crate::client::queue::Queue;
use crate::client::status_recorder::StatusRecorder;
use crate::client::summary::Summary;
use crate::connection::{CancelScope, Ended};
use crate::error::{Cause, Code, Error, Operation, Outcome, Source};
use crate::gateway::status::Status;
use crate::journal::JournalError;
use crate::limits::LONGEST_CALL;
use crate::platform::threads;
use crate::query::StatusQuery;
use crate::settings::options::{JsonOptions, StatusesOptions};
use crate::text::json;

/// Enough for the system's name lookup and TLS, with room to spare.
const STACK: usize = 512 * 1024;
/// Longer than any query takes.
const LONG: Duration = LONGEST_CALL.saturating_mul(2);

/// A query, or the error in it.
pub(crate) type ParsedQuery = Result<StatusQuery<'static>, Error>;

/// A query that does not borrow its text.
fn parsed(text: &str) -> ParsedQuery {
    StatusQuery::from_json(text).map(StatusQuery::into_owned)
}

impl Client {
    /// Asks for many statuses, several at a time. `each` receives every query's index and result as
    /// responses arrive, on the calling thread, and returns whether to continue. Queries are also
    /// taken on the calling thread, between the results, and only a few ahead of them: there may be
    /// more queries than fit into memory.
    /// An iterator that blocks delays the results, so it must not wait for one of them.
    ///
    /// ```
    /// # let client = payorder_core::Client::from_json(
    /// #     r#"{"baseUrl":"http://127.0.0.1:9","clientKey":"k","clientId":"i","secretKey":"s"}"#,
    /// # )?;
    /// let queries = vec![payorder_core::StatusQuery::by_order("O-1")?];
    /// let options = payorder_core::StatusesOptions::default();
    /// let summary = client.get_statuses(queries, &options, |place, result| {
    ///     println!("{place}: {}", result.is_ok());
    ///     true
    /// })?;
    /// assert_eq!(summary.asked, 1);
    /// # Ok::<(), payorder_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Code::InvalidArgument`] for invalid options. An error in a query or in its response is
    /// that query's result.
    pub fn get_statuses(
        &self,
        queries: impl IntoIterator<Item = StatusQuery<'static>>,
        options: &StatusesOptions,
        mut each: impl FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        self.begin(Operation::GetStatuses).run(|call| {
            options.check(call.settings())?;
            let registered = call.register(options.call.cancellation.as_ref());
            self.query_and_record(
                call,
                &registered,
                queries.into_iter().map(Ok),
                options.clone(),
                &mut each,
            )
        })
    }

    /// [`Client::get_statuses`] from JSON: an array of queries, and options.
    #[doc(hidden)]
    pub fn get_statuses_json<'a>(
        &self,
        texts: impl FnOnce() -> Result<(&'a str, JsonOptions<'a>), Error>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<String, Error> {
        let given = || {
            let (queries, options) = texts()?;
            let options = StatusesOptions::from_json(options)?;
            let queries = json::elements(queries, "the array of queries")?;
            Ok((queries.map(parsed), options))
        };
        self.stream_statuses_json(given, each)
    }

    /// The same with queries that come one after the other.
    #[doc(hidden)]
    pub fn stream_statuses_json<Q: Iterator<Item = ParsedQuery>>(
        &self,
        given: impl FnOnce() -> Result<(Q, StatusesOptions), Error>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let (queries, options) = given()?;
            let registered = call.register(options.call.cancellation.as_ref());
            self.query_and_record(call, &registered, queries, options, each)
        };
        self.begin(Operation::GetStatuses)
            .run(read)
            .map(|summary| summary.to_json())
    }

    /// Sends every query, and records the statuses in the journal if there is one.
    fn query_and_record(
        &self,
        call: &mut Call<'_>,
        registered: &RegisteredCall,
        queries: impl Iterator<Item = ParsedQuery>,
        options: StatusesOptions,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        let recorder = call.recorder(&registered.scope);
        let (summary, failed) =
            self.query_all(call, registered, queries, options, recorder, each)?;
        if let Some(error) = failed {
            let error = error.into_event_error();
            call.log_step(Step::JournalFailed, Some(Err(&error)));
        }
        Ok(summary)
    }

    /// Sends every query until the call is cancelled, and records the statuses. Also returns why
    /// that failed, if it did: a call whose purpose it is then sends no more queries.
    pub(crate) fn query_all(
        &self,
        call: &mut Call<'_>,
        registered: &RegisteredCall,
        queries: impl Iterator<Item = ParsedQuery>,
        mut options: StatusesOptions,
        mut recorder: Option<StatusRecorder<'_>>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<(Summary, Option<JournalError>), Error> {
        let began = Instant::now();
        let scope = &registered.scope;
        let most = options.concurrency as usize;
        // The token cancels the whole call, and so each of its queries.
        options.call.cancellation = None;
        let work = Arc::new(SharedWork {
            client: self.clone(),
            batch: Arc::new(Batch::new(scope, options.rate_per_second)),
            options,
            queries: Queue::new(),
            from_workers: Arc::new(Queue::new()),
        });
        let end = &work.batch.end;
        let log = call.log();
        let mut workers = Workers {
            threads: Vec::new(),
            ended: 0,
            scope: Arc::clone(scope),
            work: Arc::clone(&work),
            start_failed: false,
        };
        let mut queries = queries.enumerate();
        let mut summary = Summary::default();
        // How many queries have no result yet.
        let mut ahead = 0;
        let mut is_complete = false;
        loop {
            is_complete |= end.is_cancelled();
            while ahead < most && !is_complete {
                match queries.next() {
                    _ if !scope.belongs_to_this_process() => break,
                    Some(query) if !end.is_cancelled() => {
                        workers.start(most, log.is_some())?;
                        work.queries.push(query);
                        ahead += 1;
                    }
                    _ => is_complete = true,
                }
                is_complete |= end.is_cancelled();
            }
            // In a forked child, what is shared with the workers may stay locked forever.
            if !scope.belongs_to_this_process() {
                break;
            }
            if is_complete {
                work.queries.end();
            }
            match workers.next() {
                None | Some(FromWorker::Ended) => break,
                Some(FromWorker::Event(event)) => {
                    if let Some(log) = &log {
                        call.emit(log, &event.event());
                    }
                }
                Some(FromWorker::Result(index, result)) => {
                    ahead -= 1;
                    let error = result.as_ref().as_ref().err();
                    call.record_outcome(error.map_or(Outcome::Done, Error::outcome));
                    summary.count(&result);
                    if let (Some(recorder), Ok(status)) = (&mut recorder, &*result)
                        && !recorder.take(status)
                        && call.operation() != Operation::GetStatuses
                    {
                        end.cancel();
                    }
                    if !each(index, *result) && scope.belongs_to_this_process() {
                        end.cancel();
                    }
                }
            }
        }
        workers.check_not_forked()?;
        summary.stopped = end.is_cancelled();
        summary.elapsed = began.elapsed();
        Ok((summary, recorder.and_then(StatusRecorder::end)))
    }
}

struct SharedWork {
    client: Client,
    batch: Arc<Batch>,
    options: StatusesOptions,
    queries: Queue<(usize, ParsedQuery)>,
    from_workers: Arc<Queue<FromWorker>>,
}

enum FromWorker {
    Result(usize, Box<Result<Status, Error>>),
    Event(OwnedEvent),
    /// The worker has ended: nothing more comes from it.
    Ended,
}

impl SharedWork {
    /// Sends one query after the other until there are none, or the batch is over.
    fn run_worker(&self, log: Option<&Arc<Log>>) {
        let _end = WorkerEnd(&self.from_workers);
        // Before the permit: a worker without a query must not wait for one.
        while let Some((index, query)) = self.queries.next() {
            if self.batch.acquire(None) != Permit::Granted {
                break;
            }
            let call = Call::in_batch(
                &self.client.shared,
                Operation::GetStatus,
                Arc::clone(&self.batch),
                log.cloned(),
            );
            let result = call.run(|call| call.get_status(&query?, &self.options.call));
            if not_asked(&result) {
                break;
            }
            self.from_workers
                .push(FromWorker::Result(index, Box::new(result)));
        }
        self.queries.end();
    }
}

/// Says that a worker has ended, also after a panic.
struct WorkerEnd<'q>(&'q Queue<FromWorker>);

impl Drop for WorkerEnd<'_> {
    fn drop(&mut self) {
        self.0.push(FromWorker::Ended);
    }
}

/// Whether the batch ended after the permit was granted and before the query began. Such a query
/// has no result, like those that come after it.
fn not_asked(result: &Result<Status, Error>) -> bool {
    let ended = |error: &Error| error.code() == Code::Cancelled && error.attempts() == Some(0);
    result.as_ref().is_err_and(ended)
}

/// A log that forwards events to the thread that made the call, where the program expects them.
fn forwarding_log(from_workers: Arc<Queue<FromWorker>>) -> Arc<Log> {
    Arc::new(Box::new(move |event: &LogEvent<'_>| {
        from_workers.push(FromWorker::Event(OwnedEvent::of(event)));
    }))
}

/// The worker threads. None of them outlives the call.
struct Workers {
    threads: Vec<JoinHandle<()>>,
    ended: usize,
    scope: Arc<CancelScope>,
    work: Arc<SharedWork>,
    /// The system could not start another thread.
    start_failed: bool,
}

impl Workers {
    /// Starts another thread, up to `most`. Fewer threads only take longer.
    fn start(&mut self, most: usize, logs: bool) -> Result<(), Error> {
        if self.threads.len() == most || self.start_failed {
            return Ok(());
        }
        let work = Arc::clone(&self.work);
        let log = logs.then(|| forwarding_log(Arc::clone(&work.from_workers)));
        match threads::start("status", STACK, move || work.run_worker(log.as_ref())) {
            Ok(thread) => self.threads.push(thread),
            Err(_) if !self.threads.is_empty() => self.start_failed = true,
            Err(error) => {
                return Err(Error::new(
                    Code::Internal,
                    Cause::NoThread,
                    "the system could not start a thread for the queries; nothing was sent",
                )
                .with_source(Some(Arc::new(error) as Source)));
            }
        }
        Ok(())
    }

    /// Waits for what comes next. `None` when no worker is left, or in a forked child.
    fn next(&mut self) -> Option<FromWorker> {
        while self.ended < self.threads.len() {
            match self.wait()? {
                FromWorker::Ended => self.ended += 1,
                other => return Some(other),
            }
        }
        None
    }

    /// Waits for what a running worker delivers. `None` in a forked child.
    fn wait(&self) -> Option<FromWorker> {
        let from_workers = &self.work.from_workers;
        let next = |time| Ok(from_workers.next_within(time));
        match self.scope.wait(Instant::now() + LONG, next) {
            Ok(delivered) => Some(delivered),
            Err(Ended::Forked) => None,
            // The workers end soon.
            Err(Ended::Cancelled | Ended::TimedOut) => loop {
                if let Some(delivered) = from_workers.next_within(LONG) {
                    return Some(delivered);
                }
            },
        }
    }

    /// An error in a forked child, which has no worker threads: the call belongs to the parent.
    fn check_not_forked(self) -> Result<(), Error> {
        if self.scope.belongs_to_this_process() {
            return Ok(());
        }
        let what = "the process was forked during the call, which continues in the parent process";
        Err(Error::new(
            Code::InternalInFlight,
            Cause::Forked,
            format!("{what}; it is safe to ask for the statuses again"),
        ))
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        let threads = std::mem::take(&mut self.threads);
        if !self.scope.belongs_to_this_process() {
            // The threads belong to the parent, and may have held a lock at the fork.
            return std::mem::forget(threads);
        }
        if std::thread::panicking() {
            self.scope.cancel();
        }
        self.work.queries.end();
        for thread in threads {
            // A panic in a call has become that call's result.
            drop(thread.join());
        }
    }
}
