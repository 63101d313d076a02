//! TLS: a stream that reports how it ended.

use std::io::{self, Read};
use std::sync::Arc;

use rustls::client::UnbufferedClientConnection;
use rustls::pki_types::ServerName;
use rustls::unbuffered::{
    ConnectionState, EncodeError, EncryptError, InsufficientSizeError, UnbufferedStatus,
};
use rustls::{AlertDescription, ClientConfig, ProtocolVersion};

use super::buffer::Buffer;
use super::failure::{ConnectionProblem, Failure};
use super::socket::{Peeked, Socket};
use super::transport::{Stream, TransportLayer};
use super::trust::{TlsError, client_certificate_refused, explain, tls_problem};
use crate::error::Cause;

/// A TLS connection over any stream, also through a tunnel that uses TLS.
///
/// It uses rustls' unbuffered interface, so that the buffers belong to this library: records are
/// decrypted in place and wiped once they are read. The ordinary interface keeps the decrypted
/// response in its own buffer as long as the connection is kept (`DeframerVecBuffer` drops bytes
/// without overwriting them), where no allocator can zero it.
pub(crate) struct TlsStream {
    session: UnbufferedClientConnection,
    inner: Stream,
    /// Received records.
    incoming: Buffer,
    /// Records to be sent.
    outgoing: Vec<u8>,
    /// Decrypted data that was not read yet.
    plain: Buffer,
    /// The other side sent TLS's end-of-data message.
    closed: bool,
}

/// How many messages of TLS itself a look reads at most.
const MOST_READS: usize = 16;

enum Next {
    /// Another step.
    Step,
    /// The outgoing records must be sent.
    Send,
    /// More records, for the handshake.
    Receive,
    /// Nothing: data can be sent and received.
    Ready,
    /// Nothing more: the session has ended.
    Ended,
}

impl TlsStream {
    /// Does the handshake. The certificate must be for `host`.
    pub(crate) fn connect(
        config: Arc<ClientConfig>,
        host: &str,
        inner: Stream,
    ) -> Result<TlsStream, Failure> {
        let name = ServerName::try_from(host.to_owned()).map_err(|_| {
            Failure::Tls(ConnectionProblem::new(
                Cause::CertificateWrongHost,
                format!("{host} is not a name that a certificate can have"),
            ))
        })?;
        let session = UnbufferedClientConnection::new(config, name)
            .map_err(|error| Failure::Tls(explain(&error)))?;
        let mut stream = TlsStream {
            session,
            inner,
            incoming: Buffer::default(),
            outgoing: Vec::new(),
            plain: Buffer::default(),
            closed: false,
        };
        loop {
            let next = stream.step(None);
            match next.map_err(|error| stream.handshake_failed(&error))? {
                Next::Step => {}
                Next::Send => stream.send_outgoing(&|_| {}).map_err(handshake_broken)?,
                Next::Ready => return Ok(stream),
                Next::Receive => {
                    let read = stream.incoming.fill(&mut stream.inner);
                    if read.map_err(handshake_broken)? == 0 {
                        return Err(handshake_closed());
                    }
                }
                Next::Ended => return Err(handshake_closed()),
            }
        }
    }

    fn handshake_failed(&self, error: &rustls::Error) -> Failure {
        // Once the service has shown its certificate, both sides agree on a cipher. In TLS 1.2 this
        // alert then says that a client certificate is missing (RFC 5246, 7.4.6).
        let alert = rustls::Error::AlertReceived(AlertDescription::HandshakeFailure);
        match *error == alert && self.session.peer_certificates().is_some() {
            true => Failure::Tls(client_certificate_refused().with_source(error.clone())),
            false => Failure::Tls(explain(error)),
        }
    }

    /// Lets the session process the received records, without any I/O. If it is ready and there is
    /// a `request`, encrypts the request.
    fn step(&mut self, request: Option<&[u8]>) -> Result<Next, rustls::Error> {
        let result = self.step_once(request);
        if result.is_err() {
            // Sends the alert, if the other side still listens.
            if let Ok(Next::Step | Next::Send) = self.step_once(None) {
                let _ = self.send_outgoing(&|_| {});
            }
        }
        result
    }

    fn step_once(&mut self, request: Option<&[u8]>) -> Result<Next, rustls::Error> {
        let UnbufferedStatus { mut discard, state } =
            self.session.process_tls_records(self.incoming.unread_mut());
        let next = state.and_then(|state| match state {
            ConnectionState::ReadTraffic(mut traffic) => {
                while let Some(record) = traffic.next_record() {
                    let record = record?;
                    discard += record.discard;
                    self.plain.extend(record.payload);
                }
                Ok(Next::Step)
            }
            ConnectionState::EncodeTlsData(mut handshake) => {
                append(&mut self.outgoing, 1024, |space| {
                    match handshake.encode(space) {
                        Err(EncodeError::InsufficientSize(InsufficientSizeError {
                            required_size,
                        })) => Space::Wanted(required_size),
                        other => Space::Used(
                            other.map_err(|error| rustls::Error::General(error.to_string())),
                        ),
                    }
                })?;
                Ok(Next::Step)
            }
            ConnectionState::TransmitTlsData(transmit) => {
                transmit.done();
                Ok(Next::Send)
            }
            ConnectionState::WriteTraffic(mut traffic) => {
                if let Some(request) = request {
                    append(
                        &mut self.outgoing,
                        request.len() + 256,
                        |space| match traffic.encrypt(request, space) {
                            Err(EncryptError::InsufficientSize(InsufficientSizeError {
                                required_size,
                            })) => Space::Wanted(required_size),
                            other => Space::Used(other.map_err(|_| rustls::Error::EncryptError)),
                        },
                    )?;
                }
                Ok(Next::Ready)
            }
            ConnectionState::BlockedHandshake => Ok(Next::Receive),
            ConnectionState::PeerClosed => {
                self.closed = true;
                Ok(Next::Step)
            }
            ConnectionState::Closed => Ok(Next::Ended),
            _ => Err(rustls::Error::General(
                "an unexpected state of TLS for a client without early data".into(),
            )),
        });
        self.incoming.consume(discard);
        next
    }

