//! Everything that a request needs to reach the service: DNS, connecting, proxies, TLS, HTTP, the
//! pool, cancellation, and the count of what was sent. No JSON here.
//!
//! [`Connections::post`] is the only entry point. It sends one request and returns the complete
//! response, or why there is none. Without a response, only [`AttemptState::sent`] says
//! whether the request may have arrived.

mod buffer;
mod cancellation;
mod certificate;
mod chunks;
mod context;
mod dialer;
mod exchange;
mod failure;
mod happy_eyeballs;
mod http_connection;
mod idle;
mod inspection;
mod pool;
mod proxy;
mod resolver;
mod scope;
mod shared_socket;
mod socket;
mod tls;
mod transport;
mod trust;

use std::sync::Arc;
use std::time::Duration;

use ureq_proto::http::{HeaderValue, Uri};

use dialer::Dialer;
use exchange::Exchange;
use pool::Pool;

pub use cancellation::CancellationToken;
pub(crate) use cancellation::{PerProcess, Registration};
pub(crate) use context::{AttemptState, CallContext, SentBytes};
pub(crate) use failure::{ConnectionProblem, Failure};
#[cfg(feature = "journal")]
pub(crate) use happy_eyeballs::share;
pub(crate) use idle::begin_idle;
pub use idle::{Idle, set_idle};
pub(crate) use inspection::{Found, Inspected};
pub(crate) use proxy::Proxy;
pub use proxy::ProxyChoice;
#[cfg(feature = "journal")]
pub(crate) use resolver::Resolver;
pub(crate) use resolver::Target;
pub(crate) use scope::{CallsInFlight, CancelObserver, CancelScope, Ended, wait_without_call};
pub use trust::Roots;
pub(crate) use trust::TlsMaterial;

use crate::credentials::{CredentialHeader, Headers};

/// How to reach a service. Checked when the client is created.
pub(crate) struct Route {
    pub(crate) target: Target,
    pub(crate) secure: bool,
    /// The host, as shown in messages and log events.
    pub(crate) host: Arc<str>,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) tls: TlsMaterial,
    pub(crate) user_agent: String,
    /// Host and port, for the `Host` header.
    pub(crate) authority: HeaderValue,
    /// The other headers that every request has, each with its line end.
    pub(crate) headers: String,
    pub(crate) max_idle: Duration,
    pub(crate) max_response_bytes: usize,
    /// Makes the fingerprint of the service's certificate, if the fingerprint is recorded.
    pub(crate) fingerprint: Option<fn(&[u8]) -> Fingerprint>,
}

/// The SHA-256 of a certificate.
pub(crate) type Fingerprint = [u8; 32];

pub(crate) struct Connections {
    route: Arc<Route>,
    dialer: Dialer,
    pool: Pool,
}

pub(crate) struct HttpRequest<'a> {
    pub(crate) uri: &'a Uri,
    pub(crate) credentials: &'a [Option<CredentialHeader<'a>>],
    /// Of the call, and of its client.
    pub(crate) headers: [&'a Headers; 2],
    pub(crate) body: &'a str,
}

pub(crate) struct HttpResponse {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    /// `None` if it was longer than allowed.
    pub(crate) body: Option<Vec<u8>>,
    pub(crate) completeness: Completeness,
    /// More had arrived on the connection when it was read.
    pub(crate) is_followed: bool,
    /// It says that its body has a content coding.
    pub(crate) is_coded: bool,
}

/// Whether the body of a response is complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Completeness {
    /// Its length or its last chunk says so.
    Complete,
    /// It had no length, and the connection was closed. Only the content can show whether it is
    /// complete.
    CloseDelimited,
    /// The same, and the connection was cut instead of closed. Or the empty line after its last chunk
    /// is missing.
    Truncated,
    /// The attempt ended before it. Only a checkout URL is read in it.
    Unfinished,
}

impl Connections {
    pub(crate) fn new(route: Arc<Route>) -> Connections {
        Connections {
            dialer: Dialer::new(Arc::clone(&route)),
            pool: Pool::new(route.max_idle),
            route,
        }
    }

    /// Sends a request and waits for the complete response, until the context's deadline. Call
    /// [`AttemptState::begin`] first.
    pub(crate) fn post(
        &self,
        post: &HttpRequest<'_>,
        context: CallContext<'_>,
    ) -> Result<HttpResponse, Failure> {
        let result = self.exchange(post, context);
        context.scope.detach_socket();
        match result {
            // A socket that another thread shut down can fail with any error.
            Err(_) if context.scope.is_cancelled() => Err(Failure::Cancelled),
            other => other,
        }
    }

    /// Closes the connections that were idle for too long. No thread does it.
    pub(crate) fn close_old(&self) {
        self.pool.close_old();
    }

    /// Makes the connection of the next request step by step.
    pub(crate) fn inspect(&self, context: CallContext<'_>) -> Vec<Inspected> {
        let (steps, connection) = self.dialer.inspect(context);
        context.scope.detach_socket();
        if let Some(connection) = connection {
            self.pool.put(connection);
        }
        steps
    }

    fn exchange(
        &self,
        post: &HttpRequest<'_>,
        context: CallContext<'_>,
    ) -> Result<HttpResponse, Failure> {
        let connection = match self.pool.take(context) {
            Some(connection) => Ok(connection),
            None => self.dialer.dial(context),
        };
        let made = connection.as_ref().ok();
        let fingerprint = made.and_then(|made| made.fingerprint);
        context.attempt.fingerprint.set(fingerprint);
        let mut connection = connection?;
        let (reply, reusable) = Exchange {
            route: &self.route,
            context,
            connection: &mut connection,
        }
        .run(post)?;
        if reusable {
            self.pool.put(connection);
        }
        Ok(reply)
    }
}
