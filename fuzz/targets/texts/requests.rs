//! Orders, queries, return URLs and verification.

use crate::{Texts, object, offline, text};
use payorder::{
    payorder_build_create_order, payorder_build_get_status, payorder_parse_return_url,
    payorder_verify_payment,
};
use payorder_fuzz::reply::{Reply, c, entries, lenient_text, pointer, received};
use serde_json::Value;
use std::ffi::CString;

const FIELDS: &str = "amount merchantTxnId orderId payMode merchantId productInfo customerName \
    customerMobile customerEmail redirectionURL currencyCode";

pub fn build_order(order: &Option<CString>, options: &Option<CString>) -> Reply {
    // SAFETY: every pointer is valid for the call.
    offline(&[0, 1, 4], |out| unsafe {
        payorder_build_create_order(pointer(order), pointer(options), out)
    })
}

pub fn build_query(query: &Option<CString>) -> Reply {
    // SAFETY: every pointer is valid for the call.
    offline(&[0, 1, 4], |out| unsafe {
        payorder_build_get_status(pointer(query), out)
    })
}

/// `[0-9]+(\.[0-9]+)?` in canonical digits; `None` for anything else.
fn decimal(text: &str) -> Option<(&str, &str)> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.chars().all(|digit| digit.is_ascii_digit());
    (digits(whole) && digits(fraction)).then(|| {
        (
            whole.trim_start_matches('0'),
            fraction.trim_end_matches('0'),
        )
    })
}

pub fn order(texts: &Texts<'_>) {
    let (order, options) = (text(texts, 0), text(texts, 1));
    let reply = build_order(&order, &options);
    if reply.result != 0 {
        return;
    }
    let (order, options) = (object(&order), object(&options));
    let return_url = options["returnUrlField"]
        .as_str()
        .unwrap_or("redirectionURL");
    let body = reply.entries();
    for field in FIELDS.split(' ') {
        let given = order[field].as_str().expect("a field of an accepted order");
        let name = if field == "redirectionURL" {
            return_url
        } else {
            field
        };
        let sent: String = serde_json::from_str(body[name].get()).expect("a field of a body");
        assert_eq!(sent, given, "{field} was changed");
        assert!(!given.trim().is_empty(), "{field} is blank");
    }
    let amount = order["amount"].as_str().expect("an amount");
    assert!(
        reply
            .text()
            .starts_with(&format!("{{\"amount\":\"{amount}\",")),
        "the amount was changed: {}",
        reply.text()
    );
    assert!(
        decimal(amount).is_some_and(|(whole, fraction)| {
            !whole.is_empty() && fraction.len() <= 2 && amount.starts_with(whole)
        }),
        "{amount} was accepted"
    );
    for name in ["orderId", "merchantTxnId", "merchantId"] {
        let id = order[name].as_str().expect("an identifier");
        let is_clean = id.trim() == id && !id.chars().any(char::is_control);
        assert!(is_clean, "{name} {id:?} was accepted");
    }
    assert!(["all", "cc", "dc", "upi", "nb"].contains(&order["payMode"].as_str().expect("a mode")));
    let extra = options["extraFields"].as_object();
    for (name, value) in extra.into_iter().flatten() {
        let sent: Value = serde_json::from_str(body[name].get()).expect("an extra field of a body");
        assert_eq!(&sent, value, "{name} was changed");
    }
    assert_eq!(
        body.len(),
        FIELDS.split(' ').count() + extra.map_or(0, serde_json::Map::len),
        "the number of fields differs"
    );
    if extra.is_none() && return_url == "redirectionURL" {
        let again = build_order(&Some(c(reply.text())), &None);
        assert_eq!(
            again.text, reply.text,
            "the body, as an order, gives another body"
        );
    }
}

