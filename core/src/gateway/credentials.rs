//! The credentials of the two calls. Source: "Authentication" in the interface's documentation.

use crate::credentials::Credentials;
use crate::error::{Cause, Error};

pub(crate) const ACCESS_TOKEN: &str = "accessToken";
pub(crate) const CLIENT_KEY: &str = "clientKey";
pub(crate) const CLIENT_ID: &str = "clientId";
pub(crate) const SECRET_KEY: &str = "secretKey";
/// Their keys in the configuration and in options.
pub(crate) const KEYS: [&str; 4] = [ACCESS_TOKEN, CLIENT_KEY, CLIENT_ID, SECRET_KEY];

impl Credentials {
    /// With the access token of Create Order (`ACCESS-TOKEN`).
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] unless the text is 1 to 4096 bytes of visible ASCII,
    /// without a space at either end.
    pub fn with_access_token(self, text: &str) -> Result<Credentials, Error> {
        self.with(ACCESS_TOKEN, text)
    }

    /// With the client key of Get Status (`X-CLIENT-KEY`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_client_key(self, text: &str) -> Result<Credentials, Error> {
        self.with(CLIENT_KEY, text)
    }

    /// With the client identifier of Get Status (`X-CLIENT-ID`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_client_id(self, text: &str) -> Result<Credentials, Error> {
        self.with(CLIENT_ID, text)
    }

    /// With the secret key of Get Status (`X-SECRET-KEY`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_secret_key(self, text: &str) -> Result<Credentials, Error> {
        self.with(SECRET_KEY, text)
    }

    fn with(mut self, key: &'static str, text: &str) -> Result<Credentials, Error> {
        self.set(key, text)
            .map_err(|problem| Error::argument(Cause::InvalidValue, format!("{key} {problem}")))?;
        Ok(self)
    }
}
