//! A request that breaks the interface's rules is refused with all violations, and nothing is sent.

use std::ffi::{c_char, c_void};
use std::ptr;

use serde_json::{Value, json};
use support::abi::{self, Client, build_create_order, build_get_status, c};
use support::orders::{FIELDS, config, order, query, with, without};
use support::responses::created;
use support::rows::Rows;
use support::service::Service;
use support::table;

const INVALID_ARGUMENT: i32 = 1;
const INVALID_REQUEST: i32 = 4;

/// Checks the violations of a request, both when it is built and when it is sent.
struct Till {
    service: Service,
    client: Client,
    rows: Rows,
}

impl Till {
    fn open() -> Till {
        let service = Service::responding(created());
        let client = Client::new(&config(&service.url()));
        let rows = Rows::new();
        Till {
            service,
            client,
            rows,
        }
    }

    fn refuses_text(&mut self, order: &str, violations: &str) {
        let built = build_create_order(order, None);
        let sent = abi::create_order(self.client.key(), order, None);
        for reply in [built, sent] {
            self.rows.code(order, &reply, INVALID_REQUEST);
            self.rows
                .same(order, reply.violations().join(", "), violations.to_owned());
        }
    }

    fn refuses(&mut self, field: &str, value: impl Into<Value>, rule: &str) {
        let broken = with(&order(), field, value);
        self.refuses_text(&broken.to_string(), &format!("{field}: {rule}"));
    }

    fn refuses_query(&mut self, query: &str, violations: &str) {
        let built = build_get_status(query);
        let sent = abi::get_status(self.client.key(), query, None);
        for reply in [built, sent] {
            self.rows.code(query, &reply, INVALID_REQUEST);
            self.rows
                .same(query, reply.violations().join(", "), violations.to_owned());
        }
    }

    fn takes(&mut self, field: &str, value: &str) {
        let built = build_create_order(&with(&order(), field, value).to_string(), None);
        self.rows.code(&format!("{field} {value:.80}"), &built, 0);
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
        let missing = without(&order(), field).to_string();
        till.refuses_text(&missing, &format!("{field}: required"));
        for value in [
            json!(null),
            json!(1),
            json!(true),
            json!(["a"]),
            json!({"a": "b"}),
        ] {
            till.refuses(field, value, "type");
        }
        for blank in ["", "\t\r\n ", "\u{a0}", "\u{2003}\u{3000}", "\u{85}"] {
            till.refuses(field, blank, "blank");
        }
    }
    till.close();
}

/// Also numbers that are too large for any float.
#[test]
fn an_unknown_field_is_refused_whatever_its_value() {
    let mut till = Till::open();
    for field in [
        "udf1",
        "returnUrl",
        "Amount",
        "amount ",
        "",
        "größe",
        "searchType",
    ] {
        let values = "\"x\" null 1 \"\" 1e400 -1E+400 [1,1e999] {\"a\":{\"b\":1e400}}";
        for value in values.split(' ') {
            let member = format!("{{\"{field}\":{value},");
            let order = order().to_string().replacen('{', &member, 1);
            till.refuses_text(&order, &format!("{field}: unknown_field"));
        }
    }
    let deep = |depth| "[".repeat(depth) + "1e400" + &"]".repeat(depth);
    for (value, cause) in table! {
        "1e400,".to_owned(), "not_json";
        "1e400,\"b\":\"\\ud800\"".to_owned(), "not_json";
        "1e400,\"a\":1".to_owned(), "duplicate_key";
        deep(127), "too_long";
        deep(100_000), "too_long";
    } {
        let reply = build_create_order(&format!("{{\"a\":{value}}}"), None);
        till.rows.code(cause, &reply, INVALID_ARGUMENT);
        till.rows
            .same(cause, &reply.error()["cause"], &json!(cause));
    }
    till.close();
}

/// `core/src/gateway/amount.rs` has more amounts.
#[test]
fn an_amount_is_decimal_text_of_at_least_one() {
    let mut till = Till::open();
    for (amount, rule) in table! {
        "abc", "decimal";
        "-5", "decimal";
        "1e3", "decimal";
        "1.", "decimal";
        " 1", "decimal";
        "₹100", "decimal";
        "1\u{200b}", "decimal";
        "1\u{0}", "decimal";
        "0", "minimum";
        "000.99999999999999999999999999999999", "minimum";
    } {
        till.refuses("amount", amount, rule);
    }
    let long = format!("{}.{}", "9".repeat(10_000), "0".repeat(10_000));
    for amount in [
        "1",
        "0001.000",
        "1.0000000000000000000000000000000000001",
        &long,
    ] {
        till.takes("amount", amount);
    }
    till.close();
}

