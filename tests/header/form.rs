//! The form of the header: it is the manual, and every comment has the same parts in the same
//! order.

use super::declarations::{self, Declaration, EXAMPLES, REFERENCES, SECTIONS};
use super::{describe, lists, manual};
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;

/// The words that start the parts of a comment, in order.
fn parts(declaration: &Declaration) -> Vec<String> {
    let words = declaration.comment.iter().filter_map(|item| {
        if item.starts_with("@param[") {
            let name = item.split(' ').nth(1).unwrap_or_default();
            return Some(format!("@param {name}"));
        }
        let first = item.split(' ').next().unwrap_or_default();
        (first.starts_with('@') || SECTIONS.contains(&first)).then(|| first.to_owned())
    });
    words.collect()
}

fn functions() -> Vec<Declaration> {
    let mut functions = declarations::all();
    functions.retain(Declaration::is_function);
    functions
}

#[test]
fn every_comment_has_all_its_parts_in_this_order() {
    let functions = functions();
    assert!(functions.len() >= 24, "only {} functions", functions.len());
    for function in functions {
        let name = function.name();
        let parameters = function.parameters();
        let mut expected: Vec<String> = parameters
            .iter()
            .map(|parameter| format!("@param {}", parameter.name))
            .collect();
        if function.returns() != "void" {
            expected.push("@return".to_owned());
        }
        expected.extend(SECTIONS.map(str::to_owned));
        expected.extend(REFERENCES.map(str::to_owned));
        assert_eq!(parts(&function), expected, "{name}");
        let summary = function.summary();
        assert!(
            summary.len() > 20 && summary.ends_with('.'),
            "{name}: {summary:?}"
        );
        for section in SECTIONS {
            let text = function.section(section).unwrap_or_default();
            assert!(text.ends_with(['.', ':']), "{name}: {section} {text:?}");
        }
        for parameter in parameters {
            let row = format!("{name}: {}: {}", parameter.name, parameter.meaning);
            assert!(!parameter.meaning.is_empty(), "{row}");
            if parameter.is_pointer() {
                assert!(
                    parameter.nullable().is_some(),
                    "says `or NULL` or `not NULL`: {row}"
                );
            }
            assert_eq!(
                parameter.out,
                parameter.name.starts_with("out_") || parameter.name == "buffer",
                "{row}"
            );
        }
    }
}

#[test]
fn every_output_names_the_function_that_frees_it() {
    for function in functions() {
        let ownership = function
            .section("Ownership:")
            .unwrap_or_default()
            .to_owned();
        for parameter in function.parameters() {
            let free = parameter.ownership();
            if free.starts_with("payorder_") {
                assert!(ownership.contains(free), "{}: {ownership}", function.name());
            }
        }
    }
}

#[test]
fn every_function_that_fails_names_its_results() {
    let known = lists::results();
    for function in functions() {
        let failures = function.failures();
        for name in &failures {
            let listed = known.iter().any(|result| result.name == name);
            assert!(listed, "{}: {name}", function.name());
        }
        let fails = function.returns() == "payorder_result";
        assert_eq!(!failures.is_empty(), fails, "{}", function.name());
    }
}

#[test]
fn every_function_names_others_and_its_first_version_and_has_an_example() {
    let functions = functions();
    let names: BTreeSet<String> = functions.iter().map(Declaration::name).collect();
    let numbers = |version: &str| -> Vec<u32> {
        let parts = version.split('.').map(str::parse);
        parts.collect::<Result<_, _>>().expect("a version")
    };
    for function in &functions {
        let name = function.name();
        let see = function.see();
        assert!(!see.is_empty(), "{name} has no @see");
        for other in see {
            assert!(names.contains(other) && other != name, "{name}: {other}");
        }
        let since = numbers(function.section("@since").unwrap_or_default());
        assert!(since <= numbers(env!("CARGO_PKG_VERSION")), "{name}");
        // Wider lines would not fit into a man page on a terminal of 80 columns.
        let example = function.example();
        assert!(example.contains(&format!("{name}(")), "{name}");
        let wide = example.lines().find(|line| line.chars().count() > 74);
        assert_eq!(wide, None, "{name}");
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(EXAMPLES);
    let files = std::fs::read_dir(folder).expect("the folder of examples");
    let files = files.map(|file| file.expect("a file").path());
    let examples: BTreeSet<String> = files
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    assert_eq!(examples, names);
}

#[test]
fn no_line_of_the_header_is_longer_than_a_hundred_columns() {
    for line in manual::make().lines() {
        // Declarations may be longer.
        assert!(line.chars().count() <= manual::WIDTH, "{line}");
        assert_eq!(line, line.trim_end(), "white space at the end");
    }
}

#[test]
fn the_header_documents_everything_a_program_needs() {
    let header = manual::make();
    let folded = header.replace("\n * ", " ");
    let folded: Vec<&str> = folded.split_whitespace().collect();
    let folded = folded.join(" ");
    // The options of the calls in this build.
    let declared = |set: &str| {
        let calls = lists::calls();
        let call = calls.iter().find(|call| call.options.contains(&set));
        call.is_none_or(|call| functions().iter().any(|one| one.name() == call.function))
    };
    for set in lists::settings()
        .into_iter()
        .filter(|set| declared(set.set))
    {
        for setting in set.settings {
            let text = format!("`{}`: {}:", setting.key, setting.range());
            assert!(folded.contains(&text), "{text}");
        }
    }
    for object in ["order", "statusData", "errorDetails"] {
        let objects = lists::objects();
        let object = objects.iter().find(|known| known.name == object);
        for key in &object.expect("a listed object").keys {
            let row = format!("{} {}", key.name, key.meaning);
            assert!(folded.contains(&row), "{row}");
        }
    }
    for event in lists::events() {
        assert!(folded.contains(&format!("{}: {}", event.name, event.meaning)));
    }
    for text in [
        "one client per process",
        "one cancellation token for each sale",
        "several threads at the same time",
        "payorder_live_calls",
    ] {
        assert!(folded.contains(text), "{text}");
    }
}

#[test]
fn the_result_of_every_call_is_described_where_it_is_declared() {
    let objects = lists::objects();
    for call in lists::calls() {
        let all = declarations::all();
        let Some(function) = all.iter().find(|one| one.name() == call.function) else {
            continue;
        };
        let object = objects.iter().find(|object| object.name == call.result);
        let text = function.comment.join(" ");
        // The wire body is described with the order and the query.
        if ["order", "query"].contains(&call.result) {
            continue;
        }
        for key in &object.expect("a listed object").keys {
            assert!(text.contains(key.name), "{}: {}", call.function, key.name);
        }
    }
}

/// tests/causes compares the examples with the library.
#[test]
fn the_example_of_every_cause_has_a_result_and_an_action_of_the_list() {
    let description: Value = serde_json::from_str(&describe::make()).expect("JSON");
    for cause in description["causes"].as_array().expect("causes") {
        let error = &cause["example"]["error"];
        let exceptions = cause["exceptions"].as_array().expect("exceptions");
        let actions = exceptions.iter().map(|exception| &exception["action"]);
        let actions: Vec<&Value> = actions.chain([&cause["action"]]).collect();
        let results = cause["results"].as_array().expect("results");
        let fits = error["cause"] == cause["name"]
            && results.contains(&error["result"])
            && actions.contains(&&error["action"]);
        assert!(fits, "{cause}");
    }
}
