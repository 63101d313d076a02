//! Times as the journal stores them: milliseconds since 1970, in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// SQL for a time in milliseconds as text, in UTC. SQLite has no dates outside this range.
pub(super) fn time(column: &str) -> String {
    format!(
        "strftime('%Y-%m-%dT%H:%M:%fZ', \
         min(max({column}, 0), 253402300799999) / 1000.0, 'unixepoch')"
    )
}

pub(super) fn now() -> i64 {
    since_1970(SystemTime::now())
}

/// A time in milliseconds since 1970, as the journal stores it.
pub(super) fn since_1970(time: SystemTime) -> i64 {
    milliseconds(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}

pub(super) fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
