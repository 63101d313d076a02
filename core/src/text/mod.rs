//! Texts and their rules: JSON, URLs. No I/O, and nothing of the service.

pub(crate) mod json;
pub(crate) mod received;
pub(crate) mod url;
