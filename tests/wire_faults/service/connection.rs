//! One connection of a service: its script, step by step.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use rustls::{ServerConnection, StreamOwned};
use socket2::SockRef;

use super::Play;
use super::fault::{Shown, Step, Way, response};
use super::ledger::Arriving;
use super::stream::Stream;

pub struct Connection<'a> {
    stream: Stream,
    /// The same socket, for what concerns TCP alone.
    tcp: TcpStream,
    play: &'a Play,
    stop: &'a AtomicBool,
    began: Instant,
    arriving: Arriving,
    awaited: usize,
    /// What was left over of a piece that was sent in part.
    rest: Vec<u8>,
    /// Before this nothing of a request has any business here: the handshake, and what a proxy is
    /// told.
    open: bool,
    before: Vec<u8>,
}

/// A proxy's response to CONNECT.
const OPENED: &[u8] = b"HTTP/1.1 200 Connection established\r\n\r\n";

/// The script ended early: the connection is over.
struct Over;

impl<'a> Connection<'a> {
    pub fn new(tcp: TcpStream, play: &'a Play, stop: &'a AtomicBool) -> Connection<'a> {
        tcp.set_nonblocking(false).unwrap();
        tcp.set_nodelay(true).unwrap();
        // Reads end now and then, to look whether the service was stopped.
        tcp.set_read_timeout(Some(Duration::from_millis(20)))
            .unwrap();
        tcp.set_write_timeout(Some(play.longest())).unwrap();
        let stream = Stream::Plain(tcp.try_clone().unwrap());
        let open = matches!(play.way, Way::Plain | Way::Tls);
        Connection {
            stream,
            tcp,
            play,
            stop,
            began: Instant::now(),
            arriving: Arriving::default(),
            awaited: 0,
            rest: Vec::new(),
            open,
            before: Vec::new(),
        }
    }

    pub fn play(mut self) {
        let number = self.play.ledger.connected();
        let script = (self.play.script)(number);
        let done = self
            .play
            .way
            .beginning()
            .iter()
            .chain(&script)
            .try_for_each(|step| self.step(step));
        if done.is_ok() {
            while self.read().is_ok() {}
        }
        self.arriving.end(&self.play.ledger);
        let before = String::from_utf8_lossy(&self.before).to_lowercase();
        if before.contains("access-token") || before.contains("x-client-key") {
            self.play.ledger.part(&self.before);
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Over> {
        match step {
            Step::Shake(shown) => {
                self.shake_hands(*shown)?;
                self.open |= self.play.way == Way::Handshake;
                Ok(())
            }
            Step::ShakeAndSend(shown, bytes, hundredths) => {
                self.shake_hands_and_send(*shown, bytes, *hundredths)?;
                self.open |= self.play.way == Way::Handshake;
                Ok(())
            }
            Step::PartOfHandshake(hundredths) => self.shake_hands_in_part(*hundredths),
            Step::Connect => self.read_connect(),
            Step::Open => {
                self.send(OPENED)?;
                self.behind_the_tunnel()
            }
            Step::OpenWithHalfARecord(pause) => {
                self.send_together(&[OPENED.to_vec(), Vec::new()], 50)?;
                self.wait(*pause)?;
                self.send_rest()?;
                self.behind_the_tunnel()
            }
            Step::Head => self.read_until(|arriving, awaited| arriving.heads > awaited),
            Step::Request => {
                self.read_until(|arriving, awaited| arriving.requests > awaited)?;
                self.awaited += 1;
                Ok(())
            }
            Step::Something => {
                // What came with the last of a handshake is in TLS's own buffer.
                while !self.stream.holds_something() {
                    match self.tcp.peek(&mut [0]) {
                        Ok(_) => break,
                        Err(error) if pauses(&error) && !self.is_over() => {}
                        Err(_) => return Err(Over),
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
            Step::Returned => {
                while self.play.returned.load(SeqCst) < self.arriving.requests && !self.is_over() {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(())
            }
            Step::Tell => {
                self.play.told.store(true, SeqCst);
                Ok(())
            }
            Step::Send(bytes) => self.send(bytes),
            Step::Together(pieces, hundredths) => self.send_together(pieces, *hundredths),
            Step::Rest => self.send_rest(),
            Step::Respond(statuses) => {
                let first = *statuses.first().expect("a response");
                self.play.ledger.response(&self.arriving.latest, first);
                let responses: Vec<u8> = statuses
                    .iter()
                    .flat_map(|status| response(*status))
                    .collect();
                self.send(&responses)
            }
            Step::SendBelow(bytes) => self.send_below(bytes),
            Step::SendAndClose(bytes) => self.send_and_close(bytes),
            Step::Drip(bytes, pause) => bytes.iter().try_for_each(|byte| {
                self.send(&[*byte])?;
                self.wait(*pause)
            }),
            Step::Flood(bytes) => {
                let many = bytes.repeat((16 * 1024 / bytes.len()).max(1));
                while !self.is_over() {
                    self.send(&many)?;
                }
                Ok(())
            }
            Step::Sip(pause) => {
                while !self.is_over() {
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
            Step::Slam => {
                self.count_unread();
                self.stream = Stream::Gone;
                Err(Over)
            }
            Step::Reset | Step::ResetUnread => {
                if matches!(step, Step::Reset) {
                    self.count_unread();
                }
                SockRef::from(&self.tcp)
                    .set_linger(Some(Duration::ZERO))
                    .unwrap();
                self.stream = Stream::Gone;
                Err(Over)
            }
        }
    }

    fn is_over(&self) -> bool {
        self.stop.load(SeqCst) || self.began.elapsed() > self.play.longest()
    }

    /// Ends early when the service is stopped.
    fn wait(&self, milliseconds: u64) -> Result<(), Over> {
        let end = Instant::now() + Duration::from_millis(milliseconds * self.play.patience);
        while Instant::now() < end && !self.is_over() {
            thread::sleep(
                end.saturating_duration_since(Instant::now())
                    .min(Duration::from_millis(5)),
            );
        }
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) -> Result<(), Over> {
        // Where the client is gone, what it sent before is still to be counted: the script's next
        // step finds out.
        let sent = self
            .stream
            .write_all(bytes)
            .and_then(|()| self.stream.flush());
        sent.map_err(|_| {
            while self.read().is_ok() {}
            Over
        })
    }

    fn behind_the_tunnel(&mut self) -> Result<(), Over> {
        if self.play.way.base_url_is_secure() {
            self.shake_hands(Shown::Good)?;
        }
        self.open = true;
        Ok(())
    }

    fn send_rest(&mut self) -> Result<(), Over> {
        let rest = std::mem::take(&mut self.rest);
        self.send_below(&rest)
    }

    fn send_and_close(&mut self, bytes: &[u8]) -> Result<(), Over> {
        match &mut self.stream {
            Stream::Tls(tls) => {
                tls.conn.writer().write_all(bytes).map_err(|_| Over)?;
                tls.conn.send_close_notify();
                tls.flush().map_err(|_| Over)?;
            }
            other => other.write_all(bytes).map_err(|_| Over)?,
        }
        let _ = self.tcp.shutdown(Shutdown::Write);
        Ok(())
    }

    fn send_together(&mut self, pieces: &[Vec<u8>], hundredths: usize) -> Result<(), Over> {
        let (mut all, mut last) = (Vec::new(), 0);
        for piece in pieces {
            last = all.len();
            match &mut self.stream {
                Stream::Tls(tls) => {
                    if piece.is_empty() {
                        tls.conn.refresh_traffic_keys().map_err(|_| Over)?;
                    }
                    tls.conn.writer().write_all(piece).map_err(|_| Over)?;
                    while tls.conn.wants_write() {
                        tls.conn.write_tls(&mut all).map_err(|_| Over)?;
                    }
                }
                _ => all.extend_from_slice(piece),
            }
        }
        self.rest = all.split_off(last + (all.len() - last) * hundredths / 100);
        self.send_below(&all)
    }

    /// Sends records as they are, below the uppermost TLS.
    fn send_below(&mut self, bytes: &[u8]) -> Result<(), Over> {
        let stream = match &mut self.stream {
            Stream::Tls(tls) => &mut tls.sock,
            other => other,
        };
        stream
            .write_all(bytes)
            .and_then(|()| stream.flush())
            .map_err(|_| Over)
    }

    fn read(&mut self) -> Result<(), Over> {
        self.read_at_most(64 * 1024)
    }

    fn read_at_most(&mut self, most: usize) -> Result<(), Over> {
        let mut some = vec![0; most];
        let count = self.wait_for(|stream| stream.read(&mut some))?;
        self.take(&some[..count]);
        if count == 0 { Err(Over) } else { Ok(()) }
    }

    fn read_until(&mut self, enough: fn(&Arriving, usize) -> bool) -> Result<(), Over> {
        while !enough(&self.arriving, self.awaited) {
            self.read()?;
        }
        Ok(())
    }

    fn wait_for<T>(
        &mut self,
        mut act: impl FnMut(&mut Stream) -> std::io::Result<T>,
    ) -> Result<T, Over> {
        loop {
            match act(&mut self.stream) {
                Ok(done) => return Ok(done),
                Err(error) if pauses(&error) && !self.is_over() => {}
                Err(_) => return Err(Over),
            }
        }
    }

    /// What lies in the socket was received, though it is not going to be read.
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

    fn session(&self, shown: Shown) -> ServerConnection {
        ServerConnection::new(self.play.certificates.config(shown)).unwrap()
    }

    fn shake_hands(&mut self, shown: Shown) -> Result<(), Over> {
        let mut session = self.session(shown);
        while session.is_handshaking() {
            let result = self.wait_for(|stream| session.complete_io(stream).map(drop));
            if result.is_err() {
                // The alert that says why.
                let _ = session.write_tls(&mut self.stream);
                let _ = self.tcp.shutdown(Shutdown::Write);
                while self.tcp.read(&mut [0; 4096]).is_ok_and(|count| count > 0) {}
                return Err(Over);
            }
        }
        let inner = std::mem::replace(&mut self.stream, Stream::Gone);
        self.stream = Stream::Tls(Box::new(StreamOwned::new(session, inner)));
        Ok(())
    }

    fn shake_hands_and_send(
        &mut self,
        shown: Shown,
        bytes: &[u8],
        hundredths: usize,
    ) -> Result<(), Over> {
        let mut session = self.session(shown);
        // By TLS 1.3 a service can send before the client has had its last word.
        let (mut sent, mut flights) = (false, 0);
        let last_flight = if shown == Shown::GoodByTls12 { 2 } else { 1 };
        while !sent {
            if self.wait_for(|stream| session.read_tls(stream))? == 0 {
                return Err(Over);
            }
            session.process_new_packets().map_err(|_| Over)?;
            let mut flight = Vec::new();
            while session.wants_write() {
                session.write_tls(&mut flight).map_err(|_| Over)?;
            }
            flights += usize::from(!flight.is_empty());
            if flights == last_flight {
                let shaken = flight.len();
                session.writer().write_all(bytes).map_err(|_| Over)?;
                while session.wants_write() {
                    session.write_tls(&mut flight).map_err(|_| Over)?;
                }
                assert!(flight.len() > shaken, "the service may send that early");
                flight.truncate(shaken + (flight.len() - shaken) * hundredths / 100);
                sent = true;
            }
            self.stream.write_all(&flight).map_err(|_| Over)?;
            self.stream.flush().map_err(|_| Over)?;
        }
        let inner = std::mem::replace(&mut self.stream, Stream::Gone);
        self.stream = Stream::Tls(Box::new(StreamOwned::new(session, inner)));
        Ok(())
    }

    fn shake_hands_in_part(&mut self, hundredths: usize) -> Result<(), Over> {
        let mut session = self.session(Shown::Good);
        while !session.wants_write() {
            self.wait_for(|stream| session.read_tls(stream))?;
            session.process_new_packets().map_err(|_| Over)?;
        }
        let mut response = Vec::new();
        while session.wants_write() {
            session.write_tls(&mut response).unwrap();
        }
        self.send(&response[..response.len() * hundredths / 100])
    }

    fn take(&mut self, bytes: &[u8]) {
        if self.open {
            self.arriving.take(bytes, &self.play.ledger);
        } else {
            self.before.extend_from_slice(bytes);
        }
    }

    fn read_connect(&mut self) -> Result<(), Over> {
        while !self.before.ends_with(b"\r\n\r\n") {
            // Byte by byte, since what follows belongs to the tunnel.
            self.read_at_most(1)?;
        }
        Ok(())
    }
}

fn pauses(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}
