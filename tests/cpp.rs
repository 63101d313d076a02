//! The C++ interface, include/payorder.hpp: it compiles quietly everywhere, covers the whole C
//! interface, and the programs of tests/programs/hpp, each of which holds some of its promises, end
//! well against the sandbox.
#![cfg(all(feature = "capi", target_os = "linux"))]

mod built;
#[path = "programs/program.rs"]
#[allow(
    dead_code,
    reason = "these programs are compiled more strictly, and from several files"
)]
mod program;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use program::Running;
use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, Options, SECRET_KEY, Sandbox};

/// More than the project asks of itself: a header is compiled with the flags of other people.
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

/// By the names that compilers of 2020 know too.
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

/// Builds a program, runs it against a sandbox of its own, and holds that it ended with 0 and said
/// nothing.
fn keeps_its_promise(name: &str, arguments: &[&str], sources: &[&str]) {
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
    let config = serde_json::json!({
        "baseUrl": sandbox.base_url(),
        "accessToken": ACCESS_TOKEN,
        "clientKey": CLIENT_KEY,
        "clientId": CLIENT_ID,
        "secretKey": SECRET_KEY,
        "proxy": "none",
        "timeoutMs": 120_000,
        "connectTimeoutMs": 60_000,
    });
    let output = Running::start(
        Command::new(&program)
            .arg(config.to_string())
            .stdin(Stdio::null()),
    )
    .end();
    let transcript = built::transcript(&output);
    assert_eq!(output.status.code(), Some(0), "{transcript}");
    assert!(
        output.stdout.is_empty() && output.stderr.is_empty(),
        "{transcript}"
    );
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
fn both_forms_tell_every_outcome() {
    keeps_its_promise("outcomes", &[], &["outcomes.cpp"]);
}

#[test]
fn texts_go_in_and_come_out_whole_or_not_at_all() {
    keeps_its_promise("texts", &[], &["texts.cpp"]);
}

#[test]
fn a_client_has_one_owner_and_is_freed_once() {
    keeps_its_promise("ownership", &[], &["ownership.cpp"]);
}

#[test]
fn a_cancellation_token_ends_its_calls_and_no_others() {
    keeps_its_promise("cancellation", &[], &["cancellation.cpp"]);
}

#[test]
fn what_is_logged_to_outlives_the_calls() {
    keeps_its_promise("logging", &[], &["logging.cpp"]);
}

#[test]
fn waits_many_statuses_and_the_journal_are_those_of_c() {
    keeps_its_promise("whole_life", &[], &["whole_life.cpp"]);
}

#[test]
fn without_memory_the_outcome_is_told_all_the_same() {
    keeps_its_promise("no_memory", &[], &["no_memory.cpp"]);
}

#[test]
fn what_was_copied_for_the_library_is_wiped() {
    // Optimised, since it is the optimiser that leaves out what nobody reads.
    keeps_its_promise("wiped", &["-O2"], &["wiped.cpp"]);
}

#[test]
fn a_program_without_exceptions_has_all_it_needs() {
    keeps_its_promise("no_exceptions", &WITHOUT_EXCEPTIONS, &["no_exceptions.cpp"]);
}

#[test]
fn two_files_of_a_program_may_include_the_header() {
    keeps_its_promise(
        "two_files",
        &[],
        &["two_files/main.cpp", "two_files/sale.cpp"],
    );
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
    for compiler in [first.clone()].into_iter().chain(other) {
        for standard in STANDARDS {
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
fn a_compiler_that_is_told_an_older_standard_says_which_one_is_wanted() {
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

/// The names of functions of payorder.h in a text, in their order, comments left out.
fn functions(text: &str) -> Vec<String> {
    let without_blocks: String = text
        .split("/*")
        .map(|part| part.split_once("*/").map_or(part, |(_, code)| code))
        .collect();
    let code: Vec<&str> = without_blocks
        .lines()
        .map(|line| line.split("//").next().unwrap_or_default())
        .collect();
    let word = |character: char| character.is_ascii_alphanumeric() || character == '_';
    code.join("\n")
        .split(|character| !word(character))
        .filter(|name| name.starts_with("payorder_"))
        .map(str::to_owned)
        .collect()
}

/// Those that a header declares: a name with a parenthesis behind it.
fn declared(header: &str) -> Vec<String> {
    let called = |name: &String| header.contains(&format!("{name}("));
    let mut names: Vec<String> = functions(header).into_iter().filter(called).collect();
    names.dedup();
    names
}

#[test]
fn every_function_of_the_c_interface_is_there_in_cpp() {
    let read =
        |name: &str| fs::read_to_string(built::project().join("include").join(name)).expect(name);
    let (c, cpp) = (read("payorder.h"), functions(&read("payorder.hpp")));
    let declared = declared(&c);
    assert!(declared.len() >= 19, "{declared:?}");
    for function in declared {
        assert!(
            cpp.contains(&function),
            "include/payorder.hpp does not offer {function}"
        );
    }
}

#[test]
fn the_cpp_header_has_the_groups_of_the_c_header_in_their_order() {
    let read =
        |name: &str| fs::read_to_string(built::project().join("include").join(name)).expect(name);
    let groups = |header: String| -> Vec<String> {
        let titles = header
            .lines()
            .filter_map(|line| line.trim().strip_prefix("/* ---- "));
        titles
            .map(|title| {
                title
                    .trim_end_matches("*/")
                    .trim_end_matches([' ', '-'])
                    .to_owned()
            })
            .collect()
    };
    let c = groups(read("payorder.h"));
    assert!(c.len() >= 5, "{c:?}");
    assert_eq!(groups(read("payorder.hpp")), c);
}
