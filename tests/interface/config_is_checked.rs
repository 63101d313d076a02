//! A client is created only from a valid config. The error message names the invalid key, and never
//! shows a credential.

mod addresses;
mod files;

use serde_json::{Value, json};
use std::ptr;
use support::abi::{self, Client, c};
use support::orders::{config, with};
use support::rows::Rows;
use support::table;

const INVALID_ARGUMENT: i32 = 1;
const INVALID_CONFIG: i32 = 3;

fn valid() -> Value {
    config("https://pay.example.com")
}

fn check_refused(rows: &mut Rows, row: &str, config: &Value, key: &str) {
    match Client::try_new(config) {
        Ok(_) => rows.that(row, false, || "was accepted".into()),
        Err(reply) => {
            rows.same(row, reply.code, INVALID_CONFIG);
            rows.same(
                row,
                &reply.error()["name"],
                &json!("PAYORDER_INVALID_CONFIG"),
            );
            rows.that(row, reply.message().contains(key), || {
                format!("no {key} in {:?}", reply.message())
            });
        }
    }
}

fn check_accepted(rows: &mut Rows, row: &str, config: &Value) {
    let refused = Client::try_new(config).err();
    rows.that(row, refused.is_none(), || {
        refused.unwrap().text().to_owned()
    });
}

/// Checks that each of these values of each key is refused.
fn check_each_refused(rows: &mut Rows, keys: &[&str], values: &Value) {
    for key in keys {
        for value in values.as_array().expect("a list") {
            let config = with(&valid(), key, value.clone());
            check_refused(rows, &format!("{key} {value}"), &config, key);
        }
    }
}

#[test]
fn a_value_of_the_wrong_type_is_refused() {
    let texts = [
        "baseUrl",
        "accessToken",
        "clientKey",
        "clientId",
        "secretKey",
        "proxy",
        "returnUrlField",
        "userAgent",
    ];
    let mut rows = Rows::new();
    let no_texts = json!([null, 1, true, ["https://pay.example.com"], {}]);
    check_each_refused(&mut rows, &texts, &no_texts);
    let no_numbers = json!([null, "2000", true, [2000], {}, 2000.5, -1]);
    check_each_refused(&mut rows, &NUMBERS.map(|(key, ..)| key), &no_numbers);
    for (key, values) in table! {
        "allowInsecureHttp", json!([null, 0, 1, "true", []]);
        "tls", json!([null, "bundled", [], true]);
        "checkoutHosts", json!([null, "pay.example.com", {}, [1], [null], ["a", ["b"]]]);
    } {
        check_each_refused(&mut rows, &[key], &values);
    }
    rows.end();
}

/// Numbers with their ranges.
const NUMBERS: [(&str, u64, u64); 6] = table! {
    "timeoutMs", 1, 600_000;
    "connectTimeoutMs", 1, 600_000;
    "createRetries", 0, 10;
    "statusRetries", 0, 10;
    "maxIdleMs", 0, 600_000;
    "maxResponseBytes", 1024, 16_777_216;
};

#[test]
fn a_number_may_have_the_limits_of_its_range() {
    let mut rows = Rows::new();
    for (key, least, most) in NUMBERS {
        for value in [least, most] {
            let config = with(&valid(), key, value);
            check_accepted(&mut rows, &format!("{key} {value}"), &config);
        }
        let below = i64::try_from(least).unwrap() - 1;
        let outside = json!([below, most + 1, u64::MAX, i64::MIN, 1e300]);
        check_each_refused(&mut rows, &[key], &outside);
        let huge = with(&valid(), key, "HUGE").to_string();
        let huge = huge.replace("\"HUGE\"", "99999999999999999999999999");
        let code = Client::try_from_text(&huge).err().map(|reply| reply.code);
        rows.same(&format!("{key} of 26 digits"), code, Some(INVALID_CONFIG));
    }
    rows.end();
}

#[test]
fn an_unknown_key_is_refused() {
    let mut rows = Rows::new();
    for key in [
        "baseURL",
        "base_url",
        "timeout",
        "BaseUrl",
        "x",
        "returnURLField",
        "retries",
        "größe",
    ] {
        check_refused(&mut rows, key, &with(&valid(), key, "x"), key);
    }
    for key in ["ca_file", "cafile", "insecure", "verify", "key"] {
        check_refused(
            &mut rows,
            key,
            &with(&valid(), "tls", json!({key: "x"})),
            key,
        );
    }
    rows.end();
}

