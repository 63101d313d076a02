// The lists of log events and of their keys. `core/src/client/log.rs` makes the type and the names
// from them, and `tests/header` the manual in the C header and the description for machines.
//
// Each event has the keys that are always present, and those that are present if known.
events! {
    /// an attempt begins
    attempt_started AttemptStarted
        [event operation attempt elapsedMs host] [orderId transactionId tag warning],
    /// an attempt failed; another one may follow
    attempt_failed AttemptFailed
        [event operation attempt elapsedMs host result name cause]
        [orderId transactionId httpStatus requestId tag],
    /// an attempt received a usable response
    attempt_finished AttemptFinished
        [event operation attempt elapsedMs host result name httpStatus]
        [orderId transactionId transactionStatus requestId tag],
    /// the call ended; a call that makes no attempt has only this event
    call_finished CallFinished
        [event operation elapsedMs host result name]
        [orderId transactionId attempt httpStatus requestId cause tag],
    /// the outcome of an order could not be written to the journal; the call's result stands
    journal_failed JournalFailed
        [event operation elapsedMs host result name cause]
        [orderId transactionId attempt tag],
}

event_keys! {
    event string "what happened, such as call_finished",
    operation string "the call, such as create_order",
    orderId string "your identifier of the order",
    transactionId string "the service's identifier of the transaction",
    attempt integer "the number of the attempt, from 1",
    elapsedMs integer "the time since the start of the call, in milliseconds",
    host string "the service's host and port",
    result integer "how the call or the attempt ended",
    name string "the result's name, such as PAYORDER_TIMEOUT",
    cause string "what exactly happened: one of the causes",
    httpStatus integer "the HTTP status of the response",
    transactionStatus string "the status that the service sent",
    requestId string "what the response calls the request, for the service's support",
    tag string "the option `tag` of the call",
    warning string "what an operator should know about the client, such as that it has no journal",
}
