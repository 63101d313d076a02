//! The C header: the manual, the constants and the declarations.

use super::declarations::{self, Declaration, begins_item};
use super::lists::{self, text};
use serde_json::Value;

/// The longest line.
pub const WIDTH: usize = 100;

/// The header's text.
pub fn make() -> String {
    let mut header = String::new();
    for line in include_str!("../../src/manual.h.in").lines() {
        match line.trim_start_matches(" *").trim() {
            "@ORDER@" => object(&mut header, "order"),
            "@STATUS@" => object(&mut header, "statusData"),
            "@ERROR@" => object(&mut header, "errorDetails"),
            "@ENTRY@" => object(&mut header, "entry"),
            "@EVENT@" => object(&mut header, "journalEvent"),
            "@CONFIG@" => keys(&mut header, "config"),
            "@TLS@" => keys(&mut header, "tls"),
            "@NETWORK@" => {
                keys(&mut header, "network");
                keys(&mut header, "cancelling");
            }
            "@EVENTS@" => events(&mut header),
            "@CAUSES@" => causes(&mut header),
            "@ACTIONS@" => meanings(&mut header, "name", &lists::actions()),
            _ => {
                let line = line.replace("@VERSION@", env!("CARGO_PKG_VERSION"));
                header.extend([line.as_str(), "\n"]);
            }
        }
    }
    header.push('\n');
    let declarations = declarations::all();
    let mut group = "";
    for declaration in &declarations {
        if declaration.group != group {
            if group.is_empty() {
                constants(&mut header);
            }
            group = declaration.group;
            let line = "-".repeat(78 - group.len());
            header += &format!("/* ---- {group} {line} */\n\n");
        }
        declare(&mut header, declaration);
    }
    header.push_str("/* Pointers to the functions, for dlsym and GetProcAddress. */\n");
    for function in declarations.iter().filter(|one| one.is_function()) {
        header.extend(["typedef ", &function.pointer_type(), "\n"]);
    }
    header.push('\n');
    header.push_str("#ifdef __cplusplus\n}\n#endif\n\n#endif /* PAYORDER_H */\n");
    header
}

fn constants(header: &mut String) {
    let mut outcome = Value::Null;
    for result in lists::results() {
        // A blank line before each outcome.
        if result["outcome"] != outcome && result["number"] != 0 {
            header.push('\n');
        }
        outcome = result["outcome"].clone();
        constant(header, "name", &result);
    }
    header.push('\n');
    for outcome in lists::outcomes() {
        constant(header, "constant", &outcome);
    }
    header.push('\n');
}

fn constant(header: &mut String, name: &str, entry: &Value) {
    let (name, meaning) = (text(entry, name), text(entry, "meaning"));
    let define = format!("#define {name:<28} {:<3} /* ", entry["number"].to_string());
    let line = format!("{define}{meaning} */");
    if line.len() <= WIDTH {
        header.extend([line.as_str(), "\n"]);
    } else {
        let indent = " ".repeat(define.len());
        wrap(header, &define, &indent, &format!("{meaning} */"));
    }
}

fn declare(header: &mut String, declaration: &Declaration) {
    header.push_str("/**\n");
    let mut blank = false;
    let mut options = options(&declaration.name());
    let comment = declaration.short_comment();
    for (index, item) in comment.iter().enumerate() {
        if item.is_empty() {
            if !blank {
                header.push_str(" *\n");
            }
            blank = true;
            // The options come between the summary and the parameters.
            let next = comment[index..].iter().find(|item| !item.is_empty());
            if next.is_some_and(|next| next.starts_with("@param")) && !options.is_empty() {
                header.push_str(&std::mem::take(&mut options));
                header.push_str(" *\n");
            }
            continue;
        }
        blank = false;
        let indent = match item.as_bytes().first() {
            Some(b'-') => " *   ",
            _ if begins_item(item) => " *     ",
            _ => " * ",
        };
        wrap(header, " * ", indent, item);
    }
    header.push_str(" */\n");
    header.push_str(&declaration.text);
    header.push_str("\n\n");
}

/// A function's options, as a part of its comment.
fn options(function: &str) -> String {
    let mut text = String::new();
    let calls = lists::calls();
    let call = calls.iter().find(|(known, ..)| *known == function);
    let Some((_, sets, _)) = call.filter(|(_, sets, _)| !sets.is_empty()) else {
        return text;
    };
    let of_network = sets.contains(&"network");
    let is_own = |set: &&str| !of_network || !["network", "cancelling"].contains(set);
    // What is only the call's own comes first.
    let mut own: Vec<&str> = sets.iter().copied().filter(is_own).collect();
    own.sort_by_key(|set| *set == "cancelling");
    let others = match (of_network, own.is_empty()) {
        (true, true) => "Options: those of every network call.",
        (true, false) => "Options: those of every network call, and:",
        (false, _) => "Options:",
    };
    wrap(&mut text, " * ", " * ", others);
    for setting in lists::options_of(&own) {
        wrap(&mut text, " * - ", " *   ", &setting_text(&setting));
    }
    text
}

fn setting_text(setting: &Value) -> String {
    let [key, range, meaning] = ["key", "range", "meaning"].map(|part| text(setting, part));
    format!("`{key}`: {range}: {meaning}")
}

fn keys(header: &mut String, set: &str) {
    for setting in lists::set(set) {
        wrap(header, " *     ", " *         ", &setting_text(&setting));
    }
}

fn object(header: &mut String, name: &str) {
    let objects = lists::objects();
    meanings(header, "key", lists::keys_of(&objects, name));
}

fn events(header: &mut String) {
    for event in lists::events() {
        let about = format!("{}: {}", text(&event, "name"), text(&event, "meaning"));
        wrap(header, " *     ", " *         ", &about);
        for (always, word) in [(true, "always"), (false, "if known")] {
            let keys = event["keys"].as_array().expect("keys").iter();
            let keys = keys.filter(|key| key["always"] == always);
            let keys: Vec<&str> = keys.map(|key| text(key, "key")).collect();
            let line = format!("{word}: {}", keys.join(", "));
            wrap(header, " *         ", " *             ", &line);
        }
    }
}

/// The names alone: docs/causes.md and the man page have what they mean.
fn causes(header: &mut String) {
    let causes = lists::causes();
    let names: Vec<&str> = causes.iter().map(|cause| text(cause, "name")).collect();
    wrap(header, " *     ", " *     ", &(names.join(", ") + "."));
}

/// What each of the entries means. `name` is the key of its name.
fn meanings(header: &mut String, name: &str, entries: &[Value]) {
    let text = |entry, key| text(entry, key).to_owned();
    let row = |entry| (text(entry, name), text(entry, "meaning"));
    rows(header, entries.iter().map(row).collect());
}

/// Names and their meanings, in two columns.
fn rows(header: &mut String, rows: Vec<(String, String)>) {
    let width = rows.iter().map(|(name, _)| name.len()).max();
    let width = width.unwrap_or_default();
    for (name, meaning) in rows {
        let first = format!(" *     {name:<width$}  ");
        let next = format!(" *     {:<width$}  ", "");
        wrap(header, &first, &next, &meaning);
    }
}

/// Wraps words at [`WIDTH`] columns. `first` and `next` are the prefixes of the lines.
fn wrap(header: &mut String, first: &str, next: &str, words: &str) {
    let mut line = first.to_owned();
    let mut is_empty = true;
    for word in words.split_whitespace() {
        if !is_empty && line.len() + 1 + word.len() > WIDTH {
            header.extend([line.trim_end(), "\n"]);
            line = next.to_owned();
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    header.extend([line.trim_end(), "\n"]);
}
