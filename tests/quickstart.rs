//! Runs the built quickstart as a person would: a payment, and a failure of each outcome.

use std::process::Command;

/// Checks that the steps are in the output in this order, ignoring line breaks.
fn assert_in_order(output: &str, steps: &[&str]) {
    let unbroken: String = output.lines().map(str::trim_start).collect();
    let mut rest = unbroken.as_str();
    for step in steps {
        let at = rest
            .find(step)
            .unwrap_or_else(|| panic!("{step:?} is missing from the rest of\n{output}"));
        rest = &rest[at + step.len()..];
    }
}

const FAILURES: &[&str] = &[
    "NOT SENT",
    "4 PAYORDER_INVALID_REQUEST",
    "amount must be 1 or above",
    "payMode must be",
    "BASKET-18 never arrived, no order was created",
    "NOT SENT",
    "6 PAYORDER_CONNECT_FAILED",
    "BASKET-19 never arrived, no order was created",
    "REJECTED",
    "101 PAYORDER_UNAUTHORIZED",
    "BASKET-19 arrived once, no order was created",
    "UNKNOWN",
    "201 PAYORDER_CONNECTION_LOST",
    "BASKET-20 arrived once, the order was created",
    r#"{"searchType":"1","orderId":"BASKET-20"}"#,
    "0 PAYORDER_OK",
    "Pending",
];

#[test]
fn the_quickstart_runs_to_its_end_and_ignores_a_proxy_of_the_environment() {
    let name = format!("../examples/quickstart{}", std::env::consts::EXE_SUFFIX);
    let nowhere = "http://127.0.0.1:9";
    let output = Command::new(support::built::folder().join(name))
        .env("http_proxy", nowhere)
        .env("ALL_PROXY", nowhere)
        .output()
        .expect("`cargo build --example quickstart` has built it");
    let is_silent = output.stderr.is_empty();
    let transcript = support::built::transcript(&output);
    assert!(output.status.success() && is_silent, "{transcript}");
    let out = String::from_utf8(output.stdout).expect("UTF-8");
    let steps = [
        "payorder 0.1.0, C ABI 1",
        "payorder_create_order",
        "POST /api/v1/Gateway/CreateOrder",
        r#"{"amount":"249.50","merchantTxnId""#,
        r#"HTTP 200 {"responseCode":"200","responseMessage":"Success","data":{"url":"http://127.0.0.1:"#,
        "0 PAYORDER_OK",
        "https://shop.example/thanks?basket=17&txn=TXN0000001",
        "payorder_parse_return_url",
        r#"{"transactionId":"TXN0000001","statusQuery""#,
        "payorder_get_status",
        r#"{"searchType":"2","orderId":"","transactionId":"TXN0000001"}"#,
        r#""transactionStatus":"Completed""#,
        r#""completed":true"#,
        "payorder_verify_payment",
        r#"{"paid":true,"reasons":[]"#,
    ];
    let last = ["All is well: paid and verified"];
    assert_in_order(&out, &[&steps[..], FAILURES, &last].concat());
    for secret in [
        "sandbox-access-token",
        "sandbox-client-key",
        "sandbox-client-id",
        "sandbox-secret-key",
        "last-year-s",
    ] {
        assert!(!out.contains(secret), "{secret}");
    }
}
