//! Whole conversations with a service that fails at any byte: it refuses connections, accepts a part
//! of the request, responds early, in pieces, or only in part, closes, resets or falls silent, also
//! between two calls. [`model`] says from the steps which results are allowed. Or a response of any
//! bytes, see [`raw`]: then an input starts with `r`.
#![no_main]

mod model;
mod raw;

use std::ffi::CStr;
use std::ptr;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use arbitrary::{Arbitrary, Unstructured};
use libfuzzer_sys::{Corpus, fuzz_target};
use model::{Call, LIMIT};
use payorder::{
    payorder_build_create_order, payorder_build_get_status, payorder_create_order,
    payorder_get_status, payorder_live_calls, payorder_live_strings,
};
use payorder_fuzz::client::{self, ORDER};
use payorder_fuzz::input::{Asked, Input};
use payorder_fuzz::reply::{Reply, c, call};
use payorder_fuzz::{answer, clock, service};

/// How often the clients send again, at most.
const RETRIES: [usize; 3] = [0, 1, 3];

/// Clients of the service, one for each number of retries.
static CLIENTS: LazyLock<[usize; 3]> = LazyLock::new(|| {
    clock::skip_waits();
    service::start();
    let [token, client_key, client_id, secret_key] = raw::SECRETS;
    RETRIES.map(|retries| {
        client::made(&format!(
            r#"{{"baseUrl":"{}","proxy":"none","timeoutMs":{},
                "connectTimeoutMs":1000,"createRetries":{retries},"statusRetries":{retries},
                "maxIdleMs":600000,"maxResponseBytes":{},
                "accessToken":"{token}","clientKey":"{client_key}","clientId":"{client_id}",
                "secretKey":"{secret_key}"}}"#,
            service::URL,
            LIMIT.as_millis(),
            answer::MOST,
        ))
    })
});

fuzz_target!(|bytes: &[u8]| -> Corpus {
    let input = match bytes {
        [b'r', bytes @ ..] => raw::input(bytes),
        [_, bytes @ ..] => Input::arbitrary_take_rest(Unstructured::new(bytes)).ok(),
        [] => None,
    };
    let Some(input) = input else {
        return Corpus::Reject;
    };
    run(&input);
    Corpus::Keep
});

fn run(input: &Input) {
    let which = usize::from(input.client) % RETRIES.len();
    let (key, retries) = (CLIENTS[which], RETRIES[which]);
    for plan in input.calls.iter().take(4) {
        let strings = payorder_live_strings();
        let body = built(plan.asked);
        service::begin(plan);
        let started = Instant::now();
        let reply = make(key, plan.asked);
        let elapsed = started.elapsed();
        let call = Call {
            asked: plan.asked,
            body,
            attempts: service::end(),
            retries,
            elapsed,
        };
        call.judge(&reply);
        // A read waits for a millisecond at least.
        assert!(
            elapsed < LIMIT + Duration::from_millis(2),
            "it took {elapsed:?}: {reply:?}"
        );
        assert_eq!(payorder_live_strings(), strings, "a string leaked");
    }
    service::close_all();
    assert_eq!(payorder_live_calls(), 0, "a call is still running");
}

const BY_ORDER: &CStr = c"{\"orderId\":\"O-1\"}";
const BY_TRANSACTION: &CStr = c"{\"transactionId\":\"X-1\"}";

fn make(key: usize, asked: Asked) -> Reply {
    match asked {
        Asked::Order => client::ask(payorder_create_order, key, &c(ORDER), None),
        Asked::Status => client::ask(payorder_get_status, key, BY_ORDER, None),
        Asked::Transaction => client::ask(payorder_get_status, key, BY_TRANSACTION, None),
    }
}

/// The body of the request.
fn built(asked: Asked) -> String {
    // SAFETY: every text is valid for the call.
    let query =
        |query: &CStr| call(|out| unsafe { payorder_build_get_status(query.as_ptr(), out) });
    let reply = match asked {
        Asked::Order => {
            let order = c(ORDER);
            // SAFETY: every text is valid for the call, and no options are NULL.
            call(|out| unsafe { payorder_build_create_order(order.as_ptr(), ptr::null(), out) })
        }
        Asked::Status => query(BY_ORDER),
        Asked::Transaction => query(BY_TRANSACTION),
    };
    reply.text().to_owned()
}
