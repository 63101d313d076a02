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
        Some(Amount {
            whole: whole.trim_start_matches('0'),
            fraction: fraction.unwrap_or("").trim_end_matches('0'),
        })
    }

    /// Whether the amount is at least 1: without leading zeros, the whole part is then not empty.
    pub(crate) fn is_one_or_above(self) -> bool {
        !self.whole.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::Amount;

    #[test]
    fn only_plain_decimal_text_is_an_amount() {
        for text in [
            "0",
            "1",
            "1.0",
            "007",
            "0.5",
            "100.00",
            "99999999999999999999999999.000000000000000000001",
        ] {
            assert!(Amount::read(text).is_some(), "{text} is an amount");
        }
        for text in [
            "", ".", "1.", ".5", "+1", "-1", "1e3", "1,5", " 1", "1 ", "1.2.3", "١", "0x1", "NaN",
        ] {
            assert!(Amount::read(text).is_none(), "{text:?} is not an amount");
        }
    }

    #[test]
    fn amounts_compare_as_numbers() {
        for (left, right, equal) in [
            ("100", "100.00", true),
            ("0100.10", "100.1", true),
            ("0", "0.000", true),
            ("1", "10", false),
            ("0.1", "0.01", false),
            ("9007199254740993", "9007199254740992", false),
        ] {
            assert_eq!(
                Amount::read(left) == Amount::read(right),
                equal,
                "{left} and {right}"
            );
        }
    }

    #[test]
    fn the_smallest_order_is_one() {
        for (text, enough) in [
            ("1", true),
            ("01.0", true),
            ("0.99", false),
            ("000.5", false),
            ("0", false),
            ("10", true),
        ] {
            assert_eq!(
                Amount::read(text).map(Amount::is_one_or_above),
                Some(enough),
                "{text}"
            );
        }
    }
}
