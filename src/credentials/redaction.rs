//! Redacts credentials in the texts of the service, in time that grows linearly with the text.

use zeroize::Zeroizing;

use super::{CallCredentials, Credentials, REDACTED, Secret};

/// So many bytes in a row of a credential are redacted like the whole one. Fewer reveal
/// little, and are often a part of a common word.
const PART: usize = 8;

impl CallCredentials<'_> {
    /// The text without any credential, whole or in part.
    pub(crate) fn redact(&self, text: &str) -> String {
        let mut found = self.find_whole(text, |length| length < PART);
        found.extend(self.find_parts(text));
        without(text, found)
    }

    /// An identifier without any whole credential. A part of one is kept: merchants' identifiers
    /// have parts in common, and programs compare them.
    pub(crate) fn redact_identifier(&self, text: &str) -> String {
        without(text, self.find_whole(text, |length| length >= PART))
    }

    /// The start and end of every credential in the text that has a length for which `is_meant`.
    fn find_whole(&self, text: &str, is_meant: fn(usize) -> bool) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for secret in self.known() {
            if !is_meant(secret.len()) || !(1..=text.len()).contains(&secret.len()) {
                continue;
            }
            let secret = secret.reveal();
            let mut from = 0;
            while let Some(at) = text.get(from..).and_then(|rest| rest.find(secret.as_str())) {
                found.push((from + at, from + at + secret.len()));
                // The same credential may occur again from its second character on.
                from += at + secret.chars().next().map_or(1, char::len_utf8);
            }
        }
        found
    }

    /// Start and end of each part of a credential in the text. Parts that overlap are one place.
    fn find_parts(&self, text: &str) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize)> = Vec::new();
        if text.len() < PART {
            return found;
        }
        let long = || self.known().filter(|secret| secret.len() >= PART);
        let count = long().map(|secret| secret.len() - PART + 1).sum();
        // With its final capacity, so that it is never moved and leaves nothing behind in memory.
        let mut known = Zeroizing::new(Vec::with_capacity(count));
        for secret in long() {
            known.extend(parts(secret.reveal().as_bytes()));
        }
        known.sort_unstable();
        for (at, part) in parts(text.as_bytes()).enumerate() {
            if known.binary_search(&part).is_err() {
                continue;
            }
            match found.last_mut() {
                Some((_, end)) if at < *end => *end = at + PART,
                _ => found.push((at, at + PART)),
            }
        }
        found
    }

    fn known(&self) -> impl Iterator<Item = &Secret> {
        let known = self.known.into_iter().flat_map(Credentials::all);
        known.chain(self.proxy_password)
    }
}

/// The text with every place redacted, also if two of them overlap.
fn without(text: &str, mut places: Vec<(usize, usize)>) -> String {
    places.sort_unstable();
    let mut redacted = String::with_capacity(text.len());
    let mut shown = 0;
    for (start, end) in places {
        // A part of a proxy's password can begin or end within a character.
        let is_between = |at: &usize| text.is_char_boundary(*at);
        let start = (0..=start).rev().find(is_between).unwrap_or(start);
        let end = (end..=text.len()).find(is_between).unwrap_or(end);
        if start >= shown {
            redacted.push_str(text.get(shown..start).unwrap_or_default());
            redacted.push_str(REDACTED);
        }
        shown = shown.max(end);
    }
    redacted.push_str(text.get(shown..).unwrap_or_default());
    redacted
}

/// Every part of a text, as a number so that it can be searched quickly.
fn parts(text: &[u8]) -> impl Iterator<Item = u64> {
    let number = |part: &[u8]| {
        part.iter()
            .fold(0, |number, byte| number << 8 | u64::from(*byte))
    };
    text.windows(PART).map(number)
}

#[cfg(test)]
mod tests {
    use super::Credentials;

    #[test]
    fn credentials_that_overlap_are_redacted_together() -> Result<(), String> {
        let mut credentials = Credentials::default();
        credentials.set("clientId", "abc")?;
        credentials.set("secretKey", "abcdef")?;
        credentials.set("clientKey", "red")?;
        let none = Credentials::default();
        let redact =
            |credentials: &Credentials, text: &str| credentials.or(&none, None).redact(text);
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
