//! Runs each snippet of the README and of docs/get.md against the sandbox, and checks that each documented key exists.
//! pages.rs runs those of the other pages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, Options, SECRET_KEY, Sandbox};
use support::built;

fn document(name: &str) -> String {
    fs::read_to_string(built::project().join(name)).expect(name)
}

/// The fenced blocks of the README and of docs/get.md: language and text.
fn blocks() -> Vec<(String, String)> {
    let texts = [document("README.md"), document("docs/get.md")];
    let blocks = texts
        .iter()
        .flat_map(|text| text.split("\n```").skip(1).step_by(2));
    let parted = blocks.map(|block| block.split_once('\n').expect("a block has lines"));
    parted
        .map(|(language, text)| (language.to_owned(), text.to_owned()))
        .collect()
}

/// The blocks of a language.
fn snippets(language: &str) -> Vec<String> {
    let blocks = blocks().into_iter();
    let found: Vec<String> = blocks
        .filter_map(|(of, text)| (of == language).then_some(text))
        .collect();
    assert!(!found.is_empty(), "there is no snippet in {language}");
    found
}

/// A folder for this test.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder for the snippet");
    folder
}

/// Runs a program with the sandbox's settings, and returns what it printed.
pub fn run(mut program: Command, sandbox: &Sandbox) -> String {
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

/// Writes a snippet to this file, builds it with warnings as errors, and returns a command that
/// runs it.
pub fn build(compiler: &str, options: &[&str], source: &Path, text: &str) -> Command {
    let program = source.with_extension("program");
    fs::write(source, text).expect("the snippet's file");
    let library = built::library();
    let output = Command::new(compiler)
        .args(options)
        .args(["-Wall", "-Wextra", "-Wpedantic", "-Werror"])
        .args(["-pthread", "-I"])
        .arg(built::project().join("include"))
        .args([source, &library])
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
    let Some(compiler) = built::c_compiler("the documents' snippets in C") else {
        return;
    };
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    for text in snippets("c") {
        let shown = run(
            build(
                &compiler,
                &["-std=c99"],
                &folder("readme").join("readme.c"),
                &text,
            ),
            &sandbox,
        );
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

/// The code around the snippets of docs/guides/c.md: functions come before `main`, the others
/// inside it.
const AROUND_C_SNIPPETS: [&str; 3] = [
    r#"#include <payorder.h>
#include <stdio.h>
"#,
    r#"
int main(void)
{
    const char *order_id = "O-1";
    const char *json = "{\"error\":{\"previous\":{\"state\":\"created\"},"
                       "\"violations\":[{\"message\":\"one\"},{\"message\":\"two\"}]}}";
"#,
    r#"
    printf("%d %s\n%s\n%s\n", result, query, more, config);
    payorder_string_free(query);
    payorder_string_free(more);
    payorder_string_free(config);
    printf("%d\n", (int)payorder_live_strings());
    return 0;
}
"#,
];

#[test]
fn the_snippets_of_the_c_page_do_what_their_comments_say() {
    let Some(compiler) = built::c_compiler("the snippets of docs/guides/c.md") else {
        return;
    };
    let page = document("docs/guides/c.md");
    let blocks = page.split("\n```").skip(1).step_by(2);
    let (functions, statements): (Vec<&str>, Vec<&str>) = blocks
        .filter_map(|block| block.strip_prefix("c\n"))
        .filter(|text| !text.contains("int main(")) // pages.rs runs whole programs
        .partition(|text| text.starts_with("static "));
    let [before, main, end] = AROUND_C_SNIPPETS;
    let program = [
        before,
        &functions.join("\n"),
        main,
        &statements.join("\n"),
        end,
    ]
    .concat();
    let output = build(
        &compiler,
        &["-std=c99"],
        &folder("c-page").join("page.c"),
        &program,
    )
    .output()
    .expect("the program runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        r#"the journal has it as created
one
two
0 {"orderId":"O-1","searchType":"1"}
{"timeoutMs":5000,"resend":true}
{"tls":{"roots":"system"},"checkoutHosts":["pay.example.com"]}
0
"#
    );
}

#[test]
fn the_snippet_in_python_runs_to_its_end() {
    let Some(python) = built::python("the README's snippet in Python") else {
        return;
    };
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let [text] = snippets("python").try_into().expect("one snippet");
    let mut program = Command::new(&python);
    program
        .arg("-c")
        .arg(text)
        .env("PAYORDER_LIBRARY", built::library())
        .env("PYTHONPATH", built::python_path());
    let shown = run(program, &sandbox);
    assert!(
        shown.starts_with("send the customer to http://127.0.0.1:")
            && shown.ends_with("\nnot paid as expected\n"),
        "{shown}"
    );
}

#[test]
fn every_snippet_is_run_by_a_test() {
    for (language, text) in blocks() {
        // C and Python are run above, `cmake` by tests/packaging/readme.sh.
        if ["c", "python", "cmake"].contains(&language.as_str()) {
            continue;
        }
        assert_eq!(language, "sh", "a snippet that no test runs: {text}");
        for line in text.replace("\\\n", "").lines() {
            let run_elsewhere = [
                // tests/quickstart.rs, tests/sandbox
                "cargo run --example quickstart",
                "cargo run --example sandbox ",
                // .ci/run
                "cargo test",
                // tests/packaging/python.sh
                "python3 -m venv ~/pay-venv && ~/pay-venv/bin/pip install ./bindings/python",
                // tests/packaging/readme.sh
                "cmake ",
                "export CMAKE_PREFIX_PATH=",
                "export PKG_CONFIG_PATH=",
                "cc ",
                "./till",
            ];
            if let Some(settings) = line.strip_prefix("export PAYORDER_") {
                check_settings(settings);
            } else {
                assert!(
                    run_elsewhere.iter().any(|start| line.starts_with(start)),
                    "a line that no test runs: {line}"
                );
            }
        }
    }
}

/// The settings of the documents are those of the sandbox.
fn check_settings(line: &str) {
    for setting in line.split(" PAYORDER_") {
        let (name, value) = setting.split_once('=').expect("a setting has a value");
        let expected = match name {
            "BASE_URL" => "http://127.0.0.1:8080",
            "ACCESS_TOKEN" => ACCESS_TOKEN,
            "CLIENT_KEY" => CLIENT_KEY,
            "CLIENT_ID" => CLIENT_ID,
            "SECRET_KEY" => SECRET_KEY,
            _ => panic!("an unknown setting: {name}"),
        };
        assert_eq!(value, expected, "{name}");
    }
}

#[test]
fn every_documented_key_is_known_and_accepts_its_default() {
    let description = include_str!("../../include/payorder-abi.json");
    let description: serde_json::Value = serde_json::from_str(description).expect("JSON");
    let mut config = serde_json::Map::new();
    for key in description["config"].as_array().expect("a list") {
        let name = key["key"].as_str().expect("a name");
        // Keys without a default get a valid value.
        let value = match (name, key.get("default")) {
            (_, Some(default)) => default.clone(),
            ("baseUrl", _) => "http://127.0.0.1:1".into(),
            ("tls", _) => serde_json::json!({"roots": "bundled"}),
            ("checkoutHosts", _) => serde_json::json!(["pay.example.com"]),
            ("proxy", _) => "none".into(),
            ("journal", _) => std::env::temp_dir()
                .join("orders.db")
                .to_string_lossy()
                .into(),
            _ => "x".into(),
        };
        config.insert(name.to_owned(), value);
    }
    assert!(config.len() > 10, "{config:?}");
    let config = serde_json::Value::Object(config).to_string();
    let client = payorder_core::Client::from_json(&config);
    assert!(client.is_ok(), "{client:?}");
}

#[test]
fn the_documents_name_every_result_and_every_function() {
    let abi = document("docs/abi.md");
    let header = document("include/payorder.h");
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

#[test]
fn the_documents_name_no_function_that_does_not_exist() {
    let header = document("include/payorder.h");
    let mut pages: Vec<PathBuf> = vec![built::project().join("README.md")];
    for folder in ["docs", "docs/guides"] {
        for entry in fs::read_dir(built::project().join(folder)).expect("docs") {
            pages.push(entry.expect("docs").path());
        }
    }
    let mut wrong = Vec::new();
    for path in pages
        .iter()
        .filter(|path| path.extension() == Some("md".as_ref()))
    {
        let text = fs::read_to_string(path).expect("a document");
        for rest in text.split("`payorder_").skip(1) {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let name = format!("payorder_{}", &rest[..end.unwrap_or(rest.len())]);
            // The fixtures for pytest.
            let fixture = name.starts_with("payorder_sandbox");
            if !header.contains(&name) && !fixture {
                wrong.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
}
