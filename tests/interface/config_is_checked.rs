//! A client is created only from a valid config. The error message names the invalid key, and never
//! shows a credential. The test of causes has NULL, texts that are not UTF-8 or JSON, and keys that
//! are there twice.

use serde_json::{Value, json};
use support::abi::Client;
use support::orders::{FIELDS, config, with};
use support::rows::Rows;
use support::table;
use support::tls::{Authority, Folder};

const INVALID_CONFIG: i32 = 3;

/// Configurations with one key changed.
#[derive(Default)]
struct Checked(Rows);

impl Checked {
    fn accept(&mut self, key: &str, value: impl Into<Value>) {
        self.accept_in(&config("https://pay.example.com"), key, value);
    }

    fn accept_in(&mut self, config: &Value, key: &str, value: impl Into<Value>) {
        let value = value.into();
        let refused = Client::try_new(&with(config, key, value.clone())).err();
        let text = refused.map(|reply| reply.text().to_owned());
        self.0.same(&format!("{key} {value:.60}"), text, None);
    }

    fn refuse(&mut self, key: &str, value: impl Into<Value>) {
        let config = with(&config("https://pay.example.com"), key, value.into());
        self.refuse_text(&config.to_string(), key);
    }

    fn refuse_text(&mut self, config: &str, named: &str) {
        let row: String = config.chars().take(300).collect();
        match Client::try_from_text(config) {
            Ok(_) => self.0.that(&row, false, || "was accepted".into()),
            Err(reply) => {
                self.0.code(&row, &reply, INVALID_CONFIG);
                self.0.says(&row, &reply, named);
                let shows = reply.text().contains("MARK");
                self.0
                    .that(&row, !shows, || format!("shows it: {}", reply.text()));
            }
        }
    }

    /// Values of a key, one to a line.
    fn accept_lines(&mut self, key: &str, values: &str) {
        for value in values.lines() {
            self.accept(key, value.trim());
        }
    }

    fn refuse_lines(&mut self, key: &str, values: &str) {
        for value in values.lines() {
            self.refuse(key, value.trim());
        }
    }
}

#[test]
fn a_value_of_the_wrong_type_is_refused() {
    let mut checked = Checked::default();
    let texts = json!([null, 1, true, ["https://pay.example.com"], {}]);
    let texts = texts.as_array().expect("a list");
    for key in [
        "accessToken",
        "proxy",
        "returnUrlField",
        "userAgent",
        "baseUrl",
    ] {
        texts
            .iter()
            .for_each(|value| checked.refuse(key, value.clone()));
    }
    for (key, values) in table! {
        "allowInsecureHttp", json!([null, 0, 1, "true", []]);
        "tls", json!([null, "bundled", [], true]);
        "checkoutHosts", json!([null, "pay.example.com", {}, [1], [null], ["a", ["b"]]]);
    } {
        for value in values.as_array().expect("a list") {
            checked.refuse(key, value.clone());
        }
    }
    checked.0.end();
}

#[test]
fn a_number_is_whole_and_in_its_range() {
    let mut checked = Checked::default();
    for (key, least, most) in table! {
        "timeoutMs", 1, 600_000_u64;
        "connectTimeoutMs", 1, 600_000;
        "createRetries", 0, 10;
        "statusRetries", 0, 10;
        "maxIdleMs", 0, 600_000;
        "maxResponseBytes", 1024, 16_777_216;
    } {
        checked.accept(key, least);
        checked.accept(key, most);
        // Cut off to 32 bits, it would be in the range.
        let over = (1_u64 << 32) + 1024;
        let others = json!([least - 1, most + 1, over, u64::MAX, i64::MIN, 1e300]);
        let types = json!([null, "2000", true, [2000], {}, 2000.5]);
        for values in [others, types] {
            for value in values.as_array().expect("a list") {
                checked.refuse(key, value.clone());
            }
        }
        let huge = with(&config("https://pay.example.com"), key, "HUGE").to_string();
        checked.refuse_text(&huge.replace("\"HUGE\"", &"9".repeat(26)), key);
    }
    checked.0.end();
}

