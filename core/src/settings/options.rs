//! The options of a single call.

use std::borrow::Cow;
use std::time::Duration;

use crate::connection::CancellationToken;
use crate::credentials::Credentials;
use crate::error::{Cause, Error};
use crate::gateway::order::{self, RETURN_URL_FIELD};
use crate::settings::tokens;
use crate::settings::validation::{Settings, check_return_url_field};
use crate::settings::values::{
    boolean, check_timeout, in_range, milliseconds, text, timeout, whole,
};
use crate::text::json::{self, Entries, Value};

/// Names and values of fields that the interface does not define.
pub type ExtraFields<'a> = Vec<(Cow<'a, str>, Cow<'a, str>)>;

/// Options of a call. By default none is set.
#[derive(Debug, Clone, Default)]
pub struct CallOptions<'a> {
    /// Used instead of the client's credentials.
    pub credentials: Credentials,
    /// For the whole call, with all attempts and pauses, instead of the client's: 1 ms to 600 s.
    pub timeout: Option<Duration>,
    /// Create Order only: fields that are sent after the eleven, and must not have their names.
    pub extra_fields: ExtraFields<'a>,
    /// Create Order with a journal only: sends an order again that the journal has as `unknown`.
    pub resend: bool,
    /// Cancels this call, and other calls with the same token.
    pub cancellation: Option<CancellationToken>,
}

impl<'a> CallOptions<'a> {
    /// Reads the options of Create Order from JSON; `None` means the defaults.
    pub(crate) fn of_create_order(json: Option<&'a str>) -> Result<CallOptions<'a>, Error> {
        let mut options = CallOptions::default();
        read(json, |key, value| {
            match key {
                "extraFields" => options.extra_fields = extra_fields(value)?,
                "resend" => options.resend = boolean(value)?,
                _ => options.take(key, value)?,
            }
            Ok(())
        })?;
        Ok(options)
    }

    /// Reads the options of Get Status from JSON; `None` means the defaults.
    pub(crate) fn of_get_status(json: Option<&'a str>) -> Result<CallOptions<'a>, Error> {
        let mut options = CallOptions::default();
        read(json, |key, value| options.take(key, value))?;
        Ok(options)
    }

    /// Reads an option that every call has.
    fn take(&mut self, key: &str, value: Value<'a>) -> Result<(), OptionProblem> {
        match key {
            key if Credentials::KEYS.contains(&key) => self.credentials.set(key, &text(value)?)?,
            "timeoutMs" => self.timeout = Some(timeout(value)?),
            CANCELLATION => self.cancellation = Some(cancellation(value)?),
            _ => return Err(OptionProblem::UnknownName),
        }
        Ok(())
    }

    pub(crate) fn into_owned(self) -> CallOptions<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        let fields = self.extra_fields.into_iter();
        CallOptions {
            credentials: self.credentials,
            timeout: self.timeout,
            extra_fields: fields
                .map(|(name, value)| (owned(name), owned(value)))
                .collect(),
            resend: self.resend,
            cancellation: self.cancellation,
        }
    }

    /// Checks options that did not come from JSON.
    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        if let Some(timeout) = self.timeout {
            check_timeout(timeout).map_err(|problem| complaint("timeoutMs", &problem))?;
        }
        if self.resend && settings.journal.is_none() {
            return Err(Error::argument(
                Cause::NoJournal,
                "the option resend needs a client with a journal, and this client has none",
            ));
        }
        check_extra_fields(&self.extra_fields, &settings.return_url_field)
    }
}

/// Options of waiting for a payment.
#[derive(Debug, Clone)]
pub struct WaitOptions<'a> {
    /// Those of Get Status. The timeout is for one query.
    pub call: CallOptions<'a>,
    /// How long to wait: 1 ms to 24 h, default 5 min.
    pub wait: Duration,
    /// The pause between the first two queries: 10 ms to 600 s, default 3 s. Each further pause is
    /// half as long again.
    pub interval: Duration,
    /// The longest pause between two queries: 10 ms to 600 s, default 15 s, or `interval` if that
    /// is longer.
    pub max_interval: Duration,
    /// Texts of `transactionStatus` that end the wait, in addition to `Completed`.
    pub final_statuses: Vec<Cow<'a, str>>,
}

impl Default for WaitOptions<'_> {
    fn default() -> Self {
        WaitOptions {
            call: CallOptions::default(),
            wait: Duration::from_secs(300),
            interval: Duration::from_secs(3),
            max_interval: Duration::from_secs(15),
            final_statuses: Vec::new(),
        }
    }
}

