//! A journal in PostgreSQL, for many machines. Each statement is a transaction of its own, so no
//! connection has a state that another one needs, and a pooler may be between.

mod address;
mod problem;
mod session;

use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{Duration, Instant};

use ring::rand::{SecureRandom, SystemRandom};

use self::address::Address;
use self::session::{Session, Working};
use super::outcome::OUTAGE;
use super::problem::{JournalProblem, Kind};
use super::sql::{Access, Dialect, Engine, Value, Work};
use super::wait::{GRACE, JournalWait};
use super::{JournalError, hex};
use crate::connection::Resolver;
use crate::error::{Cause, Code};
use crate::lock::lock;
use crate::platform::fork::{self, JOURNALS};
use crate::platform::libpq::{Libpq, libpq};
use crate::platform::threads;

pub(super) struct SharedJournal {
    libpq: &'static Libpq,
    address: Address,
    connect_timeout: Duration,
    /// The number of the tables that this client used first. It never uses others, or makes new ones.
    tables: OnceLock<i64>,
    /// The database has lost what this client had written.
    is_lost: AtomicBool,
    pool: Arc<Mutex<Pool>>,
}

/// The connections of a client, in one process.
struct Pool {
    generation: u64,
    idle: Vec<Session>,
    /// Those that calls use at this moment.
    used: usize,
    /// Those of them that are not connected yet.
    connecting: usize,
    /// When the server was asked to end what runs over those that calls gave up.
    ending: Vec<Instant>,
    /// When a connection was last found usable.
    worked: Option<Instant>,
    /// When the database could last not be reached, and why.
    failed: Option<(Instant, Cow<'static, str>, Kind)>,
    /// For the hosts of the address.
    resolvers: Arc<[Resolver]>,
}

/// The most connections of a client. A database has 100 by default.
const MOST: usize = 8;
/// The most that are ending at the same time: those of slow servers take longer than a second.
const MOST_ENDING: usize = 3 * MOST;
/// So long, a connection that is ending counts as used. Without an answer nobody knows its end.
const LONGEST_END: Duration = Duration::from_secs(1);
/// So long, the server is asked to end a statement.
const LONGEST_CANCEL: Duration = Duration::from_secs(5);
/// So long, freeing a client waits for that.
const LONGEST_FREE: Duration = Duration::from_millis(300);
/// For the thread that ends a connection.
const STACK: usize = 512 * 1024;
/// An older connection may have been forgotten by a firewall.
const LONGEST_IDLE: Duration = Duration::from_secs(60);
/// The pause before work is tried again that others were in the way of.
const PAUSE: Duration = Duration::from_millis(5);

/// The database's time, in milliseconds since 1970: when the statement came, before it waited for locks.
const NOW: &str = "(extract(epoch FROM now()) * 1000)::bigint";

static DIALECT: Dialect = Dialect {
    now: || NOW.into(),
    current: || "(extract(epoch FROM clock_timestamp()) * 1000)::bigint".into(),
    clock: "the clock of the database's machine",
    // As SQLite has them, and no time is out of range.
    time: |column| {
        format!(
            "to_char(to_timestamp(least(greatest({column}, 0), 253402300799999) / 1000.0) \
             AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"')"
        )
    },
    // It has no room for long texts.
    indexed: |text| format!("hashtextextended({text}, 0)"),
    locks: false,
};

/// A condition, always true, that makes the statement's end wait for the disk.
const DURABLY: &str = "set_config('synchronous_commit', CASE current_setting('synchronous_commit')
    WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true) IS NOT NULL";

impl SharedJournal {
    pub(super) fn is_uri(text: &str) -> bool {
        address::is_uri(text)
    }

