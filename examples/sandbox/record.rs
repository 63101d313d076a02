//! The record of the requests to the two endpoints, for the control address and for tests.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Map, Value, json};

use super::calendar::timestamp;
use super::http::{Request, Response};
use super::rules::{Applied, SLOW};
use super::service::{Credentials, HandledRequest};

/// How many of the latest requests are stored.
const REMEMBERED: usize = 10_000;
/// About how many bytes they may have together.
const MAX_BYTES: usize = 64 * 1024 * 1024;
/// How much of a body, and of an orderId, is stored, in bytes.
const MAX_TEXT: usize = 64 * 1024;
/// How long a reader of the record waits for responses that are being written.
const WRITING: Duration = Duration::from_secs(1);

/// The step of a request whose body was not read.
pub const UNREAD: &str = "unread";

/// What happened to a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    Complete,
    /// The connection was cut without a response, or the client gave up before it.
    Cut,
    /// Half of the response was sent, then the connection was cut.
    Half,
    /// The connection was held open in silence.
    Held,
}

impl Ended {
    pub fn name(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Cut => "cut",
            Self::Half => "half",
            Self::Held => "held",
        }
    }
}

/// One request to one of the two endpoints, as the control address shows it. No credentials are
/// stored. Without a number, which it gets in the record, and without its response.
pub fn exchange(
    step: &'static str,
    request: &Request,
    handled: &HandledRequest,
    rule: &Applied,
    credentials: &Credentials,
) -> Value {
    let header = |(name, value): &(String, String)| (name.clone(), credentials.masked(name, value));
    let headers: Vec<_> = request.headers.iter().map(header).collect();
    let field = rule.fields.first();
    let fault = match (handled.fault, rule.slow) {
        (Some(name), _) => Some(name.to_owned()),
        (None, Some(slow)) => Some(format!("{SLOW}{}", slow.as_millis())),
        (None, None) => field.map(|(field, value)| format!("{field}={value}")),
    };
    let mut head = format!("{} {} HTTP/1.1\r\n", request.method, request.target);
    for (name, value) in &headers {
        head += &format!("{name}: {value}\r\n");
    }
    json!({
        "at": timestamp(SystemTime::now()),
        "from": request.from,
        "step": step,
        "orderId": handled.order_id.as_ref().map(|id| stored(id.as_bytes())),
        "method": request.method,
        "path": request.path(),
        "head": head + "\r\n",
        "headers": fields(&headers),
        "body": stored(&request.body),
        "fault": fault,
        "created": handled.created,
    })
}

/// What was sent of a response: the whole, half of it, or nothing.
pub fn response(sent: Option<&Response>, ended: Ended) -> Value {
    let body = sent.map_or(&[][..], |response| match ended {
        Ended::Complete => response.body.as_bytes(),
        _ => response.half_body(),
    });
    json!({
        "status": sent.map(|response| response.status),
        "head": sent.map(Response::head).unwrap_or_default(),
        "headers": fields(sent.map_or(&[], |response| &response.headers)),
        "body": stored(body),
        "ended": ended.name(),
    })
}

/// A field that occurs twice has both values, as HTTP joins them.
fn fields(headers: &[(String, String)]) -> Value {
    let mut object = Map::new();
    for (name, value) in headers {
        let value = match object.get(name).and_then(Value::as_str) {
            Some(first) => format!("{first}, {value}"),
            None => value.clone(),
        };
        object.insert(name.clone(), value.into());
    }
    object.into()
}

