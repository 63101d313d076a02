//! A request that breaks the interface's rules is refused with all violations, and nothing is sent.

mod results;

use serde_json::{Value, json};
use support::abi::{Client, build_create_order};
use support::orders::{FIELDS, config, order, with, without};
use support::responses::created;
use support::rows::Rows;
use support::service::Service;
use support::table;

const INVALID_ARGUMENT: i32 = 1;
const INVALID_REQUEST: i32 = 4;

/// Checks the violations of an order, both when it is built and when it is sent.
struct Till {
    service: Service,
    client: Client,
    rows: Rows,
}

impl Till {
    fn open() -> Till {
        let service = Service::responding(created());
        let client = Client::new(&config(&service.url()));
        Till {
            service,
            client,
            rows: Rows::new(),
        }
    }

    fn refuses(&mut self, row: &str, order: &Value, violations: &[&str]) {
        let built = build_create_order(&order.to_string(), None);
        let sent = self.client.create(order);
        for (way, reply) in [("built", built), ("sent", sent)] {
            let got = (reply.code, reply.violations());
            let expected = violations.iter().map(|text| (*text).to_owned()).collect();
            self.rows
                .same(&format!("{row} ({way})"), got, (INVALID_REQUEST, expected));
        }
    }

    fn takes(&mut self, row: &str, order: &Value) {
        let built = build_create_order(&order.to_string(), None);
        self.rows.code(row, &built, 0);
    }

    #[track_caller]
    fn close(self) {
        self.rows.end();
        assert_eq!(self.service.connections(), 0, "nothing was sent");
    }
}

#[test]
fn every_field_is_required_is_a_string_and_is_not_blank() {
    let mut till = Till::open();
    for field in FIELDS {
        let missing = without(&order(), field);
        till.refuses(
            &format!("no {field}"),
            &missing,
            &[&format!("{field}: required")],
        );
        for value in [
            json!(null),
            json!(1),
            json!(100.5),
            json!(true),
            json!(["a"]),
            json!({"a": "b"}),
        ] {
            let row = format!("{field} is {value}");
            let broken = with(&order(), field, value);
            till.refuses(&row, &broken, &[&format!("{field}: type")]);
        }
        for blank in [
            "",
            " ",
            "\t\r\n ",
            "\u{a0}",
            "\u{2003}\u{3000}",
            "\u{85}",
            "\u{2028}",
        ] {
            let row = format!("{field} is {blank:?}");
            let broken = with(&order(), field, blank);
            till.refuses(&row, &broken, &[&format!("{field}: blank")]);
        }
    }
    till.close();
}

/// `tests/differential` compares thousands of amounts with Python's `decimal`.
#[test]
fn an_amount_is_decimal_text_of_at_least_one() {
    let mut till = Till::open();
    let tiny = format!("0.{}", "9".repeat(40));
    for (amount, rule) in table! {
        "abc", "decimal";
        "-5", "decimal";
        "₹100", "decimal";
        "100 INR", "decimal";
        "1\u{200b}", "decimal";
        "1\u{0}", "decimal";
        "1.5-", "decimal";
        "0", "minimum";
        "000.99", "minimum";
        &tiny, "minimum";
    } {
        let broken = with(&order(), "amount", amount);
        let violation = format!("amount: {rule}");
        till.refuses(&format!("amount {amount:?}"), &broken, &[&violation]);
    }
    let long = format!("{}.{}", "9".repeat(10_000), "0".repeat(10_000));
    for amount in [
        "1",
        "0001.000",
        "1.0000000000000000000000000000000000001",
        &long,
    ] {
        let row = format!("amount {amount:.40}");
        till.takes(&row, &with(&order(), "amount", amount));
    }
    till.close();
}

#[test]
fn a_pay_mode_is_one_of_the_five() {
    let mut till = Till::open();
    for mode in ["all", "cc", "dc", "upi", "nb"] {
        till.takes(mode, &with(&order(), "payMode", mode));
    }
    for mode in ["ALL", "Cc", "cash", " cc", "cc ", "cc,dc", "wallet", "c"] {
        let broken = with(&order(), "payMode", mode);
        till.refuses(&format!("payMode {mode:?}"), &broken, &["payMode: allowed"]);
    }
    till.close();
}

