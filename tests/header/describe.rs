//! The machine-readable description of the C ABI.

use serde_json::{Value, json};

use super::declarations::{self, Declaration};
use super::lists;

/// The text of include/payorder-abi.json: a line for each entry, so that a diff shows what changed.
pub fn make() -> String {
    let declarations = declarations::all();
    let all = |choose: fn(&Declaration) -> bool| -> Value {
        let chosen = declarations.iter().filter(|one| choose(one));
        chosen.map(|one| function(one, &declarations)).collect()
    };
    let mut config = lists::set("config");
    for key in config.iter_mut().filter(|key| key["key"] == "tls") {
        key["keys"] = json!(lists::set("tls"));
    }
    let members = [
        (
            "about",
            json!("The C ABI of libpayorder. Generated together with payorder.h."),
        ),
        ("version", json!(env!("CARGO_PKG_VERSION"))),
        ("abiVersion", json!(1)),
        ("ownership", ownership()),
        ("outcomes", json!(lists::outcomes())),
        ("results", json!(lists::results())),
        ("causes", causes()),
        ("actions", json!(lists::actions())),
        ("functions", all(Declaration::is_function)),
        ("callbacks", all(Declaration::is_callback)),
        ("config", json!(config)),
        ("objects", lists::objects()),
        ("events", json!(lists::events())),
    ];
    let members = members.map(|(key, value)| format!("  \"{key}\": {}", lines(&value)));
    format!("{{\n{}\n}}\n", members.join(",\n"))
}

/// JSON with one entry to a line.
fn lines(value: &Value) -> String {
    let (brackets, entries): (_, Vec<String>) = match value {
        Value::Array(values) => (["[", "]"], values.iter().map(Value::to_string).collect()),
        Value::Object(members) => {
            let members = members.iter();
            let entries = members.map(|(key, value)| format!("\"{key}\": {value}"));
            (["{", "}"], entries.collect())
        }
        _ => return value.to_string(),
    };
    let [open, close] = brackets;
    format!("{open}\n    {}\n  {close}", entries.join(",\n    "))
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

/// The causes, with the examples of the committed file, which tests/causes renews.
fn causes() -> Value {
    let committed = include_str!("../../include/payorder-abi.json");
    let committed: Value = serde_json::from_str(committed).expect("a description");
    let known = committed["causes"].as_array().expect("causes");
    let causes = lists::causes().into_iter().map(|mut cause| {
        let before = known.iter().find(|one| one["name"] == cause["name"]);
        cause["example"] = before.map_or(Value::Null, |before| before["example"].clone());
        cause
    });
    causes.collect()
}

fn function(declaration: &Declaration, all: &[Declaration]) -> Value {
    let name = declaration.name();
    let description = declaration.description();
    let paragraphs: Vec<&str> = description
        .iter()
        .filter(|item| !item.starts_with('-'))
        .map(String::as_str)
        .collect();
    let mut function = json!({
        "name": name,
        "declaration": declaration.line(),
        "meaning": paragraphs.join(" "),
        "description": description,
        "parameters": declaration.parameters(),
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
        function["see"] = json!(declaration.see(all));
        function["since"] = json!(declaration.section("@since"));
        function["example"] = json!(declaration.example().1);
    }
    let calls = lists::calls();
    if let Some((_, sets, result)) = calls.iter().find(|(known, ..)| *known == name) {
        function["result"] = json!(result);
        if !sets.is_empty() {
            function["options"] = json!(lists::options_of(sets));
        }
    }
    function
}
