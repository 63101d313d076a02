//! The clients, and everything that is known about them.

use crate::input::{Act, EachDoes, Kind, LogDoes, Step, Target, TokenIs};
use crate::services::{SERVICE, config};
use payorder::{
    payorder_client_cancel, payorder_client_free, payorder_client_from_env,
    payorder_client_set_credentials, payorder_client_set_log, payorder_client_stop,
    payorder_journal_list, payorder_set_idle, payorder_start, payorder_stream_statuses,
};
use payorder_fuzz::client::{self, ORDER, handle};
use payorder_fuzz::reply::{c, call};
use std::ffi::{CStr, c_char, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

const SLOTS: usize = 4;

/// What the `user_data` of a log callback points to.
pub struct Log {
    state: *const State,
    slot: usize,
    does: LogDoes,
    was_called: AtomicBool,
}

pub struct State {
    pub slots: [Slot; SLOTS],
    pub freed: Mutex<Vec<usize>>,
    /// Logs live until the end, because a call keeps the log that it started with.
    pub logs: Mutex<Vec<*mut Log>>,
    /// The id of each order, and the result of its call.
    pub orders: Mutex<Vec<(String, i32)>>,
}

#[derive(Default)]
pub struct Slot {
    key: AtomicUsize,
    kind: Mutex<Option<Kind>>,
    log: Mutex<Option<LogDoes>>,
}

// SAFETY: its pointers are to logs, which are only added while threads run, and freed after the
// threads have ended.
unsafe impl Sync for State {}

/// Whether calls run one after the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    Sequential,
    Concurrent,
}

/// Takes the result of a call that was never begun.
unsafe extern "C" fn never(_: i32, _: *const c_char, _: *mut c_void) {
    std::process::abort()
}

/// A stream without queries.
unsafe extern "C" fn no_query(_: *mut c_void) -> *const c_char {
    ptr::null()
}

