//! What a single call may have of its own.

use std::borrow::Cow;
use std::time::Duration;

use crate::config::{check_return_url_field, check_timeout, text, timeout};
use crate::credentials::Credentials;
use crate::error::Error;
use crate::json::{self, Entries, Value};
use crate::order::{self, RETURN_URL_FIELD};

/// Names and values of fields that the interface does not know.
pub type ExtraFields<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// Options of a call. The default is none.
#[derive(Debug, Clone, Default)]
pub struct CallOptions<'a> {
    /// Credentials that come before the client's; each call uses its own.
    pub credentials: Credentials,
    /// The whole call, attempts and waits included, 1 ms to 600 s, instead of the client's.
    pub timeout: Option<Duration>,
    /// Create Order only: fields that go out after the eleven, none of which they may name.
    pub extra_fields: ExtraFields<'a>,
}

/// Which options a call takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Takes {
    /// Get Status.
    Status,
    /// Create Order.
    Order,
}

impl<'a> CallOptions<'a> {
    /// Reads options from JSON; `None` for none.
    pub(crate) fn from_json(json: Option<&'a str>, takes: Takes) -> Result<CallOptions<'a>, Error> {
        let mut options = CallOptions::default();
        for (key, value) in read(json)? {
            let result = match key.as_ref() {
                key if Credentials::KEYS.contains(&key) => text(value).and_then(|text| options.credentials.set(key, &text)),
                "timeoutMs" => timeout(value).map(|time| options.timeout = Some(time)),
                "extraFields" if takes == Takes::Order => extra_fields(value).map(|fields| options.extra_fields = fields),
                "resend" if takes == Takes::Order => Err("needs a client with a journal, which this one has not".into()),
                _ => Err("is no option of this call".into()),
            };
            result.map_err(|problem| complaint(&key, &problem))?;
        }
        Ok(options)
    }

    /// The checks that JSON options have behind them already.
    pub(crate) fn check(&self, return_url_field: &str) -> Result<(), Error> {
        if let Some(timeout) = self.timeout {
            check_timeout(timeout).map_err(|problem| complaint("timeoutMs", &problem))?;
        }
        check_extra_fields(&self.extra_fields, return_url_field)
    }
}

/// What the wire body of Create Order depends on beside the order.
pub(crate) struct BodyOptions<'a> {
    pub(crate) return_url_field: Cow<'a, str>,
    pub(crate) extra_fields: ExtraFields<'a>,
}

impl<'a> BodyOptions<'a> {
    /// Reads the options of the call that only builds a body.
    pub(crate) fn from_json(json: Option<&'a str>) -> Result<BodyOptions<'a>, Error> {
        let mut options = BodyOptions { return_url_field: RETURN_URL_FIELD.into(), extra_fields: Vec::new() };
        for (key, value) in read(json)? {
            let result = match key.as_ref() {
                "returnUrlField" => text(value).and_then(|name| {
                    check_return_url_field(&name)?;
                    options.return_url_field = name;
                    Ok(())
                }),
                "extraFields" => extra_fields(value).map(|fields| options.extra_fields = fields),
                _ => Err("is no option of this call".into()),
            };
            result.map_err(|problem| complaint(&key, &problem))?;
        }
        check_extra_fields(&options.extra_fields, &options.return_url_field)?;
        Ok(options)
    }
}

fn read(json: Option<&str>) -> Result<Entries<'_>, Error> {
    json.map_or(Ok(Entries::new()), |json| json::read_object(json, "the options"))
}

fn complaint(key: &str, problem: &str) -> Error {
    Error::argument(format!("the option {key} {problem}"))
}

fn extra_fields(value: Value<'_>) -> Result<ExtraFields<'_>, String> {
    match value {
        Value::Object(entries) => {
            let field = |(key, value)| match text(value) {
                Ok(text) => Ok((key, text)),
                Err(problem) => Err(format!("has {key}, which {problem}")),
            };
            entries.into_iter().map(field).collect()
        }
        other => Err(format!("must be an object of strings, not {}", other.kind())),
    }
}

fn check_extra_fields(fields: &[(Cow<'_, str>, Cow<'_, str>)], return_url_field: &str) -> Result<(), Error> {
    let mut seen = std::collections::HashSet::with_capacity(fields.len());
    for (name, _) in fields {
        if order::is_field(name) || name == return_url_field {
            return Err(complaint("extraFields", &format!("must not name {name}, which the order itself has")));
        }
        if !seen.insert(name) {
            return Err(complaint("extraFields", &format!("names {name} twice")));
        }
    }
    Ok(())
}
