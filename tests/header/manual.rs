//! The C header: the manual, the constants and the declarations.

use super::declarations::{self, Declaration, begins_item};
use super::describe;
use super::lists::{self, Setting};

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
            "@CONFIG@" => keys(&mut header, &lists::set("config")),
            "@TLS@" => keys(&mut header, &lists::set("tls")),
            "@NETWORK@" => {
                keys(&mut header, &lists::set("network"));
                keys(&mut header, &lists::set("cancelling"));
            }
            "@EVENTS@" => events(&mut header),
            "@CAUSES@" => causes(&mut header),
            "@ACTIONS@" => actions(&mut header),
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
    header.push_str("#ifdef __cplusplus\n}\n#endif\n\n#endif /* PAYORDER_H */\n");
    header
}

fn constants(header: &mut String) {
    let mut outcome = 0;
    for result in lists::results() {
        // A blank line before each range of numbers (an outcome).
        if result.number / 100 != outcome || result.number == 1 {
            header.push('\n');
            outcome = result.number / 100;
        }
        constant(header, result.name, result.number, &result.meaning);
    }
    header.push('\n');
    for (number, (name, meaning)) in (0..).zip(lists::OUTCOMES) {
        constant(header, &format!("PAYORDER_OUTCOME_{name}"), number, meaning);
    }
    header.push('\n');
}

fn constant(header: &mut String, name: &str, number: i32, meaning: &str) {
    let define = format!("#define {name:<28} {number:<3} /* ");
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
    let Some(call) = calls
        .iter()
        .find(|call| call.function == function && !call.options.is_empty())
    else {
        return text;
    };
    let shared = |set: &&str| ["network", "cancelling"].contains(set);
    let own: Vec<&str> = call
        .options
        .iter()
        .copied()
        .filter(|set| !shared(set))
        .collect();
    let others = match (call.options.contains(&"network"), own.is_empty()) {
        (true, true) => "Options: those of every network call.",
        (true, false) => "Options: those of every network call, and:",
        (false, _) => "Options:",
    };
    wrap(&mut text, " * ", " * ", others);
    for set in own {
        option_items(&mut text, &lists::set(set));
    }
    if !call.options.contains(&"network") && call.options.contains(&"cancelling") {
        option_items(&mut text, &lists::set("cancelling"));
    }
    text
}

fn option_items(text: &mut String, settings: &[Setting]) {
    for setting in settings {
        wrap(text, " * - ", " *   ", &setting_text(setting));
    }
}

fn setting_text(setting: &Setting) -> String {
    format!(
        "`{}`: {}: {}",
        setting.key,
        setting.range(),
        setting.meaning
    )
}

fn keys(header: &mut String, settings: &[Setting]) {
    for setting in settings {
        wrap(header, " *     ", " *         ", &setting_text(setting));
    }
}

fn object(header: &mut String, name: &str) {
    let objects = lists::objects();
    let object = objects
        .iter()
        .find(|object| object.name == name)
        .unwrap_or_else(|| panic!("no object is called {name}"));
    let longest = longest(object.keys.iter().map(|key| key.name));
    for key in &object.keys {
        row(header, key.name, longest, &key.meaning);
    }
}

fn events(header: &mut String) {
    for event in lists::events() {
        wrap(
            header,
            " *     ",
            " *         ",
            &format!("{}: {}", event.name, event.meaning),
        );
        let line = |keys: &[&str]| keys.join(", ");
        let always = format!("always: {}", line(&event.always));
        wrap(header, " *         ", " *             ", &always);
        let sometimes = format!("if known: {}", line(&event.sometimes));
        wrap(header, " *         ", " *             ", &sometimes);
    }
}

fn causes(header: &mut String) {
    let causes = lists::causes();
    let actions = lists::actions();
    let longest = longest(causes.iter().map(|cause| cause.name));
    for cause in &causes {
        let action = actions.iter().find(|action| action.variant == cause.action);
        let action = action.expect("a cause's action is listed").name;
        // Nobody must read only "retry" after an order that may exist.
        let action = match describe::is_about_an_order(cause) {
            true => format!("ask_status for an order, else {action}"),
            false => action.to_owned(),
        };
        let results: Vec<String> = cause.results.iter().map(i32::to_string).collect();
        let text = format!("{} ({}; {action})", cause.meaning, results.join(", "));
        row(header, cause.name, longest, &text);
    }
}

fn actions(header: &mut String) {
    let actions = lists::actions();
    let longest = longest(actions.iter().map(|action| action.name));
    for action in &actions {
        row(header, action.name, longest, &action.meaning);
    }
}

fn longest<'a>(names: impl Iterator<Item = &'a str>) -> usize {
    names.map(str::len).max().unwrap_or_default()
}

/// A name and its meaning, in two columns.
fn row(header: &mut String, name: &str, width: usize, meaning: &str) {
    let first = format!(" *     {name:<width$}  ");
    let next = format!(" *     {:<width$}  ", "");
    wrap(header, &first, &next, meaning);
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
