//! What the journal keeps of a request, for a person who asks later: when it was sent, to whom, and
//! what came back. It has no credential and no personal data.

use std::time::{Instant, SystemTime};

use crate::client::call::Call;
use crate::connection::Fingerprint;
use crate::entry::{EventConnection, EventDetails};
use crate::error::{Code, Error, milliseconds};
use crate::journal::{AttemptEnd, hex};
use crate::payment::status::Status;
use crate::settings::validation::Settings;

/// How many characters of a text of the service an event has at most.
pub(crate) const LONGEST_TEXT: usize = 200;

impl Call<'_> {
    /// Keeps how an attempt ended, until the outcome is written.
    pub(crate) fn keep_attempt_end(&mut self, began: Instant, error: Option<&Error>) {
        let response_code = match error {
            // Every success has this code.
            None => Some(self.settings().service.success.to_owned()),
            // The credentials in it are redacted already.
            Some(error) => error.response_code().map(cut),
        };
        let end = AttemptEnd {
            at: SystemTime::now(),
            details: EventDetails {
                attempt: Some(self.attempts()),
                duration_ms: Some(milliseconds(began.elapsed())),
                bytes_sent: Some(self.current.sent.in_attempt()),
                http_status: match error {
                    None => self.http_status(),
                    Some(error) => error.http_status().or(self.current.status.get()),
                },
                response_code,
                result: Some(error.map_or(Code::Ok, Error::code).number()),
                cause: error.map(|error| error.cause().name().to_owned()),
                ..EventDetails::default()
            },
            connection: connection(self.settings(), self.current.fingerprint.get()),
        };
        self.attempt_ends.get_or_insert_default().push(end);
    }

    /// Notes in a status which service sent it, if that is recorded.
    pub(crate) fn note_certificate(&self, status: &mut Status) {
        if self.settings().journal.is_some() {
            status.certificate = self.current.fingerprint.get();
        }
    }
}

/// To whom a client's requests go.
pub(crate) fn connection(settings: &Settings, certificate: Option<Fingerprint>) -> EventConnection {
    let route = &settings.route;
    EventConnection {
        host: route.host.to_string(),
        proxy: route.proxy.is_some(),
        tls: route.secure,
        certificate_sha256: certificate.map(|digest| hex(&digest)),
    }
}

fn cut(text: &str) -> String {
    text.chars().take(LONGEST_TEXT).collect()
}
