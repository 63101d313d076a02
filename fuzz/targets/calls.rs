//! Sequences of calls: clients made, freed, used after that, forged, cancelled, logged, first in
//! order, then from several threads at once, then in order again. Freed and forged ones must stay
//! dead, nothing may be left, and what was said not to be sent no service has seen.
#![no_main]

use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use payorder::ffi::{
    payorder_client_cancel, payorder_client_free, payorder_client_set_log, payorder_journal_list,
    payorder_live_calls, payorder_live_clients, payorder_live_strings,
};
use payorder_fuzz::client::{self, ORDER, handle};
use payorder_fuzz::reply::{c, call};
use payorder_fuzz::service::{Ending, Script, Service};

const SLOTS: usize = 4;
/// As many clients and calls in flight as an input can have keep at most this many connections.
const WORKERS: usize = 48;

#[derive(Arbitrary, Debug)]
struct Play {
    before: Vec<Step>,
    threads: [Vec<Step>; 3],
    after: Vec<Step>,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Step {
    Make { slot: u8, kind: Kind },
    Act { whom: Whom, act: Act },
}

/// What a client's service does.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Answers,
    Closes,
    Silent,
    Refused,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Whom {
    Slot(u8),
    /// One that was freed before.
    Freed(u8),
    /// A number near a live key.
    Neighbour(u8, i16),
    Forged(usize),
}

#[derive(Arbitrary, Debug, Clone, Copy)]
enum Act {
    Free,
    Cancel,
    Log(Option<LogDoes>),
    Create,
    Status,
    /// An order that breaks rules, which no service ever sees.
    Broken,
    Wait,
    Many(EachDoes),
    /// Of a client that has none.
    Journal,
    Token(TokenIs),
}

/// What is done with the cancellation token of a call.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
enum TokenIs {
    CancelledBefore,
    CancelledDuring,
    Freed,
    FreedDuring,
}

/// What a log does beside counting.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
enum LogDoes {
    Nothing,
    Free,
    Cancel,
    EndLog,
    Ask,
}

/// What is done with each result of many.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
enum EachDoes {
    Nothing,
    Stop,
    Free,
    Cancel,
    Ask,
}

/// A log: what `user_data` points to.
struct Sink {
    world: *const World,
    slot: usize,
    does: LogDoes,
    events: AtomicUsize,
}

struct World {
    slots: [Slot; SLOTS],
    freed: Mutex<Vec<usize>>,
    /// Logs live until the end, since a call keeps the one that it began with.
    sinks: Mutex<Vec<*mut Sink>>,
    /// Each order's id, and what its call ended with.
    orders: Mutex<Vec<(String, i32)>>,
}

#[derive(Default)]
struct Slot {
    key: AtomicUsize,
    kind: Mutex<Option<Kind>>,
    sink: Mutex<Option<usize>>,
}

// SAFETY: the pointers in it are to logs, which are only added while threads run, and freed after
// they ended.
unsafe impl Sync for World {}

static SERVICE: LazyLock<Service> = LazyLock::new(|| {
    Service::start(WORKERS, |head, _| {
        let path = head.split(' ').nth(1).unwrap_or_default();
        if path.starts_with("/silent") {
            return Script::default();
        }
        let body = r#"{"responseCode":"200","responseMessage":"Success","data":{"url":"https://pay.example.com/c/1"}}"#;
        let response = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        )
        .into_bytes();
        let ending = if path.starts_with("/closes") {
            Ending::Close
        } else {
            Ending::Keep
        };
        Script {
            response,
            ending,
            ..Script::default()
        }
    })
});

/// An address that nobody listens on, and nobody else can get while it is held.
static REFUSING: LazyLock<(socket2::Socket, String)> = LazyLock::new(|| {
    let socket =
        socket2::Socket::new(socket2::Domain::IPV4, socket2::Type::STREAM, None).expect("a socket");
    socket
        .bind(&std::net::SocketAddr::from(([127, 0, 0, 1], 0)).into())
        .expect("a port on loopback");
    let address = socket
        .local_addr()
        .ok()
        .and_then(|address| address.as_socket())
        .expect("its address");
    (socket, format!("http://{address}"))
});

