//! All that lies under ureq: dialling, TLS, what was sent, liveness, names, cancelling. No JSON here.
//!
//! [`Connections::post`] is the one way in: it sends one request and gives the whole answer, or why there is none. What became of a request
//! without an answer is told by [`Delivery::sent`] alone.

mod delivery;
mod dialer;
mod fork;
mod names;
mod proxy;
mod socket;
mod tls;
mod transport;
mod wire;

use std::io::{ErrorKind, Read};
use std::sync::Arc;
use std::time::Duration;

use ureq::http::{HeaderValue, Request, Uri, header};
use ureq::unversioned::resolver::{ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;
use ureq::{Agent, Timeout};

pub(crate) use delivery::{Delivery, Failure};
pub(crate) use fork::{generation, watch};
pub(crate) use names::Target;
pub(crate) use proxy::Proxy;
pub use proxy::ProxyChoice;
pub use tls::Roots;
pub(crate) use tls::TlsMaterial;

/// Idle connections that a client keeps: as many as threads are likely to call at once.
const MOST_KEPT: usize = 64;
/// The longest head of an answer, in bytes.
const LONGEST_HEAD: usize = 64 * 1024;

/// The way to a service, checked when the client was made.
pub(crate) struct Route {
    pub(crate) target: Target,
    pub(crate) secure: bool,
    /// The host as it is shown in messages and log events.
    pub(crate) host: Arc<str>,
    pub(crate) proxy: Option<Proxy>,
    pub(crate) tls: TlsMaterial,
    pub(crate) user_agent: String,
    pub(crate) max_idle: Duration,
    pub(crate) max_response_bytes: usize,
}

/// The connections of one client in one process.
pub(crate) struct Connections {
    agent: Agent,
    route: Arc<Route>,
}

/// A request to the service. Header values that are secret are marked so.
pub(crate) struct Post<'a> {
    pub(crate) uri: &'a Uri,
    pub(crate) credentials: &'a [(&'static str, HeaderValue)],
    pub(crate) body: &'a str,
}

/// A whole answer.
pub(crate) struct Reply {
    pub(crate) status: u16,
    pub(crate) retry_after: Option<String>,
    /// `None` where it was longer than the client takes.
    pub(crate) body: Option<Vec<u8>>,
    /// The body had no length, and the connection was cut rather than closed: only what the body says tells whether it is whole.
    pub(crate) cut: bool,
}

impl Connections {
    pub(crate) fn new(route: Arc<Route>) -> Connections {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            // At its default a redirect would carry the credentials to another host.
            .max_redirects(0)
            .max_redirects_will_error(false)
            .proxy(None)
            .user_agent(route.user_agent.as_str())
            .accept("application/json")
            .max_response_header_size(LONGEST_HEAD)
            .max_idle_age(route.max_idle)
            .max_idle_connections(if route.max_idle.is_zero() { 0 } else { MOST_KEPT })
            .max_idle_connections_per_host(MOST_KEPT)
            .build();
        let agent = Agent::with_parts(config, dialer::Dialer::new(Arc::clone(&route)), NoLookup);
        Connections { agent, route }
    }

    /// Sends a request and waits for the whole answer, or for the delivery's deadline.
    pub(crate) fn post(&self, post: &Post<'_>, delivery: &Arc<Delivery>) -> Result<Reply, Failure> {
        // More than enough for what ureq writes beside these, so that the request has its buffer at once.
        let mut size = post.uri.path().len() + self.route.host.len() + self.route.user_agent.len() + post.body.len() + 256;
        let mut request = Request::post(post.uri).header(header::CONTENT_TYPE, "application/json");
        for (name, value) in post.credentials {
            size += name.len() + value.len() + 4;
            request = request.header(*name, value);
        }
        let request =
            request.body(post.body).map_err(|error| Failure::Defect(format!("the request could not be put together: {error}")))?;
        delivery.begin_attempt(size);
        let _on_this_thread = delivery.on_this_thread();
        let reply = self.exchange(request, delivery);
        delivery.unwatch();
        reply
    }

    fn exchange(&self, request: Request<&str>, delivery: &Delivery) -> Result<Reply, Failure> {
        let classify = |error| self.failure(error, delivery);
        let response = self.agent.run(request).map_err(classify)?;
        let status = response.status().as_u16();
        let headers = response.headers();
        let retry_after = headers.get(header::RETRY_AFTER).and_then(|value| value.to_str().ok()).map(str::to_owned);
        let most = self.route.max_response_bytes;
        let announced = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse().ok()).unwrap_or(1024);
        let mut body = Vec::with_capacity(most.min(announced).saturating_add(1).min(64 * 1024));
        let mut reader = response.into_body().into_reader().take(most as u64 + 1);
        reader.read_to_end(&mut body).map_err(|error| classify(ureq::Error::from(error)))?;
        let fits = body.len() <= most;
        Ok(Reply { status, retry_after, body: fits.then_some(body), cut: delivery.ended_uncleanly() })
    }

    /// Why there is no whole answer. ureq's own kinds of error tell nothing of what was sent, so none is asked for that.
    fn failure(&self, error: ureq::Error, delivery: &Delivery) -> Failure {
        let host = &self.route.host;
        if delivery.is_cancelled() {
            return Failure::Cancelled;
        }
        match error {
            ureq::Error::Other(error) => match error.downcast::<Failure>() {
                Ok(failure) => *failure,
                Err(error) => Failure::Defect(error.to_string()),
            },
            ureq::Error::Io(error) if error.kind() == ErrorKind::OutOfMemory => {
                Failure::Lost(format!("this machine has no memory left for the answer of {host}"))
            }
            ureq::Error::Io(_) => Failure::Lost(format!("the connection to {host} ended before the whole answer was there")),
            ureq::Error::Protocol(problem) => Failure::Malformed(format!("{host} answered with what is not HTTP: {problem}")),
            // Chunks that are none, or that end in the middle of one.
            ureq::Error::BodyStalled => {
                Failure::Malformed(format!("{host} answered with a body that breaks off, or is not in the chunks it announced"))
            }
            ureq::Error::LargeResponseHeader(..) => Failure::Malformed(format!("{host} answered with a head over {LONGEST_HEAD} bytes")),
            ureq::Error::Timeout(Timeout::Global) => Failure::TimedOut,
            other => Failure::Defect(other.to_string()),
        }
    }
}

/// ureq asks for addresses before it looks for a kept connection. The dialer looks names up itself, when it has to dial.
#[derive(Debug)]
struct NoLookup;

impl Resolver for NoLookup {
    fn resolve(&self, _: &Uri, _: &ureq::config::Config, _: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        Ok(self.empty())
    }
}