#[test]
fn a_credential_is_visible_ascii_of_up_to_4096_bytes() {
    let mut rows = Rows::new();
    for key in ["accessToken", "clientKey", "clientId", "secretKey"] {
        for value in ["a".into(), "!~\"\\/{}:;".into(), "x".repeat(4096)] as [String; 3] {
            check_accepted(
                &mut rows,
                &format!("{key} of {} bytes", value.len()),
                &with(&valid(), key, value),
            );
        }
        for value in [
            String::new(),
            " ".into(),
            " MARK-SECRET-1".into(),
            "MARK-SECRET-1 ".into(),
            "\tMARK-SECRET-1".into(),
            "MARK-SECRET-1\n".into(),
            "MARK\u{0}SECRET".into(),
            "MARK\r\nX-A: b".into(),
            "MARK\u{7f}SECRET".into(),
            "MARK-SÉCRET".into(),
            "MARK\u{a0}SECRET".into(),
            "MARK客".into(),
            "MARK".repeat(1024) + "x",
        ] {
            let row = format!("{key} {value:.20?}");
            let broken = with(&valid(), key, value.as_str());
            check_refused(&mut rows, &row, &broken, key);
            let said = Client::try_new(&broken)
                .err()
                .map_or(String::new(), |reply| reply.text().to_owned());
            rows.that(&row, !said.contains("MARK"), || format!("shows it: {said}"));
        }
    }
    let two = with(
        &with(&valid(), "timeoutMs", "MARK"),
        "accessToken",
        "MARK-TOKEN-7",
    );
    let said = Client::try_new(&two).err().unwrap();
    rows.holds(
        "another key is invalid",
        !said.text().contains("MARK-TOKEN"),
        said.text(),
    );
    rows.end();
}

#[test]
fn a_user_agent_cannot_carry_a_second_header() {
    let mut rows = Rows::new();
    check_accepted(
        &mut rows,
        "plain",
        &with(&valid(), "userAgent", "till/7 (desk 3; x64)"),
    );
    for agent in ["till\r\nX-A: b", "till\n", "till\u{0}", "till\u{7f}"] {
        check_refused(
            &mut rows,
            agent,
            &with(&valid(), "userAgent", agent),
            "userAgent",
        );
    }
    rows.end();
}

#[test]
fn a_key_of_tls_that_is_there_twice_is_an_invalid_argument() {
    let twice = r#"{"tls":{"roots":"bundled","roots":"bundled"},"#;
    let text = valid().to_string().replacen('{', twice, 1);
    let code = Client::try_from_text(&text).err().map(|reply| reply.code);
    assert_eq!(code, Some(INVALID_ARGUMENT));
}

#[test]
fn null_arguments_are_errors() {
    let text = c(valid().to_string());
    let wild = ptr::without_provenance_mut(usize::MAX);
    // SAFETY: every pointer is valid for the call, or NULL.
    unsafe {
        let mut client = wild;
        let reply = abi::call(|out| abi::payorder_client_new(ptr::null(), &mut client, out));
        reply.is(INVALID_ARGUMENT);
        assert!(client.is_null());
        let reply = abi::call(|out| abi::payorder_client_new(text.as_ptr(), ptr::null_mut(), out));
        reply.is(INVALID_ARGUMENT);
        let mut client = wild;
        assert_eq!(
            abi::payorder_client_new(c("{}").as_ptr(), &mut client, ptr::null_mut()),
            INVALID_CONFIG
        );
        assert!(client.is_null());
        let not_utf_8 = c(b"{\"baseUrl\":\"https://\xff\"}".to_vec());
        let mut client = wild;
        let reply = abi::call(|out| abi::payorder_client_new(not_utf_8.as_ptr(), &mut client, out));
        reply.is(INVALID_ARGUMENT);
        assert!(client.is_null());
        let mut client = wild;
        assert_eq!(
            abi::payorder_client_new(text.as_ptr(), &mut client, ptr::null_mut()),
            0,
            "out_json may be NULL"
        );
        assert_eq!(abi::payorder_client_free(client), 0);
    }
}