pub fn query(texts: &Texts<'_>) {
    let query = text(texts, 0);
    let reply = build_query(&query);
    if reply.result == 0 {
        let (given, body) = (object(&query), object(&Some(c(reply.text()))));
        let name = if body["searchType"] == "1" {
            "orderId"
        } else {
            "transactionId"
        };
        assert!(
            body[name].is_string() && body[name] == given[name],
            "{name} was changed: {body}"
        );
        check_query(reply.text());
    }
}

/// A body of Get Status is a query that gives the same body.
fn check_query(body: &str) {
    let again = build_query(&Some(c(body)));
    assert_eq!(
        again.text(),
        body,
        "the body, as a query, gives another body"
    );
}

fn parse_url(url: &Option<CString>) -> Reply {
    // SAFETY: every pointer is valid for the call.
    offline(&[0, 1, 4], |out| unsafe {
        payorder_parse_return_url(pointer(url), out)
    })
}

pub fn return_url(texts: &Texts<'_>) {
    let reply = parse_url(&text(texts, 0));
    if reply.result != 0 {
        return;
    }
    let read = object(&Some(c(reply.text())));
    let id = read["transactionId"].as_str().expect("a transaction");
    assert!(
        !id.trim().is_empty() && !id.chars().any(char::is_control),
        "{id:?} was accepted"
    );
    assert_eq!(read["statusQuery"]["transactionId"], id);
    check_query(reply.entries()["statusQuery"].get());
    let encoded: String = id.bytes().map(|byte| format!("%{byte:02X}")).collect();
    assert_eq!(
        parse_url(&Some(c(format!("?txn={encoded}")))).text,
        reply.text,
        "the same transaction, percent-encoded, is read differently"
    );
}

pub fn verify(texts: &Texts<'_>) {
    let (expected, status) = (text(texts, 0), text(texts, 1));
    // SAFETY: every pointer is valid for the call.
    let reply = offline(&[0, 1, 4], |out| unsafe {
        payorder_verify_payment(pointer(&expected), pointer(&status), out)
    });
    if reply.result != 0 {
        return;
    }
    let verdict = object(&Some(c(reply.text())));
    let reasons = verdict["reasons"].as_array().expect("reasons");
    assert_eq!(verdict["paid"] == true, reasons.is_empty(), "{verdict}");
    let unverifiable = &verdict["unverifiable"];
    assert_eq!(
        (&unverifiable[0], &unverifiable[1]),
        (&"currencyCode".into(), &"merchantId".into())
    );
    let mut failed: Vec<&str> = reasons
        .iter()
        .map(|reason| reason["check"].as_str().expect("a check"))
        .collect();

    let expected = object(&expected);
    failed.retain(|check| *check != "transactionDate" || expected["notBefore"].is_null());
    let (status, _) = received(status.as_deref().unwrap_or_default().to_bytes());
    let envelope = entries(&status).expect("an accepted status");
    let data = envelope
        .get("data")
        .and_then(|data| entries(data.get()))
        .unwrap_or_default();
    let field = |name: &str| {
        lenient_text(data.get(name).map(AsRef::as_ref)).expect("a field of an accepted status")
    };
    let code = lenient_text(envelope.get("responseCode").map(AsRef::as_ref)).expect("a code");
    let wanted = |name: &str| expected[name].as_str().unwrap_or_default();
    let equal =
        decimal(&field("amount")).is_some_and(|amount| Some(amount) == decimal(wanted("amount")));
    let mut missed = Vec::new();
    let mut check = |name, passed: bool| {
        if !passed {
            missed.push(name)
        }
    };
    check("responseCode", code == "200");
    check(
        "transactionStatus",
        field("transactionStatus") == "Completed",
    );
    check("orderId", field("orderId") == wanted("orderId"));
    check(
        "transactionId",
        expected["transactionId"].is_null() || field("transactionId") == wanted("transactionId"),
    );
    check("amount", equal);
    check("refundStatus", field("refundStatus").is_empty());
    check("refundType", field("refundType").is_empty());
    failed.sort_unstable();
    missed.sort_unstable();
    assert_eq!(failed, missed, "other checks failed: {verdict}");
}
