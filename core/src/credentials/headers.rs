//! Further request headers, whose values count as credentials.

use super::Secret;

/// Further headers of a request, by their names. Their values count as credentials: nothing shows
/// them.
///
/// ```
/// let headers = payorder_core::Headers::default().with("x-gateway-key", "Qz7-own")?;
/// assert!(!format!("{headers:?}").contains("Qz7-own"));
/// # Ok::<(), payorder_core::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Headers {
    values: Vec<(Box<str>, Secret)>,
}

pub(super) static NONE: Headers = Headers { values: Vec::new() };

impl Headers {
    /// The error names the header, if its name can be one, and shows no part of the value.
    pub(crate) fn add(&mut self, name: &str, value: &str) -> Result<(), String> {
        if name.is_empty() || !name.bytes().all(is_of_name) {
            return Err("has a name that no HTTP header can have".to_owned());
        }
        if self.has(name) {
            return Err(format!("has {name} twice"));
        }
        let secret =
            Secret::new(value).map_err(|what| format!("has {name}, whose value {what}"))?;
        self.values.push((name.into(), secret));
        Ok(())
    }

    fn has(&self, name: &str) -> bool {
        self.names().any(|known| known.eq_ignore_ascii_case(name))
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.values.iter().map(|(name, _)| &**name)
    }

    pub(super) fn secrets(&self) -> impl Iterator<Item = &Secret> {
        self.values.iter().map(|(_, secret)| secret)
    }
}

/// The headers of a call, and those of its client that the call does not replace.
pub(crate) fn merged([own, shared]: [&Headers; 2]) -> impl Iterator<Item = (&str, &Secret)> {
    let shared = shared.values.iter().filter(|(name, _)| !own.has(name));
    let all = own.values.iter().chain(shared);
    all.map(|(name, secret)| (&**name, secret))
}

/// RFC 9110, section 5.6.2.
fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)
}
