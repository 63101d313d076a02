//! A Rust program's own code that runs in the middle of a call.

use std::any::Any;
use std::cell::OnceCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// Its panic is the program's, and no bug of the library: it goes on after the call has ended.
#[derive(Default)]
pub(super) struct CallersCode {
    panic: OnceCell<Box<dyn Any + Send>>,
}

impl CallersCode {
    /// What the program's code returns, or `otherwise` if it panics or has panicked before.
    pub(super) fn run<T>(&self, otherwise: T, code: impl FnOnce() -> T) -> T {
        if self.panic.get().is_some() {
            return otherwise;
        }
        catch_unwind(AssertUnwindSafe(code)).unwrap_or_else(|panic| {
            let _ = self.panic.set(panic);
            otherwise
        })
    }

    pub(super) fn resume_panic(self) {
        if let Some(panic) = self.panic.into_inner() {
            resume_unwind(panic);
        }
    }
}
