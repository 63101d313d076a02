//! The machine-readable description of the C ABI.

use payorder_core::c_abi::DefaultValue;
use serde_json::{Map, Value, json};

use super::declarations::{self, Declaration, Parameter};
use super::lists::{self, Key, Setting};

/// The text of include/payorder-abi.json.
pub fn make() -> String {
    let declarations = declarations::all();
    let of = |choose: fn(&Declaration) -> bool| -> Vec<&Declaration> {
        declarations.iter().filter(|one| choose(one)).collect()
    };
    let mut members = Members::default();
    members.add(
        "about",
        json!("The C ABI of libpayorder. Generated together with payorder.h."),
    );
    members.add("version", json!(env!("CARGO_PKG_VERSION")));
    members.add("abiVersion", json!(1));
    members.add("ownership", ownership());
    members.add("outcomes", Value::Array(outcomes()));
    members.add("results", Value::Array(results()));
    members.add("causes", Value::Array(causes()));
    members.add("actions", Value::Array(actions()));
    let functions = of(Declaration::is_function);
    members.add("functions", functions.into_iter().map(function).collect());
    let callbacks = of(Declaration::is_callback);
    members.add("callbacks", callbacks.into_iter().map(function).collect());
    members.add("config", config());
    members.add("objects", objects());
    members.add("events", Value::Array(events()));
    members.text()
}

/// The members of the document, written line by line, so that a diff shows what changed.
#[derive(Default)]
struct Members(Vec<String>);

impl Members {
    fn add(&mut self, key: &str, value: Value) {
        // A function and an object are long: a line for each part of them.
        let depth = match key {
            "functions" | "callbacks" | "objects" => 2,
            _ => 1,
        };
        self.0
            .push(format!("  \"{key}\": {}", lines(&value, "  ", depth)));
    }

    fn text(self) -> String {
        format!("{{\n{}\n}}\n", self.0.join(",\n"))
    }
}

/// JSON with one entry to a line, down to a depth.
fn lines(value: &Value, indent: &str, depth: usize) -> String {
    let inner = format!("{indent}  ");
    let line = |text: String| format!("\n{inner}{text}");
    let (brackets, entries): (_, Vec<String>) = match value {
        Value::Array(values) if depth > 0 && values.iter().any(Value::is_object) => (
            ["[", "]"],
            values
                .iter()
                .map(|value| line(lines(value, &inner, depth - 1)))
                .collect(),
        ),
        Value::Object(members) if depth > 0 && !members.is_empty() => (
            ["{", "}"],
            members
                .iter()
                .map(|(key, value)| line(format!("\"{key}\": {}", lines(value, &inner, depth - 1))))
                .collect(),
        ),
        _ => return value.to_string(),
    };
    let [open, close] = brackets;
    format!("{open}{}\n{indent}{close}", entries.join(","))
}

fn ownership() -> Value {
    json!({
        "value": "passed by value",
        "borrowed": "read during the call only; stays the caller's",
        "kept": "used until payorder_live_calls is 0 after it was replaced or the client freed",
        "freed": "no longer valid after the call",
        "caller": "memory of the caller that is written during the call",
        "payorder_string_free": "the string that is written belongs to the caller",
        "payorder_client_free": "the client that is written belongs to the caller",
    })
}

