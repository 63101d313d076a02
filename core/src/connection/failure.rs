//! Why there is no complete response.

use std::io;
use std::sync::Arc;

use crate::error::{Cause, Source};
use crate::platform;

/// Why there is no complete response. It does not include the outcome, which depends on the number
/// of bytes sent.
#[derive(Debug, Clone)]
pub(crate) enum Failure {
    /// Name lookup, TCP or proxy.
    Connect(ConnectionProblem),
    /// Certificate or handshake.
    Tls(ConnectionProblem),
    /// The connection ended.
    ConnectionLost(ConnectionProblem),
    /// The response is not valid HTTP.
    InvalidResponse(String),
    TimedOut,
    Cancelled,
    /// The call was started in the parent process, and continues there.
    Forked,
    /// A bug in the library.
    Internal(String),
}

/// What went wrong, for programs and for people.
#[derive(Debug, Clone)]
pub(crate) struct ConnectionProblem {
    pub(crate) cause: Cause,
    pub(crate) message: String,
    /// This machine's clock differs from the certificate's dates by more than a day.
    pub(crate) clock_is_suspect: bool,
    /// The error of the system or of TLS behind it.
    pub(crate) source: Option<Source>,
}

impl ConnectionProblem {
    pub(crate) fn new(cause: Cause, message: impl Into<String>) -> ConnectionProblem {
        ConnectionProblem {
            cause,
            message: message.into(),
            clock_is_suspect: false,
            source: None,
        }
    }

    /// `what` happened because of an error of the system.
    pub(super) fn of_system(cause: Cause, what: &str, error: io::Error) -> ConnectionProblem {
        let why = platform::describe_error(&error);
        ConnectionProblem::new(cause, format!("{what}: {why}")).with_source(error)
    }

    pub(crate) fn with_source(self, error: impl std::error::Error + Send + Sync + 'static) -> Self {
        ConnectionProblem {
            source: Some(Arc::new(error)),
            ..self
        }
    }

    pub(crate) fn map_message(self, map: impl FnOnce(String) -> String) -> ConnectionProblem {
        ConnectionProblem {
            message: map(self.message),
            ..self
        }
    }
}
