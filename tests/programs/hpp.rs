//! The C++ interface, include/payorder.hpp: it compiles without warnings, covers the whole C
//! interface, and the programs of tests/programs/hpp, which check its promises, succeed against the
//! sandbox.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::host::run;
use sandbox::{Options, Sandbox};
use support::built;
use support::orders::{sandbox_config, with};
use support::trials::trials;

/// Stricter than the project's own flags, because users compile the header with theirs.
const WARNINGS: [&str; 9] = [
    "-Wall",
    "-Wextra",
    "-Wpedantic",
    "-Wshadow",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wold-style-cast",
    "-Weffc++",
    "-Werror",
];

/// With names that compilers of 2020 know. `cargo test` takes one compiler and the last of them; the
/// programs compile with the first.
const STANDARDS: [&str; 3] = ["c++17", "c++2a", "c++2b"];

const WITHOUT_EXCEPTIONS: [&str; 2] = ["-fno-exceptions", "-fno-rtti"];

fn programs() -> PathBuf {
    built::project().join("tests/programs/hpp")
}

fn compile(
    compiler: &str,
    standard: &str,
    arguments: &[&str],
    sources: &[PathBuf],
    output: &Path,
) -> Output {
    fs::create_dir_all(output.parent().expect("a folder")).expect("a folder for programs");
    Command::new(compiler)
        .arg(format!("-std={standard}"))
        .args(WARNINGS)
        .args(["-g", "-pthread", "-I"])
        .arg(built::project().join("include"))
        .args(arguments)
        .args(sources)
        .arg("-o")
        .arg(output)
        .output()
        .expect("the compiler runs")
}

fn place(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("hpp")
        .join(name)
}

