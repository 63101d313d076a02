//! Chooses a proxy, if any, and opens the tunnel through it.

use std::ffi::OsString;
use std::net::IpAddr;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use percent_encoding::percent_decode_str;
use ureq_proto::http::HeaderMap;
use ureq_proto::http::header::PROXY_AUTHENTICATE;
use ureq_proto::parser::try_parse_response;
use zeroize::Zeroizing;

use super::failure::{ConnectionProblem, Failure};
use super::resolver::Target;
use super::socket::disconnect_cause;
use super::transport::Stream;
use crate::credentials::Secret;
use crate::error::Cause;
use crate::text::url::WebUrl;

/// Which proxy to use. `Debug` shows no user name and no password.
#[derive(Clone, PartialEq, Eq, Default)]
pub enum ProxyChoice {
    /// The proxy in the environment variables, which are read as curl reads them.
    #[default]
    Environment,
    /// No proxy, whatever the environment says.
    None,
    /// The proxy with this URL: `http` or `https`, with a user name and password if it needs them.
    Url(String),
}

impl std::fmt::Debug for ProxyChoice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ProxyChoice::Environment => formatter.write_str("Environment"),
            ProxyChoice::None => formatter.write_str("None"),
            ProxyChoice::Url(url) => match Proxy::read(url) {
                Ok(proxy) => write!(formatter, "Url({})", proxy.target),
                Err(_) => formatter.write_str("Url([not usable])"),
            },
        }
    }
}

/// A proxy that opens tunnels with CONNECT.
#[derive(Debug, Clone)]
pub(crate) struct Proxy {
    pub(crate) target: Target,
    pub(crate) tls: bool,
    credentials: Option<Box<ProxyCredentials>>,
}

#[derive(Debug, Clone)]
struct ProxyCredentials {
    /// The value of `Proxy-Authorization`.
    authorization: Secret,
    password: Secret,
}

const MAX_RESPONSE_BYTES: usize = 16 * 1024;
/// How many kinds of log-in are read.
const MOST_SCHEMES: usize = 8;
/// curl's default, for a proxy URL without a port.
const DEFAULT_PORT: u16 = 1080;

