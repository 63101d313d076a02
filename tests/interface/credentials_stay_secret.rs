//! No message, log event or error shows a credential, whatever fails and whatever the service
//! sends: whole credentials are redacted in free text. What programs compare is never changed. No
//! error repeats an invalid credential: `config_is_checked` and `options_are_checked`.

#[cfg(unix)]
use std::time::Duration;

use serde_json::{Value, json};
use support::abi::{self, Client, Reply};
use support::log::Log;
use support::orders::{config, order, query, with};
#[cfg(unix)]
use support::patience::{patience, worked};
use support::responses::{completed_body, created, created_body, http, http_with};
use support::rows::Rows;
use support::service::{
    Script, Service, Step, close, respond, respond_then_close, response, stall, tunnel,
};
use support::table;
use support::tls::Folder;
use support::unreachable::refusing_url;

const SECRETS: [(&str, &str); 4] = [
    ("accessToken", "Qz7-access-Wm41vRt9"),
    ("clientKey", "Hx3-clientkey-Lp58bNy2"),
    ("clientId", "Vd6-clientid-Gk72cJf4"),
    ("secretKey", "Ty9-secret-Zs13hDq8"),
];
const PASSWORD: &str = "Mn8-proxy-Ub39eKx5";
const OF_THE_CALL: &str = "Bk5-percall-Xn64wQm7";

fn config_with_secrets(url: &str) -> Value {
    let secret = |config, (key, secret): &(&str, &str)| with(&config, key, *secret);
    SECRETS.iter().fold(config(url), secret)
}

/// Whether a text shows a secret, or eight of its bytes in a row.
fn shows(text: &str) -> bool {
    let secrets = SECRETS.iter().map(|(_, secret)| *secret);
    secrets.chain([PASSWORD, OF_THE_CALL]).any(|secret| {
        let mut parts = secret.as_bytes().windows(8);
        parts.any(|part| text.contains(str::from_utf8(part).unwrap()))
    })
}

/// A client whose replies and events show no secret.
struct Discreet {
    client: Client,
    log: &'static Log,
    rows: Rows,
}

impl Discreet {
    fn new(config: &Value) -> Discreet {
        let client = Client::new(config);
        let (log, rows) = (Log::of(&client), Rows::new());
        Discreet { client, log, rows }
    }

    fn check(&mut self, row: &str, replies: &[Reply]) {
        for reply in replies {
            self.rows
                .that(row, reply.code != 0, || "the call should fail".into());
            self.rows.holds(row, !shows(reply.text()), reply.text());
        }
        let events = self.log.texts();
        self.rows
            .that(row, !events.is_empty(), || "no events".into());
        for event in events {
            self.rows.holds(row, !shows(&event), &event);
        }
    }

    fn both(&self) -> [Reply; 2] {
        [self.client.create(&order()), self.client.status(&query())]
    }
}

/// A refusal that says this.
fn saying(words: &str) -> Script {
    let body = json!({"responseCode": "401", "responseMessage": words});
    respond(http(401, body.to_string()))
}

#[test]
fn no_failure_shows_a_credential() {
    for reaction in [
        close(),
        stall(),
        respond_then_close(b"SSH-2.0\r\n\r\n".to_vec()),
    ] {
        let service = Service::start([reaction]);
        let config = with(&config_with_secrets(&service.url()), "timeoutMs", 400);
        let mut calls = Discreet::new(&config);
        let replies = calls.both();
        calls.check("a reaction", &replies);
        calls.rows.end();
    }
    let no_tls = refusing_url().replace("http", "https");
    for url in [refusing_url(), "https://name.invalid/".into(), no_tls] {
        let mut calls = Discreet::new(&config_with_secrets(&url));
        let replies = calls.both();
        calls.check(&url, &replies);
        let others = [
            calls.client.create(&json!({})),
            calls.client.create_with(&order(), &json!({"x": 1})),
            abi::create_order(calls.client.key(), "{", None),
        ];
        calls.check(&url, &others);
        calls.rows.end();
    }
}

