//! A connection: sends a request in one write, counts what was sent, and knows whether it can be
//! used for another call.

use std::io;
use std::sync::Arc;

use super::Fingerprint;
use super::buffer::{Buffer, wipe};
use super::context::CallContext;
use super::failure::{ConnectionProblem, Failure};
use super::socket::{Peeked, disconnect_cause, is_closed};
use super::transport::Stream;
use super::trust::tls_problem;
use crate::platform::fork;

pub(crate) struct HttpConnection {
    stream: Stream,
    host: Arc<str>,
    /// Of the service's certificate, if that is recorded.
    pub(super) fingerprint: Option<Fingerprint>,
    input: Buffer,
    /// The request, until the kernel has accepted it.
    output: Vec<u8>,
    /// The process that made it. A connection that two processes write to is broken for both.
    generation: u64,
}

/// The result of waiting for more.
pub(super) enum Received {
    Data,
    Disconnected(Disconnect),
}

#[derive(Debug)]
pub(super) enum Disconnect {
    /// The other side closed it.
    Closed,
    /// It ended without the end-of-data message of TLS. Anyone on the network can cause this.
    Truncated,
    Reset(io::Error),
}

impl HttpConnection {
    pub(super) fn new(
        stream: Stream,
        host: Arc<str>,
        fingerprint: Option<Fingerprint>,
    ) -> HttpConnection {
        HttpConnection {
            stream,
            host,
            fingerprint,
            input: Buffer::default(),
            output: Vec::new(),
            generation: fork::generation(),
        }
    }

    /// An empty buffer for a request of at most `size` bytes. It must not grow, since growing could
    /// leave credentials in the old memory.
    pub(super) fn output(&mut self, size: usize) -> &mut Vec<u8> {
        if self.output.capacity() < size {
            self.output = Vec::with_capacity(size);
        }
        &mut self.output
    }

    /// Sends the request, in one write if the kernel accepts it.
    pub(super) fn send(&mut self, context: CallContext<'_>) -> Result<(), Failure> {
        self.stream.socket().use_for(context);
        let count = |sent| context.attempt.sent.add(sent);
        let result = self.stream.send(&self.output, &count);
        // The request contains credentials, and the buffer lives as long as the connection.
        wipe(&mut self.output);
        self.output.clear();
        match result {
            Ok(()) => Ok(()),
            // A service may respond and close before it has read the complete request. Its response
            // can still be read.
            Err(error)
                if context.attempt.sent.any_in_attempt()
                    && is_closed(&error)
                    && !context.scope.is_cancelled()
                    && self.stream.socket().has_arrived() =>
            {
                Ok(())
            }
            Err(error) => Err(self.failure(error)),
        }
    }

    pub(super) fn input(&self) -> &[u8] {
        self.input.unread()
    }

    pub(super) fn consume(&mut self, count: usize) {
        self.input.consume(count);
    }

    pub(super) fn receive(&mut self, context: CallContext<'_>) -> Result<Received, Failure> {
        self.stream.socket().use_for(context);
        match self.input.fill(&mut self.stream) {
            Ok(0) => Ok(Received::Disconnected(Disconnect::Closed)),
            Ok(_) => Ok(Received::Data),
            Err(error) if is_closed(&error) => Ok(Received::Disconnected(Disconnect::Reset(error))),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Ok(Received::Disconnected(Disconnect::Truncated))
            }
            Err(error) => Err(self.failure(error)),
        }
    }

    /// Whether more has arrived behind the response. After a success, only a pool asks: it is worth
    /// no system call.
    pub(super) fn has_more(&mut self, is_success: bool) -> bool {
        !self.input().is_empty()
            || (!is_success || self.input.was_filled() || self.stream.has_unread())
                && matches!(self.stream.peek(), Ok(Peeked::Data | Peeked::PartialRecord))
    }

    /// Prepares the connection for the pool; false if it cannot be used again. No system call.
    pub(super) fn reset_for_reuse(&mut self) -> bool {
        if !self.input().is_empty() {
            return false;
        }
        if self.output.capacity() > Buffer::KEPT {
            self.output = Vec::new();
        }
        true
    }

    /// Whether a connection from the pool can be used for the call: one look at the socket shows
    /// whether the other side closed it or sent anything unasked, even a part of a TLS record.
    pub(super) fn reuse_for(&mut self, context: CallContext<'_>) -> bool {
        if self.generation != fork::generation() || !self.stream.is_intact() {
            return false;
        }
        self.stream.socket().use_for(context);
        matches!(self.stream.peek(), Ok(Peeked::Nothing))
            && context
                .scope
                .attach_socket(self.stream.socket().shared())
                .is_ok()
    }

    fn failure(&self, error: io::Error) -> Failure {
        let host = &self.host;
        if error.kind() == io::ErrorKind::TimedOut {
            return Failure::TimedOut;
        }
        if let Some(problem) = tls_problem(&error) {
            return Failure::ConnectionLost(
                problem.map_message(|what| format!("the TLS connection to {host} broke: {what}")),
            );
        }
        let what = format!("the connection to {host} broke");
        let cause = disconnect_cause(&error);
        Failure::ConnectionLost(ConnectionProblem::of_system(cause, &what, error))
    }
}

#[cfg(test)]
mod tests {
    use std::io::{self, Read, Write};
    use std::net::TcpListener;
    use std::sync::Arc;
    use std::time::{Duration, Instant};

    use super::super::context::{AttemptState, CallContext};
    use super::super::happy_eyeballs::connect;
    use super::super::resolver::Target;
    use super::super::scope::CancelScope;
    use super::super::socket::{Peeked, Socket};
    use super::super::transport::TransportLayer;
    use super::HttpConnection;

    /// The other side closed it while the request was sent.
    struct Broken {
        socket: Socket,
        accepted: usize,
    }

    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Ok(0)
        }
    }

    impl TransportLayer for Broken {
        fn send(&mut self, _: &[u8], count: &dyn Fn(usize)) -> io::Result<()> {
            count(self.accepted);
            Err(io::ErrorKind::BrokenPipe.into())
        }

        fn socket(&mut self) -> &mut Socket {
            &mut self.socket
        }

        fn peek(&mut self) -> io::Result<Peeked> {
            self.socket.look()
        }
    }

    #[test]
    fn a_response_is_read_after_a_failed_send_only_if_a_part_was_sent() {
        for (accepted, is_cancelled, has_response, is_read) in [
            (1, false, true, true),
            (0, false, true, false),
            (1, true, true, false),
            (1, false, false, false),
        ] {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let scope = Arc::new(CancelScope::new());
            let attempt = AttemptState::new(Duration::from_secs(10));
            attempt.begin(Instant::now() + Duration::from_secs(10));
            let context = CallContext {
                scope: &scope,
                attempt: &attempt,
            };
            let address = listener.local_addr().unwrap();
            let target = Target {
                host: address.ip().to_string(),
                port: address.port(),
            };
            let (socket, _) = connect(&target, &[address], attempt.deadline(), &scope)
                .ok()
                .unwrap();
            let (mut peer, _) = listener.accept().unwrap();
            if has_response {
                peer.write_all(b"HTTP/1.1 200 OK").unwrap();
                socket.wait_readable(Duration::from_secs(10)).unwrap();
            }
            scope.detach_socket();
            if is_cancelled {
                scope.cancel();
            }
            let stream = Box::new(Broken { socket, accepted });
            let mut connection = HttpConnection::new(stream, "host".into(), None);
            let case = (accepted, is_cancelled, has_response);
            assert_eq!(connection.send(context).is_ok(), is_read, "{case:?}");
        }
    }
}