#[test]
fn a_return_url_is_absolute_and_leads_to_no_script_or_file() {
    let mut till = Till::open();
    let fine = [
        "https://shop.example.com/done",
        "http://shop.example.com/done?order=1#paid",
        "HTTPS://Shop.Example.com",
        "https://shop.example.com:8443/r?a=b&c=%20d",
        "http://127.0.0.1:3000/done",
        "https://[2001:db8::1]:8443/r",
        "https://shop.example.com/größe",
        "mypos://done",
        "MyPos://done",
        "com.example.pos://done?x=1",
        "intent://x#Intent;scheme=pos;end",
        "mypos:done",
        "my+pos-2.0://done",
    ];
    for url in fine {
        till.takes(url, &with(&order(), "redirectionURL", url));
    }
    let broken = [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "JAVASCRIPT://shop.example.com/%0aalert(1)",
        "data:text/html,x",
        "DATA:text/html,x",
        "Data://shop.example.com/x",
        "vbscript:x",
        "VbScript:x",
        "VBSCRIPT://x/y",
        "file:///etc/passwd",
        "FILE:///x",
        "File://host/x",
        "file:x",
        "http:shop.example.com",
        "http:/shop.example.com",
        "https:shop.example.com",
        "https:/shop.example.com",
        "HTTPS:shop.example.com",
        "Http:/shop.example.com/done",
        "https://",
        "http://",
        "https:///done",
        "HTTPS:///done",
        "https://?q=1",
        "https://#f",
        "https://:443/done",
        "https://user@/done",
        "shop.example.com/done",
        "shop.example.com",
        "/done",
        "//shop.example.com/done",
        "?a=b",
        "done",
        "://shop.example.com",
        ":done",
        "1pos://done",
        "my_pos://done",
        "+pos://done",
        "https://shop.example.com/a b",
        " https://shop.example.com/",
        "https://shop.example.com/ ",
        "my pos://done",
        "https://shop.example.com/a\tb",
        "https://shop.example.com/\n",
        "https://shop.example.com/\r\nX-A: b",
        "https://shop.example.com/\u{1}",
        "https://shop.example.com/\u{7f}",
        "https://shop.example.com/\u{0}",
        "https://shop.example.com/\u{85}",
        "https://shop.example.com/\u{9f}",
        "\u{1}https://shop.example.com/",
        "java\tscript:alert(1)",
        "mypos://do\nne",
        "https:\\\\shop.example.com\\done",
        "https://shop.example.com\\done",
        "mypos://a\\b",
        "https:/\\shop.example.com",
    ];
    for url in broken {
        let order = with(&order(), "redirectionURL", url);
        till.refuses(
            &format!("redirectionURL {url:?}"),
            &order,
            &["redirectionURL: url"],
        );
    }
    till.close();
}

#[test]
fn an_unknown_field_is_refused() {
    let mut till = Till::open();
    for field in [
        "udf1",
        "returnUrl",
        "Amount",
        "amount ",
        "",
        "txn",
        "größe",
        "searchType",
    ] {
        for value in [json!("x"), json!(null), json!(1), json!("")] {
            let extra = with(&order(), field, value.clone());
            let violation = format!("{field}: unknown_field");
            till.refuses(&format!("{field:?} {value}"), &extra, &[&violation]);
        }
    }
    till.close();
}

#[test]
fn all_violations_are_listed_at_once_in_the_interfaces_order() {
    let mut till = Till::open();
    let required: Vec<String> = FIELDS
        .iter()
        .map(|field| format!("{field}: required"))
        .collect();
    let required: Vec<&str> = required.iter().map(String::as_str).collect();
    till.refuses("an empty order", &json!({}), &required);

    let broken = json!({
        "currencyCode": null,
        "redirectionURL": "javascript:alert(1)",
        "customerEmail": " ",
        "customerMobile": 9876543210u64,
        "customerName": "Asha Verma",
        "productInfo": "",
        "payMode": "cash",
        "orderId": "O-1",
        "merchantTxnId": ["T"],
        "amount": "0.50",
        "udf1": "x",
    });
    let listed = [
        "amount: minimum",
        "merchantTxnId: type",
        "payMode: allowed",
        "merchantId: required",
        "productInfo: blank",
        "customerMobile: type",
        "customerEmail: blank",
        "redirectionURL: url",
        "currencyCode: type",
        "udf1: unknown_field",
    ];
    till.refuses("ten different violations", &broken, &listed);
    till.close();
}

#[test]
fn each_violation_has_a_message_that_names_its_field() {
    let broken = json!({"amount": "0", "payMode": "cash", "udf1": "x"});
    let reply = build_create_order(&broken.to_string(), None);
    let violations = reply.error()["violations"]
        .as_array()
        .expect("a list")
        .clone();
    assert_eq!(violations.len(), 12, "{}", reply.text());
    for violation in violations {
        let text = |key: &str| violation[key].as_str().expect("a text").to_owned();
        assert!(text("message").contains(&text("field")), "{violation}");
        assert_eq!(violation.as_object().unwrap().len(), 3, "{violation}");
    }
}
