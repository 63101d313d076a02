//! A return URL gives the identifier of one transaction, and nothing else. `tests/differential`
//! compares thousands of them, and those that are refused, with Python's `urllib.parse`.

use serde_json::json;
use support::abi::{build_get_status, parse_return_url};
use support::rows::Rows;
use support::table;

#[test]
fn a_return_url_gives_its_only_txn_and_nothing_else() {
    let mut rows = Rows::new();
    for (url, txn) in table! {
        "https://shop.example.com/done?status=paid&txn=T-900", "T-900";
        "mypos:done?txn=T", "T";
        "https://shop/r?a=b?c=d?txn=T&e=f", "T";
        "?TXN=U&mytxn=V&txn2=W&txn=T#a?txn=U", "T";
        "?txn=%C3%A9%e5%AE%a2é客", "é客é客";
        "?txn=a%26b%3Dc%3Fd%23e%22%5C", "a&b=c?d#e\"\\";
    } {
        let reply = parse_return_url(url);
        let query = json!({"searchType": "2", "orderId": "", "transactionId": txn});
        let expected = json!({"transactionId": txn, "statusQuery": query});
        rows.code(url, &reply, 0);
        rows.same(url, &reply.json, &expected);
        let accepted = build_get_status(&reply["statusQuery"].to_string());
        rows.code(url, &accepted, 0);
    }
    rows.end();
}
