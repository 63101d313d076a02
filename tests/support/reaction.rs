//! What a service does with a connection or a request.

use std::time::Duration;

/// What the service does with a connection or a request. The last one of a script stays.
#[derive(Clone)]
pub enum Reaction {
    /// On a new connection, before anything is read (with TLS: after the handshake).
    CloseUnread,
    ResetUnread,
    StallUnread,
    /// Write these bytes at the first bytes of the client, whatever they are.
    RespondUnread(Vec<u8>),
    /// When the head of a request is there.
    CloseAfterHead,
    ResetAfterHead,
    /// When the whole request is there. The connection is kept where nothing else is said.
    Close,
    Reset,
    Stall,
    Respond(Vec<u8>),
    RespondAfter(Duration, Vec<u8>),
    /// With a pause between them, so that each is a segment of its own.
    RespondInParts(Vec<Vec<u8>>),
    RespondThenClose(Vec<u8>),
    RespondThenReset(Vec<u8>),
    RespondThenStall(Vec<u8>),
    /// With TLS, an end without close_notify.
    RespondThenCut(Vec<u8>),
    /// One byte, then a pause, and so on.
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