/// An idle callback.
unsafe extern "C" fn go_on(_: *mut c_void) -> i32 {
    0
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl State {
    pub fn perform(&self, step: Step, mode: Mode) {
        match step {
            Step::Make { slot, kind } => {
                let key = client::made(&config(kind));
                let slot = &self.slots[usize::from(slot) % SLOTS];
                *lock(&slot.kind) = Some(kind);
                *lock(&slot.log) = None;
                let before = slot.key.swap(key, Ordering::SeqCst);
                if before != 0 {
                    self.free(before);
                }
            }
            Step::Act { target, act } => match target {
                Target::Slot(slot) => self.act_on_slot(usize::from(slot) % SLOTS, act, mode),
                Target::Freed(which) => {
                    let key = {
                        let freed = lock(&self.freed);
                        (!freed.is_empty()).then(|| freed[usize::from(which) % freed.len()])
                    };
                    if let Some(key) = key {
                        self.act_on_invalid(key, act);
                    }
                }
                Target::Neighbour(slot, by) => {
                    let key = self.slots[usize::from(slot) % SLOTS]
                        .key
                        .load(Ordering::SeqCst);
                    if by != 0 {
                        self.act_on_invalid(key.wrapping_add_signed(by.into()), act);
                    }
                }
                Target::Forged(number) => self.act_on_invalid(number, act),
            },
        }
    }

    /// Every function must refuse a key that was freed or never was a client.
    fn act_on_invalid(&self, key: usize, act: Act) {
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

    fn act_on_slot(&self, index: usize, act: Act, mode: Mode) {
        let slot = &self.slots[index];
        let key = slot.key.load(Ordering::SeqCst);
        let dead = key == 0 || lock(&self.freed).contains(&key);
        if dead {
            return self.act_on_invalid(key, act);
        }
        let (kind, does) = (*lock(&slot.kind), *lock(&slot.log));
        let result = self.act(key, act, Some(index));
        let mut allowed = match act {
            Act::Broken => vec![4],
            Act::Journal => vec![1],
            Act::Token(TokenIs::CancelledBefore) => vec![8],
            Act::Token(TokenIs::Freed) => vec![2],
            // The results of the queries are checked elsewhere.
            Act::Many(_) | Act::Wait | Act::Free | Act::Cancel | Act::Log(_) => vec![0],
            Act::Create | Act::Status | Act::Token(_) => match kind {
                Some(Kind::Responds | Kind::Closes) => vec![0],
                Some(Kind::Silent) => vec![6, 200],
                _ => vec![6],
            },
        };
        let sends = matches!(
            act,
            Act::Create | Act::Status | Act::Token(TokenIs::CancelledDuring | TokenIs::FreedDuring)
        );
        let ends_early = does == Some(LogDoes::Cancel)
            || mode == Mode::Concurrent
            || act == Act::Token(TokenIs::CancelledDuring);
        if ends_early && (sends || act == Act::Wait) {
            allowed.extend([8, 201, 204]);
        }
        if mode == Mode::Concurrent {
            // Another thread can have freed the client after it was looked up.
            allowed.push(2);
            if sends {
                allowed.extend([0, 6, 200]);
            }
        }
        if act == Act::Token(TokenIs::FreedDuring) {
            // The token can be freed before the call looks it up.
            allowed.push(2);
        }
        assert!(
            allowed.contains(&result),
            "{act:?} on a live client of {kind:?} with log {does:?} ended in {result}"
        );
    }

    fn act(&self, key: usize, act: Act, slot: Option<usize>) -> i32 {
        match act {
            Act::Free => self.free(key),
            Act::Cancel => payorder_client_cancel(handle(key)),
            Act::Log(does) => self.set_log(key, does, slot),
            Act::Create => self.create_order(key, None),
            Act::Status => client::get_status(key, c"{\"orderId\":\"O-1\"}", None).result,
            Act::Broken => {
                // SAFETY: every pointer is valid for the call.
                let replaced = call(|out| unsafe {
                    payorder_client_set_credentials(
                        handle(key),
                        c"{\"clientId\":\"\"}".as_ptr(),
                        out,
                    )
                });
                assert!(matches!(replaced.result, 2 | 3), "{replaced:?}");
                // SAFETY: every pointer is valid for the call, and the callback uses no data.
                let started = call(|out| unsafe {
                    payorder_start(
                        handle(key),
                        c"get_status".as_ptr(),
                        c"{}".as_ptr(),
                        c"{\"waitMs\":1}".as_ptr(),
                        Some(never),
                        ptr::null_mut(),
                        out,
                    )
                });
                assert!(matches!(started.result, 1 | 2), "{started:?}");
                // SAFETY: as above.
                let streamed = call(|out| unsafe {
                    payorder_stream_statuses(
                        handle(key),
                        Some(no_query),
                        None,
                        ptr::null_mut(),
                        ptr::null(),
                        out,
                    )
                });
                assert!(matches!(streamed.result, 1 | 2), "{streamed:?}");
                // SAFETY: every pointer is valid for the call.
                let unusable = call(|out| unsafe {
                    payorder_client_from_env(
                        c"{\"timeoutMs\":0}".as_ptr(),
                        &mut ptr::null_mut(),
                        out,
                    )
                });
                assert_eq!(unusable.result, 3, "{unusable:?}");
                // Another client that nobody else uses.
                let stopped = client::made(&config(Kind::Silent));
                assert_eq!(payorder_client_stop(handle(stopped)), 0);
                assert_eq!(self.create_order(stopped, None), 8);
                assert_eq!(payorder_client_free(handle(stopped)), 0);
                client::create_order(key, c"{\"orderId\":\"O-broken\",\"amount\":\"0\"}", None)
                    .result
            }
            Act::Wait => {
                // SAFETY: the callback uses no data.
                unsafe { payorder_set_idle(Some(go_on), ptr::null_mut()) };
                let waited = client::wait_for_payment(
                    key,
                    c"{\"orderId\":\"O-1\"}",
                    Some(c"{\"waitMs\":3,\"intervalMs\":10}"),
                );
                // SAFETY: none is always allowed.
                unsafe { payorder_set_idle(None, ptr::null_mut()) };
                waited.result
            }
            Act::Many(does) => self.get_statuses(key, does),
            Act::Token(is) => self.with_token(key, is),
            Act::Journal => {
                // SAFETY: any number may be passed as the client, and NULL for options.
                call(|out| unsafe { payorder_journal_list(handle(key), ptr::null(), out) }).result
            }
        }
    }

    /// Sends three queries, one of which breaks rules.
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

    /// Creates an order with a new id.
    fn create_order(&self, key: usize, options: Option<&CStr>) -> i32 {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let id = format!("O-{:012}", NEXT.fetch_add(1, Ordering::Relaxed));
        let result = client::create_order(key, &c(ORDER.replace("O-1", &id)), options).result;
        lock(&self.orders).push((id, result));
        result
    }

    /// Creates an order with its own cancellation token.
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

    /// Compares the results with what the service received.
    pub fn check_orders(&self) {
        let orders = lock(&self.orders);
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
                "the service received the order {id} {seen} times, but its call ended in {result}"
            );
        }
        assert!(
            !seen.contains_key("O-broken"),
            "an order that breaks rules was sent"
        );
    }

    /// A client can be freed only once.
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
                *lock(&self.slots[slot].log) = None;
            }
            return result;
        };
        let log = Box::into_raw(Box::new(Log {
            state: self,
            slot: slot.unwrap_or(0),
            does,
            was_called: AtomicBool::new(false),
        }));
        lock(&self.logs).push(log);
        // SAFETY: the log lives until every call has ended.
        let result = unsafe { payorder_client_set_log(handle(key), Some(on_event), log.cast()) };
        if let (0, Some(slot)) = (result, slot) {
            *lock(&self.slots[slot].log) = Some(does);
        }
        result
    }

    /// After several threads set logs at the same time, the last one is unknown, so all logs are removed.
    pub fn end_logs(&self) {
        for slot in &self.slots {
            self.set_log(slot.key.load(Ordering::SeqCst), None, None);
            *lock(&slot.log) = None;
        }
    }

    pub fn end(self) {
        for slot in &self.slots {
            let key = slot.key.load(Ordering::SeqCst);
            if key != 0 && !lock(&self.freed).contains(&key) {
                assert_eq!(self.free(key), 0, "a live client could not be freed");
            }
        }
        for key in lock(&self.freed).clone() {
            assert_eq!(
                payorder_client_free(handle(key)),
                2,
                "a freed client was freed again"
            );
        }
        for log in lock(&self.logs).drain(..) {
            // SAFETY: each came from a box, and no running call can use it.
            drop(unsafe { Box::from_raw(log) });
        }
    }
}

