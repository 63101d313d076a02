//! Texts and their rules: JSON, JSON pointers, URLs. No I/O, and nothing of the service.

pub(crate) mod json;
#[cfg(feature = "capi")]
pub(crate) mod json_edit;
#[cfg(feature = "capi")]
pub(crate) mod json_pointer;
pub(crate) mod scan;
pub(crate) mod url;
