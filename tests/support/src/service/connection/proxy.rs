//! The proxy in front of a service: CONNECT, and the tunnel.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::time::Duration;

use super::{Connection, Ended, is_timeout};
use crate::certificates::TlsSetup;

/// A proxy's response to CONNECT.
pub(super) const OPENED: &[u8] = b"HTTP/1.1 200 Connection established\r\n\r\n";

impl Connection<'_> {
    pub(super) fn read_connect(&mut self) -> Result<(), Ended> {
        self.open = false;
        while !self.before.ends_with(b"\r\n\r\n") {
            // Byte by byte: what follows belongs to the tunnel.
            self.read_at_most(1)?;
        }
        let head = String::from_utf8_lossy(&self.before).into_owned();
        self.shared.record.heads.lock().unwrap().push(head);
        Ok(())
    }

    pub(super) fn tunnel(&mut self, port: Option<u16>) -> Result<(), Ended> {
        let server = match port {
            Some(port) => TcpStream::connect(("127.0.0.1", port)),
            None => {
                let head = String::from_utf8_lossy(&self.before);
                TcpStream::connect(head.split(' ').nth(1).unwrap_or_default())
            }
        };
        let mut server = server.map_err(|_| Ended)?;
        self.send(OPENED)?;
        // TLS needs one thread for both directions.
        for socket in [&self.tcp, &server] {
            socket
                .set_read_timeout(Some(Duration::from_millis(1)))
                .unwrap();
        }
        let mut bytes = [0; 16 * 1024];
        while !self.is_ended() {
            match self.stream.read(&mut bytes) {
                Ok(0) => server.shutdown(Shutdown::Write).map_err(|_| Ended)?,
                Ok(count) => server.write_all(&bytes[..count]).map_err(|_| Ended)?,
                Err(error) if is_timeout(&error) => {}
                Err(_) => return Err(Ended),
            }
            match server.read(&mut bytes) {
                Ok(0) => return Err(Ended),
                Ok(count) => self.send(&bytes[..count])?,
                Err(error) if is_timeout(&error) => {}
                Err(_) => return Err(Ended),
            }
        }
        Err(Ended)
    }

    pub(super) fn start_tunnel(&mut self) -> Result<(), Ended> {
        if self.shared.way.base_url_is_secure() {
            self.handshake(self.config(TlsSetup::Good))?;
        }
        self.open = true;
        Ok(())
    }
}
