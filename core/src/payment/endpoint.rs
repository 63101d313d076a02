//! One of a service's calls: its path and its credentials.

use crate::credentials::{CallCredentials, CredentialHeader};
use crate::error::{Cause, Code, Error};

/// One of the service's calls.
pub(crate) struct Endpoint {
    /// Its name in messages.
    pub(crate) name: &'static str,
    /// Its path after the `baseUrl`.
    pub(crate) path: &'static str,
    /// The key of each credential that it needs, and the start of the header that has it.
    pub(crate) credentials: &'static [(&'static str, &'static str)],
}

/// The headers with the credentials of one request: so many at most.
pub(crate) type CredentialHeaders<'a> = [Option<CredentialHeader<'a>>; 4];

impl Endpoint {
    /// # Errors
    /// [`Code::MissingCredentials`].
    pub(crate) fn headers<'a>(
        &self,
        credentials: &CallCredentials<'a>,
    ) -> Result<CredentialHeaders<'a>, Error> {
        let mut headers = CredentialHeaders::default();
        for ((key, header), slot) in self.credentials.iter().zip(&mut headers) {
            let secret = credentials.get(key).ok_or_else(|| {
                Error::new(
                    Code::MissingCredentials,
                    Cause::CredentialsMissing,
                    format!(
                        "{} needs {key}, which is in neither the configuration nor the options; \
                         nothing was sent",
                        self.name
                    ),
                )
            })?;
            *slot = Some((*header, secret));
        }
        Ok(headers)
    }

    /// The keys of its credentials, for a message.
    pub(crate) fn credential_keys(&self) -> String {
        let keys: Vec<&str> = self.credentials.iter().map(|(key, _)| *key).collect();
        match keys.split_last() {
            Some((last, others)) if !others.is_empty() => {
                format!("{} and {last}", others.join(", "))
            }
            _ => keys.concat(),
        }
    }
}
