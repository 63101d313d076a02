//! The lists in the source, as the entries of the description for machines.

use payorder_core::{DefaultValue, SETTINGS, Setting};
use serde_json::{Value, json};

/// The outcomes, by number.
const OUTCOMES: [(&str, &str); 4] = [
    ("DONE", "the service did what was asked"),
    ("NOT_SENT", "nothing of the request left this machine"),
    ("REJECTED", "the service answered and refused"),
    ("UNKNOWN", "the service may have acted"),
];

/// A text of an entry.
pub fn text<'a>(entry: &'a Value, key: &str) -> &'a str {
    entry[key]
        .as_str()
        .unwrap_or_else(|| panic!("no {key} in {entry}"))
}

pub fn outcomes() -> Vec<Value> {
    let outcomes = OUTCOMES.iter().enumerate();
    let outcome = |(number, (name, meaning)): (usize, &(&str, &str))| {
        json!({
            "number": number,
            "name": name.to_lowercase(),
            "constant": format!("PAYORDER_OUTCOME_{name}"),
            "meaning": meaning,
        })
    };
    outcomes.map(outcome).collect()
}

fn outcome_of(number: i32) -> String {
    let place = payorder::about::payorder_result_outcome(number);
    OUTCOMES[place as usize].0.to_lowercase()
}

macro_rules! text {
    ($($line:literal)+) => {
        concat!($($line),+).trim()
    };
}

macro_rules! results {
    ($($number:literal $name:ident $variant:ident $meaning:literal,)+) => {
        pub fn results() -> Vec<Value> {
            vec![$(json!({
                "number": $number,
                "name": stringify!($name),
                "outcome": outcome_of($number),
                "meaning": $meaning,
            })),+]
        }
    };
}
include!("../../core/src/results.rs");

macro_rules! causes {
    ($(
        $name:ident $variant:ident [$($result:literal)+] $action:ident $meaning:literal
            $(because $reason:literal)+ $(then $step:literal)+,
    )+) => {
        pub fn causes() -> Vec<Value> {
            vec![$({
                let (name, action) = (stringify!($name), name_of_action(stringify!($action)));
                json!({
                    "name": name,
                    "meaning": $meaning,
                    "results": [$($result),+],
                    "action": action,
                    "exceptions": exceptions(name, action, &[$($result),+]),
                    "reasons": [$($reason),+],
                    "steps": [$($step),+],
                })
            }),+]
        }
    };
}
include!("../../core/src/causes.rs");

macro_rules! actions {
    ($($name:ident $variant:ident [$($outcome:ident)+] $meaning:literal $say:literal,)+) => {
        pub fn actions() -> Vec<Value> {
            vec![$(json!({
                "name": stringify!($name),
                "meaning": $meaning,
                "outcomes": [$(stringify!($outcome)),+],
                "say": $say,
            })),+]
        }

        fn name_of_action(variant: &str) -> &'static str {
            let names = [$((stringify!($variant), stringify!($name))),+];
            let found = names.iter().find(|(known, _)| *known == variant);
            found.expect("a cause's action is listed").1
        }
    };
}
include!("../../core/src/actions.rs");

