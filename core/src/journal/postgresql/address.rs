//! Where a database is: the parts of a connection URI, its name in messages, and the addresses of
//! its hosts.

use std::ffi::CString;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::problem::JournalProblem;
use super::super::wait::JournalWait;
use super::problem;
use crate::connection::{Failure, Resolver, Target, share};
use crate::error::Cause;
use crate::platform::libpq::{self, Libpq, NOWHERE, PASSWORD, PgConnection};

const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

pub(super) struct Address {
    /// As libpq reads the URI.
    parts: Vec<(String, String)>,
    /// Without the user and the password.
    name: String,
    places: Vec<Place>,
}

pub(super) fn is_uri(text: &str) -> bool {
    SCHEMES.iter().any(|scheme| text.starts_with(scheme))
}

impl Address {
    pub(super) fn read(
        libpq: &'static Libpq,
        uri: &str,
        connect_timeout: Duration,
    ) -> Result<Address, (Cause, String)> {
        let invalid = || {
            let problem = "is not a connection URI of PostgreSQL, such as \
                           postgresql://user@host:5432/database?sslmode=verify-full (in user and \
                           password, write special characters as %XX)";
            (Cause::InvalidValue, problem.to_owned())
        };
        if uri.contains(char::is_control) {
            let problem =
                "is a URI with a control character in it, such as a line break at its end";
            return Err((Cause::InvalidValue, problem.to_owned()));
        }
        let text = CString::new(uri).map_err(|_| invalid())?;
        let parts = libpq::parse(libpq, &text).ok_or_else(invalid)?;
        let parts = with_defaults(libpq, &parts).unwrap_or(parts);
        let part = |key| {
            let found = parts.iter().find(|(name, _)| name == key);
            found.map_or("", |(_, value)| value.as_str())
        };
        // Otherwise parts of a password could count as host or port, and be shown.
        let is_number = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
        let is_socket = part("host").starts_with('@');
        let has_at = |key| part(key).contains('@');
        if has_at("host") && !is_socket
            || ["hostaddr", "port", "dbname"].into_iter().any(has_at)
            || !part("port").split(',').all(is_number)
        {
            return Err(invalid());
        }
        if let Some(problem) = refused(libpq, &parts) {
            let problem = format!("is a connection URI that PostgreSQL refuses: {problem}");
            return Err((Cause::InvalidValue, problem));
        }
        let ports: Vec<_> = part("port").split(',').collect();
        let named = part("host").split(',').enumerate().map(|(at, host)| {
            match ports.get(at).or(ports.first()).copied() {
                None | Some("") => host.to_owned(),
                Some(port) => format!("{host}:{port}"),
            }
        });
        let named: Vec<_> = named.collect();
        let name = format!("postgresql://{}/{}", named.join(","), part("dbname"));
        let places = (0..places(&parts))
            .map(|at| Place::of(&parts, at))
            .collect();
        let mut parts = parts;
        // A kept connection whose network is gone ends as soon as a new one would.
        const USER_TIMEOUT: &str = "tcp_user_timeout";
        if libpq.knows_user_timeout() && !parts.iter().any(|(key, _)| key == USER_TIMEOUT) {
            let milliseconds = connect_timeout.as_millis().to_string();
            parts.push((USER_TIMEOUT.into(), milliseconds));
        }
        Ok(Address {
            parts,
            name,
            places,
        })
    }

