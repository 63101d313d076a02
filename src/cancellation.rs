//! Cancelling single calls.

use std::ffi::c_char;

use payorder_core::{Cause, Code, Error};

use super::about::payorder_result;
use super::{boundary, strings, tokens};

/// Creates a cancellation token: a short text that you give to calls as the option `cancellation`.
/// It cancels the calls that have it and no others: see CANCELLING. One token may serve many calls.
///
/// @param[out] out_token the token; not NULL; NULL is written on failure
/// @return PAYORDER_OK, or why there is no token.
///
/// Ownership: free the token with payorder_cancellation_free, which frees its text too.
/// Failures: there is no token.
/// - PAYORDER_INVALID_ARGUMENT: out_token is NULL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_cancellation_new(
    out_token: *mut *const c_char,
) -> payorder_result {
    let mut token = std::ptr::null();
    let result = boundary::number(|| {
        boundary::check_place(out_token, "out_token", "token")?;
        token = tokens::create().text().as_ptr().cast();
        Ok(())
    });
    // SAFETY: the caller's promise.
    unsafe { strings::write(out_token, token) };
    result
}

/// Cancels the calls that have this token: those in flight end within 100 ms, later ones at once,
/// with PAYORDER_CANCELLED if nothing was sent, otherwise with PAYORDER_CANCELLED_IN_FLIGHT.
/// payorder_get_statuses, payorder_journal_resolve and payorder_recover, once it has begun to ask,
/// return PAYORDER_OK with what they have and "stopped":true. The token stays cancelled: free it,
/// and create a new one for later calls.
///
/// @param[in] token a live token; not NULL
/// @return PAYORDER_OK.
///
/// Failures: nothing was cancelled.
/// - PAYORDER_INVALID_HANDLE: not a live token (NULL, freed with payorder_cancellation_free, or
///   never created). Only after 64 later tokens were freed as well, the pointer is invalid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_cancellation_cancel(token: *const c_char) -> payorder_result {
    boundary::number(|| {
        // SAFETY: the caller's promise.
        tokens::get(unsafe { name(token) }?)?.cancel();
        Ok(())
    })
}

/// Frees a token and its text. Calls in flight that have it continue and can no longer be cancelled
/// by it.
///
/// @param[in] token the token that is freed, or a copy of its text, or NULL
/// @return PAYORDER_OK, also for NULL.
///
/// Ownership: the token is no longer valid. payorder_string_free ignores it.
/// Failures: nothing was freed.
/// - PAYORDER_INVALID_HANDLE: not a live token.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_cancellation_free(token: *const c_char) -> payorder_result {
    boundary::number(|| {
        if token.is_null() {
            return Ok(());
        }
        // SAFETY: the caller's promise.
        tokens::remove(unsafe { name(token) }?)
    })
}

/// The text of a token. One that is not even a text is not a live token.
///
/// # Safety
/// `token` is NULL or a NUL-terminated string.
unsafe fn name<'a>(token: *const c_char) -> Result<&'a str, Error> {
    // SAFETY: this function's own.
    unsafe { strings::text(token, "token") }.map_err(|error| {
        let cause = match error.cause() {
            Cause::Null => Cause::Null,
            _ => Cause::CancellationFreed,
        };
        Error::new(Code::InvalidHandle, cause, error.to_string())
    })
}
