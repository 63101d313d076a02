//! A body in chunks (RFC 9112, section 7.1).
//!
//! `ureq-proto` reads everything else of a response. Its reader of chunks accepts size lines of at
//! most 20 bytes, including extensions, so a valid response with a longer extension would be lost.

/// What is wrong with a response, worded to follow "the service answered".
pub(super) type ProtocolError = &'static str;

/// The longest line between two chunks, including extensions. RFC 9112 says to ignore extensions
/// and to limit their length.
const MAX_LINE_BYTES: usize = 8 * 1024;
/// The longest trailer after the last chunk.
const MAX_TRAILER_BYTES: usize = 64 * 1024;

/// Decodes a body in chunks.
#[derive(Debug)]
pub(super) struct ChunkedDecoder {
    state: State,
    /// Bytes of the trailer so far.
    trailer: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Size,
    /// The number of bytes of the current chunk that are missing.
    Data(u64),
    End,
    Trailer,
    Done,
}

impl ChunkedDecoder {
    pub(super) fn new() -> ChunkedDecoder {
        ChunkedDecoder {
            state: State::Size,
            trailer: 0,
        }
    }

    /// Whether the body is complete.
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
                    return Err("with a trailer of more than 65536 bytes");
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
        None if input.len() > MAX_LINE_BYTES => {
            Err("with a line of more than 8192 bytes between two chunks")
        }
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

#[cfg(test)]
mod tests {
    use super::{ChunkedDecoder, MAX_LINE_BYTES, MAX_TRAILER_BYTES};

    /// The data, whether it is complete, and how many bytes are left. The input comes in pieces.
    fn read(input: &[u8], piece: usize) -> Result<(Vec<u8>, bool, usize), &str> {
        let (mut body, mut data, mut taken) = (ChunkedDecoder::new(), Vec::new(), 0);
        let mut come = 0;
        while come < input.len() {
            come = (come + piece).min(input.len());
            taken += body.read(&input[taken..come], &mut data)?;
        }
        Ok((data, body.is_done(), input.len() - taken))
    }

    fn chunks(input: &str) -> Result<(String, bool, usize), &str> {
        let whole = read(input.as_bytes(), input.len().max(1));
        let piece = 1 + input.len() / 100;
        let pieces = read(input.as_bytes(), piece);
        assert_eq!(whole, pieces, "{input:?}");
        whole.map(|(data, done, left)| (String::from_utf8(data).unwrap(), done, left))
    }

    #[test]
    fn chunks_are_put_together_and_extensions_ignored() {
        let extension = format!("8;{}", "x".repeat(MAX_LINE_BYTES - 2));
        for (input, data, left) in [
            ("5\r\nabcde\r\n0\r\n\r\n".to_owned(), "abcde", 0),
            (
                "5\r\nabcde\r\n00a\r\n0123456789\r\n0\r\n\r\nnext".into(),
                "abcde0123456789",
                4,
            ),
            (
                "8a;name=a-long-value\r\n".to_owned() + &"y".repeat(138) + "\r\n0;last\r\n\r\n",
                &"y".repeat(138),
                0,
            ),
            (
                format!("{extension}\r\nabcdefgh\r\n0\r\n\r\n"),
                "abcdefgh",
                0,
            ),
            (
                "2 ;a=\"b\tc\"\r\nab\r\n0 \r\nX: y\r\nZ:\r\n\r\n".into(),
                "ab",
                0,
            ),
            ("A\r\n0123456789\r\n0\r\n\r\n".into(), "0123456789", 0),
        ] {
            assert_eq!(
                chunks(&input),
                Ok((data.to_owned(), true, left)),
                "{input:?}"
            );
        }
    }

    #[test]
    fn chunks_that_are_not_well_formed_are_refused() {
        let too_long = format!(
            "8;{}\r\nabcdefgh\r\n0\r\n\r\n",
            "x".repeat(MAX_LINE_BYTES - 1)
        );
        let trailers = format!("0\r\n{}\r\n", "X: y\r\n".repeat(MAX_TRAILER_BYTES / 6 + 1));
        for input in [
            "\r\n",
            ";x\r\n",
            " 5\r\nabcde\r\n",
            "+5\r\nabcde\r\n",
            "0x5\r\nabcde\r\n",
            "5g\r\nabcde\r\n",
            "5\nabcde\r\n",
            "5;x\ny\r\nabcde\r\n",
            "5;x\ry\r\nabcde\r\n",
            "5\r\nabcdef\r\n",
            "5\r\nabcde\n0\r\n\r\n",
            "10000000000000000\r\n",
            &too_long,
            &trailers,
        ] {
            assert!(chunks(input).is_err(), "{input:?}");
        }
        // A line without an end is refused as soon as it is too long.
        let endless = "5;".to_owned() + &"y".repeat(MAX_LINE_BYTES);
        assert!(chunks(&endless).is_err());
    }

    #[test]
    fn the_last_chunk_is_the_end_of_the_data() {
        for (input, all) in [
            ("5\r\nabcde\r\n", false),
            ("5\r\nabcde\r\n0\r", false),
            ("5\r\nabcde\r\n0\r\n", true),
        ] {
            let mut body = ChunkedDecoder::new();
            body.read(input.as_bytes(), &mut Vec::new()).unwrap();
            assert_eq!(
                (body.has_all_data(), body.is_done()),
                (all, false),
                "{input:?}"
            );
        }
    }
}