    /// The journal in the database with this URI. It connects when it is first needed.
    pub(super) fn new(
        uri: &str,
        connect_timeout: Duration,
    ) -> Result<SharedJournal, (Cause, String)> {
        let libpq = libpq().map_err(|problem| (Cause::UnreadableFile, problem))?;
        let address = Address::read(libpq, uri, connect_timeout)?;
        fork::install_handlers();
        Ok(SharedJournal {
            libpq,
            connect_timeout,
            tables: OnceLock::new(),
            is_lost: AtomicBool::new(false),
            pool: Arc::new(Mutex::new(Pool::new(&address))),
            address,
        })
    }

    /// Does work with a connection, and keeps that if it can be used again.
    fn work(
        &self,
        access: Access,
        wait: &mut JournalWait<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), JournalProblem> {
        if self.is_lost.load(Relaxed) {
            return Err(JournalProblem::replaced());
        }
        let mut place = self.place(wait)?;
        // The call has its answer already.
        let longest = match access {
            Access::WriteLater => self.connect_timeout.min(OUTAGE),
            _ => self.connect_timeout,
        };
        let connect = |place: &mut Place, wait: &mut JournalWait<'_>| {
            place.connects(true);
            let mut connected = self.connect(place, longest, wait);
            if matches!(&connected, Err(problem) if matches!(problem.kind, Kind::Elsewhere)) {
                // The host's name may have another address by now.
                place.resolvers.iter().for_each(Resolver::forget);
                connected = self.connect(place, longest, wait);
            }
            match &connected {
                Ok(_) => place.connects(false),
                Err(problem) => place.fail_others(problem, wait.until),
            }
            connected
        };
        let mut session = match place.idle() {
            Some(session) => session,
            None => connect(&mut place, wait)?,
        };
        let decides = access == Access::WriteOnce;
        let mut work = |session: &mut Session, wait: &mut JournalWait<'_>| {
            work(&mut Working {
                session,
                wait,
                decides,
            })
        };
        let mut result = work(&mut session, wait);
        let may_work_elsewhere = result.as_ref().is_err_and(|problem| match problem.kind {
            Kind::Broken => !decides,
            // Nothing was written.
            Kind::Elsewhere => true,
            _ => false,
        });
        if may_work_elsewhere && Instant::now() < wait.until {
            place.forget();
            place.resolvers.iter().for_each(Resolver::forget);
            place.close(session);
            session = connect(&mut place, wait)?;
            result = work(&mut session, wait);
        }
        match result.as_ref().map_err(|problem| &problem.kind) {
            // The others may be broken too, by the same outage.
            Err(Kind::Broken | Kind::Ended | Kind::Elsewhere) => {
                place.forget();
                if access != Access::WriteLater {
                    place.close(session);
                }
            }
            // Perhaps the tables are other ones: a new connection looks at them.
            Err(Kind::Changed) => {}
            _ => place.keep(session),
        }
        result.inspect_err(|problem| {
            let is_lost = problem.cause == Cause::JournalReplaced;
            self.is_lost.fetch_or(is_lost, Relaxed);
        })
    }

    /// Waits until the client may use one more connection.
    fn place(&self, wait: &mut JournalWait<'_>) -> Result<Place, JournalProblem> {
        let began = Instant::now();
        loop {
            if let Some(place) = Place::take(&self.pool, &self.address, began)? {
                return Ok(place);
            }
            match wait.pause(PAUSE) {
                Ok(true) => {}
                Ok(false) => return Err(problem::too_busy()),
                Err(_) => return Err(problem::ended()),
            }
        }
    }

    fn connect(
        &self,
        place: &Place,
        longest: Duration,
        wait: &mut JournalWait<'_>,
    ) -> Result<Session, JournalProblem> {
        let until = wait.until.min(Instant::now() + longest);
        let hosts = &place.resolvers;
        let connected = Session::connect(self.libpq, &self.address, hosts, until, wait);
        // After no host could be reached, they may have other addresses.
        let mut session = connected.inspect_err(|_| hosts.iter().for_each(Resolver::forget))?;
        let make = self.tables.get().is_none();
        let usable = session.ping(until, wait);
        if let Err(problem) = usable.and_then(|()| session.find_tables(make, wait)) {
            place.close(session);
            return Err(problem);
        }
        match session.tables == *self.tables.get_or_init(|| session.tables) {
            true => Ok(session),
            false => Err(JournalProblem::replaced()),
        }
    }
}

