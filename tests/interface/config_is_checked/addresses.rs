//! URLs, hosts and the proxy.

use super::{check_accepted, check_refused, valid};
use serde_json::json;
use support::abi::Client;
use support::orders::{FIELDS, config, with, without};
use support::rows::Rows;

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
        check_accepted(&mut rows, url, &config(url));
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
        check_refused(&mut rows, url, &config(url), "baseUrl");
    }
    check_refused(
        &mut rows,
        "no baseUrl",
        &without(&valid(), "baseUrl"),
        "baseUrl",
    );
    for url in ["http://pay.example.com", "http://10.0.0.1:8080/a"] {
        check_accepted(
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
        check_refused(
            &mut rows,
            url,
            &with(&config(url), "allowInsecureHttp", true),
            "baseUrl",
        );
    }
    rows.end();
}

#[test]
fn the_return_url_field_is_not_one_of_the_other_ten() {
    let mut rows = Rows::new();
    for name in ["redirectionURL", "returnUrl", "callback_url", "rückweg"] {
        check_accepted(&mut rows, name, &with(&valid(), "returnUrlField", name));
    }
    for name in FIELDS
        .into_iter()
        .filter(|field| *field != "redirectionURL")
        .chain([""])
    {
        check_refused(
            &mut rows,
            name,
            &with(&valid(), "returnUrlField", name),
            "returnUrlField",
        );
    }
    rows.end();
}

#[test]
fn checkout_hosts_are_whole_names_without_port() {
    let mut rows = Rows::new();
    check_accepted(
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
        check_refused(
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
        check_accepted(&mut rows, proxy, &with(&valid(), "proxy", proxy));
    }
    for proxy in [
        "",
        "http://",
        "ftp://proxy.example.com",
        "http://proxy example.com",
        "http://MARK:MARKPW@",
    ] {
        let broken = with(&valid(), "proxy", proxy);
        check_refused(&mut rows, proxy, &broken, "proxy");
        let said = Client::try_new(&broken)
            .err()
            .map_or(String::new(), |reply| reply.text().to_owned());
        rows.that(proxy, !said.contains("MARK"), || said.clone());
    }
    rows.end();
}
