//! Times as the journal stores them: milliseconds since 1970, in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

pub(super) fn since_1970(time: SystemTime) -> i64 {
    milliseconds(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}

pub(super) fn milliseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
