//! The input: what is done with which client.

use arbitrary::Arbitrary;

#[derive(Arbitrary, Debug)]
pub struct Input {
    pub before: Vec<Step>,
    pub threads: [Vec<Step>; 3],
    pub after: Vec<Step>,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Step {
    Make { slot: u8, kind: Kind },
    Act { target: Target, act: Act },
}

/// How a client's service behaves.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Responds,
    Closes,
    Silent,
    Refused,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub enum Target {
    Slot(u8),
    /// A client that was freed.
    Freed(u8),
    /// A number near a live key.
    Neighbour(u8, i16),
    Forged(usize),
}

#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    Free,
    Cancel,
    Log(Option<LogDoes>),
    Create,
    Status,
    /// An order that breaks rules, which no service may receive.
    Broken,
    Wait,
    Many(EachDoes),
    /// A journal function, on a client without a journal.
    Journal,
    Token(TokenIs),
}

/// What happens to the cancellation token of a call.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenIs {
    CancelledBefore,
    CancelledDuring,
    Freed,
    FreedDuring,
}

/// What a log callback does in addition to counting.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
pub enum LogDoes {
    Nothing,
    Free,
    Cancel,
    EndLog,
    Ask,
}

/// What the status callback does.
#[derive(Arbitrary, Debug, Clone, Copy, PartialEq, Eq)]
pub enum EachDoes {
    Nothing,
    Stop,
    Free,
    Cancel,
    Ask,
}
