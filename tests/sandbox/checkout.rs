//! The checkout page, its buttons, and the return to the shop.

use serde_json::json;

use crate::wire::*;
use sandbox::{SHOP_RETURN, State};
use support::table;

#[test]
fn the_return_url_keeps_its_query_and_its_fragment() {
    let sandbox = start();
    for (number, (given, came_back)) in table! {
        "https://shop.example/r", "https://shop.example/r?txn=T";
        "https://shop.example/r?basket=17", "https://shop.example/r?basket=17&txn=T";
        "https://shop.example/r?basket=17&", "https://shop.example/r?basket=17&txn=T";
        "https://shop.example/r?", "https://shop.example/r?txn=T";
        "https://shop.example/r#top", "https://shop.example/r?txn=T#top";
        "https://shop.example/r?a=1#top?x", "https://shop.example/r?a=1&txn=T#top?x";
        "mypos://done", "mypos://done?txn=T";
        "https://shop.example/größe", "https://shop.example/gr%C3%B6%C3%9Fe?txn=T";
    }
    .into_iter()
    .enumerate()
    {
        let order_id = format!("A-{number}");
        let path = checkout_path(
            &sandbox,
            &order(&order_id, json!({"redirectionURL": given})),
        );
        let location = press(&sandbox, &path, "pay");
        let transaction_id = status(&sandbox, by_order(&order_id))["transactionId"].clone();
        let transaction_id = transaction_id.as_str().expect("a transaction");
        assert_eq!(location.replace(transaction_id, "T"), came_back, "{given}");
    }
}

#[test]
fn the_page_shows_the_order_and_escapes_it() {
    let sandbox = start();
    let hostile = json!({
        "productInfo": "<script>alert('x')</script> & \"tea\"", "customerName": "<i>Asha</i>", "currencyCode": "<u>",
    });
    let path = checkout_path(&sandbox, &order("A-<1>", hostile));
    let page = get(&sandbox, &path);
    assert_eq!(
        (page.status, page.header("Content-Type")),
        (200, Some("text/html; charset=utf-8"))
    );
    for shown in [
        "249.50 <span>&lt;u&gt;</span>",
        "A-&lt;1&gt;",
        "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt; &amp; &quot;tea&quot;",
        "&lt;i&gt;Asha&lt;/i&gt;",
        "9876543210",
        "asha@mail.example",
        "formaction=\"/checkout/1/pay\"",
        "formaction=\"/checkout/1/fail\"",
        "formaction=\"/checkout/1/cancel\"",
        "name=\"viewport\"",
        "<html lang=\"en\">",
    ] {
        assert!(page.body.contains(shown), "{shown}");
    }
    for tag in [
        "<script", "<i>", "<u>", "A-<1>", "http:", "https:", "src=", "@import", "url(",
    ] {
        assert!(!page.body.contains(tag), "{tag}");
    }
}

#[test]
fn the_page_shows_the_state_of_the_order() {
    let sandbox = start();
    for (number, (button, words, open)) in [
        ("pay", "Paid. Thank you.", false),
        ("fail", "The payment failed.", true),
        ("cancel", "Cancelled.", false),
    ]
    .into_iter()
    .enumerate()
    {
        let path = checkout_path(&sandbox, &order(&format!("A-{number}"), json!({})));
        assert!(!get(&sandbox, &path).body.contains(words));
        let location = press(&sandbox, &path, button);
        let page = get(&sandbox, &path).body;
        assert!(
            page.contains(words) && page.contains(txn(&location)),
            "{page}"
        );
        assert_eq!(page.contains("<button"), open, "{button}");
        assert_eq!(
            page.contains(&format!("href=\"{location}\"")),
            !open,
            "{button}"
        );
    }
}

