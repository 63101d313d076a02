//! A request that breaks the interface's rules is refused with all violations, and nothing is sent.

mod support;

use serde_json::{Value, json};
use std::ptr;
use support::abi::{self, Client, build_create_order, build_get_status, c, call};
use support::orders::{FIELDS, config, order, query, with, without};
use support::responses::created;
use support::rows::Rows;
use support::service::Service;

const INVALID_ARGUMENT: i32 = 1;
const INVALID_REQUEST: i32 = 4;
const KIB_256: usize = 256 * 1024;

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
        self.rows
            .that(row, built.code == 0, || built.text().to_owned());
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

#[test]
fn an_amount_is_decimal_text_of_at_least_one() {
    let mut till = Till::open();
    let not_decimal = [
        "abc",
        "-5",
        "-0",
        "+1",
        " 1",
        "1 ",
        "1\n",
        "1.",
        ".5",
        ".",
        "1e3",
        "1E3",
        "1,5",
        "1.000,00",
        "1.2.3",
        "0x10",
        "1_000",
        "1 000",
        "NaN",
        "inf",
        "₹100",
        "100 INR",
        "١٠",
        "１０",
        "1\u{200b}",
        "1\u{0}",
        "1.5-",
    ];
    for amount in not_decimal {
        let broken = with(&order(), "amount", amount);
        till.refuses(&format!("amount {amount:?}"), &broken, &["amount: decimal"]);
    }
    let below_one = [
        "0",
        "00",
        "0.0",
        "0.99",
        "000.5",
        "0.999999999999999999999999999999999999999",
        "0000000000000000000000000000000000000000.9",
    ];
    for amount in below_one {
        let broken = with(&order(), "amount", amount);
        till.refuses(&format!("amount {amount:?}"), &broken, &["amount: minimum"]);
    }
    let fine = [
        "1",
        "1.0",
        "01",
        "1.00",
        "0001.000",
        "100.10",
        "1.0000000000000000000000000000000000001",
        "99999999999999999999.99",
        "179769313486231570000000000000000000000000000000000000000000000000",
    ];
    for amount in fine {
        till.takes(
            &format!("amount {amount:?}"),
            &with(&order(), "amount", amount),
        );
    }
    let long = format!("{}.{}", "9".repeat(10_000), "0".repeat(10_000));
    till.takes(
        "an amount of 20000 digits",
        &with(&order(), "amount", long.as_str()),
    );
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

#[test]
fn a_text_that_is_not_a_json_object_is_an_invalid_argument() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let order_text = order().to_string();
    let query_text = query().to_string();
    let padded = |length: usize| format!("{order_text}{}", " ".repeat(length - order_text.len()));
    let broken: Vec<(&str, Vec<u8>)> = vec![
        ("an empty text", b"".to_vec()),
        ("white space", b" \n".to_vec()),
        ("a word", b"order".to_vec()),
        ("null", b"null".to_vec()),
        ("a string", b"\"order\"".to_vec()),
        ("an array", format!("[{order_text}]").into()),
        ("half an object", order_text[..order_text.len() - 1].into()),
        ("text after it", format!("{order_text} x").into()),
        (
            "a second object after it",
            format!("{order_text}{order_text}").into(),
        ),
        ("a trailing comma", order_text.replace('}', ",}").into()),
        ("single quotes", order_text.replace('"', "'").into()),
        ("a comment", format!("{order_text}//").into()),
        (
            "a duplicate key",
            order_text.replacen('{', "{\"orderId\":\"O-2\",", 1).into(),
        ),
        (
            "a duplicate key, escaped",
            order_text
                .replacen('{', "{\"\\u006frderId\":\"O-2\",", 1)
                .into(),
        ),
        (
            "a duplicate unknown key",
            order_text
                .replacen('{', "{\"a\":\"1\",\"a\":\"1\",", 1)
                .into(),
        ),
        (
            "a raw control character",
            order_text.replace("Two", "Two\u{1}").into(),
        ),
        (
            "a lone surrogate",
            order_text.replace("Two", "\\ud800").into(),
        ),
        (
            "not UTF-8",
            [b"{\"orderId\":\"\xff\"".as_slice(), b"}"].concat(),
        ),
        (
            "UTF-8 of a surrogate",
            b"{\"orderId\":\"\xed\xa0\x80\"}".to_vec(),
        ),
        ("overlong UTF-8", b"{\"orderId\":\"\xc0\xaf\"}".to_vec()),
        ("one byte over 256 KiB", padded(KIB_256 + 1).into()),
        ("unclosed brackets, very deep", "[".repeat(200_000).into()),
    ];
    let mut rows = Rows::new();
    for (row, text) in broken {
        let text = c(text);
        // SAFETY: every pointer is valid for the call.
        let replies = unsafe {
            [
                (
                    "build_create_order",
                    call(|out| abi::payorder_build_create_order(text.as_ptr(), ptr::null(), out)),
                ),
                (
                    "build_get_status",
                    call(|out| abi::payorder_build_get_status(text.as_ptr(), out)),
                ),
                (
                    "create_order",
                    call(|out| {
                        abi::payorder_create_order(handle(&client), text.as_ptr(), ptr::null(), out)
                    }),
                ),
                (
                    "get_status",
                    call(|out| {
                        abi::payorder_get_status(handle(&client), text.as_ptr(), ptr::null(), out)
                    }),
                ),
            ]
        };
        for (call, reply) in replies {
            rows.same(&format!("{row} to {call}"), reply.code, INVALID_ARGUMENT);
            let name = reply.error()["name"].clone();
            rows.same(
                &format!("{row} to {call}"),
                name,
                json!("PAYORDER_INVALID_ARGUMENT"),
            );
        }
    }
    let fits = build_create_order(&padded(KIB_256), None);
    rows.same("exactly 256 KiB", fits.code, 0);
    let query_padded = format!("{query_text}{}", " ".repeat(KIB_256 - query_text.len()));
    rows.same(
        "a query of 256 KiB",
        build_get_status(&query_padded).code,
        0,
    );
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

fn handle(client: &Client) -> *mut abi::payorder_client {
    ptr::without_provenance_mut(client.key())
}

#[test]
fn null_is_an_invalid_argument_and_no_result_is_lost() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let (order, query) = (c(order().to_string()), c(query().to_string()));
    let mut rows = Rows::new();
    // SAFETY: every pointer is valid for the call, or NULL.
    unsafe {
        let reply =
            call(|out| abi::payorder_create_order(handle(&client), ptr::null(), ptr::null(), out));
        rows.same("create_order, no order", reply.code, INVALID_ARGUMENT);
        rows.same(
            "its error's name",
            &reply.error()["name"],
            &json!("PAYORDER_INVALID_ARGUMENT"),
        );
        let reply =
            call(|out| abi::payorder_get_status(handle(&client), ptr::null(), ptr::null(), out));
        rows.same("get_status, no query", reply.code, INVALID_ARGUMENT);
        let reply = call(|out| abi::payorder_build_create_order(ptr::null(), ptr::null(), out));
        rows.same("build_create_order, no order", reply.code, INVALID_ARGUMENT);
        let reply = call(|out| abi::payorder_build_get_status(ptr::null(), out));
        rows.same("build_get_status, no query", reply.code, INVALID_ARGUMENT);
        let code = abi::payorder_create_order(
            handle(&client),
            order.as_ptr(),
            ptr::null(),
            ptr::null_mut(),
        );
        rows.same("create_order, no out_json", code, INVALID_ARGUMENT);
        let code = abi::payorder_get_status(
            handle(&client),
            query.as_ptr(),
            ptr::null(),
            ptr::null_mut(),
        );
        rows.same("get_status, no out_json", code, INVALID_ARGUMENT);
        let code = abi::payorder_build_create_order(order.as_ptr(), ptr::null(), ptr::null_mut());
        rows.same("build_create_order accepts a NULL out_json", code, 0);
        let code = abi::payorder_build_get_status(c("{}").as_ptr(), ptr::null_mut());
        rows.same(
            "build_get_status accepts a NULL out_json",
            code,
            INVALID_REQUEST,
        );
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn a_deeply_nested_value_is_refused_without_a_crash() {
    let deep = format!(
        "{{\"amount\":{}{}}}",
        "[".repeat(100_000),
        "]".repeat(100_000)
    );
    for reply in [build_create_order(&deep, None), build_get_status(&deep)] {
        assert!(
            [INVALID_ARGUMENT, INVALID_REQUEST].contains(&reply.code),
            "{}",
            reply.text()
        );
    }
}
