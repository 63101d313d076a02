//! Does everything work? One step after the other, as a call goes through them.

use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;

use crate::client::call::Call;
use crate::client::{Client, status_request};
use crate::connection::{CallContext, Found, Inspected};
use crate::credentials::CallCredentials;
use crate::error::{Action, Cause, Code, Error, Operation, Outcome, in_milliseconds};
use crate::payment::response::Response;
use crate::payment::status::Status;
use crate::query::StatusQuery;
use crate::settings::options::CheckOptions;
use crate::text::json;

/// The order that nobody has, and the credentials that stand in for missing ones.
const PLACEHOLDER: &str = "payorder-check";
/// How far this machine's clock may be from the service's.
const CLOCK: Duration = Duration::from_secs(60);

/// What [`Client::check`] found.
#[derive(Debug, Clone, Serialize)]
pub struct Checked {
    /// No step failed.
    pub ok: bool,
    /// In the order in which they were made. After a failed one, those that need it are missing.
    pub steps: Vec<CheckStep>,
}

/// One thing that was looked at.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckStep {
    /// `proxy`, `name`, `connect`, `tls`, `clock`, `service`, `credentials` or `journal`.
    pub step: &'static str,
    /// Whether it works.
    pub ok: bool,
    /// How long it took.
    #[serde(rename = "elapsedMs", serialize_with = "in_milliseconds")]
    pub elapsed: Duration,
    /// For people.
    pub message: String,
    /// What was found, for programs.
    pub details: CheckDetails,
    /// Why it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Cause>,
    /// What to do if it failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub action: Option<Action>,
}

/// What a step found: the fields of its kind.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CheckDetails {
    /// `proxy`: its host and port.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proxy: Option<String>,
    /// `name`: the addresses of the host; `connect`: those that accepted a connection.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub addresses: Option<Vec<String>>,
    /// `connect`: the addresses that did not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreachable: Option<Vec<String>>,
    /// `tls`: such as `TLSv1.3`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<&'static str>,
    /// `tls`: who issued the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issuer: Option<String>,
    /// `tls`: until when the certificate is valid, in UTC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub valid_until: Option<String>,
    /// `tls`: the names in the certificate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// `clock`: how many seconds this machine is ahead of the service; below 0, behind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_ahead: Option<i64>,
    /// `service`: the HTTP status of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http_status: Option<u16>,
    /// `service`: the service's own code.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub response_code: Option<String>,
    /// `service`: what the response calls the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub request_id: Option<String>,
    /// `credentials`: `accepted`, `refused`, `missing` or `unclear`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub credentials: Option<&'static str>,
    /// `journal`: entries of this service whose outcome is not known: a person or
    /// [`Client::recover`] must look.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unresolved: Option<u64>,
    /// `journal`: the same of other services.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other_services: Option<i64>,
}

impl Checked {
    /// The result as JSON, as in the C ABI.
    pub fn to_json(&self) -> String {
        json::written(self)
    }
}

impl Client {
    /// Looks at one thing after the other: the proxy, the host's name, its addresses, TLS, the clock,
    /// the service, the credentials of Get Status, and the journal. It asks the service for one
    /// status, and creates nothing.
    ///
    /// ```
    /// # let client = payorder_core::Client::from_json(r#"{"baseUrl":"http://127.0.0.1:9"}"#)?;
    /// let checked = client.check(&payorder_core::CheckOptions::default())?;
    /// for step in &checked.steps {
    ///     println!("{} {}: {}", step.step, step.ok, step.message);
    /// }
    /// assert!(!checked.ok);
    /// # Ok::<(), payorder_core::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Code::InvalidArgument`], [`Code::Cancelled`] and [`Code::CancelledInFlight`]. What does not
    /// work is no error.
    pub fn check(&self, options: &CheckOptions) -> Result<Checked, Error> {
        self.call(Operation::Check, |call| call.check(options))
    }
}

