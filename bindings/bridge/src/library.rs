//! The library's calls, from JSON to JSON: what a program writes reaches the library unchanged.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use payorder_core::{
    BodyOptions, Cause, Code, Error, Expected, JsonOptions, LogEvent, Operation, Order, Receiver,
    StatusQuery, parse_return_url_json, verify_payment_json,
};

use crate::lock;

pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// How a call ended: its JSON, or why it failed.
pub type Reply = Result<String, Error>;
/// Gets the index and the reply of each status; `false` stops.
pub type Each<'a> = dyn FnMut(usize, Reply) -> bool + 'a;
/// Gets the reply of a call.
pub type Done = Box<dyn FnOnce(Reply) + Send>;

/// The bridge itself refuses a request: nothing was sent.
pub fn invalid(message: impl Into<String>) -> Error {
    Error::argument(Cause::InvalidValue, message)
}

pub struct Client {
    /// `None` when it was freed.
    client: Mutex<Option<payorder_core::Client>>,
    /// The started calls by their numbers, which come back with their answers.
    started: Mutex<HashMap<usize, Done>>,
    next: AtomicUsize,
    /// Each call that runs has a clone.
    live: Arc<()>,
}

impl Client {
    /// With the settings of the file, which those of the environment replace, and these those of
    /// `config`.
    pub fn new(file: Option<&OsStr>, config: &str) -> Result<Self, Error> {
        let client = caught(|| payorder_core::Client::from_file_and_env(file, Some(config)))?;
        Ok(Self {
            client: Mutex::new(Some(client)),
            started: Mutex::default(),
            next: AtomicUsize::new(0),
            live: Arc::default(),
        })
    }

    fn get(&self) -> Result<payorder_core::Client, Error> {
        let client = lock(&self.client).clone();
        client.ok_or_else(|| invalid("the client was freed: nobody reads answers"))
    }

    /// Blocks until the call has its result.
    pub fn call(
        &self,
        operation: Operation,
        request: Option<&str>,
        options: JsonOptions<'_>,
        each: &mut Each<'_>,
    ) -> Reply {
        let _live = Arc::clone(&self.live);
        caught(|| {
            let client = self.get()?;
            client.call(operation, |call| match (operation, request) {
                (Operation::GetStatuses, Some(queries)) => {
                    call.get_statuses_json(queries, options, &mut |index, result| {
                        each(index, result.map(|status| status.json().to_owned()))
                    })
                }
                _ => call.make(request, options),
            })
        })
    }

    /// Puts a call into the client's queue. `done` runs on the thread of `take_answers`, or here if
    /// the call cannot be started.
    pub fn start(
        &self,
        operation: Operation,
        request: Option<&str>,
        options: JsonOptions<'_>,
        done: Done,
    ) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        lock(&self.started).insert(number, done);
        let receiver = Receiver::Taken {
            user_data: number,
            until_ready: Box::new(Arc::clone(&self.live)),
        };
        let start = || {
            let client = self.get()?;
            client.start_json(operation, request, options, receiver)
        };
        if let Err(error) = caught(start) {
            self.give(number, Err(error));
        }
    }

    /// Starts the thread that gives the answers of started calls to their `done`. It ends when the
    /// client was freed.
    pub fn take_answers(self: &Arc<Self>) -> io::Result<()> {
        let this = Arc::clone(self);
        let take = move || {
            let next = || this.get()?.take_done(Duration::MAX);
            while let Ok(Some(answer)) = next() {
                this.give(answer.user_data, answer.result);
            }
        };
        // Also where RUST_MIN_STACK asks for much.
        let thread = thread::Builder::new().stack_size(1 << 20);
        thread.spawn(take).map(drop)
    }

    fn give(&self, number: usize, reply: Reply) {
        // A variable of its own, so that the lock ends first.
        let done = lock(&self.started).remove(&number);
        if let Some(done) = done {
            done(reply);
        }
    }

    /// Ends the calls that wait in the queue, and refuses later ones. Those that run go on.
    pub fn free(&self) {
        let client = lock(&self.client).take();
        if let Some(client) = client {
            client.free();
        }
    }

    /// Prints each log event as a line on stderr.
    pub fn log_to_stderr(&self) {
        if let Some(client) = &*lock(&self.client) {
            // A closed stderr must not end a call.
            let print = |event: &LogEvent<'_>| drop(writeln!(io::stderr(), "{}", event.to_json()));
            client.set_log(Some(Box::new(print)));
        }
    }

    pub fn live_calls(&self) -> usize {
        Arc::strong_count(&self.live) - 1
    }

    /// The versions of the bridge and of its JSON, and the counts of what is live, as JSON.
    pub fn about(&self) -> String {
        format!(
            r#"{{"version":"{VERSION}","abiVersion":1,"live":{{"clients":{},"calls":{}}}}}"#,
            usize::from(self.get().is_ok()),
            self.live_calls()
        )
    }
}

pub fn build_create_order(order: &str, options: Option<&str>) -> Reply {
    let options = BodyOptions::from_json(options)?;
    let order = Order::from_json(order)?;
    Ok(order.wire_body(&options.return_url_field, &options.extra_fields))
}

pub fn build_get_status(query: &str, _: Option<&str>) -> Reply {
    Ok(StatusQuery::from_json(query)?.wire_body())
}

pub fn parse_return_url(url: &str, _: Option<&str>) -> Reply {
    match url.contains('\0') {
        true => Err(invalid("a text contains U+0000")),
        false => parse_return_url_json(url),
    }
}

pub fn verify_payment(expected: &str, status: Option<&str>) -> Reply {
    verify_payment_json(&Expected::from_json(expected)?, status.unwrap_or_default())
}

/// Makes an error of a panic, which is a bug. It is not within a call, which catches its own and
/// says what was sent.
pub fn caught<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|_| {
        let message = "a bug in the payorder library, please report it; nothing was sent";
        Err(Error::new(Code::Internal, Cause::Bug, message))
    })
}
