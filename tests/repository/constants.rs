//! What programs write into the packages for other languages, and into the documents, is current.

use std::process::Command;
use support::built;

#[test]
fn the_constants_of_every_package_are_those_of_the_library() {
    check("bindings/constants.py");
}

#[test]
fn every_manifest_has_the_addresses_and_names_of_the_identity() {
    check("packaging/identity.py");
}

#[test]
fn the_lists_of_causes_and_keys_are_what_the_source_says() {
    check("docs/generate");
}

fn check(program: &str) {
    let Some(python) = built::python(program) else {
        return;
    };
    let output = Command::new(python)
        .arg(built::project().join(program))
        .arg("--check")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("Python runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
}
