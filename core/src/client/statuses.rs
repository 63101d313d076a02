//! The statuses of many orders: one query each, several at a time.

use std::iter;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::client::batch::{Batch, Permit};
use crate::client::call::Call;
use crate::client::callers_code::CallersCode;
use crate::client::channel::Channel;
use crate::client::log::{Log, LogEvent};
use crate::client::status_recorder::StatusRecorder;
use crate::client::summary::Summary;
use crate::connection::{CancelScope, Ended};
use crate::error::{Cause, Code, Error, Operation, Outcome, Source};
use crate::journal::{JournalError, StatusUpdate};
use crate::limits::LONGEST_CALL;
use crate::payment::status::Status;
use crate::platform::threads;
use crate::query::StatusQuery;
use crate::settings::options::StatusesOptions;

/// Enough for the system's name lookup and TLS, with room to spare.
const STACK: usize = 512 * 1024;
/// Longer than any query takes.
const LONG: Duration = LONGEST_CALL.saturating_mul(2);

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
    ///
    /// # Panics
    /// If `each` or the iterator panics: no more queries are sent, and the panic goes on.
    pub fn get_statuses(
        &self,
        queries: impl IntoIterator<Item = StatusQuery<'static>>,
        options: &StatusesOptions,
        mut each: impl FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        let code = CallersCode::default();
        let mut queries = queries.into_iter();
        let queries = iter::from_fn(|| code.run(None, || queries.next())).map(Ok);
        let mut each = |place, result| code.run(false, || each(place, result));
        let summary = self.call(Operation::GetStatuses, |call| {
            call.get_statuses(queries, options.clone(), &mut each)
        });
        code.resume_panic();
        summary
    }
}

impl Call<'_> {
    /// [`Client::get_statuses`] with queries that may be invalid, each of which has its error.
    pub fn get_statuses(
        &mut self,
        queries: impl Iterator<Item = ParsedQuery>,
        options: StatusesOptions,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        self.note_tag(&options.call);
        options.check(self.settings())?;
        self.add_token(options.call.cancellation.as_ref())?;
        let batch = self.batch(&options);
        let (summary, failed) = self.query_all(&batch, queries, options, each)?;
        if let Some(error) = failed {
            self.log_journal_failure(error);
        }
        Ok(summary)
    }

    pub(super) fn batch(&self, options: &StatusesOptions) -> Arc<Batch> {
        Arc::new(Batch::new(self.scope(), options.rate_per_second))
    }

    /// Sends every query until the call is cancelled, and records the statuses if there is a
    /// journal. Also returns why that failed, if it did: a call whose purpose it is then sends no
    /// more queries.
    pub(super) fn query_all(
        &mut self,
        batch: &Arc<Batch>,
        queries: impl Iterator<Item = ParsedQuery>,
        mut options: StatusesOptions,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<(Summary, Option<JournalError>), Error> {
        let began = Instant::now();
        let most = options.concurrency as usize;
        // The token cancels the whole call, and so each of its queries.
        options.call.cancellation = None;
        let mut recorder = self.recorder();
        let no_more = &batch.no_more;
        let mut workers = Workers {
            threads: Vec::new(),
            ended: 0,
            scope: Arc::clone(self.scope()),
            work: Arc::new(SharedWork {
                client: self.client.clone(),
                batch: Arc::clone(batch),
                options,
                has_log: self.log.is_some(),
                queries: Channel::new(),
                from_workers: Arc::new(Channel::new()),
            }),
            start_failed: false,
        };
        let mut queries = queries.enumerate();
        let mut summary = Summary::default();
        // How many queries have no result yet.
        let mut ahead = 0;
        let mut is_complete = false;
        loop {
            is_complete |= no_more.is_cancelled();
            while ahead < most && !is_complete {
                match queries.next() {
                    _ if self.is_forked() => break,
                    Some(query) if !no_more.is_cancelled() => {
                        workers.start(most)?;
                        workers.work.queries.push(query);
                        ahead += 1;
                    }
                    _ => is_complete = true,
                }
                is_complete |= no_more.is_cancelled();
            }
            // In a forked child, what is shared with the workers may stay locked forever.
            if self.is_forked() {
                break;
            }
            if is_complete {
                workers.work.queries.end();
            }
            let due = recorder.as_ref().and_then(StatusRecorder::due);
            match workers.next(due) {
                None | Some(FromWorker::Ended) => break,
                Some(FromWorker::Nothing) => {
                    recorder.iter_mut().for_each(StatusRecorder::write_early)
                }
                Some(FromWorker::Event(event)) => {
                    if let Some(log) = &self.log {
                        self.emit(log, &event);
                    }
                }
                Some(FromWorker::Result(index, answer)) => {
                    let (result, learned) = *answer;
                    ahead -= 1;
                    let error = result.as_ref().err();
                    self.note_outcome(error.map_or(Outcome::Done, Error::outcome));
                    summary.count(&result);
                    if let (Some(recorder), Some(learned)) = (&mut recorder, learned) {
                        recorder.take(learned);
                    }
                    if !each(index, result) && !self.is_forked() {
                        no_more.cancel();
                    }
                }
            }
            let has_failed = recorder.as_ref().is_some_and(StatusRecorder::has_failed);
            if has_failed && self.operation == Operation::JournalResolve && !self.is_forked() {
                no_more.cancel();
            }
        }
        if self.is_forked() {
            return Err(self.errors().forked());
        }
        let failed = recorder.and_then(StatusRecorder::end);
        summary.stopped = no_more.is_cancelled() || self.scope().is_cancelled();
        summary.elapsed = began.elapsed();
        let failed = match failed {
            // There was no time to record the last answers. They came all the same.
            Some(error @ JournalError::CallEnded) if summary.stopped => {
                self.log_journal_failure(error);
                None
            }
            failed => failed,
        };
        Ok((summary, failed))
    }
}

