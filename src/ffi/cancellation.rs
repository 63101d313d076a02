//! Cancelling single calls.

use std::ffi::c_char;

use super::about::payorder_result;
use super::{boundary, strings};
use crate::error::{Cause, Code, Error};
use crate::settings::tokens;

/// Creates a cancellation token: a short text, to be given to calls as the option "cancellation". A
/// token cancels the calls that have it and no others on the same client: one client per process,
/// one token per cashier. One token may serve many calls.
///
/// *out_token is the text, to be freed by payorder_string_free, which does not free the token:
/// payorder_cancellation_free does. It is NULL on failure. From any thread.
///
/// PAYORDER_INVALID_ARGUMENT: out_token is NULL.
///
/// # Safety
/// out_token is NULL or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_cancellation_new(out_token: *mut *mut c_char) -> payorder_result {
    let create = || {
        if out_token.is_null() {
            return Err(Error::argument(
                Cause::Null,
                "out_token is NULL: there is no place for the token",
            ));
        }
        Ok(tokens::create())
    };
    // SAFETY: the caller's promise.
    unsafe { boundary::text_or_null(out_token, create) }
}

/// Cancels the calls that have this token: those in flight end within 100 ms, later ones at once,
/// with PAYORDER_CANCELLED where nothing was sent and with PAYORDER_CANCELLED_IN_FLIGHT otherwise;
/// payorder_get_statuses and payorder_journal_resolve return what there is by then, as "stopped".
/// The token stays cancelled until it is freed. From any thread, also from a callback.
///
/// PAYORDER_INVALID_HANDLE: not a live token (NULL, freed or never created).
///
/// # Safety
/// token is NULL or a NUL-terminated string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_cancellation_cancel(token: *const c_char) -> payorder_result {
    boundary::number(|| {
        // SAFETY: the caller's promise.
        tokens::get(unsafe { name(token) }?)?.cancel();
        Ok(())
    })
}

/// Frees a token; NULL is OK. Calls in flight that have it go on and can no longer be cancelled by
/// it. From any thread, also from a callback.
///
/// PAYORDER_INVALID_HANDLE: not a live token; nothing was freed.
///
/// # Safety
/// token is NULL or a NUL-terminated string.
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
/// As [`payorder_cancellation_cancel`].
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
