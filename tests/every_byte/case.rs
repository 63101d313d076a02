//! A case: where a connection is cut, and how.

use std::ops::RangeInclusive;

use support::service::{Cut, Ending, Side};

/// How the client reaches the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Way {
    Plain,
    Tls13,
    Tls12,
}

/// The connection that is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Connection {
    New,
    /// New, with the TLS session of an earlier one.
    Resumed,
    /// An earlier call was answered on it. Only the bytes after that count.
    Kept,
}

/// What the service answers, and where that ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    Length,
    Chunks,
    UntilClose,
    /// A refusal, with a length.
    Refusal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    pub way: Way,
    pub connection: Connection,
    pub answer: Answer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Case {
    pub setting: Setting,
    pub cut: Cut,
}

/// What both sides send without a cut.
#[derive(Debug)]
pub struct Layout {
    /// How many bytes.
    pub client: usize,
    pub service: usize,
    /// After how many bytes of the service its response begins.
    pub response: usize,
    /// After how many bytes of the service the client can read how many bytes of the response.
    pub readable: Vec<(usize, usize)>,
    /// The length of the response.
    pub length: usize,
    /// Where something begins or ends.
    pub client_borders: Vec<usize>,
    pub service_borders: Vec<usize>,
}

impl Way {
    pub fn is_tls(self) -> bool {
        self != Way::Plain
    }
}

impl Setting {
    pub fn all() -> Vec<Setting> {
        let mut all = Vec::new();
        for way in [Way::Plain, Way::Tls13, Way::Tls12] {
            for connection in [Connection::New, Connection::Resumed, Connection::Kept] {
                for answer in [
                    Answer::Length,
                    Answer::Chunks,
                    Answer::UntilClose,
                    Answer::Refusal,
                ] {
                    all.push(Setting {
                        way,
                        connection,
                        answer,
                    });
                }
            }
        }
        // Only TLS has sessions. The other kinds of a response do not depend on them.
        all.retain(|setting| {
            setting.connection != Connection::Resumed
                || setting.way.is_tls() && setting.answer == Answer::Length
        });
        all
    }

    /// The positions of a side. What comes before the response is the same for all answers.
    fn positions(self, side: Side, layout: &Layout) -> RangeInclusive<usize> {
        match (side, self.answer) {
            (Side::Client, Answer::Length) => 0..=layout.client,
            (Side::Service, Answer::Length) => 0..=layout.service,
            (Side::Service, _) => layout.response..=layout.service,
            #[allow(clippy::reversed_empty_ranges)]
            (Side::Client, _) => 1..=0,
        }
    }

    /// A case for each position and each ending.
    pub fn cases(self, layout: &Layout) -> Vec<Case> {
        let mut cases = Vec::new();
        for side in [Side::Client, Side::Service] {
            for position in self.positions(side, layout) {
                for ending in [Ending::Close, Ending::Reset, Ending::Stall] {
                    let cut = Cut {
                        side,
                        position,
                        ending,
                    };
                    cases.push(Case { setting: self, cut });
                }
            }
        }
        cases
    }
}

impl Layout {
    /// How many bytes of the response the client can read after this many bytes of the service.
    pub fn readable_after(&self, sent: usize) -> usize {
        let reached = self.readable.iter().rev().find(|(after, _)| *after <= sent);
        reached.map_or(0, |(_, readable)| *readable)
    }
}

impl Case {
    /// Whether something begins or ends near this position.
    pub fn is_border(&self, layout: &Layout) -> bool {
        let borders = match self.cut.side {
            Side::Client => &layout.client_borders,
            Side::Service => &layout.service_borders,
        };
        let position = self.cut.position;
        borders.iter().any(|border| position.abs_diff(*border) <= 1)
    }
}
