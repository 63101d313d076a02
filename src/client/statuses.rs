//! The statuses of many orders: one query each, several at a time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use crate::client::Client;
use crate::client::batch::{Batch, Permit};
use crate::client::call::{Call, RegisteredCall};
use crate::client::channel::{Channel, Item, Worker};
use crate::client::log::{Log, LogEvent, OwnedEvent, Step, StepEnd};
use crate::client::status_recorder::StatusRecorder;
use crate::client::summary::Summary;
use crate::connection::{CallContext, start_thread, wipe_registers};
use crate::error::{Cause, Code, Error, Operation, Outcome, Source};
use crate::gateway::status::Status;
use crate::gateway::status_query::StatusQuery;
use crate::settings::options::StatusesOptions;
use crate::text::json::Elements;

/// Enough for the system's name lookup and TLS, with room to spare.
const STACK: usize = 512 * 1024;

/// A query, or the error in it.
pub(crate) type ParsedQuery = Result<StatusQuery<'static>, Error>;

impl Client {
    /// Asks for many statuses, several at a time. `each` receives every query's index and result as
    /// responses arrive, on the calling thread, and returns whether to continue. Queries are also
    /// taken on the calling thread, between the results, and only a few ahead of them: there may be
    /// more queries than fit into memory.
    /// An iterator that blocks delays the results, so it must not wait for one of them.
    ///
    /// ```
    /// # let client = payorder::Client::from_json(
    /// #     r#"{"baseUrl":"http://127.0.0.1:9","clientKey":"k","clientId":"i","secretKey":"s"}"#,
    /// # )?;
    /// let queries = vec![payorder::StatusQuery::by_order("O-1")?];
    /// let options = payorder::StatusesOptions::default();
    /// let summary = client.get_statuses(queries, &options, |place, result| {
    ///     println!("{place}: {}", result.is_ok());
    ///     true
    /// })?;
    /// assert_eq!(summary.asked, 1);
    /// # Ok::<(), payorder::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Code::InvalidArgument`] for invalid options. An error in a query or in its response is
    /// that query's result.
    pub fn get_statuses(
        &self,
        queries: impl IntoIterator<Item = StatusQuery<'static>>,
        options: &StatusesOptions<'_>,
        mut each: impl FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        self.begin(Operation::GetStatuses).run(|call| {
            options.check(call.settings())?;
            let registered = call.register(options.call.cancellation.as_ref());
            self.query_and_record(
                call,
                &registered,
                queries.into_iter().map(Ok),
                options.clone().into_owned(),
                &mut each,
            )
        })
    }