#[test]
fn a_service_that_repeats_a_credential_is_redacted() {
    let service = Service::start([stall()]);
    let mut calls = Discreet::new(&config_with_secrets(&service.url()));
    for (key, secret) in SECRETS {
        service.set_script([saying(&format!("bad {secret}, said <{secret}>"))]);
        for reply in calls.both() {
            let shown = json!("bad [redacted], said <[redacted]>");
            calls
                .rows
                .same(key, &reply.error()["responseMessage"], &shown);
        }
        let json = |body: Value| http(200, body.to_string());
        let url = format!("https://{secret}@pay.example.com/{secret}");
        let data = json!({"orderId": secret, "transactionId": secret});
        let headers = [
            ("Retry-After", secret),
            ("X-Token", secret),
            ("Location", secret),
        ];
        for (place, response) in table! {
            "a code", json(json!({"responseCode": secret, "responseMessage": "x"}));
            "HTML", http(200, format!("<p>{secret}</p>"));
            "HTML of a 500", http(500, format!("<p>{secret}</p>"));
            "a header", http_with(503, &headers, "");
            "a redirect", http_with(302, &headers, "");
            "the reason phrase", format!("HTTP/1.1 403 {secret}\r\n\r\n").into_bytes();
            "the status line", format!("{secret} 200 OK\r\n\r\n").into_bytes();
            "a header's name", format!("HTTP/1.1 200 OK\r\n{secret} x: y\r\n\r\n").into_bytes();
            "another order's id", json(json!({"responseCode": "200", "data": data}));
            "broken JSON", http(200, format!("{{\"responseCode\": {secret}}}"));
            // For Get Status a URL is an unknown field, which is kept as sent.
            "a broken URL", json(json!({"responseCode": "200", "data": {"url": url}}));
        } {
            service.set_script([respond_then_close(response)]);
            let [created, asked] = calls.both();
            let row = format!("{key} in {place}");
            calls.check(&row, &[created]);
            if place != "a broken URL" {
                calls.check(&row, &[asked]);
            }
        }
    }
    calls.rows.end();
}

#[test]
fn a_checkout_host_that_repeats_a_credential_is_redacted() {
    let service = Service::start([stall()]);
    let config = with(&config(&service.url()), "accessToken", "Tok-4CC355");
    let client = Client::new(&with(&config, "checkoutHosts", json!(["pay.example.com"])));
    for url in ["http://Tok-4CC355/c", "https://Tok-4CC355/c"] {
        let body = json!({"responseCode": "200", "data": {"url": url}});
        service.set_script([respond(http(200, body.to_string()))]);
        let reply = client.create(&order());
        reply.says("host [redacted]");
        assert!(
            !reply.message().to_lowercase().contains("tok-4cc355"),
            "{}",
            reply.text()
        );
    }
}

#[test]
fn credentials_of_a_call_and_those_that_they_replace_are_redacted() {
    let service = Service::start([stall()]);
    let mut calls = Discreet::new(&config_with_secrets(&service.url()));
    let all = SECRETS
        .iter()
        .fold(json!({}), |all, (key, _)| with(&all, key, OF_THE_CALL));
    for (key, secret) in SECRETS {
        for (options, said) in [
            (json!({key: OF_THE_CALL}), OF_THE_CALL),
            (all.clone(), secret),
        ] {
            service.set_script([saying(said)]);
            let replies = [
                calls.client.create_with(&order(), &options),
                calls.client.status_with(&query(), &options),
            ];
            for reply in &replies {
                let shown = &reply.error()["responseMessage"];
                calls.rows.same(key, shown, &json!("[redacted]"));
            }
            calls.check(key, &replies);
        }
    }
    calls.rows.end();
}

/// `core/src/credentials/redaction.rs` has credentials that overlap.
#[test]
fn a_credential_is_found_under_its_escapes() {
    let service = Service::start([stall()]);
    let client = Client::new(&config(&service.url()));
    let odd = r#"Rj2"\/<quote>-Fc85"#;
    let escaped = r#"{"responseCode":"401","responseMessage":"no Rj2\"\\\/\u003cquote>-Fc85!"}"#;
    service.set_script([respond(http(401, escaped))]);
    let reply = client.create_with(&order(), &json!({"accessToken": odd}));
    assert_eq!(reply.error()["responseMessage"], "no [redacted]!");
}

#[test]
fn a_proxys_password_is_not_repeated() {
    let userinfo = format!("till:{PASSWORD}");
    let refusing = Service::start([vec![Step::Connect, Step::Send(response(407)), Step::Close]]);
    let closing = Service::start([vec![Step::Connect, Step::Close]]);
    let unreachable = refusing_url().replace("http://", &format!("http://{userinfo}@"));
    for proxy in [
        unreachable,
        refusing.url_with(&userinfo),
        closing.url_with(&userinfo),
    ] {
        let config = with(&config("https://pay.example.com"), "proxy", proxy.as_str());
        let mut calls = Discreet::new(&config);
        let reply = calls.client.create(&order());
        calls.check(&proxy, &[reply]);
        calls.rows.end();
    }
    let (service, proxy) = (Service::start([stall()]), Service::start([tunnel()]));
    let url = proxy.url_with("till:Mn8-%C3%B6bcdefgh-Ub39%40x");
    let client = Client::new(&with(&config(&service.url()), "proxy", url));
    for (said, shown) in table! {
        "no Mn8-öbcdefgh-Ub39@x!", "no [redacted]!";
        "no h-Ub39@x or till!", "no h-Ub39@x or till!";
    } {
        service.set_script([saying(said)]);
        let reply = client.create(&order());
        assert_eq!(reply.error()["responseMessage"], shown);
    }
}

