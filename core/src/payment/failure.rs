//! Why a response does not mean success.

use crate::credentials::CallCredentials;
use crate::error::{Cause, Code, Error, Operation};
use crate::payment::endpoint::Endpoint;
use crate::payment::response::Response;

/// Why a response does not mean success. [`ResponseFailure::into_error`] makes it the error of a
/// call.
pub(crate) struct ResponseFailure {
    pub(crate) code: Code,
    pub(crate) cause: Cause,
    /// What happened, worded to follow the host's name: `answered with …`.
    pub(crate) what: String,
    /// The service's own code and text.
    pub(crate) envelope: Option<(String, String)>,
    /// The text says why it failed.
    pub(crate) has_reason: bool,
    /// A usable checkout URL in a response whose outcome is unknown.
    pub(crate) checkout_url: Option<String>,
    /// The service has the order already, and it may be another sale's.
    pub(crate) may_be_anothers: bool,
    /// The service does not know the order that was asked for.
    pub(crate) is_not_known: bool,
    /// It has a body that the service does not write, such as a firewall's page.
    pub(crate) is_foreign: bool,
}

impl ResponseFailure {
    pub(crate) fn new(code: Code, cause: Cause, what: impl Into<String>) -> ResponseFailure {
        ResponseFailure {
            code,
            cause,
            what: what.into(),
            envelope: None,
            has_reason: false,
            checkout_url: None,
            may_be_anothers: false,
            is_not_known: false,
            is_foreign: false,
        }
    }

    pub(crate) fn into_error(
        self,
        operation: Operation,
        endpoint: &Endpoint,
        host: &str,
        response: &Response<'_>,
        credentials: &CallCredentials<'_>,
    ) -> Error {
        let advice = match self.code {
            _ if self.may_be_anothers || self.cause == Cause::OrderExists => {
                "it may be another sale's: let a person decide, and hand nothing over".into()
            }
            Code::Unauthorized if self.is_foreign => format!(
                "a firewall may have refused, or {} may be wrong",
                endpoint.credential_keys()
            ),
            Code::Unauthorized => format!("check {}", endpoint.credential_keys()),
            Code::Rejected if self.is_foreign => {
                "a firewall or a proxy may have refused, or the path in baseUrl is wrong".into()
            }
            Code::RateLimited => "wait before calling again".into(),
            Code::Rejected => "it gave no reason; check the address and path in baseUrl".into(),
            _ => operation.unknown_advice().to_owned(),
        };
        let envelope = self
            .envelope
            .map(|(code, message)| (credentials.redact_code(&code), credentials.redact(&message)));
        let reason = envelope
            .as_ref()
            .filter(|_| self.has_reason)
            .map(|(_, message)| one_line(message))
            .filter(|reason| !reason.is_empty());
        let message = match reason {
            Some(reason) if self.code == Code::Rejected => {
                format!("{host} {}; the service says: {reason}", self.what)
            }
            Some(reason) => format!("{host} {}; the service says: {reason}; {advice}", self.what),
            None => format!("{host} {}; {advice}", self.what),
        };
        let mut error = Error::new(self.code, self.cause, message);
        let details = &mut error.details;
        details.http_status = Some(response.status);
        details.retry_after = response.retry_after;
        if let Some((code, message)) = envelope {
            details.response_code = Some(code).filter(|code| !code.is_empty());
            details.response_message = Some(message).filter(|message| !message.is_empty());
        }
        if let Some(body) = response.body.as_ref().filter(|_| response.is_quoted) {
            let body = credentials.redact_document(&body.text);
            details.response_body = Some(body.chars().take(MAX_QUOTE).collect());
        }
        details.checkout_url = self.checkout_url;
        details.may_be_anothers = self.may_be_anothers;
        details.is_not_known = self.is_not_known;
        details.is_foreign = self.is_foreign;
        error
    }
}

/// How many characters of a response an error quotes.
const MAX_QUOTE: usize = 2000;
/// How many characters of the service's reason a message shows.
const MAX_REASON: usize = 300;

/// The service's reason on one line, without control characters.
fn one_line(text: &str) -> String {
    let words = text.split(|one: char| one.is_control() || one.is_whitespace());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let line = words.join(" ");
    let end = line.char_indices().nth(MAX_REASON).map(|(end, _)| end);
    match end.and_then(|end| line.get(..end)) {
        Some(start) => format!("{start}..."),
        None => line,
    }
}
