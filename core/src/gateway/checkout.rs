//! The response to Create Order: a checkout URL to which a customer can be sent, or a refusal.

use std::borrow::Cow;

use serde_json::value::RawValue;

use crate::connection::Completeness;
use crate::credentials::CallCredentials;
use crate::error::{Cause, Code, Outcome};
use crate::gateway::envelope::{DATA, Envelope, RESPONSE_CODE, RESPONSE_MESSAGE, lenient_text};
use crate::gateway::refusal::{ORDER_EXISTS, is_order_exists};
use crate::gateway::response::{
    SUCCESS, Unreadable, judge, push_unknown, read_envelope, success_without_use,
};
use crate::payment::checkout::{Checkout, CheckoutUrlRules};
use crate::payment::failure::ResponseFailure;
use crate::payment::response::Response;
use crate::text::json::{self, RawJson};
use crate::text::received::Received;

const URL: &str = "url";

pub(crate) fn read_checkout(
    response: &Response<'_>,
    rule: &CheckoutUrlRules<'_>,
    credentials: &CallCredentials<'_>,
) -> Result<Checkout, ResponseFailure> {
    let envelope = read_envelope(response);
    let body = response.body.as_ref().filter(|_| envelope.is_err());
    let part = body.map(read_part).unwrap_or_default();
    let data = CheckoutData::read(match &envelope {
        Ok(envelope) => envelope.data,
        Err(_) => part.data,
    });
    let failed = |mut failure: ResponseFailure| {
        let code = envelope.as_ref().map_or("", Envelope::code);
        let exists = says_order_exists(response.status, code);
        let is_cut = failure.code == Code::ConnectionLost;
        // A customer can pay at this URL, if the order exists. The program must learn that it may be
        // another sale's.
        let url = data.url().filter(|_| exists.is_none() || !is_cut);
        let url = url.filter(|_| !data.is_damaged(response));
        failure.may_be_anothers = exists.is_some() || part.says_order_exists;
        if let Some(what) = exists.filter(|_| !is_cut) {
            failure.code = Code::ServiceFailed;
            failure.cause = Cause::OrderExists;
            failure.what = what;
        }
        let url = url.filter(|_| failure.code.outcome() == Outcome::Unknown);
        let usable = url.filter(|url| rule.check(url, credentials).is_ok());
        failure.checkout_url = usable.map(Cow::into_owned);
        failure
    };
    let is_clear = || is_clear_refusal(response, &envelope, &data);
    let envelope = judge(response, &envelope, is_clear).map_err(failed)?;
    let message = credentials.redact(&envelope.response_message);
    let bad = |cause, what: &str| success_without_use(cause, what, &message);
    if data.is_missing {
        return Err(bad(
            Cause::CheckoutUrlMissing,
            "reported success, but without a data object and so without a checkout URL",
        ));
    }
    if data.is_damaged(response) {
        return Err(bad(
            Cause::CheckoutUrlUnusable,
            "reported success, but data.url has characters that are not UTF-8",
        ));
    }
    let Some(url) = data.url() else {
        return Err(bad(
            Cause::CheckoutUrlMissing,
            "reported success, but data.url is empty or not one text",
        ));
    };
    rule.check(&url, credentials).map_err(|(cause, problem)| {
        bad(
            cause,
            &format!("reported success, but the checkout URL {problem}"),
        )
    })?;

    Ok(checkout(
        url.into_owned(),
        message,
        &data.unknown,
        &envelope.unknown,
    ))
}

