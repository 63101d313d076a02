//! No message, log event or error shows a credential, whatever fails and whatever the service
//! sends.

use serde_json::{Value, json};
use support::abi::{self, Client, Reply};
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{http, http_with};
use support::rows::Rows;
use support::service::{Service, Step, close, reset, respond, respond_then_close, response, stall};
use support::unreachable::refusing_url;

const SECRETS: [(&str, &str); 4] = [
    ("accessToken", "Qz7-access-Wm41vRt9"),
    ("clientKey", "Hx3-clientkey-Lp58bNy2"),
    ("clientId", "Vd6-clientid-Gk72cJf4"),
    ("secretKey", "Ty9-secret-Zs13hDq8"),
];

fn config_with_secrets(url: &str) -> Value {
    let mut config = config(url);
    for (key, secret) in SECRETS {
        config[key] = json!(secret);
    }
    config
}

/// Whether a text shows a secret, or eight of its bytes in a row.
fn shows<'a>(text: &str, secrets: &[&'a str]) -> Option<&'a str> {
    let mut windows = secrets.iter().flat_map(|secret| {
        (0..=secret.len().saturating_sub(8)).map(|at| &secret[at..secret.len().min(at + 8)])
    });
    windows.find(|part| text.contains(part))
}

fn all() -> Vec<&'static str> {
    SECRETS.iter().map(|(_, secret)| *secret).collect()
}

fn check_hidden(rows: &mut Rows, row: &str, replies: &[Reply], log: &Log, secrets: &[&str]) {
    for reply in replies {
        rows.that(row, reply.code != 0, || "the call should fail".into());
        let shown = shows(reply.text(), secrets);
        rows.that(row, shown.is_none(), || {
            format!("{shown:?} in {}", reply.text())
        });
    }
    let events = log.texts();
    rows.that(row, !events.is_empty(), || "no events".into());
    for event in events {
        rows.that(row, shows(&event, secrets).is_none(), || event.clone());
    }
}

#[test]
fn no_failure_shows_a_credential() {
    let mut rows = Rows::new();
    let reactions = [
        ("closed", close()),
        ("reset", reset()),
        ("silence", stall()),
        ("not HTTP", respond_then_close(b"SSH-2.0\r\n\r\n".to_vec())),
        ("401", respond(http(401, "{}"))),
        ("503", respond(http(503, ""))),
        ("not JSON", respond(http(200, "x"))),
    ];
    for (row, reaction) in reactions {
        let service = Service::start([reaction]);
        let client = Client::new(&with(
            &config_with_secrets(&service.url()),
            "timeoutMs",
            400,
        ));
        let log = Log::of(&client);
        check_hidden(
            &mut rows,
            row,
            &[client.create(&order()), client.status(&query())],
            log,
            &all(),
        );
    }
    let places = [
        ("refused", refusing_url()),
        ("no such name", "https://name.invalid/".into()),
        ("no TLS", refusing_url().replace("http", "https")),
    ];
    for (row, url) in places {
        let client = Client::new(&with(&config_with_secrets(&url), "statusRetries", 1));
        let log = Log::of(&client);
        let replies = [
            client.create(&order()),
            client.status(&query()),
            client.create(&json!({})),
            client.create_with(&order(), &json!({"x": 1})),
            abi::create_order(client.key(), "{", None),
        ];
        check_hidden(&mut rows, row, &replies, log, &all());
    }
    rows.end();
}

#[test]
fn a_service_that_repeats_a_credential_is_redacted() {
    let service = Service::start([stall()]);
    let client = Client::new(&config_with_secrets(&service.url()));
    let log = Log::of(&client);
    let mut rows = Rows::new();
    for (key, secret) in SECRETS {
        let echo = json!({
            "responseCode": "401",
            "responseMessage": format!("bad {secret}, said <{secret}>"),
        });
        for status in [200, 401] {
            service.set_script([respond(http(status, &echo.to_string()))]);
            for reply in [client.create(&order()), client.status(&query())] {
                rows.same(key, reply.code, 101);
                rows.same(
                    key,
                    &reply.error()["responseMessage"],
                    &json!("bad [redacted], said <[redacted]>"),
                );
                check_hidden(&mut rows, key, &[reply], log, &all());
            }
        }
        let as_code = json!({"responseCode": secret, "responseMessage": "x"});
        service.set_script([respond(http(200, &as_code.to_string()))]);
        let reply = client.create(&order());
        rows.same(key, &reply.error()["responseCode"], &json!("[redacted]"));
        check_hidden(&mut rows, key, &[reply], log, &all());
    }
    rows.end();
}

