//! The part of a socket that another thread may touch.

/// The socket itself, shared with the delivery that may have to shut it down from another thread.
#[derive(Debug)]
pub(crate) struct Wire(pub(super) socket2::Socket);

impl Wire {
    /// Ends whatever blocks on the socket, in either direction.
    pub(crate) fn shut_down(&self) {
        // It fails where the other side has closed already: then nothing blocks.
        let _ = self.0.shutdown(std::net::Shutdown::Both);
    }
}