/// A checkout with the fields of `data` and of the envelope that this version does not know.
fn checkout(
    url: String,
    message: String,
    in_data: &[(Cow<'_, str>, &RawValue)],
    others: &[(Cow<'_, str>, &RawValue)],
) -> Checkout {
    let mut json = String::with_capacity(url.len() + 96);
    json.push('{');
    json::push_entry(&mut json, RESPONSE_CODE, SUCCESS);
    json::push_entry(&mut json, RESPONSE_MESSAGE, &message);
    json::push_raw_entry(&mut json, DATA, "{");
    json::push_entry(&mut json, URL, &url);
    push_unknown(&mut json, in_data.iter());
    json.push('}');
    push_unknown(&mut json, others.iter());
    json.push('}');
    Checkout {
        url,
        response_message: message,
        json,
    }
}

impl Checkout {
    /// A checkout for a program's own tests.
    ///
    /// ```
    /// let checkout = payorder_core::Checkout::new("https://checkout.example.com/pay/1");
    /// assert_eq!(checkout.response_message(), "Success");
    /// ```
    pub fn new(url: impl Into<String>) -> Checkout {
        checkout(url.into(), "Success".to_owned(), &[], &[])
    }
}

/// What can be read in a body that is no envelope, because something else in it is wrong.
#[derive(Default)]
struct Part<'a> {
    says_order_exists: bool,
    /// Not if the body may say that the order exists already.
    data: Option<&'a RawValue>,
}

fn read_part<'a>(body: &'a Received<'_>) -> Part<'a> {
    let (mut part, mut may_exist, mut found) = (Part::default(), false, Vec::new());
    let read = json::for_each_entry(&body.text, |key, value| match key.as_ref() {
        RESPONSE_CODE => match lenient_text(value) {
            Ok(code) => {
                part.says_order_exists |= is_order_exists(&code);
                may_exist |= body.is_damaged_in(&code);
            }
            Err(_) => may_exist = true,
        },
        DATA => found.push(value),
        name => may_exist |= body.is_damaged_in(name),
    });
    if let (Ok(_), [data], false) = (read, &found[..], may_exist || part.says_order_exists) {
        part.data = Some(data);
    }
    part
}

/// Whether the service says that an order with these identifiers is there already. It does by
/// [`ORDER_EXISTS`], as HTTP status or as `responseCode`.
fn says_order_exists(status: u16, code: &str) -> Option<String> {
    let said = if status == ORDER_EXISTS {
        "HTTP"
    } else if is_order_exists(code) {
        RESPONSE_CODE
    } else {
        return None;
    };
    Some(format!(
        "says that it has an order with these identifiers already ({said} {ORDER_EXISTS})"
    ))
}

/// Whether the body of a refused Create Order agrees with the refusal. It does if it is empty, or
/// one object that can be read in one way only, without a checkout URL, and nothing follows it.
fn is_clear_refusal(
    response: &Response<'_>,
    envelope: &Result<Envelope<'_>, Unreadable>,
    data: &CheckoutData<'_>,
) -> Result<(), String> {
    match envelope {
        // Of a body that is too long, the rest was not read.
        _ if response.is_followed && response.body.is_some() => {
            Err("more bytes behind its end".into())
        }
        Err(_) if response.has_empty_body() => match response.completeness {
            Completeness::Complete => Ok(()),
            _ => Err("an empty body of unknown length, so that a part may be missing".into()),
        },
        Err((_, problem)) => Err(format!("a body that {problem}")),
        Ok(_) if data.may_have_url() => Err("a checkout URL".into()),
        Ok(_) if response.completeness == Completeness::Truncated => {
            Err("a body whose end is missing".into())
        }
        Ok(_) if response.is_coded => Err("a body with a content coding".into()),
        Ok(_) => response.body.as_ref().map_or(Ok(()), read_in_one_way),
    }
}

/// An error if two readers could read a body differently.
fn read_in_one_way(body: &Received<'_>) -> Result<(), String> {
    let read = RawJson::read(&body.text, "the response", usize::MAX);
    let problem = match read.and_then(RawJson::check) {
        _ if body.has_mark => "begins with a byte-order mark",
        _ if body.is_damaged => "is not UTF-8",
        Ok(_) => return Ok(()),
        Err(error) if error.cause() == Cause::DuplicateKey => "has the same key twice",
        Err(_) => "not every reader of JSON accepts",
    };
    Err(format!("a body that {problem}"))
}

#[derive(Default)]
struct CheckoutData<'a> {
    /// It is not an object.
    is_missing: bool,
    url: Option<&'a RawValue>,
    is_duplicate: bool,
    unknown: Vec<(Cow<'a, str>, &'a RawValue)>,
}

impl<'a> CheckoutData<'a> {
    fn read(data: Option<&'a RawValue>) -> CheckoutData<'a> {
        let mut read = CheckoutData::default();
        let is_object = data.is_some_and(|data| {
            json::for_each_entry(data.get(), |key, value| match key.as_ref() {
                URL => read.is_duplicate |= read.url.replace(value).is_some(),
                _ => read.unknown.push((key, value)),
            })
            .is_ok()
        });
        read.is_missing = !is_object;
        read
    }

    /// The checkout URL, if it is one text.
    fn url(&self) -> Option<Cow<'a, str>> {
        let text = self
            .url
            .filter(|value| !self.is_duplicate && value.get().starts_with('"'))
            .and_then(|value| lenient_text(value).ok());
        text.filter(|url| !url.is_empty())
    }

    fn is_damaged(&self, response: &Response<'_>) -> bool {
        let url = self.url().unwrap_or_default();
        let body = response.body.as_ref();
        body.is_some_and(|body| body.is_damaged_in(&url))
    }

    /// Whether there is a `url` that is not empty, of any kind.
    fn may_have_url(&self) -> bool {
        self.is_duplicate
            || self
                .url
                .is_some_and(|value| lenient_text(value).map_or(true, |url| !url.is_empty()))
    }
}
