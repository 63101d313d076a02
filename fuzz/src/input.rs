//! The input: what the service does in each attempt of each call.

use arbitrary::Arbitrary;

#[derive(Arbitrary, Debug)]
pub struct Input {
    /// Which client makes the calls.
    pub client: u8,
    pub calls: Vec<Plan>,
}

#[derive(Arbitrary, Debug, Clone, Default)]
pub struct Plan {
    pub asked: Asked,
    /// What happens to idle connections before the call.
    pub idle: Idle,
    /// What the service does in each attempt. In later ones it accepts everything.
    pub attempts: Vec<Attempt>,
}

#[derive(Arbitrary, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Asked {
    #[default]
    Order,
    Status,
    /// A status by its transaction.
    Transaction,
}

#[derive(Arbitrary, Debug, Clone, Copy, Default)]
pub enum Idle {
    #[default]
    Stay,
    Close,
    Reset,
    /// A complete response to no request.
    Speak,
}

#[derive(Arbitrary, Debug, Clone, Default)]
pub struct Attempt {
    /// Only if the attempt makes a connection.
    pub greeting: Greeting,
    pub exchange: Exchange,
}

#[derive(Arbitrary, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Greeting {
    #[default]
    Accept,
    Refuse,
    Unreachable,
    /// Nobody answers.
    Silence,
    /// The connection is accepted and closed.
    Close,
    Reset,
    /// A complete response before the request.
    Speak,
}

#[derive(Arbitrary, Debug, Clone, Default)]
pub struct Exchange {
    /// How many bytes the system accepts at once, if not all.
    pub accepts: Option<u8>,
    /// The request is not accepted to its end.
    pub stop: Option<Stop>,
    /// The response comes after so many bytes of the request, even if it is not complete.
    pub early: Option<u16>,
    /// Nothing is sent if it is silent.
    pub silent: bool,
    pub answer: Answer,
    /// These bytes instead of the answer.
    #[arbitrary(default)]
    pub raw: Option<Vec<u8>>,
    /// The size of the pieces in which the response arrives, if not at once.
    pub pieces: Option<u8>,
    /// Only so many bytes of the response are sent.
    pub cut: Option<u16>,
    /// Another response follows.
    pub another: bool,
    pub ending: Ending,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub struct Stop {
    /// After so many bytes of the request.
    pub after: u16,
    pub ending: Ending,
}

/// What happens to the connection.
#[derive(Arbitrary, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ending {
    /// It stays open.
    #[default]
    Keep,
    Close,
    Reset,
}

#[derive(Arbitrary, Debug, Clone, Default)]
pub struct Answer {
    pub interim: Interim,
    pub http_10: bool,
    /// An index into the list of statuses.
    pub status: u8,
    /// An index into the list of codes.
    pub code: u8,
    pub data: Data,
    pub body: Body,
    pub framing: Framing,
    /// Announces that the connection closes.
    pub close: bool,
    /// Seconds.
    pub retry_after: Option<u8>,
}

#[derive(Arbitrary, Debug, Clone, Copy, Default)]
pub enum Interim {
    #[default]
    None,
    Continue,
    EarlyHints,
}

#[derive(Arbitrary, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Data {
    #[default]
    Good,
    /// A checkout URL that is not secure; the status of another order.
    Wrong,
    /// A URL with a user name; a status without an identifier.
    Odd,
    /// An object without fields.
    Empty,
    Missing,
    /// Not an object.
    Text,
}

#[derive(Arbitrary, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Body {
    #[default]
    Envelope,
    /// The envelope, with a field that makes it longer than allowed.
    Long,
    NotJson,
    Nothing,
}

#[derive(Arbitrary, Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Framing {
    #[default]
    Length,
    /// Chunks of this size.
    Chunks(u8),
    UntilClose,
}
