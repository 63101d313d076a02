//! The part of a socket that another thread may use.

use super::fork::{self, SocketEntry};
use super::sys;

/// A socket that another thread can shut down to cancel a call.
#[derive(Debug)]
pub(crate) struct SharedSocket {
    /// `None` only while it is dropped.
    socket: Option<socket2::Socket>,
    entry: SocketEntry,
    generation: u64,
}

impl SharedSocket {
    pub(crate) fn new(socket: socket2::Socket) -> SharedSocket {
        let generation = fork::generation();
        SharedSocket {
            entry: fork::register_socket(sys::descriptor(&socket)),
            socket: Some(socket),
            generation,
        }
    }

    /// The socket. An error in a forked child, where its number may belong to another file.
    pub(crate) fn socket(&self) -> std::io::Result<&socket2::Socket> {
        let own = self
            .socket
            .as_ref()
            .filter(|_| self.generation == fork::generation());
        own.ok_or_else(|| std::io::Error::other("the connection belongs to the parent process"))
    }

    /// Ends every operation that blocks on the socket.
    pub(crate) fn shut_down(&self) {
        // It fails if the other side has closed the connection. Then nothing blocks.
        let _ = self
            .socket()
            .and_then(|socket| socket.shutdown(std::net::Shutdown::Both));
    }
}

impl Drop for SharedSocket {
    fn drop(&mut self) {
        if self.generation == fork::generation() {
            self.entry.unregister();
        } else {
            // The fork handler has closed it.
            std::mem::forget(self.socket.take());
        }
    }
}
