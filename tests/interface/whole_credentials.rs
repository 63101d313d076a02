//! Eight bytes in a row of a credential are redacted like the whole one.
#![cfg(feature = "journal")]

use std::time::{Duration, Instant};

use crate::support::abi::{Client, Reply};
use crate::support::log::Log;
use crate::support::orders::{config, order, query, with};
use crate::support::patience::patience;
use crate::support::proxy::{Behaviour, Proxy};
use crate::support::responses::{completed_body, created, http};
use crate::support::rows::Rows;
use crate::support::service::{Reaction, Service};
use crate::support::tls::Folder;
use serde_json::{Value, json};

const KEY: &str = "Hx3-clientkey-Lp58bNy2-Qd47wTz9-Rf06kMs1";
const SHORT: &str = "Vd6-i4";

fn secretive(url: &str) -> Value {
    let config = with(&config(url), "clientKey", KEY);
    with(&config, "clientId", SHORT)
}

/// What a service says, and what is shown of it.
fn words() -> Vec<(String, String)> {
    let row = |said: String, shown: &str| (said, shown.to_owned());
    vec![
        row(format!("no {KEY}!"), "no [redacted]!"),
        row(format!("no {}!", &KEY[..39]), "no [redacted]!"),
        row(format!("no {}!", &KEY[1..]), "no [redacted]!"),
        row(format!("no {}!", &KEY[..8]), "no [redacted]!"),
        row(format!("no {}!", &KEY[16..24]), "no [redacted]!"),
        row(
            format!("no {}...", &KEY[KEY.len() - 9..]),
            "no [redacted]...",
        ),
        row(
            format!("{} or {}", &KEY[..10], &KEY[5..20]),
            "[redacted] or [redacted]",
        ),
        row(
            format!("{}{}é", &KEY[..9], &KEY[20..30]),
            "[redacted][redacted]é",
        ),
        row(format!("é{SHORT}é"), "é[redacted]é"),
        row(format!("no {}!", &KEY[..7]), &format!("no {}!", &KEY[..7])),
        row(
            format!("no {}!", &SHORT[..5]),
            &format!("no {}!", &SHORT[..5]),
        ),
        row(
            format!("{}x{}", &KEY[..7], &KEY[7..14]),
            &format!("{}x{}", &KEY[..7], &KEY[7..14]),
        ),
    ]
}

#[test]
fn an_error_shows_no_part_of_a_credential() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&secretive(&service.url()));
    let mut rows = Rows::new();
    for (said, shown) in words() {
        let echo = json!({"responseCode": said, "responseMessage": said});
        service.set_script([Reaction::Respond(http(400, &echo.to_string()))]);
        for reply in [client.create(&order()), client.status(&query())] {
            rows.same(&said, &reply.error()["responseCode"], &json!(shown));
            rows.same(&said, &reply.error()["responseMessage"], &json!(shown));
        }
        let mut success = completed_body("ORDER-1001");
        success["responseMessage"] = json!(said);
        service.set_script([Reaction::Respond(http(200, &success.to_string()))]);
        let reply = client.status(&query()).done();
        rows.same(&said, &reply["responseMessage"], &json!(shown));
    }
    rows.end();
}

