//! Cancellation tokens as texts, for callers in other languages.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use crate::connection::CancellationToken;
use crate::error::{Cause, Code, Error};
use crate::handle_map::HandleMap;

static TOKENS: HandleMap<NamedToken> = HandleMap::new();
const PREFIX: &str = "cancel-";

/// The texts of the tokens that were freed last. They can still be read: a thread that cancels while
/// another one frees gets an error, and does not read freed memory.
static FREED: Mutex<VecDeque<Arc<str>>> = Mutex::new(VecDeque::new());
const KEPT: usize = 64;

/// A token with its text, which lives until [`remove`] and 64 more of them.
pub struct NamedToken {
    token: CancellationToken,
    text: Arc<str>,
}

impl NamedToken {
    /// The text for C. It ends with NUL, and one byte comes before it. So its address is odd, and no
    /// address that an allocator gives is.
    pub fn text(&self) -> &str {
        self.text.get(1..).unwrap_or_default()
    }
}

/// Creates a token.
pub fn create() -> Arc<NamedToken> {
    let named = |key| NamedToken {
        token: CancellationToken::new(),
        text: format!("\0{}\0", text_of(key)).into(),
    };
    TOKENS.insert(named).1
}

/// The token of a text.
pub fn get(text: &str) -> Result<CancellationToken, Error> {
    key_of(text)
        .and_then(|key| TOKENS.get(key))
        .map(|named| named.token.clone())
        .ok_or_else(not_live)
}

/// Forgets a token. Calls that have it continue, and it can no longer cancel them.
pub fn remove(text: &str) -> Result<(), Error> {
    let freed = key_of(text)
        .and_then(|key| TOKENS.remove(key))
        .ok_or_else(not_live)?;
    for _ in 0..100 {
        if let Ok(mut texts) = FREED.try_lock() {
            texts.truncate(KEPT - 1);
            texts.push_front(Arc::clone(&freed.text));
            return Ok(());
        }
        std::thread::yield_now();
    }
    // In a forked child the lock may never become free. Then the text stays for ever.
    std::mem::forget(Arc::clone(&freed.text));
    Ok(())
}

fn text_of(key: usize) -> String {
    format!("{PREFIX}{key:x}")
}

/// Accepts only the exact text that was given out, and no other way to write the same number.
fn key_of(text: &str) -> Option<usize> {
    let key = usize::from_str_radix(text.strip_prefix(PREFIX)?, 16).ok()?;
    (text_of(key) == text).then_some(key)
}

fn not_live() -> Error {
    Error::new(
        Code::InvalidHandle,
        Cause::CancellationFreed,
        "the cancellation token was freed or never created: create another one",
    )
}
