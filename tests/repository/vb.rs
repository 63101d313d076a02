//! The module for VB6 and VBA declares the C functions as they are, has a function for each of them,
//! and has every result and outcome.

use serde_json::Value;

use support::built;

/// `payorder_json_copy` is not needed in VB, where a `String` has any length. The others are not
/// wrapped yet.
const LEFT_OUT: [&str; 3] = [
    "payorder_json_copy",
    "payorder_start",
    "payorder_stream_statuses",
];
const MODULE: &str = "payorder.bas";
const CLASSES: [&str; 2] = ["PayorderClient.cls", "PayorderOrder.cls"];
/// The module calls it itself.
const FREE: &str = "payorder_string_free";

fn description() -> Value {
    serde_json::from_str(include_str!("../../include/payorder-abi.json")).expect("a description")
}

fn list<'a>(description: &'a Value, key: &str) -> &'a [Value] {
    description[key].as_array().expect("a list")
}

/// The module's lines, joined where ` _` continues them.
fn lines() -> Vec<String> {
    lines_of(MODULE)
}

fn lines_of(file: &str) -> Vec<String> {
    let path = built::project().join("bindings/vb").join(file);
    let text = std::fs::read_to_string(path).expect("a file of VB");
    let text = text.replace(" _\r\n    ", " ");
    text.split("\r\n").map(str::to_owned).collect()
}

/// How VB declares a parameter of this C type.
fn declared(c_type: &str) -> (&'static str, &'static str) {
    match c_type {
        "int32_t" => ("ByVal", "Long"),
        "char **" | "payorder_client **" | "size_t *" => ("ByRef", "LongPtr"),
        _ => ("ByVal", "LongPtr"),
    }
}

fn result(c_type: &str) -> Option<&'static str> {
    match c_type {
        "void" => None,
        "size_t" | "const char *" => Some("LongPtr"),
        _ => Some("Long"),
    }
}

/// The declaration of a function without the names of its parameters.
fn expected(function: &Value, safe: &str, dll: &str) -> String {
    let name = function["name"].as_str().expect("a name");
    let parameters = list(function, "parameters").iter();
    let parameters: Vec<String> = parameters
        .map(|parameter| declared(parameter["type"].as_str().expect("a type")))
        .map(|(by, vb_type)| format!("{by} As {vb_type}"))
        .collect();
    let returned = result(function["returns"]["type"].as_str().expect("a type"));
    let (kind, tail) = match returned {
        Some(vb_type) => ("Function", format!(" As {vb_type}")),
        None => ("Sub", String::new()),
    };
    let parameters = parameters.join(", ");
    format!("Private Declare {safe}{kind} {name} Lib \"{dll}\" ({parameters}){tail}")
}

/// `ByVal size As Long` becomes `ByVal As Long`.
fn without_names(line: &str) -> String {
    let words: Vec<&str> = line.split(' ').collect();
    let is_name = |at: usize| at > 0 && words[at - 1].trim_start_matches('(').starts_with("By");
    let kept = (0..words.len()).filter(|at| !is_name(*at));
    kept.map(|at| words[at]).collect::<Vec<_>>().join(" ")
}

#[test]
fn every_function_is_declared_for_both_dlls() {
    let lines = lines();
    let at = |directive: &str| {
        let found = lines.iter().position(|line| line == directive);
        found.unwrap_or_else(|| panic!("{directive} is missing"))
    };
    let otherwise = at("#Else");
    let (wide, narrow) = lines[at("#If Win64 Then")..].split_at(otherwise - at("#If Win64 Then"));
    for (part, safe, dll) in [
        (wide, "PtrSafe ", "payorder.dll"),
        (narrow, "", "payorder-stdcall.dll"),
    ] {
        let is_ours = |line: &&String| line.starts_with("Private Declare") && line.contains(dll);
        let found: Vec<String> = part
            .iter()
            .filter(is_ours)
            .map(|line| without_names(line))
            .collect();
        let description = description();
        let wanted: Vec<String> = list(&description, "functions")
            .iter()
            .filter(|function| !LEFT_OUT.iter().any(|name| function["name"] == *name))
            .map(|function| expected(function, safe, dll))
            .collect();
        assert_eq!(found, wanted, "{dll}");
    }
}

