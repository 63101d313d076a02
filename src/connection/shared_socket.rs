//! The part of a socket that another thread may touch.

use super::fork::{self, Listed};
use super::sys;

/// The socket itself, shared with the delivery that may have to shut it down from another thread.
#[derive(Debug)]
pub(crate) struct Wire {
    /// There until it is dropped.
    socket: Option<socket2::Socket>,
    listed: Listed,
    generation: u64,
}

impl Wire {
    pub(crate) fn new(socket: socket2::Socket) -> Wire {
        let generation = fork::generation();
        Wire {
            listed: fork::list(sys::descriptor(&socket)),
            socket: Some(socket),
            generation,
        }
    }

    /// The socket; an error in a forked child, where its number may be another file's.
    pub(crate) fn socket(&self) -> std::io::Result<&socket2::Socket> {
        let own = self
            .socket
            .as_ref()
            .filter(|_| self.generation == fork::generation());
        own.ok_or_else(|| std::io::Error::other("the connection is the parent process's"))
    }

    /// Ends whatever blocks on the socket, in either direction.
    pub(crate) fn shut_down(&self) {
        // It fails where the other side has closed already: then nothing blocks.
        let _ = self
            .socket()
            .and_then(|socket| socket.shutdown(std::net::Shutdown::Both));
    }
}

impl Drop for Wire {
    fn drop(&mut self) {
        if self.generation == fork::generation() {
            self.listed.end();
        } else {
            // The fork has closed it.
            std::mem::forget(self.socket.take());
        }
    }
}