/// The process may end next, and what it still has to end on the server with it.
impl Drop for SharedJournal {
    fn drop(&mut self) {
        let until = Instant::now() + LONGEST_FREE;
        let is_ending = || {
            locked(&self.pool, |pool| {
                pool.generation == fork::generation() && !pool.ending.is_empty()
            })
        };
        while is_ending() && Instant::now() < until {
            std::thread::sleep(PAUSE);
        }
    }
}

impl Engine for SharedJournal {
    fn dialect(&self) -> &'static Dialect {
        &DIALECT
    }

    fn run(
        &self,
        access: Access,
        wait: &mut JournalWait<'_>,
        work: &mut Work<'_>,
    ) -> Result<(), JournalError> {
        loop {
            let problem = match self.work(access, wait, work) {
                Ok(()) => return Ok(()),
                Err(problem) => problem,
            };
            if !problem.is_busy() || !wait.pause(PAUSE)? {
                return Err(JournalError::of(problem, &self.address.name()));
            }
        }
    }

    fn key(&self) -> Option<String> {
        let mut bytes = [0; 16];
        // From the system: a forked child must not draw the same.
        SystemRandom::new().fill(&mut bytes).ok()?;
        Some(hex(&bytes))
    }

    /// Makes it with the same key, so that either there is one already, or a later one fails. If this
    /// fails too, the entry is `unknown` after its deadline.
    fn withdraw(&self, values: &[Value<'_>], wait: &JournalWait<'_>) {
        // Also if the call's time was over: the server may have written the entry a moment ago.
        let mut wait = wait.with_grace();
        wait.until = wait.until.max(Instant::now() + GRACE);
        let not_sent = format!("'not_sent', {}", Code::JournalFailed.number());
        let insert = format!(
            "{} ON CONFLICT (entry_key) DO UPDATE SET state = excluded.state,
                result = excluded.result, updated_ms = excluded.updated_ms
             WHERE payorder_orders.state = 'sending'",
            DIALECT.insert(&not_sent, DURABLY)
        );
        let _unknown = self.run(Access::Write, &mut wait, &mut |database| {
            database.each(&insert, values, &mut |_| Ok(()))
        });
    }
}

impl Pool {
    fn new(address: &Address) -> Pool {
        Pool {
            generation: fork::generation(),
            idle: Vec::new(),
            used: 0,
            connecting: 0,
            ending: Vec::new(),
            worked: None,
            failed: None,
            resolvers: address.resolvers(),
        }
    }
}

/// The right to use one connection.
struct Place {
    pool: Arc<Mutex<Pool>>,
    generation: u64,
    is_connecting: bool,
    resolvers: Arc<[Resolver]>,
}

impl Place {
    /// `None` if all are used. While no connection works, what failed one call fails those that waited
    /// then, once nobody is connecting any more.
    fn take(
        pool: &Arc<Mutex<Pool>>,
        address: &Address,
        began: Instant,
    ) -> Result<Option<Place>, JournalProblem> {
        let (place, of_parent) = locked(pool, |locked| {
            let is_own = locked.generation == fork::generation();
            let of_parent = (!is_own).then(|| std::mem::replace(locked, Pool::new(address)));
            let failed = locked.failed.as_ref().filter(|(at, ..)| *at > began);
            if let Some((at, words, kind)) = failed
                && locked.worked.is_none_or(|worked| worked < *at)
                && locked.used == locked.connecting
            {
                let problem = JournalProblem::new(Cause::JournalUnavailable, words.clone());
                let place = match locked.connecting {
                    0 => Err(problem.of_kind(*kind)),
                    _ => Ok(None),
                };
                return (place, of_parent);
            }
            let ending = locked.ending.iter();
            let ending = ending.filter(|since| since.elapsed() < LONGEST_END).count();
            let place = (locked.used + ending < MOST).then(|| {
                locked.used += 1;
                Place {
                    pool: Arc::clone(pool),
                    generation: locked.generation,
                    is_connecting: false,
                    resolvers: Arc::clone(&locked.resolvers),
                }
            });
            (Ok(place), of_parent)
        });
        // A thread of the parent may have been changing them.
        if let Some(of_parent) = of_parent {
            std::mem::forget(of_parent.resolvers);
        }
        place
    }

