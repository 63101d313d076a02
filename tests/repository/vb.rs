//! The classes for VB6 and VBA use what their module has, and VB6 can read all of them.

use support::built;

use crate::{python_program, succeeds};

const MODULE: &str = "payorder.bas";
const CLASSES: [&str; 2] = ["PayorderClient.cls", "PayorderOrder.cls"];

#[test]
fn the_modules_fit_together_and_vb6_can_read_them() {
    let Some(mut constants) = python_program("bindings/generate") else {
        return;
    };
    succeeds(constants.arg("vb"));
    the_classes_call_functions_of_the_module();
    vb6_can_read_the_modules();
    no_number_becomes_a_text();
}

fn text_of(file: &str) -> String {
    let path = built::project().join("bindings/vb").join(file);
    std::fs::read_to_string(path).expect("a file of VB")
}

/// The lines, joined where ` _` continues them.
fn lines_of(file: &str) -> Vec<String> {
    let text = text_of(file).replace(" _\r\n    ", " ");
    text.split("\r\n").map(str::to_owned).collect()
}

/// The class modules use only functions and constants that the module has.
fn the_classes_call_functions_of_the_module() {
    let module = lines_of(MODULE);
    for file in CLASSES {
        let mut calls = 0;
        for line in lines_of(file).iter().filter(|line| !line.starts_with('\'')) {
            let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            for word in words.filter(|word| word.starts_with("Payorder")) {
                let start = format!("Public Function {word}(");
                let known = module.iter().any(|line| line.starts_with(&start));
                let class = CLASSES.contains(&format!("{word}.cls").as_str());
                assert!(known || class, "{file}: {word}");
                calls += u32::from(known);
            }
            for name in line.split('"').step_by(2).flat_map(|code| code.split(' ')) {
                if name.starts_with("PAYORDER_") {
                    let name = name.trim_end_matches([',', ')']);
                    let start = format!("Public Const {name} As Long");
                    assert!(module.iter().any(|line| line.starts_with(&start)), "{name}");
                }
            }
        }
        assert!(calls > 0, "{file}");
    }
}

/// VB would convert a number for a text. The module checks what a Variant has.
fn no_number_becomes_a_text() {
    for line in CLASSES.iter().flat_map(|file| lines_of(file)) {
        let line = line.to_lowercase();
        for name in ["orderid", "amount", "query", "customermobile"] {
            assert!(!line.contains(&format!(" {name} as string")), "{line}");
        }
    }
}

/// VB6 reads the file in the system's code page, and only with its own line ends. It gives names of
/// the language a meaning wherever they are.
fn vb6_can_read_the_modules() {
    for file in [MODULE].iter().chain(&CLASSES) {
        let text = text_of(file);
        assert!(text.is_ascii(), "{file}");
        let (lines, ended) = (text.matches('\n').count(), text.matches("\r\n").count());
        assert_eq!(lines, ended, "{file}");
        let constants = || text.lines().filter(|line| line.contains(" Const "));
        let different: std::collections::HashSet<_> = constants().collect();
        assert_eq!(different.len(), constants().count(), "{file}");
    }
    let words = [
        "each", "next", "type", "in", "to", "step", "loop", "end", "stop", "with", "select",
        "case", "date", "string", "get", "set", "let", "call", "new", "me", "is", "like", "mod",
        "and",
    ];
    let all = [MODULE]
        .iter()
        .chain(&CLASSES)
        .flat_map(|file| lines_of(file));
    for line in all.filter(|line| !line.starts_with('\'')) {
        let after_by = line.split("By").skip(1);
        let names = after_by.filter_map(|rest| rest.split(' ').nth(1));
        for name in names {
            assert!(!words.contains(&name.to_lowercase().as_str()), "{line}");
        }
    }
}
