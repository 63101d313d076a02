//! The examples of the functions, in examples/c/functions, compile in C and C++, run against the
//! sandbox, print what their last comments say, and leave nothing behind.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use payorder_core::{CallOptions, Client, Order};
use sandbox::{Options, Sandbox};

use crate::program::{Linked, Running, WARNINGS, build};
use crate::tills::{kept_order, press_pay};
use support::built;
use support::orders::{order_named, sandbox_config, with};
use support::tls::Folder;

const WITH_CLIENT: &str = "void example(payorder_client *client)";

/// These come first, in this order. The others can run in any order.
const FIRST: [&str; 1] = ["payorder_create_order"];
/// This comes last: it closes and removes what others read.
const LAST: [&str; 1] = ["payorder_journal"];

/// The examples: name and text.
fn examples() -> BTreeMap<String, String> {
    let folder = built::project().join("examples/c/functions");
    let files = fs::read_dir(folder).expect("the folder of examples");
    let examples = files.map(|file| {
        let path = file.expect("an example").path();
        let name = path.file_stem().expect("a name").to_string_lossy();
        let text = fs::read_to_string(&path).expect("an example");
        (name.into_owned(), text)
    });
    examples.collect()
}

/// A program that runs the example that it is given the name of.
fn program(examples: &BTreeMap<String, String>) -> String {
    let folder = built::project().join("examples/c/functions");
    let mut text = String::new();
    let mut calls = String::new();
    for (name, example) in examples {
        let path = folder.join(name).with_extension("c");
        let path = path.display();
        text += &format!("#define example example_of_{name}\n#include \"{path}\"\n");
        text += "#undef example\n";
        calls += &format!("    if (strcmp(argv[1], \"{name}\") == 0)\n        ");
        calls += &match example.contains(WITH_CLIENT) {
            true => format!("with_client(example_of_{name}, argv[2]);\n"),
            false => format!("example_of_{name}();\n"),
        };
    }
    text + r#"
#include <string.h>

static void with_client(void (*run)(payorder_client *), const char *config)
{
    payorder_client *client;
    char *error;
    if (payorder_client_new(config, &client, &error) != PAYORDER_OK)
        fprintf(stderr, "%s\n", error);
    run(client);
    payorder_client_free(client);
    payorder_string_free(error);
}

int main(int argc, char **argv)
{
    if (argc != 3) return 2;
"# + &calls
        + "    return payorder_live_strings() + payorder_live_clients() + payorder_live_calls() != 0;
}
"
}

/// What an example says that it prints: the lines of its last comment.
fn promised(example: &str) -> Vec<&str> {
    let Some((_, promised)) = example.rsplit_once("/* Prints:\n") else {
        return Vec::new();
    };
    let lines = promised.lines().take_while(|line| *line != " */");
    lines.map(|line| line.trim_start_matches(" * ")).collect()
}

/// Whether a line is the promised one, in which `...` stands for any text.
fn is_line(line: &str, promised: &str) -> bool {
    match promised.split_once("...") {
        Some((start, end)) => line.starts_with(start) && line.ends_with(end),
        None => line == promised,
    }
}

/// Leaves an order in the journal whose outcome is unknown.
fn lose_an_order(config: &str) {
    let client = Client::from_json(config).expect("a client");
    let order = with(&order_named("O-1002"), "productInfo", "sandbox:drop-before").to_string();
    let order = Order::from_json(&order).expect("an order");
    let lost = client.create_order(&order, &CallOptions::default());
    assert!(lost.is_err());
}

#[test]
fn the_example_of_every_function_runs_and_prints_what_it_says() {
    let Some(compiler) = built::c_compiler("the examples of functions") else {
        return;
    };
    let examples = examples();
    let folder = Folder::new();
    let source = folder.path().join("examples.c");
    fs::write(&source, program(&examples)).expect("the program's source");
    let source = source.to_string_lossy();
    let program = build(&compiler, "c99", &source, &Linked::Shared, "functions");
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let journal = folder.path().join("orders.db");
    let config = sandbox_config(&sandbox.base_url());
    let config = with(&config, "journal", journal.to_str());
    let config = config.to_string();
    lose_an_order(&config);

    let is_between = |name: &&str| !FIRST.contains(name) && !LAST.contains(name);
    let others = examples.keys().map(String::as_str).filter(is_between);
    let mut wrong = Vec::new();
    for name in FIRST.into_iter().chain(others).chain(LAST) {
        wrong.extend(problem(&program, name, &examples[name], &config));
        if name == "payorder_create_order" {
            let checkout_url = kept_order(&sandbox, "O-1001").checkout_url;
            press_pay(&checkout_url.expect("a checkout URL"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// How an example differs from what it says.
fn problem(program: &Path, name: &str, example: &str, config: &str) -> Option<String> {
    let output = Running::start(Command::new(program).args([name, config])).end();
    let shown = String::from_utf8_lossy(&output.stdout);
    let promised = promised(example);
    let is_right = output.status.success()
        && output.stderr.is_empty()
        && shown.lines().count() == promised.len()
        && shown
            .lines()
            .zip(promised)
            .all(|(a, b)| is_line(a.trim_end(), b));
    (!is_right).then(|| format!("{name}: {}", built::transcript(&output)))
}

#[test]
fn each_example_compiles_by_itself_in_c_and_cpp() {
    let (Some(c), Some(cpp)) = (
        built::c_compiler("the examples of functions"),
        built::cpp_compiler("the examples of functions in C++"),
    ) else {
        return;
    };
    let folder = built::project().join("examples/c/functions");
    let files: Vec<PathBuf> = examples()
        .keys()
        .map(|name| folder.join(name).with_extension("c"))
        .collect();
    for (compiler, language, standard) in [(c, "c", "c99"), (cpp, "c++", "c++11")] {
        let output = Command::new(&compiler)
            .args(["-fsyntax-only", "-x", language])
            .arg(format!("-std={standard}"))
            .args(WARNINGS)
            .arg("-I")
            .arg(built::project().join("include"))
            .args(&files)
            .output()
            .expect("the compiler runs");
        assert!(output.status.success(), "{}", built::transcript(&output));
    }
}
