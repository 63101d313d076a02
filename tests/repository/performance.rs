//! The table of figures by version shows what the data file has.

use std::process::Command;

use crate::built;

#[test]
fn the_figures_by_version_are_those_of_the_data_file() {
    let Some(python) = built::python("the figures by version") else {
        return;
    };
    let output = Command::new(python)
        .args(["-m", "harness.versions", "--check"])
        .current_dir(built::project().join("benches"))
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("the harness runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
}
