//! Parses the declarations of `src`: names, types, and the parts of the comments.

use serde_json::{Value, json};
use std::path::Path;

/// The groups of the header and the files that they come from, in the header's order.
const GROUPS: [(&str, &str); 12] = [
    ("About the library", "src/about.rs"),
    ("Cancelling single calls", "src/cancellation.rs"),
    ("While a call waits", "src/idle.rs"),
    ("A client", "src/client.rs"),
    ("The two calls", "src/calls.rs"),
    ("A call that does not block", "src/start.rs"),
    ("A payment's life", "src/payments.rs"),
    ("The journal", "src/journal.rs"),
    ("After a start", "src/recover.rs"),
    ("Does everything work?", "src/check.rs"),
    ("The same work without the network", "src/offline.rs"),
    ("For callers without a JSON library", "src/json.rs"),
];

/// The words that start the sections of a function's comment, in order.
pub const SECTIONS: [&str; 3] = ["Ownership:", "Threads:", "Failures:"];

/// What holds for a function whose comment does not say it; the manual says the first two.
pub const BY_DEFAULT: [(&str, &str); 4] = [
    ("Ownership:", "free *out_json with payorder_string_free."),
    ("Ownership:", "you free nothing."),
    ("Threads:", "from any thread, also from a callback."),
    ("@since", "0.1.0"),
];

/// The failures of every function with a client, and of every function with a result.
const ALWAYS: [(&str, &str); 2] = [
    ("PAYORDER_INVALID_HANDLE", "not a live client."),
    ("PAYORDER_INTERNAL", "a bug in the library."),
];

/// What comes after the sections. Only the reference pages have it, so that the header stays short.
pub const REFERENCES: [&str; 1] = ["@since"];

/// The folder with the examples. A function's example is the file with the longest name that its
/// name begins with: functions that are used together share one.
pub const EXAMPLES: &str = "examples/c/functions";

/// The names of the examples.
pub fn examples() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(EXAMPLES);
    let files = std::fs::read_dir(folder).expect("the folder of examples");
    let paths = files.map(|file| file.expect("a file").path());
    let names = paths.map(|path| {
        path.file_stem()
            .expect("a name")
            .to_string_lossy()
            .into_owned()
    });
    names.collect()
}

/// A declaration with its comment.
pub struct Declaration {
    pub group: &'static str,
    /// The comment's paragraphs and items, without line breaks. An empty item is a blank line.
    pub comment: Vec<String>,
    /// The text in the header.
    pub text: String,
}

impl Declaration {
    /// The declaration in one line.
    pub fn line(&self) -> String {
        let words: Vec<&str> = self.text.split_whitespace().collect();
        words.join(" ").replace("( ", "(").replace(" )", ")")
    }

    /// The type of a pointer to the function.
    pub fn pointer_type(&self) -> String {
        let (line, name) = (self.line(), self.name());
        line.replacen(&name, &format!("(*{name}_fn)"), 1)
    }

    pub fn is_callback(&self) -> bool {
        self.text.starts_with("typedef") && self.text.contains("(*")
    }

    pub fn is_function(&self) -> bool {
        !self.text.starts_with("typedef") && self.text.contains('(')
    }

    /// What comes before the parameters.
    fn head(&self) -> String {
        let line = self.line();
        let line = line.trim_start_matches("typedef ").trim_end_matches(';');
        let head = line.rsplit_once('(').map_or(line, |(head, _)| head);
        head.trim_end_matches(')').to_owned()
    }

    /// The name of a function, a callback or a type.
    pub fn name(&self) -> String {
        last_word(&self.head()).to_owned()
    }

    /// The return type.
    pub fn returns(&self) -> String {
        let head = self.head();
        let kind = head.trim_end_matches(&self.name());
        kind.trim_end_matches("(*").trim().to_owned()
    }

    /// The parameters of a function or a callback, as the description has them.
    pub fn parameters(&self) -> Vec<Value> {
        let line = self.line();
        let list = line.rsplit('(').next().unwrap_or_default();
        let list = list.split(')').next().unwrap_or_default();
        let parameters = list.split(", ").filter(|parameter| *parameter != "void");
        parameters
            .map(|parameter| {
                let name = last_word(parameter);
                let kind = parameter.trim_end_matches(name).trim();
                let about = self.comment.iter().find_map(|item| {
                    let (direction, rest) = item.strip_prefix("@param[")?.split_once("] ")?;
                    let (known, meaning) = rest.split_once(' ').unwrap_or((rest, ""));
                    (known == name).then_some((direction, meaning))
                });
                let (direction, meaning) = about.unwrap_or(("in", ""));
                json!({
                    "name": name,
                    "type": kind,
                    "direction": direction,
                    "ownership": ownership(kind, direction, meaning),
                    "nullable": is_pointer(kind) && meaning.contains("or NULL"),
                    "meaning": meaning,
                })
            })
            .collect()
    }

    /// The comment without what only the reference pages have.
    pub fn short_comment(&self) -> &[String] {
        let refers = |item: &String| REFERENCES.iter().any(|word| item.starts_with(word));
        let end = self.comment.iter().position(refers);
        let kept = &self.comment[..end.unwrap_or(self.comment.len())];
        let last = kept.iter().rposition(|item| !item.is_empty());
        &kept[..last.map_or(0, |last| last + 1)]
    }

    /// The first paragraphs and the items between them.
    pub fn description(&self) -> Vec<String> {
        let is_part = |item: &String| begins_item(item) && !item.starts_with('-');
        let own = self.comment.iter().take_while(|item| !is_part(item));
        own.filter(|item| !item.is_empty()).cloned().collect()
    }

