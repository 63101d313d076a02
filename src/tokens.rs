//! Cancellation tokens by their texts.

use std::sync::Arc;

use arc_swap::ArcSwapOption;
use payorder_core::{CancellationToken, Cause, Code, Error};

use super::handle_map::HandleMap;

static TOKENS: HandleMap<NamedToken> = HandleMap::new();
const PREFIX: &str = "cancel-";

/// The texts of the tokens that were freed last. They can still be read: a thread that cancels while
/// another one frees gets an error, and does not read freed memory.
static FREED: ArcSwapOption<Vec<Arc<str>>> = ArcSwapOption::const_empty();
const KEPT: usize = 64;

/// A token with its text, which lives until [`remove`] and 64 more of them.
pub(super) struct NamedToken {
    token: CancellationToken,
    text: Arc<str>,
}

impl NamedToken {
    /// The text for C. It ends with NUL, and one byte comes before it. So its address is odd, and no
    /// address that an allocator gives is.
    pub(super) fn text(&self) -> &str {
        self.text.get(1..).unwrap_or_default()
    }
}

/// Creates a token.
pub(super) fn create() -> Arc<NamedToken> {
    let named = |key| NamedToken {
        token: CancellationToken::new(),
        text: format!("\0{}\0", text_of(key)).into(),
    };
    TOKENS.insert(named).1
}

/// The token of a text.
pub(super) fn get(text: &str) -> Result<CancellationToken, Error> {
    key_of(text)
        .and_then(|key| TOKENS.get(key))
        .map(|named| named.token.clone())
        .ok_or_else(not_live)
}

/// Forgets a token. Calls that have it continue, and it can no longer cancel them.
pub(super) fn remove(text: &str) -> Result<(), Error> {
    let removed = key_of(text).and_then(|key| TOKENS.remove(key));
    let freed = removed.ok_or_else(not_live)?;
    FREED.rcu(|texts| {
        let before = texts.iter().flat_map(|texts| texts.iter());
        let all = std::iter::once(&freed.text).chain(before);
        Some(Arc::new(all.take(KEPT).cloned().collect::<Vec<_>>()))
    });
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
