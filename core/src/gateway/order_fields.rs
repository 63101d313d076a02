// The list of an order's fields, in the order in which they are sent. All are required, are strings
// that are not blank, and are sent unchanged. `core/src/gateway/order.rs` makes the type, the checks
// and the request body from it, and `tests/header` the manual in the C header and the description
// for machines, from which the packages make their orders.
//
// A field has its name in Rust, its name in JSON, and the rule of `core/src/gateway/order.rs` that
// it must follow.
order_fields! {
    /// decimal text, at least 1: "100" or "100.00", not "1e2", "+100", "100.", ".5", "0100" or
    /// "100.005"
    amount amount Amount,
    /// your unique identifier of the transaction. It, orderId and merchantId have no white space at
    /// their ends and no control character
    merchant_txn_id merchantTxnId Identifier,
    /// your unique identifier of the order, by which payorder_get_status finds it
    order_id orderId Identifier,
    /// one of all, cc, dc, upi, nb
    pay_mode payMode PayMode,
    /// your identifier at the service
    merchant_id merchantId Identifier,
    /// what is paid for
    product_info productInfo Text,
    /// the customer's full name
    customer_name customerName Text,
    /// the customer's mobile number
    customer_mobile customerMobile Text,
    /// the customer's e-mail address
    customer_email customerEmail Text,
    /// the return URL: where the customer goes after the payment; an absolute URL without a
    /// parameter txn. The key here is always redirectionURL, also if `returnUrlField` is set
    redirection_url redirectionURL ReturnUrl,
    /// such as INR
    currency_code currencyCode Text,
}
