//! What a service, or a proxy before it, does with a connection: a script of steps.

use crate::support::responses::{created, http};

/// One step. After the last one the service reads on, and counts, until the client leaves.
#[derive(Clone, Debug)]
pub enum Step {
    /// The TLS handshake, by this certificate. Within TLS it begins a second one, as through a
    /// proxy that is reached by TLS.
    Shake(Shown),
    /// The handshake, with these bytes in the same segment as its last message to the client. Of
    /// their record only so many hundredths are sent.
    ShakeAndSend(Shown, Vec<u8>, usize),
    /// Of the service's first response in the handshake only so many hundredths.
    PartOfHandshake(usize),
    /// Reads a proxy's CONNECT.
    Connect,
    /// Opens the tunnel that CONNECT asked for, and plays the service behind it.
    Open,
    /// The same by a TLS proxy, with half a message of its TLS in the same segment as its response,
    /// and the rest so many milliseconds later.
    OpenWithHalfARecord(u64),
    /// Waits for the head of a request.
    Head,
    /// Waits for the whole of a request.
    Request,
    /// Waits until something has come, and leaves it unread.
    Something,
    /// Milliseconds in which nothing is read or written.
    Wait(u64),
    Microseconds(u64),
    /// Waits until the calls whose requests have come are over.
    Returned,
    /// Lets the next call begin where that waits to be told. The end of a connection does the same.
    Tell,
    Send(Vec<u8>),
    /// Several pieces in one segment, in TLS each in a record of its own. An empty one is a message
    /// of TLS's own, as a session ticket is. Of the last one only so many hundredths.
    Together(Vec<Vec<u8>>, usize),
    /// What was left over of the last piece.
    Rest,
    /// Whole responses of these statuses in one write, the first to the last request, which the
    /// ledger is told of.
    Respond(&'static [u16]),
    /// Bytes below the uppermost TLS, which are no records of it.
    SendBelow(Vec<u8>),
    /// With the end in the same segment.
    SendAndClose(Vec<u8>),
    /// A byte, then as many milliseconds, and so on.
    Drip(Vec<u8>, u64),
    /// The same over and over, for as long as the client takes it.
    Flood(Vec<u8>),
    /// Reads a byte, then waits as many milliseconds, and so on.
    Sip(u64),
    /// The end in good order; what still comes is read.
    Close,
    /// The end of TCP without TLS's goodbye; what still comes is read.
    Cut,
    /// The end of everything, with what has come left unread.
    Slam,
    Reset,
    /// The same without a look at what has come: of a large request the client is still sending.
    ResetUnread,
}

/// A whole response of this status, with a body that says the same.
pub fn response(status: u16) -> Vec<u8> {
    let refusal = || {
        http(
            status,
            &format!(r#"{{"responseCode":"{status}","responseMessage":"no"}}"#),
        )
    };
    if status == 200 { created() } else { refusal() }
}

/// Which certificate a service shows, and what it wants of the client.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Shown {
    Good,
    SelfSigned,
    Expired,
    NotYetValid,
    OfAnotherHost,
    OfAnAddress,
    /// Of an authority that nobody trusts.
    OfAStranger,
    /// Of one that has the name of a trusted one.
    OfAnImpostor,
    GoodAndWantsOne,
    GoodAndWantsOneByTls12,
    GoodByTls12,
    /// The authority's own certificate.
    OfTheAuthority,
    /// Of a trusted authority, for clients only.
    ForClients,
    /// A good one, by a service that speaks only HTTP/2.
    OnlyHttp2,
}

/// How the client reaches the service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    Plain,
    Tls,
    /// The client speaks TLS, and the script says what it meets.
    Handshake,
    /// Through a proxy: what the script's first part plays.
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
    /// What a connection begins with before the script.
    pub fn beginning(self) -> &'static [Step] {
        match self {
            Way::Tls | Way::TlsProxy | Way::TlsProxyToTls => &[Step::Shake(Shown::Good)],
            Way::Plain | Way::Handshake | Way::Proxy | Way::ProxyToTls | Way::ProxyHandshake => &[],
        }
    }

    pub fn base_url_is_secure(self) -> bool {
        matches!(
            self,
            Way::Tls | Way::Handshake | Way::ProxyToTls | Way::TlsProxyToTls
        )
    }

    /// The scheme of the proxy, where there is one.
    pub fn proxy(self) -> Option<&'static str> {
        match self {
            Way::Proxy | Way::ProxyToTls => Some("http"),
            Way::TlsProxy | Way::TlsProxyToTls | Way::ProxyHandshake => Some("https"),
            Way::Plain | Way::Tls | Way::Handshake => None,
        }
    }
}
