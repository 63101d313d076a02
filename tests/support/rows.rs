//! A table of cases that is read to its end before the test fails, so that one run shows every
//! row that is wrong.

use std::fmt::Debug;

#[derive(Default)]
pub struct Rows {
    read: usize,
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

    pub fn that(&mut self, row: &str, right: bool, said: impl FnOnce() -> String) {
        self.read += 1;
        if !right {
            self.wrong.push(format!("{row}: {}", said()));
        }
    }

    #[track_caller]
    pub fn end(self) {
        assert!(self.read > 0, "the table is empty");
        assert!(
            self.wrong.is_empty(),
            "{} of {} rows are wrong:\n  {}",
            self.wrong.len(),
            self.read,
            self.wrong.join("\n  ")
        );
    }
}
