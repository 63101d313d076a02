//! Compares what the library reported with what the service received and sent.

use std::time::Duration;

use rustls::HandshakeKind;
use serde_json::Value;

use crate::case::{Answer, Connection, Layout};
use crate::response::checkout;
use crate::trial::{Trial, request_start};
use support::abi::Outcome;
use support::patience::patience;
use support::result::TIMEOUT;
use support::service::Ending;
use support::table;
use support::trial::contradiction;

/// What a call may take beyond its deadline on a busy machine. A call whose connection was closed
/// or reset must end in half of its time.
const MARGIN: Duration = Duration::from_secs(5);

/// What is certain about the order.
struct Facts {
    /// How many bytes of the order left the client.
    arrived: usize,
    /// How many bytes of it the service got.
    received: usize,
    /// How often the service got it completely.
    complete: usize,
    /// How many connections carried bytes of it.
    carriers: usize,
    /// The client could read so much of the response that it is certain.
    enough: bool,
    /// The client could read all of the response, and knew that it was all.
    answered: bool,
}

impl Facts {
    fn of(trial: &Trial, layout: &Layout) -> Facts {
        let starts = trial.lines.iter().map(|line| {
            let start = request_start(line, trial.setting);
            (
                line.arrived.len() - start,
                line.received.saturating_sub(start),
            )
        });
        let carried: Vec<(usize, usize)> = starts.collect();
        let (enough, answered) = response(trial, layout);
        Facts {
            arrived: carried.iter().map(|(arrived, _)| arrived).sum(),
            received: carried.iter().map(|(_, received)| received).sum(),
            carriers: carried.iter().filter(|(arrived, _)| *arrived > 0).count(),
            complete: trial.complete,
            enough,
            answered,
        }
    }
}

/// Whether the client could read enough of the response, and all of it.
fn response(trial: &Trial, layout: &Layout) -> (bool, bool) {
    let mut answered = trial.lines.iter().filter(|line| line.requests > 0);
    let Some(line) = answered.next().filter(|_| trial.complete > 0) else {
        return (false, false);
    };
    let readable = layout.readable_after(line.sent.len());
    let all = readable == layout.length;
    let stalled = line.was_cut && trial.cut.is_some_and(|cut| cut.ending == Ending::Stall);
    match trial.setting.answer {
        Answer::Length | Answer::Refusal => (all, all),
        // The empty line at the end says nothing more.
        Answer::Chunks => (readable + 2 >= layout.length, all),
        // Until the end, more can follow. TLS says itself where its end is.
        Answer::UntilClose => {
            let ended = trial.setting.way.is_tls() && line.sent.len() == layout.service;
            (all, all && (!stalled || ended))
        }
    }
}

impl Trial {
    /// What no machine is too slow for.
    pub fn contradictions(&self, layout: &Layout) -> Vec<String> {
        let facts = Facts::of(self, layout);
        let outcome = self.reply.outcome();
        let refuses = self.setting.answer == Answer::Refusal;
        let response = if refuses {
            Outcome::Rejected
        } else {
            Outcome::Done
        };
        let url = checkout(&self.order_id);
        let page = &self.reply["error"]["checkoutUrl"];
        let rules = table! {
            outcome != Outcome::Unknown || self.bytes_sent() > 0, "unknown, but nothing was sent";
            !matches!(outcome, Outcome::Done | Outcome::Rejected) || outcome == response,
                "not what the service answered";
            outcome != response || facts.complete == 1 && facts.enough,
                "an answer that was not given completely";
            outcome == response || !facts.answered, "a complete answer was lost";
            outcome != Outcome::Done || self.reply["data"]["url"] == url,
                "not the checkout URL of the order";
            page.is_null() || outcome == Outcome::Unknown && *page == url,
                "not the checkout URL of an order that may exist";
            self.reply.code != TIMEOUT || self.took >= self.timeout,
                "timed out before its deadline";
            facts.carriers <= 1, "two connections carried the order";
        };
        let mut broken: Vec<String> = rules
            .iter()
            .filter(|(holds, _)| !holds)
            .map(|(_, rule)| (*rule).to_owned())
            .collect();
        let contradiction =
            contradiction(&self.reply, &self.order_id, facts.arrived, facts.complete);
        broken.extend(contradiction.map(str::to_owned));
        broken.extend(self.journal_problem(&facts));
        for text in &mut broken {
            *text += &format!(
                " ({} bytes of it left, {} of {} connections, {} received, {} times complete): {}",
                facts.arrived,
                facts.carriers,
                self.lines.len(),
                facts.received,
                facts.complete,
                self.reply.text()
            );
        }
        broken
    }

    /// The journal says the same, and how many bytes were sent.
    fn journal_problem(&self, facts: &Facts) -> Option<String> {
        let [entry] = self.entries.as_slice() else {
            return Some(format!("{} entries in the journal", self.entries.len()));
        };
        let state = match self.reply.outcome() {
            Outcome::Done => "created",
            Outcome::NotSent => "not_sent",
            Outcome::Rejected => "rejected",
            Outcome::Unknown => "unknown",
        };
        // After a cut, a checkout URL may have arrived.
        let url = match self.reply.outcome() {
            Outcome::Done => &self.reply["data"]["url"],
            _ => &self.reply["error"]["checkoutUrl"],
        };
        if entry["state"] != state || entry["url"] != *url {
            return Some(format!("the journal has {entry}"));
        }
        // What is on its way to a connection that is reset is lost. A busy service may have read
        // nothing yet: then the case is run again.
        let sent = self.bytes_sent();
        let was_reset = self.cut.is_some_and(|cut| cut.ending == Ending::Reset);
        let fits = match was_reset || self.unexpected().is_some() {
            true => sent >= facts.arrived as u64,
            false => sent == facts.arrived as u64,
        };
        (!fits).then(|| format!("the journal has {sent} bytes sent"))
    }

    /// By the journal, in all attempts.
    fn bytes_sent(&self) -> u64 {
        let events = self
            .entries
            .iter()
            .flat_map(|entry| entry["events"].as_array());
        let counts = events.flatten().map(|event| &event["bytesSent"]);
        counts.filter_map(Value::as_u64).sum()
    }

    /// What a busy machine can cause.
    pub fn unexpected(&self) -> Option<String> {
        let cut = self.cut?;
        let line = self.cut_line()?;
        if !line.was_cut {
            return Some(format!("was not cut: {}", self.reply.text()));
        }
        if self.setting.connection == Connection::Resumed
            && line.handshake == Some(HandshakeKind::Full)
        {
            return Some("was not resumed".into());
        }
        let limit = match cut.ending {
            Ending::Stall => self.timeout * 2 + patience(MARGIN),
            Ending::Close | Ending::Reset => self.timeout / 2,
        };
        let late = || format!("took {:?}: {}", self.took, self.reply.text());
        (self.took > limit).then(late)
    }
}
