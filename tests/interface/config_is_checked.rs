//! A client is created only from a valid config. The error message names the invalid key, and never
//! shows a credential. tests/repository/description.rs has the range and the type of every key, the
//! test of causes NULL, texts that are not UTF-8 or JSON, and keys that are there twice.

use serde_json::{Value, json};
use support::abi::Client;
use support::orders::{config, with, without};
use support::result::INVALID_CONFIG;
use support::rows::Rows;
use support::table;
use support::tls::{Authority, Folder};

const URL: &str = "https://pay.example.com";

/// Configurations with one key changed.
#[derive(Default)]
struct Checked(Rows);

impl Checked {
    fn accept_in(&mut self, config: &Value, key: &str, value: impl Into<Value>) {
        let value = value.into();
        let refused = Client::try_new(&with(config, key, value.clone())).err();
        let text = refused.map(|reply| reply.text().to_owned());
        self.0.same(&format!("{key} {value:.60}"), text, None);
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

    fn refuse(&mut self, key: &str, value: impl Into<Value>) {
        let config = with(&config(URL), key, value.into());
        self.refuse_text(&config.to_string(), key);
    }
}

/// Keys, and values as JSON that they may have.
const ACCEPTED: &str = r#"
    baseUrl "https://pay.example.com"
    baseUrl "https://pay.example.com/a/b/"
    baseUrl "HTTPS://Pay.Example.com:8443"
    baseUrl "https://203.0.113.7"
    baseUrl "https://[2001:db8::1]:8443/x"
    baseUrl "http://LOCALHOST:80/a/"
    baseUrl "http://127.255.3.4/"
    baseUrl "http://[::1]:9"
    checkoutHosts ["pay.example.com", "PAY2.example.com", "127.0.0.1"]
    proxy "none"
    proxy "http://proxy.example.com:3128"
    proxy "http://user:pw@127.0.0.1:3128"
    returnUrlField "redirectionURL"
    returnUrlField "callback_url"
    returnUrlField "rückweg"
    userAgent "till/7 (desk 3; x64)"
"#;

/// Keys, and values as JSON that they must not have.
const REFUSED: &str = r#"
    baseUrl ""
    baseUrl "pay.example.com"
    baseUrl "//pay.example.com"
    baseUrl "https:///a"
    baseUrl "https://:443"
    baseUrl "ftp://pay.example.com"
    baseUrl "javascript:x"
    baseUrl "http://pay.example.com"
    baseUrl "http://0.0.0.0"
    baseUrl "http://localhost.example.com"
    baseUrl "http://127.0.0.1.example.com"
    baseUrl "http://128.0.0.1"
    baseUrl "http://[::2]"
    baseUrl "https://MARK:MARKPW@pay.example.com"
    baseUrl "http://localhost@evil.example/"
    baseUrl "https://@pay.example.com"
    baseUrl "https://pay.example.com/a?b"
    baseUrl "https://pay.example.com/a#"
    baseUrl "https://pay.example.com/a b"
    baseUrl " https://pay.example.com"
    baseUrl "https://pay.example.com/\n"
    baseUrl "https://pay.example.com:99999"
    baseUrl "https://[::1"
    checkoutHosts "pay.example.com"
    checkoutHosts [null]
    checkoutHosts ["a", ["b"]]
    checkoutHosts ["a.example.com", ""]
    checkoutHosts ["a.example:443"]
    checkoutHosts ["https://a.example"]
    checkoutHosts ["a.example/c"]
    checkoutHosts ["a@b"]
    checkoutHosts ["a b"]
    proxy ""
    proxy "http://"
    proxy "ftp://a.example"
    proxy "http://a b"
    proxy "ftp://MARK:MARKPW@a.example"
    proxy "MARK x"
    proxy "http://MARK:MARKPW@"
    returnUrlField ""
    returnUrlField "amount"
    returnUrlField "currencyCode"
    userAgent "till\r\nX-A: b"
    userAgent "till\u0000"
    userAgent "till\u007f"
    baseURL "x"
    base_url "x"
    returnURLField "x"
    größe "x"
"#;

#[test]
fn a_value_is_accepted_or_refused_as_its_key_says() {
    let mut checked = Checked::default();
    let rows_of = |text: &'static str| {
        let lines = text.lines().filter_map(|line| line.trim().split_once(' '));
        lines.map(|(key, value)| (key, serde_json::from_str::<Value>(value).expect("JSON")))
    };
    for (key, value) in rows_of(ACCEPTED) {
        checked.accept_in(&config(URL), key, value);
    }
    for (key, value) in rows_of(REFUSED) {
        checked.refuse(key, value);
    }
    // More than a number of the program or any float can hold.
    for number in [&"9".repeat(26), "1e400"] {
        let huge = with(&config(URL), "timeoutMs", "HUGE").to_string();
        checked.refuse_text(&huge.replace("\"HUGE\"", number), "timeoutMs");
    }
    for key in ["ca_file", "cafile", "verify"] {
        let tls = with(&config(URL), "tls", json!({key: "x"}));
        checked.refuse_text(&tls.to_string(), key);
    }
    let none = without(&config(URL), "baseUrl");
    checked.refuse_text(&none.to_string(), "baseUrl");
    checked.accept_in(&config("http://a.example"), "allowInsecureHttp", true);
    for url in ["ftp://pay.example.com", "http://user@a", "http://a?a"] {
        let lax = with(&config(url), "allowInsecureHttp", true);
        checked.refuse_text(&lax.to_string(), "baseUrl");
    }
    checked.0.end();
}

