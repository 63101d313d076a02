//! The part of a socket that another thread may touch.

use super::fork::{self, SocketEntry};
use super::sys;

/// The socket itself, shared with the context that may have to shut it down from another thread.
#[derive(Debug)]
pub(crate) struct SharedSocket {
    /// There until it is dropped.
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

impl Drop for SharedSocket {
    fn drop(&mut self) {
        if self.generation == fork::generation() {
            self.entry.unregister();
        } else {
            // The fork has closed it.
            std::mem::forget(self.socket.take());
        }
    }
}
