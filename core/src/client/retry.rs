//! When a call sends its request again: which results, how often, and after what pause.

use std::time::{Duration, SystemTime};

use crate::error::Code;
use crate::random::random_u64;

/// The upper limit of the first pause between two attempts. It doubles with each attempt.
const FIRST_BACKOFF: Duration = Duration::from_millis(200);
const MAX_BACKOFF: Duration = Duration::from_secs(2);

/// When a call sends its request again.
pub(crate) struct RetryPolicy {
    pub(crate) most: u32,
    pub(crate) after: fn(Code) -> bool,
}

/// A random part of 200 ms, which doubles with every attempt up to 2 s. Clients that failed at the
/// same time then do not retry at the same time.
pub(crate) fn backoff(attempts: u32) -> Duration {
    let most = FIRST_BACKOFF
        .saturating_mul(1 << attempts.saturating_sub(1).min(8))
        .min(MAX_BACKOFF);
    Duration::from_micros(random_u64() % (most.as_micros() as u64 + 1))
}

/// The longest time that `Retry-After` can ask for. Every JSON reader reads its number of
/// milliseconds exactly. A longer time is read as this one: no call waits that long anyway.
const MAX_RETRY_AFTER: Duration = Duration::from_millis((1 << 53) - 1);

/// Reads `Retry-After`: seconds or a date. `None` for anything else.
pub(crate) fn read_retry_after(text: &str, now: SystemTime) -> Option<Duration> {
    let text = text.trim();
    if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
        let seconds = text.parse().unwrap_or(u64::MAX);
        return Some(Duration::from_secs(seconds).min(MAX_RETRY_AFTER));
    }
    let date = httpdate::parse_http_date(text).ok()?;
    Some(date.duration_since(now).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::{MAX_RETRY_AFTER, backoff, read_retry_after};
    use std::time::{Duration, SystemTime};

    #[test]
    fn a_wait_is_a_part_of_a_doubling_bound() {
        for (attempts, most) in [
            (1, 200),
            (2, 400),
            (3, 800),
            (4, 1600),
            (5, 2000),
            (50, 2000),
        ] {
            let waits: Vec<Duration> = (0..200).map(|_| backoff(attempts)).collect();
            assert!(
                waits
                    .iter()
                    .all(|wait| *wait <= Duration::from_millis(most)),
                "attempt {attempts}"
            );
            assert!(
                waits
                    .iter()
                    .any(|wait| *wait > Duration::from_millis(most / 2)),
                "attempt {attempts} always waits little"
            );
            assert!(
                waits
                    .iter()
                    .any(|wait| *wait < Duration::from_millis(most / 2)),
                "attempt {attempts} always waits long"
            );
        }
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = SystemTime::UNIX_EPOCH + Duration::from_secs(784_111_777 - 30);
        let seconds = |seconds| Some(Duration::from_secs(seconds));
        for (text, expected) in [
            ("0", seconds(0)),
            (" 120 ", seconds(120)),
            ("4294967296", seconds(4_294_967_296)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", seconds(30)),
            ("Sun, 06 Nov 1994 08:00:00 GMT", seconds(0)),
            ("99999999999999999999999", Some(MAX_RETRY_AFTER)),
            ("-1", None),
            ("soon", None),
            ("", None),
        ] {
            assert_eq!(read_retry_after(text, now), expected, "{text:?}");
        }
    }
}
