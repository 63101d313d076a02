//! Secrets: checked at input, masked in memory, wiped after use, and never shown.

mod redaction;

use std::fmt;

use zeroize::{Zeroize, Zeroizing};

use crate::error::{Cause, Error};
use crate::limits::LONGEST_CREDENTIAL;
use crate::random::random_u64;

const REDACTED: &str = "[redacted]";

/// A credential. In memory it is masked with random bytes, so that a core dump or a stray read of
/// the heap does not reveal it. It is unmasked only for the moment of a call.
#[derive(Clone)]
pub(crate) struct Secret {
    masked: Zeroizing<Vec<u8>>,
    mask: Zeroizing<Vec<u8>>,
}

impl Secret {
    /// Checks and masks a text for an HTTP header: 1 to 4096 bytes of visible ASCII, without spaces
    /// at either end. The error does not show any part of the text.
    pub(crate) fn new(text: &str) -> Result<Secret, String> {
        let bytes = text.as_bytes();
        if bytes.is_empty() || bytes.len() > LONGEST_CREDENTIAL {
            return Err(format!(
                "must have 1 to {LONGEST_CREDENTIAL} bytes, not {}",
                bytes.len()
            ));
        }
        if bytes.iter().any(|byte| !(b' '..=b'~').contains(byte)) {
            return Err(
                "must be visible ASCII; it has a character that no HTTP header can carry".into(),
            );
        }
        if bytes.starts_with(b" ") || bytes.ends_with(b" ") {
            return Err("has a space at its start or end; remove the space".into());
        }
        Ok(Secret::mask(bytes))
    }

    /// Masks any text.
    pub(crate) fn mask(bytes: &[u8]) -> Secret {
        let mut mask = Zeroizing::new(Vec::with_capacity(bytes.len() + 8));
        while mask.len() < bytes.len() {
            mask.extend_from_slice(&random_u64().to_ne_bytes());
        }
        let masked = bytes
            .iter()
            .zip(mask.iter())
            .map(|(byte, mask)| byte ^ mask)
            .collect();
        Secret {
            masked: Zeroizing::new(masked),
            mask,
        }
    }

    /// The secret in clear text, which is wiped when it is dropped.
    pub(crate) fn reveal(&self) -> Zeroizing<String> {
        let bytes: Vec<u8> = self
            .masked
            .iter()
            .zip(self.mask.iter())
            .map(|(byte, mask)| byte ^ mask)
            .collect();
        // This is always UTF-8, because it was made from a text. If it were not, the bytes would
        // still be wiped.
        Zeroizing::new(String::from_utf8(bytes).unwrap_or_else(|error| {
            error.into_bytes().zeroize();
            String::new()
        }))
    }

    /// Appends the secret in clear text to a buffer, which the caller wipes after use and which has
    /// room for it.
    pub(crate) fn reveal_to(&self, output: &mut Vec<u8>) {
        let bytes = self.masked.iter().zip(self.mask.iter());
        output.extend(bytes.map(|(byte, mask)| byte ^ mask));
    }

    pub(crate) fn len(&self) -> usize {
        self.masked.len()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}

pub(crate) mod keys {
    pub(crate) const ACCESS_TOKEN: &str = "accessToken";
    pub(crate) const CLIENT_KEY: &str = "clientKey";
    pub(crate) const CLIENT_ID: &str = "clientId";
    pub(crate) const SECRET_KEY: &str = "secretKey";
}

/// The credentials of the two calls. Source: "Authentication" in the interface's documentation.
///
/// ```
/// let credentials = payorder_core::Credentials::default()
///     .with_access_token("Qz7-own")?
///     .with_client_key("k")?
///     .with_client_id("i")?
///     .with_secret_key("s")?;
/// assert!(!format!("{credentials:?}").contains("Qz7-own"));
/// # Ok::<(), payorder_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    pub(crate) access_token: Option<Secret>,
    pub(crate) client_key: Option<Secret>,
    pub(crate) client_id: Option<Secret>,
    pub(crate) secret_key: Option<Secret>,
}

impl Credentials {
    pub(crate) const KEYS: [&'static str; 4] = [
        keys::ACCESS_TOKEN,
        keys::CLIENT_KEY,
        keys::CLIENT_ID,
        keys::SECRET_KEY,
    ];

    /// With the access token of Create Order (`ACCESS-TOKEN`).
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] unless the text is 1 to 4096 bytes of visible ASCII,
    /// without a space at either end.
    pub fn with_access_token(self, text: &str) -> Result<Credentials, Error> {
        self.with(keys::ACCESS_TOKEN, text)
    }

    /// With the client key of Get Status (`X-CLIENT-KEY`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_client_key(self, text: &str) -> Result<Credentials, Error> {
        self.with(keys::CLIENT_KEY, text)
    }

    /// With the client identifier of Get Status (`X-CLIENT-ID`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_client_id(self, text: &str) -> Result<Credentials, Error> {
        self.with(keys::CLIENT_ID, text)
    }

    /// With the secret key of Get Status (`X-SECRET-KEY`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_secret_key(self, text: &str) -> Result<Credentials, Error> {
        self.with(keys::SECRET_KEY, text)
    }

    fn with(mut self, key: &str, text: &str) -> Result<Credentials, Error> {
        self.set(key, text)
            .map_err(|problem| Error::argument(Cause::InvalidValue, format!("{key} {problem}")))?;
        Ok(self)
    }

    /// Sets a credential by its JSON key, one of [`Credentials::KEYS`].
    pub(crate) fn set(&mut self, key: &str, text: &str) -> Result<(), String> {
        let secret = Some(Secret::new(text)?);
        match key {
            keys::ACCESS_TOKEN => self.access_token = secret,
            keys::CLIENT_KEY => self.client_key = secret,
            keys::CLIENT_ID => self.client_id = secret,
            _ => self.secret_key = secret,
        }
        Ok(())
    }

    /// These credentials; from `other` those that are not set here. The password of the proxy is
    /// only redacted.
    pub(crate) fn or<'a>(
        &'a self,
        other: &'a Credentials,
        proxy_password: Option<&'a Secret>,
    ) -> CallCredentials<'a> {
        CallCredentials {
            access_token: self.access_token.as_ref().or(other.access_token.as_ref()),
            client_key: self.client_key.as_ref().or(other.client_key.as_ref()),
            client_id: self.client_id.as_ref().or(other.client_id.as_ref()),
            secret_key: self.secret_key.as_ref().or(other.secret_key.as_ref()),
            known: [self, other],
            proxy_password,
        }
    }

    /// These credentials; from `other` those that are not set here.
    pub(crate) fn or_those_of(self, other: &Credentials) -> Credentials {
        Credentials {
            access_token: self.access_token.or_else(|| other.access_token.clone()),
            client_key: self.client_key.or_else(|| other.client_key.clone()),
            client_id: self.client_id.or_else(|| other.client_id.clone()),
            secret_key: self.secret_key.or_else(|| other.secret_key.clone()),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Secret> {
        [
            &self.access_token,
            &self.client_key,
            &self.client_id,
            &self.secret_key,
        ]
        .into_iter()
        .flatten()
    }
}

pub(crate) struct CallCredentials<'a> {
    pub(crate) access_token: Option<&'a Secret>,
    pub(crate) client_key: Option<&'a Secret>,
    pub(crate) client_id: Option<&'a Secret>,
    pub(crate) secret_key: Option<&'a Secret>,
    /// All known credentials: those that were not chosen are redacted too.
    known: [&'a Credentials; 2],
    proxy_password: Option<&'a Secret>,
}

pub(crate) type CredentialHeader<'a> = (&'static str, &'a Secret);