fn outcomes() -> Vec<Value> {
    let outcomes = (0..).zip(lists::OUTCOMES);
    let outcome = |(number, (name, meaning)): (i32, (&str, &str))| {
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
    let place = match number {
        0 => 0,
        1..=99 => 1,
        100..=199 => 2,
        _ => 3,
    };
    lists::OUTCOMES[place].0.to_lowercase()
}

fn results() -> Vec<Value> {
    let result = |result: &lists::ResultCode| {
        json!({
            "number": result.number,
            "name": result.name,
            "outcome": outcome_of(result.number),
            "meaning": result.meaning,
        })
    };
    lists::results().iter().map(result).collect()
}

fn causes() -> Vec<Value> {
    let actions = lists::actions();
    let examples: Value = serde_json::from_str(include_str!("../causes/examples.json"))
        .expect("the examples are JSON");
    let cause = |cause: &lists::Cause| {
        let action = actions.iter().find(|action| action.variant == cause.action);
        json!({
            "name": cause.name,
            "results": cause.results,
            "meaning": cause.meaning,
            "action": action.expect("a cause's action is listed").name,
            "exceptions": exceptions(cause),
            "reasons": cause.reasons,
            "steps": cause.steps,
            "example": examples[cause.name],
        })
    };
    lists::causes().iter().map(cause).collect()
}

/// Whether the action is `ask_status` after an unknown outcome of Create Order, and another one
/// otherwise.
pub fn is_about_an_order(cause: &lists::Cause) -> bool {
    let may_exist = cause.results.iter().any(|result| *result >= 200);
    may_exist && !["AskStatus", "UsePrevious"].contains(&cause.action)
}

/// When a cause has another action, as `Error::action` and the certificate check decide.
fn exceptions(cause: &lists::Cause) -> Vec<Value> {
    let mut exceptions = Vec::new();
    if is_about_an_order(cause) {
        let when = "after an unknown outcome of payorder_create_order";
        exceptions.push(json!({"when": when, "action": "ask_status"}));
    }
    if ["cancelled", "unauthorized"].contains(&cause.name) {
        let when = "after payorder_wait_for_payment: the customer can still pay";
        exceptions.push(json!({"when": when, "action": "ask_status"}));
    }
    if cause.results.contains(&3) && cause.action != "FixConfiguration" {
        let when = "after PAYORDER_INVALID_CONFIG";
        exceptions.push(json!({"when": when, "action": "fix_configuration"}));
    }
    if ["certificate_expired", "certificate_not_yet_valid"].contains(&cause.name) {
        let when = "if this machine's clock looks wrong";
        exceptions.push(json!({"when": when, "action": "check_clock"}));
    }
    exceptions
}

fn actions() -> Vec<Value> {
    let action = |action: &lists::Action| json!({"name": action.name, "meaning": action.meaning, "outcomes": action.outcomes});
    lists::actions().iter().map(action).collect()
}

fn function(declaration: &Declaration) -> Value {
    let name = declaration.name();
    let parameters: Vec<Value> = declaration.parameters().iter().map(parameter).collect();
    let mut function = json!({
        "name": name,
        "declaration": declaration.line(),
        "meaning": declaration.summary(),
        "description": declaration.description(),
        "parameters": parameters,
        "returns": {"type": declaration.returns(), "meaning": declaration.section("@return")},
        "ownership": declaration.section("Ownership:"),
        "threads": declaration.section("Threads:"),
    });
    if declaration.is_function() {
        function["group"] = json!(declaration.group);
        function["failures"] = json!(declaration.failures());
        function["onFailure"] = json!(declaration.section("Failures:"));
        let cases = declaration.failure_cases().into_iter();
        function["failureCases"] = cases
            .map(|(results, meaning)| json!({"results": results, "meaning": meaning}))
            .collect();
        function["see"] = json!(declaration.see());
        function["since"] = json!(declaration.section("@since"));
        function["example"] = json!(declaration.example());
    }
    let calls = lists::calls();
    if let Some(call) = calls.iter().find(|call| call.function == name) {
        function["result"] = json!(call.result);
        let options: Vec<Value> = call
            .options
            .iter()
            .flat_map(|set| lists::set(set))
            .map(|option| setting(&option))
            .collect();
        if !options.is_empty() {
            function["options"] = Value::Array(options);
        }
    }
    function
}

fn parameter(parameter: &Parameter) -> Value {
    json!({
        "name": parameter.name,
        "type": parameter.kind,
        "direction": if parameter.out { "out" } else { "in" },
        "ownership": parameter.ownership(),
        "nullable": parameter.is_pointer() && parameter.nullable() == Some(true),
        "meaning": parameter.meaning,
    })
}

fn config() -> Value {
    let mut keys: Vec<Value> = lists::set("config").iter().map(setting).collect();
    for key in &mut keys {
        if key["key"] == "tls" {
            let inner: Vec<Value> = lists::set("tls").iter().map(setting).collect();
            key["keys"] = Value::Array(inner);
        }
    }
    Value::Array(keys)
}

/// A configuration key or an option.
fn setting(setting: &Setting) -> Value {
    let known = &setting.known;
    let mut member = json!({
        "key": setting.key,
        "type": json_type(known.kind),
        "required": matches!(known.default, DefaultValue::Required),
        "range": setting.range(),
        "meaning": setting.meaning,
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

fn json_type(kind: &str) -> &str {
    match kind {
        "characters" | "path" => "string",
        "strings" => "array",
        "tls" => "object",
        other => other,
    }
}

fn objects() -> Value {
    let objects = lists::objects();
    let objects = objects.iter().map(|object| {
        let keys: Vec<Value> = object.keys.iter().map(key).collect();
        let members = json!({"meaning": object.meaning, "keys": keys});
        (object.name.to_owned(), members)
    });
    Value::Object(objects.collect::<Map<_, _>>())
}

fn key(key: &Key) -> Value {
    const PLAIN: [&str; 4] = ["string", "integer", "number", "boolean"];
    let mut member = json!({
        "key": key.name,
        "type": if key.is_array {
            "array"
        } else if PLAIN.contains(&key.kind) {
            key.kind
        } else {
            "object"
        },
        "always": key.presence != "sometimes",
        "nullable": key.presence == "nullable",
        "meaning": key.meaning,
    });
    if let Some(values) = values(&key.meaning) {
        member["values"] = json!(values);
    }
    match key.kind {
        // An object whose keys are not known in advance.
        "counts" => member["values"] = json!("integer"),
        kind if key.is_array => member["items"] = json!(kind),
        kind if !PLAIN.contains(&kind) => member["object"] = json!(kind),
        _ => {}
    }
    member
}

/// The values of a key whose meaning is only a list of names, such as "paid, check or payable".
fn values(meaning: &str) -> Option<Vec<&str>> {
    let (list, last) = match meaning.strip_prefix("one of ") {
        Some(list) => (list, None),
        None => meaning
            .rsplit_once(" or ")
            .map(|(list, last)| (list, Some(last)))?,
    };
    let names: Vec<&str> = list.split(", ").chain(last).collect();
    let is_name = |name: &&str| {
        name.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    names.iter().all(is_name).then_some(names)
}

fn events() -> Vec<Value> {
    let event = |event: &lists::Event| {
        let keys: Vec<Value> = event
            .always
            .iter()
            .map(|key| (key, true))
            .chain(event.sometimes.iter().map(|key| (key, false)))
            .map(|(key, always)| json!({"key": key, "type": event_type(key), "always": always}))
            .collect();
        json!({"name": event.name, "meaning": event.meaning, "keys": keys})
    };
    lists::events().iter().map(event).collect()
}

fn event_type(key: &str) -> &'static str {
    match key {
        "attempt" | "result" | "httpStatus" | "elapsedMs" => "integer",
        _ => "string",
    }
}
