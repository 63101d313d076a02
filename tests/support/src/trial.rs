//! Runs a row: its calls through the C ABI, each compared with what the service received.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crate::abi::{Client, Outcome, Reply, payorder_result_outcome};
use crate::certificates::Certificates;
use crate::orders::order_named;
use crate::result::TIMEOUT;
use crate::row::{Before, Place, Row};
use crate::service::{Scripts, Seen, Service, Way};
use crate::unreachable::Unreachable;
use serde_json::{Value, json};

/// What a call may take beyond its deadline on a busy machine.
const MARGIN: Duration = Duration::from_secs(3);

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    CreateOrder,
    GetStatus,
}

/// One call, with everything that is known about it.
pub struct CallRecord {
    order_id: String,
    pub reply: Reply,
    took: Duration,
    deadline: Duration,
    seen: Seen,
}

pub struct Trial {
    pub name: String,
    pub calls: Vec<CallRecord>,
    row: Row,
    connections: usize,
    patience: u64,
}

impl Trial {
    /// `patience` multiplies all times, for a machine that is too busy for the short ones.
    pub fn of(
        row: &Row,
        way: Way,
        operation: Operation,
        certificates: &Arc<Certificates>,
        patience: u64,
    ) -> Trial {
        let service = Service::scripted(scripts(row), way, certificates, patience);
        let unreachable = match row.at {
            Place::Nobody => Some(Unreachable::refusing()),
            Place::FullQueue => Some(Unreachable::full_queue()),
            _ => None,
        };
        let port = unreachable
            .as_ref()
            .map_or(service.port(), Unreachable::port);
        let config = config(row, way, port, certificates, patience);
        let client = Client::new(&config);
        let mut calls = Vec::new();
        for call in &row.calls {
            match call.before {
                Before::Nothing => {}
                Before::Pause(milliseconds) => {
                    std::thread::sleep(Duration::from_millis(milliseconds * patience))
                }
                Before::ScriptSays => {
                    service.wait_for_script();
                    // Time for what was sent to arrive.
                    std::thread::sleep(Duration::from_millis(5 * patience));
                }
                Before::Stop => service.stop(),
                Before::Start => service.start_again(),
                Before::Restart => {
                    service.stop();
                    service.start_again();
                }
            }
            static NUMBER: AtomicUsize = AtomicUsize::new(0);
            let order_id = format!("W-{}", NUMBER.fetch_add(1, Relaxed));
            let began = Instant::now();
            let reply = match row.large {
                true => ask_large(&config, &order_id),
                false => ask(&client, operation, &order_id),
            };
            let took = began.elapsed();
            service.call_returned();
            calls.push(CallRecord {
                order_id,
                reply,
                took,
                deadline: Duration::from_millis(row.within * patience),
                seen: Seen::default(),
            });
        }
        // The client's connections end with it. The service still reads what is in transit.
        drop(client);
        service.stop();
        for call in &mut calls {
            call.seen = service.record().seen(&call.order_id);
        }
        Trial {
            name: format!("{}, {way:?}, {operation:?}", row.name),
            calls,
            row: row.clone(),
            connections: service.connections(),
            patience,
        }
    }

    /// Broken promises. A busy machine can cause what `unexpected` returns, but none of these.
    pub fn violations(&self) -> Vec<String> {
        let broken = self.calls.iter().filter_map(|call| {
            // A response to a part of the request counts.
            let complete = call.seen.complete.max(usize::from(self.row.early));
            let early = call.reply.code == TIMEOUT && call.took < call.deadline;
            let problem = contradiction(&call.reply, &call.order_id, call.seen.bytes, complete)
                .or(early.then_some("timed out before its deadline"))?;
            Some(format!("{problem}: {call}"))
        });
        broken.collect()
    }

    pub fn unexpected(&self) -> Vec<String> {
        let row = &self.row;
        let mut unexpected = Vec::new();
        for (call, expected) in self.calls.iter().zip(&row.calls) {
            if !expected.results.contains(&call.reply.code) {
                unexpected.push(format!("expected {:?}: {call}", expected.results));
            }
            if call.took > call.deadline + MARGIN {
                unexpected.push(format!("later than the deadline: {call}"));
            }
            let sooner = row
                .sooner
                .map(|time| Duration::from_millis(time * self.patience));
            if sooner.is_some_and(|sooner| call.took > sooner) {
                unexpected.push(format!("ended too late: {call}"));
            }
        }
        let first = self.calls.first().expect("a call");
        let sent = !(1..100).contains(&first.reply.code);
        if row.delivers() && sent && first.seen.complete == 0 {
            unexpected.push(format!("sent, but the service did not get it: {first}"));
        }
        let cause = &first.reply.error()["cause"];
        if row.cause.is_some_and(|expected| cause != expected) {
            unexpected.push(format!("another cause than {:?}: {first}", row.cause));
        }
        let promised = row.connections.as_ref();
        if promised.is_some_and(|promised| !promised.contains(&self.connections)) {
            unexpected.push(format!(
                "{} connections, expected {promised:?}",
                self.connections
            ));
        }
        unexpected
    }
}

