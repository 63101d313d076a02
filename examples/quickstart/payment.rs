//! A complete payment: order, checkout, return URL, status, verification.

use abi::Client;
use sandbox::{SHOP_RETURN, Sandbox};

use crate::customer;
use crate::output::{ensure, ensure_ok, exchange, get, json, object, result, step, words};

const ORDER_ID: &str = "BASKET-17";
const AMOUNT: &str = "249.50";

/// The eleven fields of an order.
pub fn order(
    order_id: &str,
    amount: &str,
    pay_mode: &str,
    product_info: &str,
    return_url: &str,
) -> String {
    object(&[
        ["amount", amount],
        ["merchantTxnId", &format!("TILL-7-{order_id}")],
        ["orderId", order_id],
        ["payMode", pay_mode],
        ["merchantId", "M-1001"],
        ["productInfo", product_info],
        ["customerName", "Asha Rao"],
        ["customerMobile", "9876543210"],
        ["customerEmail", "asha@mail.example"],
        ["redirectionURL", return_url],
        ["currencyCode", "INR"],
    ])
}

/// Prints each step. Returns whether the customer paid; a person in a browser may not pay.
pub fn make_pay_and_verify(
    client: &Client,
    sandbox: &Sandbox,
    by_browser: bool,
) -> Result<bool, String> {
    let shop = if by_browser {
        format!("{}{SHOP_RETURN}", sandbox.base_url())
    } else {
        "https://shop.example/thanks".into()
    };
    let (pay_mode, return_url) = (
        if by_browser { "all" } else { "upi" },
        format!("{shop}?basket=17"),
    );

    step("1  Create an order", "payorder_create_order");
    let order = order(ORDER_ID, AMOUNT, pay_mode, "Two coffees", &return_url);
    let created = abi::create_order(client.key(), &order, None);
    ensure_ok(&created)?;
    exchange(sandbox)?;
    result(&created, "");
    let checkout_url = get(&created, "/data/url");

    step(
        "2  Send the customer to the checkout page",
        "(no library: this is the browser's part)",
    );
    let came_back = if by_browser {
        let query = object(&[["searchType", "1"], ["orderId", ORDER_ID]]);
        customer::pays_in_a_browser(client, sandbox, &checkout_url, &query)?
    } else {
        words("page", &format!("{checkout_url}  the customer presses Pay"));
        customer::pays(&checkout_url)?
    };
    words("returns", &came_back);

    step(
        "3  Read the return URL: it proves nothing, but says what to ask",
        "payorder_parse_return_url",
    );
    let returned = abi::parse_return_url(&came_back);
    ensure_ok(&returned)?;
    result(&returned, returned.text());

    step("4  Ask for the status", "payorder_get_status");
    let status = abi::get_status(client.key(), &get(&returned, "/statusQuery"), None);
    ensure_ok(&status)?;
    exchange(sandbox)?;
    result(&status, &format!("derived: {}", get(&status, "/derived")));

    step(
        "5  Compare the status with the shop's own order",
        "payorder_verify_payment",
    );
    let transaction_id = get(&returned, "/transactionId");
    let expected = object(&[
        ["orderId", ORDER_ID],
        ["amount", AMOUNT],
        ["transactionId", &transaction_id],
    ]);
    let verified = abi::verify_payment(&expected, status.text());
    ensure_ok(&verified)?;
    json("expected", &expected);
    result(&verified, verified.text());

    let paid = get(&verified, "/paid") == "true";
    let completed = get(&status, "/derived/completed") == "true";
    ensure(paid == completed && (paid || by_browser), || {
        format!("paid and verified was expected: {}", verified.text())
    })?;
    Ok(paid)
}
