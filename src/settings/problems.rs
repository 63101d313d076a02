//! What is wrong with a configuration.

use std::sync::Arc;

use crate::error::{Cause, Code, Error, Source};

/// The problems of a configuration, key by key. They are all reported together.
#[derive(Default)]
pub(crate) struct Problems(pub(crate) Vec<(Cause, String)>, Option<Source>);

impl Problems {
    pub(crate) fn add(&mut self, cause: Cause, key: &str, problem: impl std::fmt::Display) {
        self.0.push((cause, format!("{key} {problem}")));
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
