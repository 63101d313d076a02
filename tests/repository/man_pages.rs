//! The lists of causes and keys say what the source says, and man programs show the man pages
//! without a warning.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::built;

/// The pages, made for this reader, with their sections as endings.
///
/// They are also made where no library for this machine exists.
fn pages(reader: &str) -> Option<Vec<PathBuf>> {
    let python = built::python("the man pages")?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("man-{reader}"));
    let output = Command::new(python)
        .arg(built::project().join("docs/generate"))
        .arg("--man")
        .arg(&folder)
        .env("PAYORDER_LIBRARY", "/no/such/library")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("the generator runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
    let folder = fs::read_dir(folder).expect("the man pages");
    let pages: Vec<PathBuf> = folder.map(|page| page.expect("a page").path()).collect();
    assert!(pages.len() > 30, "only {} pages", pages.len());
    Some(pages)
}

#[test]
fn the_lists_are_what_the_source_says() {
    let Some(python) = built::python("the lists of causes and keys") else {
        return;
    };
    let output = Command::new(python)
        .arg(built::project().join("docs/generate"))
        .arg("--check")
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("the generator runs");
    assert!(output.status.success(), "{}", built::transcript(&output));
}

#[test]
fn mandoc_shows_every_man_page_without_a_warning() {
    let Some(pages) = pages("mandoc") else {
        return;
    };
    // mandoc has no option for its version.
    let page = &pages[0];
    let probe = ["-Tascii", page.to_str().expect("a path")];
    let left_out = "a check of the man pages";
    let Some(mandoc) = built::tool_by("MANDOC", &["mandoc"], &probe, left_out) else {
        return;
    };
    let output = Command::new(mandoc)
        .arg("-Tlint")
        .args(&pages)
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
    let Some(pages) = pages("groff") else {
        return;
    };
    for page in pages {
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
