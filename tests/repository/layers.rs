//! The folders of `core/src` are layers, and no layer imports from one above it. The C library in
//! `src` is above them. Code that depends on the operating system stays in its folder. The compiler
//! keeps unsafe code in `platform`: see `core/src/lib.rs`.

use std::path::{Path, PathBuf};

use support::built;

use crate::{read, rust_files};

/// The layers, lowest first. A layer may import from those before it and from itself.
const LAYERS: [&str; 10] = [
    "actions causes code credentials entry error limits lock operation query random results",
    "text",
    "platform",
    "connection",
    "payment",
    "gateway",
    "journal",
    "settings",
    "client",
    "second_service",
];

#[test]
fn no_layer_imports_from_one_above_it() {
    let source = core();
    let mut wrong = Vec::new();
    let mut imports = 0;
    for file in rust_files(&source) {
        let inside = file.strip_prefix(&source).expect("the file is in src");
        // The crate's root puts everything together.
        if inside == Path::new("lib.rs") {
            continue;
        }
        let own = layer_of(&first_part(inside))
            .unwrap_or_else(|| panic!("{} is in no layer: add it to LAYERS", inside.display()));
        let text = read(&file);
        for imported in imported_modules(&text) {
            imports += 1;
            // A type's name: `crate::Error` is exported by the root.
            let Some(layer) = layer_of(&imported) else {
                assert!(
                    imported.starts_with(char::is_uppercase) || imported.starts_with('{'),
                    "{}: crate::{imported} is in no layer",
                    inside.display()
                );
                continue;
            };
            if layer > own {
                wrong.push(format!("{} imports crate::{imported}", inside.display()));
            }
        }
    }
    assert!(imports > 100, "only {imports} imports found");
    assert_eq!(wrong, Vec::<String>::new());
}

/// If a file uses another one, that one does not use it in turn, so that there is an order in which
/// they can be read. A folder's `mod.rs` may use and be used by the files in it.
#[test]
fn no_files_use_each_other_in_a_circle() {
    for source in [core(), built::project().join("src")] {
        let texts: Vec<(String, String)> = rust_files(&source)
            .into_iter()
            .map(|file| {
                let inside = file.strip_prefix(&source).expect("the file is in src");
                let name = inside.with_extension("");
                let name = name.to_string_lossy().replace('/', "::");
                let name = name.strip_suffix("::mod").unwrap_or(&name).to_owned();
                (name, read(&file))
            })
            .collect();
        let names: Vec<&str> = texts.iter().map(|(name, _)| name.as_str()).collect();
        let mut left: Vec<(&str, Vec<String>)> = texts
            .iter()
            .map(|(name, text)| (name.as_str(), used_files(name, text, &names)))
            .collect();
        assert!(left.iter().any(|(_, used)| used.len() > 1), "no uses found");
        // A file that uses or is used by no other one that is left is in no circle.
        loop {
            let before = left.clone();
            let is_left = |used: &String| before.iter().any(|(name, _)| name == used);
            let is_used = |name: &&str| {
                before
                    .iter()
                    .any(|(_, used)| used.iter().any(|one| one == name))
            };
            left.retain(|(name, used)| is_used(name) && used.iter().any(is_left));
            if left.len() == before.len() {
                break;
            }
        }
        let circle: Vec<&str> = left.iter().map(|(name, _)| *name).collect();
        assert!(circle.is_empty(), "they use each other: {circle:?}");
    }
}

/// The files that a file uses, except those in its own folder of the same name.
fn used_files(name: &str, text: &str, names: &[&str]) -> Vec<String> {
    let own = format!("{name}::");
    let parent = name.rsplit_once("::").map_or("", |(parent, _)| parent);
    let folder = match parent {
        "" => String::new(),
        _ => format!("{parent}::"),
    };
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let code: Vec<&str> = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect();
    let code = code.join(" ");
    let begun_with = |start: &str, folder: &str| -> Vec<String> {
        let rests = code.split(start).skip(1);
        let paths = rests.flat_map(|rest| {
            let path = rest.split([';', '}']).next().unwrap_or_default();
            let (path, names) = path.split_once('{').unwrap_or((path, ""));
            names
                .split(',')
                .map(move |name| format!("{path}{}", name.trim()))
        });
        paths.map(|path| format!("{folder}{path}")).collect()
    };
    let paths = [begun_with("crate::", ""), begun_with("super::", &folder)].concat();
    let longest = |path: String| {
        let known = names.iter().filter(|known| path.starts_with(**known));
        Some((*known.max_by_key(|known| known.len())?).to_owned())
    };
    let used = paths.into_iter().filter_map(longest);
    used.filter(|used| used != name && !used.starts_with(&own))
        .collect()
}

fn core() -> PathBuf {
    built::project().join("core/src")
}

fn both_crates() -> Vec<PathBuf> {
    let mut files = rust_files(&built::project().join("src"));
    files.extend(rust_files(&core()));
    files
}

fn layer_of(module: &str) -> Option<usize> {
    let holds = |layer: &&str| layer.split(' ').any(|one| one == module);
    LAYERS.iter().position(holds)
}

fn first_part(path: &Path) -> String {
    let first = path.iter().next().expect("a path has a first part");
    let first = first.to_str().expect("file names are UTF-8");
    first.trim_end_matches(".rs").to_owned()
}

/// What follows each `crate::` outside comments.
fn imported_modules(text: &str) -> Vec<String> {
    let code = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    code.flat_map(|line| line.split("crate::").skip(1).map(str::to_owned))
        .map(|rest| {
            let name = |c: char| c.is_alphanumeric() || c == '_' || c == '{';
            rest.chars().take_while(|c| name(*c)).collect()
        })
        .collect()
}

/// What shows in code that it depends on the operating system.
const MARKS: &str = "cfg(unix cfg(windows (unix, (windows, target_os libc:: windows_sys std::os::";

#[test]
fn only_one_folder_depends_on_the_operating_system() {
    let system = core().join("platform");
    let mut found_there = 0;
    for file in both_crates() {
        let text = read(&file);
        for (line, code) in text.lines().enumerate() {
            let depends = MARKS.split(' ').any(|mark| code.contains(mark));
            if file.starts_with(&system) {
                found_there += usize::from(depends);
            } else {
                assert!(!depends, "{}:{}: {code}", file.display(), line + 1);
            }
        }
    }
    assert!(found_there > 20, "the markers do not occur in the code");
}
