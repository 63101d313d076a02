//! A descriptor that event loops can wait for.

use std::io::{self, Read, Write};
use std::os::fd::AsRawFd;
use std::os::unix::net::UnixStream;

/// Two connected sockets: the first is readable while a byte of the second is in it.
pub(crate) struct ReadySignal {
    readable: UnixStream,
    writable: UnixStream,
}

impl ReadySignal {
    pub(crate) fn new() -> io::Result<ReadySignal> {
        let (readable, writable) = UnixStream::pair()?;
        readable.set_nonblocking(true)?;
        writable.set_nonblocking(true)?;
        Ok(ReadySignal { readable, writable })
    }

    /// What an event loop waits for.
    pub(crate) fn handle(&self) -> isize {
        self.readable.as_raw_fd() as isize
    }

    /// Makes it ready, which it was not.
    pub(crate) fn set(&self) {
        // It fails only if the program has closed the descriptor.
        let _ = (&self.writable).write(&[1]);
    }

    pub(crate) fn clear(&self) {
        let _ = (&self.readable).read(&mut [0]);
    }
}