fuzz_target!(|play: Play| {
    let (clients, strings) = (payorder_live_clients(), payorder_live_strings());
    let world = World {
        slots: Default::default(),
        freed: Mutex::default(),
        sinks: Mutex::default(),
        orders: Mutex::default(),
    };
    SERVICE.forget();
    play.before
        .iter()
        .take(12)
        .for_each(|step| world.perform(*step, Order::One));
    std::thread::scope(|scope| {
        let threads = play.threads.iter().filter(|steps| !steps.is_empty());
        let threads = threads.map(|steps| {
            scope.spawn(|| {
                steps
                    .iter()
                    .take(6)
                    .for_each(|step| world.perform(*step, Order::None))
            })
        });
        // All at once first; then to their very end, or what they still hold would pass for a leak.
        for thread in threads.collect::<Vec<_>>() {
            thread.join().expect("a thread ends");
        }
    });
    world.end_logs();
    play.after
        .iter()
        .take(8)
        .for_each(|step| world.perform(*step, Order::One));
    world.check_orders();
    world.end();
    assert_eq!(payorder_live_clients(), clients, "a client is left");
    assert_eq!(payorder_live_strings(), strings, "a string is left");
    assert_eq!(payorder_live_calls(), 0, "a call is left");
});

/// Whether calls happen one after another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    One,
    None,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn config(kind: Kind) -> String {
    let (url, timeout) = match kind {
        Kind::Answers => (SERVICE.url(), 20_000),
        Kind::Closes => (format!("{}/closes", SERVICE.url()), 20_000),
        Kind::Silent => (format!("{}/silent", SERVICE.url()), 5),
        Kind::Refused => (REFUSING.1.clone(), 20_000),
    };
    let credentials =
        r#""accessToken":"token","clientKey":"key","clientId":"id","secretKey":"secret""#;
    format!(
        r#"{{"baseUrl":"{url}","proxy":"none","timeoutMs":{timeout},"createRetries":0,"statusRetries":0,{credentials}}}"#
    )
}

impl World {
    fn perform(&self, step: Step, order: Order) {
        match step {
            Step::Make { slot, kind } => {
                let key = client::made(&config(kind));
                let slot = &self.slots[usize::from(slot) % SLOTS];
                *lock(&slot.kind) = Some(kind);
                *lock(&slot.sink) = None;
                let before = slot.key.swap(key, Ordering::SeqCst);
                if before != 0 {
                    self.free(before);
                }
            }
            Step::Act { whom, act } => match whom {
                Whom::Slot(slot) => self.act_on_slot(usize::from(slot) % SLOTS, act, order),
                Whom::Freed(which) => {
                    let key = {
                        let freed = lock(&self.freed);
                        (!freed.is_empty()).then(|| freed[usize::from(which) % freed.len()])
                    };
                    if let Some(key) = key {
                        self.act_on_dead(key, act);
                    }
                }
                Whom::Neighbour(slot, by) => {
                    let key = self.slots[usize::from(slot) % SLOTS]
                        .key
                        .load(Ordering::SeqCst);
                    if by != 0 {
                        self.act_on_dead(key.wrapping_add_signed(by.into()), act);
                    }
                }
                Whom::Forged(number) => self.act_on_dead(number, act),
            },
        }
    }

    /// What was freed, or never was a client, is answered so, whatever is asked of it.
    fn act_on_dead(&self, key: usize, act: Act) {
        if self
            .slots
            .iter()
            .any(|slot| slot.key.load(Ordering::SeqCst) == key)
            && key != 0
            && !lock(&self.freed).contains(&key)
        {
            return;
        }
        let expected = if key == 0 && matches!(act, Act::Free) {
            0
        } else {
            2
        };
        assert_eq!(
            self.act(key, act, None),
            expected,
            "{key:#x} is not a live client: {act:?}"
        );
    }

