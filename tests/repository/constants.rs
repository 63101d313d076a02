//! What programs write into the packages for other languages is current.

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

fn check(program: &str) {
    let Some(python) = built::python(program) else {
        return;
    };
    let output = Command::new(python)
        .arg(built::project().join(program))
        .arg("--check")
        .output()
        .expect("Python runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complaint}");
}