impl Call<'_> {
    pub(super) fn check(&mut self, options: &CheckOptions) -> Result<Checked, Error> {
        let settings = self.settings();
        self.note_tag(&options.call);
        options.call.check(settings)?;
        let order_id = options.order_id.as_deref().unwrap_or(PLACEHOLDER);
        let query = StatusQuery::Order(order_id.to_owned().into());
        query.check()?;
        self.begin(options.call.cancellation.as_ref())?;
        let timeout = options.call.timeout.unwrap_or(settings.config.timeout);
        let deadline = self.started + timeout;
        let mut steps = self.check_connection(timeout, deadline);
        self.goes_on()?;
        if steps.iter().all(|step| step.ok) {
            self.set_subject(|| query.clone());
            self.check_service(&query, options, timeout, deadline, &mut steps);
            self.goes_on()?;
        }
        if settings.journal.is_some() {
            steps.push(self.check_journal());
            self.goes_on()?;
        }
        Ok(Checked {
            ok: steps.iter().all(|step| step.ok),
            steps,
        })
    }

    /// Fails if the check was cancelled.
    fn goes_on(&self) -> Result<(), Error> {
        match self.scope().is_cancelled() {
            true => Err(self.errors().cancelled()),
            false => Ok(()),
        }
    }

    fn check_connection(&mut self, timeout: Duration, deadline: Instant) -> Vec<CheckStep> {
        self.attempt.begin(deadline);
        let context = CallContext {
            scope: self.scope(),
            attempt: &self.attempt,
        };
        let steps = self.registration.state().connections.inspect(context);
        let steps = steps.into_iter();
        steps.map(|one| self.of_connection(one, timeout)).collect()
    }

    fn of_connection(&self, one: Inspected, timeout: Duration) -> CheckStep {
        let route = &self.settings().route;
        let mut details = CheckDetails::default();
        if let ("proxy", Some(proxy)) = (one.step, &route.proxy) {
            details.proxy = Some(proxy.target.to_string());
        }
        let (unreachable, why): (Vec<_>, Vec<_>) = one.unreachable.into_iter().unzip();
        details.unreachable = Some(unreachable).filter(|all| !all.is_empty());
        let result = one
            .result
            .map_err(|failure| self.with_details(self.errors().of_attempt(failure, timeout)));
        let result = result.map(|found| match found {
            Found::Tunnel => format!(
                "{} opened a tunnel to {}",
                details.proxy.as_deref().unwrap_or_default(),
                route.host
            ),
            Found::Name(addresses) => {
                let message = format!("{} is {}", route.target.host, addresses.join(", "));
                details.addresses = Some(addresses);
                message
            }
            Found::Connected(addresses) => {
                let accepted = format!("{} accepted a connection", addresses.join(", "));
                details.addresses = Some(addresses);
                [vec![accepted], why].concat().join("; ")
            }
            Found::Tls(version) => {
                details.version = Some(version);
                match &one.certificate {
                    Some(shown) => format!(
                        "{version}, with a certificate of {} that is valid until {}",
                        shown.issuer, shown.valid_until
                    ),
                    None => version.to_owned(),
                }
            }
        });
        if let Some(shown) = one.certificate {
            details.issuer = Some(shown.issuer);
            details.valid_until = Some(shown.valid_until);
            details.names = Some(shown.names);
        }
        step(one.step, one.elapsed, details, result)
    }

    fn check_service(
        &mut self,
        query: &StatusQuery<'_>,
        options: &CheckOptions,
        timeout: Duration,
        deadline: Instant,
        steps: &mut Vec<CheckStep>,
    ) {
        let settings = self.settings();
        let mut given = options.call.clone();
        let client = self.client.shared.credentials();
        let endpoint = &settings.service.get_status;
        let keys = endpoint.credentials.iter().map(|(key, _)| *key);
        let known = client.with(&options.call);
        let missing: Vec<&str> = keys.filter(|key| known.get(key).is_none()).collect();
        for key in &missing {
            // It is a valid one.
            let _ = given.credentials.set(key, PLACEHOLDER);
        }
        let read = |response: &Response<'_>, credentials: &CallCredentials<'_>| {
            (settings.service.read_status)(response, query, credentials)
        };
        let body = (settings.service.query)(query);
        let request = status_request(settings, &body, &given, timeout, &read);
        let began = Instant::now();
        self.attempt.keeps_date.set(true);
        let answer = self.attempt(&request, deadline, None);
        let answer = answer.map_err(|error| self.with_details(error));
        let elapsed = began.elapsed();
        steps.extend(self.check_clock());
        let answered = self.of_service(&answer, elapsed);
        let is_answered = answered.ok;
        steps.push(answered);
        if is_answered {
            steps.push(of_credentials(&missing, &answer));
        }
    }

    /// `None` if the response has no time.
    fn check_clock(&self) -> Option<CheckStep> {
        let date = self.attempt.date.take()?;
        let date = httpdate::parse_http_date(&date).ok()?;
        let (away, seconds) = match SystemTime::now().duration_since(date) {
            Ok(ahead) => (ahead, ahead.as_secs() as i64),
            Err(error) => (error.duration(), -(error.duration().as_secs() as i64)),
        };
        let details = CheckDetails {
            seconds_ahead: Some(seconds),
            ..CheckDetails::default()
        };
        let is_ahead = seconds > 0;
        if away <= CLOCK {
            let message = format!("within {} s of the service's", CLOCK.as_secs());
            return Some(step("clock", Duration::ZERO, details, Ok(message)));
        }
        // What calls over TLS end with, sooner or later.
        let cause = match is_ahead {
            true => Cause::CertificateExpired,
            false => Cause::CertificateNotYetValid,
        };
        let message = format!(
            "this machine is {} s {} the service: set its clock",
            away.as_secs(),
            if is_ahead { "ahead of" } else { "behind" }
        );
        let mut error = Error::new(Code::TlsFailed, cause, message);
        error.details.clock_is_suspect = true;
        Some(step("clock", Duration::ZERO, details, Err(error)))
    }

    /// Whether what answered is the service. A refusal in its own words is an answer.
    fn of_service(&self, answer: &Result<Status, Error>, elapsed: Duration) -> CheckStep {
        let error = answer.as_ref().err();
        let details = CheckDetails {
            http_status: self
                .http_status
                .filter(|_| error.is_none_or(|error| error.http_status().is_some())),
            response_code: error.and_then(|error| error.response_code().map(str::to_owned)),
            request_id: self.request_id.clone(),
            ..CheckDetails::default()
        };
        let host = &self.settings().route.host;
        let result = match answer {
            Ok(_) => Ok(format!(
                "{host} answers with a status, as the interface says"
            )),
            Err(error) if is_answer(error) => Ok(error.to_string()),
            Err(error) => Err(error.clone()),
        };
        step("service", elapsed, details, result)
    }

    fn check_journal(&self) -> CheckStep {
        let began = Instant::now();
        let mut details = CheckDetails::default();
        let result = self.look_at_journal().map(|(unresolved, others)| {
            details.unresolved = Some(unresolved);
            details.other_services = Some(others);
            let also = match others {
                0 => String::new(),
                _ => format!(
                    ", and {others} of other services: give each service a journal of its own"
                ),
            };
            match unresolved {
                0 => format!("it can be read and written; no order is unresolved{also}"),
                _ => format!(
                    "it can be read and written; {unresolved} orders are unresolved: recover says \
                     what is known about each{also}"
                ),
            }
        });
        let result = result.map_err(|error| self.with_details(error));
        step("journal", began.elapsed(), details, result)
    }

    fn look_at_journal(&self) -> Result<(u64, i64), Error> {
        let unresolved = self.unresolved()?.len() as u64;
        let others = self.other_services()?;
        self.try_to_write()?;
        Ok((unresolved, others))
    }
}

