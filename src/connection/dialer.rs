//! Dialling: name, TCP, proxy, TLS, each by the deadline.

use std::io;
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use rustls::ClientConfig;

use super::Route;
use super::context::{Delivery, Failure, Problem};
use super::http_connection::Connection;
use super::proxy::Proxy;
use super::resolver::{Names, Target};
use super::socket::{Socket, lost_cause, plain};
use super::stream::{Layer, Look, Stream};
use super::tls::TlsStream;
use super::trust::tls_problem;
use crate::error::Cause;

/// Makes the connections of one client in one process.
pub(crate) struct Dialer {
    route: Arc<Route>,
    names: Names,
    tls: OnceLock<Arc<ClientConfig>>,
    proxy_tls: OnceLock<Arc<ClientConfig>>,
}

/// With whom TLS is spoken.
enum TlsEnd<'a> {
    Service,
    Proxy(&'a Proxy),
}

impl Dialer {
    pub(crate) fn new(route: Arc<Route>) -> Dialer {
        Dialer {
            route,
            names: Names::default(),
            tls: OnceLock::new(),
            proxy_tls: OnceLock::new(),
        }
    }

    /// A new connection, by the delivery's deadlines.
    pub(crate) fn dial(&self, delivery: &Delivery) -> Result<Connection, Failure> {
        if delivery.is_cancelled() {
            return Err(Failure::Cancelled);
        }
        let deadline = delivery.connect_deadline();
        let route = &self.route;
        let target = &route.target;
        let mut stream = match &route.proxy {
            None => {
                let socket = self.reach(target, deadline, delivery)?;
                if route.secure {
                    Stream::Tls(Box::new(self.shake_hands(TlsEnd::Service, socket)?))
                } else {
                    Stream::Plain(socket)
                }
            }
            Some(proxy) => {
                let at_proxy = |failure| match failure {
                    Failure::Connect(problem) => Failure::Connect(Problem {
                        // What this machine lacks is not the proxy's doing.
                        cause: match problem.cause {
                            cause @ (Cause::NoDescriptors | Cause::NoResources) => cause,
                            _ => Cause::ProxyUnreachable,
                        },
                        what: format!("{} (the proxy on the way to {target})", problem.what),
                        ..problem
                    }),
                    other => other,
                };
                let mut socket = self
                    .reach(&proxy.target, deadline, delivery)
                    .map_err(at_proxy)?;
                if proxy.tls {
                    let mut tls = self.shake_hands(TlsEnd::Proxy(proxy), socket)?;
                    proxy.open_tunnel(target, &route.user_agent, &mut tls)?;
                    if route.secure {
                        let _ = self.expect_no_data(&mut tls, deadline)?;
                        Stream::TlsTunnel(Box::new(self.shake_hands(TlsEnd::Service, tls)?))
                    } else {
                        Stream::Tunnel(Box::new(tls))
                    }
                } else {
                    proxy.open_tunnel(target, &route.user_agent, &mut socket)?;
                    if route.secure {
                        let _ = self.expect_no_data(&mut socket, deadline)?;
                        Stream::Tls(Box::new(self.shake_hands(TlsEnd::Service, socket)?))
                    } else {
                        Stream::Plain(socket)
                    }
                }
            }
        };
        self.expect_silence(stream.layer(), deadline)?;
        Ok(Connection::new(stream, Arc::clone(&route.host)))
    }

    /// Nothing may come before it was asked for: it would be taken for the answer.
    fn expect_silence(&self, layer: &mut dyn Layer, deadline: Instant) -> Result<(), Failure> {
        let host = &self.route.host;
        match self.expect_no_data(layer, deadline)? {
            Ok(Look::End) => Err(Failure::Connect(Problem::new(
                Cause::ConnectionClosed,
                format!("the connection to {host} was closed before the request was sent"),
            ))),
            Ok(_) => Ok(()),
            Err(error) => Err(match tls_problem(&error) {
                Some(problem) => Failure::Tls(
                    problem.told(|what| format!("no secure connection to {host}: {what}")),
                ),
                None => Failure::Connect(Problem::new(
                    lost_cause(&error),
                    format!(
                        "the connection to {host} broke before the request was sent: {}",
                        plain(&error)
                    ),
                )),
            }),
        }
    }

