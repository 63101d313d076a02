//! Create Order succeeds only with a checkout URL to which a customer can be sent.

use serde_json::json;
use support::abi::Client;
use support::orders::{config, order, with};
use support::responses::http;
use support::rows::Rows;
use support::service::{Service, respond, stall};

const OK: i32 = 0;
const BAD_RESPONSE: i32 = 202;

#[test]
fn a_checkout_needs_a_usable_url() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    let fine = [
        "https://pay.example.com/c?id=1#top",
        "HTTPS://Pay.Example.COM:443/./a/../b",
        "https://pay.example.com",
        "https://pay.example.com:8443/",
        "https://[2001:db8::1]/c",
        "https://203.0.113.7/c",
        "https://xn--fa-hia.de/c",
        "http://127.0.0.1:8080/c",
        "http://localhost/c",
        "http://LOCALHOST:1/c",
        "http://[::1]:9/c",
        "http://127.8.9.10/",
        "https://pay.example.com/%20/é?q=ü",
    ];
    for url in fine {
        let body =
            json!({"responseCode": "200", "responseMessage": "Success", "data": {"url": url}});
        service.set_script([respond(http(200, &body.to_string()))]);
        let reply = client.create(&order());
        rows.same(
            url,
            (reply.code, reply["data"]["url"].clone()),
            (OK, json!(url)),
        );
    }
    let broken = [
        json!(""),
        json!(" "),
        json!(null),
        json!(1),
        json!(["https://pay.example.com"]),
        json!({"href": "https://pay.example.com"}),
        json!("pay.example.com/c"),
        json!("/c"),
        json!("//pay.example.com/c"),
        json!("c"),
        json!("http://pay.example.com/c"),
        json!("http://10.0.0.1/c"),
        json!("http://127.0.0.1.example.com/c"),
        json!("http://localhost.example.com/c"),
        json!("ftp://pay.example.com/c"),
        json!("javascript:alert(1)"),
        json!("data:text/html,x"),
        json!("file:///c"),
        json!("mypos://c"),
        json!("https://faß.de/c"),
        json!("https://a⒈com/c"),
        json!("https:pay.example.com/c"),
        json!("https:/pay.example.com/c"),
        json!("https://"),
        json!("https:///c"),
        json!("https://?c"),
        json!("https://:443/c"),
        json!("https://user@pay.example.com/c"),
        json!("https://user:pw@pay.example.com/c"),
        json!("https://@pay.example.com/c"),
        json!("https://:@pay.example.com/c"),
        json!("https://pay.example.com/a b"),
        json!(" https://pay.example.com/c"),
        json!("https://pay.example.com/c "),
        json!("https://pay.example.com/c\n"),
        json!("https://pay.example.com/\tc"),
        json!("https://pay.example.com/\u{0}"),
        json!("https://pay.example.com/\u{7f}"),
        json!("https://pay.example.com/\u{85}"),
        json!("\u{1}https://pay.example.com/c"),
        json!("https://pay.example.com\\c"),
        json!("https:\\\\pay.example.com/c"),
        json!("https://pay.example.com\\@evil.example/c"),
    ];
    for url in broken {
        let body =
            json!({"responseCode": "200", "responseMessage": "Success", "data": {"url": url}});
        service.set_script([respond(http(200, &body.to_string()))]);
        rows.same(&url.to_string(), client.create(&order()).code, BAD_RESPONSE);
    }
    for data in [
        "{}",
        "null",
        "[]",
        "\"https://pay.example.com\"",
        "{\"URL\":\"https://pay.example.com\"}",
    ] {
        let body =
            format!("{{\"responseCode\":\"200\",\"responseMessage\":\"Success\",\"data\":{data}}}");
        service.set_script([respond(http(200, &body))]);
        rows.same(
            &format!("data is {data}"),
            client.create(&order()).code,
            BAD_RESPONSE,
        );
    }
    service.set_script([respond(http(
        200,
        "{\"responseCode\":\"200\",\"responseMessage\":\"Success\"}",
    ))]);
    rows.same("no data", client.create(&order()).code, BAD_RESPONSE);
    rows.end();
}

#[test]
fn a_checkout_url_that_is_not_one_string_is_missing() {
    let url = "https://pay.example.com/c";
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    for data in [
        format!("{{\"url\":\"{url}\",\"url\":\"{url}\"}}"),
        format!("{{\"url\":\"{url}\",\"url\":\"https://evil.example/c\"}}"),
        format!("{{\"url\":null,\"url\":\"{url}\"}}"),
        "{\"url\":null}".to_owned(),
        "{\"url\":7}".to_owned(),
        "{\"link\":\"x\"}".to_owned(),
    ] {
        let body = format!("{{\"responseCode\":\"200\",\"data\":{data}}}");
        service.set_script([respond(http(200, &body))]);
        let reply = client.create(&order());
        rows.same(&data, reply.code, BAD_RESPONSE);
        rows.same(
            &data,
            &reply.error()["cause"],
            &json!("checkout_url_missing"),
        );
    }
    rows.end();
}

#[test]
fn plain_http_checkouts_must_be_allowed() {
    let service = Service::start([stall()]);
    let client = Client::new(&with(&config(&service.url()), "allowInsecureHttp", true));
    let mut rows = Rows::new();
    for (url, expected) in [
        ("http://pay.example.com/c", OK),
        ("ftp://pay.example.com/c", BAD_RESPONSE),
        ("http://a@pay.example.com/c", BAD_RESPONSE),
    ] {
        let body = json!({"responseCode": "200", "data": {"url": url}});
        service.set_script([respond(http(200, &body.to_string()))]);
        rows.same(url, client.create(&order()).code, expected);
    }
    rows.end();
}

#[test]
fn a_checkout_is_on_a_host_that_the_config_names() {
    let service = Service::start([stall()]);
    let hosts = json!(["Pay.Example.com", "127.0.0.1", "checkout.example.net"]);
    let client = Client::new(&with(&config(&service.url()), "checkoutHosts", hosts));
    let mut rows = Rows::new();
    let urls = [
        ("https://pay.example.com/c", OK),
        ("https://PAY.EXAMPLE.COM/c", OK),
        ("https://pay.example.com:8443/c", OK),
        ("https://checkout.example.net", OK),
        ("http://127.0.0.1:99/c", OK),
        ("https://example.com/c", BAD_RESPONSE),
        ("https://www.pay.example.com/c", BAD_RESPONSE),
        ("https://pay.example.com.evil.example/c", BAD_RESPONSE),
        ("https://evilpay.example.com/c", BAD_RESPONSE),
        ("https://evil.example/pay.example.com", BAD_RESPONSE),
        (
            "https://evil.example/?https://pay.example.com",
            BAD_RESPONSE,
        ),
        ("https://pay.example.com@evil.example/", BAD_RESPONSE),
        ("https://evil.example#pay.example.com", BAD_RESPONSE),
        ("http://localhost/c", BAD_RESPONSE),
        ("http://127.0.0.2/c", BAD_RESPONSE),
    ];
    for (url, expected) in urls {
        let body = json!({"responseCode": "200", "data": {"url": url}});
        service.set_script([respond(http(200, &body.to_string()))]);
        rows.same(url, client.create(&order()).code, expected);
    }
    rows.end();
}
