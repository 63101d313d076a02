//! What a service, or a proxy in front of it, does with a connection: a script of steps.

use std::time::Duration;

use crate::certificates::TlsSetup;
use crate::responses::{created, http};

pub type Script = Vec<Step>;

/// One step. After the last one the service reads and counts until the client closes.
#[derive(Clone, Debug)]
pub enum Step {
    /// The TLS handshake with this certificate. Inside TLS it starts a second TLS connection, as
    /// through a TLS proxy.
    Handshake(TlsSetup),
    /// The handshake, with these bytes in the same segment as its last message to the client. The
    /// number is the percentage of their record that is sent. What the client sends is read by the
    /// next step that reads.
    HandshakeAndSend(TlsSetup, Vec<u8>, usize),
    /// Only this percentage of the service's first handshake messages.
    PartOfHandshake(TlsSetup, usize),
    /// Reads a proxy's CONNECT.
    Connect,
    /// Opens the tunnel that CONNECT asked for, and continues as the service behind it.
    Open,
    /// The tunnel is open, by other means. Continues as the service behind it.
    Opened,
    /// Opens the tunnel to a service: at this port of this machine, or at the address in CONNECT.
    Tunnel(Option<u16>),
    /// Waits for the head of a request.
    Head,
    /// Waits for a complete request.
    Request,
    /// Waits until data has arrived, and leaves it unread.
    WaitForData,
    /// Reads and writes nothing for this many milliseconds.
    Wait(u64),
    Microseconds(u64),
    /// Waits until the calls whose requests arrived have returned.
    WaitForReturn,
    /// Lets the next call begin if it waits for the script. The end of a connection does the same.
    StartNextCall,
    /// Reads until the client, or the test, ends the connection.
    Silence,
    Send(Vec<u8>),
    /// Several pieces in one segment; with TLS each is a record. An empty piece stands for a TLS
    /// control message. The number is the percentage of the last piece that is sent.
    SendInOneSegment(Vec<Vec<u8>>, usize),
    /// Sends the rest of the last piece.
    Rest,
    /// Complete responses with these statuses in one write. The first belongs to the last request
    /// and is recorded.
    Respond(&'static [u16]),
    /// Sends bytes below the innermost TLS connection, so they are not records of it.
    SendRaw(Vec<u8>),
    /// Sends, with the end of the connection in the same segment.
    SendAndClose(Vec<u8>),
    /// Sends a byte, waits this many milliseconds, and so on.
    Drip(Vec<u8>, u64),
    /// Sends the same bytes until the client closes.
    Flood(Vec<u8>),
    /// Reads a byte, waits this many milliseconds, and so on.
    ReadSlowly(u64),
    /// An orderly end (close_notify and FIN). Reads what still arrives.
    Close,
    /// FIN without close_notify. Reads what still arrives.
    Cut,
    /// Closes the socket and leaves what has arrived unread.
    CloseUnread,
    Reset,
    /// Resets without reading what has arrived: the client is still sending a large request.
    ResetUnread,
}

impl Step {
    /// Whether it needs a part of a request.
    pub fn needs_request(&self) -> bool {
        matches!(self, Step::Head | Step::Request)
    }
}

/// Responds to a complete request, and keeps the connection.
pub fn respond(response: Vec<u8>) -> Script {
    vec![Step::Request, Step::Send(response)]
}

pub fn respond_after(pause: Duration, response: Vec<u8>) -> Script {
    let pause = Step::Wait(pause.as_millis() as u64);
    vec![Step::Request, pause, Step::Send(response)]
}

pub fn respond_then_close(response: Vec<u8>) -> Script {
    vec![Step::Request, Step::Send(response), Step::Close]
}

/// Closes after a complete request.
pub fn close() -> Script {
    vec![Step::Request, Step::Close]
}

/// Resets after a complete request.
pub fn reset() -> Script {
    vec![Step::Request, Step::Reset]
}

/// Is silent after a complete request.
pub fn stall() -> Script {
    vec![Step::Request, Step::Silence]
}

/// A proxy that connects to the requested address.
pub fn tunnel() -> Script {
    vec![Step::Connect, Step::Tunnel(None)]
}

/// A proxy that connects to this port of this machine, whatever address was requested.
pub fn tunnel_to(port: u16) -> Script {
    vec![Step::Connect, Step::Tunnel(Some(port))]
}

/// A complete response with this status, and a body that says the same.
pub fn response(status: u16) -> Vec<u8> {
    let refusal = || {
        http(
            status,
            format!(r#"{{"responseCode":"{status}","responseMessage":"no"}}"#),
        )
    };
    if status == 200 { created() } else { refusal() }
}
