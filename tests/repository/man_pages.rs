//! Man programs show the man pages without a warning.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use support::built;

use crate::{python_program, succeeds};

/// The pages, made for this reader, with their sections as endings.
///
/// They are also made where no library for this machine exists.
fn pages(reader: &str) -> Option<Vec<PathBuf>> {
    let mut generator = python_program("docs/generate")?;
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("man-{reader}"));
    generator.env("PAYORDER_LIBRARY", "/no/such/library");
    succeeds(generator.arg("--man").arg(&folder));
    let folder = fs::read_dir(folder).expect("the man pages");
    let pages: Vec<PathBuf> = folder.map(|page| page.expect("a page").path()).collect();
    assert!(pages.len() > 30, "only {} pages", pages.len());
    Some(pages)
}

/// Shows all pages, and expects that nothing is printed.
fn check(reader: &str, options: &[&str], pages: &[PathBuf]) {
    let output = succeeds(Command::new(reader).args(options).args(pages));
    let silent = output.stdout.is_empty() && output.stderr.is_empty();
    assert!(silent, "{}", built::transcript(&output));
}

#[test]
fn mandoc_shows_every_man_page_without_a_warning() {
    let Some(pages) = pages("mandoc") else {
        return;
    };
    // mandoc has no option for its version.
    let probe = ["-Tascii", pages[0].to_str().expect("a path")];
    let left_out = "a check of the man pages";
    if let Some(mandoc) = built::tool_by("MANDOC", &["mandoc"], &probe, left_out) {
        check(&mandoc, &["-Tlint"], &pages);
    }
}

#[test]
fn groff_shows_every_man_page_without_a_warning() {
    let groff = built::tool("GROFF", &["groff"], "a check of the man pages");
    if let (Some(groff), Some(pages)) = (groff, pages("groff")) {
        check(&groff, &["-ww", "-man", "-Tutf8", "-z"], &pages);
    }
}
