//! Resolves host names. Addresses are cached for some time and looked up again after a failed
//! connect. No call waits for a lookup after its deadline.

use std::borrow::Cow;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::failure::{ConnectionProblem, Failure};
use super::scope::{CancelScope, Ended};
use crate::error::Cause;
use crate::lock::{lock, wait_for};
use crate::platform::fork;
use crate::platform::threads;
use crate::platform::{self, BootInstant, LookupError};

/// How long an address is cached. The system does not report its lifetime; browsers use a minute.
const CACHE_TIME: Duration = Duration::from_secs(60);
/// How often a caller that waits for a lookup checks whether it was cancelled.
const CANCEL_CHECK: Duration = Duration::from_millis(50);
/// The system's lookup may run plug-ins, so the stack has room to spare.
const STACK: usize = 512 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// Without the brackets of an IPv6 address.
    pub(crate) host: String,
    pub(crate) port: u16,
}

impl std::fmt::Display for Target {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}:{}", self.bracketed(), self.port)
    }
}

impl Target {
    /// The host as in a URL: an IPv6 address is in brackets.
    pub(crate) fn bracketed(&self) -> Cow<'_, str> {
        if self.host.contains(':') {
            format!("[{}]", self.host).into()
        } else {
            self.host.as_str().into()
        }
    }
}

/// For one host.
#[derive(Default)]
pub(crate) struct Resolver {
    lookup: Mutex<Option<Arc<Lookup>>>,
    /// The last address that answered when an earlier one did not. It outlives the cache.
    worked: Mutex<Option<SocketAddr>>,
}

/// One lookup. All calls that need the same name wait for it together, so a system that does not
/// answer costs one thread and not one for each call.
#[derive(Default)]
struct Lookup {
    state: Mutex<Option<LookupResult>>,
    done: Condvar,
}

type Addresses = Arc<[SocketAddr]>;
/// With the time of the lookup.
type LookupResult = (Result<Addresses, ConnectionProblem>, BootInstant);

impl Resolver {
    /// The addresses in the order in which to try them, and whether they come from the cache. Waits
    /// for a lookup until `deadline`.
    pub(crate) fn resolve(
        &self,
        target: &Target,
        deadline: Instant,
        scope: &CancelScope,
    ) -> Result<(Vec<SocketAddr>, bool), Failure> {
        let (addresses, is_cached) = self.addresses(target, deadline, scope)?;
        Ok((in_order(&addresses, *lock(&self.worked)), is_cached))
    }

    fn addresses(
        &self,
        target: &Target,
        deadline: Instant,
        scope: &CancelScope,
    ) -> Result<(Addresses, bool), Failure> {
        if let Ok(address) = target.host.parse::<IpAddr>() {
            return Ok(([SocketAddr::new(address, target.port)].into(), false));
        }
        let (lookup, thread) = {
            let mut last = lock(&self.lookup);
            let state = last.as_ref().map(|lookup| lock(&lookup.state).clone());
            match (&*last, state) {
                (_, Some(Some((Ok(list), at)))) if at.elapsed() < CACHE_TIME => {
                    return Ok((list, true));
                }
                (Some(under_way), Some(None)) => (Arc::clone(under_way), None),
                _ => {
                    let lookup = Arc::new(Lookup::default());
                    let thread =
                        start_lookup(target.clone(), Arc::clone(&lookup)).map_err(|error| {
                            let what = format!("cannot start looking up the host {}", target.host);
                            let cause = Cause::NoResources;
                            Failure::Connect(ConnectionProblem::of_system(cause, &what, error))
                        })?;
                    *last = Some(Arc::clone(&lookup));
                    (lookup, Some(thread))
                }
            }
        };
        let (found, _) = scope
            .wait(deadline, |time| {
                let mut state = lock(&lookup.state);
                if state.is_none() {
                    state = wait_for(&lookup.done, state, time.min(CANCEL_CHECK));
                }
                Ok(state.clone())
            })
            .map_err(|ended| match ended {
                Ended::TimedOut => Failure::Connect(ConnectionProblem::new(
                    Cause::NameLookupTimedOut,
                    format!("the host {} was not found in time", target.host),
                )),
                ended => ended.into(),
            })?;
        if let Some(thread) = thread {
            // The thread has finished its work. Joining it keeps the promise that no thread
            // outlives the call.
            let _ = thread.join();
        }
        let list = found.map_err(|problem| {
            let host = &target.host;
            let told = |what| format!("cannot find the host {host}: {what}");
            Failure::Connect(problem.map_message(told))
        })?;
        Ok((list, false))
    }

    /// Empties the cache. A lookup that is under way stays.
    pub(crate) fn forget(&self) {
        lock(&self.lookup).take_if(|lookup| lock(&lookup.state).is_some());
    }

    /// From now on, this address is tried first if the host still has it; with `None`, that of the
    /// last lookup.
    pub(crate) fn prefer(&self, address: Option<SocketAddr>) {
        *lock(&self.worked) = address;
    }
}

/// The order in which addresses are tried: first the one that worked last, if it is among them, and
/// then the two families in turn.
fn in_order(addresses: &[SocketAddr], worked: Option<SocketAddr>) -> Vec<SocketAddr> {
    let mut list = addresses.to_vec();
    list.sort_by_key(|address| Some(*address) != worked);
    let first = list.first().is_some_and(SocketAddr::is_ipv4);
    let (one, other): (Vec<_>, Vec<_>) = list.iter().partition(|one| one.is_ipv4() == first);
    let longest = one.len().max(other.len());
    (0..longest)
        .flat_map(|at| [one.get(at), other.get(at)])
        .flatten()
        .copied()
        .collect()
}

/// Looks up a name on a separate thread, since the system's lookup has no deadline.
fn start_lookup(target: Target, lookup: Arc<Lookup>) -> std::io::Result<JoinHandle<()>> {
    threads::start("lookup", STACK, move || {
        let found = fork::LOOKUPS.run(|| platform::look_up(&target.host, target.port));
        let addresses = match found {
            Ok(list) if list.is_empty() => Err(ConnectionProblem::new(
                Cause::NameNotFound,
                "it has no address",
            )),
            Ok(list) => Ok(list.into()),
            Err(error) => Err(lookup_problem(error)),
        };
        *lock(&lookup.state) = Some((addresses, BootInstant::now()));
        lookup.done.notify_all();
    })
}

fn lookup_problem(error: LookupError) -> ConnectionProblem {
    match error {
        LookupError::NotFound(words) => ConnectionProblem::new(Cause::NameNotFound, words),
        LookupError::NoMemory(words) => ConnectionProblem::new(Cause::NoResources, words),
        LookupError::Failed(words) => ConnectionProblem::new(Cause::NameLookupFailed, words),
        LookupError::System(error) => {
            let cause = if platform::is_out_of_descriptors(&error) {
                Cause::NoDescriptors
            } else {
                Cause::NameLookupFailed
            };
            ConnectionProblem::new(cause, platform::describe_error(&error)).with_source(error)
        }
    }
}
