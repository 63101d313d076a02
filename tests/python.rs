//! Runs the Python packages' own tests with the library that cargo built.

use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use support::built;

/// How many test files run at the same time. They mainly wait.
const AT_ONCE: usize = 8;

#[test]
fn the_python_packages_keep_their_promises() {
    let Some(python) = built::python_packages("the tests of the Python packages") else {
        return;
    };
    // The command line's tests come first: they take longest.
    let files = ["tools", "bindings/python"].map(test_files).concat();
    let files = Mutex::new(files.into_iter());
    let failed = Mutex::new(String::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let next = files.lock().unwrap().next();
                    let Some((package, file)) = next else { break };
                    if let Err(transcript) = run(Path::new(&python), package, &file) {
                        *failed.lock().unwrap() += &format!("{package} {file}:\n{transcript}\n");
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed}");
}

/// The files of tests of a package, with its folder.
fn test_files(package: &'static str) -> Vec<(&'static str, String)> {
    let folder = built::project().join(package).join("tests");
    let entries = std::fs::read_dir(folder).expect("the folder of tests");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let mut files: Vec<String> = names
        .filter_map(|name| name.into_string().ok())
        .filter(|name| name.starts_with("test_") && name.ends_with(".py"))
        .collect();
    files.sort();
    assert!(files.len() > 10, "only these tests were found: {files:?}");
    files.into_iter().map(|file| (package, file)).collect()
}

fn run(python: &Path, package: &str, file: &str) -> Result<(), String> {
    // Both folders of tests are named `tests`, and only one of them can be the package of that name.
    let top = if package == "tools" { "." } else { package };
    let output = built::keep_bytecode(&mut Command::new(python))
        .current_dir(built::project())
        .args(["-m", "unittest", "discover", "-p", file])
        .args(["-s", &format!("{package}/tests"), "-t", top])
        .env("PYTHONPATH", built::python_path())
        .env("PAYORDER_LIBRARY", built::library())
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
