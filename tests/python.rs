//! Runs the Python package's own tests with the library that cargo built.

mod built;

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;

/// How many test files run at the same time. They mainly wait.
const AT_ONCE: usize = 8;

#[test]
fn the_python_package_keeps_its_promises() {
    let Some(python) = built::python("the tests of the Python package") else {
        return;
    };
    // In alphabetical order, the command line's tests come early: they take longest.
    let files = Mutex::new(test_files().into_iter());
    let failed = Mutex::new(String::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = files.lock().unwrap().next();
                    let Some(file) = next else { break };
                    if let Err(transcript) = run(Path::new(&python), &file) {
                        *failed.lock().unwrap() += &format!("{file}:\n{transcript}\n");
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed}");
}

fn test_files() -> Vec<String> {
    let folder = built::project().join("bindings/python/tests");
    let entries = std::fs::read_dir(folder).expect("the folder of tests");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut files: Vec<String> = names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name.starts_with("test_") && name.ends_with(".py"))
        .collect();
    files.sort();
    assert!(files.len() > 20, "only these tests were found: {files:?}");
    files
}

fn run(python: &Path, file: &str) -> Result<(), String> {
    let output = Command::new(python)
        .current_dir(built::project())
        .args(["-m", "unittest", "discover", "-p", file])
        .args(["-s", "bindings/python/tests", "-t", "bindings/python"])
        .env("PAYORDER_LIBRARY", built::library())
        // Hundreds of processes import the package. They compile it once, outside the checkout.
        .env_remove("PYTHONDONTWRITEBYTECODE")
        .env(
            "PYTHONPYCACHEPREFIX",
            env!("CARGO_TARGET_TMPDIR").to_owned() + "/python-cache",
        )
        .output()
        .expect("Python runs");
    let transcript = built::transcript(&output);
    if output.status.success() && transcript.contains("Ran ") && !transcript.contains("Ran 0 tests")
    {
        Ok(())
    } else {
        Err(transcript)
    }
}
