//! The lists in the source, as data.

/// A result of the C ABI.
pub struct ResultCode {
    pub number: i32,
    pub name: &'static str,
    pub meaning: String,
}

/// The outcomes, by number.
pub const OUTCOMES: [(&str, &str); 4] = [
    ("DONE", "the service did what was asked"),
    ("NOT_SENT", "nothing of the request left this machine"),
    ("REJECTED", "the service answered and refused"),
    ("UNKNOWN", "the service may have acted"),
];

pub struct Cause {
    pub name: &'static str,
    pub meaning: String,
    pub results: Vec<i32>,
    /// The variant of the action.
    pub action: &'static str,
    /// Likely reasons, for a person.
    pub reasons: Vec<&'static str>,
    /// What helps, for a person.
    pub steps: Vec<&'static str>,
}

pub struct Action {
    pub name: &'static str,
    pub variant: &'static str,
    pub meaning: String,
    pub outcomes: Vec<&'static str>,
}

/// A configuration key or an option.
pub struct Setting {
    pub key: &'static str,
    pub kind: &'static str,
    /// As in the list: numbers, or quoted texts.
    pub limits: Vec<&'static str>,
    /// As in the list: a value, `required` or `none`.
    pub default: &'static str,
    pub meaning: String,
}

pub struct Settings {
    pub set: &'static str,
    pub settings: Vec<Setting>,
}

/// A key of a JSON object.
pub struct Key {
    pub name: &'static str,
    /// The type of the value, or of an array's elements.
    pub kind: &'static str,
    pub is_array: bool,
    /// `always`, `nullable` or `sometimes`.
    pub presence: &'static str,
    pub meaning: String,
}

pub struct Object {
    pub name: &'static str,
    pub meaning: String,
    pub keys: Vec<Key>,
}

/// A call, the sets of its options, and the object of its result.
pub struct Call {
    pub function: &'static str,
    pub options: Vec<&'static str>,
    pub result: &'static str,
}

pub struct Event {
    pub name: &'static str,
    pub meaning: String,
    pub always: Vec<&'static str>,
    pub sometimes: Vec<&'static str>,
}

macro_rules! text {
    ($($line:literal)+) => {
        concat!($($line),+).trim().to_owned()
    };
}

macro_rules! results {
    ($($(#[doc = $meaning:literal])+ $number:literal $name:ident $variant:ident,)+) => {
        pub fn results() -> Vec<ResultCode> {
            vec![$(ResultCode {
                number: $number,
                name: stringify!($name),
                meaning: text!($($meaning)+),
            }),+]
        }
    };
}
include!("../../core/src/results.rs");

macro_rules! causes {
    ($(
        $(#[doc = $meaning:literal])+
        $name:ident $variant:ident [$($result:literal)+] $action:ident
            $(because $reason:literal)+ $(then $step:literal)+,
    )+) => {
        pub fn causes() -> Vec<Cause> {
            vec![$(Cause {
                name: stringify!($name),
                meaning: text!($($meaning)+),
                results: vec![$($result),+],
                action: stringify!($action),
                reasons: vec![$($reason),+],
                steps: vec![$($step),+],
            }),+]
        }
    };
}
include!("../../core/src/causes.rs");

macro_rules! actions {
    ($($(#[doc = $meaning:literal])+ $name:ident $variant:ident [$($outcome:ident)+],)+) => {
        pub fn actions() -> Vec<Action> {
            vec![$(Action {
                name: stringify!($name),
                variant: stringify!($variant),
                meaning: text!($($meaning)+),
                outcomes: vec![$(stringify!($outcome)),+],
            }),+]
        }
    };
}
include!("../../core/src/actions.rs");

macro_rules! settings {
    ($($set:ident {
        $($(#[doc = $meaning:literal])+ $key:ident $kind:ident [$($limit:literal)*] $default:tt,)+
    })+) => {
        pub fn settings() -> Vec<Settings> {
            vec![$(Settings {
                set: stringify!($set),
                settings: vec![$(Setting {
                    key: stringify!($key),
                    kind: stringify!($kind),
                    limits: vec![$(stringify!($limit)),*],
                    default: stringify!($default),
                    meaning: text!($($meaning)+),
                }),+],
            }),+]
        }
    };
}
include!("../../core/src/settings/list.rs");

macro_rules! kind {
    ([$kind:ident]) => {
        (stringify!($kind), true)
    };
    ($kind:ident) => {
        (stringify!($kind), false)
    };
}

macro_rules! objects {
    ($(
        $(#[doc = $meaning:literal])+
        $object:ident {
            $($(#[doc = $about:literal])+ $key:ident $kind:tt $presence:ident,)+
        }
    )+) => {
        pub fn objects() -> Vec<Object> {
            vec![$(Object {
                name: stringify!($object),
                meaning: text!($($meaning)+),
                keys: vec![$({
                    let (kind, is_array) = kind!($kind);
                    Key {
                        name: stringify!($key),
                        kind,
                        is_array,
                        presence: stringify!($presence),
                        meaning: text!($($about)+),
                    }
                }),+],
            }),+]
        }
    };
}

macro_rules! calls {
    ($($function:ident [$($set:ident)*] $result:ident,)+) => {
        pub fn calls() -> Vec<Call> {
            vec![$(Call {
                function: stringify!($function),
                options: vec![$(stringify!($set)),*],
                result: stringify!($result),
            }),+]
        }
    };
}
include!("../../src/objects.rs");

macro_rules! events {
    ($(
        $(#[doc = $meaning:literal])+
        $name:ident $variant:ident [$($always:ident)+] [$($sometimes:ident)+],
    )+) => {
        pub fn events() -> Vec<Event> {
            vec![$(Event {
                name: stringify!($name),
                meaning: text!($($meaning)+),
                always: vec![$(stringify!($always)),+],
                sometimes: vec![$(stringify!($sometimes)),+],
            }),+]
        }
    };
}
include!("../../core/src/client/events.rs");

impl Setting {
    /// The allowed values: "1 to 600000, default 30000".
    pub fn range(&self) -> String {
        let allowed = match (self.kind, self.limits.as_slice()) {
            ("integer", [_, "9223372036854775807"]) => "a whole number".to_owned(),
            ("integer", [least, most]) => format!("{least} to {most}"),
            ("number", [bound]) => format!("a number above {bound}"),
            ("characters", [_, most]) => format!("a string of at most {most} characters"),
            ("boolean", _) => "true or false".to_owned(),
            ("strings", _) => "an array of strings".to_owned(),
            ("path", _) => "a path".to_owned(),
            ("string", [least, most]) if self.is_length() => {
                format!("a string of {least} to {most} bytes")
            }
            ("string", []) => "a string".to_owned(),
            ("string", values) => values.join(", "),
            _ => "an object".to_owned(),
        };
        match self.default {
            "none" => allowed,
            "required" => format!("{allowed}, required"),
            default => format!("{allowed}, default {default}"),
        }
    }

    pub fn is_length(&self) -> bool {
        self.limits
            .iter()
            .all(|limit| limit.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

/// The settings of a set.
pub fn set(name: &str) -> Vec<Setting> {
    let found = settings().into_iter().find(|set| set.set == name);
    found
        .unwrap_or_else(|| panic!("no set of settings is called {name}"))
        .settings
}
