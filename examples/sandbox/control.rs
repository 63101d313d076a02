//! The control address: a test looks at the sandbox and drives it with JSON over HTTP.

use std::time::Duration;

use serde_json::{Value, json};

use super::calendar::timestamp;
use super::faults::TABLE;
use super::http::{ReadError, Request, Response};
use super::orders::{Order, Orders, State, checkout_url};
use super::rules::Rule;
use super::tls::Tls;
use super::visitor::{check_host, check_origin, check_secret, is_local};
use super::{Service, lock};

pub const CONTROL: &str = "/sandbox";
/// The longest wait for requests, in milliseconds.
const MAX_WAIT: u64 = 60_000;

pub fn is_control(path: &str) -> bool {
    path.strip_prefix(CONTROL)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Answers a request to [`CONTROL`] or an address under it.
pub fn control(request: &Request, service: &Service) -> Response {
    // No page may read a response, also not as a script or in a frame.
    answer(request, service)
        .with_header("Cache-Control", "no-store".to_owned())
        .with_header("X-Content-Type-Options", "nosniff".to_owned())
        .with_header("Cross-Origin-Resource-Policy", "same-origin".to_owned())
}

/// A body that cannot be read is refused in JSON too.
pub fn unread(refused: ReadError) -> ReadError {
    match refused {
        ReadError::Refused(response) => {
            let what = response.body.trim_end_matches(['.', '\n']);
            ReadError::Refused(error(response.status, what))
        }
        closed => closed,
    }
}

/// Whether the control address may be used at all.
pub fn check(request: &Request, service: &Service) -> Result<(), Response> {
    check_host(request, service)
        .and_then(|()| check_origin(request, service))
        .and_then(|()| check_secret(request, service))
        .map_err(|(status, what)| error(status, what))
}

fn answer(request: &Request, service: &Service) -> Response {
    if let Err(refused) = check(request, service) {
        return refused;
    }
    let path = request.path().strip_prefix(CONTROL).unwrap_or_default();
    let parts: Vec<&str> = path.split('/').skip(1).collect();
    let method = match request.method.as_str() {
        "HEAD" => "GET",
        method => method,
    };
    match (method, &parts[..]) {
        ("GET", []) => ok(about(service)),
        ("GET", ["orders"]) => {
            let orders = lock(&service.orders);
            let list: Vec<Value> = orders
                .all()
                .map(|order| order_json(order, &orders, &service.base_url))
                .collect();
            ok(json!({"orders": list}))
        }
        ("GET", ["orders", order_id]) => order_in_path(order_id, None, service),
        ("POST", ["orders", order_id, action]) => order_in_path(order_id, Some(action), service),
        ("POST", ["orders"]) => order_in_body(&request.body, service),
        ("GET", ["requests"]) => requests(request, service),
        ("GET", ["faults"]) => ok(rules(service)),
        ("POST", ["faults"]) => add_rule(&request.body, service),
        ("DELETE", ["faults"]) => {
            lock(&service.rules).clear();
            ok(rules(service))
        }
        ("POST", ["reset"]) => {
            service.reset();
            ok(json!({}))
        }
        ("DELETE", ["faults", rule]) => remove_rule(rule, service),
        (_, ["faults", _]) => wrong_method("DELETE"),
        (_, [] | ["events"] | ["orders", _] | ["requests"]) => wrong_method("GET"),
        (_, ["orders"]) => wrong_method("GET, POST"),
        (_, ["orders", _, _] | ["reset"]) => wrong_method("POST"),
        (_, ["faults"]) => wrong_method("GET, POST, DELETE"),
        _ => error(
            404,
            "There is nothing at this address. Use /sandbox, /sandbox/orders, /sandbox/requests, \
             /sandbox/events, /sandbox/faults or /sandbox/reset",
        ),
    }
}

fn about(service: &Service) -> Value {
    let faults: Vec<Value> = TABLE
        .iter()
        .map(|fault| json!({"step": fault.step.name(), "name": fault.name, "effect": fault.effect}))
        .collect();
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "baseUrl": service.base_url,
        "returnUrlField": service.return_url_field,
        "insecure": service.base_url.starts_with("http:") && !is_local(&service.base_url),
        "authority": service.tls.as_ref().and_then(Tls::fingerprint),
        "credentials": {
            "accessToken": service.credentials.access_token,
            "clientKey": service.credentials.client_key,
            "clientId": service.credentials.client_id,
            "secretKey": service.credentials.secret_key,
        },
        "faults": faults,
    })
}

fn order_in_path(encoded_id: &str, action: Option<&str>, service: &Service) -> Response {
    match percent_decoded(encoded_id) {
        Some(order_id) => one_order(&order_id, action, service),
        None => error(
            400,
            "The orderId in the path is not valid percent-encoded UTF-8",
        ),
    }
}

/// An orderId such as `..` cannot be in a path: browsers shorten it, also if it is encoded.
fn order_in_body(body: &[u8], service: &Service) -> Response {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let text = |name| body.get(name).and_then(Value::as_str);
    match (text("orderId"), text("action")) {
        (Some(order_id), Some(action)) => one_order(order_id, Some(action), service),
        _ => error(
            400,
            "The body must be JSON such as {\"orderId\":\"O-1\",\"action\":\"pay\"}",
        ),
    }
}

