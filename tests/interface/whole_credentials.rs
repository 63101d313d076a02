//! Whole credentials are redacted in free text. What programs compare is never changed.
#![cfg(feature = "journal")]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::abi::Client;
use support::log::Log;
use support::orders::{config, order, query, with};
use support::patience::patience;
use support::responses::{completed_body, created, created_body, http};
use support::rows::Rows;
use support::service::{Service, respond, stall, tunnel};
use support::tls::Folder;

const KEY: &str = "Hx3-clientkey-Lp58bNy2-Qd47wTz9-Rf06kMs1";
const SHORT: &str = "Vd6-i4";

fn secretive(url: &str) -> Value {
    let config = with(&config(url), "clientKey", KEY);
    with(&config, "clientId", SHORT)
}

/// What a service says in a free text, and what is shown of it.
fn words() -> Vec<(String, String)> {
    let row = |said: String, shown: &str| (said, shown.to_owned());
    let as_it_came = |said: String| (said.clone(), said);
    vec![
        row(format!("no {KEY}!"), "no [redacted]!"),
        row(format!("no{KEY}no"), "no[redacted]no"),
        row(format!("{KEY}{KEY}é"), "[redacted][redacted]é"),
        row(format!("no <{SHORT}>!"), "no <[redacted]>!"),
        row(SHORT.into(), "[redacted]"),
        row(format!("Vd6-i45, {SHORT}."), "Vd6-i45, [redacted]."),
        as_it_came(format!("no {}!", &KEY[..39])),
        as_it_came(format!("no {}!", &KEY[1..])),
        as_it_came(format!("é{SHORT}é")),
        as_it_came(format!("{SHORT}7")),
        as_it_came(format!("no {}!", &SHORT[..5])),
    ]
}

#[test]
fn a_free_text_shows_no_whole_credential() {
    let service = Service::start([stall()]);
    let client = Client::new(&secretive(&service.url()));
    let mut rows = Rows::new();
    for (said, shown) in words() {
        let echo = json!({"responseCode": said, "responseMessage": said});
        service.set_script([respond(http(400, &echo.to_string()))]);
        for reply in [client.create(&order()), client.status(&query())] {
            rows.same(&said, &reply.error()["responseCode"], &json!(shown));
            rows.same(&said, &reply.error()["responseMessage"], &json!(shown));
        }
        let mut success = completed_body("ORDER-1001");
        success["responseMessage"] = json!(said);
        service.set_script([respond(http(200, &success.to_string()))]);
        let reply = client.status(&query()).done();
        rows.same(&said, &reply["responseMessage"], &json!(shown));
    }
    rows.end();
}

/// Credentials that are parts of what the service says, as they happen to be.
#[test]
fn what_programs_compare_is_never_changed() {
    let mut rows = Rows::new();
    for (key, credential) in [
        ("accessToken", "CompleteCare-Pharmacy"),
        ("clientId", "Complete"),
        ("clientId", "Completed"),
        ("clientId", "1"),
        ("clientKey", "TXN-2026-"),
        ("secretKey", "100.10"),
        ("clientId", "ORDER-1001"),
        ("clientId", "200"),
    ] {
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
        service.set_script([respond(http(200, &body.to_string()))]);
        let status = client.status(&query()).done();
        for (field, value) in body["data"].as_object().unwrap() {
            rows.same(credential, &status["data"][field], value);
        }
        let events = log.events();
        let logged = events
            .iter()
            .filter_map(|event| event.get("transactionStatus"));
        rows.same(
            credential,
            logged.collect::<Vec<_>>(),
            vec![&json!("Completed")],
        );
        let counts = client.statuses(&json!([query()]), &json!({}), |_, _| true);
        rows.same(
            credential,
            &counts.done()["transactionStatus"],
            &json!({"Completed": 1}),
        );
        let entry = &client.journal_list(&json!({"events": true}))["entries"][0];
        let event = entry["events"].as_array().unwrap().last().unwrap();
        for place in [entry, event] {
            rows.same(credential, &place["transactionId"], &json!("TXN-2026-1"));
            rows.same(credential, &place["transactionStatus"], &json!("Completed"));
            rows.same(credential, &place["amount"], &body["data"]["amount"]);
        }
        service.set_script([respond(http(
            200,
            &json!({"responseCode": "400", "responseMessage": "No"}).to_string(),
        ))]);
        let refused = client.status(&query());
        rows.same(credential, &refused.error()["responseCode"], &json!("400"));
    }
    rows.end();
}

#[test]
fn a_proxys_password_is_redacted_like_a_credential() {
    let service = Service::start([stall()]);
    let proxy = Service::start([tunnel()]);
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
        ("no h-Ub39@x!", "no h-Ub39@x!"),
        ("no till!", "no till!"),
    ] {
        let echo = json!({"responseCode": "400", "responseMessage": said});
        service.set_script([respond(http(200, &echo.to_string()))]);
        for reply in [client.create(&order()), client.status(&query())] {
            rows.same(said, &reply.error()["responseMessage"], &json!(shown));
        }
    }
    rows.end();
}

#[test]
fn a_long_text_is_redacted_in_linear_time() {
    let service = Service::start([stall()]);
    let config = with(
        &secretive(&service.url()),
        "secretKey",
        "k".repeat(2000) + "Zq",
    );
    let config = with(&config, "accessToken", "k".repeat(7));
    let client = Client::new(&with(&config, "maxResponseBytes", 16_000_000));
    // Almost every place is the beginning of a credential.
    for said in ["k".repeat(4_000_000), "xkkkkkkk".repeat(500_000)] {
        let echo = json!({"responseCode": "400", "responseMessage": said});
        service.set_script([respond(http(200, &echo.to_string()))]);
        let began = Instant::now();
        let reply = client.status(&query());
        reply.is(100);
        let shown = reply.error()["responseMessage"].as_str().unwrap();
        assert!(shown == said, "{} bytes", shown.len());
        assert!(
            began.elapsed() < patience(Duration::from_secs(20)),
            "{:?}",
            began.elapsed()
        );
    }
}
