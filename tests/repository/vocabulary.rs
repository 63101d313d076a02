//! Texts that people read use plain words: none of those that have a plainer form.

use std::path::Path;

use support::built;

use crate::{files_in, read};

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
const AVOIDED: [(&str, &str); 40] = [
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
    ("and the like", "name them, or say: and similar ones"),
    ("read alike", "read the same way"),
    ("on the way of", "in"),
    ("era", "client state, process state"),
    ("who wants", "if you need"),
    ("there is told", "the result says"),
    ("the wrong word", "the wrong outcome"),
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

/// The words before which "is not" or "is not a" is plainer than "is no".
const NOT: &str =
    "answer clean fault file json key listed live option port success text url usable";

/// Whether the list of places has a file.
fn is_searched(path: &Path) -> bool {
    let inside = path
        .strip_prefix(built::project())
        .expect("a file of the project");
    let ending = path.extension().unwrap_or_default();
    // The list itself.
    inside != Path::new("tests/repository/vocabulary.rs")
        && PLACES.iter().any(|(folder, endings)| {
            let is_there = match *folder {
                "" => inside.parent() == Some(Path::new("")),
                _ => inside.starts_with(folder),
            };
            is_there && endings.iter().any(|known| ending == *known)
        })
}

#[test]
fn texts_use_the_plainer_word() {
    let mut files = files_in(built::project());
    files.retain(|path| is_searched(path));
    assert!(files.len() > 100, "only {} files found", files.len());
    let not = NOT
        .split(' ')
        .map(|word| (format!("is no {word}"), "is not"));
    let avoided = AVOIDED.map(|(word, plainer)| (word.to_owned(), plainer));
    let avoided: Vec<(String, &str)> = avoided.into_iter().chain(not).collect();
    let mut found = Vec::new();
    for path in files {
        // A phrase may begin on one line and end on the next.
        let lines: Vec<String> = read(&path).lines().map(plain).collect();
        let text = lines.join(" ");
        for (word, plainer) in &avoided {
            for at in places(&text, word) {
                let mut ends = lines.iter().scan(0, |end, line| {
                    *end += line.len() + 1;
                    Some(*end)
                });
                let line = ends.position(|end| at < end).expect("a line") + 1;
                let place = format!("{}:{line}", path.display());
                found.push(format!("{place}: {word:?}; plainer: {plainer}"));
            }
        }
    }
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

/// Lower case, without the marks of comments.
fn plain(line: &str) -> String {
    let line = line.trim().trim_start_matches(['/', '*', '#', '!', '>']);
    line.trim().to_lowercase()
}

/// Where a text has the phrase, as whole words.
fn places(text: &str, phrase: &str) -> Vec<usize> {
    let is_letter = |c: char| c.is_alphanumeric() || c == '_';
    let is_whole = |at: &usize| {
        let before = text[..*at].chars().next_back();
        let after = text[at + phrase.len()..].chars().next();
        !before.is_some_and(is_letter) && !after.is_some_and(is_letter)
    };
    let found = text.match_indices(phrase).map(|(at, _)| at);
    found.filter(is_whole).collect()
}
