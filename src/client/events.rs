// The one list of log events: `src/client/log.rs` makes the type and the names of it, `tests/header`
// the manual in the C header and the description for machines.
//
// Each event has the keys that it always has, and those that it has where they are known.
events! {
    /// an attempt begins
    attempt_started AttemptStarted
        [event operation attempt elapsedMs host] [orderId transactionId],
    /// an attempt failed; another one may follow
    attempt_failed AttemptFailed
        [event operation attempt elapsedMs host result name cause]
        [orderId transactionId httpStatus],
    /// an attempt brought a usable answer
    attempt_finished AttemptFinished
        [event operation attempt elapsedMs host result name httpStatus]
        [orderId transactionId transactionStatus],
    /// the call is over; a call that makes no attempt has this event alone
    call_finished CallFinished
        [event operation elapsedMs host result name]
        [orderId transactionId attempt httpStatus cause],
    /// the outcome of an order could not be written to the journal; the call's result stands
    journal_failed JournalFailed
        [event operation elapsedMs host result name cause]
        [orderId transactionId attempt],
}
