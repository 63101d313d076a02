//! A buffer of received bytes, which are wiped once they are consumed: they are a customer's data.

use std::io::{self, Read};

#[derive(Default)]
pub(super) struct Buffer {
    bytes: Vec<u8>,
    filled: usize,
    /// The last read had no room for more.
    was_filled: bool,
}

impl Buffer {
    const SMALLEST: usize = 4 * 1024;
    /// An empty buffer that is larger than this is freed. A TLS record has a little more than 16 KiB
    /// at most.
    pub(super) const KEPT: usize = 20 * 1024;
    /// More is needed by no head of a response, and by no TLS message.
    const LARGEST: usize = 256 * 1024;

    pub(super) fn unread(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or_default()
    }

    /// Whether the last read may have left something behind.
    pub(super) fn was_filled(&self) -> bool {
        self.was_filled
    }

    /// TLS decrypts in place.
    pub(super) fn unread_mut(&mut self) -> &mut [u8] {
        self.bytes.get_mut(..self.filled).unwrap_or_default()
    }

    /// Drops bytes from the front.
    pub(super) fn consume(&mut self, count: usize) {
        let count = count.min(self.filled);
        let left = self.filled - count;
        self.bytes.copy_within(count..self.filled, 0);
        self.wipe_from(left);
        self.filled = left;
        if left == 0 && self.bytes.len() > Self::KEPT {
            self.bytes = Vec::new();
        }
    }

    /// Reads more bytes; 0 at the end of the stream.
    pub(super) fn fill(&mut self, from: &mut (impl Read + ?Sized)) -> io::Result<usize> {
        if self.filled == self.bytes.len() {
            if self.filled >= Self::LARGEST {
                let problem = "a message is too long";
                return Err(io::Error::new(io::ErrorKind::InvalidData, problem));
            }
            self.grow((self.filled * 2).max(Self::SMALLEST));
        }
        let read = from.read(self.bytes.get_mut(self.filled..).unwrap_or_default())?;
        self.filled += read;
        self.was_filled = self.filled == self.bytes.len();
        Ok(read)
    }

    pub(super) fn extend(&mut self, more: &[u8]) {
        let needed = self.filled + more.len();
        if needed > self.bytes.len() {
            self.grow(needed);
        }
        if let Some(target) = self.bytes.get_mut(self.filled..needed) {
            target.copy_from_slice(more);
            self.filled = needed;
        }
    }

    /// Takes new memory: growing the old could leave bytes in it.
    fn grow(&mut self, size: usize) {
        let mut longer = vec![0; size];
        if let Some(target) = longer.get_mut(..self.filled) {
            target.copy_from_slice(self.unread());
        }
        self.wipe_from(0);
        self.bytes = longer;
    }

    /// Zeroes the bytes from `start` on, without a panic if a number is wrong.
    fn wipe_from(&mut self, start: usize) {
        let end = self.filled.min(self.bytes.len());
        if let Some(bytes) = self.bytes.get_mut(start.min(end)..end) {
            wipe(bytes);
        }
    }
}

/// Zeroes bytes in a way that the compiler does not remove.
pub(super) fn wipe(bytes: &mut [u8]) {
    bytes.fill(0);
    std::hint::black_box(bytes);
}
