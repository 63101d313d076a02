//! Secrets: checked when they come in, masked while they are kept, wiped when they go, and never
//! shown.

use std::fmt;

use zeroize::{Zeroize, Zeroizing};

use crate::error::{Cause, Error};
use crate::random::random_u64;

const LONGEST: usize = 4096;
const REDACTED: &str = "[redacted]";

/// A credential. In memory it stands masked with random bytes, so that a core dump or a stray read
/// of the heap does not hand it out; it is put together only for the moment of a call.
#[derive(Clone)]
pub(crate) struct Secret {
    masked: Zeroizing<Vec<u8>>,
    mask: Zeroizing<Vec<u8>>,
}

impl Secret {
    /// Keeps a text that can go into an HTTP header: visible ASCII without spaces at either end, 1
    /// to 4096 bytes. The error says what is wrong without showing any of the text.
    pub(crate) fn new(text: &str) -> Result<Secret, String> {
        let bytes = text.as_bytes();
        if bytes.is_empty() || bytes.len() > LONGEST {
            return Err(format!(
                "must have 1 to {LONGEST} bytes, not {}",
                bytes.len()
            ));
        }
        if bytes.iter().any(|byte| !(b' '..=b'~').contains(byte)) {
            return Err(
                "must be visible ASCII; it has a character that no HTTP header can carry".into(),
            );
        }
        if bytes.starts_with(b" ") || bytes.ends_with(b" ") {
            return Err("has a space at its start or end; copy it again without".into());
        }
        Ok(Secret::mask(bytes))
    }

    /// Keeps any text.
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

    /// The secret itself, wiped when the caller is done with it.
    pub(crate) fn reveal(&self) -> Zeroizing<String> {
        let bytes: Vec<u8> = self
            .masked
            .iter()
            .zip(self.mask.iter())
            .map(|(byte, mask)| byte ^ mask)
            .collect();
        // It was made from a text, so it is one again; were it not, the bytes would be wiped all
        // the same.
        Zeroizing::new(String::from_utf8(bytes).unwrap_or_else(|error| {
            error.into_bytes().zeroize();
            String::new()
        }))
    }

    fn len(&self) -> usize {
        self.masked.len()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(REDACTED)
    }
}

/// Blacks credentials out of the service's words.
pub(crate) type Redact<'a> = &'a dyn Fn(&str) -> String;

/// The credentials of the two calls. Source: the interface's "Authentication".
#[derive(Clone, Debug, Default)]
pub struct Credentials {
    pub(crate) access_token: Option<Secret>,
    pub(crate) client_key: Option<Secret>,
    pub(crate) client_id: Option<Secret>,
    pub(crate) secret_key: Option<Secret>,
}

impl Credentials {
    /// The JSON keys, in configuration and options alike.
    pub(crate) const KEYS: [&'static str; 4] =
        ["accessToken", "clientKey", "clientId", "secretKey"];

    /// With the access token of Create Order (`ACCESS-TOKEN`).
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a text that no HTTP header can carry: visible ASCII, 1 to
    /// 4096 bytes, no space at either end.
    pub fn with_access_token(self, text: &str) -> Result<Credentials, Error> {
        self.with("accessToken", text)
    }

    /// With the client key of Get Status (`X-CLIENT-KEY`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_client_key(self, text: &str) -> Result<Credentials, Error> {
        self.with("clientKey", text)
    }