    fn act_on_slot(&self, index: usize, act: Act, order: Order) {
        let slot = &self.slots[index];
        let key = slot.key.load(Ordering::SeqCst);
        let dead = key == 0 || lock(&self.freed).contains(&key);
        if dead {
            return self.act_on_dead(key, act);
        }
        let (kind, sink) = (*lock(&slot.kind), *lock(&slot.sink));
        let events = self.events();
        let result = self.act(key, act, Some(index));
        let calls = matches!(
            act,
            Act::Create | Act::Status | Act::Broken | Act::Wait | Act::Many(_) | Act::Token(_)
        );
        let does = sink.map(|sink| self.sink(sink).does);
        let cancelled = does == Some(LogDoes::Cancel);
        let expected: &[i32] = match (act, kind) {
            (Act::Broken, _) => &[4],
            (Act::Journal, _) => &[1],
            (Act::Token(TokenIs::CancelledBefore), _) => &[8],
            (Act::Token(TokenIs::Freed), _) => &[2],
            // Freed before the call has looked at it, a token is not live.
            (Act::Token(TokenIs::FreedDuring), _) => &[0, 2, 6, 8, 200, 201, 204],
            (Act::Token(_), _) => &[0, 6, 8, 200, 201, 204],
            // The result of each query is checked elsewhere.
            (Act::Many(_), _) => &[0],
            (Act::Wait, _) if cancelled || order == Order::None => &[0, 8, 204],
            (Act::Wait, _) => &[0],
            (Act::Create | Act::Status, _) if order == Order::None => &[0, 6, 8, 200, 201, 204],
            // A connection that is closed in the very moment of sending is lost.
            (Act::Create | Act::Status, Some(Kind::Closes)) if cancelled => &[0, 8, 201, 204],
            (Act::Create | Act::Status, Some(Kind::Closes)) => &[0, 201],
            (Act::Create | Act::Status, Some(Kind::Answers)) if cancelled => &[0, 8, 204],
            (Act::Create | Act::Status, Some(Kind::Answers)) => &[0],
            (Act::Create | Act::Status, Some(Kind::Silent)) if cancelled => &[6, 8, 200, 204],
            (Act::Create | Act::Status, Some(Kind::Silent)) => &[6, 200],
            (Act::Create | Act::Status, _) if cancelled => &[6, 8],
            (Act::Create | Act::Status, _) => &[6],
            (Act::Free | Act::Cancel | Act::Log(_), _) => &[0],
        };
        // With others at work, the client may have been freed since it was looked at.
        let freed_meanwhile = order == Order::None && result == 2;
        assert!(
            expected.contains(&result) || freed_meanwhile,
            "{act:?} on a live client of {kind:?} with log {does:?} ended in {result}"
        );
        if order == Order::One && calls {
            // One that asks itself makes events of calls in calls.
            for (index, (before, after)) in events.iter().zip(self.events()).enumerate() {
                assert_eq!(
                    after > *before,
                    Some(index) == sink,
                    "log {index} of a call that has {sink:?}"
                );
            }
        }
    }

    fn act(&self, key: usize, act: Act, slot: Option<usize>) -> i32 {
        match act {
            Act::Free => self.free(key),
            Act::Cancel => payorder_client_cancel(handle(key)),
            Act::Log(does) => self.set_log(key, does, slot),
            Act::Create => self.create_order(key, None),
            Act::Status => client::get_status(key, c"{\"orderId\":\"O-1\"}", None).result,
            Act::Broken => {
                client::create_order(key, c"{\"orderId\":\"O-broken\",\"amount\":\"0\"}", None)
                    .result
            }
            Act::Wait => {
                client::wait_for_payment(
                    key,
                    c"{\"orderId\":\"O-1\"}",
                    Some(c"{\"waitMs\":3,\"intervalMs\":10}"),
                )
                .result
            }
            Act::Many(does) => self.get_statuses(key, does),
            Act::Token(is) => self.with_token(key, is),
            Act::Journal => {
                // SAFETY: any number may be passed as the client, and NULL for options.
                call(|out| unsafe { payorder_journal_list(handle(key), ptr::null(), out) }).result
            }
        }
    }

