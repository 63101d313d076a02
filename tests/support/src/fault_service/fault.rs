//! What a service, or a proxy in front of it, does with a connection: a script of steps.

use crate::responses::{created, http};

/// One step. After the last one the service reads and counts until the client closes.
#[derive(Clone, Debug)]
pub enum Step {
    /// The TLS handshake with this certificate. Inside TLS it starts a second TLS connection, as
    /// through a TLS proxy.
    Handshake(TlsSetup),
    /// The handshake, with these bytes in the same segment as its last message to the client. The
    /// number is the percentage of their record that is sent.
    HandshakeAndSend(TlsSetup, Vec<u8>, usize),
    /// Only this percentage of the service's first handshake message.
    PartOfHandshake(usize),
    /// Reads a proxy's CONNECT.
    Connect,
    /// Opens the tunnel that CONNECT asked for, and continues as the service behind it.
    Open,
    /// The same as a TLS proxy, with half of a TLS message in the same segment as the response to
    /// CONNECT, and the rest this many milliseconds later.
    OpenWithPartialRecord(u64),
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

/// A complete response with this status, and a body that says the same.
pub fn response(status: u16) -> Vec<u8> {
    let refusal = || {
        http(
            status,
            &format!(r#"{{"responseCode":"{status}","responseMessage":"no"}}"#),
        )
    };
    if status == 200 { created() } else { refusal() }
}

/// Which certificate a service presents, and what it requires from the client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TlsSetup {
    Good,
    SelfSigned,
    Expired,
    NotYetValid,
    WrongHost,
    ForAddress,
    /// Issued by an authority that nobody trusts.
    UnknownIssuer,
    /// Issued by an authority with the name of a trusted one.
    ImpostorIssuer,
    RequiresClientCertificate,
    RequiresClientCertificateTls12,
    GoodTls12,
    /// The authority's own certificate.
    AuthorityCertificate,
    /// Issued by a trusted authority, for clients only.
    ForClientsOnly,
    /// A good certificate, but the service speaks only HTTP/2.
    OnlyHttp2,
}

/// How the client reaches the service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    Plain,
    Tls,
    /// The client speaks TLS. The script plays the handshake.
    Handshake,
    /// Through a proxy, which the script's first part plays.
    Proxy,
    ProxyToTls,
    TlsProxy,
    TlsProxyToTls,
    /// Through a TLS proxy whose handshake the script plays too.
    ProxyHandshake,
}

pub const BOTH: &[Way] = &[Way::Plain, Way::Tls];
pub const PROXIES: &[Way] = &[
    Way::Proxy,
    Way::ProxyToTls,
    Way::TlsProxy,
    Way::TlsProxyToTls,
];

impl Way {
    /// The steps before the script.
    pub fn beginning(self) -> &'static [Step] {
        match self {
            Way::Tls | Way::TlsProxy | Way::TlsProxyToTls => &[Step::Handshake(TlsSetup::Good)],
            Way::Plain | Way::Handshake | Way::Proxy | Way::ProxyToTls | Way::ProxyHandshake => &[],
        }
    }

    pub fn base_url_is_secure(self) -> bool {
        matches!(
            self,
            Way::Tls | Way::Handshake | Way::ProxyToTls | Way::TlsProxyToTls
        )
    }

    /// The scheme of the proxy, if there is one.
    pub fn proxy(self) -> Option<&'static str> {
        match self {
            Way::Proxy | Way::ProxyToTls => Some("http"),
            Way::TlsProxy | Way::TlsProxyToTls | Way::ProxyHandshake => Some("https"),
            Way::Plain | Way::Tls | Way::Handshake => None,
        }
    }
}
