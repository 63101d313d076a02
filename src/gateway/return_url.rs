//! The return URL: which transaction the customer came back from. It proves nothing; it only names
//! what to ask.

use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use crate::error::{Error, Rule, Violation};
use crate::gateway::status::StatusQuery;
use crate::text::json;

/// Reads the transaction identifier from the URL that the customer came back on: absolute, or just
/// `/path?query`, or `?query`.
///
/// Exactly one non-empty `txn`, percent-decoded, `+` a space. A second `?` separates as `&` does,
/// since a service that appends `?txn=` to a URL with a query makes one. A fragment is not looked
/// at.
///
/// # Errors
/// [`crate::Code::InvalidArgument`] for a text over 256 KiB; [`crate::Code::InvalidRequest`] where
/// there is no `txn`, more than one, or one that is no clean UTF-8.
pub fn parse_return_url(url: &str) -> Result<StatusQuery<'static>, Error> {
    json::limit(url, "the return URL", json::REQUEST_LIMIT)?;
    let complain = |rule, complaint: &str| {
        Err(Error::violations(
            "return URL",
            vec![Violation::new("txn", rule, complaint)],
        ))
    };
    let before_fragment = url.split('#').next().unwrap_or_default();
    let query = before_fragment
        .split_once('?')
        .map_or("", |(_, query)| query);
    let mut found = None;
    for pair in query.split(['&', '?']) {
        let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
        if decode(name).as_deref() != Some("txn") {
            continue;
        }
        match decode(value) {
            None => return complain(Rule::Url, "is not UTF-8 when percent-decoded"),
            Some(text) if text.chars().any(char::is_control) => {
                return complain(Rule::Url, "has a control character in it");
            }
            Some(_) if found.is_some() => {
                return complain(Rule::Conflict, "stands more than once on the return URL");
            }
            Some(text) => found = Some(text),
        }
    }
    match found {
        Some(id) if crate::gateway::order::is_blank(&id) => complain(Rule::Blank, "is empty"),
        Some(id) => Ok(StatusQuery::Transaction(id.into())),
        None => complain(Rule::Required, "is not on the return URL"),
    }
}

/// [`parse_return_url`] with the result as the C ABI gives it.
///
/// # Errors
/// Those of [`parse_return_url`].
pub(crate) fn parse_return_url_json(url: &str) -> Result<String, Error> {
    let query = parse_return_url(url)?;
    let mut result = String::from("{");
    if let StatusQuery::Transaction(id) = &query {
        json::push_field(&mut result, "transactionId", id);
    }
    json::push_raw_field(&mut result, "statusQuery", &query.wire_body());
    result.push('}');
    Ok(result)
}

/// Percent-decoded, `+` a space; `None` where that is no UTF-8. A `%` without two hexadecimal
/// digits stands for itself.
fn decode(text: &str) -> Option<String> {
    let spaced = text.replace('+', " ");
    percent_decode_str(&spaced)
        .decode_utf8()
        .ok()
        .map(Cow::into_owned)
}
