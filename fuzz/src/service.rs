//! A service on the [network](crate::network) in this process: follows the plan of a call, and
//! records what happened in each attempt.

use std::collections::{HashMap, VecDeque};
use std::ffi::c_int;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use crate::answer::{self, Seen, Written};
use crate::input::{Answer, Asked, Ending, Exchange, Greeting, Idle, Plan};
use crate::network::{self, Peer, receive_from};
use crate::system::refuse;

/// Where it is.
pub const URL: &str = "http://127.0.0.1:9";

/// What happened in one attempt.
pub struct Attempt {
    /// The bytes of the request that the service received.
    pub received: Vec<u8>,
    pub seen: Seen,
    /// How much of the response could still be received when sending failed, if nothing was received
    /// since.
    pub unread: usize,
    pub response: Written,
    /// The number in the response's mark.
    pub serial: u64,
    /// How many seconds the response asks the client to wait.
    pub pause: u64,
}

impl Attempt {
    pub fn was_sent(&self) -> bool {
        !self.received.is_empty()
    }

    /// Whether there was more to receive, even if the service closed before the time ended: the call
    /// need not have noticed it.
    pub fn is_incomplete(&self) -> bool {
        self.seen.bytes < self.response.bytes.len()
    }

    /// The results that this attempt may have.
    pub fn allowed(&self) -> Vec<i32> {
        if !self.was_sent() {
            return vec![NOT_SENT];
        }
        // A response that came before the request was complete counts.
        self.response.allowed(Seen {
            bytes: self.seen.bytes + self.unread,
            ..self.seen
        })
    }
}

/// Nothing was sent, because there was no connection.
pub const NOT_SENT: i32 = 6;
/// A text that no response to a request has.
pub const UNASKED: &str = "unasked";

#[derive(Default)]
struct Service {
    plan: Option<Plan>,
    attempts: Vec<Attempt>,
    /// Counts attempts.
    serial: u64,
    lines: HashMap<u64, Line>,
}

/// One connection.
#[derive(Default)]
struct Line {
    /// The attempt that made the connection, until it sends something.
    made_for: Option<usize>,
    /// What the client has not received yet.
    pieces: VecDeque<Vec<u8>>,
    /// What follows the pieces, unless the connection stays open.
    ended: Option<Ending>,
    running: Option<Running>,
}

/// The exchange on a connection.
struct Running {
    serial: u64,
    attempt: usize,
    exchange: Exchange,
    responded: bool,
    complete: bool,
}

static SERVICE: LazyLock<Mutex<Service>> = LazyLock::new(Mutex::default);

fn lock() -> MutexGuard<'static, Service> {
    SERVICE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts the service, for every connection of this process.
pub fn start() {
    network::install(OnNetwork);
}

/// A call follows, or several ones by the same plan.
pub fn begin(plan: &Plan) {
    let mut service = lock();
    service.attempts.clear();
    for line in service.lines.values_mut() {
        match plan.idle {
            Idle::Stay => {}
            Idle::Close => line.ended = Some(Ending::Close),
            Idle::Reset => line.ended = Some(Ending::Reset),
            Idle::Speak => line.pieces.push_back(unasked(plan.asked)),
        }
    }
    service.plan = Some(plan.clone());
}

/// The call has ended; these were its attempts.
pub fn end() -> Vec<Attempt> {
    std::mem::take(&mut lock().attempts)
}

/// Closes every connection, so that the next input starts without one.
pub fn close_all() {
    for line in lock().lines.values_mut() {
        line.ended = Some(Ending::Close);
    }
}

/// A complete and usable response that is not the response to any request.
fn unasked(asked: Asked) -> Vec<u8> {
    let text = answer::write(&Answer::default(), asked, 0).bytes;
    let text = String::from_utf8(text).expect("ASCII");
    let mark = answer::mark(0);
    assert_eq!(mark.len(), UNASKED.len() + 3);
    text.replace(&mark, &format!("{UNASKED}-it")).into_bytes()
}

impl Service {
    fn plan(&self) -> &Plan {
        match &self.plan {
            Some(plan) => plan,
            None => refuse("a connection without a call"),
        }
    }

    /// A new attempt; returns its index.
    fn attempt(&mut self) -> usize {
        self.serial += 1;
        let (index, plan) = (self.attempts.len(), self.plan());
        let planned = plan.attempts.get(index).cloned().unwrap_or_default();
        let answer = &planned.exchange.answer;
        let attempt = Attempt {
            received: Vec::new(),
            seen: Seen {
                bytes: 0,
                ending: None,
            },
            unread: 0,
            response: match &planned.exchange.raw {
                Some(raw) => Written::raw(raw, plan.asked),
                None => answer::write(answer, plan.asked, self.serial),
            },
            serial: self.serial,
            pause: answer.pause(),
        };
        self.attempts.push(attempt);
        index
    }
}

/// Whether a request is complete.
fn complete_request(request: &[u8]) -> bool {
    let text = String::from_utf8_lossy(request);
    let Some((head, body)) = text.split_once("\r\n\r\n") else {
        return false;
    };
    let length = head.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse::<usize>().ok())?
    });
    let length = length.expect("a request has a length");
    assert!(
        body.len() <= length,
        "more than one request was sent at once: {text}"
    );
    body.len() == length
}

struct OnNetwork;

