//! A complete payment: order, checkout, return URL, status, verification.

use abi::Client;
use sandbox::Sandbox;

use crate::output::{exchange, get, object, show, step, succeeded};

const ORDER_ID: &str = "BASKET-17";
const AMOUNT: &str = "249.50";

/// The eleven fields of an order.
pub fn order(order_id: &str, amount: &str, pay_mode: &str, product_info: &str) -> String {
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
        ["redirectionURL", "https://shop.example/thanks?basket=17"],
        ["currencyCode", "INR"],
    ])
}

pub fn make_pay_and_verify(client: &Client, sandbox: &Sandbox) {
    step("1  Create an order", "payorder_create_order");
    let order = order(ORDER_ID, AMOUNT, "upi", "Two coffees");
    let created = abi::create_order(client.key(), &order, None);
    exchange(sandbox);
    succeeded(&created, "");
    let checkout_url = get(&created, "/data/url");

    step("2  Send the customer to the checkout page", "(the browser)");
    show("page", &format!("{checkout_url}  the customer presses Pay"));
    let came_back = press_pay(&checkout_url);
    show("returns", &came_back);

    step(
        "3  Read the return URL: it proves nothing, but says what to ask",
        "payorder_parse_return_url",
    );
    let returned = abi::parse_return_url(&came_back);
    succeeded(&returned, returned.text());

    step("4  Ask for the status", "payorder_get_status");
    let status = abi::get_status(client.key(), &get(&returned, "/statusQuery"), None);
    exchange(sandbox);
    succeeded(&status, &format!("derived: {}", get(&status, "/derived")));

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
    show("expected", &expected);
    succeeded(&verified, verified.text());
    assert_eq!(get(&verified, "/paid"), "true");
}

/// Presses Pay on the checkout page. Returns the URL that a browser would be sent to: the shop's,
/// which is not on this machine.
fn press_pay(checkout_url: &str) -> String {
    let settings = ureq::Agent::config_builder();
    let browser: ureq::Agent = settings.max_redirects(0).proxy(None).build().into();
    let pressed = browser.post(format!("{checkout_url}/pay")).send_empty();
    let pressed = pressed.expect("the checkout page answers");
    let location = pressed.headers()["Location"].to_str();
    location.expect("a return URL").to_owned()
}
