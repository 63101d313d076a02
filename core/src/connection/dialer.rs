//! Makes connections: DNS, TCP, proxy and TLS, until a deadline.

use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rustls::ClientConfig;
use rustls::sign::CertifiedKey;

use super::Route;
use super::context::CallContext;
use super::failure::{ConnectionProblem, Failure};
use super::happy_eyeballs::connect;
use super::http_connection::HttpConnection;
use super::proxy::Proxy;
use super::resolver::{Resolver, Target};
use super::socket::{Peeked, disconnect_cause};
use super::tls::TlsStream;
use super::transport::Stream;
use super::trust::{Shown, tls_problem};
use crate::error::Cause;

pub(crate) struct Dialer {
    pub(super) route: Arc<Route>,
    pub(super) resolver: Resolver,
    tls: OnceLock<Arc<ClientConfig>>,
    proxy_tls: OnceLock<Arc<ClientConfig>>,
}

impl Dialer {
    pub(crate) fn new(route: Arc<Route>) -> Dialer {
        Dialer {
            route,
            resolver: Resolver::default(),
            tls: OnceLock::new(),
            proxy_tls: OnceLock::new(),
        }
    }

    pub(crate) fn dial(&self, context: CallContext<'_>) -> Result<HttpConnection, Failure> {
        if context.scope.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let deadline = context.attempt.connect_deadline();
        let stream = match &self.route.proxy {
            None => self.connect_tcp(deadline, context)?,
            Some(proxy) => self.open_tunnel(proxy, deadline, context)?,
        };
        let connection = self.secure(stream, deadline);
        if connection.is_err() {
            // The next attempt may have more luck with another address.
            self.resolver.prefer(None);
        }
        connection
    }

    fn secure(&self, mut stream: Stream, deadline: Instant) -> Result<HttpConnection, Failure> {
        if self.route.secure {
            stream = self.encrypt(stream)?;
        }
        self.finish(stream, deadline)
    }

    pub(super) fn encrypt(&self, stream: Stream) -> Result<Stream, Failure> {
        // The client certificate is shown to the service, and never to a proxy.
        let identity = self.route.tls.identity.as_ref();
        self.handshake(&self.tls, &self.route.target, identity, stream)
    }

    /// Resumes no session, so the service shows its certificate.
    pub(super) fn encrypt_and_note(
        &self,
        stream: Stream,
        shown: &Shown,
    ) -> Result<Stream, Failure> {
        let identity = self.route.tls.identity.as_ref();
        let own = OnceLock::from(self.route.tls.client_config(identity, Some(shown))?);
        self.handshake(&own, &self.route.target, identity, stream)
    }

    /// The connection, if nothing arrived on it.
    pub(super) fn finish(
        &self,
        mut stream: Stream,
        deadline: Instant,
    ) -> Result<HttpConnection, Failure> {
        let route = &self.route;
        self.reject_unsolicited_data(&mut stream, deadline)?;
        let fingerprint = route
            .fingerprint
            .filter(|_| route.secure)
            .and_then(|make| stream.certificate().map(make));
        Ok(HttpConnection::new(
            stream,
            Arc::clone(&route.host),
            fingerprint,
        ))
    }

    pub(super) fn open_tunnel(
        &self,
        proxy: &Proxy,
        deadline: Instant,
        context: CallContext<'_>,
    ) -> Result<Stream, Failure> {
        let Route { target, secure, .. } = &*self.route;
        let at_proxy = |failure| match failure {
            Failure::Connect(problem) => Failure::Connect(ConnectionProblem {
                // A lack of resources on this machine is not the proxy's fault.
                cause: match problem.cause {
                    cause @ (Cause::NoDescriptors | Cause::NoResources) => cause,
                    _ => Cause::ProxyUnreachable,
                },
                message: format!("{} (the proxy for {target})", problem.message),
                ..problem
            }),
            other => other,
        };
        let mut stream = self.connect_tcp(deadline, context).map_err(at_proxy)?;
        if proxy.tls {
            stream = self.handshake(&self.proxy_tls, &proxy.target, None, stream)?;
        }
        proxy.open_tunnel(target, &self.route.user_agent, &mut stream)?;
        if *secure {
            let _ = self.peek_for_unsolicited_data(&mut stream, deadline)?;
        }
        Ok(stream)
    }

