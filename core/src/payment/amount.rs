//! Decimal text, read and compared digit by digit. Amounts are never converted to floats.

/// A non-negative decimal number in canonical form: equal amounts compare equal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Amount<'a> {
    /// Digits before the point, without leading zeros.
    whole: &'a str,
    /// Digits after the point, without trailing zeros.
    fraction: &'a str,
}

impl<'a> Amount<'a> {
    /// Reads `[0-9]+(\.[0-9]+)?`, of any length; `None` for anything else.
    pub(crate) fn read(text: &'a str) -> Option<Amount<'a>> {
        let (whole, fraction) = match text.split_once('.') {
            Some((whole, fraction)) => (whole, Some(fraction)),
            None => (text, None),
        };
        let digits =
            |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
        if !digits(whole) || !fraction.is_none_or(digits) {
            return None;
        }
        let (mut whole, mut fraction) = (whole, fraction.unwrap_or_default());
        while let Some(rest) = whole.strip_prefix('0') {
            whole = rest;
        }
        while let Some(rest) = fraction.strip_suffix('0') {
            fraction = rest;
        }
        Some(Amount { whole, fraction })
    }

    /// Whether it has at most two decimals that are not zero.
    pub(crate) fn is_in_hundredths(self) -> bool {
        self.fraction.len() <= 2
    }

    /// Whether the amount is at least 1: without leading zeros, the whole part is then not empty.
    pub(crate) fn is_one_or_above(self) -> bool {
        !self.whole.is_empty()
    }
}