#[test]
fn debug_output_of_a_config_shows_no_password() {
    for url in [
        "http://till:Pw5-proxy-Kd82@proxy.example:3128",
        "till:Pw5-proxy-Kd82@proxy.example:3128",
        "http://till:Pw5-proxy-Kd82@pro xy",
        "http://till:Pw5-proxy-Kd82",
    ] {
        let mut config = payorder_core::Config::new(url);
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

const KEY: &str = "Hx3-clientkey-Lp58bNy2-Qd47wTz9-Rf06kMs1";
const SHORT: &str = "Vd6-i4";

#[test]
fn only_whole_credentials_are_redacted_and_short_ones_only_as_words() {
    let service = Service::start([stall()]);
    let config = with(&config(&service.url()), "clientKey", KEY);
    let client = Client::new(&with(&config, "clientId", SHORT));
    let mut rows = Rows::new();
    for (said, shown) in table! {
        "noKEYno", "no[redacted]no";
        "KEYKEYé", "[redacted][redacted]é";
        "no <SHORT>!", "no <[redacted]>!";
        "SHORT", "[redacted]";
        "SHORT5, SHORT.", "SHORT5, [redacted].";
        "éSHORTé", "éSHORTé";
    } {
        let fill = |text: &str| text.replace("KEY", KEY).replace("SHORT", SHORT);
        let (said, shown) = (fill(said), json!(fill(shown)));
        let echo = json!({"responseCode": said, "responseMessage": said});
        service.set_script([respond(http(400, echo.to_string()))]);
        for reply in [client.create(&order()), client.status(&query())] {
            rows.same(&said, &reply.error()["responseCode"], &shown);
            rows.same(&said, &reply.error()["responseMessage"], &shown);
        }
        let success = with(
            &completed_body("ORDER-1001"),
            "responseMessage",
            said.as_str(),
        );
        service.set_script([respond(http(200, success.to_string()))]);
        rows.same(&said, &client.status(&query())["responseMessage"], &shown);
    }
    for part in [&KEY[..39], &KEY[1..], &SHORT[..5]] {
        service.set_script([saying(part)]);
        let reply = client.create(&order());
        rows.same(part, &reply.error()["responseMessage"], &json!(part));
    }
    rows.end();
}

/// Credentials that are parts of what the service says, as they happen to be.
#[cfg(feature = "journal")]
#[test]
fn what_programs_compare_is_never_changed() {
    let mut rows = Rows::new();
    for (key, credential) in table! {
        "accessToken", "CompleteCare-Pharmacy";
        "clientId", "Complete";
        "clientId", "Completed";
        "clientId", "1";
        "clientKey", "TXN-2026-";
        "secretKey", "100.10";
        "clientId", "ORDER-1001";
        "clientId", "200";
    } {
        let (service, folder) = (Service::start([stall()]), Folder::new());
        let path = folder.path().join("journal.db");
        let config = with(&config(&service.url()), key, credential);
        let client = Client::new(&with(&config, "journal", path.to_str().unwrap()));
        let log = Log::of(&client);
        service.set_script([respond(created())]);
        let checkout = client.create(&order()).done();
        rows.same(credential, &checkout["data"], &created_body()["data"]);
        let mut body = completed_body("ORDER-1001");
        body["data"]["transactionId"] = json!("TXN-2026-1");
        service.set_script([respond(http(200, body.to_string()))]);
        let status = client.status(&query()).done();
        rows.same(credential, &status["data"], &body["data"]);
        let events = log.events();
        let mut logged = events
            .iter()
            .filter_map(|event| event.get("transactionStatus"));
        rows.same(credential, logged.next(), Some(&json!("Completed")));
        let counts = client.statuses(&json!([query()]), &json!({}), |_, _| true);
        let counts = counts.done()["transactionStatus"].clone();
        rows.same(credential, counts, json!({"Completed": 1}));
        let entry = &client.journal_list(&json!({"events": true}))["entries"][0];
        let event = entry["events"].as_array().unwrap().last().unwrap();
        for place in [entry, event] {
            for field in ["transactionId", "transactionStatus", "amount"] {
                rows.same(credential, &place[field], &body["data"][field]);
            }
        }
        let refusal = json!({"responseCode": "400", "responseMessage": "No"});
        service.set_script([respond(http(200, refusal.to_string()))]);
        let code = client.status(&query()).error()["responseCode"].clone();
        rows.same(credential, code, json!("400"));
    }
    rows.end();
}

#[cfg(unix)]
#[test]
fn a_long_text_is_redacted_in_linear_time() {
    let service = Service::start([stall()]);
    let config = with(
        &config(&service.url()),
        "secretKey",
        "k".repeat(2000) + "Zq",
    );
    let config = with(&config, "accessToken", "k".repeat(7));
    let client = Client::new(&with(&config, "maxResponseBytes", 16_000_000));
    // Almost every place is the beginning of a credential.
    for said in ["k".repeat(4_000_000), "xkkkkkkk".repeat(500_000)] {
        service.set_script([saying(&said)]);
        let began = worked();
        let reply = client.status(&query());
        let shown = reply.error()["responseMessage"].as_str().unwrap();
        assert!(shown == said, "{} bytes", shown.len());
        let took = worked() - began;
        assert!(took < patience(Duration::from_secs(20)), "{took:?}");
    }
}
