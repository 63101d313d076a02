//! A body in chunks (RFC 9112, section 7.1).
//!
//! `ureq-proto` reads everything else of a response. Its reader of chunks refuses valid size lines,
//! and accepts wrong ones. This file can go when it reads those in docs/decisions.md as they should
//! be read.

/// What is wrong with a response, worded to follow "the service answered".
pub(super) type ProtocolError = &'static str;

/// The longest line between two chunks, including extensions. RFC 9112 says to ignore extensions
/// and to limit their length.
const MAX_LINE_BYTES: usize = 8 * 1024;
/// The longest trailer after the last chunk.
const MAX_TRAILER_BYTES: usize = 64 * 1024;

#[derive(Debug, Default)]
pub(super) struct ChunkedDecoder {
    state: State,
    trailer: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Size,
    /// The number of bytes of the current chunk that are missing.
    Data(u64),
    End,
    Trailer,
    Done,
}

impl ChunkedDecoder {
    pub(super) fn is_done(&self) -> bool {
        self.state == State::Done
    }

    /// Whether all data has arrived. Only a trailer and an empty line may be missing.
    pub(super) fn has_all_data(&self) -> bool {
        matches!(self.state, State::Trailer | State::Done)
    }

    /// Decodes as much of the input as possible, and returns how many bytes it consumed.
    pub(super) fn read(
        &mut self,
        input: &[u8],
        data: &mut Vec<u8>,
    ) -> Result<usize, ProtocolError> {
        let mut rest = input;
        while let Some(taken) = self.step(rest, data)? {
            rest = rest.get(taken..).unwrap_or_default();
        }
        Ok(input.len() - rest.len())
    }

    /// One step; `None` if it needs more input.
    fn step(&mut self, input: &[u8], data: &mut Vec<u8>) -> Result<Option<usize>, ProtocolError> {
        match self.state {
            State::Done => Ok(None),
            _ if input.is_empty() => Ok(None),
            State::Size => {
                let Some(line) = line(input)? else {
                    return Ok(None);
                };
                self.state = match chunk_size(line)? {
                    0 => State::Trailer,
                    size => State::Data(size),
                };
                Ok(Some(line.len() + 2))
            }
            State::Data(left) => {
                let (taken, left) = copy(input, left, data);
                self.state = if left == 0 {
                    State::End
                } else {
                    State::Data(left)
                };
                Ok(Some(taken))
            }
            State::End => match input {
                [b'\r', b'\n', ..] => {
                    self.state = State::Size;
                    Ok(Some(2))
                }
                [b'\r'] => Ok(None),
                _ => Err("with a chunk that is longer than it says"),
            },
            State::Trailer => {
                let Some(line) = line(input)? else {
                    return Ok(None);
                };
                self.trailer += line.len() + 2;
                if line.is_empty() {
                    self.state = State::Done;
                } else if self.trailer > MAX_TRAILER_BYTES {
                    return Err("with a trailer that is too long");
                }
                Ok(Some(line.len() + 2))
            }
        }
    }
}

/// Copies at most `left` bytes. Returns how many were copied, and how many are left.
fn copy(input: &[u8], left: u64, data: &mut Vec<u8>) -> (usize, u64) {
    let count = usize::try_from(left).map_or(input.len(), |left| left.min(input.len()));
    data.extend_from_slice(input.get(..count).unwrap_or_default());
    (count, left - count as u64)
}

/// A line without its end, which must be CR LF as in the RFC. A parser that accepts a single line
/// feed would see different chunks.
fn line(input: &[u8]) -> Result<Option<&[u8]>, ProtocolError> {
    let special = |byte: &u8| (*byte < b' ' && *byte != b'\t') || *byte == 0x7f;
    let end = input.iter().take(MAX_LINE_BYTES + 1).position(special);
    match end.map(|end| (end, input.get(end..).unwrap_or_default())) {
        Some((end, [b'\r', b'\n', ..])) => Ok(input.get(..end)),
        Some((_, [b'\r'])) => Ok(None),
        Some(_) => Err("with a control character between two chunks"),
        None if input.len() > MAX_LINE_BYTES => Err("with a line that is too long"),
        None => Ok(None),
    }
}

/// The size at the start of a chunk; extensions are ignored.
fn chunk_size(line: &[u8]) -> Result<u64, ProtocolError> {
    const WRONG: ProtocolError = "with a chunk whose size is not a number";
    let size = line.split(|byte| *byte == b';').next().unwrap_or_default();
    let digits = size.trim_ascii_end();
    if digits.is_empty() {
        return Err(WRONG);
    }
    digits.iter().try_fold(0_u64, |size, byte| {
        let digit = char::from(*byte).to_digit(16).ok_or(WRONG)?;
        let size = size
            .checked_mul(16)
            .ok_or("with a chunk that is too long")?;
        Ok(size + u64::from(digit))
    })
}
