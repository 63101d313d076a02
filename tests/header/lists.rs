//! The lists in the source, as data.

use payorder_core::c_abi::{DefaultValue, SETTINGS};

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
    /// Without the name of its object.
    pub key: &'static str,
    /// As the library knows it.
    pub known: payorder_core::c_abi::Setting,
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

/// The list of the library itself.
pub fn settings() -> Vec<Settings> {
    let settings = |settings: &[(payorder_core::c_abi::Setting, &str)]| {
        let setting = |(known, text): &(payorder_core::c_abi::Setting, &str)| Setting {
            key: known.key.rsplit('.').next().unwrap_or_default(),
            known: *known,
            meaning: text.trim().to_owned(),
        };
        settings.iter().map(setting).collect()
    };
    let sets = SETTINGS.iter().map(|(set, all)| Settings {
        set,
        settings: settings(all),
    });
    sets.collect()
}

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
        let (least, most) = (self.known.least, self.known.most);
        let allowed = match self.known.kind {
            "integer" if most == i64::MAX as u64 => "a whole number".to_owned(),
            "integer" => format!("{least} to {most}"),
            "number" => format!("a number above {least}"),
            "characters" => format!("a string of at most {most} characters"),
            "boolean" => "true or false".to_owned(),
            "strings" => "an array of strings".to_owned(),
            "path" => "a path".to_owned(),
            "string" if self.has_length() => format!("a string of {least} to {most} bytes"),
            "string" if self.known.values.is_empty() => "a string".to_owned(),
            "string" => {
                let values = self.known.values.iter();
                let values: Vec<String> = values.map(|value| format!("{value:?}")).collect();
                values.join(", ")
            }
            _ => "an object".to_owned(),
        };
        match self.known.default {
            DefaultValue::None => allowed,
            DefaultValue::Required => format!("{allowed}, required"),
            DefaultValue::Number(number) => format!("{allowed}, default {number}"),
            DefaultValue::Boolean(boolean) => format!("{allowed}, default {boolean}"),
            DefaultValue::Text(text) => format!("{allowed}, default {text:?}"),
        }
    }

    /// Whether the length of its text is limited.
    pub fn has_length(&self) -> bool {
        self.known.kind == "string" && self.known.most < u64::MAX
    }
}

/// The settings of a set.
pub fn set(name: &str) -> Vec<Setting> {
    let found = settings().into_iter().find(|set| set.set == name);
    found
        .unwrap_or_else(|| panic!("no set of settings is called {name}"))
        .settings
}
