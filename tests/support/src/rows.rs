//! A table of cases. All rows are checked before the test fails, so that one run shows every wrong
//! row.

use std::fmt::Debug;

use crate::abi::Reply;

#[derive(Default)]
pub struct Rows {
    checked: usize,
    wrong: Vec<String>,
}

impl Rows {
    pub fn new() -> Rows {
        Rows::default()
    }

    pub fn same<T: PartialEq + Debug>(&mut self, row: &str, got: T, expected: T) {
        let right = got == expected;
        self.that(row, right, || format!("expected {expected:?}, got {got:?}"));
    }

    pub fn that(&mut self, row: &str, right: bool, message: impl FnOnce() -> String) {
        self.checked += 1;
        if !right {
            self.wrong.push(format!("{row}: {}", message()));
        }
    }

    /// The same with a text that says more, such as a reply.
    pub fn holds(&mut self, row: &str, right: bool, text: &str) {
        self.that(row, right, || text.to_owned());
    }

    /// A reply has this result.
    pub fn code(&mut self, row: &str, reply: &Reply, code: i32) {
        let message = || format!("expected {code}, got {}", reply.text());
        self.that(row, reply.code == code, message);
    }

    /// A reply's message has these words.
    pub fn says(&mut self, row: &str, reply: &Reply, words: impl AsRef<str>) {
        let words = words.as_ref();
        let message = || format!("no {words:?} in: {}", reply.message());
        self.that(row, reply.message().contains(words), message);
    }

    #[track_caller]
    pub fn end(self) {
        assert!(self.checked > 0, "the table is empty");
        assert!(
            self.wrong.is_empty(),
            "{} of {} rows are wrong:\n  {}",
            self.wrong.len(),
            self.checked,
            self.wrong.join("\n  ")
        );
    }
}

/// A table of cases, one to a line: `table! { "name", given, expected; ... }`.
#[macro_export]
macro_rules! table {
    ($($($value:expr),+;)*) => {
        [$(($($value),+)),*]
    };
}
