//! The head of a request, and the head of an answer: RFC 9112, as far as a client that posts JSON
//! needs it.

use http::HeaderValue;

use super::body::Framing;
use super::{Post, Route};

/// The longest head of an answer, in bytes.
pub(super) const LONGEST_HEAD: usize = 64 * 1024;
const MOST_HEADERS: usize = 128;

/// What of an answer is not as HTTP/1.1 has it, as the end of "the service answered".
pub(super) type Malformed = &'static str;

/// How long the head of a request is at most.
pub(super) fn size(route: &Route, post: &Post<'_>) -> usize {
    let line = |name: &str, value: &HeaderValue| name.len() + value.len() + 4;
    let route: usize = route
        .headers
        .iter()
        .map(|(name, value)| line(name.as_str(), value))
        .sum();
    let credentials: usize = post
        .credentials
        .iter()
        .map(|(name, value)| line(name.as_str(), value))
        .sum();
    // The request line, and the length of the body.
    route + credentials + post.uri.path().len() + 80
}

/// Writes the head of a request to an output that has room for it.
pub(super) fn write(route: &Route, post: &Post<'_>, output: &mut Vec<u8>) {
    output.extend_from_slice(b"POST ");
    output.extend_from_slice(post.uri.path().as_bytes());
    output.extend_from_slice(b" HTTP/1.1\r\n");
    let mut line = |name: &str, value: &[u8]| {
        output.extend_from_slice(name.as_bytes());
        output.extend_from_slice(b": ");
        output.extend_from_slice(value);
        output.extend_from_slice(b"\r\n");
    };
    for (name, value) in &route.headers {
        line(name.as_str(), value.as_bytes());
    }
    line("content-length", post.body.len().to_string().as_bytes());
    for (name, value) in post.credentials {
        line(name.as_str(), value.as_bytes());
    }
    output.extend_from_slice(b"\r\n");
}

/// The head of an answer.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) status: u16,
    pub(super) retry_after: Option<String>,
    pub(super) framing: Framing,
    /// Whether the next answer can follow on the same connection.
    pub(super) reusable: bool,
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Read {
    /// The head is not there as a whole.
    More,
    /// An interim answer of so many bytes: the final one follows.
    Interim(usize),
    /// The final answer's head, of so many bytes.
    Final(usize, Head),
}

/// Reads the head of an answer.
pub(super) fn read(input: &[u8]) -> Result<Read, Malformed> {
    let mut headers = [httparse::EMPTY_HEADER; MOST_HEADERS];
    let mut response = httparse::Response::new(&mut headers);
    let length = match response.parse(input) {
        Ok(httparse::Status::Complete(length)) => Some(length),
        Ok(httparse::Status::Partial) => None,
        Err(httparse::Error::TooManyHeaders) => return Err("with more than 128 headers"),
        Err(httparse::Error::Version) => return Err("with another version than HTTP/1.1"),
        Err(_) => return Err("with something that is not HTTP"),
    };
    if length.unwrap_or(input.len()) > LONGEST_HEAD {
        return Err("with a head of more than 65536 bytes");
    }
    let (Some(length), Some(status), Some(minor)) = (length, response.code, response.version)
    else {
        return Ok(Read::More);
    };
    match status {
        0..100 => Err("with something that is not HTTP"),
        // 101 ends HTTP on this connection: nothing else follows.
        100 | 102..200 => Ok(Read::Interim(length)),
        _ => {
            let headers = Headers(response.headers);
            Ok(Read::Final(length, headers.head(status, minor == 0)?))
        }
    }
}

