//! Makes a connection step by step, and tells what each step found. The steps are those of a call.

use std::time::{Duration, Instant};

use super::certificate::Certificate;
use super::context::CallContext;
use super::dialer::Dialer;
use super::failure::Failure;
use super::happy_eyeballs::{connect, share};
use super::http_connection::HttpConnection;
use super::resolver::Resolver;
use super::transport::Stream;
use super::trust::Shown;

/// A step that was made.
pub(crate) struct Inspected {
    pub(crate) step: &'static str,
    pub(crate) elapsed: Duration,
    pub(crate) result: Result<Found, Failure>,
    /// Of `connect`: the addresses that could not be reached, and why.
    pub(crate) unreachable: Vec<(String, String)>,
    /// Of `tls`: the one that the service showed, also if it was refused.
    pub(crate) certificate: Option<Certificate>,
}

/// What a step found.
pub(crate) enum Found {
    /// The proxy opened a tunnel.
    Tunnel,
    Name(Vec<String>),
    /// These addresses accepted a connection.
    Connected(Vec<String>),
    /// The version.
    Tls(&'static str),
}

impl Dialer {
    /// Makes the steps up to the first that fails. The connection is there if none did.
    pub(super) fn inspect(
        &self,
        context: CallContext<'_>,
    ) -> (Vec<Inspected>, Option<HttpConnection>) {
        let mut steps = Vec::new();
        let connection = self.go_through(context, &mut steps);
        (steps, connection)
    }

    fn go_through(
        &self,
        context: CallContext<'_>,
        steps: &mut Vec<Inspected>,
    ) -> Option<HttpConnection> {
        let deadline = context.attempt.connect_deadline();
        let began = Instant::now();
        let mut stream = match &self.route.proxy {
            Some(proxy) => {
                let opened = self.open_tunnel(proxy, deadline, context);
                note(steps, "proxy", began, opened, |stream| {
                    (Found::Tunnel, stream)
                })
            }
            None => self.connect_each(context, deadline, steps),
        }?;
        let deadline = stream.socket().deadline;
        if !self.route.secure {
            return self.finish(stream, deadline).ok();
        }
        let began = Instant::now();
        let shown = Shown::default();
        let secured = self.encrypt_and_note(stream, &shown).and_then(|stream| {
            let found = Found::Tls(stream.tls_version());
            Ok((found, self.finish(stream, deadline)?))
        });
        let secured = secured.map_err(|failure| match (failure, shown.get()) {
            (Failure::Tls(problem), Some(Certificate { issuer, .. })) => Failure::Tls(
                problem
                    .map_message(|what| format!("{what}; its certificate was issued by {issuer}")),
            ),
            (other, _) => other,
        });
        let connection = note(steps, "tls", began, secured, |both| both);
        if let Some(last) = steps.last_mut() {
            last.certificate = shown.get().cloned();
        }
        connection
    }

    /// Tries each address, and keeps the first connection.
    fn connect_each(
        &self,
        context: CallContext<'_>,
        deadline: Instant,
        steps: &mut Vec<Inspected>,
    ) -> Option<Stream> {
        let target = &self.route.target;
        let began = Instant::now();
        // A call looks the name up again before it reports that no address can be reached. This does
        // so at once, and leaves the addresses that calls use as they are.
        let resolved = Resolver::default().resolve(target, deadline, context.scope);
        let addresses = note(steps, "name", began, resolved, |(addresses, _)| {
            let all = addresses.iter().map(|one| one.ip().to_string());
            (Found::Name(all.collect()), addresses)
        })?;
        let began = Instant::now();
        let (mut reached, mut unreachable) = (Vec::new(), Vec::new());
        let (mut first, mut failure) = (None, None);
        for (place, address) in addresses.iter().enumerate() {
            // Once one is reached, a share is kept for the next steps.
            let left = addresses.len() - place + usize::from(first.is_some());
            match connect(target, &[*address], share(deadline, left), context.scope) {
                Ok((socket, address)) => {
                    reached.push(address.to_string());
                    first.get_or_insert(socket);
                }
                Err(Failure::Connect(problem)) => {
                    unreachable.push((address.to_string(), problem.message.clone()));
                    failure.get_or_insert(Failure::Connect(problem));
                }
                Err(other) => {
                    failure = Some(other);
                    break;
                }
            }
        }
        // The last address that was tried is attached.
        let connected = match (first, failure) {
            (Some(mut socket), _) => {
                // A call would not have waited for the other addresses.
                socket.deadline = context.attempt.connect_deadline();
                let attached = context.scope.attach_socket(socket.shared());
                attached.map(|()| socket)
            }
            (None, failure) => Err(failure.unwrap_or(Failure::TimedOut)),
        };
        let stream = note(steps, "connect", began, connected, |socket| {
            (Found::Connected(reached), Box::new(socket) as Stream)
        });
        if let Some(last) = steps.last_mut() {
            last.unreachable = unreachable;
        }
        stream
    }
}

/// Notes a step, and returns what the next one needs.
fn note<T, N>(
    steps: &mut Vec<Inspected>,
    step: &'static str,
    began: Instant,
    result: Result<T, Failure>,
    split: impl FnOnce(T) -> (Found, N),
) -> Option<N> {
    let (result, next) = match result.map(split) {
        Ok((found, next)) => (Ok(found), Some(next)),
        Err(failure) => (Err(failure), None),
    };
    steps.push(Inspected {
        step,
        elapsed: began.elapsed(),
        result,
        unreachable: Vec::new(),
        certificate: None,
    });
    next
}
