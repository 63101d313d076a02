//! What a call may report, from what happened on its connections. This follows the promises in
//! `docs/abi.md` and `docs/configuration.md`, and calls nothing of the library.

use std::time::Duration;

use payorder_fuzz::answer::mark;
use payorder_fuzz::input::Asked;
use payorder_fuzz::reply::Reply;
use payorder_fuzz::service::{Attempt, NOT_SENT, UNASKED};

use crate::raw;

/// The time limit of a call.
pub const LIMIT: Duration = Duration::from_secs(10);
/// The longest pause between two attempts that no service asked for.
const LONGEST_PAUSE: u64 = 2;

/// The time ended without a complete response.
const TIMED_OUT: i32 = 200;

/// One call, as its service saw it.
pub struct Call {
    pub asked: Asked,
    /// The body that each request must have.
    pub body: String,
    pub attempts: Vec<Attempt>,
    /// How often it may send again.
    pub retries: usize,
    pub elapsed: Duration,
}

impl Call {
    /// Fails if the call may not report this.
    pub fn judge(&self, reply: &Reply) {
        let made = self.attempts.len();
        assert!(
            (1..=self.retries + 1).contains(&made),
            "{made} attempts: {reply:?}"
        );
        self.check_requests(reply);
        let sent = self.attempts.iter().rfind(|attempt| attempt.was_sent());
        // The last attempt decides that sent something.
        let mut allowed = sent.map_or(vec![NOT_SENT], Attempt::allowed);
        if self.elapsed >= LIMIT && sent.is_some_and(Attempt::is_incomplete) {
            allowed.push(TIMED_OUT);
        }
        assert!(
            allowed.contains(&reply.result),
            "the result may only be {allowed:?} after {}: {reply:?}",
            self.told()
        );
        self.check_attempts(reply);
        assert!(
            reply.result != TIMED_OUT || self.elapsed >= LIMIT,
            "the time ended after {:?}: {reply:?}",
            self.elapsed
        );
        reply.keeps_secret(&raw::SECRETS);
        if let Some(attempt) = sent.filter(|attempt| attempt.response.is_raw) {
            raw::judge(reply, self.asked, &attempt.response.bytes);
        }
        match (reply.result, sent) {
            (0, Some(attempt)) => {
                let (text, mark) = (reply.text(), mark(attempt.serial));
                assert!(
                    text.contains(&mark) || !attempt.response.shows_mark(),
                    "the response of another attempt than {mark}: {text}"
                );
                assert!(
                    !text.contains(UNASKED) || attempt.response.is_raw,
                    "nobody asked for this: {text}"
                );
            }
            (0, None) => unreachable!("0 is not allowed without a request"),
            (result, _) => {
                let error = reply.error();
                assert_eq!(error["attempts"], made, "{error}");
                let open = self.asked == Asked::Order && result >= 200;
                assert!(
                    !open || error["statusQuery"]["orderId"] == "O-1",
                    "an open order without a query to ask by: {error}"
                );
            }
        }
    }

    /// An order is sent at most once, and every request is the start of one that is right.
    fn check_requests(&self, reply: &Reply) {
        let mut sent = self.attempts.iter().filter(|attempt| attempt.was_sent());
        if self.asked == Asked::Order && sent.next().is_some() {
            assert!(
                sent.next().is_none() && self.attempts.last().is_some_and(Attempt::was_sent),
                "an attempt after the order was sent: {}: {reply:?}",
                self.told()
            );
        }
        let path = match self.asked {
            Asked::Order => "CreateOrder",
            Asked::Status | Asked::Transaction => "GetStatus",
        };
        let line = format!("POST /api/v1/Gateway/{path} HTTP/1.1\r\n");
        for attempt in &self.attempts {
            let compared = attempt.received.len().min(line.len());
            assert_eq!(
                String::from_utf8_lossy(&attempt.received[..compared]),
                line[..compared],
                "another request was sent"
            );
            let text = String::from_utf8_lossy(&attempt.received);
            if let Some((head, body)) = text.split_once("\r\n\r\n") {
                self.check_request(head, body);
            }
        }
    }

    /// A complete head has the credentials, and what follows is the start of the body.
    fn check_request(&self, head: &str, body: &str) {
        let [token, client_key, client_id, secret_key] = raw::SECRETS;
        let credentials = match self.asked {
            Asked::Order => vec![("ACCESS-TOKEN", token)],
            Asked::Status | Asked::Transaction => vec![
                ("X-CLIENT-KEY", client_key),
                ("X-CLIENT-ID", client_id),
                ("X-SECRET-KEY", secret_key),
            ],
        };
        for (name, value) in credentials {
            let is_header = |line: &str| {
                line.split_once(": ")
                    .is_some_and(|(key, given)| key.eq_ignore_ascii_case(name) && given == value)
            };
            assert!(
                head.lines().any(is_header),
                "a request without {name}: {head}"
            );
        }
        assert!(
            self.body.starts_with(body),
            "the body is not {}: {body}",
            self.body
        );
    }

    /// Another attempt is made exactly after the results that allow it, while there is time.
    fn check_attempts(&self, reply: &Reply) {
        let again = |result: &i32| match self.asked {
            Asked::Order => *result == NOT_SENT,
            _ => [NOT_SENT, 102, 200, 201, 202, 203].contains(result),
        };
        let Some((last, earlier)) = self.attempts.split_last() else {
            return;
        };
        for attempt in earlier {
            assert!(
                attempt.allowed().iter().any(again),
                "an attempt after {:?}: {reply:?}",
                attempt.allowed()
            );
        }
        if earlier.len() < self.retries && last.allowed().iter().all(again) {
            let pause = Duration::from_secs(last.pause.max(LONGEST_PAUSE));
            assert!(
                self.elapsed + pause >= LIMIT,
                "no further attempt after {}: {reply:?}",
                self.told()
            );
        }
    }

    /// What happened, for a message.
    fn told(&self) -> String {
        let told = self.attempts.iter().map(|attempt| {
            format!(
                "{} bytes sent, {:?} received of {:?}",
                attempt.received.len(),
                attempt.seen,
                String::from_utf8_lossy(&attempt.response.bytes)
            )
        });
        told.collect::<Vec<_>>().join("; ")
    }
}