#[test]
fn an_unknown_key_is_refused() {
    let mut checked = Checked::default();
    for key in [
        "baseURL",
        "base_url",
        "BaseUrl",
        "x",
        "returnURLField",
        "größe",
    ] {
        checked.refuse(key, "x");
    }
    for key in ["ca_file", "cafile", "verify"] {
        let tls = with(&config("https://pay.example.com"), "tls", json!({key: "x"}));
        checked.refuse_text(&tls.to_string(), key);
    }
    checked.0.end();
}

#[test]
fn a_credential_is_visible_ascii_of_up_to_4096_bytes() {
    let mut checked = Checked::default();
    let broken = [
        " MARK-SECRET",
        "MARK-SECRET ",
        "\tMARK",
        "MARK\u{0}S",
        "MARK\r\nX-A: b",
    ];
    for key in ["accessToken", "clientKey", "clientId", "secretKey"] {
        for value in ["a", "!~\"\\/{}:;", &"x".repeat(4096)] {
            checked.accept(key, value);
        }
        for value in ["", " ", "MARK\u{7f}", "MARK-SÉCRET", "MARK\u{a0}SECRET"] {
            checked.refuse(key, value);
        }
        broken.iter().for_each(|value| checked.refuse(key, *value));
        checked.refuse(key, "MARK".repeat(1024) + "x");
    }
    // Another key is invalid.
    let token = with(
        &config("https://pay.example.com"),
        "accessToken",
        "MARK-TOKEN-7",
    );
    checked.refuse_text(&with(&token, "timeoutMs", "0").to_string(), "timeoutMs");
    checked.0.end();
}

#[test]
fn a_user_agent_cannot_carry_a_second_header() {
    let mut checked = Checked::default();
    checked.accept("userAgent", "till/7 (desk 3; x64)");
    for agent in ["till\r\nX-A: b", "till\n", "till\u{0}", "till\u{7f}"] {
        checked.refuse("userAgent", agent);
    }
    checked.0.end();
}

#[test]
fn a_base_url_is_https_or_on_a_loopback_host() {
    let mut checked = Checked::default();
    checked.accept_lines(
        "baseUrl",
        "https://pay.example.com
        https://pay.example.com/a/b/
        HTTPS://Pay.Example.com:8443
        https://203.0.113.7
        https://[2001:db8::1]:8443/x
        http://LOCALHOST:80/a/
        http://127.255.3.4/
        http://[::1]:9",
    );
    checked.refuse_lines(
        "baseUrl",
        "
        pay.example.com
        //pay.example.com
        https:///a
        https://:443
        ftp://pay.example.com
        javascript:x
        http://pay.example.com
        http://0.0.0.0
        http://localhost.example.com
        http://127.0.0.1.example.com
        http://128.0.0.1
        http://[::2]
        https://user:pw@pay.example.com
        http://localhost@evil.example/
        https://@pay.example.com
        https://pay.example.com/a?b
        https://pay.example.com/a#
        https://pay.example.com/a b
        https://pay.example.com:99999
        https://[::1",
    );
    for url in [" https://pay.example.com", "https://pay.example.com/\n"] {
        checked.refuse("baseUrl", url);
    }
    let mut none = config("https://pay.example.com");
    none.as_object_mut().expect("an object").remove("baseUrl");
    checked.refuse_text(&none.to_string(), "baseUrl");
    let plain = config("http://pay.example.com");
    checked.accept_in(&plain, "allowInsecureHttp", true);
    for url in ["ftp://pay.example.com", "http://user@a", "http://a?a"] {
        let lax = with(&config(url), "allowInsecureHttp", true);
        checked.refuse_text(&lax.to_string(), "baseUrl");
    }
    checked.0.end();
}

