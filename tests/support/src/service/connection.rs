//! One connection of a service, which runs its script step by step.

mod handshake;
mod proxy;

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;
use socket2::SockRef;

use self::handshake::write_records;
use self::proxy::OPENED;
use super::record::{Query, Request, data_segments, header};
use super::stream::Stream;
use super::{Plan, Script, Shared, Step, Way, response};

pub struct Connection<'a> {
    stream: Stream,
    /// The same socket, for TCP operations.
    tcp: TcpStream,
    number: usize,
    shared: &'a Shared,
    stop: &'a AtomicBool,
    began: Instant,
    /// False during the TLS handshake and a proxy's CONNECT, when no part of a request may arrive.
    open: bool,
    /// What arrived before it was open.
    before: Vec<u8>,
    /// What arrived since the last complete request.
    arrived: Vec<u8>,
    /// Heads and complete requests that have arrived.
    heads: usize,
    requests: usize,
    /// Requests that the script has waited for.
    awaited: usize,
    /// The order of the last complete request, or its number.
    latest: String,
    latest_number: usize,
    segments: u32,
    /// The rest of a piece that was sent in part.
    rest: Vec<u8>,
}

/// The connection ended before the script did.
struct Ended;

impl<'a> Connection<'a> {
    pub fn new(
        tcp: TcpStream,
        number: usize,
        shared: &'a Shared,
        stop: &'a AtomicBool,
    ) -> Connection<'a> {
        tcp.set_nodelay(true).unwrap();
        // Reads time out, so that the connection notices when the service stops.
        tcp.set_read_timeout(Some(Duration::from_millis(20)))
            .unwrap();
        tcp.set_write_timeout(shared.longest).unwrap();
        Connection {
            stream: match &shared.meter {
                None => Stream::Plain(tcp.try_clone().unwrap()),
                Some(meter) => Stream::Metered(meter.connection(number, tcp.try_clone().unwrap())),
            },
            tcp,
            number,
            shared,
            stop,
            began: Instant::now(),
            open: matches!(shared.way, Way::Plain | Way::Tls),
            before: Vec::new(),
            arrived: Vec::new(),
            heads: 0,
            requests: 0,
            awaited: 0,
            latest: String::new(),
            latest_number: 0,
            segments: 0,
            rest: Vec::new(),
        }
    }

    pub fn run(mut self) {
        if self.serve().is_ok() {
            self.drain();
        }
        if matches!(self.shared.plan, Plan::Connections(..)) {
            // What is left is a partial request.
            if !self.arrived.is_empty() {
                self.shared.record.count(&self.arrived, false);
            }
            let before = String::from_utf8_lossy(&self.before).to_lowercase();
            if before.contains("access-token") || before.contains("x-client-key") {
                self.shared.record.count(&self.before, false);
            }
        }
    }

    fn serve(&mut self) -> Result<(), Ended> {
        if let Some(config) = &self.shared.tls {
            self.handshake(Arc::clone(config))?;
        }
        if let Plan::Connections(scripts, _) = &self.shared.plan {
            let script = scripts(self.number);
            let mut steps = self.shared.way.beginning().iter().chain(&script);
            return steps.try_for_each(|step| self.step(step));
        }
        while !self.is_ended() {
            let script = self.next_script()?;
            script.iter().try_for_each(|step| self.step(step))?;
            if matches!(script.last(), Some(Step::Close | Step::Cut)) {
                return Ok(());
            }
        }
        Err(Ended)
    }

    /// The script for the next request, after its head has arrived.
    fn next_script(&mut self) -> Result<Script, Ended> {
        match &self.shared.plan {
            Plan::Requests(queue) => {
                let first = queue.lock().unwrap().front().cloned();
                let first_step = first.as_ref().and_then(|script| script.first());
                if first_step.is_none_or(Step::needs_request) {
                    self.read_until(|it| it.heads > it.awaited)?;
                }
                let mut queue = queue.lock().unwrap();
                let next = match queue.len() {
                    0 | 1 => queue.front().cloned(),
                    _ => queue.pop_front(),
                };
                Ok(next.expect("a script"))
            }
            Plan::Decided(decide) => {
                self.read_until(|it| it.requests > it.awaited)?;
                let number = self.latest_number;
                let body = self.shared.record.requests.lock().unwrap()[number]
                    .body
                    .clone();
                Ok(decide(&Query::of(&body, number)))
            }
            Plan::Connections(..) => unreachable!("a connection has one script"),
        }
    }

    fn step(&mut self, step: &Step) -> Result<(), Ended> {
        match step {
            Step::Handshake(setup) => {
                self.handshake(self.config(*setup))?;
                self.open |= self.shared.way == Way::Handshake;
                Ok(())
            }
            Step::HandshakeAndSend(setup, bytes, hundredths) => {
                self.handshake_and_send(*setup, bytes, *hundredths)?;
                self.open |= self.shared.way == Way::Handshake;
                Ok(())
            }
            Step::PartOfHandshake(setup, hundredths) => self.part_of_handshake(*setup, *hundredths),
            Step::Connect => self.read_connect(),
            Step::Open => {
                self.send(OPENED)?;
                self.start_tunnel()
            }
            Step::Opened => self.start_tunnel(),
            Step::Tunnel(port) => self.tunnel(*port),
            Step::Head => self.read_until(|it| it.heads > it.awaited),
            Step::Request => {
                self.read_until(|it| it.requests > it.awaited)?;
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
                while self.shared.returned.load(SeqCst) < self.requests && !self.is_ended() {
                    thread::sleep(Duration::from_millis(1));
                }
                Ok(())
            }
            Step::StartNextCall => {
                self.shared.script_says.store(true, SeqCst);
                Ok(())
            }
            Step::Silence => {
                self.drain();
                Err(Ended)
            }
            Step::Send(bytes) => self.send(bytes),
            Step::SendInOneSegment(pieces, hundredths) => {
                self.send_in_one_segment(pieces, *hundredths)
            }
            Step::Rest => {
                let rest = std::mem::take(&mut self.rest);
                self.send_raw(&rest)
            }
            Step::Respond(statuses) => {
                let first = *statuses.first().expect("a response");
                self.shared.record.responded(&self.latest, first);
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
            Step::Close | Step::Cut => {
                if let (Step::Close, Stream::Tls(tls)) = (step, &mut self.stream) {
                    tls.conn.send_close_notify();
                    let _ = tls.flush();
                }
                let _ = self.tcp.shutdown(Shutdown::Write);
                Ok(())
            }
            Step::CloseUnread | Step::Reset | Step::ResetUnread => {
                if !matches!(step, Step::ResetUnread) {
                    self.count_unread();
                }
                if !matches!(step, Step::CloseUnread) {
                    let now = Some(Duration::ZERO);
                    SockRef::from(&self.tcp).set_linger(now).unwrap();
                }
                self.stream = Stream::Gone;
                Err(Ended)
            }
        }
    }

    fn is_ended(&self) -> bool {
        let longest = self.shared.longest;
        self.stop.load(SeqCst) || longest.is_some_and(|longest| self.began.elapsed() > longest)
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
            self.drain();
            Ended
        })
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
                    write_records(&mut tls.conn, &mut all)?;
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

    fn read_at_most(&mut self, most: usize) -> Result<(), Ended> {
        let mut some = vec![0; most];
        let count = self.wait_for(|stream| stream.read(&mut some))?;
        self.take(&some[..count]);
        if count == 0 { Err(Ended) } else { Ok(()) }
    }

    /// Reads until the client or the test ends the connection.
    fn drain(&mut self) {
        while self.read_at_most(16 * 1024).is_ok() {}
    }

    fn read_until(&mut self, enough: fn(&Connection) -> bool) -> Result<(), Ended> {
        while !enough(self) {
            self.read_at_most(16 * 1024)?;
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

    fn take(&mut self, bytes: &[u8]) {
        self.shared.record.bytes.fetch_add(bytes.len(), SeqCst);
        if !self.open {
            self.before.extend_from_slice(bytes);
            return;
        }
        self.arrived.extend_from_slice(bytes);
        while let Some(end) = self.arrived.windows(4).position(|four| four == b"\r\n\r\n") {
            if self.heads == self.requests {
                self.heads += 1;
            }
            let head = String::from_utf8_lossy(&self.arrived[..end + 4]);
            let length = header(&head, "content-length");
            let whole = end + 4 + length.map_or(0, |text| text.parse().expect("a length"));
            if self.arrived.len() < whole {
                return;
            }
            let rest = self.arrived.split_off(whole);
            let request = std::mem::replace(&mut self.arrived, rest);
            self.requests += 1;
            self.record(request, end + 4);
        }
    }

    fn record(&mut self, mut request: Vec<u8>, head: usize) {
        if matches!(self.shared.plan, Plan::Connections(..)) {
            self.latest = self.shared.record.count(&request, true);
            // A request without a body is one that follows a redirect.
            if request.len() > head {
                let body: Value = serde_json::from_slice(&request[head..]).expect("a body is JSON");
                assert_eq!(
                    body["orderId"], self.latest,
                    "head and body name the same order"
                );
            }
            return;
        }
        assert!(self.arrived.is_empty(), "nothing follows a request");
        if let Some(metered) = self.stream.metered() {
            metered.passed().requests += 1;
        }
        let segments = data_segments(&self.tcp);
        let text = |bytes| String::from_utf8(bytes).expect("a request is UTF-8");
        let body = text(request.split_off(head));
        let mut requests = self.shared.record.requests.lock().unwrap();
        self.latest_number = requests.len();
        requests.push(Request {
            head: text(request),
            body,
            connection: self.number,
            segments: segments.map(|segments| segments - self.segments),
            at: Instant::now(),
        });
        self.segments = segments.unwrap_or(0);
    }
}

pub(super) fn is_timeout(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}
