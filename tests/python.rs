//! The Python package keeps its promises: its own tests, run with the library that cargo built.

mod built;

use std::process::Command;

#[test]
fn the_python_package_keeps_its_promises() {
    let Some(python) = built::python("the tests of the Python package") else {
        return;
    };
    let output = Command::new(python)
        .current_dir(built::project())
        .args([
            "-m",
            "unittest",
            "discover",
            "-s",
            "bindings/python/tests",
            "-t",
            "bindings/python",
        ])
        .env("PAYORDER_LIBRARY", built::library())
        .output()
        .expect("Python runs");
    let transcript = built::transcript(&output);
    assert!(output.status.success(), "{transcript}");
    assert!(
        transcript.contains("Ran ") && !transcript.contains("Ran 0 tests"),
        "no test was found: {transcript}"
    );
}
