//! What the journal keeps of a request, for a person who asks later: when it was sent, to whom, and
//! what came back. It has no credential and no personal data.

use std::time::Instant;

use crate::client::call::Call;
use crate::entry::{EventConnection, EventDetails};
use crate::error::{Code, Error, milliseconds};
use crate::journal::{AttemptRecord, hex};

/// How many characters of a text of the service an event has at most.
pub(crate) const LONGEST_TEXT: usize = 200;

/// What the last attempt of a call sent and learned.
pub(crate) fn of_attempt(call: &Call<'_>, began: Instant, error: Option<&Error>) -> AttemptRecord {
    let response_code = match error {
        // Every success has this code.
        None => Some(call.settings().service.success.to_owned()),
        // The credentials in it are redacted already.
        Some(error) => error
            .response_code()
            .map(|code| code.chars().take(LONGEST_TEXT).collect()),
    };
    let http_status = call.attempt.status.get();
    // A response that is cut or cannot be read has said it.
    let exists = call.settings().service.order_exists;
    let says_exists = error.is_some_and(|error| error.details.may_be_anothers);
    let says_exists = says_exists && http_status != Some(exists);
    AttemptRecord {
        at: Instant::now(),
        details: EventDetails {
            attempt: Some(call.attempts),
            duration_ms: Some(milliseconds(began.elapsed())),
            bytes_sent: Some(call.attempt.sent.in_attempt()),
            http_status,
            response_code: response_code.or_else(|| says_exists.then(|| exists.to_string())),
            result: Some(error.map_or(Code::Ok, Error::code).number()),
            cause: error.map(|error| error.cause().name().to_owned()),
            ..EventDetails::default()
        },
        connection: connection(call),
    }
}

/// To whom the last attempt of a call went.
pub(crate) fn connection(call: &Call<'_>) -> EventConnection {
    let route = &call.settings().route;
    let certificate = call.attempt.fingerprint.get();
    EventConnection {
        host: route.host.to_string(),
        proxy: route.proxy.is_some(),
        tls: route.secure,
        certificate_sha256: certificate.map(|digest| hex(&digest)),
        request_id: call.request_id.clone(),
    }
}
