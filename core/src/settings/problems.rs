//! What is wrong with a configuration.

use std::sync::Arc;

use crate::error::{Cause, Code, Error, Source};

/// The problems of a configuration, key by key. They are all reported together.
#[derive(Default)]
pub(crate) struct Problems(
    pub(crate) Vec<(Cause, String)>,
    Option<Source>,
    /// What messages call a key, if not by its name.
    Vec<(String, String)>,
);

impl Problems {
    pub(crate) fn add(&mut self, cause: Cause, key: &str, problem: impl std::fmt::Display) {
        let problem = format!("{} {problem}", self.name(key));
        self.0.push((cause, problem));
    }

    /// From here on, messages call the key by this name.
    pub(crate) fn call(&mut self, key: &str, name: String) {
        self.2.retain(|(known, _)| known != key);
        self.2.push((key.to_owned(), name));
    }

    fn name<'a>(&'a self, key: &'a str) -> &'a str {
        let named = self.2.iter().find(|(known, _)| known == key);
        named.map_or(key, |(_, name)| name)
    }

    /// Adds a key that does not exist.
    pub(crate) fn unknown(&mut self, key: &str) {
        let place = self.name(key).strip_prefix(key).unwrap_or_default();
        let problem = format!("unknown configuration key `{key}`{place}: check its spelling");
        self.0.push((Cause::UnknownKey, problem));
    }

    /// Whether something is wrong with this key.
    pub(crate) fn has(&self, key: &str) -> bool {
        let start = format!("{} ", self.name(key));
        self.0
            .iter()
            .any(|(_, problem)| problem.starts_with(&start))
    }

    /// The value, or `None` after adding the problem.
    pub(crate) fn keep<T, E: std::fmt::Display>(
        &mut self,
        key: &str,
        result: Result<T, E>,
    ) -> Option<T> {
        let refused = |problem| self.add(Cause::InvalidValue, key, problem);
        result.map_err(refused).ok()
    }

    /// The same for a file that the configuration names.
    pub(crate) fn keep_file<T>(&mut self, key: &str, result: Result<T, FileError>) -> Option<T> {
        let refused = |error: FileError| {
            // The first problem is the cause, so its error is the source.
            if self.0.is_empty() {
                self.1 = error.source.map(|source| Arc::new(source) as Source);
            }
            self.add(Cause::UnreadableFile, key, error.message);
        };
        result.map_err(refused).ok()
    }

    pub(crate) fn into_error(self) -> Error {
        // The first problem is the cause; the message lists all of them.
        let cause = self
            .0
            .first()
            .map_or(Cause::InvalidValue, |(cause, _)| *cause);
        let source = self.1;
        let problems: Vec<String> = self.0.into_iter().map(|(_, problem)| problem).collect();
        Error::new(
            Code::InvalidConfig,
            cause,
            format!("the configuration cannot be used: {}", problems.join("; ")),
        )
        .with_source(source)
    }
}

/// Why a file cannot be used.
pub(crate) struct FileError {
    pub(crate) message: String,
    pub(crate) source: Option<std::io::Error>,
}

impl From<String> for FileError {
    fn from(message: String) -> FileError {
        FileError {
            message,
            source: None,
        }
    }
}
