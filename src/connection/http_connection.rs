//! A connection: one write a request, the count of what was sent, and whether it can serve another
//! call.

use std::io;
use std::sync::Arc;

use zeroize::Zeroize;

use super::context::{Delivery, Failure, Problem};
use super::fork;
use super::socket::{lost_cause, plain};
use super::stream::{Layer as _, Look, Stream};
use super::trust::tls_problem;

/// A connection to the service.
pub(crate) struct Connection {
    stream: Stream,
    host: Arc<str>,
    /// What has come and was not taken yet.
    input: Input,
    /// The request, from its first byte until it is handed to the kernel.
    output: Vec<u8>,
    /// The process that made it: a connection that two processes write to is broken for both.
    generation: u64,
}

/// What a look at the connection brought.
pub(super) enum Received {
    More,
    End(End),
}

/// How a connection ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    /// The other side closed it.
    Clean,
    /// It ended without TLS's goodbye, as anyone on the way could have it end.
    Cut,
    Reset,
}

impl Connection {
    /// Beyond this a kept connection gives its buffers back.
    const KEPT: usize = 16 * 1024;

    pub(super) fn new(stream: Stream, host: Arc<str>) -> Connection {
        Connection {
            stream,
            host,
            input: Input::default(),
            output: Vec::new(),
            generation: fork::generation(),
        }
    }

    /// An empty buffer for a request of `size` bytes at most. It does not grow: growing could leave
    /// credentials behind in the old place.
    pub(super) fn output(&mut self, size: usize) -> &mut Vec<u8> {
        if self.output.capacity() < size {
            self.output = Vec::with_capacity(size);
        }
        &mut self.output
    }

    /// Hands the request to the kernel, in one write where it takes it.
    pub(super) fn send(&mut self, delivery: &Delivery) -> Result<(), Failure> {
        let result = self.send_output(delivery);
        // The request holds credentials, and the buffer lives as long as the connection.
        self.output.zeroize();
        match result {
            Ok(()) => Ok(()),
            // A service may answer and close before it has read the whole request: then the answer
            // is there to be read.
            Err(error)
                if delivery.sent() > 0
                    && is_closed(&error)
                    && !delivery.is_cancelled()
                    && matches!(self.stream.socket().look(), Ok(Look::Data)) =>
            {
                Ok(())
            }
            Err(error) => Err(self.failure(&error)),
        }
    }

    fn send_output(&mut self, delivery: &Delivery) -> io::Result<()> {
        self.stream.socket().deadline = delivery.deadline();
        self.stream
            .send(&self.output, &|sent| delivery.count_sent(sent))
    }

    /// What has come and was not taken yet.
    pub(super) fn input(&self) -> &[u8] {
        self.input.unread()
    }

    pub(super) fn take(&mut self, count: usize) {
        self.input.take(count);
    }

    /// Waits for more of the answer.
    pub(super) fn receive(&mut self, delivery: &Delivery) -> Result<Received, Failure> {
        self.stream.socket().deadline = delivery.deadline();
        match self.stream.receive(self.input.room()) {
            Ok(0) => Ok(Received::End(End::Clean)),
            Ok(received) => {
                self.input.came(received);
                Ok(Received::More)
            }
            Err(error) if is_closed(&error) => Ok(Received::End(End::Reset)),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                Ok(Received::End(End::Cut))
            }
            Err(error) => Err(self.failure(&error)),
        }
    }

    /// Makes it ready to be kept; false where it cannot be. No system call.
    pub(super) fn put_by(&mut self) -> bool {
        if !self.input().is_empty() || !matches!(self.stream.layer().held(), Ok(Look::Nothing)) {
            return false;
        }
        self.input.wipe(Self::KEPT);
        if self.output.capacity() > Self::KEPT {
            self.output = Vec::new();
        }
        true
    }

    /// Whether a kept connection can serve the call: one look at the socket tells whether the other
    /// side closed it or sent anything that nobody asked for, be it a part of a TLS record.
    pub(super) fn take_up(&mut self, delivery: &Delivery) -> bool {
        if self.generation != fork::generation() {
            return false;
        }
        self.stream.socket().deadline = delivery.deadline();
        matches!(self.stream.layer().look(), Ok(Look::Nothing))
            && delivery.watch(self.stream.socket().wire()).is_ok()
    }

    fn failure(&self, error: &io::Error) -> Failure {
        let host = &self.host;
        if error.kind() == io::ErrorKind::TimedOut {
            return Failure::TimedOut;
        }
        if let Some(problem) = tls_problem(error) {
            return Failure::Lost(
                problem.told(|what| format!("the TLS connection to {host} broke: {what}")),
            );
        }
        Failure::Lost(Problem::new(
            lost_cause(error),
            format!("the connection to {host} broke: {}", plain(error)),
        ))
    }
}

fn is_closed(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::BrokenPipe
            | io::ErrorKind::ConnectionReset
            | io::ErrorKind::ConnectionAborted
    )
}

/// Bytes as they came.
#[derive(Default)]
struct Input {
    buffer: Vec<u8>,
    taken: usize,
    filled: usize,
    /// How far the buffer has been filled since it was wiped.
    soiled: usize,
}

impl Input {
    const SMALLEST: usize = 4 * 1024;

    fn unread(&self) -> &[u8] {
        self.buffer.get(self.taken..self.filled).unwrap_or_default()
    }

    fn take(&mut self, count: usize) {
        self.taken = (self.taken + count).min(self.filled);
    }

    /// Room for more.
    fn room(&mut self) -> &mut [u8] {
        if self.taken > 0 {
            self.buffer.copy_within(self.taken..self.filled, 0);
            self.filled -= self.taken;
            self.taken = 0;
        }
        if self.filled == self.buffer.len() {
            // A new buffer, not a longer one: growing could leave the customer's data behind in the
            // old place.
            let mut longer = vec![0; (self.buffer.len() * 2).max(Self::SMALLEST)];
            if let Some(target) = longer.get_mut(..self.filled) {
                target.copy_from_slice(&self.buffer);
            }
            self.buffer.zeroize();
            self.buffer = longer;
        }
        self.buffer.get_mut(self.filled..).unwrap_or_default()
    }

    fn came(&mut self, count: usize) {
        self.filled += count;
        self.soiled = self.soiled.max(self.filled);
    }

    /// Forgets what was taken, since an answer holds the customer's data, and keeps no buffer
    /// longer than `most`.
    fn wipe(&mut self, most: usize) {
        if let Some(soiled) = self.buffer.get_mut(..self.soiled) {
            soiled.zeroize();
        }
        (self.taken, self.filled, self.soiled) = (0, 0, 0);
        if self.buffer.len() > most {
            self.buffer = Vec::new();
        }
    }
}
