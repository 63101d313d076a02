//! Redacts whole credentials in the free texts of the service, in time that grows linearly with the
//! text. What programs compare (statuses, identifiers, amounts, URLs) is never changed: it does not
//! come here.

use zeroize::Zeroizing;

use super::{CallCredentials, Credentials, Headers, REDACTED, Secret};

/// A credential that is shorter than this is often a part of another word or number. It is redacted
/// only where it stands alone.
const LONG: usize = 8;

impl CallCredentials<'_> {
    /// The text without any whole credential.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut places = Vec::new();
        for secret in self.known() {
            if secret.len() <= text.len() {
                find(&secret.reveal(), text, &mut places);
            }
        }
        without(text, places)
    }

    /// The same for a document in which a credential may be escaped, as JSON and URLs do it.
    pub(crate) fn redact_document(&self, text: &str) -> String {
        let (plain, places_of) = unescaped(text);
        let (mut places, mut escaped) = (Vec::new(), Vec::new());
        for secret in self.known() {
            let secret = secret.reveal();
            find(&secret, text, &mut places);
            find(&secret, &plain, &mut escaped);
        }
        let place = |at: usize| places_of.get(at).copied().unwrap_or(text.len());
        places.extend(
            escaped
                .into_iter()
                .map(|(start, end)| (place(start), place(end))),
        );
        without(text, places)
    }

    /// A `responseCode` without any whole credential. A number is kept: programs compare it.
    pub(crate) fn redact_code(&self, code: &str) -> String {
        match code.len() < LONG && code.bytes().all(|byte| byte.is_ascii_digit()) {
            true => code.to_owned(),
            false => self.redact(code),
        }
    }

    /// Without an empty one, such as a proxy's password: it would be everywhere.
    fn known(&self) -> impl Iterator<Item = &Secret> {
        let known = self.known.into_iter().flat_map(Credentials::all);
        let headers = self.headers.into_iter().flat_map(Headers::secrets);
        let all = known.chain(headers).chain(self.proxy_password);
        all.filter(|secret| secret.len() > 0)
    }
}

/// The text without the escapes of JSON and of URLs, and where each of its bytes was before.
fn unescaped(text: &str) -> (Zeroizing<String>, Vec<usize>) {
    let mut plain = Zeroizing::new(String::with_capacity(text.len()));
    let mut places = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let code = |digits: Option<&str>| {
            let code = u32::from_str_radix(digits?, 16).ok()?;
            char::from_u32(code)
        };
        let (one, length) = match (first, rest.as_bytes().get(1)) {
            ('\\', Some(b'u')) => (code(rest.get(2..6)), 6),
            ('\\', Some(b'/' | b'"' | b'\\')) => (rest.chars().nth(1), 2),
            ('%', _) => (code(rest.get(1..3)), 3),
            _ => (None, 1),
        };
        let (one, length) = one.map_or((first, first.len_utf8()), |one| (one, length));
        plain.push(one);
        places.resize(plain.len(), text.len() - rest.len());
        rest = rest.get(length..).unwrap_or_default();
    }
    (plain, places)
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
    use super::{Credentials, Secret};

    #[test]
    fn an_empty_password_of_a_proxy_is_nowhere() {
        let (none, empty) = (Credentials::default(), Secret::mask(b""));
        let all = none.or(&none, Some(&empty));
        assert_eq!(all.redact_document("{}"), "{}");
        assert_eq!(all.redact("{}"), "{}");
    }

    #[test]
    fn escaped_credentials_are_redacted_in_documents() -> Result<(), String> {
        let mut credentials = Credentials::default();
        credentials.set("secretKey", "ab/cd+ef==")?;
        let none = Credentials::default();
        let all = credentials.or(&none, None);
        for escaped in [r"ab\/cd\u002bef==", "ab%2Fcd+ef%3D%3D", "ab/cd+ef=="] {
            let given = format!("é{escaped}\\u00e9% {escaped}");
            let redacted = "é[redacted]\\u00e9% [redacted]";
            assert_eq!(all.redact_document(&given), redacted, "{escaped}");
        }
        Ok(())
    }

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