#[test]
fn a_failed_payment_can_be_retried_and_each_transaction_is_reported() {
    let sandbox = start();
    let path = checkout_path(&sandbox, &order("A-1", json!({})));
    let failed = press(&sandbox, &path, "fail");
    assert_eq!(
        status(&sandbox, by_order("A-1"))["transactionStatus"],
        "Failed"
    );
    let paid = press(&sandbox, &path, "pay");
    assert_ne!(txn(&failed), txn(&paid));
    for (query, expected, transaction) in [
        (by_order("A-1"), "Completed", txn(&paid)),
        (by_transaction(txn(&paid)), "Completed", txn(&paid)),
        (by_transaction(txn(&failed)), "Failed", txn(&failed)),
    ] {
        let told = status(&sandbox, query);
        assert_eq!(
            (&told["transactionStatus"], &told["transactionId"]),
            (&json!(expected), &json!(transaction))
        );
    }
    let record = &sandbox.orders()[0];
    assert_eq!(record.transaction_ids, [txn(&failed), txn(&paid)]);
}

#[test]
fn a_closed_order_stays_as_it_is() {
    let sandbox = start();
    for (order_id, first, state) in [
        ("A-1", "pay", State::Completed),
        ("A-2", "cancel", State::Cancelled),
    ] {
        let path = checkout_path(&sandbox, &order(order_id, json!({})));
        let location = press(&sandbox, &path, first);
        for button in ["pay", "fail", "cancel"] {
            assert_eq!(press(&sandbox, &path, button), location);
        }
        let records = sandbox.orders();
        let record = records
            .iter()
            .find(|record| record.order_id == order_id)
            .expect("the order");
        assert_eq!(
            (record.state, record.transaction_ids.len()),
            (Some(state), 1)
        );
        assert_eq!(
            status(&sandbox, by_order(order_id))["transactionStatus"],
            state.name()
        );
    }
}

#[test]
fn the_pay_mode_comes_from_the_order_or_the_customer() {
    let sandbox = start();
    for (number, (ordered, form, told)) in [
        ("all", "payMode=cc", "cc"),
        ("all", "", "upi"),
        ("all", "payMode=%3Cb%3E", "upi"),
        ("nb", "payMode=cc", "nb"),
        ("dc", "", "dc"),
    ]
    .into_iter()
    .enumerate()
    {
        let order_id = format!("A-{number}");
        let path = checkout_path(&sandbox, &order(&order_id, json!({"payMode": ordered})));
        assert_eq!(
            get(&sandbox, &path).body.contains("type=\"radio\""),
            ordered == "all"
        );
        press_with(&sandbox, &path, "pay", form);
        assert_eq!(
            status(&sandbox, by_order(&order_id))["payMode"],
            told,
            "{ordered} {form}"
        );
    }
}

#[test]
fn an_unknown_order_has_no_page() {
    let sandbox = start();
    checkout_path(&sandbox, &order("A-1", json!({})));
    for path in [
        "/checkout/0",
        "/checkout/2",
        "/checkout/",
        "/checkout/A-1",
        "/checkout/-1",
        "/checkout/1/refund",
    ] {
        assert_eq!(get(&sandbox, path).status, 404, "{path}");
    }
    for (method, path, allowed) in [
        ("POST", "/checkout/1", "GET"),
        ("GET", "/checkout/1/pay", "POST"),
    ] {
        let response = send(&sandbox, method, path, &[], "").expect("a response");
        assert_eq!(
            (response.status, response.header("Allow")),
            (405, Some(allowed))
        );
    }
    assert_eq!(sandbox.orders()[0].state, Some(State::Pending));
}

#[test]
fn the_page_of_the_shop_shows_the_return() {
    let sandbox = start();
    let shop = format!("{}{SHOP_RETURN}?basket=17", sandbox.base_url());
    let path = checkout_path(&sandbox, &order("A-1", json!({"redirectionURL": shop})));
    let location = press(&sandbox, &path, "pay");
    assert!(sandbox.returns().is_empty());
    let target = location
        .strip_prefix(&sandbox.base_url())
        .expect("the sandbox's own page");
    let page = get(&sandbox, target);
    assert!(
        page.body.contains(&target.replace('&', "&amp;")),
        "{}",
        page.body
    );
    assert_eq!(sandbox.returns(), [target]);
}