/// When a cause has another action, as `Error::action` and the certificate check decide.
fn exceptions(cause: &str, action: &str, results: &[i32]) -> Vec<Value> {
    let about_an_order = results.iter().any(|result| *result >= 200)
        && results != [206]
        && !["ask_status", "ask_person"].contains(&action);
    let still_payable = [
        "cancelled",
        "client_stopped",
        "service_refused",
        "unauthorized",
    ]
    .contains(&cause);
    let by_the_clock = ["certificate_expired", "certificate_not_yet_valid"].contains(&cause);
    let configures = results.contains(&3) && action != "fix_configuration";
    let all = support::table! {
        about_an_order, "after an unknown outcome of payorder_create_order", "ask_status";
        cause == "service_refused", "after payorder_get_status: the order may still appear",
            "retry_later";
        cause == "order_already_sent", "if `previous` has no url", "ask_status";
        cause == "client_freed", "after PAYORDER_CANCELLED: a started call had no thread yet", "none";
        still_payable, "after payorder_wait_for_payment: the customer can still pay", "ask_status";
        configures, "after PAYORDER_INVALID_CONFIG", "fix_configuration";
        by_the_clock, "if this machine's clock looks wrong", "check_clock";
        cause == "journal_unavailable", "if the problem may pass, as when a database is down",
            "retry_later";
    };
    let applying = all.into_iter().filter(|(applies, ..)| *applies);
    applying
        .map(|(_, when, action)| json!({"when": when, "action": action}))
        .collect()
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
            $($key:ident $kind:tt $presence:ident $($about:literal)+,)*
        }
    )+) => {
        /// The JSON objects, by name.
        pub fn objects() -> Value {
            let mut objects = json!({});
            $(objects[stringify!($object)] = json!({
                "meaning": text!($($meaning)+),
                "keys": [$(key(
                    stringify!($key),
                    kind!($kind),
                    stringify!($presence),
                    text!($($about)+),
                )),*],
            });)+
            objects["order"]["keys"] = json!(order_fields());
            objects["statusData"]["keys"] = json!(status_fields());
            objects
        }
    };
}