#[test]
fn the_return_url_field_is_not_one_of_the_other_ten() {
    let mut checked = Checked::default();
    checked.accept_lines(
        "returnUrlField",
        "redirectionURL\nreturnUrl\ncallback_url\nrückweg",
    );
    checked.refuse("returnUrlField", "");
    for name in FIELDS
        .into_iter()
        .filter(|field| *field != "redirectionURL")
    {
        checked.refuse("returnUrlField", name);
    }
    checked.0.end();
}

#[test]
fn checkout_hosts_are_whole_names_without_port() {
    let mut checked = Checked::default();
    let names = json!(["pay.example.com", "PAY2.example.com", "127.0.0.1"]);
    checked.accept("checkoutHosts", names);
    for host in [
        "",
        " ",
        "a.example:443",
        "https://a.example",
        "a.example/c",
        "a@b",
        "a b",
    ] {
        checked.refuse("checkoutHosts", json!(["a.example.com", host]));
    }
    checked.0.end();
}

#[test]
fn a_proxy_is_a_url_or_none() {
    let mut checked = Checked::default();
    let proxies = "none\nhttp://proxy.example.com:3128\nhttp://user:pw@127.0.0.1:3128";
    checked.accept_lines("proxy", proxies);
    for proxy in [
        "",
        "http://",
        "ftp://a.example",
        "http://a b",
        "http://MARK:MARKPW@",
    ] {
        checked.refuse("proxy", proxy);
    }
    checked.0.end();
}

#[test]
fn a_named_file_is_read_at_once_and_must_be_valid() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let [one, two] = ["till-1", "till-2"].map(|name| authority.identity_for(name));
    let pem =
        |body: &str| format!("-----BEGIN CERTIFICATE-----\n{body}\n-----END CERTIFICATE-----\n");
    let ca = folder.file("ca.pem", authority.pem());
    let cert = folder.file("one.pem", one.certificate.pem());
    let key = folder.file("one.key", one.key.serialize_pem());
    let other_key = folder.file("two.key", two.key.serialize_pem());
    let empty = folder.file("empty.pem", "");
    let garbage = folder.file("garbage.pem", pem("MARK!"));
    let zeros = folder.file("zeros.pem", pem("AAAA"));
    let noise = folder.file("noise.pem", [0, 159, 146, 150]);
    let missing = format!("{ca}.missing");
    let directory = folder.path().to_str().expect("UTF-8");
    let pair = |cert: &str, key: &str| json!({"certFile": cert, "keyFile": key});
    let mut checked = Checked::default();
    // Over plain HTTP, files are read as well.
    for config in ["https://pay.example.com", "http://127.0.0.1:1"].map(config) {
        for tls in [
            json!({}),
            json!({"roots": "system"}),
            json!({"roots": "bundled", "caFile": ca, "certFile": cert, "keyFile": key}),
        ] {
            checked.accept_in(&config, "tls", tls);
        }
        let not_trusted = [
            "",
            &missing,
            directory,
            &empty,
            &garbage,
            &zeros,
            &noise,
            &key,
            "/dev/zero",
        ];
        let not_trusted = not_trusted.map(|file| (json!({"caFile": file}), "caFile"));
        for (tls, named) in not_trusted.into_iter().chain(table! {
            json!({"roots": "mozilla"}), "roots";
            json!({"roots": null}), "roots";
            json!({"caFile": null}), "caFile";
            json!({"certFile": cert}), "keyFile";
            json!({"keyFile": key}), "certFile";
            json!({"certFile": [cert], "keyFile": key}), "certFile";
            pair(&missing, &key), "certFile";
            pair(&garbage, &key), "certFile";
            pair(&key, &key), "certFile";
            pair(&cert, &missing), "keyFile";
            pair(&cert, &empty), "keyFile";
            pair(&cert, &cert), "keyFile";
            pair(&cert, &other_key), "keyFile";
        }) {
            checked.refuse_text(&with(&config, "tls", tls).to_string(), named);
        }
    }
    checked.0.end();
}
