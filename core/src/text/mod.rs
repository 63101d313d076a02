//! Texts and their rules: JSON, JSON pointers, URLs. No I/O, and nothing of the service.

pub(crate) mod json;
pub mod json_edit;
pub mod json_pointer;
pub(crate) mod received;
pub(crate) mod url;
