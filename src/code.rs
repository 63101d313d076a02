//! The numbers and names that a program decides by: result codes, their outcomes, causes, actions.

/// What happened to the money, as far as anyone can know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum Outcome {
    /// The service did what was asked.
    Done = 0,
    /// Nothing of the request left this machine.
    NotSent = 1,
    /// The service answered, and refused.
    Rejected = 2,
    /// The service may have acted; ask Get Status before doing anything else.
    Unknown = 3,
}

impl Outcome {
    /// The outcome that a result number stands for. A number in no range is [`Outcome::Unknown`],
    /// the careful reading.
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
    ($($(#[doc = $meaning:literal])+ $number:literal $name:ident $variant:ident,)+) => {
        /// How a call ended. The numbers are those of the C ABI; the range of a number is its [`Outcome`].
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[repr(i32)]
        pub enum Code {
            $($(#[doc = $meaning])+ $variant = $number,)+
        }

        impl Code {
            /// The constant's name in the C header, such as `PAYORDER_TIMEOUT`, with the NUL that C wants.
            pub(crate) fn c_name_of(number: i32) -> &'static std::ffi::CStr {
                match number {
                    $($number => const { c_string(concat!(stringify!($name), "\0")) },)+
                    _ => c"PAYORDER_UNRECOGNISED",
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

const fn c_string(text: &'static str) -> &'static std::ffi::CStr {
    match std::ffi::CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(name) => name,
        Err(_) => c"",
    }
}

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

/// What a program should do next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Action {
    /// Change the arguments of the call.
    FixRequest,
    /// Change the client's configuration, or the files it names.
    FixConfiguration,
    /// Check the credentials.
    CheckCredentials,
    /// Check the network, the host name and the port.
    CheckNetwork,
    /// Check this machine's clock.
    CheckClock,
    /// Repeat the call: nothing was sent, or it only asked.
    Retry,
    /// Wait for [`crate::Error::retry_after`] or a while, then repeat the call.
    RetryLater,
    /// Show the service's reason. Do not repeat the call unchanged.
    ShowReason,
    /// Ask for the order's status before anything else.
    AskStatus,
    /// The order was created earlier: go on with [`crate::Error::previous`].
    UsePrevious,
    /// Report a bug in the library.
    ReportBug,
    /// Nothing to do.
    None,
}

impl Action {
    /// The name in an error object.
    pub fn name(self) -> &'static str {
        match self {
            Action::FixRequest => "fix_request",
            Action::FixConfiguration => "fix_configuration",
            Action::CheckCredentials => "check_credentials",
            Action::CheckNetwork => "check_network",
            Action::CheckClock => "check_clock",
            Action::Retry => "retry",
            Action::RetryLater => "retry_later",
            Action::ShowReason => "show_reason",
            Action::AskStatus => "ask_status",
            Action::UsePrevious => "use_previous",
            Action::ReportBug => "report_bug",
            Action::None => "none",
        }
    }
}

macro_rules! causes {
    ($($(#[doc = $meaning:literal])+ $name:ident $variant:ident [$($result:literal)+] $action:ident,)+) => {
        /// What exactly happened, more precisely than the [`Code`]. The list may grow: treat an
        /// unknown cause as its code.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Cause {
            $($(#[doc = $meaning])+ $variant,)+
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

            /// The numbers of the results that it comes with.
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

#[cfg(test)]
mod tests {
    use super::{Cause, Code};

    #[test]
    fn every_cause_comes_with_results_that_exist() {
        for cause in Cause::ALL {
            assert!(!cause.results().is_empty());
            for number in cause.results() {
                let name = Code::c_name_of(*number);
                assert_ne!(name, c"PAYORDER_UNRECOGNISED", "{} {number}", cause.name());
            }
        }
    }
}
