//! The stream of bytes between a client and a service.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use rustls::{ServerConnection, StreamOwned};

use super::meter::Metered;

/// TLS can be nested.
pub enum Stream {
    Plain(TcpStream),
    Metered(Metered),
    Tls(Box<StreamOwned<ServerConnection, Stream>>),
    Gone,
}

impl Stream {
    /// Whether TLS's own buffer holds received data.
    pub fn has_data(&mut self) -> bool {
        match self {
            Stream::Tls(tls) => {
                let held = tls
                    .conn
                    .process_new_packets()
                    .map_or(0, |state| state.plaintext_bytes_to_read());
                held > 0 || tls.sock.has_data()
            }
            Stream::Plain(_) | Stream::Metered(_) | Stream::Gone => false,
        }
    }
}

impl Stream {
    pub fn metered(&self) -> Option<&Metered> {
        match self {
            Stream::Metered(metered) => Some(metered),
            Stream::Tls(tls) => tls.sock.metered(),
            Stream::Plain(_) | Stream::Gone => None,
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        match self {
            Stream::Plain(tcp) => tcp.read(buffer),
            Stream::Metered(tcp) => tcp.read(buffer),
            Stream::Tls(tls) => tls.read(buffer),
            Stream::Gone => Ok(0),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        match self {
            Stream::Plain(tcp) => tcp.write(bytes),
            Stream::Metered(tcp) => tcp.write(bytes),
            Stream::Tls(tls) => tls.write(bytes),
            Stream::Gone => Err(ErrorKind::NotConnected.into()),
        }
    }

    fn flush(&mut self) -> std::io::Result<()> {
        match self {
            Stream::Plain(tcp) => tcp.flush(),
            Stream::Metered(tcp) => tcp.flush(),
            Stream::Tls(tls) => tls.flush(),
            Stream::Gone => Ok(()),
        }
    }
}