#[test]
fn a_credential_is_visible_ascii_of_up_to_4096_bytes() {
    let mut checked = Checked::default();
    let broken = "| | MARK-SECRET|MARK-SECRET |\tMARK|MARK\0S|MARK\r\nX-A: b|MARK\x7f|MARK-SÉCRET";
    for key in ["accessToken", "clientKey", "clientId", "secretKey"] {
        for value in ["a", "!~\"\\/{}:;", &"x".repeat(4096)] {
            checked.accept_in(&config(URL), key, value);
        }
        for value in broken.split('|') {
            checked.refuse(key, value);
        }
        checked.refuse(key, "MARK".repeat(1024) + "x");
    }
    // Another key is invalid, and the text is not JSON.
    let token = with(&config(URL), "accessToken", "MARK-TOKEN-7");
    let token = with(&token, "timeoutMs", "0").to_string();
    checked.refuse_text(&token, "timeoutMs");
    let broken = Client::try_from_text(&token.replace("\",", "\"")).err();
    let broken = broken.expect("a refusal");
    checked
        .0
        .holds("not JSON", !broken.text().contains("MARK"), broken.text());
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
    let bundle = folder.file("bundle.pem", authority.pem() + &pem("AAAA"));
    let trusted = authority.pem().replace(" CERT", " TRUSTED CERT");
    let mixed = folder.file("mixed.pem", authority.pem() + &trusted);
    let joined = folder.file(
        "joined.pem",
        authority.pem() + "\u{feff}" + &authority.pem(),
    );
    // A comment, and the mark that some Windows programs write before the first character.
    let marked = |pem: &str| format!("\u{feff}{pem}");
    let ca_marked = folder.file(
        "marked.pem",
        marked(&authority.pem()) + "# -----BEGIN CERTIFICATE-----",
    );
    let cert_marked = folder.file("marked-one.pem", marked(&one.certificate.pem()));
    let key_marked = folder.file("marked.key", marked(&one.key.serialize_pem()));
    let encrypted = |form: &str, headers: &str| {
        let form = format!("{form} PRIVATE KEY");
        let key = format!("-----BEGIN {form}-----\n{headers}AAAA\n-----END {form}-----\n");
        folder.file(&format!("{form}.key"), key)
    };
    let missing = format!("{ca}.missing");
    let directory = folder.path().to_str().expect("UTF-8");
    let pair = |cert: &str, key: &str| json!({"certFile": cert, "keyFile": key});
    let mut checked = Checked::default();
    // Over plain HTTP, files are read as well.
    for config in [URL, "http://127.0.0.1:1"].map(config) {
        for tls in [
            json!({}),
            json!({"roots": "system"}),
            json!({"roots": "both"}),
            json!({"roots": "bundled", "caFile": ca, "certFile": cert, "keyFile": key}),
            json!({"caFile": ca_marked, "certFile": cert_marked, "keyFile": key_marked}),
        ] {
            checked.accept_in(&config, "tls", tls);
        }
        let not_trusted = [
            "", &missing, directory, &empty, &garbage, &zeros, &noise, &key,
        ];
        let not_trusted = not_trusted.map(|file| (json!({"caFile": file}), "caFile"));
        for (tls, named) in not_trusted.into_iter().chain(table! {
            json!({"caFile": "/dev/zero"}), "caFile";
            json!({"caFile": bundle}), "bundle.pem, whose certificate number 2 is damaged";
            pair(&bundle, &key), "bundle.pem, whose certificate number 2 is damaged";
            json!({"caFile": mixed}), "mixed.pem, whose certificate number 2 is not understood";
            json!({"caFile": joined}), "joined.pem, whose certificate number 2 is not understood";
            pair(&cert, &encrypted("ENCRYPTED", "")), "PRIVATE KEY.key, which is encrypted";
            pair(&cert, &encrypted("RSA", "Proc-Type: 4,ENCRYPTED\n\n")),
                "PRIVATE KEY.key, which is encrypted";
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
