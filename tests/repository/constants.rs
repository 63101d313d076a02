//! The constants of the packages for other languages are those of the library.

use crate::built;
use std::process::Command;

#[test]
fn the_constants_of_every_package_are_current() {
    let Some(python) = built::python("the constants of the packages") else {
        return;
    };
    let output = Command::new(python)
        .arg(built::project().join("bindings/constants.py"))
        .arg("--check")
        .output()
        .expect("Python runs");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complaint}");
}
