//! The man pages and the lists of causes and keys say what the source says, and man programs show
//! the pages without a warning.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::built;

/// The pages, with their sections as endings.
fn pages() -> Vec<PathBuf> {
    let folder = fs::read_dir(built::project().join("docs/man")).expect("the man pages");
    let pages: Vec<PathBuf> = folder.map(|page| page.expect("a page").path()).collect();
    assert!(pages.len() > 30, "only {} pages", pages.len());
    pages
}

#[test]
fn the_man_pages_and_the_lists_are_what_the_source_says() {
    let Some(python) = built::python("the man pages") else {
        return;
    };
    let output = Command::new(python)
        .arg(built::project().join("docs/generate"))
        .arg("--check")
        // The page of the command line comes from the Python package, which loads the library.
        .env("PAYORDER_LIBRARY", built::library())
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("the generator runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
}

#[test]
fn mandoc_shows_every_man_page_without_a_warning() {
    // mandoc has no option for its version.
    let page = pages().swap_remove(0);
    let probe = ["-Tascii", page.to_str().expect("a path")];
    let left_out = "a check of the man pages";
    let Some(mandoc) = built::tool_by("MANDOC", &["mandoc"], &probe, left_out) else {
        return;
    };
    let output = Command::new(mandoc)
        .arg("-Tlint")
        .args(pages())
        .output()
        .expect("mandoc runs");
    assert!(
        output.status.success() && output.stdout.is_empty() && output.stderr.is_empty(),
        "{}",
        built::transcript(&output)
    );
}

#[test]
fn groff_shows_every_man_page_without_a_warning() {
    let Some(groff) = built::tool("GROFF", &["groff"], "a check of the man pages") else {
        return;
    };
    for page in pages() {
        let output = Command::new(&groff)
            .args(["-ww", "-man", "-Tutf8", "-z"])
            .arg(&page)
            .output()
            .expect("groff runs");
        assert!(
            output.status.success() && output.stderr.is_empty(),
            "{}",
            built::transcript(&output)
        );
    }
}
