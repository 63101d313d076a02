//! The part of a socket that another thread may use.

use std::io;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::platform;
use crate::platform::fork::{self, SocketEntry};

/// A socket that another thread can shut down to cancel a call.
#[derive(Debug)]
pub(crate) struct SharedSocket {
    /// `None` only while it is dropped.
    socket: Option<socket2::Socket>,
    /// See [`platform::socket_number`].
    number: AtomicU64,
    entry: SocketEntry,
    generation: u64,
}

impl SharedSocket {
    pub(crate) fn new(socket: socket2::Socket) -> SharedSocket {
        let generation = fork::generation();
        let descriptor = platform::descriptor(&socket);
        let number = platform::socket_number(descriptor);
        SharedSocket {
            entry: fork::register_socket(descriptor, number),
            number: AtomicU64::new(number),
            socket: Some(socket),
            generation,
        }
    }

    /// The socket. An error in a forked child, where its number may belong to another file.
    pub(crate) fn socket(&self) -> io::Result<&socket2::Socket> {
        let own = self
            .socket
            .as_ref()
            .filter(|_| self.generation == fork::generation());
        own.ok_or_else(|| io::Error::other("the connection belongs to the parent process"))
    }

    /// Prepares the socket for use, after its connect has ended.
    pub(crate) fn connected(&self) -> io::Result<()> {
        let socket = self.socket()?;
        socket.take_error()?.map_or(Ok(()), Err)?;
        let number = self.number.load(Ordering::Relaxed);
        let number = platform::connected_number(platform::descriptor(socket), number);
        self.number.store(number, Ordering::Relaxed);
        self.entry.renumber(number);
        platform::connected(socket)
    }

    /// Whether its descriptor still leads to this socket. A host that closes descriptors which are
    /// not its own may have a file or a connection there by now.
    pub(crate) fn is_intact(&self) -> bool {
        let number = self.number.load(Ordering::Relaxed);
        let descriptor = self.socket.as_ref().map(platform::descriptor);
        descriptor.is_some_and(|descriptor| platform::is_socket(descriptor, number))
    }

    /// Ends every operation that blocks on the socket.
    pub(crate) fn shut_down(&self) {
        if !self.is_intact() {
            return;
        }
        // It fails if the other side has closed the connection. Then nothing blocks.
        let _ = self
            .socket()
            .and_then(|socket| socket.shutdown(std::net::Shutdown::Both));
    }
}

impl Drop for SharedSocket {
    fn drop(&mut self) {
        let is_own = self.generation == fork::generation();
        if is_own {
            self.entry.unregister();
        }
        if !is_own || !self.is_intact() {
            // The fork handler or the host has closed it.
            std::mem::forget(self.socket.take());
        }
    }
}
