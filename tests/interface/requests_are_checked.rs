//! A request that breaks the interface's rules is refused with all violations, and nothing is sent.

use std::ffi::{c_char, c_void};
use std::ptr;

use serde_json::{Value, json};
use support::abi::{self, Client, Reply, build_create_order, build_get_status, c};
use support::orders::{FIELDS, config, order, query, with, without};
use support::responses::created;
use support::result::{INVALID_ARGUMENT, INVALID_REQUEST};
use support::rows::Rows;
use support::service::Service;
use support::table;

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
        let sent = abi::create_order(self.client.key(), order, None);
        self.broken(order, [build_create_order(order, None), sent], violations);
    }

    fn refuses_query(&mut self, query: &str, violations: &str) {
        let sent = abi::get_status(self.client.key(), query, None);
        self.broken(query, [build_get_status(query), sent], violations);
    }

    fn broken(&mut self, row: &str, replies: [Reply; 2], violations: &str) {
        for reply in replies {
            self.rows.code(row, &reply, INVALID_REQUEST);
            let listed = reply.violations().join(", ");
            self.rows.same(row, &*listed, violations);
        }
    }

    fn refuses(&mut self, field: &str, value: impl Into<Value>, rule: &str) {
        let broken = with(&order(), field, value);
        self.refuses_text(&broken.to_string(), &format!("{field}: {rule}"));
    }

    fn takes(&mut self, field: &str, value: Value) {
        let order = with(&order(), field, value).to_string();
        self.rows.code(&order, &build_create_order(&order, None), 0);
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

/// Fields, values as JSON, and the rules that these break, or `ok`.
const VALUES: &str = r#"
    amount "1" ok
    amount "1.000" ok
    amount "100.1000000000000000000000000000000" ok
    amount "7.7225" decimal
    amount "1.0000000000000000000000000000000000001" decimal
    amount "01" decimal
    amount "000010000" decimal
    amount "00" decimal
    amount "00.5" decimal
    amount "abc" decimal
    amount "-5" decimal
    amount "1e3" decimal
    amount "1." decimal
    amount ".5" decimal
    amount "+1" decimal
    amount " 1" decimal
    amount "1,5" decimal
    amount "1.2.3" decimal
    amount "\u0661" decimal
    amount "1\u200b" decimal
    amount "1\u0000" decimal
    amount "0" minimum
    amount "0.99" minimum
    orderId "O 1" ok
    orderId "O-1 " characters
    orderId "X-1\r" characters
    orderId "X\u00001" characters
    orderId "X\u007f1" characters
    orderId "\u00a0X" characters
    merchantTxnId "\tT" characters
    merchantTxnId "T\u0085" characters
    merchantId "M\n" characters
    customerName " Asha\n" ok
    productInfo "Tea\r\n" ok
    payMode "all" ok
    payMode "cc" ok
    payMode "dc" ok
    payMode "upi" ok
    payMode "nb" ok
    payMode "ALL" allowed
    payMode "cash" allowed
    payMode "cc " allowed
    redirectionURL "https://shop.example.com/done" ok
    redirectionURL "http://shop.example.com/done?order=1#paid" ok
    redirectionURL "HTTPS://Shop.Example.com:8443" ok
    redirectionURL "https://[2001:db8::1]:8443/r" ok
    redirectionURL "https://shop.example.com/größe" ok
    redirectionURL "MyPos://done" ok
    redirectionURL "intent://x#Intent;scheme=pos;end" ok
    redirectionURL "mypos:done" ok
    redirectionURL "https://shop.example.com/done?mytxn=1&TXN=2#txn=3" ok
    redirectionURL "https://shop.example.com/done?a=b&txn=1" url
    redirectionURL "https://shop.example.com/done?txn" url
    redirectionURL "https://shop.example.com/done?a?%74xn=" url
    redirectionURL "mypos:done?txn=" url
    redirectionURL "my+pos-2.0://done" ok
    redirectionURL "javascript:alert(1)" url
    redirectionURL "JAVASCRIPT://shop.example.com/%0aalert(1)" url
    redirectionURL "java\tscript:alert(1)" url
    redirectionURL "DATA:text/html,x" url
    redirectionURL "VbScript:x" url
    redirectionURL "file:///etc/passwd" url
    redirectionURL "http:shop.example.com" url
    redirectionURL "https:/shop.example.com" url
    redirectionURL "HTTPS:///done" url
    redirectionURL "https://?q=1" url
    redirectionURL "https://:443/done" url
    redirectionURL "shop.example.com/done" url
    redirectionURL "//shop.example.com/done" url
    redirectionURL ":done" url
    redirectionURL "my_pos://done" url
    redirectionURL "https://shop.example.com/a b" url
    redirectionURL " https://shop.example.com/" url
    redirectionURL "https://shop.example.com/\n" url
    redirectionURL "https://shop.example.com/\u007f" url
    redirectionURL "https://shop.example.com/\u0085" url
    redirectionURL "mypos://do\nne" url
    redirectionURL "https:\\\\shop.example.com" url
    redirectionURL "mypos://a\\b" url
"#;

#[test]
fn amounts_modes_and_return_urls_have_their_rules() {
    let mut till = Till::open();
    for line in VALUES
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
    {
        let (field, rest) = line.split_once(' ').expect("a field");
        let (value, rule) = rest.rsplit_once(' ').expect("a rule");
        let value: Value = serde_json::from_str(value).expect("JSON");
        match rule {
            "ok" => till.takes(field, value),
            rule => till.refuses(field, value, rule),
        }
    }
    let long = format!("{}.{}", "9".repeat(10_000), "0".repeat(10_000));
    till.takes("amount", json!(long));
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
    let refused = unsafe {
        [
            abi::payorder_create_order(key, order, none, nowhere),
            abi::payorder_get_status(key, query, none, nowhere),
            abi::payorder_wait_for_payment(key, query, none, nowhere),
            abi::payorder_get_statuses(key, queries, none, Some(never), data, nowhere),
        ]
    };
    assert_eq!(refused, [INVALID_ARGUMENT; 4]);
    assert_eq!(service.connections(), 0, "nothing was sent");
}
