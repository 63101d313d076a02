//! docs/start.md, docs/journal.md, docs/certify.md and the guides do what they say, against the sandbox. The blocks
//! of a page run in one folder, from top to bottom. A `text` block is what the block before it
//! prints; `...` in it stands for any text.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

use sandbox::{Options, Sandbox};
use serde_json::Value;

use support::built;

const ADDRESS: &str = "http://127.0.0.1:8080";

/// Where a page says that the customer pays: the page, and a part of the block with the order.
const PAID: [(&str, &str); 1] = [("docs/start.md", "--order-id O-1 ")];

/// The page with a command for pytest.
const NEEDS_PYTEST: &str = "docs/guides/testing.md";

/// The blocks that cannot run here: how they begin, and why.
const NOT_RUN: [(&str, &str); 15] = [
    ("python3 -m venv ", "tests/packaging/python.sh runs pip"),
    (
        "pip install payorder-",
        "tests/packaging/python.sh installs the wheels",
    ),
    ("c++ ", "tests/packaging/readme.sh runs it"),
    ("cmake -B build ", "tests/packaging/cmake.sh runs it"),
    ("cc -static-libgcc ", "it needs a release archive"),
    ("MAILTO=", "lines for cron"),
    (
        "payorder certify --certificate ",
        "tools/tests/test_certify_document.py makes one",
    ),
    ("payorder verify-certificate ", "the same"),
    ("FROM alpine", "it needs an image"),
    ("qrencode ", "it needs qrencode"),
    ("#include <qrencode.h>", "it needs libqrencode"),
    ("import segno", "it needs segno"),
    ("const QRCode", "it needs a package of npm"),
    ("CURLcode code", "code that is wrong"),
    (
        "payorder_result result = payorder_create",
        "a part of a program",
    ),
];

/// A fenced block of a page.
struct Block {
    language: String,
    text: String,
    must_run: bool,
}

pub fn pages() -> Vec<String> {
    let guides = fs::read_dir(built::project().join("docs/guides")).expect("the guides");
    let names = guides.map(|entry| entry.expect("a guide").file_name());
    let mut pages: Vec<String> = names
        .map(|name| format!("docs/guides/{}", name.to_string_lossy()))
        .collect();
    let more = ["docs/start.md", "docs/journal.md", "docs/certify.md"];
    pages.extend(more.map(String::from));
    pages.sort();
    pages
}

fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(built::project().join(page)).expect("the page");
    // Some are in lists, so they are indented.
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(info) = line.trim_start().strip_prefix("```") {
            inside = !inside;
            if inside {
                let (language, mark) = info.split_once(',').unwrap_or((info, ""));
                assert!(["", "not-run"].contains(&mark), "{page}: {info}");
                blocks.push(Block {
                    language: language.to_owned(),
                    text: String::new(),
                    must_run: mark.is_empty(),
                });
            }
        } else if inside {
            let block = blocks.last_mut().expect("a block");
            block.text += line;
            block.text += "\n";
        }
    }
    assert!(!inside, "{page}: a block has no end");
    blocks
}

/// Whether a line is the promised one, in which `...` stands for any text.
fn is_line(line: &str, promised: &str) -> bool {
    let mut rest = Some(line);
    for (index, part) in promised.split("...").enumerate() {
        rest = rest.and_then(|rest| {
            let at = rest.find(part)?;
            (index > 0 || at == 0).then(|| &rest[at + part.len()..])
        });
    }
    rest.is_some_and(|rest| rest.is_empty() || promised.ends_with("..."))
}

/// Whether all lines are the promised ones. A last line `...` stands for any further lines.
fn is_as_promised(shown: &str, promised: &str) -> bool {
    let mut promised: Vec<&str> = promised.lines().collect();
    let mut shown: Vec<&str> = shown.lines().collect();
    if promised.last() == Some(&"...") {
        promised.pop();
        shown.truncate(promised.len());
    }
    let mut both = shown.iter().zip(&promised);
    shown.len() == promised.len() && both.all(|(line, promised)| is_line(line.trim_end(), promised))
}

/// The folder of a page, with the commands `payorder` and `pytest`, and what the commands for C name.
fn folder(page: &str, python: &str, pytest: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(page.replace(['/', '.'], "-"));
    // The journals of an earlier run would have the orders.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("bin")).expect("a folder for the page");
    for (name, program) in [
        ("payorder", format!("'{python}' -m payorder")),
        // In an installed package, pytest finds the plugin itself.
        (
            "pytest",
            format!("'{pytest}' -p payorder_tools.pytest_plugin"),
        ),
    ] {
        let command = folder.join("bin").join(name);
        let script = format!("#!/bin/sh\nexec {program} \"$@\"\n");
        fs::write(&command, script).expect("the command");
        fs::set_permissions(&command, PermissionsExt::from_mode(0o755)).expect("the command");
    }
    let project = built::project();
    fs::create_dir(folder.join("target")).expect("a folder");
    symlink(built::folder(), folder.join("target/release")).expect("a link to the library");
    symlink(project.join("include"), folder.join("include")).expect("a link to the header");
    fs::copy(project.join("examples/c/till.c"), folder.join("till.c")).expect("the till");
    folder
}