#[test]
fn a_status_shows_no_part_of_a_credential_in_events_summaries_and_the_journal() {
    let (service, folder) = (Service::start([Reaction::Stall]), Folder::new());
    let path = folder.path().join("journal.db");
    let config = secretive(&service.url());
    let client = Client::new(&with(&config, "journal", path.to_str().unwrap()));
    let log = Log::of(&client);
    service.set_script([Reaction::Respond(created())]);
    client.create(&order()).done();
    let entry = |key: &str| -> Value { client.journal_list(&json!({}))["entries"][0][key].clone() };
    let mut rows = Rows::new();
    for (said, shown) in words() {
        let mut body = completed_body("ORDER-1001");
        body["data"]["transactionStatus"] = json!(said);
        let answer = Reaction::Respond(http(200, &body.to_string()));
        let asks: [(&str, &dyn Fn() -> Reply); 4] = [
            ("get_status", &|| client.status(&query())),
            ("wait_for_payment", &|| {
                client.wait(&query(), &json!({"waitMs": 60_000, "final": [said]}))
            }),
            ("get_statuses", &|| {
                client.statuses(&json!([query(), query()]), &json!({}), |_, _| true)
            }),
            ("journal_resolve", &|| client.journal_resolve(&json!({}))),
        ];
        for (way, ask) in asks {
            let row = format!("{way}: {said}");
            let mut other = completed_body("ORDER-1001");
            other["data"]["transactionStatus"] = json!("Pending");
            service.set_script([Reaction::Respond(http(200, &other.to_string()))]);
            client.status(&query()).done();
            service.set_script([answer.clone()]);
            let reply = ask().done();
            match way {
                "get_status" => rows.same(&row, &reply["data"]["transactionStatus"], &json!(said)),
                "get_statuses" => rows.same(&row, &reply["transactionStatus"], &json!({&shown: 2})),
                "journal_resolve" => rows.same(
                    &row,
                    &reply["summary"]["transactionStatus"],
                    &json!({&shown: 1}),
                ),
                _ => {}
            }
            rows.same(&row, entry("transactionStatus"), json!(shown));
            let events = log.events();
            let finished = events.iter().rev();
            let finished = finished
                .clone()
                .find(|event| event["event"] == "attempt_finished");
            rows.same(
                &row,
                &finished.expect("an event")["transactionStatus"],
                &json!(shown),
            );
        }
    }
    rows.end();
    let file = std::fs::read(&path).unwrap();
    let wal = std::fs::read(path.with_extension("db-wal")).unwrap_or_default();
    let bytes = [file, wal].concat();
    let shown = KEY
        .as_bytes()
        .windows(8)
        .find(|part| bytes.windows(8).any(|window| window == *part));
    assert_eq!(shown, None, "a part of a credential in the journal's file");
}

#[test]
fn texts_that_read_alike_without_their_credentials_count_together() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&secretive(&service.url()));
    let status = |text: &str| {
        let mut body = completed_body("");
        body["data"]["transactionStatus"] = json!(text);
        Reaction::Respond(http(200, &body.to_string()))
    };
    service.set_script([status(&KEY[..10]), status(&KEY[5..]), status("[redacted]")]);
    let queries = json!([query(), query(), query()]);
    let reply = client.statuses(&queries, &json!({"concurrency": 1}), |_, _| true);
    assert_eq!(reply.done()["transactionStatus"], json!({"[redacted]": 3}));
}

#[test]
fn a_proxys_password_is_redacted_like_a_credential() {
    let service = Service::start([Reaction::Stall]);
    let proxy = Proxy::start(Behaviour::Tunnel);
    // The password is Mn8-öbcdefgh-Ub39@x.
    let url = proxy.url_with("till:Mn8-%C3%B6bcdefgh-Ub39%40x");
    let client = Client::new(&with(&secretive(&service.url()), "proxy", url));
    let mut rows = Rows::new();
    for (said, shown) in [
        ("no Mn8-öbcdefgh-Ub39@x!", "no [redacted]!"),
        (
            "no Mn8-öbcdefgh-Ub39@x or Mn8-öbcdefgh-Ub39@x!",
            "no [redacted] or [redacted]!",
        ),
        ("no h-Ub39@x!", "no [redacted]!"),
        ("no öbcdefg!", "no [redacted]!"),
        // Its second byte is that of ö.
        ("no ¶bcdefgh!", "no [redacted]!"),
        ("no till!", "no till!"),
    ] {
        let echo = json!({"responseCode": "400", "responseMessage": said});
        service.set_script([Reaction::Respond(http(200, &echo.to_string()))]);
        for reply in [client.create(&order()), client.status(&query())] {
            rows.same(said, &reply.error()["responseMessage"], &json!(shown));
        }
    }
    rows.end();
}

#[test]
fn a_long_text_is_redacted_in_linear_time() {
    let service = Service::start([Reaction::Stall]);
    let long = "k".repeat(2000) + "Zq";
    let config = with(&secretive(&service.url()), "secretKey", long.repeat(2));
    let client = Client::new(&with(&config, "maxResponseBytes", 16_000_000));
    // The worst case: almost every place is the beginning of a part.
    for said in ["k".repeat(4_000_000), "kkkkkkk ".repeat(500_000)] {
        let echo = json!({"responseCode": "400", "responseMessage": said});
        service.set_script([Reaction::Respond(http(200, &echo.to_string()))]);
        let began = Instant::now();
        let reply = client.status(&query());
        assert_eq!(reply.code, 100);
        let shown = reply.error()["responseMessage"].as_str().unwrap();
        assert!(
            shown == "[redacted]" || shown == said,
            "{} bytes",
            shown.len()
        );
        assert!(
            began.elapsed() < patience(Duration::from_secs(20)),
            "{:?}",
            began.elapsed()
        );
    }
}
