//! A table of cases. All rows are checked before the test fails, so that one run shows every wrong
//! row.

use std::fmt::Debug;

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
