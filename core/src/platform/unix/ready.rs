//! A descriptor that event loops can wait for.

use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, IntoRawFd};
use std::os::unix::net::UnixStream;

use super::super::fork::{SocketEntry, register_socket};
use super::descriptors::inode;
use super::sockets::above_standard_streams;

/// Two connected sockets: the first is readable while a byte of the second is in it.
pub(crate) struct ReadySignal {
    readable: End,
    writable: End,
}

/// A host may close it, and have a file or a connection with the same number by now.
struct End {
    /// `None` only while it is dropped.
    socket: Option<UnixStream>,
    /// See [`inode`].
    number: u64,
    entry: SocketEntry,
}

impl End {
    fn new(socket: UnixStream) -> io::Result<End> {
        let socket = UnixStream::from(above_standard_streams(socket.into())?);
        socket.set_nonblocking(true)?;
        let number = inode(socket.as_raw_fd());
        Ok(End {
            entry: register_socket(socket.as_raw_fd(), number),
            socket: Some(socket),
            number,
        })
    }

    /// The socket, if it is still this one.
    fn intact(&self) -> Option<&UnixStream> {
        let is_intact = |socket: &&UnixStream| inode(socket.as_raw_fd()) == self.number;
        self.socket.as_ref().filter(is_intact)
    }
}

impl Drop for End {
    fn drop(&mut self) {
        self.entry.unregister();
        if self.intact().is_none() {
            let _not_ours = self.socket.take().map(IntoRawFd::into_raw_fd);
        }
    }
}

impl ReadySignal {
    pub(crate) fn new() -> io::Result<ReadySignal> {
        let (readable, writable) = UnixStream::pair()?;
        Ok(ReadySignal {
            readable: End::new(readable)?,
            writable: End::new(writable)?,
        })
    }

    /// What an event loop waits for.
    pub(crate) fn handle(&self) -> Option<isize> {
        let socket = self.readable.intact()?;
        Some(socket.as_raw_fd() as isize)
    }

    /// Makes it ready, which it was not.
    pub(crate) fn set(&self) {
        // It fails only if the program has closed the other end.
        let _ = self.writable.intact().map(|mut socket| socket.write(&[1]));
    }

    pub(crate) fn clear(&self) {
        let _ = self
            .readable
            .intact()
            .map(|mut socket| socket.read(&mut [0]));
    }
}
