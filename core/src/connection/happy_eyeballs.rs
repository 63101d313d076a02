//! Connects to a host that may have several addresses, as RFC 8305 ("Happy Eyeballs") says: the
//! next address is tried soon, while the earlier ones go on. The first connection is kept.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::{ConnectionProblem, Failure};
use super::resolver::Target;
use super::scope::CancelScope;
use super::socket::{Connecting, Socket, connect_problem};
use crate::error::Cause;
use crate::platform;

/// How long an address has before the next one is tried too. The RFC recommends this. It is less if
/// the time would not suffice for all.
const ATTEMPT_DELAY: Duration = Duration::from_millis(250);
/// How often a connect checks whether it was cancelled. Shutting down a socket that is not connected
/// yet wakes the thread on Linux only, and only the newest one is shut down.
const CANCEL_CHECK: Duration = Duration::from_millis(50);
/// How many of the tried addresses a message names.
const NAMED: usize = 4;

/// Connects to one of the addresses, which are tried in this order, until the deadline.
pub(super) fn connect(
    target: &Target,
    addresses: &[SocketAddr],
    deadline: Instant,
    scope: &Arc<CancelScope>,
) -> Result<(Socket, SocketAddr), Failure> {
    let mut untried = addresses.iter();
    let mut next_start = Instant::now();
    let mut pending: Vec<Connecting> = Vec::new();
    let mut failures = Vec::new();
    let connected = scope.wait(deadline, |time| {
        let now = Instant::now();
        if now >= next_start
            && let Some(address) = untried.next()
        {
            match Connecting::start(*address, scope) {
                Ok(started) => pending.push(started),
                Err(problem) => {
                    failures.push((*address, problem));
                    return Ok(None);
                }
            }
            next_start = share(deadline, untried.len() + 1).min(now + ATTEMPT_DELAY);
        }
        let until_next = match untried.len() {
            0 if pending.is_empty() => return Ok(Some(None)),
            0 => CANCEL_CHECK,
            _ => next_start.saturating_duration_since(now),
        };
        let time = time.min(CANCEL_CHECK).min(until_next);
        let sockets: Result<Vec<_>, _> = pending.iter().map(|one| one.shared.socket()).collect();
        let sockets = sockets.map_err(|error| Failure::Connect(connect_problem(error)))?;
        let Some(ended) = platform::wait_until_writable(&sockets, time).transpose() else {
            return Ok(None);
        };
        let one = pending.remove(*ended.as_ref().unwrap_or(&0));
        let address = one.address;
        match ended
            .map_err(connect_problem)
            .and_then(|_| one.finish(deadline, scope))
        {
            Ok(socket) => return Ok(Some(Some((socket, address)))),
            Err(problem) => failures.push((address, problem)),
        }
        // The next one need not wait any longer.
        next_start = now;
        Ok(None)
    });
    match connected {
        Ok(Some((socket, address))) => {
            // Fails if the call was cancelled.
            scope.attach_socket(socket.shared())?;
            return Ok((socket, address));
        }
        Ok(None) | Err(Failure::TimedOut) => {}
        Err(other) => return Err(other),
    }
    let late = || {
        let what = "it did not accept the connection in time";
        ConnectionProblem::new(Cause::ConnectTimedOut, what)
    };
    failures.extend(pending.iter().map(|one| (one.address, late())));
    failures.sort_by_key(|(_, problem)| rank(problem.cause));
    let tried = tried(target, &failures);
    let first = failures.into_iter().next();
    let problem = first.map(|(_, problem)| problem).unwrap_or_else(|| {
        // A slow log function, say.
        ConnectionProblem::new(
            Cause::ConnectTimedOut,
            "the call had no time left to try it",
        )
    });
    Err(Failure::Connect(problem.map_message(|what| {
        format!("cannot connect to {target}{tried}: {what}")
    })))
}

/// The end of one of so many equal parts of the time that is left.
pub(crate) fn share(until: Instant, parts: usize) -> Instant {
    let now = Instant::now();
    let parts = u32::try_from(parts).unwrap_or(u32::MAX).max(1);
    now + until.saturating_duration_since(now) / parts
}

/// Which failure is reported if there are several: the one that says most about the service. A machine
/// without IPv6 has no route to each IPv6 address, which says nothing. The lack of a resource comes
/// first, because then an address was not tried.
fn rank(cause: Cause) -> usize {
    let order = [
        Cause::NoDescriptors,
        Cause::NoResources,
        Cause::ConnectionRefused,
        Cause::ConnectionReset,
        Cause::ConnectTimedOut,
    ];
    let rank = order.iter().position(|one| *one == cause);
    rank.unwrap_or(order.len())
}

fn tried(target: &Target, failures: &[(SocketAddr, ConnectionProblem)]) -> String {
    if failures.is_empty() || target.host.parse::<IpAddr>().is_ok() {
        return String::new();
    }
    let named = failures.iter().take(NAMED);
    let named: Vec<_> = named.map(|(address, _)| address.ip().to_string()).collect();
    let more = match failures.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!(" (tried {}{more})", named.join(", "))
}
