//! The numbers and names on which a program bases its decisions: result codes, outcomes, causes and
//! actions.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::operation::Operation;

/// What happened to the request, as far as it can be known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Outcome {
    /// The service did what was asked.
    Done = 0,
    /// The request was not sent.
    NotSent = 1,
    /// The service refused the request.
    Rejected = 2,
    /// The service may have acted; ask Get Status before doing anything else.
    Unknown = 3,
}

impl Outcome {
    /// The outcome of a result number. A number outside every range is [`Outcome::Unknown`], to be
    /// safe.
    pub fn of_number(number: i32) -> Outcome {
        match number {
            0 => Outcome::Done,
            1..=99 => Outcome::NotSent,
            100..=199 => Outcome::Rejected,
            _ => Outcome::Unknown,
        }
    }

    /// The outcome's name in an error object.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Done => "done",
            Outcome::NotSent => "not_sent",
            Outcome::Rejected => "rejected",
            Outcome::Unknown => "unknown",
        }
    }
}

macro_rules! results {
    ($($number:literal $name:ident $variant:ident $meaning:literal,)+) => {
        /// How a call ended. The numbers are those of the C ABI; the range of a number is its
        /// [`Outcome`].
        ///
        /// ```
        /// use payorder_core::{Action, Cause, Code, Outcome};
        ///
        /// assert_eq!((Code::Timeout.number(), Code::Timeout.name()), (200, "PAYORDER_TIMEOUT"));
        /// assert_eq!(Code::Timeout.outcome(), Outcome::of_number(200));
        /// assert_eq!(Cause::ConnectionRefused.results(), [Code::ConnectFailed.number()]);
        /// assert_eq!(Action::ShowReason.outcomes(), ["rejected"]);
        /// ```
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        #[repr(i32)]
        pub enum Code {
            $(#[doc = $meaning] $variant = $number,)+
        }

        impl Code {
            /// The name of a number, with a NUL at its end for C.
            pub fn name_for_c(number: i32) -> &'static str {
                match number {
                    $($number => concat!(stringify!($name), "\0"),)+
                    _ => "PAYORDER_UNRECOGNISED\0",
                }
            }

            /// The constant's name in the C header, such as `PAYORDER_TIMEOUT`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Code::$variant => stringify!($name),)+
                }
            }
        }
    };
}
include!("results.rs");

impl Code {
    /// The number of the C ABI.
    pub fn number(self) -> i32 {
        self as i32
    }

    /// What happened to the request.
    pub fn outcome(self) -> Outcome {
        Outcome::of_number(self.number())
    }
}

macro_rules! actions {
    ($($name:ident $variant:ident [$($outcome:ident)+] $meaning:literal $say:literal,)+) => {
        /// What a program should do next.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Action {
            $(#[doc = $meaning] $variant,)+
        }

        impl Action {
            /// Every action.
            pub const ALL: &'static [Action] = &[$(Action::$variant,)+];

            /// The name in an error object, such as `ask_status`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Action::$variant => stringify!($name),)+
                }
            }

            /// A sentence for the cashier, in English.
            pub fn say(self) -> &'static str {
                match self {
                    $(Action::$variant => $say,)+
                }
            }

            /// The names of the outcomes that can have this action.
            pub fn outcomes(self) -> &'static [&'static str] {
                match self {
                    $(Action::$variant => &[$(stringify!($outcome)),+],)+
                }
            }
        }
    };
}
include!("actions.rs");

macro_rules! causes {
    ($(
        $name:ident $variant:ident [$($result:literal)+] $action:ident $meaning:literal
            $(because $reason:literal)+ $(then $step:literal)+,
    )+) => {
        /// What exactly happened, more precisely than the [`Code`]. The list may grow: treat an
        /// unknown cause as its code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Cause {
            $(#[doc = $meaning] $variant,)+
        }

        impl Cause {
            /// Every cause.
            pub const ALL: &'static [Cause] = &[$(Cause::$variant,)+];

            /// The name in an error object, such as `connection_refused`.
            pub fn name(self) -> &'static str {
                match self {
                    $(Cause::$variant => stringify!($name),)+
                }
            }

            /// The numbers of the results that can have this cause.
            pub fn results(self) -> &'static [i32] {
                match self {
                    $(Cause::$variant => &[$($result),+],)+
                }
            }

            /// What to do next, except after an unknown outcome of Create Order.
            pub(crate) fn action(self) -> Action {
                match self {
                    $(Cause::$variant => Action::$action,)+
                }
            }
        }
    };
}
include!("causes.rs");

/// Written, also as JSON, by their names in an error object.
macro_rules! written_by_name {
    ($($name:ident)+) => {$(
        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.pad(self.name())
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.name())
            }
        }
    )+};
}
written_by_name! { Outcome Code Action Cause Operation }

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{Action, Cause, Code, Outcome};

    #[test]
    fn every_result_of_a_cause_exists() {
        for cause in Cause::ALL {
            assert!(!cause.results().is_empty());
            for number in cause.results() {
                let name = Code::name_for_c(*number);
                assert_ne!(name, Code::name_for_c(-1), "{} {number}", cause.name());
            }
        }
    }

    #[test]
    fn every_action_lists_its_outcomes() {
        let mut found = BTreeSet::new();
        for cause in Cause::ALL {
            for number in cause.results() {
                let action = match *number {
                    3 => Action::FixConfiguration,
                    _ => cause.action(),
                };
                found.insert((action.name(), Outcome::of_number(*number).name()));
            }
        }
        // After a wait the customer can still pay, however the wait ended.
        found.extend(["not_sent", "rejected"].map(|outcome| ("ask_status", outcome)));
        let listed: BTreeSet<_> = Action::ALL
            .iter()
            .flat_map(|action| {
                action
                    .outcomes()
                    .iter()
                    .map(|outcome| (action.name(), *outcome))
            })
            .collect();
        assert_eq!(listed, found);
    }
}
