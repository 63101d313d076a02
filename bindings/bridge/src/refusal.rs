//! A request that the bridge itself refuses, as the library reports errors.

use serde::Serialize;

/// Nothing was sent: the request cannot be read.
pub struct Refusal {
    cause: &'static str,
    message: String,
}

#[derive(Serialize)]
struct ErrorObject<'a> {
    error: Members<'a>,
}

#[derive(Serialize)]
struct Members<'a> {
    result: i32,
    name: &'a str,
    outcome: &'a str,
    cause: &'a str,
    action: &'a str,
    message: &'a str,
}

impl Refusal {
    /// `PAYORDER_INVALID_ARGUMENT`
    pub const RESULT: i32 = 1;

    pub fn new(cause: &'static str, message: impl Into<String>) -> Self {
        Self {
            cause,
            message: message.into(),
        }
    }

    pub fn value(message: impl Into<String>) -> Self {
        Self::new("invalid_value", message)
    }

    pub fn missing(message: impl Into<String>) -> Self {
        Self::new("null", message)
    }

    /// From serde's error about a request.
    pub fn unreadable(error: &serde_json::Error) -> Self {
        let message = error.to_string();
        let cause = if !error.is_data() {
            "not_json"
        } else if message.starts_with("duplicate field") {
            "duplicate_key"
        } else if message.starts_with("unknown field") {
            "unknown_key"
        } else if message.starts_with("missing field") {
            "null"
        } else {
            "invalid_value"
        };
        Self::new(cause, format!("the request cannot be read: {message}"))
    }

    pub fn json(&self) -> String {
        let object = ErrorObject {
            error: Members {
                result: Self::RESULT,
                name: "PAYORDER_INVALID_ARGUMENT",
                outcome: "not_sent",
                cause: self.cause,
                action: "fix_request",
                message: &self.message,
            },
        };
        // A structure of texts and numbers has a JSON form.
        serde_json::to_string(&object).unwrap_or_default()
    }
}
