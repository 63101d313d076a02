//! The statuses of many orders: one query each, several at a time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crate::client::Client;
use crate::client::batch::{Batch, Permit};
use crate::client::call::{Call, RegisteredCall};
use crate::client::channel::{Channel, Sender};
use crate::client::log::{Log, LogEvent, OwnedEvent, Step, StepEnd};
use crate::client::status_recorder::StatusRecorder;
use crate::connection::{CallContext, start_thread, wipe_registers};
use crate::credentials::CallCredentials;
use crate::error::{Cause, Code, Error, Operation, Outcome, Source, milliseconds};
use crate::gateway::status::Status;
use crate::gateway::status_query::StatusQuery;
use crate::settings::options::StatusesOptions;
use crate::text::json::{self, Elements};

/// What came of many queries, as counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Queries whose result was delivered: the sum of the next four.
    pub asked: u64,
    /// Queries that returned a status.
    pub ok: u64,
    /// Queries that the service refused.
    pub rejected: u64,
    /// Queries without a usable response.
    pub unknown: u64,
    /// Queries that were not sent.
    pub not_sent: u64,
    /// The callback or another thread stopped it: queries may be left that were not asked.
    pub stopped: bool,
    /// The time for all of it.
    pub elapsed: Duration,
    /// How often each `transactionStatus` occurred: the first 1000 different ones of at most 64
    /// bytes. Longer ones count as `(other)`, together with any that reads so.
    pub transaction_status: BTreeMap<String, u64>,
}

/// A service that sends ever new texts must not fill the memory.
const MAX_DISTINCT_STATUSES: usize = 1000;
/// Texts with more bytes than this count as [`OTHER_STATUSES`].
const MAX_STATUS_BYTES: usize = 64;
const OTHER_STATUSES: &str = "(other)";
/// Enough for the system's name lookup and TLS, with room to spare.
const STACK: usize = 512 * 1024;

impl Summary {
    fn count(&mut self, result: &Result<Status, Error>) {
        self.asked += 1;
        match result {
            Ok(status) => {
                self.ok += 1;
                self.count_status(status.transaction_status());
            }
            Err(error) => match error.outcome() {
                Outcome::NotSent => self.not_sent += 1,
                Outcome::Rejected => self.rejected += 1,
                Outcome::Unknown | Outcome::Done => self.unknown += 1,
            },
        }
    }

    fn count_status(&mut self, text: &str) {
        let text = match text.len() <= MAX_STATUS_BYTES {
            true => text,
            false => OTHER_STATUSES,
        };
        let others = self.transaction_status.contains_key(OTHER_STATUSES);
        let distinct = self.transaction_status.len() - usize::from(others);
        if let Some(count) = self.transaction_status.get_mut(text) {
            *count += 1;
        } else if text == OTHER_STATUSES || distinct < MAX_DISTINCT_STATUSES {
            self.transaction_status.insert(text.to_owned(), 1);
        }
    }

    /// Redacts credentials in the statuses. Texts that are the same without them count together.
    fn redact(&mut self, credentials: &CallCredentials<'_>) {
        for (text, count) in std::mem::take(&mut self.transaction_status) {
            let text = credentials.redact(&text);
            *self.transaction_status.entry(text).or_default() += count;
        }
    }

    /// The summary as JSON, as in the C ABI.
    ///
    /// ```
    /// assert!(payorder::Summary::default().to_json().starts_with(r#"{"asked":0"#));
    /// ```
    pub fn to_json(&self) -> String {
        let mut summary = String::from("{");
        for (name, count) in [
            ("asked", self.asked),
            ("ok", self.ok),
            ("rejected", self.rejected),
            ("unknown", self.unknown),
            ("notSent", self.not_sent),
        ] {
            json::push_raw_field(&mut summary, name, &count.to_string());
        }
        json::push_raw_field(
            &mut summary,
            "stopped",
            if self.stopped { "true" } else { "false" },
        );
        json::push_raw_field(
            &mut summary,
            "elapsedMs",
            &milliseconds(self.elapsed).to_string(),
        );
        let mut statuses = String::from("{");
        for (status, count) in &self.transaction_status {
            json::push_raw_entry(&mut statuses, status, &count.to_string());
        }
        statuses.push('}');
        json::push_raw_field(&mut summary, "transactionStatus", &statuses);
        summary.push('}');
        summary
    }
}

/// A query, or the error in it.
pub(crate) type ParsedQuery = Result<StatusQuery<'static>, Error>;