/// The fields of the service, which its part of the core lists.
macro_rules! order_fields {
    ($($(#[doc = $about:literal])+ $field:ident $name:ident $rule:ident,)+) => {
        fn order_fields() -> Vec<Value> {
            vec![$(field(stringify!($name), text!($($about)+))),+]
        }
    };
}
macro_rules! status_fields {
    ($($(#[doc = $about:literal])+ $name:ident,)+) => {
        fn status_fields() -> Vec<Value> {
            vec![$(field(stringify!($name), text!($($about)+))),+]
        }
    };
}
include!("../../core/src/gateway/order_fields.rs");
include!("../../core/src/gateway/status_fields.rs");

fn field(name: &str, about: &str) -> Value {
    key(name, ("string", false), "always", about)
}

macro_rules! calls {
    ($($function:ident [$($set:ident)*] $result:ident,)+) => {
        /// The calls, the sets of their options, and the objects of their results.
        pub fn calls() -> Vec<(&'static str, Vec<&'static str>, &'static str)> {
            vec![$((stringify!($function), vec![$(stringify!($set)),*], stringify!($result))),+]
        }
    };
}
include!("../../src/objects.rs");

/// The keys of an object.
pub fn keys_of<'a>(objects: &'a Value, name: &str) -> &'a [Value] {
    let keys = objects[name]["keys"].as_array();
    keys.unwrap_or_else(|| panic!("no object is called {name}"))
}

/// A key of a JSON object: its type (or that of an array's elements), whether it is an array, and
/// when it is there.
fn key(name: &str, (kind, is_array): (&str, bool), presence: &str, meaning: &str) -> Value {
    let is_plain = ["string", "integer", "number", "boolean"].contains(&kind);
    let mut member = json!({
        "key": name,
        "type": match (is_array, is_plain) {
            (true, _) => "array",
            (false, true) => kind,
            (false, false) => "object",
        },
        "always": presence != "sometimes",
        "nullable": presence == "nullable",
        "meaning": meaning,
    });
    if let Some(values) = values(meaning) {
        member["values"] = json!(values);
    }
    match kind {
        // An object whose keys are not known in advance.
        "counts" => member["values"] = json!("integer"),
        kind if is_array => member["items"] = json!(kind),
        kind if !is_plain => member["object"] = json!(kind),
        _ => {}
    }
    member
}

/// The values of a key whose meaning is only a list of names, such as "paid, check or payable".
fn values(meaning: &str) -> Option<Vec<&str>> {
    let (list, last) = match meaning.strip_prefix("one of ") {
        Some(list) => (list, None),
        None => {
            let (list, last) = meaning.rsplit_once(" or ")?;
            (list, Some(last))
        }
    };
    let names: Vec<&str> = list.split(", ").chain(last).collect();
    let is_name = |name: &&str| {
        let mut bytes = name.bytes();
        bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    names.iter().all(is_name).then_some(names)
}

macro_rules! events {
    ($(
        $(#[doc = $meaning:literal])+
        $name:ident $variant:ident [$($always:ident)+] [$($sometimes:ident)+],
    )+) => {
        pub fn events() -> Vec<Value> {
            vec![$({
                let always = [$(event_key(stringify!($always), true)),+];
                let sometimes = [$(event_key(stringify!($sometimes), false)),+];
                let keys = [&always[..], &sometimes[..]].concat();
                json!({
                    "name": stringify!($name),
                    "meaning": text!($($meaning)+),
                    "keys": keys,
                })
            }),+]
        }
    };
}

macro_rules! event_keys {
    ($($key:ident $kind:ident $meaning:literal,)+) => {
        fn event_key(key: &str, always: bool) -> Value {
            let (kind, meaning) = match key {
                $(stringify!($key) => (stringify!($kind), $meaning),)+
                _ => panic!("the list of keys has no {key}"),
            };
            json!({"key": key, "type": kind, "always": always, "meaning": meaning})
        }
    };
}
include!("../../core/src/client/events.rs");

/// The configuration keys or the options of a set.
pub fn set(name: &str) -> Vec<Value> {
    let found = SETTINGS.iter().find(|(set, _)| *set == name);
    let (_, all) = found.unwrap_or_else(|| panic!("no set of settings is called {name}"));
    all.iter()
        .map(|(known, meaning)| setting(known, meaning.trim()))
        .collect()
}

/// The options of a call.
pub fn options_of(sets: &[&str]) -> Vec<Value> {
    sets.iter().flat_map(|name| set(name)).collect()
}

fn setting(known: &Setting, meaning: &str) -> Value {
    let mut member = json!({
        "key": known.key.rsplit('.').next(),
        "type": match known.kind {
            "characters" | "path" => "string",
            "strings" => "array",
            "tls" => "object",
            other => other,
        },
        "required": matches!(known.default, DefaultValue::Required),
        "range": range(known),
        "meaning": meaning,
    });
    let limits = match known.kind {
        "integer" => ["minimum", "maximum"],
        "characters" => ["minCharacters", "maxCharacters"],
        _ => ["minBytes", "maxBytes"],
    };
    match known.kind {
        "number" => member["exclusiveMinimum"] = json!(known.least),
        "string" if !known.values.is_empty() => member["values"] = json!(known.values),
        _ if known.most < u64::MAX => {
            let [least, most] = limits;
            member[least] = json!(known.least);
            member[most] = json!(known.most);
        }
        _ => {}
    }
    match known.default {
        DefaultValue::None | DefaultValue::Required => {}
        DefaultValue::Number(number) => member["default"] = json!(number),
        DefaultValue::Boolean(boolean) => member["default"] = json!(boolean),
        DefaultValue::Text(text) => member["default"] = json!(text),
    }
    member
}

/// The allowed values: "1 to 600000, default 30000".
fn range(known: &Setting) -> String {
    let (least, most) = (known.least, known.most);
    let allowed = match known.kind {
        "integer" if most == i64::MAX as u64 => "a whole number".to_owned(),
        "integer" => format!("{least} to {most}"),
        "number" => format!("a number above {least}"),
        "characters" if least > 0 => format!("a string of {least} to {most} characters"),
        "characters" => format!("a string of at most {most} characters"),
        "boolean" => "true or false".to_owned(),
        "strings" => "an array of strings".to_owned(),
        "path" => "a path".to_owned(),
        "string" if most < u64::MAX => format!("a string of {least} to {most} bytes"),
        "string" if known.values.is_empty() => "a string".to_owned(),
        "string" => {
            let values = known.values.iter().map(|value| format!("{value:?}"));
            values.collect::<Vec<_>>().join(", ")
        }
        _ => "an object".to_owned(),
    };
    match known.default {
        DefaultValue::None => allowed,
        DefaultValue::Required => format!("{allowed}, required"),
        DefaultValue::Number(number) => format!("{allowed}, default {number}"),
        DefaultValue::Boolean(boolean) => format!("{allowed}, default {boolean}"),
        DefaultValue::Text(text) => format!("{allowed}, default {text:?}"),
    }
}