struct SharedWork {
    client: Client,
    batch: Arc<Batch>,
    options: StatusesOptions,
    has_log: bool,
    queries: Channel<(usize, ParsedQuery)>,
    from_workers: Arc<Channel<FromWorker>>,
}

enum FromWorker {
    /// The place of a query, its result, and what the journal learns from it.
    Result(usize, Box<(Result<Status, Error>, Option<StatusUpdate>)>),
    Event(LogEvent<'static>),
    /// The worker has ended: nothing more comes from it.
    Ended,
    /// Nothing came in time.
    Nothing,
}

impl SharedWork {
    /// Sends one query after the other until there are none, or the batch is over.
    fn run_worker(&self) {
        let log = self.has_log.then(|| self.forwarding_log());
        let _notice = EndedNotice(&self.from_workers);
        // Before the permit: a worker without a query must not wait for one.
        while let Some((index, query)) = self.queries.next() {
            if self.batch.acquire(None) != Permit::Granted {
                break;
            }
            let batch = Some(Arc::clone(&self.batch));
            let call = Call::new(&self.client, Operation::GetStatus, log.clone(), batch);
            let mut learned = None;
            let result = call.run(|call| {
                call.note_tag(&self.options.call);
                let status = call.query_status(&query?, &self.options.call)?;
                learned = call.learned(&status);
                Ok(status)
            });
            if not_asked(&result) {
                break;
            }
            self.from_workers
                .push(FromWorker::Result(index, Box::new((result, learned))));
        }
        self.queries.end();
    }

    /// A log that forwards events to the thread that made the call, where the program expects them.
    fn forwarding_log(&self) -> Arc<Log> {
        let from_workers = Arc::clone(&self.from_workers);
        Arc::new(Box::new(move |event: &LogEvent<'_>| {
            from_workers.push(FromWorker::Event(event.clone().into_owned()));
        }))
    }
}

/// Says that a worker has ended, also after a panic.
struct EndedNotice<'q>(&'q Channel<FromWorker>);

impl Drop for EndedNotice<'_> {
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
    fn start(&mut self, most: usize) -> Result<(), Error> {
        if self.threads.len() == most || self.start_failed {
            return Ok(());
        }
        let work = Arc::clone(&self.work);
        match threads::start("status", STACK, move || work.run_worker()) {
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

    /// Waits for what comes next, and no longer than until `due`. `None` when no worker is left, or in
    /// a forked child.
    fn next(&mut self, due: Option<Instant>) -> Option<FromWorker> {
        while self.ended < self.threads.len() {
            match self.wait(due)? {
                FromWorker::Ended => self.ended += 1,
                other => return Some(other),
            }
        }
        None
    }

    /// Waits for what a running worker delivers. `None` in a forked child.
    fn wait(&self, due: Option<Instant>) -> Option<FromWorker> {
        let from_workers = &self.work.from_workers;
        let next = |time| Ok(from_workers.next_within(time));
        loop {
            let until = due.unwrap_or_else(|| Instant::now() + LONG);
            match self.scope.wait(until, next) {
                Ok(delivered) => return Some(delivered),
                Err(Ended::Forked) => return None,
                Err(Ended::TimedOut) if due.is_some() => return Some(FromWorker::Nothing),
                // A permit may take long, if the rate is low.
                Err(Ended::TimedOut) => {}
                // The workers end soon.
                Err(Ended::Cancelled) => return from_workers.next(),
            }
        }
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