/// Whether an error of Get Status is an answer of the service itself.
fn is_answer(error: &Error) -> bool {
    error.outcome() == Outcome::Rejected
        && !error.details.is_foreign
        && (error.code() != Code::Rejected || error.response_code().is_some())
}

/// What the answer to the query says about the credentials.
fn of_credentials(missing: &[&str], answer: &Result<Status, Error>) -> CheckStep {
    let (state, result) = match answer {
        _ if !missing.is_empty() => {
            let message = format!("not set: {}", missing.join(", "));
            let (code, cause) = (Code::MissingCredentials, Cause::CredentialsMissing);
            ("missing", Err(Error::new(code, cause, message)))
        }
        Ok(_) => ("accepted", Ok("those of Get Status are accepted".to_owned())),
        Err(error) if error.code() == Code::Unauthorized => ("refused", Err(error.clone())),
        Err(_) => (
            "unclear",
            Ok("the service says nothing about those of Get Status, and may say the same to wrong \
                ones: check with the orderId of an order that exists"
                .to_owned()),
        ),
    };
    let details = CheckDetails {
        credentials: Some(state),
        ..CheckDetails::default()
    };
    step("credentials", Duration::ZERO, details, result)
}

fn step(
    step: &'static str,
    elapsed: Duration,
    details: CheckDetails,
    result: Result<String, Error>,
) -> CheckStep {
    let error = result.as_ref().err();
    CheckStep {
        step,
        ok: error.is_none(),
        elapsed,
        cause: error.map(Error::cause),
        action: error.map(Error::action),
        message: result.unwrap_or_else(|error| error.to_string()),
        details,
    }
}
