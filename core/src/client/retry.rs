//! When a call sends its request again: which results, how often, and after what pause.

use std::time::{Duration, SystemTime};

use crate::error::{Code, Error};
use crate::random::random_u64;
use crate::settings::config::Config;

/// The upper limit of the first pause between two attempts. It doubles with each attempt.
const FIRST_BACKOFF: Duration = Duration::from_millis(200);
const MAX_BACKOFF: Duration = Duration::from_secs(2);

/// When a call sends its request again.
pub(crate) struct RetryPolicy {
    most: u32,
    after: fn(Code) -> bool,
}

impl RetryPolicy {
    /// An order is sent again only if no connection could be made. After any other failure the
    /// service may have the order.
    pub(crate) fn of_orders(config: &Config) -> RetryPolicy {
        RetryPolicy {
            most: config.create_retries,
            after: |code| code == Code::ConnectFailed,
        }
    }

    pub(crate) fn of_queries(config: &Config) -> RetryPolicy {
        RetryPolicy {
            most: config.status_retries,
            after: |code| {
                matches!(
                    code,
                    Code::ConnectFailed
                        | Code::RateLimited
                        | Code::Timeout
                        | Code::ConnectionLost
                        | Code::BadResponse
                        | Code::ServiceFailed
                )
            },
        }
    }

    /// The pause before the next attempt; `None` if there is none.
    pub(crate) fn pause(&self, error: &Error, attempts: u32) -> Option<Duration> {
        let again = attempts <= self.most && (self.after)(error.code());
        again.then(|| error.retry_after().unwrap_or_else(|| backoff(attempts)))
    }
}

/// A random part of 200 ms, which doubles with every attempt up to 2 s. Clients that failed at the
/// same time then do not retry at the same time.
fn backoff(attempts: u32) -> Duration {
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
    use super::backoff;

    #[test]
    fn a_wait_is_a_random_part_of_a_doubling_bound() {
        for (attempts, most) in [
            (1, 200),
            (2, 400),
            (3, 800),
            (4, 1600),
            (5, 2000),
            (50, 2000),
        ] {
            let waits: Vec<u128> = (0..200).map(|_| backoff(attempts).as_millis()).collect();
            let (least, longest) = (waits.iter().min(), waits.iter().max());
            assert!(
                longest <= Some(&most) && longest > Some(&(most / 2)),
                "{attempts}: {waits:?}"
            );
            assert!(least < Some(&(most / 2)), "{attempts}: {waits:?}");
        }
    }
}
