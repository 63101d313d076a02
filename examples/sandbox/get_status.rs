//! Get Status: what it says about an order or a transaction.

use serde_json::Value;

use super::calendar::{documented, sortable};
use super::faults::{Name, Step};
use super::http::{Request, Response};
use super::orders::{Order, Orders, State, Transaction};
use super::rules::Applied;
use super::service::{
    Credentials, HandledRequest, MERCHANT_NAME, check_call, envelope, json_object, object, refusal,
    spoiled, text_field, unknown_order,
};

/// The fields of a status.
pub const STATUS_FIELDS: &str = "merchantRefId orderId transactionId amount customerName \
    customerMobile customerEmail transactionStatus transactionDate refundStatus refundType \
    merchantName settlementStatus settlementDate payMode";

/// `rule` has the fault of a rule, which also happens to the response about an unknown order.
pub fn get_status(
    request: &Request,
    rule: &Applied,
    orders: &mut Orders,
    credentials: &Credentials,
) -> HandledRequest {
    let body = json_object(&request.body);
    let asked_for = text_field(body.as_ref(), "orderId");
    let found = check_call(request, &credentials.of_status(), body).and_then(|query| {
        let text = |field: &str| query.get(field).and_then(Value::as_str).unwrap_or_default();
        let found = match (text("searchType"), text("orderId"), text("transactionId")) {
            ("1", "", _) => return Err(refusal(400, "orderId is needed with searchType 1")),
            ("1", order_id, _) => orders.ask_by_order(order_id),
            ("2", _, "") => return Err(refusal(400, "transactionId is needed with searchType 2")),
            ("2", _, transaction_id) => orders.ask_by_transaction(transaction_id),
            _ => return Err(refusal(400, "searchType must be 1 or 2")),
        };
        found.ok_or_else(unknown_order)
    });
    let (order_id, marker) = match &found {
        Ok((order, _)) => (
            Some(order.order_id.clone()),
            order.markers.at(Step::Status, order.queries),
        ),
        Err(_) => (asked_for, None),
    };
    let fault = rule.fault.or(marker);
    let response = match found {
        _ if fault == Some("echo") => echo(order_id.as_deref().unwrap_or_default()),
        Ok((order, transaction)) => {
            let data = status_data(order, transaction, fault, &rule.fields);
            Response::json(200, envelope(200, "Success", Some(&data)))
        }
        Err(refused) => refused,
    };
    HandledRequest {
        reply: spoiled(fault, response),
        order_id,
        fault,
        created: false,
    }
}

/// An answer that only repeats the question.
fn echo(order_id: &str) -> Response {
    let data = object(&[("orderId", order_id)]);
    let nulls = r#","transactionId":null,"amount":null,"transactionStatus":null}"#;
    let data = data.trim_end_matches('}').to_owned() + nulls;
    Response::json(200, envelope(200, "No record found", Some(&data)))
}

/// The fields of the fault few-fields.
const FEW: [&str; 4] = ["orderId", "transactionId", "amount", "transactionStatus"];

fn status_data(
    order: &Order,
    transaction: Option<&Transaction>,
    fault: Option<Name>,
    fields: &[(&str, String)],
) -> String {
    let when = |faulty: Name, value: &str, usual: &str| {
        if fault == Some(faulty) {
            value.to_owned()
        } else {
            usual.to_owned()
        }
    };
    let state = transaction.map_or(order.state(), |transaction| transaction.state);
    let date = transaction.map(|transaction| transaction.initiated);
    let documented = date.map(documented).unwrap_or_default();
    let sortable = date.map(sortable).unwrap_or_default();
    let transaction_id = transaction.map_or("", |transaction| &transaction.transaction_id);

    let refunded = fault == Some("refunded") || (order.refunded && state == State::Completed);
    let wrong_amount = if order.amount == "1.00" {
        "2.00"
    } else {
        "1.00"
    };
    let order_id = when("wrong-order", "another-order", &order.order_id);
    let transaction_id = when("wrong-order", "TXN-OF-ANOTHER-ORDER", transaction_id);
    let amount = when("wrong-amount", wrong_amount, &order.amount);
    let status = when("unknown-status", "OnHold", state.name());
    let date = when("other-date", &sortable, &documented);
    let mut data: [(&str, &str); 15] = [
        ("merchantRefId", &order.merchant_txn_id),
        ("orderId", &order_id),
        ("transactionId", &transaction_id),
        ("amount", &amount),
        ("customerName", &order.customer_name),
        ("customerMobile", &order.customer_mobile),
        ("customerEmail", &order.customer_email),
        ("transactionStatus", &status),
        ("transactionDate", &date),
        ("refundStatus", if refunded { "Refunded" } else { "" }),
        ("refundType", if refunded { "Full" } else { "" }),
        ("merchantName", MERCHANT_NAME),
        ("settlementStatus", ""),
        ("settlementDate", ""),
        (
            "payMode",
            transaction.map_or("", |transaction| &transaction.pay_mode),
        ),
    ];
    for (name, value) in &mut data {
        if let Some((_, other)) = fields.iter().find(|(field, _)| field == name) {
            *value = other;
        }
    }
    if fault == Some("few-fields") {
        let few = data.into_iter().filter(|(name, _)| FEW.contains(name));
        return object(&few.collect::<Vec<_>>());
    }
    object(&data)
}