struct Headers<'a>(&'a [httparse::Header<'a>]);

impl Headers<'_> {
    fn head(&self, status: u16, http10: bool) -> Result<Head, Malformed> {
        let length = self.content_length()?;
        let chunked = self.is_chunked(http10)?;
        let framing = match length {
            _ if matches!(status, 101 | 204 | 304) => Framing::None,
            _ if chunked => Framing::Chunked,
            Some(length) => Framing::Length(length),
            None => Framing::UntilTheEnd,
        };
        let goes_on = if http10 {
            self.says("connection", "keep-alive")
        } else {
            // With both, some other reader on the way may have put the body's end elsewhere.
            !(chunked && length.is_some())
        };
        Ok(Head {
            status,
            retry_after: self.text("retry-after"),
            framing,
            reusable: goes_on
                && status != 101
                && framing != Framing::UntilTheEnd
                && !self.says("connection", "close"),
        })
    }

    fn values(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        let named = move |header: &&httparse::Header<'_>| header.name.eq_ignore_ascii_case(name);
        self.0.iter().filter(named).map(|header| header.value)
    }

    /// The elements of all headers of that name, which are lists.
    fn elements(&self, name: &str) -> impl Iterator<Item = &[u8]> {
        self.values(name)
            .flat_map(|value| value.split(|byte| *byte == b','))
            .map(<[u8]>::trim_ascii)
    }

    fn says(&self, name: &str, word: &str) -> bool {
        self.elements(name)
            .any(|element| element.eq_ignore_ascii_case(word.as_bytes()))
    }

    fn text(&self, name: &str) -> Option<String> {
        let text = std::str::from_utf8(self.values(name).next()?).ok()?;
        text.is_ascii().then(|| text.to_owned())
    }

    /// Several lengths that agree are one.
    fn content_length(&self) -> Result<Option<u64>, Malformed> {
        let mut agreed = None;
        for element in self.elements("content-length") {
            let digits = !element.is_empty() && element.iter().all(u8::is_ascii_digit);
            let length = std::str::from_utf8(element)
                .ok()
                .and_then(|text| text.parse().ok())
                .filter(|_| digits)
                .ok_or("with a Content-Length that is not a number")?;
            if agreed.is_some_and(|agreed| agreed != length) {
                return Err("with two different Content-Lengths");
            }
            agreed = Some(length);
        }
        Ok(agreed)
    }

    /// Only `chunked` alone is understood: the end of any other encoding is not certain.
    fn is_chunked(&self, http10: bool) -> Result<bool, Malformed> {
        let mut encodings = self.elements("transfer-encoding");
        let Some(first) = encodings.next() else {
            return Ok(false);
        };
        if http10 {
            // RFC 9112, 6.1.
            return Err(
                "in HTTP/1.0 with a Transfer-Encoding, so that its body has no certain end",
            );
        }
        if encodings.next().is_some() || !first.eq_ignore_ascii_case(b"chunked") {
            return Err("with a Transfer-Encoding other than chunked");
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::{Framing, Head, LONGEST_HEAD, Read, read};

    fn head_of(head: &str) -> Result<Head, &'static str> {
        match read(format!("{head}\r\n\r\n").as_bytes())? {
            Read::Final(length, head_read) if length == head.len() + 4 => Ok(head_read),
            other => panic!("{head}: {other:?}"),
        }
    }

    #[test]
    fn where_a_body_ends_is_read_from_the_head() {
        for (head, framing, reusable) in [
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5",
                Framing::Length(5),
                true,
            ),
            (
                "HTTP/1.1 200 OK\r\ncontent-length:\t5 , 5\r\nContent-Length: 5",
                Framing::Length(5),
                true,
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: x, Close",
                Framing::Length(5),
                false,
            ),
            (
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\nConnection: closed",
                Framing::Length(5),
                true,
            ),
            (
                "HTTP/1.0 200 OK\r\nContent-Length: 5",
                Framing::Length(5),
                false,
            ),
            (
                "HTTP/1.0 200 OK\r\nContent-Length: 5\r\nConnection: Keep-Alive",
                Framing::Length(5),
                true,
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked",
                Framing::Chunked,
                true,
            ),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5",
                Framing::Chunked,
                false,
            ),
            ("HTTP/1.1 200 OK", Framing::UntilTheEnd, false),
            ("HTTP/1.1 204 Nothing", Framing::None, true),
            (
                "HTTP/1.1 204 Nothing\r\nConnection: close",
                Framing::None,
                false,
            ),
            (
                "HTTP/1.1 304 Same\r\nContent-Length: 5",
                Framing::None,
                true,
            ),
            (
                "HTTP/1.1 302 There\r\nContent-Length: 0\r\nConnection: close",
                Framing::Length(0),
                false,
            ),
            ("HTTP/1.1 101 Other\r\nUpgrade: h2c", Framing::None, false),
        ] {
            let read = head_of(head).unwrap();
            assert_eq!((read.framing, read.reusable), (framing, reusable), "{head}");
        }
    }

    #[test]
    fn a_head_whose_body_has_no_certain_end_is_refused() {
        for headers in [
            "Transfer-Encoding: chunked, deflate",
            "Transfer-Encoding: gzip, chunked",
            "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "Transfer-Encoding: identity",
            "Transfer-Encoding: chunked, chunked",
            "Transfer-Encoding: chunkedx",
            "Transfer-Encoding: ",
            "Content-Length: 5\r\nTransfer-Encoding: identity",
            "Content-Length: 5, 6",
            "Content-Length: +5",
            "Content-Length: ",
            "Content-Length: 18446744073709551616",
        ] {
            for status in ["200 OK", "204 Nothing"] {
                assert!(
                    head_of(&format!("HTTP/1.1 {status}\r\n{headers}")).is_err(),
                    "{headers}"
                );
            }
        }
        assert!(head_of("HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked").is_err());
    }

    #[test]
    fn a_head_may_have_64_kib_and_128_headers() {
        let long = |length: usize| {
            let start = "HTTP/1.1 200 OK\r\nX: ";
            format!("{start}{}", "x".repeat(length - start.len() - 4))
        };
        assert!(head_of(&long(LONGEST_HEAD)).is_ok());
        assert!(head_of(&long(LONGEST_HEAD + 1)).is_err());
        // Without its end.
        assert_eq!(read(long(LONGEST_HEAD + 4).as_bytes()), Ok(Read::More));
        assert!(read(long(LONGEST_HEAD + 5).as_bytes()).is_err());
        let many = |count| format!("HTTP/1.1 200 OK{}", "\r\nX: y".repeat(count));
        assert!(head_of(&many(128)).is_ok());
        assert!(head_of(&many(129)).is_err());
    }

    #[test]
    fn interim_answers_are_told_from_final_ones() {
        let early = "HTTP/1.1 103 Early\r\nLink: x\r\n\r\n";
        let both = format!("{early}HTTP/1.1 200 OK\r\n\r\n");
        assert_eq!(read(both.as_bytes()), Ok(Read::Interim(early.len())));
        assert_eq!(read(&both.as_bytes()[..early.len() - 1]), Ok(Read::More));
        assert!(read(b"HTTP/1.1 099 Low\r\n\r\n").is_err());
        assert!(read(b"HTTP/2 200 OK\r\n\r\n").is_err());
        assert!(read(b"what?").is_err());
    }
}
