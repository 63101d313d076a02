//! The numbers and words of the lists (limits, settings, results, causes, actions, operations) are
//! written once in the source: everything else uses the list's constant.

use std::path::Path;

use payorder_core::{DefaultValue, SETTINGS, Setting, limits};
use support::built;

use crate::{description, read, rust_files};

/// Where the words and numbers of each kind may be: files or folders.
const OWNERS: [(&str, &[&str]); 4] = [
    (
        "setting",
        &[
            "core/src/settings/list.rs",
            "core/src/gateway/credentials.rs",
        ],
    ),
    ("name", &["core/src/error.rs"]),
    ("status", &["core/src/gateway", "core/src/second_service"]),
    (
        "number",
        &[
            "core/src/limits.rs",
            "core/src/settings/list.rs",
            // Stacks, a buffer and a day have the same numbers by chance.
            "core/src/client/started.rs",
            "core/src/connection/buffer.rs",
            "core/src/connection/trust.rs",
        ],
    ),
];

/// Smaller numbers occur for many reasons.
const SMALLEST: u64 = 10_001;

#[test]
fn words_and_numbers_of_the_lists_are_written_once() {
    let (words, numbers) = (words(), numbers());
    assert!(words.len() > 100 && numbers.len() > 8, "{numbers:?}");
    let (mut seen, mut wrong) = (0, Vec::new());
    for folder in ["core/src", "src"] {
        for path in rust_files(&built::project().join(folder)) {
            let inside = path.strip_prefix(built::project()).expect("in the project");
            let text = read(&path);
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            for (place, line) in code.lines().enumerate() {
                if line.trim_start().starts_with("//") {
                    continue;
                }
                let strings = line.split(['"', '\'']).skip(1).step_by(2);
                let of_words = strings.filter_map(|text| words.iter().find(|one| one.1 == text));
                let of_numbers = numbers_in(line).into_iter();
                let of_numbers = of_numbers.filter(|number| numbers.contains(number));
                let found = of_words
                    .cloned()
                    .chain(of_numbers.map(|n| ("number", n.to_string())));
                for (kind, found) in found {
                    seen += 1;
                    if !may_have(inside, kind) {
                        wrong.push(format!("{}:{}: {found}", inside.display(), place + 1));
                    }
                }
            }
        }
    }
    assert!(seen > 30, "only {seen} words and numbers found");
    assert_eq!(wrong, Vec::<String>::new());
}

fn may_have(path: &Path, kind: &str) -> bool {
    let (_, owners) = OWNERS.iter().find(|one| one.0 == kind).expect("a kind");
    owners.iter().any(|owner| path.starts_with(owner))
}

/// The words of the lists. Single small words have other meanings too.
fn words() -> Vec<(&'static str, String)> {
    let description = description();
    let named = |list: &str| -> Vec<String> {
        let entries = description[list].as_array().expect("a list");
        let names = entries.iter().filter_map(|entry| entry["name"].as_str());
        names.map(str::to_owned).collect()
    };
    let names = ["results", "causes", "actions"].into_iter().flat_map(named);
    let source = read(&built::project().join("core/src/operation.rs"));
    let operations = source.lines().filter_map(|line| {
        let kind = |end: &&str| matches!(*end, "Order," | "Question," | "Journal,");
        let words: Vec<&str> = line.split_whitespace().collect();
        words
            .last()
            .filter(|last| kind(last))
            .and(words.first())
            .map(|name| name.to_string())
    });
    let names = names.chain(operations).filter(|name| name.contains('_'));
    let key = |setting: &Setting| setting.key.rsplit('.').next().map(str::to_owned);
    // The order's identifier is also a field.
    let is_own = |key: &String| key.contains(char::is_uppercase) && key != "orderId";
    let keys = settings().filter_map(key).filter(is_own);
    let status = [("status", "Completed".to_owned())];
    let words = names.map(|name| ("name", name));
    words
        .chain(keys.map(|key| ("setting", key)))
        .chain(status)
        .collect()
}

fn settings() -> impl Iterator<Item = &'static Setting> {
    SETTINGS
        .iter()
        .flat_map(|(_, set)| set.iter().map(|(setting, _)| setting))
}

/// The limits and defaults. Durations are in milliseconds.
fn numbers() -> Vec<u64> {
    let mut numbers: Vec<u64> = settings()
        .flat_map(|one| [one.most, default(one)])
        .collect();
    numbers.extend([
        limits::LONGEST_CALL.as_secs() * 1000,
        limits::LONGEST_REQUEST as u64,
        limits::LONGEST_ARRAY as u64,
        limits::LONGEST_OFFLINE as u64,
    ]);
    numbers.retain(|number| (SMALLEST..i64::MAX as u64).contains(number));
    numbers
}

fn default(setting: &Setting) -> u64 {
    match setting.default {
        DefaultValue::Number(number) => number,
        _ => 0,
    }
}

/// The numbers in a line of code, and what products of numbers make.
fn numbers_in(line: &str) -> Vec<u64> {
    let line = line.replace('_', "").replace(" * ", "*");
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '*';
    let parts = line.split(|c| !is_part(c));
    let products = parts.filter_map(|part| {
        part.split('*')
            .map(|one| one.parse::<u64>().ok())
            .product::<Option<u64>>()
    });
    let seconds = if line.contains("fromsecs(") { 1000 } else { 1 };
    products.map(|product| product * seconds).collect()
}

/// The comments of options in Rust name limits and defaults: `1 ms to 600 s, default 30 s`.
#[test]
fn comments_have_the_limits_and_defaults_of_the_list() {
    let mut compared = 0;
    for file in ["config", "options", "journal_options"] {
        let text = read(&built::project().join(format!("core/src/settings/{file}.rs")));
        let mut comment = String::new();
        for line in text.lines().map(str::trim) {
            if let Some(part) = line.strip_prefix("/// ") {
                comment = format!("{comment} {part}");
                continue;
            }
            let comment = std::mem::take(&mut comment);
            let field = line.strip_prefix("pub ").unwrap_or(line);
            if comment.contains(", default ") {
                let name = field.split(':').next().unwrap_or_default().replace('_', "");
                let said = amounts(&comment);
                let is_said = |one: &&Setting| {
                    let own = [one.least, one.most, default(one)];
                    said.windows(3).any(|three| three == own)
                };
                let is_named = |one: &&Setting| {
                    let key = one.key.to_lowercase();
                    key.strip_suffix("ms").unwrap_or(&key) == name
                };
                let found = settings().filter(is_named).any(|one| is_said(&one));
                assert!(found, "{file}: {name}: {said:?} in {comment:?}");
                compared += 1;
            }
        }
    }
    assert!(compared > 10, "only {compared} comments compared");
}

/// The numbers with their units, in milliseconds and bytes.
fn amounts(comment: &str) -> Vec<u64> {
    let words: Vec<&str> = comment
        .split(' ')
        .map(|word| word.trim_matches([',', '.', ':']))
        .collect();
    let amounts = words.iter().enumerate().filter_map(|(place, word)| {
        let unit = match *words.get(place + 1).unwrap_or(&"") {
            "s" => 1000,
            "min" => 60_000,
            "h" => 3_600_000,
            "KiB" => 1024,
            "MiB" => 1024 * 1024,
            _ => 1,
        };
        Some(word.parse::<u64>().ok()? * unit)
    });
    amounts.collect()
}