fn runs(compiler: &str) -> bool {
    Command::new(compiler)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

fn accepts(compiler: &str, standard: &str) -> bool {
    let mut probe = Command::new(compiler);
    probe.args([
        &format!("-std={standard}"),
        "-fsyntax-only",
        "-x",
        "c++",
        "/dev/null",
    ]);
    probe.output().is_ok_and(|output| output.status.success())
}

/// Builds a program and runs it against its own sandbox. It must exit with 0 and print nothing.
fn check_program(name: &str, arguments: &[&str], sources: &[&str]) {
    let Some(compiler) = built::cpp_compiler(name) else {
        return;
    };
    let program = place(name);
    let library = built::library();
    let sources: Vec<PathBuf> = sources
        .iter()
        .map(|source| programs().join(source))
        .chain([library])
        .collect();
    let output = compile(&compiler, "c++17", arguments, &sources, &program);
    assert!(
        output.status.success() && output.stderr.is_empty(),
        "{}",
        built::transcript(&output)
    );

    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let config = with(&sandbox_config(&sandbox.base_url()), "timeoutMs", 120_000);
    let config = with(&config, "connectTimeoutMs", 60_000);
    run(&program, &[config.to_string()], 0);
    for never_sent in ["NONE", "CUT-OFF", "BROKEN-OPTIONS"] {
        assert!(
            sandbox
                .orders()
                .iter()
                .all(|order| order.order_id != never_sent),
            "{never_sent} was sent"
        );
    }
}

#[test]
fn texts_are_passed_completely_or_not_at_all() {
    check_program("texts", &[], &["texts.cpp"]);
}

#[test]
fn a_client_has_one_owner_and_is_freed_once() {
    check_program("ownership", &[], &["ownership.cpp"]);
}

#[test]
fn idle_functions_started_calls_streams_and_tokens_work() {
    check_program("cancellation", &[], &["cancellation.cpp"]);
}

#[test]
fn a_log_function_outlives_the_calls() {
    check_program("logging", &[], &["logging.cpp"]);
}

#[test]
fn without_memory_the_outcome_is_still_reported() {
    check_program("no_memory", &[], &["no_memory.cpp"]);
}

#[test]
fn copies_made_for_the_library_are_wiped() {
    // Optimised, because the optimiser may remove writes to memory that is never read.
    check_program("wiped", &["-O2"], &["wiped.cpp"]);
}

#[test]
fn a_program_without_exceptions_can_use_every_function() {
    check_program("no_exceptions", &WITHOUT_EXCEPTIONS, &["no_exceptions.cpp"]);
}

#[test]
fn two_files_of_a_program_may_include_the_header() {
    check_program(
        "two_files",
        &[],
        &["two_files/main.cpp", "two_files/sale.cpp"],
    );
}

#[test]
fn a_shared_object_that_hides_its_symbols_may_include_the_header() {
    let Some(compiler) = built::cpp_compiler("a C++ program with a shared object") else {
        return;
    };
    let object = place("libsale.so");
    let sources = [programs().join("two_files/sale.cpp"), built::library()];
    let arguments = ["-fvisibility=hidden", "-fPIC", "-shared"];
    let output = compile(&compiler, "c++17", &arguments, &sources, &object);
    assert!(output.status.success(), "{}", built::transcript(&output));
    // Another version of the header may be in another shared object: only what both need is seen.
    let exported = Command::new("nm")
        .args(["-DC", "--defined-only"])
        .arg(&object)
        .output();
    let exported = built::transcript(&exported.expect("binutils are installed"));
    assert!(exported.contains("::error::what()"), "{exported}");
    assert!(!exported.contains("::client::"), "{exported}");
    check_program(
        "shared_object",
        &["-fvisibility=hidden"],
        &["two_files/main.cpp", object.to_str().expect("UTF-8")],
    );
}

#[test]
fn files_with_and_without_exceptions_do_not_link_silently() {
    let Some(compiler) = built::cpp_compiler("files with and without exceptions") else {
        return;
    };
    let object = place("without_exceptions.o");
    let arguments = [&["-c"], &WITHOUT_EXCEPTIONS[..]].concat();
    let compiled = |arguments: &[&str], sources: &[PathBuf], output: &Path| {
        compile(&compiler, "c++17", arguments, sources, output)
    };
    let source = programs().join("two_files/sale_without_exceptions.cpp");
    let output = compiled(&arguments, &[source], &object);
    assert!(output.status.success(), "{}", built::transcript(&output));
    let sources = [
        programs().join("two_files/main.cpp"),
        object,
        built::library(),
    ];
    let output = compiled(&[], &sources, &place("mixed"));
    assert!(!output.status.success(), "it links");
    let transcript = built::transcript(&output);
    // One function takes a client, and the other only returns one.
    for refused in [
        "sold(payorder::with_exceptions::client",
        "opened[abi:with_exceptions](",
    ] {
        let undefined = format!("undefined reference to `{refused}");
        assert!(transcript.contains(&undefined), "{transcript}");
    }
}

#[test]
fn the_header_compiles_without_a_warning_in_every_standard() {
    let Some(first) = built::cpp_compiler("the C++ header in every standard") else {
        return;
    };
    let other = ["g++", "clang++"]
        .into_iter()
        .filter(|other| *other != first && runs(other))
        .map(str::to_owned);
    let compilers = [first.clone()].into_iter().chain(other);
    for compiler in compilers.take(trials(1, 3)) {
        for standard in STANDARDS.into_iter().skip(trials(2, 0)) {
            if standard != "c++17" && !accepts(&compiler, standard) {
                continue;
            }
            for (source, arguments) in [
                ("texts.cpp", &["-fno-rtti"][..]),
                ("no_exceptions.cpp", &WITHOUT_EXCEPTIONS),
            ] {
                let arguments = [&["-fsyntax-only"], arguments].concat();
                let output = compile(
                    &compiler,
                    standard,
                    &arguments,
                    &[programs().join(source)],
                    &place(&format!("{standard}-{source}.o")),
                );
                assert!(
                    output.status.success() && output.stderr.is_empty(),
                    "{compiler} {standard}: {}",
                    built::transcript(&output)
                );
            }
        }
    }
}

#[test]
fn an_older_standard_gives_an_error_that_names_the_needed_one() {
    let Some(compiler) = built::cpp_compiler("the C++ header in C++14") else {
        return;
    };
    let output = compile(
        &compiler,
        "c++14",
        &["-fsyntax-only"],
        &[programs().join("texts.cpp")],
        &place("older"),
    );
    assert!(!output.status.success());
    assert!(
        built::transcript(&output).contains("compile with -std=c++17 or later"),
        "{}",
        built::transcript(&output)
    );
}

fn header(name: &str) -> String {
    fs::read_to_string(built::project().join("include").join(name)).expect(name)
}

/// The functions of the interface. `tests/header` compares the description with the source.
fn functions() -> BTreeSet<String> {
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

#[test]
fn every_function_of_the_c_interface_exists_in_cpp() {
    let cpp = header("payorder.hpp");
    let code: Vec<&str> = cpp
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let code = code.join("\n");
    let is_word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    let names: BTreeSet<&str> = code.split(|character| !is_word(character)).collect();
    for function in functions() {
        assert!(
            names.contains(function.as_str()),
            "include/payorder.hpp does not offer {function}"
        );
    }
}
