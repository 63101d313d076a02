// The list of log events. `core/src/client/log.rs` makes the type and the names from it, and
// `tests/header` the manual in the C header and the description for machines.
//
// Each event has the keys that are always present, and those that are present if known.
events! {
    /// an attempt begins
    attempt_started AttemptStarted
        [event operation attempt elapsedMs host] [orderId transactionId warning],
    /// an attempt failed; another one may follow
    attempt_failed AttemptFailed
        [event operation attempt elapsedMs host result name cause]
        [orderId transactionId httpStatus],
    /// an attempt received a usable response
    attempt_finished AttemptFinished
        [event operation attempt elapsedMs host result name httpStatus]
        [orderId transactionId transactionStatus],
    /// the call ended; a call that makes no attempt has only this event
    call_finished CallFinished
        [event operation elapsedMs host result name]
        [orderId transactionId attempt httpStatus cause],
    /// the outcome of an order could not be written to the journal; the call's result stands
    journal_failed JournalFailed
        [event operation elapsedMs host result name cause]
        [orderId transactionId attempt],
}
