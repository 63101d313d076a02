//! A connection: a socket, and the TLS layers over it.

use std::io::{self, Read, Write};

use super::socket::Socket;
use super::tls::TlsStream;
use super::transport::TransportLayer;

/// A connection: plain, with TLS, or with TLS through a tunnel that itself uses TLS.
pub(crate) enum Stream {
    Plain(Socket),
    Tls(Box<TlsStream<Socket>>),
    /// Plain, through a proxy that is reached over TLS.
    Tunnel(Box<TlsStream<Socket>>),
    TlsTunnel(Box<TlsStream<TlsStream<Socket>>>),
}

impl Stream {
    pub(super) fn socket(&mut self) -> &mut Socket {
        match self {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) | Stream::Tunnel(tls) => &mut tls.inner,
            Stream::TlsTunnel(tls) => &mut tls.inner.inner,
        }
    }

    /// The service's certificate, in its DER form. A resumed session has the first one's.
    pub(super) fn certificate(&self) -> Option<&[u8]> {
        match self {
            Stream::Tls(tls) => tls.certificate(),
            Stream::TlsTunnel(tls) => tls.certificate(),
            Stream::Plain(_) | Stream::Tunnel(_) => None,
        }
    }

    pub(super) fn send(&mut self, mut bytes: &[u8], count: &dyn Fn(usize)) -> io::Result<()> {
        match self {
            Stream::Plain(socket) => {
                while !bytes.is_empty() {
                    let sent = socket.write(bytes)?;
                    count(sent);
                    bytes = bytes.get(sent..).unwrap_or_default();
                }
                Ok(())
            }
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.send(bytes, count),
            Stream::TlsTunnel(tls) => {
                // The outer TLS connection does not report how much the kernel accepted. To be
                // safe, everything that is written to it counts as sent.
                count(bytes.len());
                tls.send(bytes, &|_| {})
            }
        }
    }

    pub(super) fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(socket) => socket.read(buffer),
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.read(buffer),
            Stream::TlsTunnel(tls) => tls.read(buffer),
        }
    }

    /// The top layer.
    pub(super) fn top_layer(&mut self) -> &mut dyn TransportLayer {
        match self {
            Stream::Plain(socket) => socket,
            Stream::Tls(tls) | Stream::Tunnel(tls) => tls.as_mut(),
            Stream::TlsTunnel(tls) => tls.as_mut(),
        }
    }
}
