//! Makes the C header from `src/ffi` and `src/results.rs`.

use std::fmt::Write;

/// The groups of the header and the files that they come from, in the header's order.
const GROUPS: [(&str, &str); 8] = [
    ("About the library", "src/ffi/about.rs"),
    ("Cancelling single calls", "src/ffi/cancellation.rs"),
    ("A client", "src/ffi/client.rs"),
    ("The two calls", "src/ffi/calls.rs"),
    ("A payment's whole life", "src/ffi/further.rs"),
    ("The journal", "src/ffi/journal.rs"),
    ("The same work without the network", "src/ffi/offline.rs"),
    ("For callers without a JSON library", "src/ffi/access.rs"),
];

const WIDTH: usize = 110;

macro_rules! results {
    ($($(#[doc = $meaning:literal])+ $number:literal $name:ident $variant:ident,)+) => {
        const RESULTS: &[(i32, &str, &str)] = &[$(($number, stringify!($name), concat!($($meaning),+)),)+];
    };
}
include!("../../src/results.rs");

const OUTCOMES: [(&str, &str); 4] = [
    ("DONE", "the service did what was asked"),
    ("NOT_SENT", "nothing of the request left this machine"),
    ("REJECTED", "the service answered, and refused"),
    ("UNKNOWN", "the service may have acted"),
];

/// The header's text.
pub fn make() -> String {
    let mut header =
        include_str!("../../src/ffi/manual.h.in").replace("@VERSION@", env!("CARGO_PKG_VERSION"));
    for (title, path) in GROUPS {
        section(&mut header, title);
        if path.ends_with("about.rs") {
            constants(&mut header);
        }
        header.push_str(declarations(path).trim());
        header.push_str("\n\n");
    }
    header.push_str("#ifdef __cplusplus\n}\n#endif\n\n#endif /* PAYORDER_H */\n");
    header
}

fn section(header: &mut String, title: &str) {
    let line = "-".repeat(78 - title.len());
    write!(header, "/* ---- {title} {line} */\n\n").expect("a string can be written to");
}

fn constants(header: &mut String) {
    let mut outcome = 0;
    for (number, name, meaning) in RESULTS {
        // A blank line where a range of numbers, and so an outcome, begins.
        if number / 100 != outcome || *number == 1 {
            header.push('\n');
            outcome = number / 100;
        }
        writeln!(
            header,
            "#define {name:<32} {number:<3} /* {} */",
            meaning.trim()
        )
        .expect("a string can be written to");
    }
    header.push('\n');
    for (number, (name, meaning)) in OUTCOMES.iter().enumerate() {
        writeln!(
            header,
            "#define {:<32} {number:<3} /* {meaning} */",
            format!("PAYORDER_OUTCOME_{name}")
        )
        .expect("a string can be written to");
    }
    header.push('\n');
}

fn declarations(path: &str) -> String {
    let config = cbindgen::Config::from_file("cbindgen.toml").expect("cbindgen.toml can be read");
    let bindings = cbindgen::Builder::new()
        .with_config(config)
        .with_src(path)
        .generate()
        .expect("cbindgen reads the exports");
    let mut text = Vec::new();
    bindings.write(&mut text);
    let text = String::from_utf8(text).expect("cbindgen writes UTF-8");
    tidy(&text)
}

/// Leaves out what only Rust readers want, the sections on safety, whose promises the manual
/// makes in C's words; and sets the paragraphs of comments anew, since a line of the source
/// is longer than one of the header.
fn tidy(text: &str) -> String {
    let mut header = String::new();
    let mut paragraph = String::new();
    let mut leaving_out = false;
    for line in text.replace('…', "...").lines() {
        let words = line.strip_prefix(" * ");
        let begins = words.is_none_or(|words| is_item(words) || words == "# Safety");
        if begins && !paragraph.is_empty() {
            set(&std::mem::take(&mut paragraph), &mut header);
        }
        leaving_out |= words == Some("# Safety");
        leaving_out &= line != " */";
        match words {
            _ if leaving_out => {}
            Some(words) => paragraph.extend([words, " "]),
            None => {
                // An empty line of a comment at its end belonged to what was left out.
                if line == " */" && header.ends_with(" *\n") {
                    header.truncate(header.len() - " *\n".len());
                }
                header.extend([line.trim_end(), "\n"]);
            }
        }
    }
    header
}

/// An item of a list of failures: `PAYORDER_TIMEOUT: …`.
fn is_item(words: &str) -> bool {
    words.starts_with("PAYORDER_")
        && words
            .split(' ')
            .next()
            .is_some_and(|first| first.ends_with(':'))
}

fn set(paragraph: &str, header: &mut String) {
    let mut line = String::from(" *");
    for word in paragraph.split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            header.extend([line.as_str(), "\n"]);
            line = String::from(" *");
        }
        line.extend([" ", word]);
    }
    header.extend([line.as_str(), "\n"]);
}
