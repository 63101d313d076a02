//! A return URL names one transaction, or is refused.

use serde_json::json;
use support::abi::{build_get_status, parse_return_url};
use support::rows::Rows;

const INVALID_REQUEST: i32 = 4;

#[test]
fn a_single_txn_is_read() {
    let table = [
        ("https://shop.example.com/done?txn=T-900", "T-900"),
        ("http://127.0.0.1:3000/done?txn=T", "T"),
        ("mypos://done?txn=T", "T"),
        ("mypos:done?txn=T", "T"),
        ("/done?txn=T", "T"),
        ("/?txn=T", "T"),
        ("?txn=T", "T"),
        ("https://shop.example.com?txn=T", "T"),
        ("https://shop.example.com/done?order=1&txn=T", "T"),
        ("https://shop.example.com/done?txn=T&order=1", "T"),
        ("https://shop.example.com/done?a&txn=T&&b=", "T"),
        ("https://shop.example.com/done?txn=T#txn=U", "T"),
        ("https://shop.example.com/done?txn=T#a?txn=U", "T"),
        ("https://shop.example.com/done?txn=T#", "T"),
        ("https://shop/r?a=b?txn=T", "T"),
        ("https://shop/r?txn=T?a=b", "T"),
        ("https://shop/r?a=b?c=d?txn=T&e=f", "T"),
        ("?TXN=U&txn=T", "T"),
        ("?mytxn=U&txn=T", "T"),
        ("?txn2=U&txn=T", "T"),
        ("/txn=U?txn=T", "T"),
        ("?txn=a+b", "a b"),
        ("?txn=a%2Bb", "a+b"),
        ("?txn=a%20b", "a b"),
        ("?txn=%41%62", "Ab"),
        ("?txn=%C3%A9%e5%AE%a2", "é客"),
        ("?txn=é客", "é客"),
        ("?txn=a=b", "a=b"),
        ("?txn==", "="),
        ("?txn=a%26b%3Dc%3Fd%23e", "a&b=c?d#e"),
        ("?txn=%22%5C", "\"\\"),
        ("?txn=a%2520b", "a%20b"),
        ("?%74xn=T", "T"),
    ];
    let mut rows = Rows::new();
    for (url, txn) in table {
        let reply = parse_return_url(url);
        let expected = json!({
            "transactionId": txn,
            "statusQuery": {"searchType": "2", "orderId": "", "transactionId": txn},
        });
        rows.that(url, reply.json == expected, || {
            format!("expected {expected}, got {}", reply.text())
        });
        rows.same(url, reply.code, 0);
        rows.same(
            &format!("{url}: the query is accepted"),
            build_get_status(&reply["statusQuery"].to_string()).code,
            0,
        );
    }
    rows.end();
}

#[test]
fn without_exactly_one_usable_txn_it_is_refused() {
    let urls = [
        "https://shop.example.com/done",
        "https://shop.example.com/done?",
        "https://shop.example.com/done?order=1",
        "/done",
        "?",
        "",
        "?txn",
        "?txn=",
        "?txn=&a=b",
        "https://shop.example.com/done#txn=T",
        "https://shop.example.com/done#?txn=T",
        "?txn=T&txn=U",
        "?txn=T&txn=T",
        "?txn=T?txn=U",
        "?txn=&txn=T",
        "?txn=T&txn=",
        "?txn&txn=T",
        "?txn=&txn=",
        "?txn=T&txn=&txn=U",
        "?txn=T&%74xn=U",
        "?TXN=T",
        "?Txn=T",
        "?txn =T",
        "?mytxn=T",
        "?txn[]=T",
        "?txn=%00",
        "?txn=a%0Ab",
        "?txn=%0d%0a",
        "?txn=%09",
        "?txn=%7F",
        "?txn=%1b",
        "?txn=%C2%85",
        "?txn=a\nb",
        "?txn=\u{1}",
        "?txn=%ff",
        "?txn=%C3",
        "?txn=%C3%28",
        "?txn=%ED%A0%80",
        "?txn=%C0%AF",
        "?txn=%F4%90%80%80",
        "?txn=%20",
        "?txn=+",
        "?txn=%C2%A0",
    ];
    let mut rows = Rows::new();
    for url in urls {
        let reply = parse_return_url(url);
        rows.that(&format!("{url:?}"), reply.code == INVALID_REQUEST, || {
            format!("{} {}", reply.code, reply.text())
        });
    }
    rows.end();
}