    /// As [`Dialer::expect_silence`], where the next step finds out about the end.
    fn expect_no_data(
        &self,
        layer: &mut dyn Layer,
        deadline: Instant,
    ) -> Result<io::Result<Look>, Failure> {
        match layer.look_before_the_request(deadline) {
            Ok(Look::Data | Look::Part) => Err(Failure::Connect(Problem::new(
                Cause::AnswerBeforeRequest,
                format!("{} sent data before the request was sent", self.route.host),
            ))),
            other => Ok(other),
        }
    }

    /// A TCP connection. If no kept address can be reached, the name is looked up again.
    fn reach(
        &self,
        target: &Target,
        deadline: Instant,
        delivery: &Delivery,
    ) -> Result<Socket, Failure> {
        let found = self.names.find(target, deadline, delivery)?;
        let result = self.try_each(target, &found.list, deadline, delivery);
        if !matches!(result, Err(Failure::Connect(_) | Failure::TimedOut)) {
            return result;
        }
        self.names.forget(target);
        let result = if found.kept && Instant::now() < deadline {
            let found = self.names.find(target, deadline, delivery)?;
            self.try_each(target, &found.list, deadline, delivery)
        } else {
            result
        };
        result.map_err(|failure| match failure {
            Failure::Connect(problem) => {
                Failure::Connect(problem.told(|what| format!("cannot connect to {target}: {what}")))
            }
            Failure::TimedOut => Failure::Connect(Problem::new(
                Cause::ConnectTimedOut,
                format!("{target} did not take the connection in time"),
            )),
            other => other,
        })
    }

    /// Tries one address after the other, each with its share of the time left. The last failure is
    /// told.
    fn try_each(
        &self,
        target: &Target,
        addresses: &[std::net::SocketAddr],
        deadline: Instant,
        delivery: &Delivery,
    ) -> Result<Socket, Failure> {
        let mut last = Failure::Connect(Problem::new(Cause::NameNotFound, "it has no address"));
        for (index, address) in addresses.iter().enumerate() {
            let left = deadline.saturating_duration_since(Instant::now());
            let share = left / u32::try_from(addresses.len() - index).unwrap_or(u32::MAX);
            match Socket::connect(*address, Instant::now() + share, delivery) {
                Ok(mut socket) => {
                    socket.deadline = deadline;
                    if index > 0 {
                        self.names.prefer(target, *address);
                    }
                    return Ok(socket);
                }
                Err(failure @ Failure::Cancelled) => return Err(failure),
                Err(failure) => last = failure,
            }
        }
        Err(last)
    }

    /// The client certificate is for the service, and not for a proxy on the way to it.
    fn shake_hands<S: Layer>(&self, end: TlsEnd<'_>, stream: S) -> Result<TlsStream<S>, Failure> {
        let own = self.route.tls.identity.as_ref();
        let (config, target, identity) = match end {
            TlsEnd::Service => (&self.tls, &self.route.target, own),
            TlsEnd::Proxy(proxy) => (&self.proxy_tls, &proxy.target, None),
        };
        let config = match config.get() {
            Some(config) => Arc::clone(config),
            None => {
                let new = self.route.tls.client_config(identity)?;
                // Where two threads came here together, both go on with the one that is kept, for
                // the sake of its sessions.
                Arc::clone(config.get_or_init(|| new))
            }
        };
        TlsStream::connect(config, &target.host, stream).map_err(|failure| match failure {
            Failure::Tls(problem) => Failure::Tls(
                problem.told(|what| format!("no secure connection to {target}: {what}")),
            ),
            other => other,
        })
    }
}
