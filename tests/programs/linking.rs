//! The first thing a C or C++ program needs: the header and the libraries.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use crate::program::WARNINGS;
use support::built;

/// The functions of version 1 of the interface, and no others.
const FUNCTIONS: [&str; 41] = [
    "payorder_abi_version",
    "payorder_build_create_order",
    "payorder_build_get_status",
    "payorder_cancellation_cancel",
    "payorder_cancellation_free",
    "payorder_cancellation_new",
    "payorder_client_cancel",
    "payorder_client_free",
    "payorder_client_from_env",
    "payorder_client_new",
    "payorder_client_set_credentials",
    "payorder_client_set_log",
    "payorder_client_stop",
    "payorder_create_order",
    "payorder_get_status",
    "payorder_get_statuses",
    "payorder_journal_list",
    "payorder_journal_prune",
    "payorder_journal_resolve",
    "payorder_journal_settle",
    "payorder_json_copy",
    "payorder_json_count",
    "payorder_json_each",
    "payorder_json_get",
    "payorder_json_object",
    "payorder_json_quote",
    "payorder_json_set",
    "payorder_live_calls",
    "payorder_live_clients",
    "payorder_live_strings",
    "payorder_parse_return_url",
    "payorder_recover",
    "payorder_result_name",
    "payorder_result_outcome",
    "payorder_set_idle",
    "payorder_start",
    "payorder_stream_statuses",
    "payorder_string_free",
    "payorder_verify_payment",
    "payorder_version",
    "payorder_wait_for_payment",
];

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
fn the_header_declares_the_functions_of_the_interface() {
    let header =
        fs::read_to_string(built::project().join("include/payorder.h")).expect("the header");
    let code: String = header
        .split("/*")
        .map(|part| part.split_once("*/").map_or(part, |(_, code)| code))
        .collect();
    let declared: BTreeSet<&str> = code
        .split('(')
        .filter_map(|before| {
            before
                .rsplit(|character: char| !character.is_ascii_alphanumeric() && character != '_')
                .next()
        })
        .filter(|name| name.starts_with("payorder_"))
        .collect();
    assert_eq!(declared, BTreeSet::from(FUNCTIONS).into_iter().collect());
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
    let exported: BTreeSet<&str> = symbols
        .lines()
        .filter_map(|line| line.split([' ', '@']).next())
        .collect();
    assert_eq!(exported, BTreeSet::from(FUNCTIONS).into_iter().collect());
}
