//! The options of a single call.

use std::fmt;
use std::time::Duration;

use crate::connection::CancellationToken;
use crate::credentials::{Credentials, Headers};
use crate::error::{Cause, Error};
use crate::gateway::fields::is_blank;
use crate::gateway::order::{RETURN_URL_FIELD, is_field};
use crate::settings::list::check as check_list;
use crate::settings::list::{
    build_create_order, create_order, get_statuses, network, recover, wait_for_payment,
};
use crate::settings::object_reader::{
    FindToken, KeyProblem, ObjectReader, object_of_strings, read_struct,
};
use crate::settings::setting::Setting;
use crate::settings::validation::{Settings, check_return_url_field};
use crate::text::json::{self, Value};

/// Names and values of fields that the interface does not define.
pub type ExtraFields = Vec<(String, String)>;

/// The options of a call as a JSON object, for libraries around this one.
#[derive(Clone, Copy, Default)]
pub struct JsonOptions<'a> {
    /// The object; `None` means the defaults.
    pub text: Option<&'a str>,
    /// Finds the token that the option `cancellation` names. Without it, that option is unknown.
    pub find_token: Option<FindToken>,
    /// Cancels the call too, unless that option names one.
    pub token: Option<&'a CancellationToken>,
}

impl fmt::Debug for JsonOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("JsonOptions")
            .finish_non_exhaustive()
    }
}

read_struct! {
    /// Options of a call. By default none is set.
    #[derive(Clone, Default)]
    pub struct CallOptions(reader) {
        /// Used instead of the client's credentials.
        credentials: Credentials = reader.credentials(),
        /// Further headers of each request, in addition to the client's. One of the same name is
        /// replaced.
        headers: Headers = reader.value(network::HEADERS.key, Headers::read).unwrap_or_default(),
        /// For the whole call, with all attempts and pauses, instead of the client's: 1 ms to 600
        /// s.
        timeout: Option<Duration> = reader.milliseconds(network::TIMEOUT),
        /// 1 to 128 characters that come back in each log event of the call. They are sent nowhere.
        tag: Option<String> = reader.string(network::TAG),
        /// Create Order only: fields that are sent after those of the order, under other names.
        extra_fields: ExtraFields = Vec::new(),
        /// Create Order with a journal only: sends an order again that the journal has as
        /// `unknown`.
        resend: bool = false,
        /// Cancels this call, and other calls with the same token.
        cancellation: Option<CancellationToken> = reader.cancellation(),
    }
}

/// Without the values of the extra fields, which may be about the customer.
impl fmt::Debug for CallOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("CallOptions")
            .field("credentials", &self.credentials)
            .field("headers", &self.headers)
            .field("timeout", &self.timeout)
            .field("tag", &self.tag)
            .field("extra_fields", &Names(&self.extra_fields))
            .field("resend", &self.resend)
            .finish_non_exhaustive()
    }
}

struct Names<'a>(&'a ExtraFields);

impl fmt::Debug for Names<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.0.iter().map(|(name, _)| name);
        formatter.debug_list().entries(names).finish()
    }
}

impl CallOptions {
    /// Reads the options of Create Order from JSON.
    pub(crate) fn of_create_order(json: JsonOptions<'_>) -> Result<CallOptions, Error> {
        from_json(json, |reader| CallOptions {
            extra_fields: extra_fields(reader, create_order::EXTRA_FIELDS),
            resend: reader.boolean(create_order::RESEND),
            ..CallOptions::read(reader)
        })
    }

    /// Reads the options of Get Status from JSON.
    pub(crate) fn of_get_status(json: JsonOptions<'_>) -> Result<CallOptions, Error> {
        from_json(json, CallOptions::read)
    }

    /// Checks options that did not come from JSON.
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        if let Some(timeout) = self.timeout {
            check(network::TIMEOUT, timeout.as_millis())?;
        }
        let headers = self.headers.check(settings.service);
        headers.map_err(|problem| complaint(network::HEADERS.key, &problem))?;
        if let Some(tag) = &self.tag {
            check_tag(tag).map_err(|problem| complaint(network::TAG.key, &problem))?;
        }
        if self.resend && settings.journal.is_none() {
            return Err(Error::argument(
                Cause::NoJournal,
                "the option resend needs a client with a journal, and this client has none",
            ));
        }
        check_extra_fields(&self.extra_fields, &settings.config.return_url_field)
    }
}

