//! The FFI parsers for which include/payorder.cdef is made can read it, and its declarations match
//! the library. PHP and LuaJIT read it in their packages.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::PathBuf;
use std::process::Command;
use support::built;

use crate::succeeds;

fn cdef() -> PathBuf {
    built::project().join("include/payorder.cdef")
}

#[test]
fn cffi_reads_every_signature_as_in_the_description() {
    let own = built::project().join("target/ci-python/bin/python");
    let own = own.to_string_lossy();
    let names = [own.as_ref(), "python3", "/usr/bin/python3"];
    let probe = ["-c", "import cffi"];
    let what = "the declarations in Python's cffi";
    let Some(python) = built::tool_by("PAYORDER_CFFI_PYTHON", &names, &probe, what) else {
        return;
    };
    let mut command = Command::new(python);
    command
        .arg(built::project().join("tests/repository/cdef/load.py"))
        .arg(cdef());
    let description = built::project().join("include/payorder-abi.json");
    succeeds(command.arg(built::library()).arg(description));
}

#[test]
fn a_c_compiler_finds_the_declarations_the_same_as_the_headers() {
    let Some(compiler) = built::c_compiler("the declarations after the header") else {
        return;
    };
    // The header's constants are macros with the names of the enumerators.
    let header = fs::read_to_string(built::project().join("include/payorder.h")).expect("a header");
    let undefine: String = header
        .lines()
        .filter_map(|line| line.strip_prefix("#define ")?.split(' ').next())
        .map(|name| format!("#undef {name}\n"))
        .collect();
    let text = fs::read_to_string(cdef()).expect("the declarations can be read");
    assert!(!text.lines().any(|line| line.trim_start().starts_with('#')));
    let source = built::folder().join("cdef_after_header.c");
    fs::write(&source, format!("#include <payorder.h>\n{undefine}{text}")).expect("a source");
    let mut command = Command::new(compiler);
    command
        .args([
            "-std=c11",
            "-pedantic-errors",
            "-Wall",
            "-Werror",
            "-fsyntax-only",
            "-I",
        ])
        .arg(built::project().join("include"))
        .arg(&source);
    succeeds(&mut command);
}
