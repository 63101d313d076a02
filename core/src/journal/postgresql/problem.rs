//! Why the database cannot be used, and what to do about it.

use super::super::problem::{JournalProblem, Kind};
use crate::error::Cause;
use crate::platform::libpq::PgResult;

/// The connection could not be made, or was refused. libpq's message names host, user and reason.
pub(super) fn unreachable(message: &str) -> JournalProblem {
    // The code of SQL's list is in the message of the server, and not in libpq's own.
    let code = message
        .split(": ")
        .map(str::trim)
        .find(|word| is_sqlstate(word));
    let message = message.split(" LOCATION:").next().unwrap_or_default();
    let lasts = match code {
        // What the server does not have, a value that it refuses, the password, the database's name,
        // the role's rights.
        Some(code) => ["0A", "22", "28", "3D", "42"]
            .iter()
            .any(|class| code.starts_with(class)),
        None => [
            "certificate",
            "does not support SSL",
            "no password supplied",
        ]
        .iter()
        .any(|word| message.contains(word)),
    };
    let (kind, advice) = match lasts {
        true => (Kind::Lasts, "correct its URI or the database's settings"),
        false => (Kind::Passes, "look at the database and the network"),
    };
    let words = format!("cannot be reached ({message}): {advice}");
    JournalProblem::new(Cause::JournalUnavailable, words).of_kind(kind)
}

fn is_sqlstate(word: &str) -> bool {
    word.len() == 5
        && word.starts_with(|first: char| first.is_ascii_digit())
        && word
            .bytes()
            .all(|byte| byte.is_ascii_digit() || byte.is_ascii_uppercase())
}

/// The connection ended before the answer.
pub(super) fn broken() -> JournalProblem {
    JournalProblem::new(
        Cause::JournalUnavailable,
        "lost its connection before the database had answered: look at the database and the \
         network",
    )
    .of_kind(Kind::Broken)
}

/// The server warned, and what it warns of is that it stopped waiting for a standby: what was written
/// may be lost with the primary.
pub(super) fn not_durable() -> JournalProblem {
    JournalProblem::new(
        Cause::JournalUnavailable,
        "wrote the entry with a warning, so its standby may not have it: look at the database's log",
    )
    .of_kind(Kind::Broken)
}

/// The call ended.
pub(super) fn ended() -> JournalProblem {
    broken().of_kind(Kind::Ended)
}

/// Nothing came in time: the connection is given up, and the database may still do what was asked.
pub(super) fn timed_out() -> JournalProblem {
    JournalProblem::new(
        Cause::JournalLocked,
        "did not answer in time: the database is overloaded, another program has its tables locked, \
         or the network is down",
    )
    .of_kind(Kind::Broken)
}

/// All connections of this client are in use, and stayed so.
pub(super) fn too_busy() -> JournalProblem {
    JournalProblem::new(
        Cause::JournalLocked,
        "is used by too many calls of this client at once: the database is slow",
    )
}

pub(super) fn no_tables(message: &str) -> JournalProblem {
    let words = format!(
        "has no tables of payorder, and this role may not make them ({message}): let the owner of \
         the database run what `payorder journal schema --role NAME` prints"
    );
    JournalProblem::new(Cause::JournalReadOnly, words)
}

pub(super) fn foreign() -> JournalProblem {
    JournalProblem::new(
        Cause::JournalForeign,
        "has tables of these names that are another program's, or were changed: use another \
         database or schema",
    )
}

/// The version of the tables, and the one that this library reads.
pub(super) fn other_version(version: i64, own: i64) -> JournalProblem {
    let words = format!(
        "has tables of another payorder (version {version}, this one uses {own}): use the newer \
         payorder, or another schema"
    );
    JournalProblem::new(Cause::JournalNewer, words)
}

pub(super) fn not_utf8(encoding: &str) -> JournalProblem {
    let words = format!("keeps texts as {encoding}: make a database with ENCODING 'UTF8'");
    JournalProblem::new(Cause::JournalForeign, words)
}

pub(super) fn no_resources() -> JournalProblem {
    JournalProblem::new(
        Cause::NoResources,
        "cannot be used: this machine has no memory left",
    )
}

const READ_ONLY: &str = "is read-only, such as a standby: name the host that can be written in its \
     URI, with target_session_attrs=read-write";

pub(super) fn standby() -> JournalProblem {
    JournalProblem::new(Cause::JournalReadOnly, READ_ONLY).of_kind(Kind::Elsewhere)
}

/// What the server says about a statement.
pub(super) fn of(result: &PgResult) -> JournalProblem {
    let (state, message) = (result.sqlstate(), result.message());
    let problem = |cause, words: &str| {
        JournalProblem::new(cause, format!("{words} (the database says: {message})"))
    };
    match state.as_str() {
        // libpq's own: the connection ended.
        "" => broken(),
        // Another statement came first: a unique key, a serialisation, a deadlock, a lock.
        "23505" | "40001" | "40P01" | "55P03" => JournalProblem::changed().of_kind(Kind::Busy),
        // It is shutting down. What it was doing may be done, but for the copy on a standby.
        "57P01" | "57P02" => broken(),
        "57P03" => problem(Cause::JournalUnavailable, "is not ready").of_kind(Kind::Passes),
        "57014" => problem(
            Cause::JournalLocked,
            "ended what it was asked, after its own time limit or by a person",
        ),
        "53300" => {
            problem(Cause::JournalUnavailable, "has no connection left").of_kind(Kind::Passes)
        }
        "25006" => problem(Cause::JournalReadOnly, READ_ONLY).of_kind(Kind::Elsewhere),
        "42501" => problem(
            Cause::JournalReadOnly,
            "cannot be used by this role: give it the rights that `payorder journal schema --role NAME \
             --only-rights` prints, with `--prune` if it prunes",
        ),
        "42P01" | "42703" | "42804" | "42883" | "42P10" | "22P02" => foreign(),
        "53100" => problem(Cause::JournalFull, "has no room on its disk"),
        "53200" => problem(Cause::NoResources, "has no memory left").of_kind(Kind::Passes),
        "58030" | "XX001" | "XX002" => problem(Cause::JournalDamaged, "cannot be read or written"),
        _ if state.starts_with("08") => broken(),
        _ => problem(
            Cause::JournalUnavailable,
            &format!("cannot be used: SQLSTATE {state}"),
        ),
    }
}