#[test]
fn a_pay_mode_is_one_of_the_five() {
    let mut till = Till::open();
    for mode in ["all", "cc", "dc", "upi", "nb"] {
        till.takes("payMode", mode);
    }
    for mode in ["ALL", "cash", " cc", "cc ", "cc,dc", "c"] {
        till.refuses("payMode", mode, "allowed");
    }
    till.close();
}

#[test]
fn a_return_url_is_absolute_and_leads_to_no_script_or_file() {
    let mut till = Till::open();
    let fine = "https://shop.example.com/done
        http://shop.example.com/done?order=1#paid
        HTTPS://Shop.Example.com:8443
        https://[2001:db8::1]:8443/r
        https://shop.example.com/größe
        MyPos://done
        com.example.pos://done?x=1
        intent://x#Intent;scheme=pos;end
        mypos:done
        my+pos-2.0://done";
    for url in fine.lines() {
        till.takes("redirectionURL", url.trim());
    }
    let broken = "javascript:alert(1)
        JAVASCRIPT://shop.example.com/%0aalert(1)
        DATA:text/html,x
        Data://shop.example.com/x
        VbScript:x
        file:///etc/passwd
        File:x
        http:shop.example.com
        https:/shop.example.com
        https://
        HTTPS:///done
        https://?q=1
        https://:443/done
        https://user@/done
        shop.example.com/done
        //shop.example.com/done
        ?a=b
        ://shop.example.com
        :done
        1pos://done
        my_pos://done
        https://shop.example.com/a b
        my pos://done
        https:\\\\shop.example.com\\done
        mypos://a\\b";
    let odd = [
        " https://a.example/",
        "https://a.example/ ",
        "https://a.example/\n",
    ];
    let odd = odd
        .into_iter()
        .chain(["https://a.example/\u{7f}", "https://a.example/\u{85}"]);
    let odd = odd.chain([
        "https://a.example/\u{0}",
        "java\tscript:alert(1)",
        "mypos://do\nne",
    ]);
    for url in broken.lines().map(str::trim).chain(odd) {
        till.refuses("redirectionURL", url, "url");
    }
    till.close();
}

#[test]
fn all_violations_are_listed_at_once_in_the_interfaces_order() {
    let mut till = Till::open();
    let required = FIELDS.map(|field| format!("{field}: required")).join(", ");
    till.refuses_text("{}", &required);
    let broken = json!({
        "currencyCode": null,
        "redirectionURL": "javascript:alert(1)",
        "customerEmail": " ",
        "customerMobile": 9876543210_u64,
        "customerName": "Asha Verma",
        "productInfo": "",
        "payMode": "cash",
        "orderId": "O-1",
        "merchantTxnId": ["T"],
        "amount": "0.50",
        "udf1": "x",
    });
    let listed = "amount: minimum, merchantTxnId: type, payMode: allowed, merchantId: required, \
                  productInfo: blank, customerMobile: type, customerEmail: blank, \
                  redirectionURL: url, currencyCode: type, udf1: unknown_field";
    till.refuses_text(&broken.to_string(), listed);
    let reply = till.client.create(&broken);
    for violation in reply.error()["violations"].as_array().expect("a list") {
        let text = |key: &str| violation[key].as_str().expect("a text");
        let names_it = text("message").contains(text("field"));
        till.rows
            .holds("its message", names_it, &violation.to_string());
    }
    till.close();
}

