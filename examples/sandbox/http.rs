//! The part of HTTP/1.1 that the service needs, directly on the socket: faults must be able to cut
//! the connection and to hold it open.

use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use http::StatusCode;
use rustls::{ServerConfig, ServerConnection};

const MAX_HEAD: usize = 16 * 1024;
const MAX_HEADERS: usize = 64;
const MAX_BODY: usize = 256 * 1024;
/// A connection without data for this time is closed.
const SILENCE: Duration = Duration::from_secs(60);
/// The first byte of TLS.
const HANDSHAKE: u8 = 22;

pub struct Request {
    pub method: String,
    /// Path and query, as the client sent them.
    pub target: String,
    pub body: Vec<u8>,
    pub keep_alive: bool,
    pub headers: Vec<(String, String)>,
    /// The address of the program that sent it.
    pub from: String,
}

impl Request {
    pub fn path(&self) -> &str {
        self.target.split('?').next().unwrap_or_default()
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut named = self
            .headers
            .iter()
            .filter(|(n, _)| n.eq_ignore_ascii_case(name));
        named.next().map(|(_, value)| value.as_str())
    }

    pub fn is_get(&self) -> bool {
        self.method == "GET" || self.method == "HEAD"
    }
}

pub struct Response {
    pub status: u16,
    pub body: String,
    pub headers: Vec<(String, String)>,
}

impl Response {
    pub fn json(status: u16, body: String) -> Self {
        Self::new(status, "application/json", body)
    }

    pub fn html(status: u16, body: String) -> Self {
        Self::new(status, "text/html; charset=utf-8", body)
    }

    pub fn text(status: u16, body: impl Into<String>) -> Self {
        Self::new(status, "text/plain; charset=utf-8", body.into())
    }

    /// A stream of events, which [`Connection::begin`] begins.
    pub fn events() -> Self {
        Self::new(200, "text/event-stream", String::new())
            .with_header("Cache-Control", "no-store".to_owned())
            .with_header("Connection", "close".to_owned())
    }

    pub fn wrong_method(allowed: &str) -> Self {
        Self::text(405, format!("This address takes {allowed} only.\n"))
            .with_header("Allow", allowed.to_owned())
    }

    pub fn new(status: u16, content_type: &str, body: String) -> Self {
        let headers = vec![("Content-Type".to_owned(), content_type.to_owned())];
        Self {
            status,
            body,
            headers,
        }
    }

    /// `value` is written unchanged: it must not contain control characters.
    pub fn with_header(mut self, name: &'static str, value: String) -> Self {
        self.headers.push((name.to_owned(), value));
        self
    }

    /// Adds the fields that every response has. The rest of the connection depends on `keep_alive`.
    pub fn complete_headers(self, keep_alive: bool) -> Self {
        let date = httpdate::fmt_http_date(SystemTime::now());
        let length = self.body.len().to_string();
        let connection = if keep_alive { "keep-alive" } else { "close" };
        self.with_header("Date", date)
            .with_header("Content-Length", length)
            .with_header("Connection", connection.to_owned())
    }

    /// The part of the body that [`Connection::send_half`] sends.
    pub fn half_body(&self) -> &[u8] {
        &self.body.as_bytes()[..self.body.len() / 2]
    }

    /// The status line and the fields, as they are sent.
    pub fn head(&self) -> String {
        let status = StatusCode::from_u16(self.status).ok();
        let reason = status.and_then(|status| status.canonical_reason());
        let reason = reason.unwrap_or_default();
        let mut text = format!("HTTP/1.1 {} {reason}\r\n", self.status);
        for (name, value) in &self.headers {
            text += &format!("{name}: {value}\r\n");
        }
        text + "\r\n"
    }
}

/// Why no request could be read.
pub enum ReadError {
    /// The client has closed the connection, or was silent for too long.
    Closed,
    /// The request is not valid. The connection ends with this response.
    Refused(Response),
}

impl From<io::Error> for ReadError {
    fn from(_: io::Error) -> Self {
        Self::Closed
    }
}