fn one_order(order_id: &str, action: Option<&str>, service: &Service) -> Response {
    let mut orders = lock(&service.orders);
    let Some(order) = orders.by_order_id(order_id) else {
        return error(404, &format!("No order has the orderId {order_id:?}"));
    };
    let (number, state) = (order.number, order.state());
    let wanted = match action {
        None => None,
        Some("pay") => Some(State::Completed),
        Some("fail") => Some(State::Failed),
        Some("cancel") => Some(State::Cancelled),
        Some("refund") => {
            if !orders.refund(number) {
                let state = state.name();
                return error(
                    409,
                    &format!("Only a paid order can be refunded; {order_id:?} is {state}"),
                );
            }
            None
        }
        Some(_) => return error(404, "Use pay, fail, cancel or refund"),
    };
    if let Some(wanted) = wanted {
        if !order_can_become(state, wanted) {
            let state = state.name();
            return error(
                409,
                &format!("{order_id:?} is {state} already, which is final"),
            );
        }
        orders.settle(number, wanted, None);
    }
    match orders.by_number(number) {
        Some(order) => ok(order_json(order, &orders, &service.base_url)),
        None => error(404, "The order is gone"),
    }
}

/// To pay a paid order again, or to cancel a cancelled one, changes nothing.
fn order_can_become(state: State, wanted: State) -> bool {
    matches!(state, State::Pending | State::Failed) || state == wanted
}

fn order_json(order: &Order, orders: &Orders, base_url: &str) -> Value {
    let transactions: Vec<Value> = order
        .transactions
        .iter()
        .map(|transaction| {
            json!({
                "transactionId": transaction.transaction_id,
                "state": transaction.state.name(),
                "at": timestamp(transaction.initiated),
            })
        })
        .collect();
    json!({
        "number": order.number,
        "orderId": order.order_id,
        "merchantTxnId": order.merchant_txn_id,
        "amount": order.amount,
        "currencyCode": order.currency_code,
        "state": order.state().name(),
        "refunded": order.refunded,
        "checkoutUrl": checkout_url(base_url, order.number),
        "createdAt": timestamp(order.created),
        "createRequests": orders.create_requests(&order.order_id),
        "transactions": transactions,
    })
}

fn requests(request: &Request, service: &Service) -> Response {
    let (mut after, mut wait) = (0, 0);
    let query = request
        .target
        .split_once('?')
        .map_or("", |(_, query)| query);
    for field in query.split('&').filter(|field| !field.is_empty()) {
        let (name, value) = field.split_once('=').unwrap_or((field, ""));
        let number = value.parse().ok();
        match (name, number) {
            ("after", Some(number)) => after = number,
            ("wait", Some(number)) if number <= MAX_WAIT => wait = number,
            ("after", None) => return error(400, "after must be the number of a request"),
            ("wait", _) => {
                return error(
                    400,
                    &format!("wait must be a number of milliseconds up to {MAX_WAIT}"),
                );
            }
            _ => return error(400, "The query may have after and wait"),
        }
    }
    let list = service.record.since(after, Duration::from_millis(wait));
    ok(json!({"requests": list}))
}

fn rules(service: &Service) -> Value {
    let rules = lock(&service.rules);
    let list: Vec<Value> = rules.list().iter().map(rule_json).collect();
    json!({"rules": list})
}

fn rule_json(rule: &Rule) -> Value {
    json!({"rule": rule.text(), "used": rule.used()})
}

fn add_rule(body: &[u8], service: &Service) -> Response {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let Some(text) = body.get("rule").and_then(Value::as_str) else {
        return error(
            400,
            "The body must be JSON such as {\"rule\":\"create:1:drop-before\"}",
        );
    };
    let added = Rule::parse(text).and_then(|rule| {
        let json = rule_json(&rule);
        lock(&service.rules).add(rule).map(|()| json)
    });
    match added {
        Ok(json) => Response::json(201, json.to_string()),
        Err(what) => error(400, &what),
    }
}

fn remove_rule(encoded: &str, service: &Service) -> Response {
    let rule = percent_decoded(encoded).unwrap_or_default();
    if !lock(&service.rules).remove(&rule) {
        return error(404, &format!("There is no rule {rule:?}"));
    }
    ok(rules(service))
}

fn percent_decoded(text: &str) -> Option<String> {
    let mut decoded = Vec::new();
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let digit = |byte: u8| char::from(byte).to_digit(16);
        let (high, low) = (digit(bytes.next()?)?, digit(bytes.next()?)?);
        decoded.push((high * 16 + low) as u8);
    }
    String::from_utf8(decoded).ok()
}

fn ok(value: Value) -> Response {
    Response::json(200, value.to_string())
}

fn error(status: u16, what: &str) -> Response {
    Response::json(status, json!({"error": what}).to_string())
}

fn wrong_method(allowed: &str) -> Response {
    error(405, &format!("This address takes {allowed} only"))
        .with_header("Allow", allowed.to_owned())
}