/// The library catches panics in a call, so a failed check here must abort the process.
unsafe extern "C" fn on_event(event: *const c_char, log: *mut c_void) {
    // SAFETY: user_data is a log that lives until every call has ended, and so does its state.
    let (log, state) = unsafe {
        let log = &*log.cast::<Log>();
        (log, &*log.state)
    };
    // SAFETY: an event is a NUL-terminated string that lives until the callback returns.
    let event = unsafe { std::ffi::CStr::from_ptr(event) };
    let is_object = serde_json::from_slice::<serde_json::Value>(event.to_bytes())
        .is_ok_and(|event| event["event"].is_string());
    let first = !log.was_called.swap(true, Ordering::SeqCst);
    let key = state.slots[log.slot].key.load(Ordering::SeqCst);
    let result = match log.does {
        LogDoes::Nothing => 0,
        LogDoes::Free => state.free(key),
        LogDoes::Cancel => payorder_client_cancel(handle(key)),
        LogDoes::EndLog => state.set_log(key, None, Some(log.slot)),
        LogDoes::Ask if first => client::get_status(key, c"{\"searchType\":\"3\"}", None).result,
        LogDoes::Ask => 0,
    };
    if !is_object || ![0, 2, 4].contains(&result) {
        eprintln!("in a log that does {:?}: {result}, {event:?}", log.does);
        std::process::abort();
    }
}
