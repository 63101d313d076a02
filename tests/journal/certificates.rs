//! The events say with which certificate the service answered.

use super::till::{Till, WAYS, sha256, status};
use serde_json::{Value, json};
use support::abi::Client;
use support::orders::with;
use support::responses::created;
use support::result::TLS_FAILED;
use support::rows::Rows;
use support::service::{Service, respond, tunnel};
use support::shop::{listed, order};
use support::tls::{Authority, serving};

/// A till whose service has TLS, its configuration, and the SHA-256 of the service's certificate.
fn secure() -> (Till, Value, String) {
    let (shop, authority) = (crate::shop(), Authority::new());
    let identity = authority.identity_for("localhost");
    let certificate = sha256(identity.certificate.der());
    let trusted = json!({"caFile": shop.folder.file("ca.pem", authority.pem())});
    let service = Service::start_tls(serving(identity), [respond(created())]);
    let config = with(&shop.config(&service.url()), "tls", trusted);
    let client = Client::new(&config);
    let till = Till {
        shop,
        service,
        client,
    };
    (till, config, certificate)
}

/// The `host`, `tls`, `proxy` and `certificateSha256` of each attempt and status.
fn connections(client: &Client) -> Vec<[Value; 4]> {
    let entries = listed(&client.journal_list(&json!({"events": true})));
    let events = entries
        .iter()
        .flat_map(|entry| entry["events"].as_array().expect("events").clone());
    events
        .filter(|event| event["event"] != "sending")
        .map(|event| ["host", "tls", "proxy", "certificateSha256"].map(|key| event[key].clone()))
        .collect()
}

#[test]
fn a_new_a_kept_and_a_resumed_connection_have_the_certificate() {
    let (till, config, certificate) = secure();
    let kept = Client::new(&with(&config, "maxIdleMs", 60_000));
    let fresh = Client::new(&with(&config, "maxIdleMs", 0));
    for number in 0..4 {
        kept.create(&order(&format!("KEPT-{number}"))).done();
        fresh.create(&order(&format!("FRESH-{number}"))).done();
    }
    assert_eq!(till.service.connections(), 5);
    assert!(till.service.resumed() >= 2, "{}", till.service.resumed());
    let host = format!("localhost:{}", till.service.port());
    let expected = [json!(host), json!(true), json!(false), json!(certificate)];
    assert_eq!(connections(&kept), vec![expected; 8]);
}

#[test]
fn a_status_has_it_whoever_asks() {
    let mut rows = Rows::new();
    for (way, ask) in WAYS {
        let (till, _, certificate) = secure();
        till.client.create(&order("A")).done();
        let script = [
            status("A", json!({"transactionStatus": "Pending"})),
            status("A", json!({})),
        ];
        till.service.set_script(script);
        // So that the journal knows the transaction.
        till.client.status(&json!({"orderId": "A"})).done();
        ask(&till.client).done();
        let found = connections(&till.client);
        rows.same(way, found.len(), 3);
        rows.same(way, &found[2][3], &json!(certificate));
    }
    rows.end();
}

#[test]
fn through_a_proxy_it_is_the_services_and_not_the_proxys() {
    let (_till, config, certificate) = secure();
    let proxy = Service::start([tunnel()]);
    let client = Client::new(&with(&config, "proxy", proxy.url()));
    client.create(&order("A")).done();
    assert_eq!(proxy.heads().len(), 1, "it went through the proxy");
    let [_, tls, through_proxy, found] = connections(&client).remove(0);
    assert_eq!([tls, through_proxy], [json!(true), json!(true)]);
    assert_eq!(found, certificate);
}

#[test]
fn a_connection_that_was_not_made_has_none() {
    let (_till, config, _) = secure();
    let untrusting = with(&config, "tls", json!({}));
    let client = Client::new(&with(&untrusting, "createRetries", 1));
    client.create(&order("A")).is(TLS_FAILED);
    let found = connections(&client);
    assert_eq!(found.len(), 1, "an invalid certificate is not tried again");
    assert_eq!(found[0][3], Value::Null);
    // Without TLS neither.
    let plain = Till::with("created");
    let [_, tls, _, certificate] = connections(&plain.client).remove(0);
    assert_eq!([tls, certificate], [json!(false), Value::Null]);
}
