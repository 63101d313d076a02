//! A second payment service, which exists only in tests: other paths, a bearer token, other names
//! and codes. It shows what another service has to provide, and that the client needs no more.

mod tests;

use serde_json::{Value, json};

use crate::error::{Cause, Code, Error, Rule, Violation};
use crate::payment::checkout::Checkout;
use crate::payment::endpoint::Endpoint;
use crate::payment::failure::ResponseFailure;
use crate::payment::order::OrderRequest;
use crate::payment::response::Response;
use crate::payment::service::Service;
use crate::payment::status::{Facts, Fields, Status};
use crate::query::{StatusQuery, names};
use crate::text::json::{self as text, Members};

const TOKEN: &str = "token";

static SERVICE: Service = Service {
    create_order: Endpoint {
        name: "New Payment",
        path: "/v2/payments",
        credentials: &[(TOKEN, "authorization: Bearer ")],
    },
    get_status: Endpoint {
        name: "Find Payment",
        path: "/v2/payments/find",
        credentials: &[(TOKEN, "authorization: Bearer ")],
    },
    headers: "content-type: application/json; charset=utf-8\r\n",
    own_headers: &[],
    order_id: |fields| field(fields, "order_id"),
    order: |fields, _| order(&fields),
    query: |query| match query {
        StatusQuery::Order(id) => json!({"order_id": id}).to_string(),
        StatusQuery::Transaction(id) => json!({"payment_id": id}).to_string(),
    },
    read_checkout: |response, rules, credentials| {
        let body = read(response)?;
        let url = body["pay_at"].as_str().unwrap_or_default();
        rules
            .check(url, credentials)
            .map_err(|(cause, what)| ResponseFailure::new(Code::BadResponse, cause, what))?;
        Ok(Checkout {
            url: url.to_owned(),
            response_message: String::new(),
            json: json!({"data": {"url": url}}).to_string(),
        })
    },
    read_status: |response, _, _| read(response).map(status),
    success: "open",
    order_exists: 423,
};

fn field<'a>(fields: &'a Members<'_>, name: &str) -> Option<&'a str> {
    fields.iter().find_map(|(key, value)| match value {
        text::Value::Text(text) if key == name => Some(&**text),
        _ => None,
    })
}

fn order<'a>(fields: &Members<'_>) -> Result<OrderRequest<'a>, Error> {
    let take = |name: &str| {
        let missing = || vec![Violation::new(name, Rule::Required, "is missing")];
        let text = field(fields, name).map(str::to_owned);
        text.ok_or_else(|| Error::violations("payment", missing()))
    };
    let (order_id, receipt) = (take("order_id")?, take("receipt_no")?);
    let (amount, currency) = (take("amount_due")?, take("currency")?);
    let body = json!({
        "order_id": order_id, "receipt_no": receipt, "amount_due": amount, "currency": currency,
    });
    Ok(OrderRequest {
        body: body.to_string(),
        order_id: order_id.into(),
        merchant_txn_id: receipt.into(),
        amount: amount.into(),
        currency_code: currency.into(),
    })
}

/// Only 422 is a refusal.
fn read(response: &Response<'_>) -> Result<Value, ResponseFailure> {
    let body = response.body.as_ref();
    let body: Option<Value> = body.and_then(|body| serde_json::from_str(&body.text).ok());
    let failed = |code, cause, what| Err(ResponseFailure::new(code, cause, what));
    match (response.status, body) {
        (201, Some(body)) => Ok(body),
        (422, _) => failed(Code::Rejected, Cause::ServiceRefused, "refused the payment"),
        (423, _) => failed(Code::ServiceFailed, Cause::OrderExists, "has this payment"),
        _ => failed(Code::BadResponse, Cause::ResponseNotJson, "sent no payment"),
    }
}

/// As programs know a status: under the names of the C ABI.
fn status(body: Value) -> Status {
    let paid = body["state"] == "done";
    let text = |name: &str| body[name].as_str().unwrap_or_default().to_owned();
    const NAMES: [&str; 4] = [
        names::ORDER_ID,
        names::TRANSACTION_ID,
        names::AMOUNT,
        names::TRANSACTION_STATUS,
    ];
    let state = match paid {
        true => "Completed".into(),
        false => text("state"),
    };
    let texts = [
        text("order_id"),
        text("payment_id"),
        text("amount_due"),
        state,
    ];
    let named = NAMES.iter().zip(&texts);
    let data: serde_json::Map<String, Value> = named
        .map(|(name, value)| ((*name).to_owned(), json!(value)))
        .collect();
    Status {
        facts: Facts {
            is_completed: paid,
            may_be_paid: paid,
            is_refunded: false,
            is_echo: false,
        },
        json: json!({"responseCode": "200", "data": data}).to_string(),
        fields: Fields::new(&NAMES, texts.iter().map(String::as_str)),
        response_message: String::new(),
    }
}
