//! Reads an HTTP response by RFC 9112, independently of the library.

/// The final response in the bytes of a connection.
#[derive(Debug)]
pub struct Response {
    pub status: u16,
    pub body: Body,
}

/// The body, and how it ended.
#[derive(Debug)]
pub enum Body {
    /// Complete, with its announced end.
    Whole(Vec<u8>),
    /// The announced end is missing or invalid.
    Broken(Vec<u8>),
    /// No end was announced: the body ends with the connection.
    UntilClose(Vec<u8>),
}

impl Body {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Body::Whole(bytes) | Body::Broken(bytes) | Body::UntilClose(bytes) => bytes,
        }
    }
}

/// The numbers of a refusal, as docs/abi.md lists them.
pub fn is_refusal(number: u16) -> bool {
    let others = [421, 422, 426, 428, 429, 431, 451];
    matches!(number, 400..=407 | 410..=417) || others.contains(&number)
}

/// Reads the final response after interim ones; `None` if its head is invalid or incomplete.
pub fn read(mut raw: &[u8]) -> Option<Response> {
    loop {
        let (old, status, headers, rest) = read_head(raw)?;
        // 101 is final, because no upgrade was requested.
        if !(100..=199).contains(&status) || status == 101 {
            return Some(Response {
                status,
                body: read_body(old, status, &headers, rest),
            });
        }
        raw = rest;
    }
}

type Headers = Vec<(String, String)>;

/// Whether it is HTTP/1.0, the status, the headers, and the remaining bytes.
fn read_head(raw: &[u8]) -> Option<(bool, u16, Headers, &[u8])> {
    let mut rest = raw;
    let mut line = take_line(&mut rest)?;
    while line.is_empty() {
        line = take_line(&mut rest)?;
    }
    let line = String::from_utf8_lossy(line);
    let mut words = line.splitn(3, ' ');
    let version = words.next()?;
    let status = words
        .next()
        .filter(|digits| digits.len() == 3 && digits.bytes().all(|byte| byte.is_ascii_digit()))?;
    if version != "HTTP/1.1" && version != "HTTP/1.0" {
        return None;
    }
    let mut headers = Vec::new();
    loop {
        let line = take_line(&mut rest)?;
        if line.is_empty() {
            return Some((version == "HTTP/1.0", status.parse().ok()?, headers, rest));
        }
        let line = String::from_utf8_lossy(line);
        let (name, value) = line.split_once(':')?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
}

fn read_body(old: bool, status: u16, headers: &Headers, rest: &[u8]) -> Body {
    let values = |name: &'static str| {
        headers
            .iter()
            .filter(move |(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    };
    if status == 204 || status == 304 {
        return Body::Whole(Vec::new());
    }
    if values("transfer-encoding").next().is_some() {
        // HTTP/1.0 has no chunks, so the end of such a body is unknown.
        if old {
            return Body::Broken(rest.to_vec());
        }
        let codings = values("transfer-encoding")
            .collect::<Vec<_>>()
            .join(",")
            .to_ascii_lowercase();
        let last = codings.rsplit(',').next().unwrap_or_default().trim();
        return if last == "chunked" {
            read_chunks(rest)
        } else {
            Body::UntilClose(rest.to_vec())
        };
    }
    // Several lengths must be the same number (RFC 9112, section 6.3).
    let mut lengths = values("content-length")
        .flat_map(|value| value.split(','))
        .map(|length| {
            let length = length.trim();
            let digits = length.bytes().all(|byte| byte.is_ascii_digit());
            length.parse::<usize>().ok().filter(|_| digits)
        });
    let Some(length) = lengths.next() else {
        return Body::UntilClose(rest.to_vec());
    };
    match length.filter(|_| lengths.all(|other| other == length)) {
        Some(number) => match rest.get(..number) {
            Some(body) => Body::Whole(body.to_vec()),
            None => Body::Broken(rest.to_vec()),
        },
        None => Body::Broken(rest.to_vec()),
    }
}

fn read_chunks(mut rest: &[u8]) -> Body {
    let mut body = Vec::new();
    loop {
        let size = take_line(&mut rest)
            .map(String::from_utf8_lossy)
            .and_then(|line| {
                let digits = line.split(';').next().unwrap_or_default().trim();
                let valid =
                    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
                usize::from_str_radix(digits, 16).ok().filter(|_| valid)
            });
        match size {
            Some(0) => break,
            Some(size) if size <= rest.len() => {
                let (chunk, after) = rest.split_at(size);
                body.extend_from_slice(chunk);
                rest = after;
                if take_line(&mut rest).is_none_or(|line| !line.is_empty()) {
                    return Body::Broken(body);
                }
            }
            Some(_) => {
                body.extend_from_slice(rest);
                return Body::Broken(body);
            }
            None => return Body::Broken(body),
        }
    }
    // The body is complete. Trailers, complete or not, do not change it.
    Body::Whole(body)
}

/// The next line without its line end (CR LF or LF).
fn take_line<'a>(rest: &mut &'a [u8]) -> Option<&'a [u8]> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let line = &rest[..end];
    *rest = &rest[end + 1..];
    Some(line.strip_suffix(b"\r").unwrap_or(line))
}
