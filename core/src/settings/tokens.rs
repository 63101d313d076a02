//! Cancellation tokens as texts, for callers in other languages.

use std::sync::Arc;

use crate::connection::CancellationToken;
use crate::error::{Cause, Code, Error};
use crate::handle_map::HandleMap;

static TOKENS: HandleMap<CancellationToken> = HandleMap::new();
const PREFIX: &str = "cancel-";

/// Creates a token and returns its text.
pub fn create() -> String {
    text_of(TOKENS.insert(CancellationToken::new()))
}

/// The token of a text.
pub fn get(text: &str) -> Result<CancellationToken, Error> {
    key_of(text)
        .and_then(|key| TOKENS.get(key))
        .map(Arc::unwrap_or_clone)
        .ok_or_else(not_live)
}

/// Forgets a token. Calls that have it continue, and it can no longer cancel them.
pub fn remove(text: &str) -> Result<(), Error> {
    match key_of(text).is_some_and(|key| TOKENS.remove(key)) {
        true => Ok(()),
        false => Err(not_live()),
    }
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
