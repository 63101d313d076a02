//! The refusal codes: as HTTP status and as `responseCode`, their standard meaning is that nothing
//! was done. Source: RFC 9110, section 15.5, and the registry of HTTP status codes.

use std::ops::RangeInclusive;

use crate::error::{Cause, Code};

/// After any other 4xx the service may have acted: 408, 409, 423 to 425, and what gateways make up.
const REFUSAL_CODES: [RangeInclusive<u16>; 9] = [
    400..=407,
    410..=417,
    421..=421,
    422..=422,
    426..=426,
    428..=428,
    429..=429,
    431..=431,
    451..=451,
];

/// By this code the service says that it has an order with these identifiers already.
pub(crate) const ORDER_EXISTS: u16 = 409;

/// Whether a `responseCode` is [`ORDER_EXISTS`].
pub(crate) fn is_order_exists(code: &str) -> bool {
    code.parse() == Ok(ORDER_EXISTS) && code.len() == 3
}

#[derive(Clone, Copy)]
pub(crate) struct Refusal {
    pub(crate) number: u16,
}

impl Refusal {
    /// `None` if the number is not a refusal code.
    pub(crate) fn of(number: u16) -> Option<Refusal> {
        let is_one = REFUSAL_CODES.iter().any(|codes| codes.contains(&number));
        is_one.then_some(Refusal { number })
    }

    /// The same from a `responseCode`: exactly three digits.
    pub(crate) fn of_code(code: &str) -> Option<Refusal> {
        let three_digits = code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_digit());
        Refusal::of(code.parse().ok().filter(|_| three_digits)?)
    }

    pub(crate) fn result(self) -> (Code, Cause) {
        match self.number {
            401 | 403 => (Code::Unauthorized, Cause::Unauthorized),
            429 => (Code::RateLimited, Cause::RateLimited),
            _ => (Code::Rejected, Cause::ServiceRefused),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::REFUSAL_CODES;

    #[test]
    fn the_documents_list_the_refusal_codes() {
        let codes: Vec<String> = REFUSAL_CODES
            .iter()
            .map(|codes| match (codes.start(), codes.end()) {
                (start, end) if start == end => start.to_string(),
                (start, end) => format!("{start} to {end}"),
            })
            .collect();
        let (last, others) = codes.split_last().unwrap();
        let list = format!("{} and {last}", others.join(", "));
        let project = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        // The crate alone has no documents.
        let documents: &[&str] = match project.join("docs").exists() {
            true => &["docs/interface.md", "docs/abi.md"],
            false => &[],
        };
        for document in documents {
            let text = std::fs::read_to_string(project.join(document)).unwrap();
            let words: Vec<&str> = text.split_whitespace().collect();
            assert!(words.join(" ").contains(&list), "{document}: {list}");
        }
    }
}
