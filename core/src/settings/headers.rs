//! The further request headers that a program may set.

use crate::credentials::Headers;
use crate::error::{Cause, Error};
use crate::payment::service::Service;
use crate::settings::list::config::HEADERS;
use crate::settings::object_reader::object_of_strings;
use crate::text::json::Value;

/// Those that HTTP or the library uses itself. A star stands for any ending.
const OF_HTTP: &[&str] = &[
    "accept",
    "accept-encoding",
    "connection",
    "content-*",
    "expect",
    "host",
    "keep-alive",
    "proxy-*",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
];

impl Headers {
    /// With another header.
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] unless the name is one of HTTP that is not there yet, and
    /// the value is 1 to 4096 bytes of visible ASCII, without a space at either end.
    pub fn with(mut self, name: &str, value: &str) -> Result<Headers, Error> {
        let added = self.add(name, value);
        let key = HEADERS.key;
        added.map_err(|what| Error::argument(Cause::InvalidValue, format!("{key} {what}")))?;
        Ok(self)
    }

    pub(super) fn read(value: Value<'_>) -> Result<Headers, String> {
        let mut headers = Headers::default();
        for (name, value) in object_of_strings(value)? {
            headers.add(&name, &value)?;
        }
        Ok(headers)
    }

    /// Fails if a header is one that the library sets itself.
    pub(super) fn check(&self, service: &Service) -> Result<(), String> {
        let is = |name: &str, reserved: &&str| match reserved.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == *reserved,
        };
        let is_reserved = |name: &&str| {
            let name = name.to_ascii_lowercase();
            let mut all = OF_HTTP.iter().chain(service.own_headers);
            all.any(|reserved| is(&name, reserved))
        };
        match self.names().find(is_reserved) {
            Some(name) => Err(format!(
                "must not have {name}, which the library sets itself"
            )),
            None => Ok(()),
        }
    }
}
