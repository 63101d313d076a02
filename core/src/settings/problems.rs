//! What is wrong with a configuration.

use std::sync::Arc;

use crate::error::{Cause, Code, Error, Source};
use crate::settings::object_reader::KeyProblem;

/// The problems of a configuration. They are all reported together.
#[derive(Default)]
pub(crate) struct Problems {
    found: Vec<Problem>,
    source: Option<Source>,
    /// What messages call a key, if not by its name.
    names: Vec<(String, String)>,
}

struct Problem {
    key: String,
    cause: Cause,
    message: String,
}

impl Problems {
    pub(crate) fn add(&mut self, cause: Cause, key: &str, problem: impl std::fmt::Display) {
        let message = format!("{} {problem}", self.name(key));
        self.add_message(cause, key, message);
    }

    /// The same with a message that names the key itself.
    pub(crate) fn add_message(&mut self, cause: Cause, key: &str, message: String) {
        self.found.push(Problem {
            key: key.to_owned(),
            cause,
            message,
        });
    }

    /// Adds what is wrong with a key that was given.
    pub(crate) fn add_given(&mut self, key: &str, problem: KeyProblem) {
        match problem {
            KeyProblem::Invalid(problem) => self.add(Cause::InvalidValue, key, problem),
            KeyProblem::Token(error) => self.add(error.cause(), key, error),
            KeyProblem::Unknown => {
                let place = self.name(key).strip_prefix(key).unwrap_or_default();
                let message =
                    format!("unknown configuration key `{key}`{place}: check its spelling");
                self.add_message(Cause::UnknownKey, key, message);
            }
        }
    }

    /// From here on, messages call the key by this name.
    pub(crate) fn call(&mut self, key: &str, name: String) {
        self.names.retain(|(known, _)| known != key);
        self.names.push((key.to_owned(), name));
    }

    /// What messages call the key.
    pub(crate) fn name<'a>(&'a self, key: &'a str) -> &'a str {
        let named = self.names.iter().find(|(known, _)| known == key);
        named.map_or(key, |(_, name)| name)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.found.iter().any(|problem| problem.key == key)
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
            if self.is_empty() {
                self.source = error.source.map(|source| Arc::new(source) as Source);
            }
            self.add(Cause::UnreadableFile, key, error.message);
        };
        result.map_err(refused).ok()
    }

    pub(crate) fn into_error(self) -> Error {
        // The first problem is the cause; the message lists all of them.
        let cause = self.found.first().map(|problem| problem.cause);
        let messages: Vec<String> = self.found.into_iter().map(|one| one.message).collect();
        Error::new(
            Code::InvalidConfig,
            cause.unwrap_or(Cause::InvalidValue),
            format!("the configuration cannot be used: {}", messages.join("; ")),
        )
        .with_source(self.source)
    }
}

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
