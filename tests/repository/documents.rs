//! The documents name every function, result and cause that exists, and no other.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use support::built;

use crate::{description, files_in, read};

fn document(name: &str) -> String {
    read(&built::project().join(name))
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_')
        .collect()
}

#[test]
fn docs_abi_names_every_result() {
    let (abi, description) = (document("docs/abi.md"), description());
    let documented = words(&abi);
    for result in description["results"].as_array().expect("a list") {
        for text in [result["name"].to_string(), result["number"].to_string()] {
            let word = text.trim_matches('"');
            assert!(documented.contains(word), "{word} is not in docs/abi.md");
        }
    }
}

#[test]
fn the_documents_name_no_function_that_does_not_exist() {
    let (header, pages) = (document("include/payorder.h"), crate::pages());
    let known = words(&header);
    // Names of Python and CMake, and a table.
    let is_unknown = |word: &&str| {
        word.starts_with("payorder_")
            && *word != "payorder_"
            && !known.contains(word)
            && ![
                "payorder_sandbox",
                "payorder_static",
                "payorder_tools",
                "payorder_orders",
            ]
            .iter()
            .any(|other| word.starts_with(other))
    };
    for page in pages {
        let text = document(&page);
        let unknown: Vec<&str> = text
            .split('`')
            .skip(1)
            .step_by(2)
            .flat_map(words)
            .filter(is_unknown)
            .collect();
        assert!(unknown.is_empty(), "{page}: {unknown:?}");
    }
}

/// Otherwise the table of docs/reliability.md would name tests that are gone.
#[test]
fn every_file_that_a_document_names_exists() {
    let folders = "benches bindings core docs examples fuzz include packaging src tests tools";
    // It has the paths of the files that scripts write.
    let ignored = document(".gitignore");
    let is_generated = |name: &str| ignored.contains(&format!("\n/{name}\n"));
    let mut named = 0;
    for page in [
        crate::pages(),
        vec!["ARCHITECTURE.md".into(), "CONTRIBUTING.md".into()],
    ]
    .concat()
    {
        for name in document(&page).split('`').skip(1).step_by(2) {
            let is_path = |letter: char| letter.is_ascii_alphanumeric() || "/_-.".contains(letter);
            let first = name.split_once('/').map_or("", |(first, _)| first);
            if folders.split(' ').any(|folder| folder == first) && name.chars().all(is_path) {
                let exists = built::project().join(name).exists() || is_generated(name);
                assert!(exists, "{page}: {name}");
                named += 1;
            }
        }
    }
    assert!(named > 50, "{named}");
}

/// Otherwise the map in ARCHITECTURE.md would name files that are gone.
#[test]
fn every_file_in_the_map_of_the_architecture_exists() {
    let text = document("ARCHITECTURE.md");
    let map = text.split("```").nth(1).expect("a map");
    let files = files(&["bindings", "core", "include", "src", "fuzz", "tools"]);
    let is_path = |letter: char| letter.is_ascii_alphanumeric() || "/_-.".contains(letter);
    let named = map
        .split(|letter| !is_path(letter))
        .map(|name| name.trim_end_matches('.'))
        .filter(|name| name.contains('.'));
    let mut count = 0;
    for name in named {
        assert!(files.iter().any(|path| path.ends_with(name)), "{name}");
        count += 1;
    }
    assert!(count > 80, "{count}");
}

/// All files in these folders.
fn files(names: &[&str]) -> Vec<PathBuf> {
    let folders = names.iter().map(|name| built::project().join(name));
    folders.flat_map(|folder| files_in(&folder)).collect()
}

/// Money that was given back may show in `refundType` alone.
#[test]
fn what_looks_at_the_refund_status_looks_at_the_refund_type_too() {
    let mut one_alone = Vec::new();
    let mut shown = files(&["examples", "docs", "bindings"]);
    shown.push(built::project().join("README.md"));
    for path in shown {
        let shown = path.components().any(|part| part.as_os_str() == "samples")
            || path.extension().is_some_and(|extension| extension == "md")
            || !path.starts_with(built::project().join("bindings"));
        let text = fs::read_to_string(&path).unwrap_or_default().to_lowercase();
        if !shown || !text.contains("refund") {
            continue;
        }
        let words = text.replace(['_', '-'], "");
        if words.contains("refundstatus") && !words.contains("refundtype") {
            one_alone.push(path);
        }
    }
    assert_eq!(one_alone, Vec::<PathBuf>::new());
}

#[test]
fn the_sentences_for_cashiers_are_those_of_the_description() {
    let text = include_str!("../../examples/say.json");
    let said: Value = serde_json::from_str(text).expect("JSON");
    let description = description();
    let actions = description["actions"].as_array().expect("a list");
    let sentences = actions
        .iter()
        .map(|one| (one["name"].as_str().expect("a name"), &one["say"]));
    let expected: Value = sentences
        .map(|(name, say)| (name.to_owned(), say.clone()))
        .collect();
    assert_eq!(said, expected);
}
