//! After a start: one verdict for each sale that is open.

use std::ffi::c_char;

use payorder_core::Operation;

use super::about::payorder_result;
use super::client::payorder_client;
use super::{boundary, strings};

/// Says for each sale that may be open what is known about it. Call it when a program starts. It
/// takes the sales that the program itself believes open, and every entry of the journal of this
/// service that is not closed, asks Get Status where that can teach something, and records what it
/// learns. A sale of sales_json whose entry is closed is asked about as well: a refused, unsent or
/// settled order that the service calls paid is "check".
///
/// @param[in] client a live client; not NULL
/// @param[in] sales_json an array of {"orderId":"...","amount":"..."}; or NULL for none, with a
///     journal
/// @param[in] options_json options, or NULL for none
/// @param[out] out_json the result; not NULL
/// @return PAYORDER_OK, also if the service could not be reached, and in *out_json
///     {"summary":{...},"otherServices":n,"sales":[{"orderId","verdict","amount","url",
///     "statusQuery","transactionStatus","reasons":[...],"entry"}]}: the sales of sales_json in
///     their order, then those of the journal, oldest first. The summary is that of
///     payorder_get_statuses. Otherwise the error object.
///
/// After eight failures in a row that are not answers, it stops asking, and "stopped" of the
/// summary is true: an outage costs one time limit, and not one for each sale. What could not be
/// asked is "unknown". If the service refuses every query of two or more, "refusal" has its words,
/// and no sale counts as unknown to it.
///
/// Verdicts:
/// - paid: verified, with the amount of the sale and of the entry, and this journal sent the order.
///   Without a journal, verification alone decides: it may be another sale's order.
/// - check: a person decides. `reasons` has the checks that failed: those of
///   payorder_verify_payment; journal (paid, but this journal has not sent it); orderExists (the
///   service only ever said that the order exists already: it may be another sale's); entryAmount
///   (the sale and its entry have different amounts); orderId (sales_json has the order several
///   times, and one payment is not that of two sales); transactionDate (paid more than 26 hours
///   before the entry began); transactionStatus (it may mean paid, but is not "Completed").
/// - payable: the order exists and is not paid; the customer pays at `url`.
/// - url_lost: it exists and is not paid, and its URL was lost: a person decides.
/// - unknown: it may exist. The service said nothing clear about it, or does not know it, which
///   proves nothing after a lost response. Ask again later. Nothing may be sold again without a
///   person.
/// - sending: another process is sending it right now.
/// - refused, not_sent: the journal says so, and the service, asked now, does not know the order.
/// - settled: a person closed it.
/// - not_in_journal: the journal has no entry, and the service, asked now, does not know it. If
///   this journal was in use, and was not restored, replaced or pruned since, it was never sent.
///
/// What the service answered is returned also if the journal cannot record it (then there is a log
/// event journal_failed), and if the call is cancelled. What the journal can no longer say is
/// "unknown" then.
///
/// Failures: the statuses received before the failure are recorded.
/// - PAYORDER_INVALID_ARGUMENT: sales_json is not an array of objects, or is NULL without a journal;
///   an option is invalid, or out_json is NULL.
/// - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
/// - PAYORDER_INVALID_REQUEST: a sale has an invalid `orderId` or `amount`.
/// - PAYORDER_MISSING_CREDENTIALS: those of Get Status are needed.
/// - PAYORDER_CANCELLED: cancelled before it asked, or the client was stopped.
/// - PAYORDER_JOURNAL_FAILED: the journal cannot be used; the message says why.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn payorder_recover(
    client: *mut payorder_client,
    sales_json: *const c_char,
    options_json: *const c_char,
    out_json: *mut *mut c_char,
) -> payorder_result {
    // SAFETY: the caller's promise.
    unsafe {
        let sales = strings::optional_text(sales_json, "sales_json");
        boundary::make(
            client.addr(),
            Operation::Recover,
            sales,
            options_json,
            out_json,
        )
    }
}
