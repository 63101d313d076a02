//! The reply of one call, checked against what every call promises.

use std::collections::BTreeMap;
use std::ffi::{CStr, CString, c_char};
use std::ptr;

use payorder::{payorder_result_name, payorder_string_free};
use serde_json::Value;
use serde_json::value::RawValue;

/// An object's entries, each value as its text, so that any depth of nesting is possible.
pub type Entries = BTreeMap<String, Box<RawValue>>;

/// The result of a call and the text that it returned.
#[derive(Debug)]
pub struct Reply {
    pub result: i32,
    pub text: Option<String>,
    /// The error object; null on success.
    error: Value,
}

/// Makes one call whose out pointer starts with an invalid value, frees the returned string, and
/// checks what all calls promise: the out pointer is written, the error object fits the result, and
/// the result is not an internal error.
pub fn call(act: impl FnOnce(*mut *mut c_char) -> i32) -> Reply {
    let unwritten = ptr::without_provenance_mut::<c_char>(usize::MAX);
    let mut out = unwritten;
    let result = act(&mut out);
    assert_ne!(
        out, unwritten,
        "the out string was not written; the result was {result}"
    );
    let text = (!out.is_null()).then(|| {
        // SAFETY: the library returns NUL-terminated strings, each to be freed once.
        unsafe {
            let text = CStr::from_ptr(out)
                .to_str()
                .expect("what is handed out is UTF-8")
                .to_owned();
            payorder_string_free(out);
            text
        }
    });
    let mut reply = Reply {
        result,
        text,
        error: Value::Null,
    };
    if result != 0 {
        let mut object: Value =
            serde_json::from_str(reply.text()).expect("an error is a JSON object");
        reply.error = object["error"].take();
        reply.check_error();
    }
    reply
}

/// The outcome of a number, by its range.
pub fn outcome(result: i32) -> &'static str {
    match result {
        0 => "done",
        1..=99 => "not_sent",
        100..=199 => "rejected",
        _ => "unknown",
    }
}

impl Reply {
    /// The returned text, which must exist.
    pub fn text(&self) -> &str {
        self.text.as_deref().expect("a text was handed out")
    }

    /// The entries of the returned object.
    pub fn entries(&self) -> Entries {
        entries(self.text())
            .unwrap_or_else(|| panic!("what is handed out is a JSON object: {}", self.text()))
    }

    /// The error object; null on success.
    pub fn error(&self) -> &Value {
        &self.error
    }

    /// Checks that the result is one of those that the function may return.
    pub fn is_one_of(&self, results: &[i32]) {
        assert!(
            results.contains(&self.result),
            "{} is none of {results:?}: {:?}",
            self.result,
            self.text
        );
    }

    /// Checks that an error shows none of these, except in what programs compare: a checkout URL stays
    /// as it is.
    pub fn keeps_secret(&self, secrets: &[&str]) {
        let mut error = self.error.clone();
        if let Some(error) = error.as_object_mut() {
            error.remove("checkoutUrl");
        }
        let leaked = secrets.iter().find(|secret| shows(&error, secret));
        assert_eq!(leaked, None, "an error shows a credential: {error}");
    }

    fn check_error(&self) {
        let Reply { result, error, .. } = self;
        let result = *result;
        assert_eq!(
            error["result"], result,
            "the error has another result than the call: {error}"
        );
        // SAFETY: a static string.
        let name = unsafe { CStr::from_ptr(payorder_result_name(result)) }
            .to_str()
            .expect("names are ASCII");
        assert_ne!(
            name, "PAYORDER_UNRECOGNISED",
            "{result} is not a listed result"
        );
        assert_eq!(error["name"], name);
        assert_eq!(error["outcome"], outcome(result), "{error}");
        assert!(
            error["message"]
                .as_str()
                .is_some_and(|message| !message.is_empty()),
            "an error has a message: {error}"
        );
        assert!(
            result != 11 && result != 205,
            "a defect of the library: {error}"
        );
        let violations = error["violations"].as_array();
        assert_eq!(
            violations.is_some(),
            result == 4,
            "violations stand with PAYORDER_INVALID_REQUEST and nowhere else: {error}"
        );
        for violation in violations.into_iter().flatten() {
            let texts = ["field", "rule", "message"].map(|key| &violation[key]);
            assert!(texts.iter().all(|text| text.is_string()), "{violation}");
        }
    }
}

/// Whether a string of the value has this in it. In JSON text, the end of an escape could be a part
/// of it.
fn shows(value: &Value, secret: &str) -> bool {
    match value {
        Value::String(text) => text.contains(secret),
        Value::Array(values) => values.iter().any(|value| shows(value, secret)),
        Value::Object(entries) => entries.values().any(|value| shows(value, secret)),
        _ => false,
    }
}

/// The entries of a JSON object; `None` if the text is not one.
pub fn entries(text: &str) -> Option<Entries> {
    serde_json::from_str(text).ok()
}

/// A text of the service as docs/abi.md reads it: without a byte-order mark, and with U+FFFD for
/// what is damaged. The flag says whether anything is.
pub fn received(bytes: &[u8]) -> (String, bool) {
    let text = String::from_utf8_lossy(bytes);
    let mut is_damaged = matches!(text, std::borrow::Cow::Owned(_));
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let (mut read, mut units, mut rest) = (String::new(), Vec::new(), text);
    loop {
        let unit = rest.strip_prefix("\\u").and_then(|after| after.get(..4));
        if let Some(Ok(unit)) = unit.map(|digits| u16::from_str_radix(digits, 16)) {
            units.push(unit);
            rest = &rest[6..];
            continue;
        }
        for one in char::decode_utf16(units.drain(..)) {
            is_damaged |= one.is_err();
            let one = one.unwrap_or(char::REPLACEMENT_CHARACTER);
            read.extend(
                one.encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}")),
            );
        }
        let escaped = rest
            .strip_prefix('\\')
            .and_then(|after| after.chars().next());
        let Some(next) = rest.chars().next() else {
            return (read, is_damaged);
        };
        let length = next.len_utf8() + escaped.map_or(0, char::len_utf8);
        read.push_str(&rest[..length]);
        rest = &rest[length..];
    }
}

/// A value where the interface has a string: a string's own text, the empty string for `null`, the
/// JSON text for everything else.
pub fn lenient_text(value: Option<&RawValue>) -> Option<String> {
    match value.map(RawValue::get) {
        None | Some("null") => Some(String::new()),
        Some(raw) if raw.starts_with('"') => serde_json::from_str(raw).ok(),
        Some(raw) => Some(raw.to_owned()),
    }
}

/// A C string of bytes without NUL.
pub fn c(text: impl Into<Vec<u8>>) -> CString {
    CString::new(text).expect("a text without NUL")
}

/// The pointer to a C string, NULL for none.
pub fn pointer(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(ptr::null(), |text| text.as_ptr())
}
