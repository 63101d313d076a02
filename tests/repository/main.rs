//! What the repository promises: its documents are true, its layers hold, its licences are
//! permissive, and the constants of the packages are current.

mod cdef;
mod constants;
mod description;
mod documents;
mod files;
mod layers;
mod left_out;
mod lists;
mod man_pages;
#[cfg(target_os = "linux")]
mod pages;
mod site;
mod supply_chain;
mod vocabulary;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use support::built;

/// include/payorder-abi.json.
fn description() -> Value {
    serde_json::from_str(include_str!("../../include/payorder-abi.json")).expect("a description")
}

/// The README, the documents and the guides.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    for folder in ["docs", "docs/guides"] {
        for entry in fs::read_dir(built::project().join(folder)).expect("the documents") {
            let name = entry.expect("a document").file_name();
            let name = name.to_string_lossy();
            if name.ends_with(".md") {
                pages.push(format!("{folder}/{name}"));
            }
        }
    }
    pages.sort();
    pages
}

/// A program of the project that is written in Python. `None` if there is no Python with Jinja2.
fn python_program(name: &str) -> Option<Command> {
    let python = built::python_packages(name)?;
    let mut command = Command::new(python);
    built::keep_bytecode(&mut command).arg(built::project().join(name));
    Some(command)
}

/// Runs a command that must succeed.
#[track_caller]
fn succeeds(command: &mut Command) -> Output {
    let output = command.output().expect("the command runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    output
}

/// The files in a folder and in the folders in it, except hidden and built ones.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("a folder");
    let paths = entries.map(|entry| entry.expect("an entry").path());
    let files = paths.flat_map(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        match path.is_dir() {
            true if name.starts_with(['.', '_']) || name == "target" => Vec::new(),
            true => files_in(&path),
            false => vec![path],
        }
    });
    files.collect()
}

/// The Rust sources among them.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = files_in(folder);
    files.retain(|path| path.extension().is_some_and(|extension| extension == "rs"));
    files
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
