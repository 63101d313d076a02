//! Who may use the pages and the control address: a web page of another host, also one whose name
//! means this machine, may not, and beyond this machine the control address needs a secret.

use std::net::{IpAddr, Ipv6Addr};

use super::Service;
use super::http::Request;

/// Why a request is refused: the HTTP status, and what to do.
pub type Refusal = (u16, &'static str);

/// A page of another host can make a name of its own mean this machine. The browser then names the
/// page's host in `Host`.
pub fn check_host(request: &Request, service: &Service) -> Result<(), Refusal> {
    let host = host_of(request.header("Host").unwrap_or_default());
    let own = is_loopback(host)
        || host.eq_ignore_ascii_case(host_of(authority_of(&service.base_url)))
        || (service.exposed && host.parse::<IpAddr>().is_ok())
        || service.tls.as_ref().is_some_and(|tls| tls.is_for(host));
    match own {
        true => Ok(()),
        false => Err((
            403,
            "The Host header must name the sandbox: use the address that it printed at its start, \
             or give it the name with --tls NAME or --public-url URL",
        )),
    }
}

/// A request that changes something must come from a program, or from the sandbox's own pages.
/// Browsers say which page sends it.
pub fn check_origin(request: &Request, service: &Service) -> Result<(), Refusal> {
    let own = match (request.header("Origin"), request.header("Sec-Fetch-Site")) {
        (None, site) => matches!(site, None | Some("same-origin" | "none")),
        (Some(origin), _) => match origin.split_once("://") {
            Some((scheme, authority)) => {
                let here = request.header("Host").unwrap_or_default();
                authority.eq_ignore_ascii_case(here) && (scheme == "https") == service.tls.is_some()
                    || authority.eq_ignore_ascii_case(authority_of(&service.base_url))
            }
            None => false,
        },
    };
    match own {
        true => Ok(()),
        false => Err((403, "Web pages of other hosts may not use this address")),
    }
}

pub fn check_secret(request: &Request, service: &Service) -> Result<(), Refusal> {
    let Some(secret) = &service.secret else {
        return Ok(());
    };
    let given = request.header("Authorization").unwrap_or_default();
    match given.strip_prefix("Bearer ") {
        Some(given) if same(given, secret) => Ok(()),
        _ => Err((
            401,
            "The secret is missing or wrong: send Authorization: Bearer SECRET with the one that \
             the sandbox printed at its start",
        )),
    }
}

/// Compares in the same time for every text of this length.
fn same(given: &str, secret: &str) -> bool {
    let pairs = given.bytes().zip(secret.bytes());
    given.len() == secret.len() && pairs.fold(0, |found, (one, other)| found | (one ^ other)) == 0
}

fn is_loopback(host: &str) -> bool {
    let address = host.parse::<IpAddr>();
    host.eq_ignore_ascii_case("localhost") || address.is_ok_and(|address| address.is_loopback())
}

/// Whether the host of a URL is this machine for everyone.
pub fn is_local(url: &str) -> bool {
    is_loopback(host_of(authority_of(url)))
}

/// What follows `://` in a URL without a path.
pub fn authority_of(url: &str) -> &str {
    url.split_once("://").map_or("", |(_, rest)| rest)
}

/// The host of `HOST:PORT`; of `[ADDRESS]:PORT` the address.
pub fn host_of(authority: &str) -> &str {
    let bracketed = authority.strip_prefix('[');
    match bracketed.and_then(|rest| rest.split_once(']')) {
        Some((address, _)) if address.parse::<Ipv6Addr>().is_ok() => address,
        Some(_) => "",
        None => authority.split(':').next().unwrap_or_default(),
    }
}
