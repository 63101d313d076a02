//! The return URL: it names the transaction to ask about, and proves nothing.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;
use serde::Serialize;

use crate::error::{Error, Rule, Violation};
use crate::limits::LONGEST_REQUEST;
use crate::query::StatusQuery;
use crate::text::json;

/// Reads the transaction identifier from the URL on which the customer came back: an absolute URL,
/// `/path?query`, or `?query`.
///
/// The URL must have exactly one `txn` that is not empty. It is percent-decoded, and `+` becomes a
/// space. A second `?` separates like `&`, since a service may append `?txn=` to a URL that already
/// has a query. A fragment is ignored.
///
/// ```
/// let query = payorder_core::parse_return_url("https://shop.example/return?txn=T-1")?;
/// assert_eq!(query, payorder_core::StatusQuery::by_transaction("T-1")?);
/// # Ok::<(), payorder_core::Error>(())
/// ```
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a text over 256 KiB; [`crate::Code::InvalidRequest`] if
/// there is no `txn`, more than one, or one that is not UTF-8 or has control characters.
pub fn parse_return_url(url: &str) -> Result<StatusQuery<'static>, Error> {
    Error::if_too_long(url, "the return URL", LONGEST_REQUEST)?;
    let complain = |rule, complaint: &str| {
        Err(Error::violations(
            "return URL",
            vec![Violation::new("txn", rule, complaint)],
        ))
    };
    let (before_fragment, fragment) = url.split_once('#').unwrap_or((url, ""));
    let mut found = None;
    for value in values(before_fragment) {
        match decode(value) {
            None => return complain(Rule::Url, "is not UTF-8 when percent-decoded"),
            Some(text) if text.chars().any(char::is_control) => {
                return complain(Rule::Url, "contains a control character");
            }
            Some(_) if found.is_some() => {
                return complain(Rule::Conflict, "occurs more than once in the return URL");
            }
            Some(text) => found = Some(text),
        }
    }
    match found {
        Some(id) if id.trim().is_empty() => complain(Rule::Blank, "is empty"),
        Some(id) => Ok(StatusQuery::Transaction(id.into())),
        None => {
            let escaped = ["amp;txn=", "#038;txn=", "#38;txn=", "#x26;txn="];
            let is_escaped = escaped.iter().any(|txn| url.contains(txn));
            let complaint = match values(&format!("?{fragment}")).next() {
                _ if is_escaped => {
                    "is not in the return URL, only behind an & that is escaped for HTML: pass the \
                     URL without &amp; or &#038;"
                }
                Some(_) => "is not in the query of the return URL, only behind its #",
                None => "is not in the return URL",
            };
            complain(Rule::Required, complaint)
        }
    }
}

/// The parameter that the service appends to the return URL. Source: "Events" in the interface's
/// documentation.
const TXN: &str = "txn";

/// Whether a URL has a query parameter of the service's name already.
pub(crate) fn has_txn(url: &str) -> bool {
    // Most have no query at all.
    url.contains('?')
        && values(url.split('#').next().unwrap_or_default())
            .next()
            .is_some()
}

/// The values of that parameter, as written.
fn values(url: &str) -> impl Iterator<Item = &str> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let pairs = query.split(['&', '?']);
    let pairs = pairs.map(|pair| pair.split_once('=').unwrap_or((pair, "")));
    let is_txn = |name| name == TXN || decode(name).as_deref() == Some(TXN);
    pairs.filter_map(move |(name, value)| is_txn(name).then_some(value))
}

/// [`parse_return_url`] with the result as JSON, as in the C ABI.
pub fn parse_return_url_json(url: &str) -> Result<String, Error> {
    let status_query = parse_return_url(url)?;
    let (StatusQuery::Order(transaction_id) | StatusQuery::Transaction(transaction_id)) =
        &status_query;
    Ok(json::written(&Returned {
        transaction_id,
        status_query: &status_query,
    }))
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Returned<'a> {
    transaction_id: &'a str,
    status_query: &'a StatusQuery<'a>,
}

/// Percent-decodes a text; `+` becomes a space. `None` if the result is not UTF-8. A `%` without
/// two hexadecimal digits is kept.
fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced)
        .decode_utf8()
        .ok()
        .map(Cow::into_owned)
}