/// A socket, perhaps with TLS on it.
struct Stream {
    socket: Arc<TcpStream>,
    tls: Option<Box<ServerConnection>>,
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut socket = &*self.socket;
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(tls.as_mut(), &mut socket).read(buffer),
            None => socket.read(buffer),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut socket = &*self.socket;
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(tls.as_mut(), &mut socket).write(bytes),
            None => socket.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        let mut socket = &*self.socket;
        match &mut self.tls {
            Some(tls) => rustls::Stream::new(tls.as_mut(), &mut socket).flush(),
            None => Ok(()),
        }
    }
}

pub struct Connection {
    stream: Stream,
    from: String,
    /// Received bytes that were not read as a request yet.
    arrived: Vec<u8>,
    /// The length of the head that was read, and whose body was not.
    head: usize,
}

impl Connection {
    pub fn new(socket: Arc<TcpStream>, tls: Option<Arc<ServerConfig>>) -> io::Result<Self> {
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(SILENCE))?;
        socket.set_write_timeout(Some(SILENCE))?;
        let mut first = [0];
        // A client that does not begin a handshake speaks HTTP, and learns that it must use https.
        let tls = match tls {
            Some(config) if socket.peek(&mut first)? == 1 && first[0] == HANDSHAKE => Some(config),
            _ => None,
        };
        let tls = tls.map(ServerConnection::new).transpose();
        Ok(Self {
            from: socket.peer_addr()?.ip().to_string(),
            stream: Stream {
                socket,
                tls: tls.map_err(io::Error::other)?.map(Box::new),
            },
            arrived: Vec::new(),
            head: 0,
        })
    }

    pub fn is_encrypted(&self) -> bool {
        self.stream.tls.is_some()
    }

    /// Reads a request up to its body, which [`Connection::read_body`] adds.
    pub fn read_head(&mut self) -> Result<Request, ReadError> {
        let (mut request, head) = loop {
            let head = read_head(&self.arrived).map_err(ReadError::Refused)?;
            let length = head
                .as_ref()
                .map_or(self.arrived.len(), |(_, length)| *length);
            if length > MAX_HEAD {
                return Err(ReadError::Refused(Response::text(
                    431,
                    "The request's head is too large.\n",
                )));
            }
            if let Some(head) = head {
                break head;
            }
            self.receive()?;
        };
        self.head = head;
        request.from.clone_from(&self.from);
        Ok(request)
    }

    pub fn read_body(&mut self, request: &mut Request) -> Result<(), ReadError> {
        let end = self.head + body_length(request).map_err(ReadError::Refused)?;
        if request
            .header("Expect")
            .is_some_and(|v| v.eq_ignore_ascii_case("100-continue"))
        {
            self.write(b"HTTP/1.1 100 Continue\r\n\r\n")?;
        }
        while self.arrived.len() < end {
            self.receive()?;
        }
        request.body = self.arrived[self.head..end].to_vec();
        self.arrived.drain(..end);
        Ok(())
    }

    /// Sends a response with complete headers.
    pub fn send(&mut self, response: &Response, request: &Request) -> io::Result<()> {
        let mut bytes = response.head().into_bytes();
        if request.method != "HEAD" {
            bytes.extend_from_slice(response.body.as_bytes());
        }
        self.write(&bytes)
    }

    /// Sends the head and half of the body, as if the connection broke in the middle.
    pub fn send_half(&mut self, response: &Response) -> io::Result<()> {
        self.write(&[response.head().as_bytes(), response.half_body()].concat())
    }

    /// Waits for this time. An `Err` means that the client gave up, or that the sandbox stops.
    pub fn wait(&mut self, time: Duration) -> io::Result<()> {
        let start = Instant::now();
        loop {
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return self.stream.socket.set_read_timeout(Some(SILENCE));
            }
            self.stream.socket.set_read_timeout(Some(left))?;
            match self.receive() {
                Ok(()) if self.arrived.len() > MAX_HEAD + MAX_BODY => {
                    return Err(io::ErrorKind::InvalidData.into());
                }
                Ok(()) => {}
                Err(error) if is_timeout(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Sends a response, and ends the connection.
    pub fn refuse(&mut self, response: Response) -> io::Result<()> {
        let response = response.complete_headers(false);
        self.write(&[response.head().as_bytes(), response.body.as_bytes()].concat())?;
        self.close()?;
        self.read_to_end()
    }

    /// Reads on until the client has the response: closing a socket with unread bytes could discard
    /// it.
    pub fn read_to_end(&mut self) -> io::Result<()> {
        self.stream
            .socket
            .set_read_timeout(Some(Duration::from_secs(2)))?;
        self.discard(16 * 1024 * 1024)
    }

    /// Holds the connection open in silence until the client gives up or the sandbox stops.
    pub fn hold(&mut self) -> io::Result<()> {
        self.stream.socket.set_read_timeout(None)?;
        self.discard(u64::MAX)
    }

    fn discard(&mut self, limit: u64) -> io::Result<()> {
        io::copy(&mut (&mut self.stream).take(limit), &mut io::sink()).map(drop)
    }

    /// Sends the head of a response whose body [`Connection::write`] sends, piece by piece.
    pub fn begin(&mut self, response: Response) -> io::Result<()> {
        self.write(response.head().as_bytes())
    }

    /// The client can see that nothing was cut.
    pub fn close(&mut self) -> io::Result<()> {
        if let Some(tls) = &mut self.stream.tls {
            tls.send_close_notify();
        }
        self.stream.flush()?;
        self.stream.socket.shutdown(Shutdown::Write)
    }

    pub fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.stream.flush()
    }

    fn receive(&mut self) -> io::Result<()> {
        let mut chunk = [0; 8 * 1024];
        match self.stream.read(&mut chunk)? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            length => {
                self.arrived.extend_from_slice(&chunk[..length]);
                Ok(())
            }
        }
    }
}

