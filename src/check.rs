//! Does everything work?

use std::ffi::c_char;

use payorder_core::Operation;

use super::about::payorder_result;
use super::boundary;
use super::client::payorder_client;

/// Looks at one thing after the other, as a call goes through them, and says what it found. It asks
/// the service for one status, and creates no order. For installers and support.
///
/// @param[in] client a live client; not NULL
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK whenever the steps could be made, also if one failed, and in *out_json
///     {"ok":false,"steps":[{"step","ok","elapsedMs","message","details","cause","action"}]}.
///     Otherwise the error object.
///
/// The steps, in this order, each only where it applies; after a failed one, those that need it are
/// left out:
/// - proxy: it opens a tunnel to the service. Then there is no name and no connect.
/// - name: the addresses of the service's host.
/// - connect: each address accepts a connection, or says why not. One is enough.
/// - tls: the version, and the certificate's issuer, end and names.
/// - clock: this machine's differs by at most a minute from the time of the response.
/// - service: Get Status is answered as the interface says, and not by something else. A refusal is
///   an answer.
/// - credentials: those of Get Status are accepted, refused or missing; "unclear" if the answer does
///   not tell, as for an order that the service does not know. Credentials that are missing are
///   replaced by "payorder-check" in the query. Only an order can prove accessToken.
/// - journal: it can be read and written; how many orders have no known outcome.
///
/// Failures: what does not work is a step, and no failure.
/// - PAYORDER_INVALID_ARGUMENT: an option is invalid, or out_json is NULL.
/// - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
/// - PAYORDER_INVALID_REQUEST: the option `orderId` is blank.
/// - PAYORDER_CANCELLED, PAYORDER_CANCELLED_IN_FLIGHT: it was cancelled, or the client was stopped.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_check(
    client: *mut payorder_client,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        boundary::make(
            client.addr(),
            Operation::Check,
            Ok(None),
            options_json,
            out_json,
        )
    }
}