    fn send_outgoing(&mut self, count: &dyn Fn(usize)) -> io::Result<()> {
        self.inner.send(&self.outgoing, count)?;
        self.outgoing.clear();
        if self.outgoing.capacity() > Buffer::KEPT {
            self.outgoing = Vec::new();
        }
        Ok(())
    }

    /// Processes the received records, without any I/O. Outgoing records are sent before the next
    /// request.
    fn settle(&mut self) -> io::Result<Peeked> {
        loop {
            match self.step(None).map_err(broken)? {
                Next::Step | Next::Send => {}
                Next::Ready if !self.plain.unread().is_empty() => return Ok(Peeked::Data),
                Next::Ready if !self.closed => return Ok(Peeked::Nothing),
                Next::Ready | Next::Receive | Next::Ended => return Ok(Peeked::End),
            }
        }
    }
}

impl TransportLayer for TlsStream {
    fn send(&mut self, bytes: &[u8], count: &dyn Fn(usize)) -> io::Result<()> {
        self.send_outgoing(&|_| {})?;
        loop {
            match self.step(Some(bytes)).map_err(broken)? {
                Next::Step => {}
                Next::Send => self.send_outgoing(&|_| {})?,
                Next::Ready => return self.send_outgoing(count),
                Next::Receive | Next::Ended => return Err(io::ErrorKind::BrokenPipe.into()),
            }
        }
    }

    fn socket(&mut self) -> &mut Socket {
        self.inner.socket()
    }

    fn certificate(&self) -> Option<&[u8]> {
        let certificate = self.session.peer_certificates()?.first()?;
        Some(certificate.as_ref())
    }

    fn tls_version(&self) -> &'static str {
        match self.session.protocol_version() {
            Some(ProtocolVersion::TLSv1_2) => "TLSv1.2",
            Some(ProtocolVersion::TLSv1_3) => "TLSv1.3",
            _ => "TLS",
        }
    }

    fn has_unread(&self) -> bool {
        !self.incoming.unread().is_empty()
            || !self.plain.unread().is_empty()
            || self.inner.has_unread()
    }

    fn peek(&mut self) -> io::Result<Peeked> {
        for _ in 0..MOST_READS {
            // There is something to process only if something has arrived since the last time.
            if !self.incoming.unread().is_empty() || !self.plain.unread().is_empty() || self.closed
            {
                let settled = self.settle()?;
                if settled != Peeked::Nothing {
                    return Ok(settled);
                }
            }
            match self.inner.peek()? {
                Peeked::Nothing if !self.incoming.unread().is_empty() => {
                    return Ok(Peeked::PartialRecord);
                }
                look @ (Peeked::Nothing | Peeked::PartialRecord) => return Ok(look),
                Peeked::Data | Peeked::End => {
                    if self.incoming.fill(&mut self.inner)? == 0 {
                        return Ok(Peeked::End);
                    }
                }
            }
        }
        // The other side sends endless messages of TLS itself. Treat that as data.
        Ok(Peeked::Data)
    }
}

enum Space {
    Used(Result<usize, rustls::Error>),
    Wanted(usize),
}

/// Appends what `write` produces, with as much space as it needs.
fn append(
    target: &mut Vec<u8>,
    mut space: usize,
    mut write: impl FnMut(&mut [u8]) -> Space,
) -> Result<(), rustls::Error> {
    let start = target.len();
    loop {
        target.resize(start + space, 0);
        match write(target.get_mut(start..).unwrap_or_default()) {
            Space::Used(written) => {
                let written = written.inspect_err(|_| target.truncate(start))?;
                target.truncate(start + written);
                return Ok(());
            }
            Space::Wanted(size) => space = size,
        }
    }
}

impl Read for TlsStream {
    /// Returns [`io::ErrorKind::UnexpectedEof`] for an end without TLS's end-of-data message, since
    /// anyone on the network can cut a connection.
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let plain = self.plain.unread();
            if !plain.is_empty() {
                let count = plain.len().min(buffer.len());
                for (target, byte) in buffer.iter_mut().zip(plain) {
                    *target = *byte;
                }
                self.plain.consume(count);
                return Ok(count);
            }
            if self.closed {
                return Ok(0);
            }
            match self.step(None).map_err(broken)? {
                Next::Step => {}
                Next::Send => self.send_outgoing(&|_| {})?,
                Next::Ready | Next::Receive => {
                    if self.incoming.fill(&mut self.inner)? == 0 {
                        return Err(io::ErrorKind::UnexpectedEof.into());
                    }
                }
                Next::Ended => return Ok(0),
            }
        }
    }
}

fn broken(error: rustls::Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, TlsError(error))
}

fn handshake_closed() -> Failure {
    Failure::Tls(ConnectionProblem::new(
        Cause::HandshakeFailed,
        "the connection was closed during the TLS handshake",
    ))
}

fn handshake_broken(error: io::Error) -> Failure {
    Failure::Tls(match (error.kind(), tls_problem(&error)) {
        (io::ErrorKind::TimedOut, _) => ConnectionProblem::new(
            Cause::HandshakeTimedOut,
            "the TLS handshake was not finished in time",
        ),
        (_, Some(problem)) => problem,
        _ => {
            let what = "the connection broke during the TLS handshake";
            ConnectionProblem::of_system(Cause::HandshakeFailed, what, error)
        }
    })
}
