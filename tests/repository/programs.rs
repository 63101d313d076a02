//! Each program in a document is run by a test. Where this fails, a new document or a new language
//! has no such test yet.

use std::fs;
use std::path::PathBuf;

use support::built;

/// The documents with programs, the languages, and the tests that run them. pages.rs runs those of
/// the guides.
const RUN_BY: [(&str, &str, &str); 19] = [
    ("README.md", "c", "tests/repository/documents.rs"),
    ("README.md", "python", "tests/repository/documents.rs"),
    ("docs/get.md", "cmake", "tests/packaging/readme.sh"),
    ("bindings/bridge", "sh lines", "bindings/bridge/test"),
    ("bindings/bridge", "sh folder", "bindings/bridge/test"),
    ("bindings/cobol", "cobol", "bindings/cobol/test"),
    ("bindings/csharp", "csharp", "bindings/csharp/test"),
    ("bindings/csharp", "csharp streams", "bindings/csharp/test"),
    ("bindings/csharp", "xml", "bindings/csharp/package.sh"),
    ("bindings/go", "go", "bindings/go/readme_test.go"),
    ("bindings/java", "java", "bindings/java/test"),
    ("bindings/java", "xml", "bindings/java/package.sh"),
    ("bindings/lua", "lua", "bindings/lua/test"),
    ("bindings/node", "ts", "bindings/node/test"),
    ("bindings/pascal", "pascal", "bindings/pascal/test"),
    ("bindings/perl", "perl", "bindings/perl/test"),
    ("bindings/php", "php", "bindings/php/test"),
    (
        "bindings/python",
        "python",
        "bindings/python/tests/test_readme.py",
    ),
    ("bindings/ruby", "ruby", "bindings/ruby/test"),
];

/// Programs for which there is no interpreter here, and parts of programs.
const NOT_RUN: [(&str, &str); 5] = [
    ("bindings/vb", "vb"),
    ("bindings/bridge", "foxpro"),
    ("bindings/bridge", "powershell"),
    ("bindings/node", "javascript"),
    ("docs/windows.md", "cmake"),
];

/// Not programs: commands that install something, and data.
const OTHERS: [&str; 5] = ["", "sh", "json", "text", "ini"];

/// The documents outside the guides. A README in a folder has the folder's name.
fn documents() -> Vec<(String, PathBuf)> {
    let project = built::project();
    let mut found = Vec::new();
    for folder in ["", "docs"] {
        for entry in fs::read_dir(project.join(folder)).expect("a folder") {
            let path = entry.expect("a file").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                found.push(path);
            }
        }
    }
    for folder in ["bindings", "examples"] {
        for entry in fs::read_dir(project.join(folder)).expect("a folder") {
            found.push(entry.expect("a folder").path().join("README.md"));
        }
    }
    let pages = crate::pages::pages();
    let named = found.into_iter().filter(|path| path.is_file()).map(|path| {
        let name = path.strip_prefix(project).expect("in the project");
        let name = name.to_string_lossy().replace('\\', "/");
        (name, path)
    });
    named.filter(|(name, _)| !pages.contains(name)).collect()
}

#[test]
fn every_program_in_a_document_is_run_by_a_test() {
    let mut found = Vec::new();
    for (name, path) in documents() {
        let text = fs::read_to_string(&path).expect("a document");
        let folder = name.strip_suffix("/README.md").unwrap_or(&name).to_owned();
        let fences = text
            .lines()
            .filter_map(|line| line.trim_start().strip_prefix("```"));
        for language in fences.step_by(2) {
            if !OTHERS.contains(&language) {
                found.push((folder.clone(), language.to_owned()));
            }
        }
    }
    found.sort();
    found.dedup();
    let run = RUN_BY
        .iter()
        .map(|(document, language, _)| (*document, *language));
    let mut listed: Vec<(String, String)> = run
        .chain(NOT_RUN)
        .map(|(document, language)| (document.to_owned(), language.to_owned()))
        .collect();
    listed.sort();
    assert_eq!(found, listed, "a program (left) without a test (right)");
    for (_, _, test) in RUN_BY {
        let text = fs::read_to_string(built::project().join(test)).expect(test);
        // `snippets` is a function of bindings/sandbox.sh.
        let reads = ["README.md", "snippets "]
            .iter()
            .any(|one| text.contains(one));
        assert!(reads, "{test} reads no README");
    }
}

/// Money that was given back may show in `refundType` alone.
#[test]
fn what_looks_at_the_refund_status_looks_at_the_refund_type_too() {
    let project = built::project();
    let mut folders = vec![project.join("examples"), project.join("docs")];
    for entry in fs::read_dir(project.join("bindings")).expect("a folder") {
        folders.push(entry.expect("a folder").path().join("samples"));
    }
    let mut files = vec![project.join("README.md")];
    files.extend(documents().into_iter().map(|(_, path)| path));
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten() {
            let path = entry.expect("a file").path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path),
            }
        }
    }
    let one_alone = files.iter().filter(|path| {
        let text = fs::read_to_string(path).unwrap_or_default().to_lowercase();
        let words = text.replace(['_', '-'], "");
        words.contains("refundstatus") && !words.contains("refundtype")
    });
    assert_eq!(one_alone.collect::<Vec<_>>(), Vec::<&PathBuf>::new());
}
