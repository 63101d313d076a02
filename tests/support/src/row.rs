//! One row of the table: a fault, how the client reaches it, and what its calls must return.

use std::ops::RangeInclusive;

use serde_json::Value;

use crate::service::{Step, Way};

#[derive(Clone, Debug)]
pub struct Row {
    pub name: String,
    pub ways: &'static [Way],
    /// Where the client connects to.
    pub at: Place,
    pub scripts: Vec<Vec<Step>>,
    pub calls: Vec<Call>,
    /// The deadline of each call, in milliseconds.
    pub within: u64,
    /// The call must end within this time, well before its deadline.
    pub sooner: Option<u64>,
    pub settings: Vec<(&'static str, Value)>,
    /// How many connections the service must have accepted, if that is part of the promise.
    pub connections: Option<RangeInclusive<usize>>,
    /// The request has 6 MiB: more than the system's buffers hold.
    pub large: bool,
    /// The service responds before it has the complete request. The response counts.
    pub early: bool,
    pub create_only: bool,
    /// The cause of the first call's error, if that is part of the promise.
    pub cause: Option<&'static str>,
}

/// Where the client connects to.
#[derive(Clone, Debug)]
pub enum Place {
    Service,
    /// A port where nobody listens.
    Nobody,
    /// The service, by a host name.
    Named(&'static str),
    /// A listener whose accept queue is full.
    FullQueue,
    /// A host name, of the service or of its proxy.
    Host(&'static str),
}

#[derive(Clone, Debug)]
pub struct Call {
    pub before: Before,
    pub results: Vec<i32>,
}

/// What happens before a call.
#[derive(Clone, Copy, Debug)]
pub enum Before {
    Nothing,
    Pause(u64),
    /// Waits for [`Step::StartNextCall`] in the script.
    ScriptSays,
    Stop,
    Start,
    Restart,
}

/// A method for each of these fields, which sets it.
macro_rules! setters {
    ($($name:ident: $type:ty;)*) => {$(
        pub fn $name(self, $name: $type) -> Row {
            Row {
                $name: $name.into(),
                ..self
            }
        }
    )*};
}

impl Row {
    /// `script` runs on every connection.
    pub fn new(
        name: impl Into<String>,
        ways: &'static [Way],
        script: impl Into<Vec<Step>>,
        results: &[i32],
    ) -> Row {
        Row {
            name: name.into(),
            ways,
            at: Place::Service,
            scripts: vec![script.into()],
            calls: vec![Call {
                before: Before::Nothing,
                results: results.to_vec(),
            }],
            // If a response is due, there is time for it. A row that waits for the deadline says
            // how long.
            within: 4000,
            sooner: None,
            settings: Vec::new(),
            connections: None,
            large: false,
            early: false,
            create_only: false,
            cause: None,
        }
    }

    setters! {
        at: Place;
        ways: &'static [Way];
        within: u64;
        sooner: u64;
        connections: RangeInclusive<usize>;
        cause: &'static str;
        early: bool;
        create_only: bool;
    }

    /// One attempt, which may take so many milliseconds to connect.
    pub fn attempt_of(self, milliseconds: u64) -> Row {
        self.with("connectTimeoutMs", milliseconds)
            .with("createRetries", 0)
    }

    /// The script for further connections.
    pub fn next(mut self, script: impl Into<Vec<Step>>) -> Row {
        self.scripts.push(script.into());
        self
    }

    pub fn then(mut self, before: Before, results: &[i32]) -> Row {
        self.calls.push(Call {
            before,
            results: results.to_vec(),
        });
        self
    }

    pub fn with(mut self, key: &'static str, value: impl Into<Value>) -> Row {
        self.settings.push((key, value.into()));
        self
    }

    pub fn large(mut self) -> Row {
        self.large = true;
        self.create_only(true)
    }

    /// Whether the first script waits for a complete request before it does anything harmful.
    pub fn delivers(&self) -> bool {
        let harmless = |step: &&Step| {
            matches!(
                step,
                Step::Handshake(_) | Step::Connect | Step::Open | Step::Request
            )
        };
        let first = self.scripts.first().into_iter().flatten();
        first
            .take_while(harmless)
            .any(|step| matches!(step, Step::Request))
    }
}
