//! One connection of a service, which runs its script step by step.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use rustls::{ServerConnection, StreamOwned};
use socket2::SockRef;

use super::Shared;
use super::fault::{Step, TlsSetup, Way, response};
use super::request_log::Incoming;
use super::stream::Stream;

pub struct Connection<'a> {
    stream: Stream,
    /// The same socket, for TCP operations.
    tcp: TcpStream,
    shared: &'a Shared,
    stop: &'a AtomicBool,
    began: Instant,
    incoming: Incoming,
    awaited: usize,
    /// The rest of a piece that was sent in part.
    rest: Vec<u8>,
    /// False during the TLS handshake and a proxy's CONNECT, when no part of a request may arrive.
    open: bool,
    before: Vec<u8>,
}

/// A proxy's response to CONNECT.
const OPENED: &[u8] = b"HTTP/1.1 200 Connection established\r\n\r\n";

/// The connection ended before the script did.
struct Ended;

impl<'a> Connection<'a> {
    pub fn new(tcp: TcpStream, shared: &'a Shared, stop: &'a AtomicBool) -> Connection<'a> {
        tcp.set_nonblocking(false).unwrap();
        tcp.set_nodelay(true).unwrap();
        // Reads time out, so that the connection notices when the service stops.
        tcp.set_read_timeout(Some(Duration::from_millis(20)))
            .unwrap();
        tcp.set_write_timeout(Some(shared.longest())).unwrap();
        let stream = Stream::Plain(tcp.try_clone().unwrap());
        let open = matches!(shared.way, Way::Plain | Way::Tls);
        Connection {
            stream,
            tcp,
            shared,
            stop,
            began: Instant::now(),
            incoming: Incoming::default(),
            awaited: 0,
            rest: Vec::new(),
            open,
            before: Vec::new(),
        }
    }

    pub fn shared(mut self) {
        let number = self.shared.request_log.connected();
        let script = (self.shared.script)(number);
        let done = self
            .shared
            .way
            .beginning()
            .iter()
            .chain(&script)
            .try_for_each(|step| self.step(step));
        if done.is_ok() {
            while self.read().is_ok() {}
        }
        self.incoming.end(&self.shared.request_log);
        let before = String::from_utf8_lossy(&self.before).to_lowercase();
        if before.contains("access-token") || before.contains("x-client-key") {
            self.shared.request_log.part(&self.before);
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Ended> {
        match step {
            Step::Handshake(setup) => {
                self.handshake(*setup)?;
                self.open |= self.shared.way == Way::Handshake;
                Ok(())
            }
            Step::HandshakeAndSend(setup, bytes, hundredths) => {
                self.handshake_and_send(*setup, bytes, *hundredths)?;
                self.open |= self.shared.way == Way::Handshake;
                Ok(())
            }
            Step::PartOfHandshake(hundredths) => self.part_of_handshake(*hundredths),
            Step::Connect => self.read_connect(),
            Step::Open => {
                self.send(OPENED)?;
                self.start_tunnel()
            }
            Step::OpenWithPartialRecord(pause) => {
                self.send_in_one_segment(&[OPENED.to_vec(), Vec::new()], 50)?;
                self.wait(*pause)?;
                self.send_rest()?;
                self.start_tunnel()
            }
            Step::Head => self.read_until(|incoming, awaited| incoming.heads > awaited),
            Step::Request => {
                self.read_until(|incoming, awaited| incoming.requests > awaited)?;
                self.awaited += 1;
                Ok(())
            }
            Step::WaitForData => {
                // Data that came with the last handshake message is in TLS's own buffer.
                while !self.stream.has_data() {
                    match self.tcp.peek(&mut [0]) {
                        Ok(_) => break,
                        Err(error) if is_timeout(&error) && !self.is_ended() => {}
                        Err(_) => return Err(Ended),
                    }
                }
                Ok(())
            }
            Step::Wait(milliseconds) => self.wait(*milliseconds),
            Step::Microseconds(time) => {
                // Too short for a sleep to be exact.
                let end = Instant::now() + Duration::from_micros(*time);
                while Instant::now() < end {
                    std::hint::spin_loop();
                }
                Ok(())
            }
            Step::WaitForReturn => {
                while self.shared.returned.load(SeqCst) < self.incoming.requests && !self.is_ended()
                {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(())
            }
            Step::StartNextCall => {
                self.shared.script_says.store(true, SeqCst);
                Ok(())
            }
            Step::Send(bytes) => self.send(bytes),
            Step::SendInOneSegment(pieces, hundredths) => {
                self.send_in_one_segment(pieces, *hundredths)
            }
            Step::Rest => self.send_rest(),
            Step::Respond(statuses) => {
                let first = *statuses.first().expect("a response");
                self.shared
                    .request_log
                    .response(&self.incoming.latest, first);
                let responses: Vec<u8> = statuses
                    .iter()
                    .flat_map(|status| response(*status))
                    .collect();
                self.send(&responses)
            }
            Step::SendRaw(bytes) => self.send_raw(bytes),
            Step::SendAndClose(bytes) => self.send_and_close(bytes),
            Step::Drip(bytes, pause) => bytes.iter().try_for_each(|byte| {
                self.send(&[*byte])?;
                self.wait(*pause)
            }),
            Step::Flood(bytes) => {
                let many = bytes.repeat((16 * 1024 / bytes.len()).max(1));
                while !self.is_ended() {
                    self.send(&many)?;
                }
                Ok(())
            }
            Step::ReadSlowly(pause) => {
                while !self.is_ended() {
                    self.read_at_most(1)?;
                    self.wait(*pause)?;
                }
                Ok(())
            }
            Step::Close => {
                if let Stream::Tls(tls) = &mut self.stream {
                    tls.conn.send_close_notify();
                    let _ = tls.flush();
                }
                let _ = self.tcp.shutdown(Shutdown::Write);
                Ok(())
            }
            Step::Cut => {
                let _ = self.tcp.shutdown(Shutdown::Write);
                Ok(())
            }
            Step::CloseUnread => {
                self.count_unread();
                self.stream = Stream::Gone;
                Err(Ended)
            }
            Step::Reset | Step::ResetUnread => {
                if matches!(step, Step::Reset) {
                    self.count_unread();
                }
                SockRef::from(&self.tcp)
                    .set_linger(Some(Duration::ZERO))
                    .unwrap();
                self.stream = Stream::Gone;
                Err(Ended)
            }
        }
    }

    fn is_ended(&self) -> bool {
        self.stop.load(SeqCst) || self.began.elapsed() > self.shared.longest()
    }

    /// Ends early if the service is stopped.
    fn wait(&self, milliseconds: u64) -> Result<(), Ended> {
        let end = Instant::now() + Duration::from_millis(milliseconds * self.shared.patience);
        while Instant::now() < end && !self.is_ended() {
            thread::sleep(
                end.saturating_duration_since(Instant::now())
                    .min(Duration::from_millis(5)),
            );
        }
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Ended> {
        // If the client has closed the connection, count what it sent before that.
        let sent = self
            .stream
            .write_all(bytes)
            .and_then(|()| self.stream.flush());
        sent.map_err(|_| {
            while self.read().is_ok() {}
            Ended
        })
    }

    fn start_tunnel(&mut self) -> Result<(), Ended> {
        if self.shared.way.base_url_is_secure() {
            self.handshake(TlsSetup::Good)?;
        }
        self.open = true;
        Ok(())
    }

    fn send_rest(&mut self) -> Result<(), Ended> {
        let rest = std::mem::take(&mut self.rest);
        self.send_raw(&rest)
    }

    fn send_and_close(&mut self, bytes: &[u8]) -> Result<(), Ended> {
        match &mut self.stream {
            Stream::Tls(tls) => {
                tls.conn.writer().write_all(bytes).map_err(|_| Ended)?;
                tls.conn.send_close_notify();
                tls.flush().map_err(|_| Ended)?;
            }
            other => other.write_all(bytes).map_err(|_| Ended)?,
        }
        let _ = self.tcp.shutdown(Shutdown::Write);
        Ok(())
    }

    fn send_in_one_segment(&mut self, pieces: &[Vec<u8>], hundredths: usize) -> Result<(), Ended> {
        let (mut all, mut last) = (Vec::new(), 0);
        for piece in pieces {
            last = all.len();
            match &mut self.stream {
                Stream::Tls(tls) => {
                    if piece.is_empty() {
                        tls.conn.refresh_traffic_keys().map_err(|_| Ended)?;
                    }
                    tls.conn.writer().write_all(piece).map_err(|_| Ended)?;
                    while tls.conn.wants_write() {
                        tls.conn.write_tls(&mut all).map_err(|_| Ended)?;
                    }
                }
                _ => all.extend_from_slice(piece),
            }
        }
        self.rest = all.split_off(last + (all.len() - last) * hundredths / 100);
        self.send_raw(&all)
    }

    /// Sends bytes below the innermost TLS connection.
    fn send_raw(&mut self, bytes: &[u8]) -> Result<(), Ended> {
        let stream = match &mut self.stream {
            Stream::Tls(tls) => &mut tls.sock,
            other => other,
        };
        stream
            .write_all(bytes)
            .and_then(|()| stream.flush())
            .map_err(|_| Ended)
    }

    fn read(&mut self) -> Result<(), Ended> {
        self.read_at_most(64 * 1024)
    }

    fn read_at_most(&mut self, most: usize) -> Result<(), Ended> {
        let mut some = vec![0; most];
        let count = self.wait_for(|stream| stream.read(&mut some))?;
        self.take(&some[..count]);
        if count == 0 { Err(Ended) } else { Ok(()) }
    }

    fn read_until(&mut self, enough: fn(&Incoming, usize) -> bool) -> Result<(), Ended> {
        while !enough(&self.incoming, self.awaited) {
            self.read()?;
        }
        Ok(())
    }

    fn wait_for<T>(
        &mut self,
        mut act: impl FnMut(&mut Stream) -> std::io::Result<T>,
    ) -> Result<T, Ended> {
        loop {
            match act(&mut self.stream) {
                Ok(done) => return Ok(done),
                Err(error) if is_timeout(&error) && !self.is_ended() => {}
                Err(_) => return Err(Ended),
            }
        }
    }

    /// Counts what is in the socket: it was received, although nobody will read it.
    fn count_unread(&mut self) {
        self.tcp.set_nonblocking(true).unwrap();
        let mut some = [0; 64 * 1024];
        if matches!(self.stream, Stream::Plain(_)) {
            let count = self.tcp.peek(&mut some).unwrap_or(0);
            self.take(&some[..count]);
        } else {
            while let Ok(count @ 1..) = self.stream.read(&mut some) {
                self.take(&some[..count]);
            }
        }
    }

    fn session(&self, setup: TlsSetup) -> ServerConnection {
        ServerConnection::new(self.shared.certificates.config(setup)).unwrap()
    }

    fn handshake(&mut self, setup: TlsSetup) -> Result<(), Ended> {
        let mut session = self.session(setup);
        while session.is_handshaking() {
            let result = self.wait_for(|stream| session.complete_io(stream).map(drop));
            if result.is_err() {
                // Send the alert that says why.
                let _ = session.write_tls(&mut self.stream);
                let _ = self.tcp.shutdown(Shutdown::Write);
                while self.tcp.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {}
                return Err(Ended);
            }
        }
        let inner = std::mem::replace(&mut self.stream, Stream::Gone);
        self.stream = Stream::Tls(Box::new(StreamOwned::new(session, inner)));
        Ok(())
    }

    fn handshake_and_send(
        &mut self,
        setup: TlsSetup,
        bytes: &[u8],
        hundredths: usize,
    ) -> Result<(), Ended> {
        let mut session = self.session(setup);
        // With TLS 1.3 a server can send data before the client's last handshake message.
        let (mut sent, mut flights) = (false, 0);
        let last_flight = if setup == TlsSetup::GoodTls12 { 2 } else { 1 };
        while !sent {
            if self.wait_for(|stream| session.read_tls(stream))? == 0 {
                return Err(Ended);
            }
            session.process_new_packets().map_err(|_| Ended)?;
            let mut flight = Vec::new();
            while session.wants_write() {
                session.write_tls(&mut flight).map_err(|_| Ended)?;
            }
            flights += usize::from(!flight.is_empty());
            if flights == last_flight {
                let shaken = flight.len();
                session.writer().write_all(bytes).map_err(|_| Ended)?;
                while session.wants_write() {
                    session.write_tls(&mut flight).map_err(|_| Ended)?;
                }
                assert!(
                    flight.len() > shaken,
                    "TLS 1.3 allows early data from the server"
                );
                flight.truncate(shaken + (flight.len() - shaken) * hundredths / 100);
                sent = true;
            }
            self.stream.write_all(&flight).map_err(|_| Ended)?;
            self.stream.flush().map_err(|_| Ended)?;
        }
        let inner = std::mem::replace(&mut self.stream, Stream::Gone);
        self.stream = Stream::Tls(Box::new(StreamOwned::new(session, inner)));
        Ok(())
    }

    fn part_of_handshake(&mut self, hundredths: usize) -> Result<(), Ended> {
        let mut session = self.session(TlsSetup::Good);
        while !session.wants_write() {
            if self.wait_for(|stream| session.read_tls(stream))? == 0 {
                return Err(Ended);
            }
            session.process_new_packets().map_err(|_| Ended)?;
        }
        let mut response = Vec::new();
        while session.wants_write() {
            session.write_tls(&mut response).unwrap();
        }
        self.send(&response[..response.len() * hundredths / 100])
    }

    fn take(&mut self, bytes: &[u8]) {
        if self.open {
            self.incoming.take(bytes, &self.shared.request_log);
        } else {
            self.before.extend_from_slice(bytes);
        }
    }

    fn read_connect(&mut self) -> Result<(), Ended> {
        while !self.before.ends_with(b"\r\n\r\n") {
            // Byte by byte: what follows belongs to the tunnel.
            self.read_at_most(1)?;
        }
        Ok(())
    }
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}
