//! How a service reacts to a connection or a request.

use std::time::Duration;

/// How the service reacts to a connection or a request. The last one of a script is repeated.
#[derive(Clone)]
pub enum Reaction {
    /// On a new connection, before reading anything (with TLS, after the handshake).
    CloseUnread,
    ResetUnread,
    StallUnread,
    /// Sends these bytes after the client's first bytes, whatever they are.
    RespondUnread(Vec<u8>),
    /// When the head of a request has arrived.
    CloseAfterHead,
    ResetAfterHead,
    /// When the complete request has arrived. The connection is kept unless the name says
    /// otherwise.
    Close,
    Reset,
    Stall,
    Respond(Vec<u8>),
    RespondAfter(Duration, Vec<u8>),
    /// With a pause between the parts, so that each is a segment of its own.
    RespondInParts(Vec<Vec<u8>>),
    RespondThenClose(Vec<u8>),
    RespondThenReset(Vec<u8>),
    RespondThenStall(Vec<u8>),
    /// With TLS, ends without close_notify.
    RespondThenCut(Vec<u8>),
    /// Sends one byte, then pauses, and so on.
    Drip(Vec<u8>, Duration),
}

impl Reaction {
    pub fn is_unread(&self) -> bool {
        use Reaction::*;
        matches!(
            self,
            CloseUnread | ResetUnread | StallUnread | RespondUnread(_)
        )
    }
}