#[test]
fn every_function_has_one_with_strings() {
    let (lines, description) = (lines(), description());
    for function in list(&description, "functions") {
        let name = function["name"].as_str().expect("a name");
        if LEFT_OUT.contains(&name) || name == FREE {
            continue;
        }
        let in_vb: String = name
            .split('_')
            .map(|word| word[..1].to_uppercase() + &word[1..])
            .collect();
        let start = format!("Public Function {in_vb}(");
        let count = lines.iter().filter(|line| line.starts_with(&start)).count();
        assert_eq!(count, 1, "{start}");
        let calls = format!("{name}(");
        assert!(
            lines
                .iter()
                .any(|line| line.contains(" = ") && line.contains(&calls)),
            "{name}"
        );
    }
}

#[test]
fn every_result_and_outcome_is_a_constant() {
    let (lines, description) = (lines(), description());
    let named = |entry: &Value, key: &str| {
        let name = entry[key].as_str().expect("a name");
        format!("Public Const {name} As Long = {}", entry["number"])
    };
    let results = list(&description, "results").iter();
    let outcomes = list(&description, "outcomes").iter();
    let mut wanted: Vec<String> = results.map(|result| named(result, "name")).collect();
    wanted.extend(outcomes.map(|outcome| named(outcome, "constant")));
    let version = &description["abiVersion"];
    wanted.insert(
        0,
        format!("Public Const PAYORDER_ABI_VERSION As Long = {version}"),
    );
    let found = lines.iter().filter(|line| line.starts_with("Public Const"));
    assert_eq!(found.cloned().collect::<Vec<_>>(), wanted);
}

/// The class modules use only functions and constants that the module has.
#[test]
fn the_classes_call_functions_of_the_module() {
    let module = lines();
    for file in CLASSES {
        let mut calls = 0;
        for line in lines_of(file).iter().filter(|line| !line.starts_with('\'')) {
            let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            for word in words.filter(|word| word.starts_with("Payorder")) {
                let start = format!("Public Function {word}(");
                let known = module.iter().any(|line| line.starts_with(&start));
                let class = CLASSES.contains(&format!("{word}.cls").as_str());
                assert!(known || class, "{file}: {word}");
                calls += u32::from(known);
            }
            for name in line.split('"').step_by(2).flat_map(|code| code.split(' ')) {
                if name.starts_with("PAYORDER_") {
                    let name = name.trim_end_matches([',', ')']);
                    let start = format!("Public Const {name} As Long");
                    assert!(module.iter().any(|line| line.starts_with(&start)), "{name}");
                }
            }
        }
        assert!(calls > 0, "{file}");
    }
}

/// VB6 reads the file in the system's code page, and only with its own line ends. It gives names of
/// the language a meaning wherever they are.
#[test]
fn vb6_can_read_the_modules() {
    for file in [MODULE].iter().chain(&CLASSES) {
        let path = built::project().join("bindings/vb").join(file);
        let text = std::fs::read_to_string(path).expect("a file of VB");
        assert!(text.is_ascii(), "{file}");
        let (lines, ended) = (text.matches('\n').count(), text.matches("\r\n").count());
        assert_eq!(lines, ended, "{file}");
    }
    let words = [
        "each", "next", "type", "in", "to", "step", "loop", "end", "stop", "with", "select",
        "case", "date", "string", "get", "set", "let", "call", "new", "me", "is", "like", "mod",
        "and",
    ];
    let all = [MODULE]
        .iter()
        .chain(&CLASSES)
        .flat_map(|file| lines_of(file));
    for line in all.filter(|line| !line.starts_with('\'')) {
        let after_by = line.split("By").skip(1);
        let names = after_by.filter_map(|rest| rest.split(' ').nth(1));
        for name in names {
            assert!(!words.contains(&name.to_lowercase().as_str()), "{line}");
        }
    }
}
