//! Finds what cargo built and the tools of the machine, for tests that run programs.

pub mod process;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// The project's folder.
pub fn project() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The folder with the libraries that cargo built: that of the test itself.
pub fn folder() -> PathBuf {
    let test = std::env::current_exe().expect("the test's own path");
    test.parent().expect("the test's folder").to_owned()
}

/// The shared library.
pub fn library() -> PathBuf {
    use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
    let path = folder().join(format!("{DLL_PREFIX}payorder{DLL_SUFFIX}"));
    assert!(path.exists(), "{} is not there", path.display());
    path
}

/// Finds a tool: the one that the variable names, or the first of its usual names that runs.
/// Returns
/// `None` if there is none: the test then says so and ends. In CI, where no test may be skipped, it
/// fails.
pub fn tool(variable: &str, names: &[&str], left_out: &str) -> Option<String> {
    tool_by(variable, names, &["--version"], left_out)
}

/// The same for a tool that must succeed with these arguments.
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
            "SKIPPED: {left_out}: none of {} was found; {variable} can name one",
            names.join(", ")
        );
        assert!(
            std::env::var_os("PAYORDER_TESTS_WANT_ALL").is_none(),
            "{message}"
        );
        // Not `eprintln!`: its output is shown only when the test fails.
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

/// A Python, by its own path: the `python3` of a version manager is a slow script.
pub fn python(left_out: &str) -> Option<String> {
    static FOUND: OnceLock<Option<String>> = OnceLock::new();
    let find = || python_that("", left_out);
    FOUND.get_or_init(find).clone()
}

/// A Python with Jinja2, after it made the modules that are not committed.
pub fn python_packages(left_out: &str) -> Option<String> {
    static FOUND: OnceLock<Option<String>> = OnceLock::new();
    let find = || {
        let python = python_that("import jinja2", &format!("{left_out}, with Jinja2"))?;
        let generate = project().join("bindings/generate");
        let made = Command::new(&python).arg(generate).arg("python").output();
        let made = made.expect("Python runs");
        assert!(made.status.success(), "{}", transcript(&made));
        Some(python)
    };
    FOUND.get_or_init(find).clone()
}

fn python_that(runs: &str, left_out: &str) -> Option<String> {
    let name = tool_by("PYTHON", &["python3", "python"], &["-c", runs], left_out)?;
    let own = ["-c", "import sys; print(sys.executable)"];
    let output = Command::new(name).args(own).output().expect("Python runs");
    let path = String::from_utf8(output.stdout).expect("a path in UTF-8");
    Some(path.trim_end().to_owned())
}

/// Keeps what Python compiles, outside the checkout. Hundreds of processes import the packages.
pub fn keep_bytecode(command: &mut Command) -> &mut Command {
    command
        .env_remove("PYTHONDONTWRITEBYTECODE")
        .env("PYTHONPYCACHEPREFIX", folder().join("python-cache"))
}

/// The folders of the Python packages, for `PYTHONPATH`.
pub fn python_path() -> String {
    let folders = ["bindings/python", "tools"].map(|folder| project().join(folder));
    let paths = std::env::join_paths(folders).expect("no colon in the project's path");
    paths.into_string().expect("a path in UTF-8")
}

/// A program's exit status and output, for a message.
pub fn transcript(output: &Output) -> String {
    format!(
        "{}\n{}{}",
        output.status,
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}
