//! The crates in what payorder ships keep the rules of `deny.toml`, and compile with the Rust that the
//! documents name.

use std::process::Command;

use serde_json::Value;
use support::built;

use crate::succeeds;

/// Without the network.
#[test]
fn every_crate_has_an_allowed_licence_and_source_and_none_is_banned() {
    let deny = built::tool("CARGO_DENY", &["cargo-deny"], "the rules for crates");
    let Some(deny) = deny else { return };
    let mut command = Command::new(deny);
    command
        .args(["--offline", "--workspace", "check"])
        .args(["licenses", "bans", "sources"])
        .current_dir(built::project());
    succeeds(&mut command);
}

#[test]
fn the_oldest_rust_is_new_enough_for_each_crate_and_the_same_everywhere() {
    // A build downloads only the crates for its own system. This downloads the others, once.
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(built::project())
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo metadata: {said}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let package = |id: &Value| {
        let packages = metadata["packages"].as_array().expect("packages");
        packages
            .iter()
            .find(|one| one["id"] == *id)
            .expect("its package")
    };
    let nodes = metadata["resolve"]["nodes"].as_array().expect("nodes");
    let oldest = package(&metadata["resolve"]["root"])["rust_version"]
        .as_str()
        .expect("a version");
    let (mut next, mut seen) = (vec![&metadata["resolve"]["root"]], Vec::new());
    while let Some(id) = next.pop() {
        if seen.contains(&id) {
            continue;
        }
        seen.push(id);
        let name = &package(id)["name"];
        let needed = package(id)["rust_version"].as_str().unwrap_or("1.0");
        assert!(
            number(needed) <= number(oldest),
            "{name} needs Rust {needed}, not {oldest}"
        );
        let node = nodes
            .iter()
            .find(|node| node["id"] == *id)
            .expect("its node");
        let dependencies = node["deps"].as_array().expect("dependencies").iter();
        next.extend(
            dependencies
                .filter(|one| {
                    let kinds = one["dep_kinds"].as_array().expect("kinds");
                    kinds.iter().any(|kind| kind["kind"] != "dev")
                })
                .map(|one| &one["pkg"]),
        );
    }
    assert!(seen.len() > 40, "{seen:?}");
    for member in metadata["workspace_members"].as_array().expect("members") {
        let own = &package(member)["rust_version"];
        assert!(own.is_null() || own == oldest, "{member}: {own}");
    }
    for document in [
        "README.md",
        "docs/get.md",
        "docs/packaging.md",
        "docs/start.md",
    ] {
        let sentence = format!("Rust {oldest} or later");
        let text = std::fs::read_to_string(built::project().join(document)).expect(document);
        assert!(
            text.contains(&sentence),
            "{document} does not say {sentence:?}"
        );
    }
}

/// `1.89` and `1.89.0` are the same.
fn number(version: &str) -> Vec<u32> {
    let parts = version
        .split('.')
        .map(|part| part.parse().expect("a number"));
    parts.take(2).collect()
}