    fn connects(&mut self, is_connecting: bool) {
        if self.is_connecting != is_connecting {
            self.is_connecting = is_connecting;
            locked(&self.pool, |pool| {
                if pool.generation == self.generation {
                    match is_connecting {
                        true => pool.connecting += 1,
                        false => {
                            pool.connecting -= 1;
                            pool.worked = Some(Instant::now());
                        }
                    }
                }
            });
        }
    }

    /// The connection that was used last, if it is usable.
    fn idle(&self) -> Option<Session> {
        loop {
            let session = locked(&self.pool, |pool| pool.idle.pop())?;
            if session.is_usable(LONGEST_IDLE) {
                return Some(session);
            }
        }
    }

    /// Closes the connections that nobody uses.
    fn forget(&self) {
        let _idle = locked(&self.pool, |pool| std::mem::take(&mut pool.idle));
    }

    /// Closes a connection, once the server has ended what it still does over it: otherwise that
    /// would go on without anybody, and be done after the call. The call does not wait for this.
    fn close(&self, session: Session) {
        if !session.is_running() {
            return;
        }
        let ending = Ending {
            pool: Arc::clone(&self.pool),
            generation: self.generation,
            since: Instant::now(),
        };
        // Nobody may answer the server's requests to end: not ever more wait for that.
        let waits = locked(&self.pool, |pool| {
            pool.ending.push(ending.since);
            pool.ending.len() <= MOST_ENDING
        });
        if !waits {
            return;
        }
        // Without a thread, it is closed at once.
        let _thread = threads::start("cancel", STACK, move || {
            session.cancel(LONGEST_CANCEL);
            drop((session, ending));
        });
    }

    /// Tells those that wait for a connection why there is none, unless this call's own time was over.
    fn fail_others(&self, problem: &JournalProblem, until: Instant) {
        let now = Instant::now();
        if problem.cause == Cause::JournalUnavailable && !problem.is_uncertain() && now < until {
            let failed = (now, problem.words.clone(), problem.kind);
            locked(&self.pool, |pool| pool.failed = Some(failed));
        }
    }

    fn keep(&self, session: Session) {
        let _of_parent = locked(&self.pool, |pool| {
            match pool.generation == self.generation {
                true => {
                    pool.worked = Some(Instant::now());
                    pool.idle.push(session);
                    None
                }
                false => Some(session),
            }
        });
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        locked(&self.pool, |pool| {
            if pool.generation == self.generation {
                pool.used -= 1;
                pool.connecting -= usize::from(self.is_connecting);
            }
        });
    }
}

/// A connection that is being closed.
struct Ending {
    pool: Arc<Mutex<Pool>>,
    generation: u64,
    since: Instant,
}

impl Drop for Ending {
    fn drop(&mut self) {
        locked(&self.pool, |pool| {
            let place = pool.ending.iter().position(|since| *since == self.since);
            if let Some(place) = place.filter(|_| pool.generation == self.generation) {
                pool.ending.swap_remove(place);
            }
        });
    }
}

/// No fork happens while the lock is held. `work` uses no connection, and drops none: that would
/// wait for the fork.
fn locked<T>(pool: &Mutex<Pool>, work: impl FnOnce(&mut Pool) -> T) -> T {
    JOURNALS.run(|| work(&mut lock(pool)))
}