    /// Fails if data arrived before the request: it could be mistaken for the response.
    fn reject_unsolicited_data(
        &self,
        stream: &mut Stream,
        deadline: Instant,
    ) -> Result<(), Failure> {
        let host = &self.route.host;
        match self.peek_for_unsolicited_data(stream, deadline)? {
            Ok(Peeked::End) => Err(Failure::Connect(ConnectionProblem::new(
                Cause::ConnectionClosed,
                format!("the connection to {host} was closed before the request was sent"),
            ))),
            Ok(_) => Ok(()),
            Err(error) => Err(match tls_problem(&error) {
                Some(problem) => Failure::Tls(
                    problem.map_message(|what| format!("no secure connection to {host}: {what}")),
                ),
                None => {
                    let what =
                        format!("the connection to {host} broke before the request was sent");
                    let cause = disconnect_cause(&error);
                    Failure::Connect(ConnectionProblem::of_system(cause, &what, error))
                }
            }),
        }
    }

    /// As [`Dialer::reject_unsolicited_data`], but leaves errors and the end of the stream to the
    /// next step.
    fn peek_for_unsolicited_data(
        &self,
        stream: &mut Stream,
        deadline: Instant,
    ) -> Result<io::Result<Peeked>, Failure> {
        match stream.peek_before_request(deadline) {
            Ok(Peeked::Data | Peeked::PartialRecord) => {
                Err(Failure::Connect(ConnectionProblem::new(
                    Cause::AnswerBeforeRequest,
                    format!("{} sent data before the request was sent", self.route.host),
                )))
            }
            other => Ok(other),
        }
    }

    /// Makes a TCP connection. If no cached address can be reached, the name is looked up again.
    fn connect_tcp(&self, deadline: Instant, context: CallContext<'_>) -> Result<Stream, Failure> {
        let proxy = self.route.proxy.as_ref().map(|proxy| &proxy.target);
        let target = proxy.unwrap_or(&self.route.target);
        let connect_to = |addresses: Vec<SocketAddr>| {
            let (socket, address) = connect(target, &addresses, deadline, context.scope)?;
            if addresses.first() != Some(&address) {
                self.resolver.prefer(Some(address));
            }
            Ok(Box::new(socket) as Stream)
        };
        let (addresses, is_cached) = self.resolver.resolve(target, deadline, context.scope)?;
        let result = connect_to(addresses);
        if !matches!(result, Err(Failure::Connect(_))) {
            return result;
        }
        self.resolver.forget();
        if is_cached && Instant::now() < deadline {
            return connect_to(self.resolver.resolve(target, deadline, context.scope)?.0);
        }
        result
    }

    fn handshake(
        &self,
        config: &OnceLock<Arc<ClientConfig>>,
        target: &Target,
        identity: Option<&Arc<CertifiedKey>>,
        stream: Stream,
    ) -> Result<Stream, Failure> {
        let config = match config.get() {
            Some(config) => Arc::clone(config),
            None => {
                let new = self.route.tls.client_config(identity, None)?;
                // If two threads get here at the same time, both use the same configuration, so
                // that they share its sessions.
                Arc::clone(config.get_or_init(|| new))
            }
        };
        match TlsStream::connect(config, &target.host, stream) {
            Ok(stream) => Ok(Box::new(stream)),
            Err(Failure::Tls(problem)) => {
                Err(Failure::Tls(problem.map_message(|what| {
                    format!("no secure connection to {target}: {what}")
                })))
            }
            Err(other) => Err(other),
        }
    }
}
