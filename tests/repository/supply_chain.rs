//! The library's dependencies: only permissive licences, no OpenSSL, no async runtime.

use std::collections::{HashMap, HashSet};
use std::process::Command;

use serde_json::Value;

/// Licences that only require their text to be included.
const ALLOWED: [&str; 8] = [
    "MIT",
    "Apache-2.0",
    "ISC",
    "BSD-3-Clause",
    "Zlib",
    "Unicode-3.0",
    "Unlicense",
    "CDLA-Permissive-2.0",
];

/// Crates that must not be dependencies, not even indirectly.
const FORBIDDEN: [&str; 7] = [
    "openssl",
    "openssl-sys",
    "native-tls",
    "tokio",
    "async-std",
    "smol",
    "aws-lc-sys",
];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--format-version",
            "1",
            "--locked",
            "--filter-platform",
            "x86_64-unknown-linux-gnu",
        ])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(
        output.status.success(),
        "Cargo.lock does not fit Cargo.toml: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    serde_json::from_slice(&output.stdout).expect("cargo's metadata")
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// The crates that are linked into the library, without those that only build or test it.
fn linked(metadata: &Value) -> Vec<&Value> {
    let nodes: HashMap<&str, &Value> = metadata["resolve"]["nodes"]
        .as_array()
        .expect("nodes")
        .iter()
        .map(|node| (text(node, "id"), node))
        .collect();
    let root = text(&metadata["resolve"], "root");
    let mut seen = HashSet::from([root]);
    let mut next = vec![root];
    while let Some(id) = next.pop() {
        for dependency in nodes[id]["deps"].as_array().expect("deps") {
            let normal = dependency["dep_kinds"]
                .as_array()
                .expect("kinds")
                .iter()
                .any(|kind| kind["kind"].is_null());
            let id = text(dependency, "pkg");
            if normal && seen.insert(id) {
                next.push(id);
            }
        }
    }
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .filter(|package| seen.contains(text(package, "id")))
        .collect()
}

/// Whether an expression such as `(MIT OR Apache-2.0) AND Unicode-3.0` is met: every part that AND
/// joins has an allowed alternative.
fn is_allowed(expression: &str) -> bool {
    expression.replace('/', " OR ").split(" AND ").all(|part| {
        part.trim_matches(['(', ')'])
            .split(" OR ")
            .any(|name| ALLOWED.contains(&name.trim()))
    })
}

#[test]
fn every_crate_in_the_library_has_a_permissive_licence() {
    let metadata = metadata();
    let linked = linked(&metadata);
    assert!(linked.len() > 20, "only {} crates were found", linked.len());
    let refused: Vec<String> = linked
        .iter()
        .filter(|package| !is_allowed(text(package, "license")))
        .map(|package| {
            format!(
                "{} {}: {:?}",
                text(package, "name"),
                text(package, "version"),
                text(package, "license")
            )
        })
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn no_openssl_and_no_async_runtime_is_in_the_library() {
    let metadata = metadata();
    let names: Vec<&str> = linked(&metadata)
        .into_iter()
        .map(|package| text(package, "name"))
        .collect();
    assert!(
        names.contains(&"ureq-proto") && names.contains(&"rustls"),
        "{names:?}"
    );
    let found: Vec<&&str> = names
        .iter()
        .filter(|name| FORBIDDEN.contains(name))
        .collect();
    assert!(found.is_empty(), "{found:?}");
}

#[test]
fn licence_expressions_are_evaluated_correctly() {
    for (expression, allowed) in [
        ("MIT", true),
        ("MIT OR GPL-3.0", true),
        ("MIT/Apache-2.0", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("Apache-2.0 AND GPL-3.0", false),
        ("GPL-3.0", false),
        ("", false),
    ] {
        assert_eq!(is_allowed(expression), allowed, "{expression:?}");
    }
}