#[test]
fn a_status_query_names_its_search_type() {
    let by_order = r#"{"searchType":"1","orderId":"O-1"}"#;
    let by_transaction = r#"{"searchType":"2","orderId":"","transactionId":"T-1"}"#;
    let mut rows = Rows::new();
    for (query, wire) in table! {
        by_order, by_order;
        by_transaction, by_transaction;
        r#"{"transactionId":"T-1","searchType":"2"}"#, by_transaction;
        r#"{"orderId":"O-1"}"#, by_order;
        r#"{"transactionId":"T-1"}"#, by_transaction;
        r#"{"orderId":"O-1","transactionId":""}"#, by_order;
        "{\"orderId\":\" \u{3000}\",\"transactionId\":\"T-1\"}", by_transaction;
        r#"{"transactionId":"T-1","searchType":"1","orderId":"O-1"}"#, by_order;
        r#"{"searchType":"2","orderId":"O-1","transactionId":"T-1"}"#, by_transaction;
    } {
        rows.same(query, build_get_status(query).text(), wire);
    }
    rows.end();
    let mut till = Till::open();
    for (query, violations) in table! {
        r#"{"searchType":"1","transactionId":"T-1"}"#, "orderId: required";
        r#"{"searchType":"2","orderId":"O-1"}"#, "transactionId: required";
        r#"{"searchType":"01","orderId":"O-1"}"#, "searchType: allowed";
        r#"{"searchType":"1 ","orderId":"O-1"}"#, "searchType: allowed";
        r#"{"searchType":"","orderId":"O-1"}"#, "searchType: blank";
        r#"{"searchType":1,"orderId":"O-1"}"#, "searchType: type";
        r#"{"searchType":"1","orderId":17}"#, "orderId: type";
        r#"{"searchType":"1","orderId":1e400}"#, "orderId: type";
        r#"{"orderId":true}"#, "orderId: type";
        r#"{"searchType":"2","transactionId":["T"]}"#, "transactionId: type";
        r#"{"orderId":"O-1","orderID":"O-1"}"#, "orderID: unknown_field";
        r#"{"orderId":"O-1","transactionId":"T-1"}"#, "searchType: conflict";
        r#"{"searchType":"1","orderId":""}"#, "orderId: blank";
        r#"{"searchType":"2","transactionId":" "}"#, "transactionId: blank";
        r#"{"searchType":"9","orderId":1,"x":"y"}"#,
            "searchType: allowed, orderId: type, x: unknown_field";
    } {
        till.refuses_query(query, violations);
    }
    for nothing in ["{}", r#"{"orderId":"","transactionId":" "}"#] {
        build_get_status(nothing).is(INVALID_REQUEST);
    }
    till.close();
}

unsafe extern "C" fn never(_: usize, _: i32, _: *const c_char, _: *mut c_void) -> i32 {
    panic!("nothing is sent")
}

#[test]
fn without_a_place_for_the_result_nothing_is_sent() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let key = ptr::without_provenance_mut(client.key());
    let (order, query, queries) = (c(order().to_string()), c(query().to_string()), c("[{}]"));
    let (order, query, queries) = (order.as_ptr(), query.as_ptr(), queries.as_ptr());
    let (none, nowhere, data) = (ptr::null(), ptr::null_mut(), ptr::null_mut());
    // SAFETY: every pointer is valid for the call, or NULL.
    let (refused, offline) = unsafe {
        (
            [
                abi::payorder_create_order(key, order, none, nowhere),
                abi::payorder_get_status(key, query, none, nowhere),
                abi::payorder_wait_for_payment(key, query, none, nowhere),
                abi::payorder_get_statuses(key, queries, none, Some(never), data, nowhere),
            ],
            [
                abi::payorder_build_create_order(order, none, nowhere),
                abi::payorder_build_get_status(c"{}".as_ptr(), nowhere),
                abi::payorder_parse_return_url(c"?txn=T".as_ptr(), nowhere),
                abi::payorder_client_new(c"{}".as_ptr(), ptr::null_mut(), nowhere),
                abi::payorder_json_get(c"[1]".as_ptr(), c"".as_ptr(), nowhere),
                abi::payorder_json_set(c"{}".as_ptr(), c"/a".as_ptr(), c"1".as_ptr(), nowhere),
                abi::payorder_json_quote(c"a".as_ptr(), nowhere),
                abi::payorder_json_count(c"[1]".as_ptr(), c"".as_ptr(), ptr::null_mut()),
            ],
        )
    };
    assert_eq!(refused, [INVALID_ARGUMENT; 4]);
    assert_eq!(
        offline,
        [0, INVALID_REQUEST, 0, INVALID_ARGUMENT, 0, 0, 0, 0]
    );
    assert_eq!(service.connections(), 0, "nothing was sent");
}