pub(crate) fn check_tag(tag: &str) -> Result<(), String> {
    let Setting { least, most, .. } = network::TAG;
    match (least..=most).contains(&(tag.chars().count() as u64)) {
        true if !tag.chars().any(char::is_control) => Ok(()),
        _ => Err(format!(
            "must have {least} to {most} characters, and no control characters"
        )),
    }
}

/// Options from JSON.
macro_rules! options {
    ($($options:ident)+) => {
        $(
            impl Default for $options {
                fn default() -> Self {
                    $options::read(&mut ObjectReader::nothing())
                }
            }

            impl $options {
                /// Reads the options from JSON.
                ///
                /// # Errors
                /// [`crate::Code::InvalidArgument`]; [`crate::Code::InvalidHandle`] for the token.
                pub fn from_json(json: JsonOptions<'_>) -> Result<$options, Error> {
                    from_json(json, $options::read)
                }
            }
        )+
    };
}
pub(super) use options;
options! { WaitOptions StatusesOptions RecoverOptions CheckOptions }

read_struct! {
    /// Options of waiting for a payment.
    #[derive(Debug, Clone)]
    pub struct WaitOptions(reader) {
        /// Those of Get Status. The timeout is for one query.
        call: CallOptions = CallOptions::read(reader),
        /// How long to wait: 1 ms to 24 h, default 5 min.
        wait: Duration = reader.milliseconds_or_default(wait_for_payment::WAIT),
        /// The pause between the first two queries: 10 ms to 600 s, default 3 s. Each further pause
        /// is half as long again.
        interval: Duration = reader.milliseconds_or_default(wait_for_payment::INTERVAL),
        /// The longest pause between two queries: 10 ms to 600 s, default 15 s, or `interval` if
        /// that is longer.
        max_interval: Duration = reader.milliseconds_or_default(wait_for_payment::MAX_INTERVAL),
        /// Texts of `transactionStatus` that end the wait, in addition to `Completed`.
        final_statuses: Vec<String> = reader.strings(wait_for_payment::FINAL).unwrap_or_default(),
    }
}

impl WaitOptions {
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        self.call.check(settings)?;
        check(wait_for_payment::WAIT, self.wait.as_millis())?;
        check(wait_for_payment::INTERVAL, self.interval.as_millis())?;
        check(
            wait_for_payment::MAX_INTERVAL,
            self.max_interval.as_millis(),
        )?;
        match self.final_statuses.iter().any(|status| is_blank(status)) {
            true => Err(complaint(
                wait_for_payment::FINAL.key,
                "has a blank status, which would end every wait at once",
            )),
            false => Ok(()),
        }
    }
}

read_struct! {
    /// Options of asking for many statuses.
    #[derive(Debug, Clone)]
    pub struct StatusesOptions(reader) {
        /// Those of Get Status.
        call: CallOptions = CallOptions::read(reader),
        /// How many queries run at the same time: 1 to 64, default 8.
        concurrency: u32 = reader.number_or_default(get_statuses::CONCURRENCY) as u32,
        /// At most this many queries in any second, evenly spaced; by default there is no limit.
        /// Retries count too.
        rate_per_second: Option<f64> = reader.value(get_statuses::RATE_PER_SECOND.key, rate),
    }
}

impl StatusesOptions {
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        self.call.check(settings)?;
        check(get_statuses::CONCURRENCY, self.concurrency.into())?;
        match self.rate_per_second {
            Some(rate) if !is_rate(rate) => {
                Err(complaint(get_statuses::RATE_PER_SECOND.key, RATE_RULE))
            }
            _ => Ok(()),
        }
    }
}

read_struct! {
    /// Options of [`crate::Client::recover`].
    #[derive(Debug, Clone)]
    pub struct RecoverOptions(reader) {
        /// Those of asking for many statuses.
        statuses: StatusesOptions = StatusesOptions::read(reader),
        /// How long to wait for entries that another process is still sending: at most 600 s, by
        /// default not at all.
        wait: Duration = reader.milliseconds_or_default(recover::WAIT),
    }
}

impl RecoverOptions {
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        self.statuses.check(settings)?;
        check(recover::WAIT, self.wait.as_millis())
    }
}