#[test]
fn a_repeated_credential_is_redacted_in_a_failed_response() {
    let service = Service::start([stall()]);
    let client = Client::new(&config_with_secrets(&service.url()));
    let log = Log::of(&client);
    let mut rows = Rows::new();
    for (key, secret) in SECRETS {
        let url = format!("https://{secret}@pay.example.com/{secret}");
        let responses = [
            ("HTML", http(200, &format!("<p>{secret}</p>"))),
            ("HTML of a 500", http(500, &format!("<p>{secret}</p>"))),
            ("a broken URL", http(200, &json!({"responseCode": "200", "data": {"url": url}}).to_string())),
            ("a header", http_with(503, &[("Retry-After", secret), ("X-Token", secret), ("Location", secret)], "")),
            ("a redirect", http_with(302, &[("Location", &format!("https://evil.example/?t={secret}"))], "")),
            ("the reason phrase", format!("HTTP/1.1 403 {secret}\r\nContent-Length: 0\r\n\r\n").into_bytes()),
            ("the status line", format!("{secret} 200 OK\r\n\r\n").into_bytes()),
            ("a header's name", format!("HTTP/1.1 200 OK\r\n{secret} x: y\r\n\r\n").into_bytes()),
            (
                "another order's id",
                http(200, &json!({"responseCode": "200", "data": {"orderId": secret, "transactionId": secret}}).to_string()),
            ),
            ("a JSON error", http(200, &format!("{{\"responseCode\": {secret}}}"))),
        ];
        for (place, response) in responses {
            service.set_script([respond_then_close(response)]);
            let row = format!("{key} in {place}");
            let mut replies = vec![client.create(&order())];
            // For Get Status a URL is an unknown field, which is kept as sent.
            if place != "a broken URL" {
                replies.push(client.status(&query()));
            }
            check_hidden(&mut rows, &row, &replies, log, &all());
        }
    }
    rows.end();
}

#[test]
fn a_checkout_host_that_repeats_a_credential_is_redacted() {
    let service = Service::start([stall()]);
    for (url, hosts) in [
        ("http://Tok-4CC355/c", json!(["pay.example.com"])),
        ("https://Tok-4CC355/c", json!(["pay.example.com"])),
    ] {
        let client = Client::new(&with(
            &with(&config(&service.url()), "accessToken", "Tok-4CC355"),
            "checkoutHosts",
            hosts,
        ));
        let body = json!({"responseCode": "200", "data": {"url": url}});
        service.set_script([respond(http(200, &body.to_string()))]);
        let reply = client.create(&order());
        let message = reply.error()["message"]
            .as_str()
            .expect("a message")
            .to_owned();
        assert!(
            message.contains("host [redacted]") && !message.to_lowercase().contains("tok-4cc355"),
            "{message}"
        );
    }
}

#[test]
fn a_credential_from_the_options_is_also_redacted() {
    let own = "Bk5-percall-Xn64wQm7";
    let echo = json!({"responseCode": "403", "responseMessage": own}).to_string();
    let service = Service::responding(http(403, &echo));
    let client = Client::new(&config_with_secrets(&service.url()));
    let log = Log::of(&client);
    let mut rows = Rows::new();
    for (key, _) in SECRETS {
        let options = json!({key: own});
        let replies = [
            client.create_with(&order(), &options),
            client.status_with(&query(), &options),
        ];
        for reply in &replies {
            rows.same(key, &reply.error()["responseMessage"], &json!("[redacted]"));
        }
        check_hidden(&mut rows, key, &replies, log, &[own]);
    }
    // The client's own credentials are secret even if they are not used.
    let options = json!({"accessToken": own, "clientKey": own, "clientId": own, "secretKey": own});
    for (key, secret) in SECRETS {
        let echo = json!({"responseCode": "403", "responseMessage": secret}).to_string();
        service.set_script([respond(http(403, &echo))]);
        let replies = [
            client.create_with(&order(), &options),
            client.status_with(&query(), &options),
        ];
        check_hidden(
            &mut rows,
            &format!("the client's {key}"),
            &replies,
            log,
            &all(),
        );
    }
    rows.end();
}

#[test]
fn a_credential_with_quotes_is_found_under_its_escapes() {
    let odd = "Rj2\"\\/<quote>-Fc85";
    let escaped = odd
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('/', "\\/")
        .replace('<', "\\u003c");
    let echo = format!("{{\"responseCode\":\"401\",\"responseMessage\":\"no {escaped}!\"}}");
    let service = Service::responding(http(401, &echo));
    let client = Client::new(&with(
        &config_with_secrets(&service.url()),
        "accessToken",
        odd,
    ));
    let reply = client.create(&order());
    assert_eq!(reply.error()["responseMessage"], "no [redacted]!");
}

