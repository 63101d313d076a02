//! The first thing a C or C++ program needs: the header and the libraries.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::program::WARNINGS;
use serde_json::Value;
use support::built;

/// The functions of the interface. `tests/header` compares the description with the source.
pub fn functions() -> BTreeSet<String> {
    let text = fs::read_to_string(built::project().join("include/payorder-abi.json"));
    let description: Value = serde_json::from_str(&text.expect("the description")).expect("JSON");
    let functions = description["functions"]
        .as_array()
        .expect("functions")
        .iter();
    functions
        .map(|function| function["name"].as_str().expect("a name").to_owned())
        .collect()
}

/// Compiles only the header, included twice, as by two other headers.
fn compile_header(compiler: &str, language: &str, standards: &[&str]) {
    for standard in standards {
        let mut child = Command::new(compiler)
            .args(WARNINGS)
            .args([
                &format!("-std={standard}"),
                "-fsyntax-only",
                "-x",
                language,
                "-I",
            ])
            .arg(built::project().join("include"))
            .arg("-")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the compiler runs");
        let mut source = child.stdin.take().expect("stdin is piped");
        source
            .write_all(b"#include <payorder.h>\n#include <payorder.h>\n")
            .expect("the compiler reads");
        drop(source);
        let output = child.wait_with_output().expect("the compiler ends");
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{standard}: {}",
            built::transcript(&output)
        );
    }
}

#[test]
fn the_header_compiles_alone_as_c() {
    let Some(compiler) = built::c_compiler("the header as C") else {
        return;
    };
    compile_header(&compiler, "c", &["c99", "c11", "gnu17"]);
}

#[test]
fn the_header_compiles_alone_as_cpp() {
    let Some(compiler) = built::cpp_compiler("the header as C++") else {
        return;
    };
    compile_header(&compiler, "c++", &["c++11", "c++17", "c++20"]);
}

#[test]
fn the_shared_library_exports_the_functions_of_the_interface_and_nothing_else() {
    let Some(nm) = built::tool("NM", &["nm"], "what the shared library exports") else {
        return;
    };
    let output = Command::new(nm)
        .args(["-D", "--defined-only", "--format=posix"])
        .arg(built::library())
        .output()
        .expect("nm runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    let symbols = String::from_utf8(output.stdout).expect("symbol names are ASCII");
    let exported: BTreeSet<String> = symbols
        .lines()
        .filter_map(|line| Some(line.split([' ', '@']).next()?.to_owned()))
        .collect();
    assert!(exported.len() >= 41, "{exported:?}");
    assert_eq!(exported, functions());
}
