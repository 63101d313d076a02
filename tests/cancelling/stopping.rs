//! A stopped client ends its calls, and sends nothing any more.

use serde_json::json;

use super::{CANCELLED, long_timeouts};
use support::abi::{self, Client, Reply};
use support::orders::{order, query};
use support::responses::created;
use support::service::Service;

#[test]
fn a_stopped_client_refuses_every_call() {
    let service = Service::responding(created());
    let client = Client::new(&long_timeouts(&service.url()));
    assert_eq!(abi::stop(client.key()), 0);
    type With = fn(&Client) -> Reply;
    let later: [(&str, With); 5] = [
        ("create_order", |client| client.create(&order())),
        ("a broken order", |client| client.create(&json!({}))),
        ("get_status", |client| client.status(&query())),
        ("wait_for_payment", |client| {
            client.wait(&query(), &json!({}))
        }),
        ("get_statuses", |client| {
            client.statuses(&json!([query()]), &json!({}), |_, _| true)
        }),
    ];
    for (name, call) in later {
        let reply = call(&client);
        reply.is(CANCELLED);
        assert_eq!(reply.error()["cause"], "client_stopped", "{name}");
        assert!(reply.message().ends_with("nothing was sent"), "{name}");
        if name == "wait_for_payment" {
            assert_eq!(reply.error()["statusQuery"]["orderId"], "ORDER-1001");
        }
    }
    assert_eq!(service.request_count(), 0);
    assert_eq!(abi::stop(client.key()), 0, "it may be stopped twice");
    assert_eq!(abi::stop(0), 2);
}

#[test]
fn what_only_reads_the_journal_still_works() {
    let folder = support::tls::Folder::new();
    let mut config = long_timeouts("http://127.0.0.1:9");
    config["journal"] = folder.path().join("orders.db").to_str().into();
    let client = Client::new(&config);
    assert_eq!(abi::stop(client.key()), 0);
    let none = json!({});
    assert_eq!(client.journal_list(&none).done()["entries"], json!([]));
    client.journal_resolve(&none).is(CANCELLED);
    client.journal_settle(&json!({"entry": 1})).is(CANCELLED);
    client.journal_prune(&none).is(CANCELLED);
}