fn is_timeout(error: &io::Error) -> bool {
    use io::ErrorKind::{Interrupted, TimedOut, WouldBlock};
    matches!(error.kind(), Interrupted | TimedOut | WouldBlock)
}

/// The request without its body, and the length of its head; `None` while the head is incomplete.
fn read_head(arrived: &[u8]) -> Result<Option<(Request, usize)>, Response> {
    let mut headers = [httparse::EMPTY_HEADER; MAX_HEADERS];
    let mut head = httparse::Request::new(&mut headers);
    let length = match head.parse(arrived) {
        Ok(httparse::Status::Complete(length)) => length,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => {
            return Err(Response::text(431, "Too many header fields.\n"));
        }
        Err(error) => {
            return Err(Response::text(
                400,
                format!("This is not an HTTP request: {error}.\n"),
            ));
        }
    };
    let mut request = Request {
        method: head.method.unwrap_or_default().to_owned(),
        target: head.path.unwrap_or_default().to_owned(),
        body: Vec::new(),
        keep_alive: head.version == Some(1),
        headers: Vec::new(),
        from: String::new(),
    };
    for header in head.headers.iter() {
        let value = String::from_utf8_lossy(header.value).trim().to_owned();
        request.headers.push((header.name.to_owned(), value));
    }
    if head.version == Some(1) && request.header("Host").is_none() {
        return Err(Response::text(400, "The Host header is missing.\n"));
    }
    let connection = request.header("Connection").unwrap_or_default();
    if connection
        .split(',')
        .any(|token| token.trim().eq_ignore_ascii_case("close"))
    {
        request.keep_alive = false;
    }
    Ok(Some((request, length)))
}

fn body_length(request: &Request) -> Result<usize, Response> {
    if request.header("Transfer-Encoding").is_some() {
        return Err(Response::text(
            411,
            "Send the body with a Content-Length.\n",
        ));
    }
    let mut lengths = request
        .headers
        .iter()
        .filter(|(name, _)| name.eq_ignore_ascii_case("Content-Length"));
    let Some((_, text)) = lengths.next() else {
        return Ok(0);
    };
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits || lengths.any(|(_, other)| other != text) {
        return Err(Response::text(400, "The Content-Length is broken.\n"));
    }
    match text.parse() {
        Ok(length) if length <= MAX_BODY => Ok(length),
        _ => Err(Response::text(
            413,
            format!("A body may have {MAX_BODY} bytes.\n"),
        )),
    }
}