const WAIT_RANGE: (u64, u64) = (1, 86_400_000);
const INTERVAL_RANGE: (u64, u64) = (10, 600_000);

impl<'a> WaitOptions<'a> {
    pub(crate) fn from_json(json: Option<&'a str>) -> Result<WaitOptions<'a>, Error> {
        let mut options = WaitOptions::default();
        read(json, |key, value| {
            match key {
                "waitMs" => options.wait = milliseconds(value, WAIT_RANGE)?,
                "intervalMs" => options.interval = milliseconds(value, INTERVAL_RANGE)?,
                "maxIntervalMs" => options.max_interval = milliseconds(value, INTERVAL_RANGE)?,
                "final" => options.final_statuses = statuses(value)?,
                _ => options.call.take(key, value)?,
            }
            Ok(())
        })?;
        Ok(options)
    }

    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        self.call.check(settings)?;
        for (key, time, range) in [
            ("waitMs", self.wait, WAIT_RANGE),
            ("intervalMs", self.interval, INTERVAL_RANGE),
            ("maxIntervalMs", self.max_interval, INTERVAL_RANGE),
        ] {
            in_range(time.as_millis(), range).map_err(|problem| complaint(key, &problem))?;
        }
        Ok(())
    }
}

impl WaitOptions<'_> {
    pub(crate) fn into_owned(self) -> WaitOptions<'static> {
        let texts = self.final_statuses.into_iter();
        WaitOptions {
            call: self.call.into_owned(),
            final_statuses: texts.map(|text| Cow::Owned(text.into_owned())).collect(),
            ..self
        }
    }
}

fn statuses(value: Value<'_>) -> Result<Vec<Cow<'_, str>>, String> {
    let Value::Array(values) = value else {
        return Err(format!(
            "must be an array of statuses, not {}",
            value.kind()
        ));
    };
    let status = |value| match text(value) {
        Ok(status) if order::is_blank(&status) => {
            Err("has a blank status, which would end every wait at once".into())
        }
        other => other,
    };
    values.into_iter().map(status).collect()
}

/// Options of asking for many statuses.
#[derive(Debug, Clone)]
pub struct StatusesOptions<'a> {
    /// Those of Get Status.
    pub call: CallOptions<'a>,
    /// How many queries run at the same time: 1 to 64, default 8.
    pub concurrency: u32,
    /// At most this many queries in any second, evenly spaced; by default there is no limit.
    /// Retries count too.
    pub rate_per_second: Option<f64>,
}

impl Default for StatusesOptions<'_> {
    fn default() -> Self {
        StatusesOptions {
            call: CallOptions::default(),
            concurrency: 8,
            rate_per_second: None,
        }
    }
}

const CONCURRENCY_RANGE: (u64, u64) = (1, 64);

impl<'a> StatusesOptions<'a> {
    #[doc(hidden)]
    pub fn from_json(json: Option<&'a str>) -> Result<StatusesOptions<'a>, Error> {
        let mut options = StatusesOptions::default();
        read(json, |key, value| options.take(key, value))?;
        Ok(options)
    }

    fn take(&mut self, key: &str, value: Value<'a>) -> Result<(), OptionProblem> {
        match key {
            "concurrency" => self.concurrency = whole(value, CONCURRENCY_RANGE)? as u32,
            "ratePerSecond" => self.rate_per_second = Some(rate(value)?),
            _ => self.call.take(key, value)?,
        }
        Ok(())
    }

    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        self.call.check(settings)?;
        in_range(self.concurrency.into(), CONCURRENCY_RANGE)
            .map_err(|problem| complaint("concurrency", &problem))?;
        match self.rate_per_second {
            Some(rate) if !is_rate(rate) => Err(complaint("ratePerSecond", RATE_RULE)),
            _ => Ok(()),
        }
    }

    pub(crate) fn into_owned(self) -> StatusesOptions<'static> {
        StatusesOptions {
            call: self.call.into_owned(),
            ..self
        }
    }
}

/// Options of [`crate::Client::recover`].
#[derive(Debug, Clone, Default)]
pub struct RecoverOptions<'a> {
    /// Those of asking for many statuses.
    pub statuses: StatusesOptions<'a>,
    /// How long to wait for entries that another process is still sending: at most 600 s, by
    /// default not at all.
    pub wait: Duration,
}

