//! What programs write into the packages for other languages, and into the documents, is current.

use crate::{python_program, succeeds};

#[test]
fn the_constants_of_every_package_are_those_of_the_library() {
    check("bindings/generate");
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
    if let Some(mut command) = python_program(program) {
        succeeds(command.arg("--check"));
    }
}
