//! The values in the reports of the Rust driver.

use std::sync::LazyLock;

use payorder_core::{Checkout, Error, Status, StatusQuery, Waited};
use serde_json::{Value, json};

/// The fields of a status, as the description for machines lists them.
static STATUS_FIELDS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let description = include_str!("../../../include/payorder-abi.json");
    let description: Value = serde_json::from_str(description).expect("a description");
    let keys = description["objects"]["statusData"]["keys"].as_array();
    let names = keys.into_iter().flatten().map(|one| one["key"].as_str());
    names.flatten().map(str::to_owned).collect()
});

/// The crate has no property for the responseCode of a success.
fn response_code(json: &str) -> Value {
    let response: Value = serde_json::from_str(json).expect("a result is JSON");
    response["responseCode"].clone()
}

pub fn checkout(checkout: &Checkout) -> Value {
    json!({
        "url": checkout.url(),
        "responseCode": response_code(checkout.json()),
        "responseMessage": checkout.response_message(),
    })
}

pub fn status(status: &Status) -> Value {
    let mut report = json!({
        "responseCode": response_code(status.json()),
        "responseMessage": status.response_message(),
        "completed": status.is_completed(),
        "date": status.transaction_date(),
        "raw": status.json(),
    });
    for field in &*STATUS_FIELDS {
        report[field] = status.field(field).into();
    }
    report
}

pub fn query(query: &StatusQuery<'_>) -> Value {
    match query {
        StatusQuery::Order(id) => json!({"searchType": "1", "orderId": id}),
        StatusQuery::Transaction(id) => json!({"searchType": "2", "transactionId": id}),
    }
}

/// The last status of a failed wait, which the error has as text.
fn last_status(text: &str) -> Value {
    let status: Value = serde_json::from_str(text).expect("a status is JSON");
    let mut report = status["data"].clone();
    report["responseMessage"] = status["responseMessage"].clone();
    report
}

pub fn error(error: &Error) -> Value {
    let violations = error.all_violations().iter();
    let violations = violations.map(|one| json!({"field": one.field, "rule": one.rule}));
    json!({
        "result": error.code().number(),
        "name": error.code().name(),
        "outcome": error.outcome().name(),
        // A program matches on the outcome.
        "caught": error.outcome().name(),
        "cause": error.cause().name(),
        "action": error.action().name(),
        "message": error.to_string(),
        "operation": error.operation().map(|operation| operation.name()),
        "attempts": error.attempts(),
        "elapsedMs": error.elapsed().map(|time| time.as_millis() as u64),
        "violations": violations.collect::<Vec<_>>(),
        "httpStatus": error.http_status(),
        "responseCode": error.response_code(),
        "responseMessage": error.response_message(),
        "retryAfterMs": error.retry_after().map(|time| time.as_millis() as u64),
        "statusQuery": error.status_query().as_ref().map(query),
        "previous": error.previous(),
        "status": error.last_status().map(last_status),
    })
}

pub fn waited(waited: &Waited) -> Value {
    json!({
        "final": waited.is_final,
        "timedOut": waited.timed_out,
        "polls": waited.polls,
        "status": waited.status.as_ref().map(status),
        "error": waited.error.as_ref().map(error),
    })
}