    /// With the client identifier of Get Status (`X-CLIENT-ID`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_client_id(self, text: &str) -> Result<Credentials, Error> {
        self.with("clientId", text)
    }

    /// With the secret key of Get Status (`X-SECRET-KEY`).
    ///
    /// # Errors
    /// As [`Credentials::with_access_token`].
    pub fn with_secret_key(self, text: &str) -> Result<Credentials, Error> {
        self.with("secretKey", text)
    }

    fn with(mut self, key: &str, text: &str) -> Result<Credentials, Error> {
        self.set(key, text)
            .map_err(|problem| Error::argument(Cause::InvalidValue, format!("{key} {problem}")))?;
        Ok(self)
    }

    /// Sets the credential of a JSON key, which is one of [`Credentials::KEYS`].
    pub(crate) fn set(&mut self, key: &str, text: &str) -> Result<(), String> {
        let secret = Some(Secret::new(text)?);
        match key {
            "accessToken" => self.access_token = secret,
            "clientKey" => self.client_key = secret,
            "clientId" => self.client_id = secret,
            _ => self.secret_key = secret,
        }
        Ok(())
    }

    /// These credentials, and those of `other` where these have none.
    pub(crate) fn or<'a>(&'a self, other: &'a Credentials) -> CallCredentials<'a> {
        CallCredentials {
            access_token: self.access_token.as_ref().or(other.access_token.as_ref()),
            client_key: self.client_key.as_ref().or(other.client_key.as_ref()),
            client_id: self.client_id.as_ref().or(other.client_id.as_ref()),
            secret_key: self.secret_key.as_ref().or(other.secret_key.as_ref()),
            known: [self, other],
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

/// The credentials of one call.
pub(crate) struct CallCredentials<'a> {
    pub(crate) access_token: Option<&'a Secret>,
    pub(crate) client_key: Option<&'a Secret>,
    pub(crate) client_id: Option<&'a Secret>,
    pub(crate) secret_key: Option<&'a Secret>,
    /// Those that were not chosen are no less secret.
    known: [&'a Credentials; 2],
}

impl CallCredentials<'_> {
    /// The text with every credential in it blacked out, also where one overlaps another.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut found = Vec::new();
        for secret in self
            .known
            .into_iter()
            .flat_map(Credentials::all)
            .filter(|secret| secret.len() <= text.len())
        {
            let secret = secret.reveal();
            let mut from = 0;
            while let Some(at) = text.get(from..).and_then(|rest| rest.find(secret.as_str())) {
                found.push((from + at, from + at + secret.len()));
                // A credential is ASCII, so the next byte begins a character; it may begin the same
                // credential again.
                from += at + 1;
            }
        }
        found.sort_unstable();
        let mut redacted = String::with_capacity(text.len());
        let mut shown = 0;
        for (start, end) in found {
            if start >= shown {
                redacted.push_str(text.get(shown..start).unwrap_or_default());
                redacted.push_str(REDACTED);
            }
            shown = shown.max(end);
        }
        redacted.push_str(text.get(shown..).unwrap_or_default());
        redacted
    }
}

#[cfg(test)]
mod tests {
    use super::{Credentials, Secret};

    #[test]
    fn a_secret_comes_back_whole_and_shows_nowhere() -> Result<(), String> {
        let secret = Secret::new("tok 123~")?;
        assert_eq!(secret.reveal().as_str(), "tok 123~");
        assert_eq!(format!("{secret:?}"), "[redacted]");
        assert_ne!(secret.masked.as_slice(), b"tok 123~");
        Ok(())
    }

    #[test]
    fn a_longer_secret_is_blacked_out_before_a_shorter_one_in_it() -> Result<(), String> {
        let mut credentials = Credentials::default();
        credentials.set("clientId", "abc")?;
        credentials.set("secretKey", "abcdef")?;
        credentials.set("clientKey", "red")?;
        let none = Credentials::default();
        let redact = |credentials: &Credentials, text: &str| credentials.or(&none).redact(text);
        assert_eq!(
            redact(&credentials, "the key abcdef of abc is wrong"),
            "the key [redacted] of [redacted] is wrong"
        );
        assert_eq!(redact(&credentials, "redé"), "[redacted]é");
        credentials.set("accessToken", "def-x-def")?;
        assert_eq!(redact(&credentials, "abcdef-x-def-x-def!"), "[redacted]!");
        Ok(())
    }
}
