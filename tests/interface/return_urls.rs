//! A return URL names one transaction, or is refused. `tests/differential` compares thousands of
//! them with Python's `urllib.parse`.

use serde_json::json;
use support::abi::{build_get_status, parse_return_url};
use support::rows::Rows;
use support::table;

#[test]
fn a_single_txn_is_read() {
    let mut rows = Rows::new();
    for (url, txn) in table! {
        "https://shop.example.com/done?txn=T-900", "T-900";
        "mypos:done?txn=T", "T";
        "/?txn=T", "T";
        "?txn=T", "T";
        "https://shop.example.com/done?a&txn=T&&b=", "T";
        "https://shop.example.com/done?txn=T#a?txn=U", "T";
        "https://shop/r?a=b?c=d?txn=T&e=f", "T";
        "?TXN=U&mytxn=V&txn2=W&txn=T", "T";
        "/txn=U?txn=T", "T";
        "?txn=a+b%2B%20c%2520", "a b+ c%20";
        "?txn=%C3%A9%e5%AE%a2é客", "é客é客";
        "?txn==a=b", "=a=b";
        "?txn=a%26b%3Dc%3Fd%23e%22%5C", "a&b=c?d#e\"\\";
        "?%74xn=T", "T";
    } {
        let reply = parse_return_url(url);
        let query = json!({"searchType": "2", "orderId": "", "transactionId": txn});
        rows.code(url, &reply, 0);
        rows.same(
            url,
            &reply.json,
            &json!({"transactionId": txn, "statusQuery": query}),
        );
        let accepted = build_get_status(&reply["statusQuery"].to_string());
        rows.code(url, &accepted, 0);
    }
    rows.end();
}

#[test]
fn without_exactly_one_usable_txn_it_is_refused() {
    let urls = "https://shop.example.com/done
        ?
        ?txn
        ?txn=&a=b
        https://shop.example.com/done#txn=T
        https://shop.example.com/done#?txn=T
        ?txn=T&txn=T
        ?txn=T?txn=U
        ?txn&txn=T
        ?txn=T&%74xn=U
        ?TXN=T
        ?txn=%00
        ?txn=a%0Ab
        ?txn=%7F
        ?txn=%C2%85
        ?txn=%ff
        ?txn=%C3
        ?txn=%ED%A0%80
        ?txn=%20";
    let urls = urls.lines().map(str::trim);
    let mut rows = Rows::new();
    for url in urls.chain(["", "?txn=a\nb", "?txn=\u{1}"]) {
        rows.code(url, &parse_return_url(url), 4);
    }
    rows.end();
}
