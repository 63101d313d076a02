//! A response that is not read yet.

use std::time::Duration;

use crate::connection::Completeness;
use crate::text::received::Received;

/// A response, as the connection received it.
pub(crate) struct Response<'a> {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<Duration>,
    /// `None` if the body was longer than allowed.
    pub(crate) body: Option<Received<'a>>,
    pub(crate) completeness: Completeness,
    /// More had arrived behind it.
    pub(crate) is_followed: bool,
    /// It says that its body has a content coding, which no request asked for.
    pub(crate) is_coded: bool,
    /// Errors quote its body.
    pub(crate) is_quoted: bool,
}

impl Response<'_> {
    pub(crate) fn has_empty_body(&self) -> bool {
        let body = self.body.as_ref();
        body.is_some_and(|body| body.text.is_empty() && !body.has_mark)
    }
}