impl Proxy {
    /// The proxy for `target`. The error names the variable if one is wrong. It does not show the
    /// value, which can contain a password.
    pub(crate) fn choose(
        choice: &ProxyChoice,
        target: &Target,
        secure: bool,
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Option<Proxy>, String> {
        match choice {
            ProxyChoice::None => Ok(None),
            ProxyChoice::Url(url) => Proxy::read(url).map(Some),
            ProxyChoice::Environment => {
                // A CGI server sets HTTP_PROXY in capitals from a request's `Proxy` header. Like
                // curl, this function does not read it.
                let names: &[&str] = if secure {
                    &["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
                } else {
                    &["http_proxy", "all_proxy", "ALL_PROXY"]
                };
                // An empty variable counts as not set. One that is not UTF-8 must not count as that:
                // the order would go around the proxy.
                let given = |name: &&'static str| {
                    let value = variable(name).filter(|value| !value.is_empty())?;
                    Some((*name, value))
                };
                let read = |(name, value): (&'static str, OsString)| {
                    let problem = |_| format!("the environment variable {name} is not UTF-8");
                    value.into_string().map_err(problem)
                };
                let Some((name, url)) = names.iter().find_map(given) else {
                    return Ok(None);
                };
                let exempt = ["no_proxy", "NO_PROXY"].iter().find_map(given);
                let exempt = exempt.map(read).transpose()?.unwrap_or_default();
                if is_exempt(&target.host, &exempt) {
                    return Ok(None);
                }
                Proxy::read(&read((name, url))?)
                    .map(Some)
                    .map_err(|problem| format!("the environment variable {name} {problem}"))
            }
        }
    }

    fn read(text: &str) -> Result<Proxy, String> {
        let with_scheme = match text.contains("://") {
            true => text.to_owned(),
            false => format!("http://{text}"),
        };
        if let Some((scheme, _)) = with_scheme
            .split_once("://")
            .filter(|(scheme, _)| !matches!(scheme.to_ascii_lowercase().as_str(), "http" | "https"))
        {
            let shown =
                if scheme.len() <= 8 && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
                    scheme
                } else {
                    "that"
                };
            return Err(format!(
                "names a proxy of the type {shown}, which is not supported; \
                 use an http or https proxy"
            ));
        }
        let address = WebUrl::read(&with_scheme)
            .ok_or("is not a usable proxy URL, such as http://user:password@proxy.example:3128")?;
        let port = address
            .port
            .unwrap_or(if address.secure { 443 } else { DEFAULT_PORT });
        let decode = |text| {
            let decoded = percent_decode_str(text)
                .decode_utf8()
                .map(|text| Zeroizing::new(text.into_owned()));
            decoded
                .map_err(|_| "has a user name or password that is not UTF-8 when percent-decoded")
        };
        let userinfo = address
            .userinfo
            .map(|both| both.split_once(':').unwrap_or((both, "")));
        let credentials = if let Some((user, password)) = userinfo.filter(|both| *both != ("", ""))
        {
            let (user, password) = (decode(user)?, decode(password)?);
            let both = Zeroizing::new(format!("{}:{}", user.as_str(), password.as_str()));
            let encoded = Zeroizing::new(BASE64_STANDARD.encode(both.as_bytes()));
            let authorization = Zeroizing::new(format!("Basic {}", encoded.as_str()));
            Some(Box::new(ProxyCredentials {
                authorization: Secret::mask(authorization.as_bytes()),
                password: Secret::mask(password.as_bytes()),
            }))
        } else {
            None
        };
        let host = address.host();
        if !host.is_ascii() {
            return Err("has a host with non-ASCII letters; write it in its xn-- form".into());
        }
        let host = host.into_owned();
        Ok(Proxy {
            target: Target { host, port },
            tls: address.secure,
            credentials,
        })
    }

    /// The password, to redact it in the service's texts.
    pub(crate) fn password(&self) -> Option<&Secret> {
        Some(&self.credentials.as_ref()?.password)
    }

    pub(crate) fn open_tunnel(
        &self,
        target: &Target,
        user_agent: &str,
        stream: &mut Stream,
    ) -> Result<(), Failure> {
        let failed = |cause, what: String| Failure::Connect(ConnectionProblem::new(cause, what));
        let broken = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::TimedOut => failed(
                Cause::ConnectTimedOut,
                format!("the proxy {} did not open a tunnel in time", self.target),
            ),
            _ => {
                let what = format!("the connection to the proxy {} broke", self.target);
                let cause = disconnect_cause(&error);
                Failure::Connect(ConnectionProblem::of_system(cause, &what, error))
            }
        };
        let credentials = self.credentials.as_ref();
        let authorization = credentials.map(|both| both.authorization.reveal());
        let authorization = match &authorization {
            Some(value) => Zeroizing::new(format!("Proxy-Authorization: {}\r\n", value.as_str())),
            None => Zeroizing::default(),
        };
        let request = Zeroizing::new(format!(
            "CONNECT {target} HTTP/1.1\r\nHost: {target}\r\nUser-Agent: {user_agent}\r\n{}\r\n",
            authorization.as_str()
        ));
        stream.send(request.as_bytes(), &|_| {}).map_err(broken)?;

