//! Secrets: checked at input, masked in memory, wiped after use, and never shown.

mod headers;
mod redaction;

use std::fmt;

use zeroize::{Zeroize, Zeroizing};

use crate::limits::LONGEST_CREDENTIAL;
use crate::random::random_u64;

pub use headers::Headers;
pub(crate) use headers::merged;

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
        let mut bytes = Vec::with_capacity(self.len());
        self.reveal_to(&mut bytes);
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

/// Credentials by their JSON keys. The service says which there are.
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
    values: Vec<(&'static str, Secret)>,
}

impl Credentials {
    pub(crate) fn set(&mut self, key: &'static str, text: &str) -> Result<(), String> {
        let secret = Secret::new(text)?;
        self.values.retain(|(known, _)| *known != key);
        self.values.push((key, secret));
        Ok(())
    }

    fn get(&self, key: &str) -> Option<&Secret> {
        let mut values = self.values.iter();
        values.find_map(|(known, secret)| (*known == key).then_some(secret))
    }

    /// These credentials; from `other` those that are not set here. The password of the proxy is
    /// only redacted.
    pub(crate) fn or<'a>(
        &'a self,
        other: &'a Credentials,
        proxy_password: Option<&'a Secret>,
    ) -> CallCredentials<'a> {
        CallCredentials {
            known: [self, other],
            headers: [&headers::NONE; 2],
            proxy_password,
        }
    }

    /// These credentials; from `other` those that are not set here.
    pub(crate) fn or_those_of(mut self, other: &Credentials) -> Credentials {
        let missing = other
            .values
            .iter()
            .filter(|(key, _)| self.get(key).is_none());
        let missing: Vec<_> = missing.cloned().collect();
        self.values.extend(missing);
        self
    }

    fn all(&self) -> impl Iterator<Item = &Secret> {
        self.values.iter().map(|(_, secret)| secret)
    }
}

pub(crate) struct CallCredentials<'a> {
    /// Those of the call, and those of the client: all of them are redacted.
    known: [&'a Credentials; 2],
    /// The same for further headers.
    pub(crate) headers: [&'a Headers; 2],
    proxy_password: Option<&'a Secret>,
}

impl<'a> CallCredentials<'a> {
    /// The call's own, or else the client's.
    pub(crate) fn get(&self, key: &str) -> Option<&'a Secret> {
        self.known.into_iter().find_map(|one| one.get(key))
    }
}

/// The start of a header, such as `access-token: `, and the credential that ends it.
pub(crate) type CredentialHeader<'a> = (&'static str, &'a Secret);