    /// One for each host. They belong to a process: a lookup of the parent never ends in a child.
    pub(super) fn resolvers(&self) -> Arc<[Resolver]> {
        self.places.iter().map(|_| Resolver::default()).collect()
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What libpq needs to connect, for each address of each host.
    pub(super) fn parameters(
        &self,
        resolvers: &[Resolver],
        until: Instant,
        wait: &JournalWait<'_>,
    ) -> Result<Vec<Vec<(String, String)>>, JournalProblem> {
        let (mut all, mut failed) = (Vec::new(), None);
        for (at, (place, resolver)) in self.places.iter().zip(resolvers).enumerate() {
            match place.addresses(resolver, share(until, self.places.len() - at), wait) {
                Ok(found) => all.extend(found.iter().map(|found| self.with(place, found))),
                Err(problem) if problem.is_uncertain() => return Err(problem),
                Err(problem) => failed = Some(problem),
            }
        }
        match failed {
            Some(problem) if all.is_empty() => Err(problem),
            _ => Ok(all),
        }
    }

    fn with(&self, place: &Place, address: &str) -> Vec<(String, String)> {
        let own = [
            ("host", &*place.host),
            ("port", &*place.port),
            ("hostaddr", address),
        ];
        let mut all = self.parts.clone();
        all.retain(|(key, _)| !own.iter().any(|(own, _)| own == key));
        let own = own.into_iter().filter(|(_, value)| !value.is_empty());
        let ours = [
            ("client_encoding", "UTF8"),
            ("fallback_application_name", "payorder"),
        ];
        all.extend(
            own.chain(ours)
                .map(|(key, value)| (key.to_owned(), value.to_owned())),
        );
        all
    }
}

/// One of the hosts that a URI names.
struct Place {
    /// Empty for libpq's default.
    host: String,
    port: String,
    /// Empty without one in the URI.
    address: String,
    /// For a host that has a name. libpq's own lookup has no deadline.
    lookup: Option<Target>,
}

impl Place {
    fn addresses(
        &self,
        resolver: &Resolver,
        until: Instant,
        wait: &JournalWait<'_>,
    ) -> Result<Vec<String>, JournalProblem> {
        let Some(target) = &self.lookup else {
            return Ok(vec![self.address.clone()]);
        };
        let found = resolver.resolve(target, until.min(wait.until), wait.scope);
        let (found, _) = found.map_err(ended)?;
        let text = |address: &SocketAddr| match address {
            // The network interface of a link-local address.
            SocketAddr::V6(address) if address.scope_id() != 0 => {
                format!("{}%{}", address.ip(), address.scope_id())
            }
            address => address.ip().to_string(),
        };
        Ok(found.iter().map(text).collect())
    }

    fn of(parts: &[(String, String)], at: usize) -> Place {
        let list = |key: &str| {
            let found = parts.iter().find(|(name, _)| name == key);
            let all: Vec<&str> = found.map_or(Vec::new(), |(_, value)| value.split(',').collect());
            // One port is that of all hosts.
            all.get(at)
                .or(all.first())
                .map_or(String::new(), |text| text.to_string())
        };
        let (host, address) = (list("host"), list("hostaddr"));
        let is_name =
            !host.is_empty() && !host.starts_with(['/', '@']) && host.parse::<IpAddr>().is_err();
        let target = Target {
            host: host.clone(),
            port: 0,
        };
        Place {
            lookup: (is_name && address.is_empty()).then_some(target),
            port: list("port"),
            host,
            address,
        }
    }
}

/// The parts of a URI with those of the environment and of a service file. libpq reads these only when
/// it connects, so it connects here with a value that it refuses before. What this value replaces is
/// read again at each connection: `service` is still among the parts.
fn with_defaults(
    libpq: &'static Libpq,
    parts: &[(String, String)],
) -> Option<Vec<(String, String)>> {
    const REFUSED: &str = "sslmode";
    let mut probe = with_password(parts);
    probe.retain(|(key, _)| key != REFUSED);
    probe.push((REFUSED.into(), "payorder".into()));
    let mut all = PgConnection::start(libpq, &probe)?.parts()?;
    all.retain(|(key, _)| key != REFUSED && key != PASSWORD);
    for part in parts {
        if !all.iter().any(|(key, _)| *key == part.0) {
            all.push(part.clone());
        }
    }
    Some(all)
}

/// Why libpq refuses the values of a URI. It says so only when it connects, so it connects here to
/// addresses that cannot exist: an error about these means that the rest is right.
fn refused(libpq: &'static Libpq, parts: &[(String, String)]) -> Option<String> {
    let mut probe = with_password(parts);
    // Both, because a service file may have both.
    for key in ["host", "hostaddr"] {
        probe.retain(|(other, _)| other != key);
        probe.push((key.into(), vec![NOWHERE; places(parts)].join(",")));
    }
    let message = PgConnection::start(libpq, &probe)?.message();
    (!message.is_empty() && !message.contains(NOWHERE)).then_some(message)
}

/// With any password, so that libpq reads no password file.
fn with_password(parts: &[(String, String)]) -> Vec<(String, String)> {
    let mut probe = parts.to_vec();
    probe.retain(|(key, _)| key != PASSWORD);
    probe.push((PASSWORD.into(), "payorder".into()));
    probe
}

/// How many hosts there are.
fn places(parts: &[(String, String)]) -> usize {
    let of_hosts = parts
        .iter()
        .filter(|(key, _)| ["host", "hostaddr"].contains(&key.as_str()));
    of_hosts
        .map(|(_, value)| value.split(',').count())
        .max()
        .unwrap_or(1)
}

fn ended(failure: Failure) -> JournalProblem {
    match failure {
        Failure::Connect(problem) => problem::unreachable(&problem.message),
        Failure::Cancelled | Failure::Forked => problem::ended(),
        _ => problem::unreachable("its host was not found in time"),
    }
}
