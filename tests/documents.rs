//! What the README shows works: each of its snippets is run against the sandbox, and each of its
//! keys is one.

mod built;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, Options, SECRET_KEY, Sandbox};

/// The fenced blocks of a language in the README.
fn snippets(language: &str) -> Vec<String> {
    let readme = fs::read_to_string(built::project().join("README.md")).expect("the README");
    let blocks = readme.split("\n```").skip(1).step_by(2);
    let found: Vec<String> = blocks
        .filter_map(|block| {
            block
                .strip_prefix(&format!("{language}\n"))
                .map(str::to_owned)
        })
        .collect();
    assert!(!found.is_empty(), "the README has no snippet in {language}");
    found
}

/// A folder of this test's own.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder for the snippet");
    folder
}

fn run(mut program: Command, sandbox: &Sandbox) -> String {
    let output: Output = program
        .env("PAYORDER_BASE_URL", sandbox.base_url())
        .env("PAYORDER_ACCESS_TOKEN", ACCESS_TOKEN)
        .env("PAYORDER_CLIENT_KEY", CLIENT_KEY)
        .env("PAYORDER_CLIENT_ID", CLIENT_ID)
        .env("PAYORDER_SECRET_KEY", SECRET_KEY)
        .output()
        .expect("the snippet runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Builds a snippet with warnings as errors, and gives the program.
fn build(compiler: &str, standard: &str, source: &str, text: &str) -> Command {
    let folder = folder(&source.replace('.', "-"));
    let (source, program) = (folder.join(source), folder.join("program"));
    fs::write(&source, text).expect("the snippet's file");
    let library = built::library();
    let output = Command::new(compiler)
        .args([standard, "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-I"])
        .arg(built::project().join("include"))
        .args([&source, &library])
        .arg(format!("-Wl,-rpath,{}", built::folder().display()))
        .arg("-o")
        .arg(&program)
        .output()
        .expect("the compiler runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    Command::new(program)
}

#[test]
fn the_snippets_in_c_make_an_order() {
    let Some(compiler) = built::c_compiler("the README's snippets in C") else {
        return;
    };
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    for text in snippets("c") {
        let shown = run(build(&compiler, "-std=c99", "readme.c", &text), &sandbox);
        assert!(
            shown.starts_with(&format!(
                "send the customer to {}/checkout/",
                sandbox.base_url()
            )),
            "{shown}"
        );
    }
    assert!(
        sandbox
            .orders()
            .iter()
            .any(|order| order.order_id == "O-1001"),
        "the sandbox has the order"
    );
}

#[test]
fn the_snippets_in_cpp_make_an_order_and_ask_for_it() {
    let Some(compiler) = built::cpp_compiler("the README's snippets in C++") else {
        return;
    };
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    for text in snippets("cpp") {
        let shown = run(
            build(&compiler, "-std=c++17", "readme.cpp", &text),
            &sandbox,
        );
        assert!(
            shown.starts_with("send the customer to ") && shown.contains("\nPAYORDER_OK {"),
            "{shown}"
        );
        assert!(shown.contains(r#""orderId":"O-1003""#), "{shown}");
    }
}

#[test]
fn the_snippets_in_python_go_the_whole_way() {
    let Some(python) = built::python("the README's snippets in Python") else {
        return;
    };
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let folder = folder("python");
    // A journal of an earlier run has its order.
    fs::remove_dir_all(&folder)
        .and_then(|()| fs::create_dir_all(&folder))
        .expect("an empty folder");
    let shown = snippets("python").into_iter().map(|text| {
        let mut program = Command::new(&python);
        program
            .arg("-c")
            .arg(text)
            .env("PAYORDER_LIBRARY", built::library())
            .env("PYTHONPATH", built::project().join("bindings/python"));
        program.current_dir(&folder);
        run(program, &sandbox)
    });
    let [sale, life] = shown
        .collect::<Vec<_>>()
        .try_into()
        .expect("a sale, and a payment's whole life");
    let begins = |line: &str, with: &str| {
        assert!(
            line.starts_with(with),
            "{line:?} does not begin with {with:?} in {sale}{life}"
        )
    };
    let (sale, life): (Vec<&str>, Vec<&str>) = (sale.lines().collect(), life.lines().collect());
    begins(sale[0], "send the customer to http://127.0.0.1:");
    assert_eq!(sale[1..], ["not paid yet"]);
    begins(life[0], "sent already, pay at http://127.0.0.1:");
    begins(life[1], "not paid yet, asked ");
    let (mut known, mut unknown) = (life[2], life[3]);
    if known.starts_with("O-unknown") {
        // They come as the answers do.
        (known, unknown) = (unknown, known);
    }
    begins(known, "O-1005 -> Pending");
    begins(unknown, "O-unknown -> ");
    assert_eq!(life[4..], ["0 orders are still unresolved"]);
}

#[test]
fn the_snippet_of_the_command_line_goes_from_an_order_to_a_report() {
    let Some(python) = built::python("the README's snippet of the command line") else {
        return;
    };
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let folder = folder("command-line");
    let snippet = snippets("sh")
        .into_iter()
        .find(|text| text.starts_with("payorder create"))
        .expect("a snippet of the command line");
    let mut shell = Command::new("sh");
    // What is not paid ends with a status of its own: that each command did its work is seen in
    // what it shows.
    shell.arg("-c").arg(format!(
        "payorder() {{ '{python}' -m payorder \"$@\"; }}\n{snippet}"
    ));
    shell
        .env("PAYORDER_LIBRARY", built::library())
        .env("PYTHONPATH", built::project().join("bindings/python"));
    shell.current_dir(&folder);
    let shown = run(shell, &sandbox);
    let mut rest = shown.as_str();
    for expected in [
        &format!("{}/checkout/1\n", sandbox.base_url()),
        "\nstatus       Pending\n",
        "  Pending\n",
        "not_completed",
        "unknown_to_service",
        "clock        within ",
        "service      it answers",
    ] {
        let Some(at) = rest.find(expected) else {
            panic!("no {expected:?}, or not in its place:\n{shown}")
        };
        rest = &rest[at + expected.len()..];
    }
    let report = fs::read_to_string(folder.join("report.csv")).expect("the report");
    assert!(
        report.contains("\nO-1004,100.00,not_completed,Pending,")
            && report.contains("\nO-unknown,5.00,unknown_to_service,"),
        "{report}"
    );
}

#[test]
fn every_key_of_the_readme_is_known_and_takes_its_default() {
    let readme = fs::read_to_string(built::project().join("README.md")).expect("the README");
    let table = readme
        .split("## Configuration")
        .nth(1)
        .and_then(|rest| rest.split("\n## ").next())
        .expect("the table");
    let mut config = serde_json::Map::new();
    config.insert("baseUrl".into(), "http://127.0.0.1:1".into());
    let mut names = 0;
    for row in table.lines().filter(|line| line.starts_with("| `")) {
        let cells: Vec<&str> = row.split('|').map(str::trim).collect();
        for name in cells[1].split(", ").map(|name| name.trim_matches('`')) {
            names += 1;
            // A default is written as the value itself; keys without one get a value of their kind.
            let value = match (name, cells[2]) {
                ("baseUrl", _) => continue,
                ("tls", _) => serde_json::json!({"roots": "bundled"}),
                ("checkoutHosts", _) => serde_json::json!(["pay.example.com"]),
                ("proxy", _) => "none".into(),
                ("returnUrlField", default) => default.trim_matches('`').into(),
                ("journal", _) => std::env::temp_dir()
                    .join("orders.db")
                    .to_string_lossy()
                    .into_owned()
                    .into(),
                (_, "") => "x".into(),
                (_, default) => serde_json::from_str(default).expect(name),
            };
            config.insert(name.to_owned(), value);
        }
    }
    assert_eq!(names, 18, "the keys of the table");
    let config = serde_json::Value::Object(config).to_string();
    let client = payorder::Client::from_json(&config);
    assert!(client.is_ok(), "{client:?}");
}

#[test]
fn the_documents_name_every_result_and_every_function() {
    let abi = fs::read_to_string(built::project().join("docs/abi.md")).expect("docs/abi.md");
    let header =
        fs::read_to_string(built::project().join("include/payorder.h")).expect("the header");
    let words = |text: &str| -> Vec<String> {
        let word = |character: char| character.is_ascii_alphanumeric() || character == '_';
        text.split(|character| !word(character))
            .map(str::to_owned)
            .collect()
    };
    let documented = words(&abi);
    let mut results = 0;
    for line in header.lines().filter(|line| {
        line.starts_with("#define PAYORDER_") && !line.contains("OUTCOME") && line.contains("/*")
    }) {
        let mut parts = line.split_whitespace().skip(1);
        let (name, number) = (
            parts.next().expect("a name"),
            parts.next().expect("a number"),
        );
        results += 1;
        assert!(
            documented.iter().any(|word| word == name)
                && documented.iter().any(|word| word == number),
            "{name} {number} is not in docs/abi.md"
        );
    }
    assert_eq!(results, 21, "the results of the header");
    for line in header.lines().filter(|line| {
        line.contains("payorder_") && line.contains('(') && !line.starts_with([' ', '/'])
    }) {
        let declared = line
            .split('(')
            .next()
            .and_then(|head| head.split([' ', '*']).next_back())
            .unwrap_or_default();
        if declared.starts_with("payorder_") {
            assert!(
                documented.iter().any(|word| word == declared),
                "{declared} is not in docs/abi.md"
            );
        }
    }
}
