//! A client is created only from a valid config. The error message names the invalid key, and never
//! shows a credential.

mod support;

use serde_json::{Value, json};
use std::ptr;
use support::abi::{self, Client, c};
use support::orders::{config, with, without};
use support::rows::Rows;
use support::tls::{Authority, Folder};

const INVALID_ARGUMENT: i32 = 1;
const INVALID_CONFIG: i32 = 3;

fn valid() -> Value {
    config("https://pay.example.com")
}

fn refuses(rows: &mut Rows, row: &str, config: &Value, key: &str) {
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

fn takes(rows: &mut Rows, row: &str, config: &Value) {
    let refused = Client::try_new(config).err();
    rows.that(row, refused.is_none(), || {
        refused.unwrap().text().to_owned()
    });
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
    let numbers = [
        "timeoutMs",
        "connectTimeoutMs",
        "createRetries",
        "statusRetries",
        "maxIdleMs",
        "maxResponseBytes",
    ];
    let mut rows = Rows::new();
    for key in texts {
        for value in [
            json!(null),
            json!(1),
            json!(true),
            json!(["https://pay.example.com"]),
            json!({}),
        ] {
            refuses(
                &mut rows,
                &format!("{key} {value}"),
                &with(&valid(), key, value),
                key,
            );
        }
    }
    for key in numbers {
        for value in [
            json!(null),
            json!("2000"),
            json!(true),
            json!([2000]),
            json!({}),
            json!(2000.5),
            json!(-1),
        ] {
            refuses(
                &mut rows,
                &format!("{key} {value}"),
                &with(&valid(), key, value),
                key,
            );
        }
    }
    for value in [json!(null), json!(0), json!(1), json!("true"), json!([])] {
        let row = format!("allowInsecureHttp {value}");
        refuses(
            &mut rows,
            &row,
            &with(&valid(), "allowInsecureHttp", value),
            "allowInsecureHttp",
        );
    }
    for value in [json!(null), json!("bundled"), json!([]), json!(true)] {
        refuses(
            &mut rows,
            &format!("tls {value}"),
            &with(&valid(), "tls", value),
            "tls",
        );
    }
    for value in [
        json!(null),
        json!("pay.example.com"),
        json!({}),
        json!([1]),
        json!([null]),
        json!(["a", ["b"]]),
    ] {
        let row = format!("checkoutHosts {value}");
        refuses(
            &mut rows,
            &row,
            &with(&valid(), "checkoutHosts", value),
            "checkoutHosts",
        );
    }
    rows.end();
}

#[test]
fn a_number_may_have_the_limits_of_its_range() {
    let ranges: [(&str, u64, u64); 6] = [
        ("timeoutMs", 1, 600_000),
        ("connectTimeoutMs", 1, 600_000),
        ("createRetries", 0, 10),
        ("statusRetries", 0, 10),
        ("maxIdleMs", 0, 600_000),
        ("maxResponseBytes", 1024, 16_777_216),
    ];
    let mut rows = Rows::new();
    for (key, least, most) in ranges {
        for value in [least, most] {
            takes(
                &mut rows,
                &format!("{key} {value}"),
                &with(&valid(), key, value),
            );
        }
        let below = json!(i64::try_from(least).unwrap() - 1);
        for value in [
            below,
            json!(most + 1),
            json!(u64::MAX),
            json!(i64::MIN),
            json!(1e300),
        ] {
            refuses(
                &mut rows,
                &format!("{key} {value}"),
                &with(&valid(), key, value),
                key,
            );
        }
        let huge = with(&valid(), key, "HUGE")
            .to_string()
            .replace("\"HUGE\"", "99999999999999999999999999");
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
        refuses(&mut rows, key, &with(&valid(), key, "x"), key);
    }
    for key in ["ca_file", "cafile", "insecure", "verify", "key"] {
        refuses(
            &mut rows,
            key,
            &with(&valid(), "tls", json!({key: "x"})),
            key,
        );
    }
    rows.end();
}

#[test]
fn a_base_url_is_https_or_on_a_loopback_host() {
    let mut rows = Rows::new();
    for url in [
        "https://pay.example.com",
        "https://pay.example.com/",
        "https://pay.example.com/a/b",
        "https://pay.example.com/a/b/",
        "HTTPS://Pay.Example.com:8443",
        "https://203.0.113.7",
        "https://[2001:db8::1]:8443/x",
        "http://localhost",
        "http://LOCALHOST:80/a/",
        "http://127.0.0.1:1",
        "http://127.255.3.4/",
        "http://[::1]:9",
    ] {
        takes(&mut rows, url, &config(url));
    }
    for url in [
        "",
        " ",
        "pay.example.com",
        "/api",
        "//pay.example.com",
        "https://",
        "https:///a",
        "https://?",
        "https://:443",
        "ftp://pay.example.com",
        "file:///etc",
        "javascript:x",
        "ws://localhost",
        "http://pay.example.com",
        "http://10.0.0.1",
        "http://0.0.0.0",
        "http://localhost.example.com",
        "http://127.0.0.1.example.com",
        "http://128.0.0.1",
        "http://[::2]",
        "http://[2001:db8::1]",
        "http://mylocalhost",
        "https://user@pay.example.com",
        "https://user:pw@pay.example.com",
        "http://127.0.0.1:1@evil.example",
        "http://localhost@evil.example/",
        "https://:pw@pay.example.com",
        "https://@pay.example.com",
        "https://pay.example.com?a=b",
        "https://pay.example.com/a?b",
        "https://pay.example.com/#f",
        "https://pay.example.com/a#",
        "https://pay.example.com/a b",
        " https://pay.example.com",
        "https://pay.example.com ",
        "https://pay.example.com/\n",
        "https://pay.example.com:99999",
        "https://pay.example.com:x",
        "https://[::1",
        "https://pay example.com",
    ] {
        refuses(&mut rows, url, &config(url), "baseUrl");
    }
    refuses(
        &mut rows,
        "no baseUrl",
        &without(&valid(), "baseUrl"),
        "baseUrl",
    );
    for url in ["http://pay.example.com", "http://10.0.0.1:8080/a"] {
        takes(
            &mut rows,
            url,
            &with(&config(url), "allowInsecureHttp", true),
        );
    }
    for url in [
        "ftp://pay.example.com",
        "http://user@pay.example.com",
        "http://pay.example.com?a",
    ] {
        refuses(
            &mut rows,
            url,
            &with(&config(url), "allowInsecureHttp", true),
            "baseUrl",
        );
    }
    rows.end();
}

#[test]
fn a_credential_is_visible_ascii_of_up_to_4096_bytes() {
    let mut rows = Rows::new();
    for key in ["accessToken", "clientKey", "clientId", "secretKey"] {
        for value in ["a".into(), "!~\"\\/{}:;".into(), "x".repeat(4096)] as [String; 3] {
            takes(
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
            refuses(&mut rows, &row, &broken, key);
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
    rows.that(
        "another key is invalid",
        !said.text().contains("MARK-TOKEN"),
        || said.text().to_owned(),
    );
    rows.end();
}

#[test]
fn a_client_without_credentials_can_be_made() {
    drop(Client::new(&json!({"baseUrl": "https://pay.example.com"})));
}

#[test]
fn the_return_url_field_is_not_one_of_the_other_ten() {
    let mut rows = Rows::new();
    for name in ["redirectionURL", "returnUrl", "callback_url", "rückweg"] {
        takes(&mut rows, name, &with(&valid(), "returnUrlField", name));
    }
    for name in support::orders::FIELDS
        .into_iter()
        .filter(|field| *field != "redirectionURL")
        .chain([""])
    {
        refuses(
            &mut rows,
            name,
            &with(&valid(), "returnUrlField", name),
            "returnUrlField",
        );
    }
    rows.end();
}

#[test]
fn a_user_agent_cannot_carry_a_second_header() {
    let mut rows = Rows::new();
    takes(
        &mut rows,
        "plain",
        &with(&valid(), "userAgent", "till/7 (desk 3; x64)"),
    );
    for agent in ["till\r\nX-A: b", "till\n", "till\u{0}", "till\u{7f}"] {
        refuses(
            &mut rows,
            agent,
            &with(&valid(), "userAgent", agent),
            "userAgent",
        );
    }
    rows.end();
}

#[test]
fn checkout_hosts_are_whole_names_without_port() {
    let mut rows = Rows::new();
    takes(
        &mut rows,
        "names",
        &with(
            &valid(),
            "checkoutHosts",
            json!(["pay.example.com", "PAY2.example.com", "127.0.0.1"]),
        ),
    );
    for host in [
        "",
        " ",
        "pay.example.com:443",
        "https://pay.example.com",
        "pay.example.com/c",
        "a@pay.example.com",
        "pay example.com",
    ] {
        refuses(
            &mut rows,
            host,
            &with(&valid(), "checkoutHosts", json!(["a.example.com", host])),
            "checkoutHosts",
        );
    }
    rows.end();
}

#[test]
fn a_proxy_is_a_url_or_none() {
    let mut rows = Rows::new();
    for proxy in [
        "none",
        "http://proxy.example.com:3128",
        "http://user:pw@127.0.0.1:3128",
    ] {
        takes(&mut rows, proxy, &with(&valid(), "proxy", proxy));
    }
    for proxy in [
        "",
        "http://",
        "ftp://proxy.example.com",
        "http://proxy example.com",
        "http://MARK:MARKPW@",
    ] {
        let broken = with(&valid(), "proxy", proxy);
        refuses(&mut rows, proxy, &broken, "proxy");
        let said = Client::try_new(&broken)
            .err()
            .map_or(String::new(), |reply| reply.text().to_owned());
        rows.that(proxy, !said.contains("MARK"), || said.clone());
    }
    rows.end();
}

#[test]
fn a_named_file_is_read_at_once_and_must_be_valid() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let (one, two) = (
        authority.identity_for("till-1"),
        authority.identity_for("till-2"),
    );
    let ca_file = folder.file("ca.pem", authority.pem());
    let cert_file = folder.file("one.pem", one.certificate.pem());
    let key_file = folder.file("one.key", one.key.serialize_pem());
    let other_key = folder.file("two.key", two.key.serialize_pem());
    let empty = folder.file("empty.pem", "");
    let garbage = folder.file(
        "garbage.pem",
        "-----BEGIN CERTIFICATE-----\nMARK!\n-----END CERTIFICATE-----\n",
    );
    let no_certificate = folder.file(
        "zeros.pem",
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
    );
    let noise = folder.file("noise.pem", [0, 159, 146, 150]);
    let missing = folder
        .path()
        .join("missing.pem")
        .to_str()
        .unwrap()
        .to_owned();
    let directory = folder.path().to_str().unwrap().to_owned();
    let mut rows = Rows::new();
    for url in ["https://pay.example.com", "http://127.0.0.1:1"] {
        for tls in [
            json!({}),
            json!({"roots": "bundled"}),
            json!({"roots": "system"}),
            json!({"caFile": ca_file}),
            json!({"certFile": cert_file, "keyFile": key_file}),
            json!({"roots": "bundled", "caFile": ca_file, "certFile": cert_file, "keyFile": key_file}),
        ] {
            takes(&mut rows, &tls.to_string(), &with(&config(url), "tls", tls));
        }
        for (tls, key) in [
            (json!({"roots": "mozilla"}), "roots"),
            (json!({"roots": ""}), "roots"),
            (json!({"roots": null}), "roots"),
            (json!({"caFile": 1}), "caFile"),
            (json!({"caFile": null}), "caFile"),
            (json!({"caFile": ""}), "caFile"),
            (json!({"caFile": missing}), "caFile"),
            (json!({"caFile": directory}), "caFile"),
            (json!({"caFile": empty}), "caFile"),
            (json!({"caFile": garbage}), "caFile"),
            (json!({"caFile": "/dev/zero"}), "caFile"),
            (json!({"caFile": no_certificate}), "caFile"),
            (json!({"caFile": noise}), "caFile"),
            (json!({"caFile": key_file}), "caFile"),
            (json!({"certFile": cert_file}), "keyFile"),
            (json!({"keyFile": key_file}), "certFile"),
            (
                json!({"certFile": missing, "keyFile": key_file}),
                "certFile",
            ),
            (json!({"certFile": empty, "keyFile": key_file}), "certFile"),
            (
                json!({"certFile": garbage, "keyFile": key_file}),
                "certFile",
            ),
            (
                json!({"certFile": key_file, "keyFile": key_file}),
                "certFile",
            ),
            (
                json!({"certFile": cert_file, "keyFile": missing}),
                "keyFile",
            ),
            (json!({"certFile": cert_file, "keyFile": empty}), "keyFile"),
            (
                json!({"certFile": cert_file, "keyFile": cert_file}),
                "keyFile",
            ),
            (
                json!({"certFile": cert_file, "keyFile": other_key}),
                "keyFile",
            ),
            (
                json!({"certFile": [cert_file], "keyFile": key_file}),
                "certFile",
            ),
        ] {
            refuses(
                &mut rows,
                &format!("{url} {tls}"),
                &with(&config(url), "tls", tls),
                key,
            );
        }
    }
    rows.end();
}

#[test]
fn a_text_that_is_not_a_json_object_is_an_invalid_argument() {
    let text = valid().to_string();
    let mut rows = Rows::new();
    let padded = |length: usize| format!("{text}{}", " ".repeat(length - text.len()));
    for broken in [
        String::new(),
        "null".into(),
        "[]".into(),
        "\"x\"".into(),
        "1".into(),
        "{".into(),
        format!("[{text}]"),
        format!("{text}x"),
        text.replacen('{', "{\"timeoutMs\":1,", 1),
        text.replacen(
            '{',
            "{\"tls\":{\"roots\":\"bundled\",\"roots\":\"bundled\"},",
            1,
        ),
        padded(256 * 1024 + 1),
        "[".repeat(100_000),
    ] {
        let row: String = broken.chars().take(50).collect();
        let code = Client::try_from_text(&broken).err().map(|reply| reply.code);
        rows.same(&row, code, Some(INVALID_ARGUMENT));
    }
    rows.that(
        "256 KiB",
        Client::try_from_text(&padded(256 * 1024)).is_ok(),
        || "refused".into(),
    );
    rows.end();
}

#[test]
fn null_arguments_are_errors() {
    let text = c(valid().to_string());
    let wild = ptr::without_provenance_mut(usize::MAX);
    // SAFETY: every pointer is valid for the call, or NULL.
    unsafe {
        let mut client = wild;
        let reply = abi::call(|out| abi::payorder_client_new(ptr::null(), &mut client, out));
        assert_eq!(reply.code, INVALID_ARGUMENT);
        assert!(client.is_null());
        let reply = abi::call(|out| abi::payorder_client_new(text.as_ptr(), ptr::null_mut(), out));
        assert_eq!(reply.code, INVALID_ARGUMENT);
        let mut client = wild;
        assert_eq!(
            abi::payorder_client_new(c("{}").as_ptr(), &mut client, ptr::null_mut()),
            INVALID_CONFIG
        );
        assert!(client.is_null());
        let not_utf_8 = c(b"{\"baseUrl\":\"https://\xff\"}".to_vec());
        let mut client = wild;
        let reply = abi::call(|out| abi::payorder_client_new(not_utf_8.as_ptr(), &mut client, out));
        assert_eq!(reply.code, INVALID_ARGUMENT);
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