    /// Asks for three, one of which breaks rules.
    fn get_statuses(&self, key: usize, does: EachDoes) -> i32 {
        let queries = c"[{\"orderId\":\"O-1\"},{\"orderId\":7},{\"transactionId\":\"X\"}]";
        let mut seen = 0u8;
        let reply = client::get_statuses(
            key,
            queries,
            Some(c"{\"concurrency\":2}"),
            &mut |index, result, _| {
                assert_eq!(seen & (1 << index), 0, "a query has two results");
                assert_eq!(result == 4, index == 1, "query {index} ended in {result}");
                seen |= 1 << index;
                match does {
                    EachDoes::Nothing => {}
                    EachDoes::Stop => return false,
                    EachDoes::Free => drop(self.free(key)),
                    EachDoes::Cancel => drop(payorder_client_cancel(handle(key))),
                    EachDoes::Ask => drop(client::get_status(key, c"{\"searchType\":\"3\"}", None)),
                }
                true
            },
        );
        if reply.result == 0 {
            let summary: serde_json::Value =
                serde_json::from_str(reply.text()).expect("a JSON object");
            assert_eq!(summary["asked"], seen.count_ones(), "{summary}");
            assert!(seen == 7 || summary["stopped"] == true, "{summary}");
        }
        reply.result
    }

    /// Creates an order by an id that no other has.
    fn create_order(&self, key: usize, options: Option<&CStr>) -> i32 {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = format!("O-{:012}", NEXT.fetch_add(1, Ordering::Relaxed));
        let result = client::create_order(key, &c(ORDER.replace("O-1", &id)), options).result;
        lock(&self.orders).push((id, result));
        result
    }

    /// Creates an order with a cancellation token of its own.
    fn with_token(&self, key: usize, is: TokenIs) -> i32 {
        let token = client::new_token();
        let options = c(format!(
            r#"{{"cancellation":"{}"}}"#,
            token.to_str().expect("a token is UTF-8")
        ));
        let create = || self.create_order(key, Some(&options));
        let result = match is {
            TokenIs::CancelledBefore => {
                assert_eq!(client::cancel_token(&token), 0);
                create()
            }
            TokenIs::Freed => {
                assert_eq!(client::free_token(&token), 0);
                create()
            }
            TokenIs::CancelledDuring | TokenIs::FreedDuring => std::thread::scope(|scope| {
                scope.spawn(|| match is {
                    TokenIs::CancelledDuring => client::cancel_token(&token),
                    _ => client::free_token(&token),
                });
                create()
            }),
        };
        let freed = matches!(is, TokenIs::Freed | TokenIs::FreedDuring);
        let expected = if freed { 2 } else { 0 };
        assert_eq!(client::cancel_token(&token), expected);
        assert_eq!(client::free_token(&token), expected);
        assert_eq!(client::cancel_token(&token), 2);
        result
    }

    /// The results against what the service itself saw.
    fn check_orders(&self) {
        let orders = lock(&self.orders);
        if orders.iter().any(|(_, result)| *result == 8) {
            // What was sent in spite of the word may be on its way still.
            std::thread::sleep(Duration::from_millis(20));
        }
        let seen = SERVICE.orders();
        for (id, result) in &*orders {
            let seen = seen.get(id).copied().unwrap_or(0);
            let right = match result {
                0 => seen == 1,
                1..=99 => seen == 0,
                _ => seen <= 1,
            };
            assert!(
                right,
                "the service saw the order {id} {seen} times, and its call ended in {result}"
            );
        }
        assert!(
            !seen.contains_key("O-broken"),
            "an order that breaks rules was sent"
        );
    }

