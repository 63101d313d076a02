//! A valid status query names what to search for. Others are refused with all violations, and
//! nothing is sent.

use serde_json::json;
use support::abi::{Client, build_get_status};
use support::orders::config;
use support::responses::created;
use support::rows::Rows;
use support::service::{Service, respond};
use support::table;

const INVALID_REQUEST: i32 = 4;

#[test]
fn a_status_query_names_its_search_type() {
    let by_order = json!({"searchType": "1", "orderId": "O-1"});
    let by_transaction = json!({"searchType": "2", "orderId": "", "transactionId": "T-1"});
    let taken = table! {
        "1, in full", json!({"searchType": "1", "orderId": "O-1"}), &by_order;
        "2, in full", json!({"searchType": "2", "transactionId": "T-1"}), &by_transaction;
        "2 with orderId empty", by_transaction.clone(), &by_transaction;
        "only an orderId", json!({"orderId": "O-1"}), &by_order;
        "only a transactionId", json!({"transactionId": "T-1"}), &by_transaction;
        "a blank transactionId", json!({"orderId": "O-1", "transactionId": ""}), &by_order;
        "a blank orderId", json!({"orderId": " \u{3000}", "transactionId": "T-1"}), &by_transaction;
        "1, with both", json!({"searchType": "1", "orderId": "O-1", "transactionId": "T-1"}),
            &by_order;
        "2, with both", json!({"searchType": "2", "orderId": "O-1", "transactionId": "T-1"}),
            &by_transaction;
    };
    let mut rows = Rows::new();
    for (row, query, wire) in taken {
        let reply = build_get_status(&query.to_string());
        rows.same(row, &reply.json, wire);
    }
    rows.end();
}

#[test]
fn an_invalid_status_query_is_refused_and_not_sent() {
    let service = Service::start([respond(created())]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    for (query, violation) in table! {
        json!({"searchType": "1"}), "orderId: required";
        json!({"searchType": "2"}), "transactionId: required";
        json!({"searchType": "1", "transactionId": "T-1"}), "orderId: required";
        json!({"searchType": "2", "orderId": "O-1"}), "transactionId: required";
        json!({"searchType": "3", "orderId": "O-1"}), "searchType: allowed";
        json!({"searchType": "01", "orderId": "O-1"}), "searchType: allowed";
        json!({"searchType": "1 ", "orderId": "O-1"}), "searchType: allowed";
        json!({"searchType": "", "orderId": "O-1"}), "searchType: blank";
        json!({"searchType": 1, "orderId": "O-1"}), "searchType: type";
        json!({"searchType": null, "orderId": "O-1"}), "searchType: type";
        json!({"searchType": "1", "orderId": 17}), "orderId: type";
        json!({"searchType": "1", "orderId": null}), "orderId: type";
        json!({"orderId": true}), "orderId: type";
        json!({"searchType": "2", "transactionId": ["T"]}), "transactionId: type";
        json!({"orderId": "O-1", "amount": "1"}), "amount: unknown_field";
        json!({"orderId": "O-1", "orderID": "O-1"}), "orderID: unknown_field";
        json!({"orderId": "O-1", "transactionId": "T-1"}), "searchType: conflict";
        json!({"searchType": "1", "orderId": ""}), "orderId: blank";
        json!({"searchType": "2", "transactionId": " "}), "transactionId: blank";
    } {
        for reply in [build_get_status(&query.to_string()), client.status(&query)] {
            let got = (reply.code, reply.violations());
            rows.same(
                &query.to_string(),
                got,
                (INVALID_REQUEST, vec![violation.to_owned()]),
            );
        }
    }
    for nothing in [json!({}), json!({"orderId": "", "transactionId": " "})] {
        let reply = client.status(&nothing);
        let right = reply.code == INVALID_REQUEST && !reply.violations().is_empty();
        rows.holds(&nothing.to_string(), right, reply.text());
    }
    let two = client.status(&json!({"searchType": "9", "orderId": 1, "x": "y"}));
    rows.same(
        "all at once",
        two.violations(),
        vec![
            "searchType: allowed".into(),
            "orderId: type".into(),
            "x: unknown_field".into(),
        ],
    );
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}
