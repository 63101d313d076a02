//! The events say with which certificate the service answered.

use serde_json::{Value, json};
use support::abi::{Client, Reply};
use support::orders::{config, with};
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Service, respond, tunnel};
use support::shop::{Shop, listed, order};
use support::tls::{Authority, serving};

/// A service with TLS, its shop's journal, and the SHA-256 of the service's certificate.
struct Secure {
    shop: Shop,
    service: Service,
    config: Value,
    certificate: String,
}

impl Secure {
    fn start() -> Secure {
        let (shop, authority) = (Shop::new(), Authority::new());
        let identity = authority.identity_for("localhost");
        let digest = ring::digest::digest(&ring::digest::SHA256, identity.certificate.der());
        let hex = digest.as_ref().iter().map(|byte| format!("{byte:02x}"));
        let certificate = hex.collect();
        let ca_file = shop.folder.file("ca.pem", authority.pem());
        let service = Service::start_tls(serving(identity), [respond(created())]);
        let config = with(
            &shop.config(&service.url()),
            "tls",
            json!({"caFile": ca_file}),
        );
        Secure {
            shop,
            service,
            config,
            certificate,
        }
    }
}

fn sent(client: &Client) -> Vec<Value> {
    let entries = listed(&client.journal_list(&json!({"events": true})));
    let requests = entries
        .iter()
        .flat_map(|entry| entry["events"].as_array().expect("events").clone());
    requests
        .filter(|event| event["event"] != "sending")
        .collect()
}

#[test]
fn a_new_a_kept_and_a_resumed_connection_have_the_certificate() {
    let secure = Secure::start();
    let mut rows = Rows::new();
    let (service, expected) = (&secure.service, json!(secure.certificate));
    let kept = Client::new(&with(&secure.config, "maxIdleMs", 60_000));
    let fresh = Client::new(&with(&secure.config, "maxIdleMs", 0));
    for number in 0..4 {
        kept.create(&order(&format!("KEPT-{number}"))).done();
        fresh.create(&order(&format!("FRESH-{number}"))).done();
    }
    assert_eq!(service.connections(), 5);
    assert!(service.resumed() >= 2, "{} of 3 resumed", service.resumed());
    let events = sent(&kept);
    assert_eq!(events.len(), 8);
    for event in events {
        let row = event.to_string();
        rows.same(&row, &event["certificateSha256"], &expected);
        rows.same(&row, &event["tls"], &json!(true));
        rows.same(&row, &event["proxy"], &json!(false));
        rows.same(
            &row,
            &event["host"],
            &json!(format!("localhost:{}", service.port())),
        );
    }
    rows.end();
}

#[test]
fn a_status_has_it_whoever_asks() {
    type AskStatus = fn(&Client) -> Reply;
    let ways: [(&str, AskStatus); 4] = [
        ("get_status", |client| {
            client.status(&json!({"orderId": "A"}))
        }),
        ("wait_for_payment", |client| {
            client.wait(&json!({"orderId": "A"}), &json!({"waitMs": 10_000}))
        }),
        ("get_statuses", |client| {
            client.statuses(&json!([{"orderId": "A"}]), &json!({}), |_, _| true)
        }),
        ("journal_resolve", |client| {
            client.journal_resolve(&json!({}))
        }),
    ];
    let mut rows = Rows::new();
    for (way, ask) in ways {
        let secure = Secure::start();
        let client = Client::new(&secure.config);
        client.create(&order("A")).done();
        secure.service.set_script([respond(completed("A"))]);
        ask(&client).done();
        let events = sent(&client);
        rows.same(way, &events[1]["event"], &json!("status"));
        rows.same(
            way,
            &events[1]["certificateSha256"],
            &json!(secure.certificate),
        );
    }
    rows.end();
}

#[test]
fn through_a_proxy_it_is_the_services_and_not_the_proxys() {
    let secure = Secure::start();
    let proxy = Service::start([tunnel()]);
    let client = Client::new(&with(&secure.config, "proxy", proxy.url()));
    client.create(&order("A")).done();
    assert_eq!(proxy.heads().len(), 1, "it went through the proxy");
    let event = sent(&client).remove(0);
    assert_eq!(event["certificateSha256"], secure.certificate);
    assert_eq!(
        [&event["proxy"], &event["tls"]],
        [&json!(true), &json!(true)]
    );
}

#[test]
fn a_connection_that_was_not_made_has_none() {
    let secure = Secure::start();
    let untrusting = with(&secure.config, "tls", json!({}));
    let client = Client::new(&with(&untrusting, "createRetries", 1));
    client.create(&order("A")).is(7);
    let events = sent(&client);
    assert_eq!(events.len(), 1, "an invalid certificate is not tried again");
    assert_eq!(events[0]["cause"], "certificate_unknown_issuer");
    assert_eq!(events[0]["bytesSent"], 0);
    assert!(events[0].get("certificateSha256").is_none());
    // Without TLS neither.
    let plain = Service::responding(created());
    let client = Client::new(&with(
        &config(&plain.url()),
        "journal",
        secure.shop.path.to_str().unwrap(),
    ));
    client.create(&order("B")).done();
    let event = sent(&client).remove(1);
    assert!(event.get("certificateSha256").is_none(), "{event}");
    assert_eq!(event["tls"], false);
}
