//! The documents do what they say, against the sandbox. The blocks of a page run in one folder, from
//! top to bottom. A `text` block is what the block before it prints; `...` in it stands for any text.
//! A block that runs elsewhere, or cannot run, is in a list.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use sandbox::rules::Rule;
use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, Options, OrderRecord, SECRET_KEY, Sandbox};
use serde_json::Value;
use support::built;

use crate::{description, pages, succeeds};

const ADDRESS: &str = "http://127.0.0.1:8080";

/// Where a page says that the customer pays: the page, and a part of the block with the order.
const PAID: [(&str, &str); 1] = [("docs/start.md", "--order-id O-1 ")];

/// The page with a command for pytest.
const NEEDS_PYTEST: &str = "docs/guides/testing.md";

/// The list of blocks that are not run here: document, beginning, and who runs them or why nobody can.
fn not_run() -> impl Iterator<Item = [&'static str; 3]> {
    let lines = include_str!("not_run.txt").lines();
    let listed = lines.filter(|line| !line.starts_with('#'));
    listed.map(|line| {
        let parts: Vec<&str> = line.split(" | ").collect();
        parts.try_into().expect("three columns")
    })
}

/// Outside the pages: commands that install something, and data.
const NO_PROGRAMS: [&str; 6] = ["", "sh", "json", "text", "ini", "toml"];

/// A fenced block of a document.
struct Block {
    language: String,
    text: String,
    /// Who runs it, if this test does not.
    elsewhere: Option<&'static str>,
}

/// The documents next to programs.
fn readmes() -> Vec<String> {
    let mut readmes = vec!["core/README.md".to_owned(), "tools/README.md".to_owned()];
    for folder in ["bindings", "examples"] {
        for entry in fs::read_dir(built::project().join(folder)).expect("a folder") {
            let name = entry.expect("an entry").file_name();
            readmes.push(format!("{folder}/{}/README.md", name.to_string_lossy()));
        }
    }
    readmes.retain(|readme| built::project().join(readme).exists());
    readmes
}

fn blocks(page: &str) -> Vec<Block> {
    let text = fs::read_to_string(built::project().join(page)).expect("the page");
    // Some are in lists, so they are indented.
    let mut blocks: Vec<Block> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if let Some(language) = line.trim_start().strip_prefix("```") {
            inside = !inside;
            if inside {
                blocks.push(Block {
                    language: language.to_owned(),
                    text: String::new(),
                    elsewhere: None,
                });
            }
        } else if inside {
            let block = blocks.last_mut().expect("a block");
            block.text += line;
            block.text += "\n";
        }
    }
    assert!(!inside, "{page}: a block has no end");
    for block in &mut blocks {
        let start = format!("{} {}", block.language, block.text.replace('\n', "; "));
        let listed =
            not_run().find(|[document, begins, _]| *document == page && start.starts_with(begins));
        block.elsewhere = listed.map(|[_, _, who]| who);
    }
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
        // In an installed package, pytest finds the plugin itself. Not this file again, which is the
        // first one in PATH.
        (
            "pytest",
            format!(
                r#""$(PATH=${{PATH#*:}} command -v '{pytest}')" -p payorder_tools.pytest_plugin"#
            ),
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

/// Writes a program to this file, builds it with warnings as errors, and returns a command that runs
/// it.
fn build(compiler: &str, options: &[&str], source: &Path, text: &str) -> Command {
    let program = source.with_extension("program");
    fs::write(source, text).expect("the program's file");
    let mut command = Command::new(compiler);
    command
        .args(options)
        .args([
            "-Wall",
            "-Wextra",
            "-Wpedantic",
            "-Werror",
            "-pthread",
            "-I",
        ])
        .arg(built::project().join("include"))
        .args([source, &built::library()])
        .arg(format!("-Wl,-rpath,{}", built::folder().display()))
        .arg("-o")
        .arg(&program);
    succeeds(&mut command);
    Command::new(program)
}

/// What a program prints, in the page's folder, with the sandbox's settings.
fn run(program: &mut Command, folder: &Path, sandbox: &Sandbox) -> String {
    let path = std::env::var("PATH").expect("a PATH");
    built::keep_bytecode(program)
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", folder.join("bin").display()))
        .env("PAYORDER_LIBRARY", built::library())
        .env("PYTHONPATH", built::python_path())
        .env("PAYORDER_BASE_URL", sandbox.base_url())
        .env("PAYORDER_ACCESS_TOKEN", ACCESS_TOKEN)
        .env("PAYORDER_CLIENT_KEY", CLIENT_KEY)
        .env("PAYORDER_CLIENT_ID", CLIENT_ID)
        .env("PAYORDER_SECRET_KEY", SECRET_KEY);
    let output = succeeds(program);
    String::from_utf8(output.stdout).expect("UTF-8")
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
    check_keys(&config, &description()["config"]);
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

fn press_pay(order: OrderRecord) {
    let pay = order.checkout_url.expect("a checkout URL") + "/pay";
    let browser = ureq::Agent::config_builder().max_redirects(0).proxy(None);
    let browser: ureq::Agent = browser.build().into();
    let pressed = browser.post(pay).send_empty().expect("a response");
    assert_eq!(pressed.status(), 303);
}

/// Runs a program in a new folder. The service refuses its first order, with a checkout URL: the
/// order may exist, and the customer can pay there. The program shows the URL, or ends with the
/// exception that has it.
fn check_urls(program: &mut Command, folder: &Path) {
    let rules = vec![Rule::parse("create:1:refused-with-url").expect("a rule")];
    let options = Options {
        rules,
        ..Options::default()
    };
    let sandbox = Sandbox::start(options).expect("the sandbox starts");
    fs::create_dir(folder).expect("a folder without journals");
    let program = program.current_dir(folder);
    let ended = program
        .env("PAYORDER_BASE_URL", sandbox.base_url())
        .output();
    let said = built::transcript(&ended.expect("it runs"));
    let orders = sandbox.orders().into_iter();
    for url in orders.filter_map(|order| order.checkout_url) {
        let is_shown = said.contains(&url) || said.contains("BadResponseError: ");
        assert!(is_shown, "{url} is lost: {said}");
    }
}

/// Runs the blocks of a page, and returns how many of them show what is printed. Then runs the
/// programs for other tills, which have not sent these orders: none may call them paid.
fn run_page(page: &str, python: &str, pytest: &str, c: &str, cpp: &str) -> usize {
    let folder = folder(page, python, pytest);
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let (mut shown, mut compared) = (String::new(), 0);
    let mut programs = Vec::new();
    for (number, block) in blocks(page).into_iter().enumerate() {
        let text = block.text.replace(ADDRESS, &sandbox.base_url());
        if block.elsewhere.is_some() {
            continue;
        }
        let mut begin = |mut program: Command| {
            shown = run(&mut program, &folder, &sandbox);
            programs.push(program);
        };
        let source = |language: &str| folder.join(format!("program{number}.{language}"));
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
                shown = run(&mut shell, &folder, &sandbox);
            }
            "python" => {
                let name = folder.join(file_name(&text, &format!("program{number}.py")));
                fs::write(&name, &text).expect("the program");
                let mut program = Command::new(python);
                program.arg(&name);
                begin(program);
            }
            "c" if text.contains("int main(") => {
                begin(build(c, &["-std=c99"], &source("c"), &text));
            }
            "cpp" => {
                begin(build(cpp, &["-std=c++17"], &source("cpp"), &text));
            }
            "json" => check_config(&text),
            other => panic!("{page}: nothing runs a block in {other:?}:\n{text}"),
        }
        let is_paid = |(of, creates): &(&str, &str)| *of == page && text.contains(creates);
        if PAID.iter().any(is_paid) {
            press_pay(sandbox.orders().swap_remove(0));
        }
    }
    let other = folder.join("other");
    fs::create_dir(&other).expect("a folder without journals");
    let mut created = sandbox.orders();
    created.retain(|order| order.checkout_url.is_some());
    created.into_iter().for_each(press_pay);
    for program in &mut programs {
        let output = program.current_dir(&other).output().expect("it runs");
        let printed = String::from_utf8(output.stdout).expect("UTF-8");
        let says_paid = |line: &str| line.starts_with("paid") || line.ends_with(": paid");
        assert!(!printed.lines().any(says_paid), "{page}: {printed}");
    }
    for (number, program) in programs.iter_mut().enumerate() {
        check_urls(program, &folder.join(format!("refused{number}")));
    }
    compared
}

