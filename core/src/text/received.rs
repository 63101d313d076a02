//! A text that another program wrote: what is damaged in it reads as U+FFFD, and is noticed.

use std::borrow::Cow;

/// The mark that some programs write before a text.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// JSON text, readable even if it begins with a byte-order mark, has bytes that are not UTF-8, or
/// has halves of surrogate pairs.
pub(crate) struct Received<'a> {
    pub(crate) text: Cow<'a, str>,
    /// It had a byte-order mark, which is not in `text`.
    pub(crate) has_mark: bool,
    /// Something in it was replaced.
    pub(crate) is_damaged: bool,
}

impl<'a> Received<'a> {
    pub(crate) fn read(bytes: &'a [u8]) -> Received<'a> {
        Received::of(match std::str::from_utf8(bytes) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(bytes),
        })
    }

    /// The same from a text; one that is owned was damaged.
    pub(crate) fn of(text: Cow<'a, str>) -> Received<'a> {
        let has_mark = text.starts_with(BYTE_ORDER_MARK);
        let was_damaged = matches!(text, Cow::Owned(_));
        let text = match text {
            Cow::Borrowed(text) => text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text).into(),
            Cow::Owned(text) if has_mark => text.chars().skip(1).collect::<String>().into(),
            text => text,
        };
        let repaired = replace_half_pairs(&text);
        Received {
            has_mark,
            is_damaged: was_damaged || repaired.is_some(),
            text: repaired.map_or(text, Cow::Owned),
        }
    }

    /// Whether a value in it may have been another one.
    pub(crate) fn is_damaged_in(&self, value: &str) -> bool {
        self.is_damaged && value.contains(char::REPLACEMENT_CHARACTER)
    }
}

/// Half an emoji, as `\ud83d`, is no character. `None` if there is no such half.
fn replace_half_pairs(text: &str) -> Option<String> {
    // Without an early end, a processor checks many bytes at once.
    let is_escaped = |any: bool, byte: u8| any | (byte == b'\\');
    if !text.bytes().fold(false, is_escaped) {
        return None;
    }
    let mut repaired = String::new();
    let (mut copied, mut at) = (0, 0);
    while let Some(found) = text.get(at..).and_then(|rest| rest.find('\\')) {
        let start = at + found;
        let length = match (half_pair(text, start), half_pair(text, start + 6)) {
            (Some(Half::First), Some(Half::Second)) => 12,
            (Some(_), _) => {
                repaired.push_str(text.get(copied..start)?);
                repaired.push(char::REPLACEMENT_CHARACTER);
                copied = start + 6;
                6
            }
            // The next character is escaped, and may be a backslash.
            (None, _) => 2,
        };
        at = start + length;
    }
    if copied == 0 {
        return None;
    }
    repaired.push_str(text.get(copied..)?);
    Some(repaired)
}

enum Half {
    First,
    Second,
}

fn half_pair(text: &str, at: usize) -> Option<Half> {
    let digits = text.get(at..at + 6)?.strip_prefix("\\u")?;
    match u16::from_str_radix(digits, 16).ok()? {
        0xD800..=0xDBFF => Some(Half::First),
        0xDC00..=0xDFFF => Some(Half::Second),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::Received;

    #[test]
    fn halves_of_pairs_are_replaced_and_nothing_else() {
        for (given, read) in [
            (r#"{"a":"\ud83d"}"#, "{\"a\":\"\u{FFFD}\"}"),
            (
                r#"\ud83d\ud83d\ude00\ude00"#,
                "\u{FFFD}\\ud83d\\ude00\u{FFFD}",
            ),
            (
                r"\\ud83d \u0041 \uD83D\uDE00 \n",
                r"\\ud83d \u0041 \uD83D\uDE00 \n",
            ),
            ("\\", "\\"),
            ("\\\u{e9}\\ud83d", "\\\u{e9}\\ud83d"),
            ("\\ud83", "\\ud83"),
        ] {
            let received = Received::read(given.as_bytes());
            assert_eq!(received.text, read, "{given}");
            assert_eq!(received.is_damaged, given != read, "{given}");
        }
        let marked = Received::read("\u{FEFF}\u{FEFF}".as_bytes());
        assert_eq!((&*marked.text, marked.has_mark), ("\u{FEFF}", true));
        assert!(Received::read(b"\xff").is_damaged);
    }
}