    /// The results that the section on failures names.
    pub fn failures(&self) -> Vec<String> {
        let cases = self.failure_cases().into_iter();
        let mut names: Vec<String> = Vec::new();
        for name in cases.flat_map(|(results, _)| results) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The items of the section on failures: the results, and when they are returned.
    pub fn failure_cases(&self) -> Vec<(Vec<String>, String)> {
        let after = self
            .comment
            .iter()
            .skip_while(|item| !item.starts_with("Failures:"));
        let cases = after.filter_map(|item| item.strip_prefix("- ")?.split_once(": "));
        let own: Vec<_> = cases.collect();
        let is_said = |result: &str| own.iter().any(|(names, _)| names.contains(result));
        let parts = ["payorder_client *client", "payorder_result "];
        let common = ALWAYS.iter().zip(parts).filter(|((result, _), part)| {
            self.is_function() && self.text.contains(part) && !is_said(result)
        });
        own.iter()
            .chain(common.map(|(case, _)| case))
            .map(|(names, meaning)| {
                let names = names.split(", ").map(str::to_owned);
                (names.collect(), (*meaning).to_owned())
            })
            .collect()
    }

    /// The functions to read about as well: those of its group, and those whose comments name it or
    /// that its own names.
    pub fn see(&self, all: &[Declaration]) -> Vec<String> {
        let names = |one: &Declaration, other: &str| {
            let is_letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
            let comment = one.comment.join(" ");
            // Nearly every comment says how to free a string.
            let found = comment
                .split(|letter| !is_letter(letter))
                .any(|word| word == other);
            found && other != "payorder_string_free"
        };
        let own = self.name();
        let others = all.iter().filter(|one| one.is_function());
        let others = others.map(|other| (other.name(), other));
        let near = others.filter(|(name, other)| {
            let is_near = other.group == self.group || names(self, name) || names(other, &own);
            is_near && *name != own
        });
        near.map(|(name, _)| name).collect()
    }

    /// The name of the program that shows how the function is used, and its text.
    pub fn example(&self) -> (String, String) {
        let mut names = examples();
        names.retain(|name| self.name().starts_with(name));
        let name = names.into_iter().max_by_key(String::len);
        let name = name.unwrap_or_else(|| panic!("{} has no example", self.name()));
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(EXAMPLES);
        let text = std::fs::read_to_string(path.join(format!("{name}.c")));
        (name, text.expect("an example"))
    }

    /// The text after a word such as `@return` or `Threads:`, or the default.
    pub fn section(&self, word: &str) -> Option<&str> {
        let found = self.comment.iter().find_map(|item| item.strip_prefix(word));
        let mut defaults = BY_DEFAULT.iter().filter(|(known, _)| *known == word);
        if word == BY_DEFAULT[0].0 && !self.text.contains("out_json") {
            defaults.next();
        }
        let default = defaults.next().filter(|_| self.is_function());
        found.map(str::trim).or(default.map(|(_, text)| *text))
    }
}

pub fn is_pointer(kind: &str) -> bool {
    kind.ends_with('*') || kind.ends_with("_fn")
}

/// Who owns the memory of a parameter.
fn ownership(kind: &str, direction: &str, meaning: &str) -> &'static str {
    match kind {
        "char **" => "payorder_string_free",
        "payorder_client **" => "payorder_client_free",
        _ if !is_pointer(kind) => "value",
        _ if direction == "out" => "caller",
        _ if meaning.contains("is freed") => "freed",
        _ if meaning.contains("is kept") => "kept",
        _ => "borrowed",
    }
}

fn last_word(text: &str) -> &str {
    text.rsplit([' ', '*', '&']).next().unwrap_or_default()
}

/// Whether a comment line starts a new item.
pub fn begins_item(line: &str) -> bool {
    line.starts_with(['@', '-']) || SECTIONS.iter().any(|word| line.starts_with(word))
}

/// All declarations, in the header's order.
pub fn all() -> Vec<Declaration> {
    GROUPS
        .into_iter()
        .flat_map(|(group, path)| of_file(group, path))
        .collect()
}

fn of_file(group: &'static str, path: &str) -> Vec<Declaration> {
    let config = cbindgen::Config::from_file("cbindgen.toml").expect("cbindgen.toml can be read");
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(path)
        .generate()
        .expect("cbindgen reads the exports");
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = String::from_utf8(text).expect("cbindgen writes UTF-8");
    // What `usize_is_size_t` makes of an `isize`. The one that there is holds a HANDLE.
    let text = text.replace("ptrdiff_t", "intptr_t");
    let mut declarations = Vec::new();
    for part in text.replace('…', "...").split("/**").skip(1) {
        let (comment, declaration) = part.split_once("*/").expect("a comment ends");
        declarations.push(Declaration {
            group,
            comment: items(comment),
            text: declaration.trim().to_owned(),
        });
    }
    declarations
}

/// The paragraphs and items of a comment, without sections for Rust readers: the manual has the
/// same content for C.
fn items(comment: &str) -> Vec<String> {
    let mut items: Vec<String> = vec![String::new()];
    for line in comment.lines().skip(1) {
        let line = line.trim().trim_start_matches('*').trim();
        if line == "# Safety" {
            break;
        }
        let last = items.last_mut().expect("there is a last item");
        if line.is_empty() {
            items.extend([String::new(), String::new()]);
        } else if begins_item(line) && !last.is_empty() {
            items.push(line.to_owned());
        } else {
            if !last.is_empty() {
                last.push(' ');
            }
            last.push_str(line);
        }
    }
    while items.last().is_some_and(String::is_empty) {
        items.pop();
    }
    items
}