#[test]
fn the_pages_show_what_their_commands_and_programs_print() {
    let (Some(python), Some(c), Some(cpp)) = (
        built::python_packages("the guides"),
        built::c_compiler("the guides"),
        built::cpp_compiler("the guides"),
    ) else {
        return;
    };
    let pytest = built::tool("PYTEST", &["pytest"], NEEDS_PYTEST);
    let mut pages = pages();
    pages.retain(|page| pytest.is_some() || page != NEEDS_PYTEST);
    let pytest = pytest.unwrap_or_default();
    let run = |page| run_page(page, &python, &pytest, &c, &cpp);
    // They mostly wait.
    let compared: usize = thread::scope(|scope| {
        let running: Vec<_> = pages
            .iter()
            .map(|page| scope.spawn(move || run(page)))
            .collect();
        let ended = running
            .into_iter()
            .map(|page| page.join().expect("the page"));
        ended.sum()
    });
    assert!(
        pages.len() > 10 && compared > 15,
        "{pages:?}: {compared} blocks"
    );
}

#[test]
fn every_program_in_a_document_is_run_by_a_test() {
    let mut elsewhere = BTreeSet::new();
    for document in readmes().iter().chain(&pages()) {
        for block in blocks(document) {
            let outside = !pages().contains(document);
            match block.elsewhere {
                Some(who) => drop(elsewhere.insert((document.clone(), who))),
                None if outside => {
                    let no_program = NO_PROGRAMS.contains(&block.language.as_str());
                    assert!(no_program, "{document}: no test runs\n{}", block.text);
                }
                None => {}
            }
        }
    }
    for [document, start, who] in not_run() {
        let used = elsewhere.contains(&(document.to_owned(), who));
        assert!(used, "{document} has no block that begins with {start}");
        let test = built::project().join(who);
        if document.starts_with("bindings") && test.is_file() {
            let text = fs::read_to_string(&test).expect("a test");
            // `snippets` is a function of bindings/sandbox.sh.
            let reads = text.contains("README.md") || text.contains("snippets ");
            assert!(reads, "{who} reads no README");
        }
    }
}
