// The list of the fields in a status response's `data`, in the interface's order. All are strings,
// "" where the service sent none. `core/src/gateway/status_data.rs` reads them by this list, and
// `tests/header` makes the manual in the C header and the description for machines from it, from
// which the packages make their statuses.
status_fields! {
    /// the service's reference of the merchant's order
    merchantRefId,
    /// the order's identifier
    orderId,
    /// the service's identifier of the transaction
    transactionId,
    /// the amount of the payment
    amount,
    /// the customer's full name
    customerName,
    /// the customer's mobile number
    customerMobile,
    /// the customer's e-mail address
    customerEmail,
    /// "Completed" for a finished payment; other texts are the service's own
    transactionStatus,
    /// MM/DD/YYYY hh:mm:ss AM or PM, without a time zone
    transactionDate,
    /// not empty after a refund
    refundStatus,
    /// the kind of refund
    refundType,
    /// the merchant's name
    merchantName,
    /// whether the merchant got the money
    settlementStatus,
    /// when the merchant got the money
    settlementDate,
    /// how the customer paid
    payMode,
}