read_struct! {
    /// Options of [`crate::Client::check`].
    #[derive(Debug, Clone)]
    pub struct CheckOptions(reader) {
        /// Those of Get Status.
        call: CallOptions = CallOptions::read(reader),
        /// The order whose status is asked; by default one that the service does not know.
        order_id: Option<String> = reader.string(check_list::ORDER_ID),
    }
}

const RATE_RULE: &str = "must be a number above 0";

fn is_rate(rate: f64) -> bool {
    rate.is_finite() && rate > 0.0
}

fn rate(value: Value<'_>) -> Result<f64, String> {
    match value {
        Value::Whole(number) if number > 0 => Ok(number as f64),
        Value::Number(number) if is_rate(number) => Ok(number),
        Value::Whole(_) | Value::Number(_) => Err(RATE_RULE.into()),
        other => Err(format!("{RATE_RULE}, not {}", other.kind())),
    }
}

/// What the request body of Create Order depends on, in addition to the order.
#[derive(Clone)]
pub struct BodyOptions {
    /// The wire name of the return URL.
    pub return_url_field: String,
    /// Fields that are sent after those of the order.
    pub extra_fields: ExtraFields,
}

impl fmt::Debug for BodyOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("BodyOptions")
            .field("return_url_field", &self.return_url_field)
            .field("extra_fields", &Names(&self.extra_fields))
            .finish()
    }
}

impl BodyOptions {
    /// Reads the options from JSON; `None` means the defaults.
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`].
    pub fn from_json(json: Option<&str>) -> Result<BodyOptions, Error> {
        let json = JsonOptions {
            text: json,
            ..JsonOptions::default()
        };
        let options = from_json(json, |reader| BodyOptions {
            return_url_field: reader
                .value(build_create_order::RETURN_URL_FIELD.key, |value| {
                    let name = value.into_text()?;
                    check_return_url_field(&name).map(|()| name.into_owned())
                })
                .unwrap_or_else(|| RETURN_URL_FIELD.to_owned()),
            extra_fields: extra_fields(reader, build_create_order::EXTRA_FIELDS),
        })?;
        check_extra_fields(&options.extra_fields, &options.return_url_field)?;
        Ok(options)
    }
}

/// Reads options, and returns the first problem with a key that was given.
pub(crate) fn from_json<T>(
    json: JsonOptions<'_>,
    read: impl FnOnce(&mut ObjectReader<'_>) -> T,
) -> Result<T, Error> {
    let entries = json.text.map(|text| json::read_object(text, "the options"));
    let mut reader = ObjectReader::new(entries.transpose()?.unwrap_or_default());
    reader.find_token = json.find_token;
    reader.token = json.token;
    let options = read(&mut reader);
    match reader.into_problems().next() {
        None => Ok(options),
        Some((key, KeyProblem::Invalid(problem))) => Err(complaint(&key, &problem)),
        Some((_, KeyProblem::Token(error))) => Err(error),
        Some((key, KeyProblem::Unknown)) => Err(Error::argument(
            Cause::UnknownKey,
            format!("unknown option `{key}`: check its spelling"),
        )),
    }
}

/// Checks a number that a Rust program gave.
pub(crate) fn check(setting: Setting, value: u128) -> Result<(), Error> {
    let checked = setting.check(value);
    checked.map_err(|problem| complaint(setting.key, &problem))
}

pub(crate) fn complaint(key: &str, problem: &str) -> Error {
    Error::argument(Cause::InvalidValue, format!("the option {key} {problem}"))
}

fn extra_fields(reader: &mut ObjectReader<'_>, setting: Setting) -> ExtraFields {
    let given = reader.value(setting.key, object_of_strings);
    let given = given.unwrap_or_default().into_iter();
    given
        .map(|(name, text)| (name.into_owned(), text.into_owned()))
        .collect()
}

fn check_extra_fields(fields: &[(String, String)], return_url_field: &str) -> Result<(), Error> {
    let complain = |problem: String| Err(complaint(create_order::EXTRA_FIELDS.key, &problem));
    let mut seen = std::collections::HashSet::with_capacity(fields.len());
    for (name, _) in fields {
        if is_field(name) || name == return_url_field {
            return complain(format!(
                "must not contain {name}, which is a field of the order"
            ));
        }
        if !seen.insert(name) {
            return complain(format!("contains {name} twice"));
        }
    }
    Ok(())
}
