//! URLs: only the part of RFC 3986 that every URL parser reads the same way.

use std::borrow::Cow;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// An absolute `http` or `https` URL with `//` and a host.
#[derive(Debug)]
pub(crate) struct WebUrl<'a> {
    pub(crate) secure: bool,
    /// The user name and the password with the colon between them, as written.
    pub(crate) userinfo: Option<&'a str>,
    pub(crate) written_host: &'a str,
    /// `None` for the scheme's default port.
    pub(crate) port: Option<u16>,
    /// Everything after host and port.
    pub(crate) path: &'a str,
}

impl<'a> WebUrl<'a> {
    /// Reads a URL that every parser reads the same way; `None` for anything else.
    pub(crate) fn read(text: &'a str) -> Option<WebUrl<'a>> {
        let (scheme, rest) = split_scheme(text)?;
        let secure = scheme.eq_ignore_ascii_case("https");
        if !is_unambiguous(text) || !(secure || scheme.eq_ignore_ascii_case("http")) {
            return None;
        }
        // A browser would accept one slash, or five; another parser might not.
        let rest = rest.strip_prefix("//")?;
        let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        let (userinfo, place) = match authority.rsplit_once('@') {
            Some((userinfo, place)) => (Some(userinfo), place),
            None => (None, authority),
        };
        let (host, port) = match place.rsplit_once(':') {
            Some(split) if !place.ends_with(']') => split,
            _ => (place, ""),
        };
        let port = match port {
            "" => None,
            digits if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                Some(digits.parse().ok()?)
            }
            _ => return None,
        };
        is_host(host).then_some(WebUrl {
            secure,
            userinfo,
            written_host: host,
            port,
            path,
        })
    }

    /// Whether the host is `localhost`, in 127.0.0.0/8 or `[::1]`.
    pub(crate) fn is_loopback(&self) -> bool {
        let host = self.written_host;
        let address: Result<IpAddr, _> = strip_brackets(host).unwrap_or(host).parse();
        address.is_ok_and(|address| address.is_loopback()) || host.eq_ignore_ascii_case("localhost")
    }

    /// The host in normal form: in lower case; an IPv6 address in its shortest form, without
    /// brackets.
    pub(crate) fn host(&self) -> Cow<'a, str> {
        normal(self.written_host)
    }
}

/// The normal form of a host without a URL, where an IPv6 address may have no brackets. `None` if
/// it is not a host.
pub(crate) fn read_host(text: &str) -> Option<Cow<'_, str>> {
    let is_host = text.parse::<Ipv6Addr>().is_ok() || is_host(text);
    is_host.then(|| normal(text))
}

fn normal(host: &str) -> Cow<'_, str> {
    if let Ok(address) = strip_brackets(host).unwrap_or(host).parse::<Ipv6Addr>() {
        address.to_string().into()
    } else if host.bytes().any(|byte| byte.is_ascii_uppercase()) {
        host.to_ascii_lowercase().into()
    } else {
        host.into()
    }
}

/// Whether a customer can be sent to `text`: an absolute URL of any scheme, except those that run
/// code or open files.
pub(crate) fn is_return_url(text: &str) -> bool {
    let Some((scheme, rest)) = split_scheme(text) else {
        return false;
    };
    let is = |name: &str| scheme.eq_ignore_ascii_case(name);
    if is("javascript") || is("data") || is("vbscript") || is("file") {
        return false;
    }
    if is("http") || is("https") {
        return WebUrl::read(text).is_some();
    }
    is_unambiguous(text) && !rest.is_empty()
}

/// Splits `scheme:rest`, if the scheme is valid according to RFC 3986.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once(':')?;
    let mut bytes = scheme.bytes();
    let valid = bytes.next()?.is_ascii_alphabetic()
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    valid.then_some((scheme, rest))
}

fn strip_brackets(host: &str) -> Option<&str> {
    host.strip_prefix('[')?.strip_suffix(']')
}

/// An IPv6 address in brackets, an IPv4 address of four numbers, or a name: letters, digits,
/// hyphens and underscores between dots. A host that ends in a number is an IPv4 address to some
/// parsers and a name to others, so it must have four numbers. An international name is not
/// converted to its `xn--` form, so it equals only itself.
fn is_host(host: &str) -> bool {
    if let Some(address) = strip_brackets(host) {
        return address.parse::<Ipv6Addr>().is_ok();
    }
    // The name may end with a dot.
    let name = host.strip_suffix('.').unwrap_or(host);
    let is_letter = |one: char| one.is_alphanumeric() || one == '-' || one == '_';
    let is_label = |label: &str| !label.is_empty() && label.chars().all(is_letter);
    let last = name.rsplit('.').next().unwrap_or_default();
    let is_number = last.bytes().all(|byte| byte.is_ascii_digit())
        || last
            .get(..2)
            .is_some_and(|two| two.eq_ignore_ascii_case("0x"));
    name.split('.').all(is_label) && (!is_number || host.parse::<Ipv4Addr>().is_ok())
}

/// Whether the text has no control characters, white space or backslashes: URL parsers disagree
/// about those.
fn is_unambiguous(text: &str) -> bool {
    // Looks at every byte, so that the compiler can test many at once.
    let is_plain = |all, byte: u8| all & byte.is_ascii_graphic() & (byte != b'\\');
    let is_clear = |one: char| one != '\\' && !one.is_control() && !one.is_whitespace();
    text.bytes().fold(true, is_plain) || text.chars().all(is_clear)
}
