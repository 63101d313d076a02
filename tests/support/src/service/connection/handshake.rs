//! TLS handshakes, complete and not.

use std::io::{Read, Write};
use std::net::Shutdown;
use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use rustls::{HandshakeKind, ServerConfig, ServerConnection, StreamOwned};

use super::super::Plan;
use super::super::stream::Stream;
use super::{Connection, Ended};
use crate::certificates::TlsSetup;

impl Connection<'_> {
    pub(super) fn config(&self, setup: TlsSetup) -> Arc<ServerConfig> {
        match &self.shared.plan {
            Plan::Connections(_, certificates) => certificates.config(setup),
            _ => panic!("the service has no certificates to choose from"),
        }
    }

    pub(super) fn handshake(&mut self, config: Arc<ServerConfig>) -> Result<(), Ended> {
        let mut session = ServerConnection::new(config).unwrap();
        while session.is_handshaking() {
            let result = self.wait_for(|stream| session.complete_io(stream).map(drop));
            if let Some(metered) = self.stream.metered() {
                metered.passed().handshake = session.handshake_kind();
                result?;
            } else if result.is_err() {
                // Send the alert that says why.
                let _ = session.write_tls(&mut self.stream);
                let _ = self.tcp.shutdown(Shutdown::Write);
                while self.tcp.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {}
                return Err(Ended);
            }
        }
        if session.handshake_kind() == Some(HandshakeKind::Resumed) {
            self.shared.record.resumed.fetch_add(1, SeqCst);
        }
        self.enter(session);
        Ok(())
    }

    /// From now on, everything is inside this TLS connection.
    fn enter(&mut self, session: ServerConnection) {
        let inner = std::mem::replace(&mut self.stream, Stream::Gone);
        self.stream = Stream::Tls(Box::new(StreamOwned::new(session, inner)));
    }

    pub(super) fn handshake_and_send(
        &mut self,
        setup: TlsSetup,
        bytes: &[u8],
        hundredths: usize,
    ) -> Result<(), Ended> {
        let mut session = ServerConnection::new(self.config(setup)).unwrap();
        // With TLS 1.3 a server can send data before the client's last handshake message.
        let last = if setup == TlsSetup::GoodTls12 { 2 } else { 1 };
        let mut flight = self.flight(&mut session, last)?;
        let shaken = flight.len();
        session.writer().write_all(bytes).map_err(|_| Ended)?;
        write_records(&mut session, &mut flight)?;
        assert!(
            flight.len() > shaken || bytes.is_empty(),
            "TLS 1.3 allows early data from the server"
        );
        flight.truncate(shaken + (flight.len() - shaken) * hundredths / 100);
        self.send_raw(&flight)?;
        self.enter(session);
        Ok(())
    }

    pub(super) fn part_of_handshake(
        &mut self,
        setup: TlsSetup,
        hundredths: usize,
    ) -> Result<(), Ended> {
        let mut session = ServerConnection::new(self.config(setup)).unwrap();
        let flight = self.flight(&mut session, 1)?;
        self.send(&flight[..flight.len() * hundredths / 100])
    }

    /// Plays the handshake up to the service's messages with this number, from 1, which it returns
    /// unsent.
    fn flight(&mut self, session: &mut ServerConnection, number: usize) -> Result<Vec<u8>, Ended> {
        let mut flight = Vec::new();
        for _ in 0..number {
            self.send_raw(&flight)?;
            flight.clear();
            while flight.is_empty() {
                if self.wait_for(|stream| session.read_tls(stream))? == 0 {
                    return Err(Ended);
                }
                session.process_new_packets().map_err(|_| Ended)?;
                write_records(session, &mut flight)?;
            }
        }
        Ok(flight)
    }
}

/// What TLS has to send.
pub(super) fn write_records(session: &mut ServerConnection, to: &mut Vec<u8>) -> Result<(), Ended> {
    while session.wants_write() {
        session.write_tls(to).map_err(|_| Ended)?;
    }
    Ok(())
}