impl Peer for OnNetwork {
    fn connect(&mut self, connection: u64) -> Result<(), c_int> {
        let mut service = lock();
        let index = service.attempt();
        let plan = service.plan();
        let greeting = plan.attempts.get(index).map(|attempt| attempt.greeting);
        let mut line = Line {
            made_for: Some(index),
            ..Line::default()
        };
        match greeting.unwrap_or_default() {
            Greeting::Accept => {}
            Greeting::Refuse => return Err(libc::ECONNREFUSED),
            Greeting::Unreachable => return Err(libc::ENETUNREACH),
            Greeting::Silence => return Err(libc::EAGAIN),
            Greeting::Close => line.ended = Some(Ending::Close),
            Greeting::Reset => line.ended = Some(Ending::Reset),
            Greeting::Speak => line.pieces.push_back(unasked(plan.asked)),
        }
        service.lines.insert(connection, line);
        Ok(())
    }

    fn send(&mut self, connection: u64, bytes: &[u8]) -> Result<usize, c_int> {
        let mut service = lock();
        let mut line = service.lines.remove(&connection).ok_or(libc::ENOTCONN)?;
        let result = service.take(&mut line, bytes);
        service.lines.insert(connection, line);
        result
    }

    fn receive(&mut self, connection: u64, buffer: &mut [u8], peek: bool) -> Result<usize, c_int> {
        let mut service = lock();
        let Service {
            lines, attempts, ..
        } = &mut *service;
        let line = lines.get_mut(&connection).ok_or(libc::ENOTCONN)?;
        let received = receive_from(&mut line.pieces, buffer, peek);
        let running = line.running.as_ref().filter(|_| !peek);
        let attempt = running.and_then(|running| {
            let attempt = attempts.get_mut(running.attempt)?;
            (attempt.serial == running.serial).then_some(attempt)
        });
        if let Some(attempt) = attempt {
            attempt.seen.bytes += received.unwrap_or_default();
            attempt.unread = 0;
            attempt.seen.ending = match received {
                Some(_) => None,
                None => Some(line.ended.unwrap_or(Ending::Keep)),
            };
        }
        match (received, line.ended) {
            (Some(received), _) => Ok(received),
            (None, None | Some(Ending::Keep)) => Err(libc::EAGAIN),
            (None, Some(Ending::Close)) => Ok(0),
            (None, Some(Ending::Reset)) => Err(libc::ECONNRESET),
        }
    }

    fn close(&mut self, connection: u64) {
        lock().lines.remove(&connection);
    }
}

impl Service {
    /// Takes bytes of a request; returns how many.
    fn take(&mut self, line: &mut Line, bytes: &[u8]) -> Result<usize, c_int> {
        let current = |running: &&mut Running| {
            let attempt = self.attempts.get(running.attempt);
            attempt.is_some_and(|attempt| attempt.serial == running.serial) && !running.complete
        };
        if line.running.as_mut().filter(current).is_none() {
            self.start(line);
        }
        let Some(running) = &mut line.running else {
            return Err(libc::ENOTCONN);
        };
        let exchange = &running.exchange;
        let attempt = &mut self.attempts[running.attempt];
        // The connection was closed before this request began.
        let closed = line.ended.filter(|_| !running.responded);
        let taken = attempt.received.len();
        let stop = exchange
            .stop
            .filter(|stop| usize::from(stop.after) <= taken);
        if let Some(ending) = closed.or(stop.map(|stop| stop.ending)) {
            attempt.seen.ending = Some(ending);
            if ending != Ending::Keep {
                attempt.unread = line.pieces.iter().map(Vec::len).sum();
            }
            return Err(match ending {
                Ending::Keep => libc::EAGAIN,
                Ending::Close => {
                    line.ended = Some(ending);
                    libc::EPIPE
                }
                Ending::Reset => {
                    line.ended = Some(ending);
                    libc::ECONNRESET
                }
            });
        }
        let at_once = exchange
            .accepts
            .map_or(usize::MAX, |size| usize::from(size).max(8));
        let until_stop = exchange
            .stop
            .map_or(usize::MAX, |stop| usize::from(stop.after) - taken);
        let count = bytes.len().min(at_once).min(until_stop);
        attempt.received.extend_from_slice(&bytes[..count]);
        running.complete = complete_request(&attempt.received);
        let early = exchange
            .early
            .is_some_and(|early| usize::from(early) <= attempt.received.len());
        if (running.complete || early) && !running.responded && !exchange.silent {
            running.responded = true;
            line.ended = Some(exchange.ending).filter(|ending| *ending != Ending::Keep);
            let mut stream = attempt.response.bytes.clone();
            if exchange.another {
                attempt.response.is_followed = true;
                stream.extend(unasked(self.plan.as_ref().expect("a call").asked));
            }
            stream.truncate(exchange.cut.map_or(usize::MAX, usize::from));
            let size = exchange
                .pieces
                .map_or(usize::MAX, |size| usize::from(size).max(4));
            line.pieces.extend(stream.chunks(size).map(<[u8]>::to_vec));
        }
        Ok(count)
    }

    /// A request begins.
    fn start(&mut self, line: &mut Line) {
        if line
            .running
            .as_ref()
            .is_some_and(|running| !running.complete)
        {
            refuse("a request after a part of another one");
        }
        if !line.pieces.is_empty() {
            refuse("a request on a connection with data that was not asked for");
        }
        let attempt = match line.made_for.take() {
            Some(attempt) => attempt,
            None => self.attempt(),
        };
        let planned = self.plan().attempts.get(attempt).cloned();
        line.running = Some(Running {
            serial: self.attempts[attempt].serial,
            attempt,
            exchange: planned.unwrap_or_default().exchange,
            responded: false,
            complete: false,
        });
    }
}