    /// [`Client::get_statuses`] from JSON: an array of queries, and options.
    pub(crate) fn get_statuses_json<'a>(
        &self,
        texts: impl FnOnce() -> Result<(&'a str, Option<&'a str>), Error>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<String, Error> {
        let read = |call: &mut Call<'_>| {
            let (queries, options) = texts()?;
            let options = StatusesOptions::from_json(options)?;
            let queries = Elements::new(queries, "the array of queries")?
                .map(|query| StatusQuery::from_json(query).map(StatusQuery::into_owned));
            let registered = call.register(options.call.cancellation.as_ref());
            self.query_and_record(call, &registered, queries, options.into_owned(), each)
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
        options: StatusesOptions<'static>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        let Some(journal) = &call.settings().journal else {
            return self.query_all(call, registered, queries, options, each);
        };
        let mut recorder = StatusRecorder::new(journal, &registered.context, call.settings());
        let mut each = |index, result: Result<Status, Error>| {
            if let Ok(status) = &result {
                recorder.take(status);
            }
            each(index, result)
        };
        let summary = self.query_all(call, registered, queries, options, &mut each)?;
        recorder.write();
        if let Some(error) = recorder.error {
            let error = error.into_event_error();
            call.log_step(Step::JournalFailed, StepEnd::failed(&error));
        }
        Ok(summary)
    }

    /// Sends every query until the call is cancelled.
    pub(crate) fn query_all(
        &self,
        call: &mut Call<'_>,
        registered: &RegisteredCall,
        queries: impl Iterator<Item = ParsedQuery>,
        options: StatusesOptions<'static>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        let began = Instant::now();
        let end = &registered.context;
        let most = options.concurrency as usize;
        let work = Arc::new(Work {
            client: self.clone(),
            batch: Arc::new(Batch::new(Arc::clone(end), options.rate_per_second)),
            options,
        });
        let mut queries = queries.enumerate();
        // While a result waits, each worker may send one further query.
        let channel = Channel::new(2 * most);
        let mut workers = Workers {
            threads: Vec::new(),
            end: Arc::clone(end),
            channel: Arc::clone(&channel),
        };
        let log = call.log();
        let mut not_started = None;
        for _ in 0..most {
            let (work, worker) = (Arc::clone(&work), channel.worker());
            let log = log.is_some().then(|| forwarding_log(Arc::clone(&channel)));
            match start_thread("status", STACK, move || {
                work.run_worker(&worker, log.as_ref())
            }) {
                Ok(thread) => workers.threads.push(thread),
                // Fewer threads only take longer.
                Err(error) => {
                    not_started = Some(error);
                    break;
                }
            }
        }
        if workers.threads.is_empty() {
            return Err(Error::new(
                Code::Internal,
                Cause::NoResources,
                "the system could not start a thread for the queries; nothing was sent",
            )
            .with_source(not_started.map(|error| Arc::new(error) as Source)));
        }
        give(&channel, &mut queries, 2 * most);
        let mut summary = Summary::default();
        let mut items = VecDeque::new();
        'all: while channel.next(&mut items) {
            let mut handled = 0;
            while let Some(item) = items.pop_front() {
                match item {
                    Item::Event(event) => {
                        if let Some(log) = &log {
                            call.emit(log, &event.event());
                        }
                    }
                    Item::Result((index, result)) => {
                        call.record_outcome(
                            result
                                .as_ref()
                                .as_ref()
                                .err()
                                .map_or(Outcome::Done, Error::outcome),
                        );
                        summary.count(&result);
                        handled += 1;
                        if !each(index, *result) && end.belongs_to_this_process() {
                            end.cancel();
                        }
                    }
                }
                // In a forked child, what is shared with the workers may stay locked forever.
                if !end.belongs_to_this_process() {
                    break 'all;
                }
                if handled == most || items.is_empty() && handled > 0 {
                    match end.is_cancelled() {
                        true => channel.end_queries(),
                        false => give(&channel, &mut queries, handled),
                    }
                    handled = 0;
                }
            }
        }
        workers.check_not_forked()?;
        summary.stopped = end.is_cancelled();
        summary.elapsed = began.elapsed();
        Ok(summary)
    }
}

/// What the worker threads share.
struct Work {
    client: Client,
    batch: Arc<Batch>,
    options: StatusesOptions<'static>,
}

type Query = (usize, ParsedQuery);
type QueryResult = (usize, Box<Result<Status, Error>>);
type StatusChannel = Channel<Query, QueryResult, OwnedEvent>;

/// Gives the next queries to the workers.
fn give(channel: &StatusChannel, queries: &mut impl Iterator<Item = Query>, count: usize) {
    let next: Vec<Query> = queries.take(count).collect();
    let all = next.len() < count;
    channel.give(next.into_iter());
    if all {
        channel.end_queries();
    }
}

impl Work {
    /// Sends one query after the other until there are none, the batch is over, or the channel is
    /// closed.
    fn run_worker(&self, worker: &Worker<Query, QueryResult, OwnedEvent>, log: Option<&Arc<Log>>) {
        // Before the permit: a worker without a query must not wait for one.
        while let Some((index, query)) = worker.next() {
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
            wipe_registers();
            if not_asked(&result) {
                break;
            }
            if !worker.send((index, Box::new(result))) {
                break;
            }
        }
        worker.end_queries();
    }
}

/// Whether the batch ended after the permit was granted and before the query began. Such a query
/// has no result, like those that come after it.
fn not_asked(result: &Result<Status, Error>) -> bool {
    let ended = |error: &Error| error.code() == Code::Cancelled && error.attempts() == Some(0);
    result.as_ref().is_err_and(ended)
}

/// A log that forwards events to the thread that made the call, where the program expects them.
fn forwarding_log(channel: Arc<StatusChannel>) -> Arc<Log> {
    Arc::new(Box::new(move |event: &LogEvent<'_>| {
        channel.post(OwnedEvent::of(event))
    }))
}

/// The worker threads. None of them outlives the call.
struct Workers {
    threads: Vec<JoinHandle<()>>,
    end: Arc<CallContext>,
    channel: Arc<StatusChannel>,
}

impl Workers {
    /// An error in a forked child, which has no worker threads: the call belongs to the parent.
    fn check_not_forked(self) -> Result<(), Error> {
        if self.end.belongs_to_this_process() {
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
        if !self.end.belongs_to_this_process() {
            // The threads belong to the parent, and may have held a lock at the fork.
            return std::mem::forget(threads);
        }
        if std::thread::panicking() {
            self.end.cancel();
        }
        self.channel.close();
        for thread in threads {
            // A panic in a call has become that call's result.
            drop(thread.join());
        }
    }
}
