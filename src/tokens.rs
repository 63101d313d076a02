//! Cancellation tokens by their texts.

use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicPtr, AtomicUsize, Ordering};

use payorder_core::{CancellationToken, Cause, Code, Error};

use super::handle_map::HandleMap;

static TOKENS: HandleMap<NamedToken> = HandleMap::new();
const PREFIX: &str = "cancel-";

/// The texts of the tokens that were freed last. They can still be read: a thread that cancels while
/// another one frees gets an error, and does not read freed memory. No lock, which a fork could
/// leave held.
static FREED: [AtomicPtr<Arc<str>>; KEPT] = [const { AtomicPtr::new(ptr::null_mut()) }; KEPT];
/// How many were freed so far: each takes the next place.
static FREED_COUNT: AtomicUsize = AtomicUsize::new(0);
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
    let text = Box::into_raw(Box::new(Arc::clone(&freed.text)));
    let count = FREED_COUNT.fetch_add(1, Ordering::Relaxed);
    let oldest = match FREED.get(count % KEPT) {
        Some(place) => place.swap(text, Ordering::AcqRel),
        None => text,
    };
    if !oldest.is_null() {
        // SAFETY: it came from a box, and no place has it any more.
        drop(unsafe { Box::from_raw(oldest) });
    }
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