        let mut answer = Vec::with_capacity(512);
        // Byte by byte, since the bytes after the head belong to the tunnel. It is only one short
        // response for each connection.
        while !answer.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            if stream.read(&mut byte).map_err(broken)? == 0 {
                return Err(failed(
                    Cause::ConnectionClosed,
                    format!(
                        "the proxy {} closed the connection instead of opening a tunnel",
                        self.target
                    ),
                ));
            }
            answer.extend_from_slice(&byte);
            if answer.len() > MAX_RESPONSE_BYTES {
                return Err(failed(
                    Cause::ProxyRefused,
                    format!("the proxy {} sent too long a response", self.target),
                ));
            }
        }
        let response = try_parse_response::<64>(&answer).ok().flatten();
        let offered = response
            .iter()
            .flat_map(|(_, response)| schemes(response.headers()));
        let offered: Vec<String> = offered.take(MOST_SCHEMES).collect();
        let is_basic = |scheme: &String| scheme.eq_ignore_ascii_case("Basic");
        let (cause, what) = match response.map(|(_, response)| response.status().as_u16()) {
            Some(200..=299) => return Ok(()),
            Some(407) if !offered.is_empty() && !offered.iter().any(is_basic) => (
                Cause::ProxyRefused,
                format!(
                    "offers only other log-ins than a user name and password (Basic): {}; ask who \
                     manages it to allow {} without a log-in",
                    offered.join(", "),
                    target.host
                ),
            ),
            Some(407) => (
                Cause::ProxyNeedsCredentials,
                "needs a user name and password, or different ones (HTTP 407); put them into the \
                 proxy URL"
                    .to_owned(),
            ),
            Some(status) => (
                Cause::ProxyRefused,
                format!("refused a tunnel to {target} (HTTP {status})"),
            ),
            None => (
                Cause::ProxyRefused,
                "did not answer like an HTTP proxy".to_owned(),
            ),
        };
        Err(failed(cause, format!("the proxy {} {what}", self.target)))
    }
}

/// Whether curl would not use the proxy for `host`: the list is `*`, or it has the host itself, a
/// domain that it is in, or a network that its address is in.
fn is_exempt(host: &str, list: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let address: Option<IpAddr> = host.parse().ok();
    let is_of_domain = |entry: &str| {
        let entry = entry.strip_suffix('.').unwrap_or(entry);
        let domain = entry.strip_prefix('.').unwrap_or(entry);
        let rest = host.strip_suffix(&domain.to_ascii_lowercase());
        !domain.is_empty() && rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
    };
    list == "*"
        || list.split([',', ' ', '\t']).any(|entry| {
            address.map_or_else(|| is_of_domain(entry), |one| is_in_network(one, entry))
        })
}

/// The kinds of log-in that a proxy offers. What is in quotes, such as a realm, may have commas.
fn schemes(headers: &HeaderMap) -> impl Iterator<Item = String> {
    let values = headers.get_all(PROXY_AUTHENTICATE).into_iter();
    values.flat_map(|value| {
        let value = String::from_utf8_lossy(value.as_bytes());
        let unquoted: String = value.split('"').step_by(2).collect();
        let challenges = unquoted.split(',').filter_map(|part| {
            // A parameter of the challenge before it has an equals sign.
            let scheme = part.split_whitespace().next()?;
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            (scheme.len() <= 20 && scheme.bytes().all(is_name)).then(|| scheme.to_owned())
        });
        challenges.collect::<Vec<_>>()
    })
}

fn is_in_network(address: IpAddr, entry: &str) -> bool {
    let (network, length) = match entry.split_once('/') {
        Some((network, length)) => match length.parse::<u32>() {
            Ok(length) => (network, Some(length)),
            Err(_) => return false,
        },
        None => (entry, None),
    };
    let bits = |address: IpAddr| match address {
        IpAddr::V4(address) => (u128::from(address.to_bits()), 32),
        IpAddr::V6(address) => (address.to_bits(), 128),
    };
    let Ok(network) = network.parse::<IpAddr>() else {
        return false;
    };
    let ((left, width), (right, other_width)) = (bits(address), bits(network));
    let length = length.unwrap_or(width);
    // With a length of 0, the shift by the whole width leaves nothing to compare.
    width == other_width
        && length <= width
        && (left ^ right).checked_shr(width - length).unwrap_or(0) == 0
}