/// The text of a body or of an orderId, cut to the length that is stored.
fn stored(bytes: &[u8]) -> String {
    let mut text = String::from_utf8_lossy(bytes).into_owned();
    if text.len() > MAX_TEXT {
        let mut end = MAX_TEXT;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
    text
}

/// A request that began before the record was reset is not listed.
#[derive(Clone, Copy)]
pub struct Pending {
    resets: u64,
}

#[derive(Default)]
pub struct Record {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// With their numbers, from 1.
    exchanges: VecDeque<(u64, Value)>,
    /// How many bytes the exchanges have.
    bytes: usize,
    last_number: u64,
    /// The exchanges whose response is being written.
    writing: BTreeSet<u64>,
    resets: u64,
    stopped: bool,
}

impl State {
    /// The last one is always kept.
    fn forget_oldest(&mut self) {
        while self.exchanges.len() > REMEMBERED
            || self.bytes > MAX_BYTES && self.exchanges.len() > 1
        {
            if let Some((_, oldest)) = self.exchanges.pop_front() {
                self.bytes -= size(&oldest);
            }
        }
    }
}

/// About how many bytes an exchange, or a response, has.
fn size(json: &Value) -> usize {
    let length = |name: &str| json[name].as_str().map_or(0, str::len);
    let response = json.get("response").map_or(0, size);
    // Headers are in the head and by their names.
    1_000 + length("orderId") + length("body") + 2 * length("head") + response
}

impl Record {
    /// Begins a request.
    pub fn receive(&self) -> Pending {
        let resets = self.lock().resets;
        Pending { resets }
    }

    /// Lists a request, and returns its number. It is listed before its response is written, so that
    /// the client's next request comes after it. [`Record::since`] waits until the response
    /// `is_written`: a client that has its response finds its request in the record.
    pub fn list(&self, pending: Pending, mut exchange: Value, is_written: bool) -> u64 {
        let mut state = self.lock();
        if pending.resets != state.resets {
            return 0;
        }
        state.last_number += 1;
        let number = state.last_number;
        exchange["number"] = number.into();
        state.bytes += size(&exchange);
        state.exchanges.push_back((number, exchange));
        state.forget_oldest();
        if !is_written {
            state.writing.insert(number);
        }
        self.changed.notify_all();
        number
    }

    /// The response was written. Without one, the connection was cut before, as it is listed.
    pub fn end_write(&self, pending: Pending, number: u64, response: Option<Value>) {
        let mut state = self.lock();
        if pending.resets != state.resets {
            return;
        }
        state.writing.remove(&number);
        let mut exchanges = state.exchanges.iter_mut().rev();
        if let Some(response) = response
            && let Some((_, exchange)) = exchanges.find(|(own, _)| *own == number)
        {
            let added = size(&response) - size(&exchange["response"]);
            exchange["response"] = response;
            state.bytes += added;
            state.forget_oldest();
        }
        self.changed.notify_all();
    }

    /// The requests after the one with this number, oldest first. If there are none, it waits for
    /// one, for this time at most.
    pub fn since(&self, number: u64, patience: Duration) -> Vec<Value> {
        let news = |state: &State| state.last_number > number;
        let mut state = self.wait_until(self.lock(), patience, news);
        let last = state.last_number;
        let written = |state: &State| state.writing.first().is_none_or(|first| *first > last);
        state = self.wait_until(state, WRITING, written);
        let first = state.exchanges.partition_point(|(own, _)| *own <= number);
        let found = state.exchanges.range(first..);
        let found = found.take_while(|(own, _)| *own <= last);
        found.map(|(_, exchange)| exchange.clone()).collect()
    }

    pub fn reset(&self) {
        let mut state = self.lock();
        state.exchanges.clear();
        state.bytes = 0;
        state.writing.clear();
        state.last_number = 0;
        state.resets += 1;
    }

    /// Ends every wait.
    pub fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    fn wait_until<'a>(
        &'a self,
        state: MutexGuard<'a, State>,
        patience: Duration,
        done: impl Fn(&State) -> bool,
    ) -> MutexGuard<'a, State> {
        let start = Instant::now();
        let mut state = state;
        while !done(&state) && !state.stopped {
            let left = patience.saturating_sub(start.elapsed());
            if left.is_zero() {
                break;
            }
            state = self
                .changed
                .wait_timeout(state, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
        state
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
