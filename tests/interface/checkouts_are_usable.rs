//! Create Order succeeds only with a checkout URL to which a customer can be sent.

use serde_json::{Value, json};
use support::abi::Client;
use support::orders::{config, order, with};
use support::responses::http;
use support::rows::Rows;
use support::service::{Service, respond, stall};

const UNUSABLE: &str = "checkout_url_unusable";
const MISSING: &str = "checkout_url_missing";

/// Checks the outcome of each `data` (as JSON): a checkout, or a bad response with this cause.
fn check<'a>(
    key: &str,
    value: Value,
    rows_of: impl IntoIterator<Item = (String, Option<&'a str>)>,
) {
    let service = Service::start([stall()]);
    let client = Client::new(&with(&config(&service.url()), key, value));
    let mut rows = Rows::new();
    for (data, cause) in rows_of {
        let body = format!("{{\"responseCode\":\"200\",\"data\":{data}}}");
        service.set_script([respond(http(200, &body))]);
        let reply = client.create(&order());
        rows.code(&data, &reply, if cause.is_some() { 202 } else { 0 });
        rows.same(&data, &reply.error()["cause"], &json!(cause));
        if cause.is_none() {
            let sent: Value = serde_json::from_str(&data).unwrap();
            rows.same(&data, &reply["data"], &sent);
        }
    }
    rows.end();
}

fn urls<'a>(list: &str, cause: Option<&'a str>) -> Vec<(String, Option<&'a str>)> {
    let urls = list.lines().map(str::trim).filter(|url| !url.is_empty());
    urls.map(|url| (json!({ "url": url }).to_string(), cause))
        .collect()
}

/// A host must be one that every parser of URLs reads the same way.
#[test]
fn a_checkout_needs_a_usable_url() {
    let usable = urls(
        "https://pay.example.com/c?id=1#top
        HTTPS://Pay.Example.COM:443/./a/../b
        https://[2001:db8::1]/c
        https://[::ffff:1.2.3.4]:8443
        https://xn--fa-hia.de/c
        https://pay.example.com.:443?q
        https://a_b-c.example
        http://127.8.9.10:8080/c
        http://LOCALHOST/c
        http://[::1]:9/c
        https://pay.example.com/%20/é?q=ü",
        None,
    );
    let unusable = urls(
        "pay.example.com/c
        /c
        //pay.example.com/c
        http://pay.example.com/c
        http://10.0.0.1/c
        http://localhost.example.com/c
        ftp://pay.example.com/c
        javascript:alert(1)
        mypos://c
        https://faß.de/c
        https:/pay.example.com/c
        https:///c
        https://:443/c
        https://user:pw@pay.example.com/c
        https://@pay.example.com/c
        https://pay.example.com/a b
        https://pay.example.com\\c
        https://pay.example.com\\@evil.example/c
        https://a..b
        https://.a
        https://ex%61mple.com
        https://a,b
        https://127.1
        https://0x7f.1
        https://a.0X7f000001
        https://2130706433
        https://256.1.1.1
        https://1.2.3.4.
        https://1.2.3.04
        https://1.2.3.4.5
        https://[::1
        https://::1
        https://[::1]x
        https://[fe80::1%25eth0]
        https://[1.2.3.4]
        https://a:b
        https://a:65536
        https://a:+1
        https://a:1:2",
        Some(UNUSABLE),
    );
    let odd = [
        " ",
        " https://a.example",
        "https://a.example ",
        "https://a.example/\n",
    ];
    let odd = odd.into_iter().chain([
        "https://a.example/\u{7f}",
        "https://soft\u{ad}hyphen.example",
        "https://a.example/\u{85}",
    ]);
    let odd = odd.map(|url| (json!({ "url": url }).to_string(), Some(UNUSABLE)));
    let missing = r#"null
        []
        "https://pay.example.com"
        {}
        {"URL":"https://pay.example.com"}
        {"url":""}
        {"url":null}
        {"url":7}
        {"url":["https://pay.example.com"]}
        {"url":"https://pay.example.com","url":"https://pay.example.com"}
        {"url":null,"url":"https://pay.example.com"}"#;
    let missing = missing
        .lines()
        .map(|data| (data.trim().to_owned(), Some(MISSING)));
    let all = usable.into_iter().chain(unusable).chain(odd).chain(missing);
    check("timeoutMs", json!(20_000), all);
}

#[test]
fn plain_http_checkouts_must_be_allowed() {
    let refused = urls(
        "ftp://pay.example.com/c\nhttp://a@pay.example.com/c",
        Some(UNUSABLE),
    );
    let allowed = urls("http://pay.example.com/c", None);
    check(
        "allowInsecureHttp",
        json!(true),
        [allowed, refused].concat(),
    );
}

#[test]
fn a_checkout_is_on_a_host_that_the_config_names() {
    let allowed = urls(
        "https://PAY.example.com:8443/c
        https://checkout.example.net
        http://127.0.0.1:99/c",
        None,
    );
    let others = urls(
        "https://example.com/c
        https://www.pay.example.com/c
        https://pay.example.com.evil.example/c
        https://evilpay.example.com/c
        https://evil.example/?https://pay.example.com
        https://evil.example#pay.example.com
        http://127.0.0.2/c",
        Some("checkout_host_not_allowed"),
    );
    let hosts = json!(["Pay.Example.com", "127.0.0.1", "checkout.example.net"]);
    check("checkoutHosts", hosts, [allowed, others].concat());
}
