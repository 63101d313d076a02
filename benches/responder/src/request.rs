//! Reads where a request ends, and which response it needs.

pub struct Request<'a> {
    pub method: &'a [u8],
    pub path: &'a [u8],
    /// The length of head and body.
    pub length: usize,
}

impl<'a> Request<'a> {
    /// The first request in `bytes`. `None` until it is complete.
    pub fn find(bytes: &'a [u8]) -> Option<Self> {
        let mut lines = Lines { bytes, at: 0 };
        let mut first = lines.next()?.split(|&byte| byte == b' ');
        let (method, path) = (first.next()?, first.next()?);
        let mut body = 0;
        loop {
            let line = lines.next()?;
            if line.is_empty() {
                break;
            }
            if let Some(value) = content_length(line) {
                body = value;
            }
        }
        let length = lines.at + body;
        (length <= bytes.len()).then_some(Self {
            method,
            path,
            length,
        })
    }
}

fn content_length(line: &[u8]) -> Option<usize> {
    const NAME: &[u8] = b"content-length:";
    let (name, value) = line.split_at_checked(NAME.len())?;
    if !name.eq_ignore_ascii_case(NAME) {
        return None;
    }
    std::str::from_utf8(value).ok()?.trim().parse().ok()
}

/// The lines of a head, without their line endings.
struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a [u8]> {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|&byte| byte == b'\n')?;
        self.at += end + 1;
        Some(rest[..end].strip_suffix(b"\r").unwrap_or(&rest[..end]))
    }
}
