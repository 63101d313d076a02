//! Texts that people read use plain words: none of those that have a plainer form.

use std::fs;
use std::path::{Path, PathBuf};

/// What to search, and which files in it, named by their endings. Scripts have none.
const PLACES: [(&str, &[&str]); 12] = [
    ("", &["md"]),
    ("docs", &["md"]),
    ("core/src", &["rs"]),
    ("src", &["rs", "in"]),
    ("include", &["h", "hpp"]),
    ("examples", &["md", "c", "cpp", "py", "rs"]),
    ("bindings", &["md", "py"]),
    ("tools", &["md", "py"]),
    ("benches", &["md", "py"]),
    ("fuzz", &["rs", "toml"]),
    ("packaging", &["md", "py"]),
    (
        "tests",
        &["rs", "py", "c", "cpp", "h", "hpp", "sh", "toml", "txt", ""],
    ),
];

/// A word or phrase, in lower case, and the plainer form.
const AVOIDED: [(&str, &str); 54] = [
    ("mend", "fix"),
    ("mends", "fixes"),
    ("anew", "again"),
    ("amid", "during"),
    ("beside the", "in addition to the"),
    ("beside it", "next to it, in addition to it"),
    ("beside them", "in addition to them"),
    ("beside these", "in addition to these"),
    ("whatever becomes of", "whatever happens to"),
    ("what became of", "what happened to, the outcome of"),
    ("what becomes of", "what happens to, the outcome of"),
    ("is no json", "is not JSON"),
    ("is no url", "is not a URL"),
    ("is no key", "is not a key"),
    ("and the like", "name them, or say: and similar ones"),
    ("read alike", "read the same way"),
    ("on the way of", "in"),
    ("era", "client state, process state"),
    ("who wants", "if you need"),
    ("there is told", "the result says"),
    ("the wrong word", "the wrong outcome"),
    ("is no file", "is not a file"),
    ("is no text", "is not text"),
    ("is no option", "is not an option"),
    ("is no fault", "is not a fault"),
    ("is no port", "is not a port"),
    ("is no live", "is not a live"),
    ("is no listed", "is not a listed"),
    ("is no answer", "is not an answer"),
    ("is no success", "is not a success"),
    ("is no usable", "is not a usable"),
    ("is no clean", "is not clean"),
    ("is no concern of", "does not concern"),
    ("or the like", "name them, or say: or similar ones"),
    ("the midst", "the middle, during"),
    ("be it a", "also a, even a"),
    ("stands there", "occurs, is"),
    ("said goodbye", "sent the end-of-data message"),
    ("by a person's decision", "because a person decided so"),
    ("gives back", "returns, frees"),
    ("for want of", "without, if there is no"),
    ("wants to", "needs to"),
    ("not one a call", "not one for each call"),
    ("whole answer", "complete response"),
    ("hands out", "returns, gives"),
    ("hand it on", "pass it on"),
    ("hand on", "pass on, distribute"),
    ("is told", "gets, is informed"),
    ("tells of", "reports"),
    ("speaks for", "decides"),
    ("as it came", "unchanged"),
    ("as they came", "unchanged"),
    ("in good order", "properly"),
    ("the way back", "the return"),
];

/// Places where an avoided word is right: the file, a part of the line, and the reason.
const ALLOWED: [(&str, &str, &str); 1] =
    [("tests/repository/vocabulary.rs", "", "the list itself")];

#[test]
fn texts_use_the_plainer_word() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for (folder, endings) in PLACES {
        find(
            &project.join(folder),
            endings,
            !folder.is_empty(),
            &mut files,
        );
    }
    assert!(files.len() > 100, "only {} files found", files.len());
    let mut found = Vec::new();
    let mut used = vec![false; ALLOWED.len()];
    for path in files {
        let name = path.strip_prefix(project).expect("a file of the project");
        let text = fs::read_to_string(&path).expect("the file is UTF-8");
        let lines: Vec<String> = text.lines().map(plain).collect();
        for (number, line) in lines.iter().enumerate() {
            // A phrase may begin on one line and end on the next.
            let next = lines.get(number + 1).map_or("", String::as_str);
            for (word, plainer) in AVOIDED {
                if !begins_in(line, next, word) {
                    continue;
                }
                let allowed = ALLOWED
                    .iter()
                    .position(|(file, part, _)| Path::new(file) == name && line.contains(part));
                match allowed.and_then(|place| used.get_mut(place)) {
                    Some(used) => *used = true,
                    None => found.push(format!(
                        "{}:{}: {word:?}; plainer: {plainer}",
                        name.display(),
                        number + 1
                    )),
                }
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
    let unused = ALLOWED.iter().zip(used).filter(|(_, used)| !used);
    let unused: Vec<_> = unused.map(|(allowed, _)| allowed).collect();
    assert!(unused.is_empty(), "no longer needed: {unused:?}");
}

/// Lower case, without the marks of comments.
fn plain(line: &str) -> String {
    let line = line.trim().trim_start_matches(['/', '*', '#', '!', '>']);
    line.trim().to_lowercase()
}

/// Whether the phrase begins in this line, as whole words.
fn begins_in(line: &str, next: &str, phrase: &str) -> bool {
    let both = format!("{line} {next}");
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    both.match_indices(phrase).any(|(at, _)| {
        let before = both[..at].chars().next_back();
        let after = both[at + phrase.len()..].chars().next();
        at < line.len() && !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
    })
}

/// Every file with one of these endings, below the folder if `deep`.
fn find(folder: &Path, endings: &[&str], deep: bool, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("the folder can be read").path();
        let name = path.file_name().and_then(|name| name.to_str());
        if path.is_dir() {
            if deep && !name.is_some_and(|name| name.starts_with(['.', '_']) || name == "target") {
                find(&path, endings, deep, files);
            }
        } else if endings
            .iter()
            .any(|wanted| *wanted == path.extension().unwrap_or_default())
        {
            files.push(path);
        }
    }
}