impl fmt::Display for CallRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let CallRecord {
            reply,
            took,
            deadline,
            seen,
            ..
        } = self;
        let message = if reply.code == 0 {
            "done"
        } else {
            reply.message()
        };
        let (took, deadline) = (took.as_millis(), deadline.as_millis());
        write!(
            formatter,
            "{} in {took} of {deadline} ms, {} bytes and {} complete received: {message}",
            reply.code, seen.bytes, seen.complete
        )
    }
}

/// What contradicts a reply, whatever the machine's load: so many bytes of the request were sent, and
/// so often the service received all of it.
pub fn contradiction(
    reply: &Reply,
    order_id: &str,
    sent: usize,
    complete: usize,
) -> Option<&'static str> {
    use Outcome::*;
    let outcome = reply.outcome();
    let name = match outcome {
        Done => Value::Null,
        NotSent => json!("not_sent"),
        Rejected => json!("rejected"),
        Unknown => json!("unknown"),
    };
    let error = reply.error();
    let query = json!({"searchType": "1", "orderId": order_id});
    let action = match error["cause"] == "order_exists" {
        true => "ask_person",
        false => "ask_status",
    };
    let asks = error["action"] == action && error["statusQuery"] == query;
    match outcome {
        _ if payorder_result_outcome(reply.code) != outcome as i32 || error["outcome"] != name => {
            Some("the outcome does not fit the result")
        }
        NotSent if sent > 0 => Some("reported as not sent, but something was sent"),
        Done | Rejected if complete == 0 => {
            Some("has a response, but the request was never delivered")
        }
        _ if complete > 1 => Some("delivered more than once"),
        Unknown if error["operation"] == "create_order" && !asks => {
            Some("unknown, but it does not say to ask for the order's status")
        }
        _ => None,
    }
}

/// The n-th connection gets the n-th script, and all further ones the last.
fn scripts(row: &Row) -> Scripts {
    let scripts = row.scripts.clone();
    Box::new(move |number| {
        scripts
            .get(number)
            .or(scripts.last())
            .expect("a script")
            .clone()
    })
}

fn ask(client: &Client, operation: Operation, order_id: &str) -> Reply {
    // The credentials are the order's identifier, so that the service knows which order a partial
    // request belongs to.
    match operation {
        Operation::CreateOrder => {
            client.create_with(&order_named(order_id), &json!({"accessToken": order_id}))
        }
        Operation::GetStatus => {
            let credentials =
                json!({"clientKey": order_id, "clientId": "client-id", "secretKey": "secret-key"});
            client.status_with(&json!({"orderId": order_id}), &credentials)
        }
    }
}

fn ask_large(config: &Value, order_id: &str) -> Reply {
    let client = payorder_core::Client::from_json(&config.to_string()).expect("a client");
    let credentials = payorder_core::Credentials::default().with_access_token(order_id);
    let options = payorder_core::CallOptions {
        credentials: credentials.expect("a token"),
        ..payorder_core::CallOptions::default()
    };
    create_large(&client, order_id, &options)
}

/// Creates an order that does not fit into the system's buffers, so that it is sent in part. The
/// C interface does not accept orders of that size.
pub fn create_large(
    client: &payorder_core::Client,
    order_id: &str,
    options: &payorder_core::CallOptions,
) -> Reply {
    let order = order_named(order_id);
    let text = |name: &str| order[name].as_str().expect("a text");
    let large = "x".repeat(6 << 20);
    let order = payorder_core::Order::new(payorder_core::OrderFields {
        amount: text("amount"),
        merchant_txn_id: text("merchantTxnId"),
        order_id,
        pay_mode: text("payMode"),
        merchant_id: text("merchantId"),
        product_info: &large,
        customer_name: text("customerName"),
        customer_mobile: text("customerMobile"),
        customer_email: text("customerEmail"),
        redirection_url: text("redirectionURL"),
        currency_code: text("currencyCode"),
    });
    let (code, text) = match client.create_order(&order.expect("an order"), options) {
        Ok(checkout) => (0, checkout.json().to_owned()),
        Err(error) => (error.code().number(), error.to_json()),
    };
    Reply::of(code, Some(text))
}

fn config(row: &Row, way: Way, port: u16, certificates: &Certificates, patience: u64) -> Value {
    let (base_url, proxy) = way.addresses(&match &row.at {
        Place::Service | Place::Nobody | Place::FullQueue => format!("localhost:{port}"),
        Place::Named(name) => format!("{name}:{port}"),
        Place::Host(host) => (*host).to_owned(),
    });
    let mut config = json!({
        "baseUrl": base_url,
        "proxy": proxy,
        "timeoutMs": row.within * patience,
        // As many retries as allowed: the worst case for delivering twice.
        "createRetries": 2,
        "statusRetries": 0,
        // On a busy machine a kept connection must not become too old.
        "maxIdleMs": 60_000,
        "allowInsecureHttp": true,
        "tls": {"caFile": certificates.authorities()},
    });
    for (key, value) in &row.settings {
        config[*key] = value.clone();
    }
    if let Some(limit) = config["connectTimeoutMs"].as_u64() {
        config["connectTimeoutMs"] = (limit * patience).into();
    }
    config
}
