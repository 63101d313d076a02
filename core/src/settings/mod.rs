//! The configuration of a client and the options of a call, checked once.

pub(crate) mod config;
mod environment;
mod headers;
pub(crate) mod journal_options;
pub mod list;
pub(crate) mod object_reader;
pub(crate) mod options;
pub(crate) mod problems;
pub(crate) mod service_url;
pub mod setting;
pub(crate) mod tls_files;
pub(crate) mod validation;
