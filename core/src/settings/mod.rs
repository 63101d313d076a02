//! The configuration of a client and the options of a call, checked once.

pub(crate) mod config;
mod environment;
pub(crate) mod journal_options;
pub(crate) mod options;
pub(crate) mod problems;
pub(crate) mod service_url;
pub(crate) mod tls_files;
pub mod tokens;
pub(crate) mod validation;
pub(crate) mod values;
