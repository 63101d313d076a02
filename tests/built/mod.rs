//! What cargo built, and the tools of the machine, for tests that run programs.

#![allow(dead_code, reason = "each test takes what it needs")]

pub mod process;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The project's folder.
pub fn project() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folder that cargo left the libraries in: that of the test itself.
pub fn folder() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    test.parent().expect("the test's folder").to_owned()
}

/// The shared library.
pub fn library() -> PathBuf {
    let path = folder().join("libpayorder.so");
    assert!(path.exists(), "{} is not there", path.display());
    path
}

/// A tool by the variable that can name it, or by the first of its usual names that runs. `None`
/// where there is none: the test says so and ends, but in CI, where nothing may be left out, it
/// fails.
pub fn tool(variable: &str, names: &[&str], left_out: &str) -> Option<String> {
    tool_by(variable, names, &["--version"], left_out)
}

/// The same for a tool that is there if it ends well with these arguments.
pub fn tool_by(variable: &str, names: &[&str], probe: &[&str], left_out: &str) -> Option<String> {
    let chosen = std::env::var(variable).ok().filter(|name| !name.is_empty());
    let candidates = chosen
        .iter()
        .map(String::as_str)
        .chain(names.iter().copied());
    let found = candidates.map(str::to_owned).find(|name| {
        Command::new(name)
            .args(probe)
            .output()
            .is_ok_and(|output| output.status.success())
    });
    if found.is_none() {
        let message = format!(
            "LEFT OUT: {left_out}: none of {} was found; {variable} can name one",
            names.join(", ")
        );
        assert!(
            std::env::var_os("PAYORDER_TESTS_WANT_ALL").is_none(),
            "{message}"
        );
        // Not by `eprintln!`: what a test prints by that is shown only when it fails.
        let _ = writeln!(std::io::stderr(), "{message}");
    }
    found
}

/// A C compiler.
pub fn c_compiler(left_out: &str) -> Option<String> {
    tool("CC", &["cc", "gcc", "clang"], left_out)
}

/// A C++ compiler.
pub fn cpp_compiler(left_out: &str) -> Option<String> {
    tool("CXX", &["c++", "g++", "clang++"], left_out)
}

/// A Python.
pub fn python(left_out: &str) -> Option<String> {
    tool("PYTHON", &["python3", "python"], left_out)
}

/// What a program wrote, both streams, for a message.
pub fn transcript(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