#[test]
fn overlapping_credentials_are_redacted_completely() {
    // One starts with another, contains a third, and overlaps the fourth.
    let (long, start, middle, next) = (
        "Pw4-inner-and-Outer77",
        "Pw4-inner",
        "inner-and",
        "and-Outer77-Last99",
    );
    let nested = with(
        &with(&config("http://x"), "clientKey", middle),
        "secretKey",
        long,
    );
    let nested = with(&with(&nested, "accessToken", next), "clientId", start);
    let said = format!("1 {long} 2 {start} 3 {middle} 4 Pw4-inner-and-Outer77-Last99 5");
    let echo = json!({"responseCode": "401", "responseMessage": said});
    let service = Service::responding(http(401, &echo.to_string()));
    let client = Client::new(&with(&nested, "baseUrl", service.url()));
    for reply in [client.create(&order()), client.status(&query())] {
        let said = reply.error()["responseMessage"].as_str().unwrap();
        for part in ["Pw4", "inner", "and", "Outer", "Last99"] {
            assert!(!said.contains(part), "{part} in {said}");
        }
        assert_eq!(
            said,
            "1 [redacted] 2 [redacted] 3 [redacted] 4 [redacted] 5"
        );
    }
}

#[test]
fn an_invalid_credential_is_not_repeated() {
    let mut rows = Rows::new();
    let service = Service::responding(http(200, "{}"));
    let client = Client::new(&config(&service.url()));
    let log = Log::of(&client);
    for (key, secret) in SECRETS {
        for broken in [
            format!("{secret}\n"),
            format!(" {secret}"),
            format!("é{secret}"),
            secret.repeat(300),
        ] {
            let reply = Client::try_new(&with(
                &config_with_secrets("https://x.example"),
                key,
                broken.as_str(),
            ))
            .err()
            .unwrap();
            rows.holds(key, shows(reply.text(), &all()).is_none(), reply.text());
            let reply = client.create_with(&order(), &json!({key: broken}));
            check_hidden(&mut rows, key, &[reply], log, &all());
        }
        let reply = client.create_with(&order(), &json!({key: [secret]}));
        check_hidden(&mut rows, key, &[reply], log, &all());
    }
    let unfinished = config_with_secrets("https://x.example")
        .to_string()
        .replace("\",", "\"");
    let reply = Client::try_from_text(&unfinished).err().unwrap();
    rows.holds(
        "half a config",
        shows(reply.text(), &all()).is_none(),
        reply.text(),
    );
    rows.end();
}

#[test]
fn a_proxys_password_is_not_repeated() {
    let password = "Mn8-proxy-Ub39eKx5";
    let secrets = [password];
    let mut rows = Rows::new();
    let unreachable = refusing_url().replace("http://", &format!("http://till:{password}@"));
    let refusing = Service::start([vec![Step::Connect, Step::Send(response(407)), Step::Close]]);
    let closing = Service::start([vec![Step::Connect, Step::Close]]);
    let userinfo = format!("till:{password}");
    for (row, proxy) in [
        ("unreachable", unreachable),
        ("refusing", refusing.url_with(&userinfo)),
        ("closing", closing.url_with(&userinfo)),
    ] {
        let client = Client::new(&with(
            &config_with_secrets("https://pay.example.com"),
            "proxy",
            proxy,
        ));
        let log = Log::of(&client);
        check_hidden(&mut rows, row, &[client.create(&order())], log, &secrets);
    }
    for broken in [
        format!("ftp://till:{password}@x"),
        format!("http://till:{password}@"),
        format!("{password} x"),
    ] {
        let reply = Client::try_new(&with(
            &config_with_secrets("https://pay.example.com"),
            "proxy",
            broken,
        ))
        .err()
        .unwrap();
        rows.holds(
            "broken",
            shows(reply.text(), &secrets).is_none(),
            reply.text(),
        );
    }
    let base = format!("https://till:{password}@pay.example.com");
    let reply = Client::try_new(&config_with_secrets(&base)).err().unwrap();
    rows.holds(
        "in baseUrl",
        shows(reply.text(), &secrets).is_none(),
        reply.text(),
    );
    rows.end();
}

#[test]
fn debug_output_of_a_config_shows_no_password() {
    for url in [
        "http://till:Pw5-proxy-Kd82@proxy.example:3128",
        "till:Pw5-proxy-Kd82@proxy.example:3128",
        "socks5://till:Pw5-proxy-Kd82@proxy.example",
        "http://till:Pw5-proxy-Kd82@pro xy",
        "http://till:Pw5-proxy-Kd82",
    ] {
        let mut config = payorder_core::Config::new(url.replace("proxy.example", "pay.example"));
        config.proxy = payorder_core::ProxyChoice::Url(url.to_owned());
        for shown in [format!("{config:?}"), format!("{:#?}", config.proxy)] {
            assert!(!shown.contains("Pw5") && !shown.contains("till"), "{shown}");
        }
    }
    let mut config = payorder_core::Config::new("https://pay.example.com/v1");
    config.proxy = payorder_core::ProxyChoice::Url("http://proxy.example:3128".to_owned());
    let shown = format!("{config:?}");
    assert!(shown.contains("pay.example.com/v1"), "{shown}");
    assert!(shown.contains("proxy.example:3128"), "{shown}");
}
