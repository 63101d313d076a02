//! The form of the header: it is the manual, and every comment has the same parts in the same
//! order.

use super::declarations::{self, BY_DEFAULT, Declaration, REFERENCES, SECTIONS, is_pointer};
use super::{lists, manual};
use std::collections::{BTreeMap, BTreeSet};
use support::built;

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
        let names = parameters
            .iter()
            .map(|parameter| lists::text(parameter, "name"));
        let mut expected: Vec<String> = names.map(|name| format!("@param {name}")).collect();
        if function.returns() != "void" {
            expected.push("@return".to_owned());
        }
        expected.extend(SECTIONS.map(str::to_owned));
        expected.extend(REFERENCES.map(str::to_owned));
        let found = parts(&function);
        // What is the same for most functions is in the manual, and only the others say it.
        expected.retain(|part| {
            let has_default = BY_DEFAULT.iter().any(|(word, _)| part == word);
            found.contains(part) || !has_default
        });
        assert_eq!(found, expected, "{name}");
        let said = BY_DEFAULT.map(|(word, text)| format!("{word} {text}"));
        let repeated = function
            .comment
            .iter()
            .find(|item| said[2..].contains(item));
        assert_eq!(repeated, None, "{name}");
        for section in SECTIONS {
            let text = function.section(section).unwrap_or_default();
            assert!(text.ends_with(['.', ':']), "{name}: {section} {text:?}");
        }
        for parameter in parameters {
            let row = format!("{name}: {parameter}");
            let [known, kind, meaning] =
                ["name", "type", "meaning"].map(|part| lists::text(&parameter, part));
            assert!(!meaning.is_empty(), "{row}");
            let says = ["or NULL", "not NULL"].map(|words| meaning.contains(words));
            let is_clear = !is_pointer(kind) || says[0] != says[1];
            assert!(is_clear, "says `or NULL` or `not NULL`: {row}");
            let is_out = known.starts_with("out_") || known == "buffer";
            assert_eq!(parameter["direction"] == "out", is_out, "{row}");
        }
    }
}

#[test]
fn every_function_names_its_results_and_its_first_version_and_has_an_example() {
    let (functions, known) = (functions(), lists::results());
    let mut used = BTreeSet::new();
    let numbers = |version: &str| -> Vec<u32> {
        let parts = version.split('.').map(str::parse);
        parts.collect::<Result<_, _>>().expect("a version")
    };
    for function in &functions {
        let name = function.name();
        let ownership = function.section("Ownership:").unwrap_or_default();
        for parameter in function.parameters() {
            let free = lists::text(&parameter, "ownership");
            let is_named = !free.starts_with("payorder_") || ownership.contains(free);
            assert!(is_named, "{name}: {ownership}");
        }
        let failures = function.failures();
        for failure in &failures {
            let listed = known.iter().any(|result| result["name"] == **failure);
            assert!(listed, "{name}: {failure}");
        }
        let fails = function.returns() == "payorder_result";
        let none = function.section("Failures:") == Some("none.");
        assert_eq!(!none, fails, "{name}");
        let since = numbers(function.section("@since").unwrap_or_default());
        assert!(since <= numbers(env!("CARGO_PKG_VERSION")), "{name}");
        // Wider lines would not fit into a man page on a terminal of 80 columns.
        let (file, example) = function.example();
        used.insert(file);
        assert!(example.contains(&format!("{name}(")), "{name}");
        let wide = example.lines().find(|line| line.chars().count() > 74);
        assert_eq!(wide, None, "{name}");
    }
    assert_eq!(used, declarations::examples().into_iter().collect());
}

#[test]
fn the_header_has_each_list_and_no_line_over_a_hundred_columns() {
    let lists = "ORDER STATUS ERROR ENTRY EVENT CONFIG TLS NETWORK EVENTS CAUSES ACTIONS";
    for list in lists.split(' ') {
        let place = format!("@{list}@\n");
        let places = include_str!("../../src/manual.h.in").matches(&place);
        assert_eq!(places.count(), 1, "{list}");
    }
    for line in manual::make().lines() {
        // The type of a pointer to a function is one line.
        let is_one_line = line.starts_with("typedef ");
        assert!(
            is_one_line || line.chars().count() <= manual::WIDTH,
            "{line}"
        );
        assert_eq!(line, line.trim_end(), "white space at the end");
    }
}

#[test]
fn the_result_of_every_call_is_described_where_it_is_declared() {
    let (objects, all) = (lists::objects(), declarations::all());
    for (name, _, result) in lists::calls() {
        let function = all.iter().find(|one| one.name() == name);
        // The wire body is described with the order and the query.
        let Some(function) = function.filter(|_| !["order", "query"].contains(&result)) else {
            continue;
        };
        let text = function.comment.join(" ");
        for key in lists::keys_of(&objects, result) {
            let key = lists::text(key, "key");
            assert!(text.contains(key), "{name}: {key}");
        }
    }
}

/// Ada, Pascal, Fortran, BASIC and Nim see no difference in case, and Nim none in underscores.
#[test]
fn no_two_names_are_equal_without_case_and_underscores() {
    let header = std::fs::read_to_string(built::project().join("include/payorder.h"));
    let header = header.expect("the header");
    let code = header
        .split("*/")
        .map(|part| part.split("/*").next().unwrap_or_default());
    let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let words: BTreeSet<String> = code
        .flat_map(|code| code.split(|letter| !is_word(letter)))
        .filter(|word| word.to_lowercase().starts_with("payorder_"))
        .map(str::to_owned)
        .collect();
    assert!(words.len() > 100);
    let mut seen = BTreeMap::new();
    for word in words {
        let same = word.to_lowercase().replace('_', "");
        if let Some(other) = seen.insert(same, word.clone()) {
            panic!("{word} and {other}");
        }
    }
}
