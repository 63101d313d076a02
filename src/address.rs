//! What the library demands of URLs, beyond that they parse.

use url::{Host, Url};

/// An absolute `http` or `https` URL with `//` and a host, as a browser would read it.
pub(crate) struct WebAddress {
    pub(crate) url: Url,
    pub(crate) secure: bool,
}

impl WebAddress {
    /// Reads a URL whose text is clean, whose authority is written out, and that parses. Anything else is `None`.
    pub(crate) fn read(text: &str) -> Option<WebAddress> {
        let (scheme, rest) = split_scheme(text)?;
        let secure = scheme.eq_ignore_ascii_case("https");
        if !is_clean(text) || !(secure || scheme.eq_ignore_ascii_case("http")) {
            return None;
        }
        // The parser would forgive one slash, or five; a browser of another kind might not.
        let authority = rest.strip_prefix("//")?;
        if authority.starts_with(['/', '?', '#']) || authority.is_empty() {
            return None;
        }
        let url = Url::parse(text).ok()?;
        url.host()?;
        Some(WebAddress { url, secure })
    }

    /// Whether the host is `localhost`, in 127.0.0.0/8 or `[::1]`.
    pub(crate) fn is_loopback(&self) -> bool {
        match self.url.host() {
            Some(Host::Domain(name)) => name.eq_ignore_ascii_case("localhost"),
            Some(Host::Ipv4(address)) => address.is_loopback(),
            Some(Host::Ipv6(address)) => address.is_loopback(),
            None => false,
        }
    }

    /// Whether a user name or a password stands before the host, be it an empty one.
    pub(crate) fn has_userinfo(&self, text: &str) -> bool {
        let authority = text.split_once("//").map_or("", |(_, rest)| rest);
        let authority = authority.split(['/', '?', '#']).next().unwrap_or("");
        authority.contains('@') || !self.url.username().is_empty() || self.url.password().is_some()
    }

    /// The host in its normal form: lower case, punycode, brackets around an IPv6 address.
    pub(crate) fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default()
    }
}

/// Whether a customer can be sent to `text`: an absolute URL of any scheme but those that run code or open files.
pub(crate) fn is_return_address(text: &str) -> bool {
    let Some((scheme, rest)) = split_scheme(text) else {
        return false;
    };
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    if is("javascript") || is("data") || is("vbscript") || is("file") {
        return false;
    }
    if is("http") || is("https") {
        return WebAddress::read(text).is_some();
    }
    is_clean(text) && !rest.is_empty()
}

/// Splits `scheme:rest` where the scheme is one by RFC 3986.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let valid = bytes.next()?.is_ascii_alphabetic() && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    valid.then_some((scheme, rest))
}

/// No control characters, no white space, no backslashes: readers of URLs disagree about what those mean.
fn is_clean(text: &str) -> bool {
    let visible = |chunk: &[u8]| chunk.iter().fold(true, |visible, byte| visible & (*byte > b' ') & (*byte < 0x7f) & (*byte != b'\\'));
    text.as_bytes().chunks(32).all(visible)
        || !text.chars().any(|character| character.is_control() || character.is_whitespace() || character == '\\')
}
