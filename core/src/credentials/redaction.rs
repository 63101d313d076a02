//! Redacts whole credentials in the free texts of the service, in time that grows linearly with the
//! text. What programs compare (statuses, identifiers, amounts, URLs) is never changed: it does not
//! come here.

use super::{CallCredentials, Credentials, REDACTED, Secret};

/// A credential that is shorter than this is often a part of another word or number. It is redacted
/// only where it stands alone.
const LONG: usize = 8;

impl CallCredentials<'_> {
    /// The text without any whole credential.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut places = Vec::new();
        for secret in self.known() {
            if (1..=text.len()).contains(&secret.len()) {
                find(&secret.reveal(), text, &mut places);
            }
        }
        without(text, places)
    }

    /// A `responseCode` without any whole credential. A number is kept: programs compare it.
    pub(crate) fn redact_code(&self, code: &str) -> String {
        match code.len() < LONG && code.bytes().all(|byte| byte.is_ascii_digit()) {
            true => code.to_owned(),
            false => self.redact(code),
        }
    }

    fn known(&self) -> impl Iterator<Item = &Secret> {
        let known = self.known.into_iter().flat_map(Credentials::all);
        known.chain(self.proxy_password)
    }
}

/// Adds the start and end of every place where the secret is.
fn find(secret: &str, text: &str, places: &mut Vec<(usize, usize)>) {
    let mut from = 0;
    while let Some(at) = text.get(from..).and_then(|rest| rest.find(secret)) {
        let (start, end) = (from + at, from + at + secret.len());
        from = if secret.len() >= LONG || stands_alone(text, start, end) {
            places.push((start, end));
            end
        } else {
            start + secret.chars().next().map_or(1, char::len_utf8)
        };
    }
}

/// Whether no letter or digit is next to a place.
fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).and_then(|text| text.chars().next_back());
    let after = text.get(end..).and_then(|text| text.chars().next());
    !before.into_iter().chain(after).any(char::is_alphanumeric)
}

/// The text with every place redacted, also if two of them overlap.
fn without(text: &str, mut places: Vec<(usize, usize)>) -> String {
    places.sort_unstable();
    let mut redacted = String::with_capacity(text.len());
    let mut shown = 0;
    for (start, end) in places {
        if start >= shown {
            redacted.push_str(text.get(shown..start).unwrap_or_default());
            redacted.push_str(REDACTED);
        }
        shown = shown.max(end);
    }
    redacted.push_str(text.get(shown..).unwrap_or_default());
    redacted
}

#[cfg(test)]
mod tests {
    use super::Credentials;

    #[test]
    fn credentials_that_overlap_are_redacted_together() -> Result<(), String> {
        let mut credentials = Credentials::default();
        credentials.set("clientId", "abcdefgh")?;
        credentials.set("secretKey", "abcdefghij")?;
        credentials.set("clientKey", "red")?;
        let none = Credentials::default();
        let redact =
            |credentials: &Credentials, text: &str| credentials.or(&none, None).redact(text);
        assert_eq!(
            redact(&credentials, "the key abcdefghij of abcdefgh is wrong"),
            "the key [redacted] of [redacted] is wrong"
        );
        assert_eq!(redact(&credentials, "red, redé"), "[redacted], redé");
        credentials.set("accessToken", "ghij-x-ghij")?;
        assert_eq!(redact(&credentials, "abcdefghij-x-ghij!"), "[redacted]!");
        Ok(())
    }
}