const RECOVER_WAIT_RANGE: (u64, u64) = (0, 600_000);

impl<'a> RecoverOptions<'a> {
    #[doc(hidden)]
    pub fn from_json(json: Option<&'a str>) -> Result<RecoverOptions<'a>, Error> {
        let mut options = RecoverOptions::default();
        read(json, |key, value| {
            match key {
                "waitMs" => options.wait = Duration::from_millis(whole(value, RECOVER_WAIT_RANGE)?),
                _ => options.statuses.take(key, value)?,
            }
            Ok(())
        })?;
        Ok(options)
    }

    pub(crate) fn check(&self, settings: &Settings) -> Result<(), Error> {
        self.statuses.check(settings)?;
        in_range(self.wait.as_millis(), RECOVER_WAIT_RANGE)
            .map_err(|problem| complaint("waitMs", &problem))
    }

    pub(crate) fn into_owned(self) -> RecoverOptions<'static> {
        RecoverOptions {
            statuses: self.statuses.into_owned(),
            ..self
        }
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
pub struct BodyOptions<'a> {
    /// The wire name of the return URL.
    pub return_url_field: Cow<'a, str>,
    /// Fields that are sent after those of the order.
    pub extra_fields: ExtraFields<'a>,
}

impl<'a> BodyOptions<'a> {
    /// Reads the options of the call that only builds a body.
    pub fn from_json(json: Option<&'a str>) -> Result<BodyOptions<'a>, Error> {
        let mut options = BodyOptions {
            return_url_field: RETURN_URL_FIELD.into(),
            extra_fields: Vec::new(),
        };
        read(json, |key, value| {
            match key {
                "returnUrlField" => {
                    let name = text(value)?;
                    check_return_url_field(&name)?;
                    options.return_url_field = name;
                }
                "extraFields" => options.extra_fields = extra_fields(value)?,
                _ => return Err(OptionProblem::UnknownName),
            }
            Ok(())
        })?;
        check_extra_fields(&options.extra_fields, &options.return_url_field)?;
        Ok(options)
    }
}

/// An error in an option.
pub(crate) enum OptionProblem {
    Invalid(String),
    UnknownName,
    /// The text does not name a live cancellation token.
    Token(Error),
}

impl From<String> for OptionProblem {
    fn from(problem: String) -> OptionProblem {
        OptionProblem::Invalid(problem)
    }
}

/// The option that every network and journal call has.
pub(crate) const CANCELLATION: &str = "cancellation";

/// The token that the option names.
pub(crate) fn cancellation(value: Value<'_>) -> Result<CancellationToken, OptionProblem> {
    tokens::get(&text(value)?).map_err(OptionProblem::Token)
}

/// Passes each option to `take`, which returns what is wrong with it.
pub(crate) fn read<'a>(
    json: Option<&'a str>,
    mut take: impl FnMut(&str, Value<'a>) -> Result<(), OptionProblem>,
) -> Result<(), Error> {
    let entries = json.map_or(Ok(Entries::new()), |json| {
        json::read_object(json, "the options")
    })?;
    entries
        .into_iter()
        .try_for_each(|(key, value)| match take(&key, value) {
            Err(OptionProblem::Invalid(problem)) => Err(complaint(&key, &problem)),
            Err(OptionProblem::UnknownName) => Err(Error::argument(
                Cause::UnknownKey,
                format!("unknown option `{key}`: check its spelling"),
            )),
            Err(OptionProblem::Token(error)) => Err(error),
            Ok(()) => Ok(()),
        })
}

pub(crate) fn complaint(key: &str, problem: &str) -> Error {
    Error::argument(Cause::InvalidValue, format!("the option {key} {problem}"))
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
        other => Err(format!(
            "must be an object of strings, not {}",
            other.kind()
        )),
    }
}

fn check_extra_fields(
    fields: &[(Cow<'_, str>, Cow<'_, str>)],
    return_url_field: &str,
) -> Result<(), Error> {
    let mut seen = std::collections::HashSet::with_capacity(fields.len());
    for (name, _) in fields {
        if order::is_field(name) || name == return_url_field {
            return Err(complaint(
                "extraFields",
                &format!("must not contain {name}, which is a field of the order"),
            ));
        }
        if !seen.insert(name) {
            return Err(complaint("extraFields", &format!("contains {name} twice")));
        }
    }
    Ok(())
}