impl Client {
    /// Asks for many statuses, several at a time. `each` receives every query's index and result as
    /// responses arrive, on the calling thread, and returns whether to continue. Queries are taken
    /// one at a time, so there may be more of them than fit into memory.
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
        queries: impl IntoIterator<Item = StatusQuery<'static>, IntoIter: Send + 'static>,
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
                .map(|query| StatusQuery::from_json(&query).map(StatusQuery::into_owned));
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
        queries: impl Iterator<Item = ParsedQuery> + Send + 'static,
        options: StatusesOptions<'static>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        let Some(journal) = &call.settings().journal else {
            return self.query_all(call, registered, queries, options, each);
        };
        let own = options.call.credentials.clone();
        let credentials = call.settings().credentials_with(&own);
        let mut recorder =
            StatusRecorder::new(journal, &registered.context, &credentials, call.settings());
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
        queries: impl Iterator<Item = ParsedQuery> + Send + 'static,
        options: StatusesOptions<'static>,
        each: &mut dyn FnMut(usize, Result<Status, Error>) -> bool,
    ) -> Result<Summary, Error> {
        let began = Instant::now();
        let end = &registered.context;
        let most = options.concurrency;
        let work = Arc::new(Work {
            client: self.clone(),
            batch: Arc::new(Batch::new(Arc::clone(end), options.rate_per_second)),
            queries: Mutex::new(Box::new(queries.enumerate())),
            options,
        });
        let channel = Channel::new();
        let mut workers = Workers {
            threads: Vec::new(),
            end: Arc::clone(end),
            channel: Arc::clone(&channel),
        };
        let log = call.log();
        let mut not_started = None;
        for _ in 0..most {
            let (work, sender) = (Arc::clone(&work), channel.sender());
            let log = log.is_some().then(|| forwarding_log(Arc::clone(&channel)));
            match start_thread("status", STACK, move || {
                work.run_worker(&sender, log.as_ref())
            }) {
                Ok(thread) => workers.threads.push(thread),
                // Fewer threads only take longer.
                Err(error) => {
                    not_started = Some(error);
                    break;
                }
            }
        }
        let mut summary = Summary::default();
        let mut take = |sender: Option<usize>, message: Message| {
            match message {
                Message::Event(event) => {
                    if let Some(log) = &log {
                        call.emit(log, &event.event());
                    }
                }
                Message::Result { index, result } => {
                    call.record_outcome(
                        result
                            .as_ref()
                            .as_ref()
                            .err()
                            .map_or(Outcome::Done, Error::outcome),
                    );
                    summary.count(&result);
                    if !each(index, *result) && end.belongs_to_this_process() {
                        end.cancel();
                    }
                }
            }
            // In a forked child, what is shared with the workers may stay locked forever.
            let goes_on = end.belongs_to_this_process();
            if let (true, Some(sender)) = (goes_on, sender) {
                channel.acknowledge(sender);
            }
            goes_on
        };
        if workers.threads.is_empty() {
            return Err(Error::new(
                Code::Internal,
                Cause::NoResources,
                "the system could not start a thread for the queries; nothing was sent",
            )
            .with_source(not_started.map(|error| Arc::new(error) as Source)));
        }
        while let Some((sender, message)) = channel.next() {
            if !take(sender, message) {
                break;
            }
        }
        workers.check_not_forked()?;
        let own = &work.options.call.credentials;
        summary.redact(&call.settings().credentials_with(own));
        summary.stopped = end.is_cancelled();
        summary.elapsed = began.elapsed();
        Ok(summary)
    }
}

/// What the worker threads share.
struct Work {
    client: Client,
    batch: Arc<Batch>,
    queries: Mutex<Box<dyn Iterator<Item = (usize, ParsedQuery)> + Send>>,
    options: StatusesOptions<'static>,
}

enum Message {
    Result {
        index: usize,
        result: Box<Result<Status, Error>>,
    },
    Event(OwnedEvent),
}

impl Work {
    /// Sends one query after the other until there are none, the batch is over, or the channel is
    /// closed. At most one further query is sent while a result waits to be handled.
    fn run_worker(&self, sender: &Sender<Message>, log: Option<&Arc<Log>>) {
        loop {
            // Before the permit: a worker without a query must not wait for one.
            let next = self
                .queries
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .next();
            let Some((index, query)) = next else { break };
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
            if !sender.send(Message::Result {
                index,
                result: Box::new(result),
            }) {
                break;
            }
        }
    }
}

/// Whether the batch ended after the permit was granted and before the query began. Such a query
/// has no result, like those that come after it.
fn not_asked(result: &Result<Status, Error>) -> bool {
    let ended = |error: &Error| error.code() == Code::Cancelled && error.attempts() == Some(0);
    result.as_ref().is_err_and(ended)
}

/// A log that forwards events to the thread that made the call, where the program expects them.
fn forwarding_log(channel: Arc<Channel<Message>>) -> Arc<Log> {
    Arc::new(Box::new(move |event: &LogEvent<'_>| {
        channel.post(Message::Event(OwnedEvent::of(event)))
    }))
}

/// The worker threads. None of them outlives the call.
struct Workers {
    threads: Vec<JoinHandle<()>>,
    end: Arc<CallContext>,
    channel: Arc<Channel<Message>>,
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