    /// A client is freed once, whoever frees it.
    fn free(&self, key: usize) -> i32 {
        let result = payorder_client_free(handle(key));
        if result == 0 && key != 0 {
            let mut freed = lock(&self.freed);
            assert!(!freed.contains(&key), "{key:#x} was freed twice");
            freed.push(key);
        }
        result
    }

    fn set_log(&self, key: usize, does: Option<LogDoes>, slot: Option<usize>) -> i32 {
        let Some(does) = does else {
            // SAFETY: no callback.
            let result = unsafe { payorder_client_set_log(handle(key), None, ptr::null_mut()) };
            if let (0, Some(slot)) = (result, slot) {
                *lock(&self.slots[slot].sink) = None;
            }
            return result;
        };
        let sink = Box::into_raw(Box::new(Sink {
            world: self,
            slot: slot.unwrap_or(0),
            does,
            events: AtomicUsize::new(0),
        }));
        let index = {
            let mut sinks = lock(&self.sinks);
            sinks.push(sink);
            sinks.len() - 1
        };
        // SAFETY: the log lives until every call has ended.
        let result = unsafe { payorder_client_set_log(handle(key), Some(on_event), sink.cast()) };
        if let (0, Some(slot)) = (result, slot) {
            *lock(&self.slots[slot].sink) = Some(index);
        }
        result
    }

    fn sink(&self, index: usize) -> &Sink {
        // SAFETY: logs live until the end.
        unsafe { &*lock(&self.sinks)[index] }
    }

    fn events(&self) -> Vec<usize> {
        let count = lock(&self.sinks).len();
        (0..count)
            .map(|index| self.sink(index).events.load(Ordering::SeqCst))
            .collect()
    }

    /// After several threads set logs at once, nobody knows which came last.
    fn end_logs(&self) {
        for slot in &self.slots {
            self.set_log(slot.key.load(Ordering::SeqCst), None, None);
            *lock(&slot.sink) = None;
        }
    }

    fn end(self) {
        for slot in &self.slots {
            let key = slot.key.load(Ordering::SeqCst);
            if key != 0 && !lock(&self.freed).contains(&key) {
                assert_eq!(self.free(key), 0, "a live client was not freed");
            }
        }
        for key in lock(&self.freed).clone() {
            assert_eq!(
                payorder_client_free(handle(key)),
                2,
                "a freed client was freed again"
            );
        }
        for sink in lock(&self.sinks).drain(..) {
            // SAFETY: each came from a box, and no call is left that could use it.
            drop(unsafe { Box::from_raw(sink) });
        }
    }
}

/// The library catches what panics in a call, so a slip in here must end the process by itself.
unsafe extern "C" fn on_event(event: *const c_char, sink: *mut c_void) {
    // SAFETY: user_data is a log that lives until every call has ended, and so does its world.
    let (sink, world) = unsafe {
        let sink = &*sink.cast::<Sink>();
        (sink, &*sink.world)
    };
    // SAFETY: an event is a NUL-terminated string that lives until the callback returns.
    let event = unsafe { std::ffi::CStr::from_ptr(event) };
    let is_object = serde_json::from_slice::<serde_json::Value>(event.to_bytes())
        .is_ok_and(|event| event["event"].is_string());
    let first = sink.events.fetch_add(1, Ordering::SeqCst) == 0;
    let key = world.slots[sink.slot].key.load(Ordering::SeqCst);
    let result = match sink.does {
        LogDoes::Nothing => 0,
        LogDoes::Free => world.free(key),
        LogDoes::Cancel => payorder_client_cancel(handle(key)),
        LogDoes::EndLog => world.set_log(key, None, Some(sink.slot)),
        LogDoes::Ask if first => client::get_status(key, c"{\"searchType\":\"3\"}", None).result,
        LogDoes::Ask => 0,
    };
    if !is_object || ![0, 2, 4].contains(&result) {
        eprintln!("in a log that does {:?}: {result}, {event:?}", sink.does);
        std::process::abort();
    }
}
