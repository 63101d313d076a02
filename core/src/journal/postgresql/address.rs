//! Where a database is: the parts of a connection URI, its name in messages, and the addresses of
//! its hosts.

use std::ffi::CString;
use std::net::IpAddr;
use std::time::Instant;

use super::super::problem::{JournalProblem, Kind};
use super::super::wait::JournalWait;
use super::problem;
use crate::connection::{Failure, Resolver, Target};
use crate::error::{Cause, Code, Error};
use crate::platform::libpq::{self, Libpq, PgConnection};

const SCHEMES: [&str; 2] = ["postgresql://", "postgres://"];

pub(super) struct Address {
    /// As libpq reads the URI.
    parts: Vec<(String, String)>,
    /// Without the user and the password.
    name: String,
    /// The hosts that have a name. libpq's own lookup has no deadline.
    hosts: Vec<(String, Resolver)>,
}

pub(super) fn is_uri(text: &str) -> bool {
    SCHEMES.iter().any(|scheme| text.starts_with(scheme))
}

impl Address {
    pub(super) fn read(libpq: &'static Libpq, uri: &str) -> Result<Address, (Cause, String)> {
        let invalid = || {
            let problem = "is not a connection URI of PostgreSQL, such as \
                           postgresql://user@host:5432/database?sslmode=verify-full (in user and \
                           password, write special characters as %XX)";
            (Cause::InvalidValue, problem.to_owned())
        };
        // Otherwise parts of a password could count as host or port, and be shown.
        let place = uri.split('?').next().unwrap_or_default();
        let authority = place.split('/').nth(2).unwrap_or_default();
        if place.matches('@').count() > usize::from(authority.contains('@')) {
            return Err(invalid());
        }
        let text = CString::new(uri).map_err(|_| invalid())?;
        let parts = libpq::parse(libpq, &text).ok_or_else(invalid)?;
        if let Some(problem) = refused(libpq, &parts) {
            let problem = format!("is a connection URI that PostgreSQL refuses: {problem}");
            return Err((Cause::InvalidValue, problem));
        }
        let part = |key| {
            let found = parts.iter().find(|(name, _)| name == key);
            found.map_or("", |(_, value)| value.as_str())
        };
        let ports: Vec<_> = part("port").split(',').collect();
        let named = part("host").split(',').enumerate().map(|(at, host)| {
            match ports.get(at).or(ports.first()).copied() {
                None | Some("") => host.to_owned(),
                Some(port) => format!("{host}:{port}"),
            }
        });
        let named: Vec<_> = named.collect();
        let name = format!("postgresql://{}/{}", named.join(","), part("dbname"));
        let hosts = match part("hostaddr") {
            "" => part("host")
                .split(',')
                .filter(|host| needs_lookup(host))
                .collect(),
            _ => Vec::new(),
        };
        let hosts = hosts
            .into_iter()
            .map(|host| (host.to_owned(), Resolver::default()))
            .collect();
        Ok(Address { parts, name, hosts })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// What libpq needs to connect, with the addresses of the hosts.
    pub(super) fn parameters(
        &self,
        until: Instant,
        wait: &JournalWait<'_>,
    ) -> Result<Vec<(String, String)>, JournalProblem> {
        let mut all = self.parts.clone();
        let mut set = |key: &str, value: String| {
            all.retain(|(name, _)| name != key);
            all.push((key.to_owned(), value));
        };
        set("client_encoding", "UTF8".into());
        set("fallback_application_name", "payorder".into());
        if self.hosts.is_empty() {
            return Ok(all);
        }
        let part = |key| self.parts.iter().find(|(name, _)| name == key);
        let list = |key| part(key).map_or(Vec::new(), |(_, value)| value.split(',').collect());
        let (hosts, ports): (Vec<&str>, Vec<&str>) = (list("host"), list("port"));
        let (mut places, mut failed) = (Vec::new(), None);
        for (at, host) in hosts.iter().enumerate() {
            // One port is that of all hosts.
            let port = ports.get(at).or(ports.first()).copied().unwrap_or_default();
            let Some((_, resolver)) = self.hosts.iter().find(|(name, _)| name == host) else {
                places.push((*host, port, String::new()));
                continue;
            };
            let target = Target {
                host: (*host).to_owned(),
                port: 0,
            };
            match resolver.resolve(&target, until.min(wait.until), wait.scope) {
                Ok((addresses, _)) => places.extend(
                    addresses
                        .iter()
                        .map(|address| (*host, port, address.ip().to_string())),
                ),
                Err(failure @ (Failure::Cancelled | Failure::Forked)) => {
                    return Err(ended(failure));
                }
                Err(failure) => failed = Some(failure),
            }
        }
        if let (true, Some(failure)) = (places.is_empty(), failed) {
            return Err(ended(failure));
        }
        let joined = |part: fn(&(&str, &str, String)) -> String| {
            places.iter().map(part).collect::<Vec<_>>().join(",")
        };
        set("host", joined(|(host, _, _)| (*host).to_owned()));
        set("port", joined(|(_, port, _)| (*port).to_owned()));
        set("hostaddr", joined(|(_, _, address)| address.clone()));
        Ok(all)
    }
}

/// Why libpq refuses the values of a URI. It says so only when it connects, so it connects
/// here to sockets that cannot exist: an error about these means that the rest is right.
fn refused(libpq: &'static Libpq, parts: &[(String, String)]) -> Option<String> {
    const NO_FOLDER: &str = "/dev/null/payorder";
    let mut parts = parts.to_vec();
    parts.retain(|(key, _)| key != "hostaddr");
    match parts.iter_mut().find(|(key, _)| key == "host") {
        Some((_, hosts)) => *hosts = vec![NO_FOLDER; hosts.split(',').count()].join(","),
        None => parts.push(("host".into(), NO_FOLDER.into())),
    }
    let message = PgConnection::start(libpq, &parts)?.message();
    (!message.is_empty() && !message.contains(NO_FOLDER)).then_some(message)
}

/// Not a path of a socket, and not an address.
fn needs_lookup(host: &str) -> bool {
    !host.is_empty() && !host.starts_with(['/', '@']) && host.parse::<IpAddr>().is_err()
}

fn ended(failure: Failure) -> JournalProblem {
    match failure {
        Failure::Connect(problem) => problem::unreachable(&problem.message),
        Failure::Cancelled | Failure::Forked => {
            let error = Error::new(Code::Cancelled, Cause::Cancelled, "the call was cancelled");
            let kind = Kind::Ended(Box::new(error));
            problem::unreachable("").of_kind(kind)
        }
        _ => problem::unreachable("its host was not found in time"),
    }
}