/// What a program prints, in the page's folder.
fn run(mut program: Command, folder: &Path, sandbox: &Sandbox) -> String {
    let path = std::env::var("PATH").expect("a PATH");
    program
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", folder.join("bin").display()))
        .env("PAYORDER_LIBRARY", built::library())
        .env("PYTHONPATH", built::python_path())
        .env("PYTHONDONTWRITEBYTECODE", "1");
    crate::documents::run(program, sandbox)
}

/// The name in a comment at the beginning of a program, or one for programs without a name.
fn file_name(text: &str, otherwise: &str) -> String {
    let first = text.lines().next().unwrap_or_default();
    let named = first
        .strip_prefix("# ")
        .filter(|name| name.ends_with(".py"));
    named.unwrap_or(otherwise).to_owned()
}

/// A configuration has only keys that exist.
fn check_config(text: &str) {
    let config: Value = serde_json::from_str(text).expect("JSON");
    let description = include_str!("../../include/payorder-abi.json");
    let description: Value = serde_json::from_str(description).expect("JSON");
    check_keys(&config, &description["config"]);
}

fn check_keys(config: &Value, described: &Value) {
    for (key, value) in config.as_object().expect("an object") {
        let mut listed = described.as_array().expect("a list").iter();
        let listed = listed.find(|one| one["key"] == key.as_str());
        let listed = listed.unwrap_or_else(|| panic!("an unknown key: {key}"));
        if value.is_object() {
            check_keys(value, &listed["keys"]);
        }
    }
}

fn press_pay(sandbox: &Sandbox) {
    let checkout_url = sandbox.orders().swap_remove(0).checkout_url;
    let pay = checkout_url.expect("a checkout URL") + "/pay";
    let browser = ureq::Agent::config_builder().max_redirects(0).proxy(None);
    let browser: ureq::Agent = browser.build().into();
    let pressed = browser.post(pay).send_empty().expect("a response");
    assert_eq!(pressed.status(), 303);
}

/// Runs the blocks of a page, and returns how many of them show what is printed.
fn run_page(page: &str, python: &str, pytest: &str, c: &str, cpp: &str) -> usize {
    let folder = folder(page, python, pytest);
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let (mut shown, mut compared) = (String::new(), 0);
    for block in blocks(page) {
        let text = block.text.replace(ADDRESS, &sandbox.base_url());
        if !block.must_run {
            let known = NOT_RUN.iter().any(|(start, _)| text.starts_with(start));
            assert!(known, "{page}: a block that is not run:\n{text}");
            continue;
        }
        let compiled = |compiler: &str, options: &[&str], name| {
            let program = crate::documents::build(compiler, options, &folder.join(name), &text);
            run(program, &folder, &sandbox)
        };
        match block.language.as_str() {
            "text" => {
                compared += 1;
                let right = is_as_promised(&shown, &text);
                assert!(
                    right,
                    "{page}: this was printed:\n{shown}\nnot this:\n{text}"
                );
            }
            "sh" => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(format!("{{ {text}\n}} 2>&1"));
                shown = run(shell, &folder, &sandbox);
            }
            "python" => {
                let name = file_name(&text, "program.py");
                fs::write(folder.join(&name), &text).expect("the program");
                let mut program = Command::new(python);
                program.arg(&name);
                shown = run(program, &folder, &sandbox);
            }
            "c" if text.contains("int main(") => shown = compiled(c, &["-std=c99"], "program.c"),
            // The page about C has parts of programs, for which there is a test of their own.
            "c" => assert_eq!(page, "docs/guides/c.md"),
            "cpp" => {
                let options: &[&str] = match text.starts_with("// -fno-exceptions\n") {
                    true => &["-std=c++17", "-fno-exceptions"],
                    false => &["-std=c++17"],
                };
                shown = compiled(cpp, options, "program.cpp");
            }
            "json" => check_config(&text),
            other => panic!("{page}: nothing runs a block in {other:?}:\n{text}"),
        }
        let is_paid = |(of, creates): &(&str, &str)| *of == page && text.contains(creates);
        if PAID.iter().any(is_paid) {
            press_pay(&sandbox);
        }
    }
    compared
}

#[test]
fn the_pages_show_what_their_commands_and_programs_print() {
    let (Some(python), Some(c), Some(cpp)) = (
        built::python("the guides"),
        built::c_compiler("the guides"),
        built::cpp_compiler("the guides"),
    ) else {
        return;
    };
    let pytest = built::tool("PYTEST", &["pytest"], NEEDS_PYTEST);
    let mut pages = pages();
    pages.retain(|page| pytest.is_some() || page != NEEDS_PYTEST);
    let pytest = pytest.unwrap_or_default();
    let compared: usize = pages
        .iter()
        .map(|page| run_page(page, &python, &pytest, &c, &cpp))
        .sum();
    assert!(
        pages.len() > 10 && compared > 15,
        "{pages:?}: {compared} blocks"
    );
}

#[test]
fn the_blocks_that_are_not_run_are_those_of_the_list() {
    let pages = pages();
    let blocks = pages.iter().flat_map(|page| blocks(page));
    let not_run: Vec<Block> = blocks.filter(|block| !block.must_run).collect();
    for (start, why) in NOT_RUN {
        let found = not_run.iter().filter(|block| block.text.starts_with(start));
        assert_eq!(found.count(), 1, "{start} ({why})");
    }
    assert_eq!(not_run.len(), NOT_RUN.len());
}
