//! The options of a call are checked before anything is sent. tests/repository/description.rs has the
//! range and the type of every option.

use serde_json::{Value, json};
use support::abi::{self, Client, build_create_order};
use support::calls::{NETWORK, make};
use support::log::Log;
use support::orders::{FIELDS, config, order, query, with};
use support::responses::{completed, created};
use support::result::{CONNECTION_LOST, INVALID_ARGUMENT};
use support::rows::Rows;
use support::service::{Service, close};
use support::shop::Shop;
use support::table;

const JOURNAL: [&str; 3] = ["journal_list", "journal_prune", "journal_settle"];

/// Credentials that no call takes, or repeats.
fn credentials() -> Vec<Value> {
    let values = json!([
        ["MARK"],
        " MARK",
        "MARK\nb",
        "MARK\0",
        "éMARK",
        "MARK".repeat(1025)
    ]);
    let values = values.as_array().expect("a list");
    let keys = ["accessToken", "clientKey", "clientId", "secretKey"].iter();
    keys.flat_map(|key| values.iter().map(move |value| json!({*key: value})))
        .collect()
}

/// Further options that a call refuses.
fn others(call: &str) -> Value {
    match call {
        "get_status" => json!([
            {"extraFields": {"a": "b"}}, {"resend": true}, {"timeout": 1}
        ]),
        "create_order" => json!([
            {"timeout": 1}, {"connectTimeoutMs": 1}, {"createRetries": 1}, {"statusRetries": 1},
            {"AccessToken": "1"}, {"": "1"}, {"proxy": "1"}, {"returnUrlField": "1"}
        ]),
        "wait_for_payment" => json!([
            {"final": null}, {"final": "Failed"}, {"final": {}}, {"final": [1]}, {"final": [null]},
            {"final": [""]}, {"final": ["Failed", " \t"]},
            {"interval": 100}, {"extraFields": {}}, {"concurrency": 1}
        ]),
        "get_statuses" | "journal_resolve" | "recover" => json!([
            {"statusRetries": 1}, {"intervalMs": 100}, {"resend": true}, {"extraFields": {}}
        ]),
        "journal_list" => json!([
            {"state": "done"}, {"state": ""}, {"state": null}, {"state": ["created"]},
            {"olderThanDays": 1}, {"timeoutMs": 1000}
        ]),
        "journal_prune" => json!([{"state": "created"}]),
        "journal_settle" => json!([
            {}, {"note": "without an entry"}, {"entry": -1}, {"entry": "1"}, {"entry": null},
            {"entry": 1, "note": 7}, {"entry": 1, "note": null},
            {"entry": 1, "note": "x".repeat(201)}, {"entry": 1, "state": "settled"}
        ]),
        _ => json!([]),
    }
}

#[test]
fn an_invalid_option_is_an_invalid_argument_and_nothing_is_sent() {
    let (shop, service) = (Shop::new(), Service::start([close()]));
    let client = shop.client(&service);
    client.create(&order()).is(CONNECTION_LOST);
    let listed = client.journal_list(&json!({})).done().json;
    let mut refused: Vec<(&str, Value)> = Vec::new();
    for call in NETWORK {
        refused.extend(credentials().into_iter().map(|options| (call, options)));
    }
    for call in NETWORK.into_iter().chain(JOURNAL) {
        let further = others(call);
        let further = further.as_array().expect("a list").iter().cloned();
        refused.extend(further.map(|options| (call, options)));
    }
    let mut rows = Rows::new();
    let log = Log::of(&client);
    for (call, options) in &refused {
        let row: String = format!("{call} {options}").chars().take(80).collect();
        let reply = make(call, &client, options);
        rows.code(&row, &reply, INVALID_ARGUMENT);
        rows.holds(&row, !reply.text().contains("MARK"), reply.text());
    }
    let repeated = log.texts().into_iter().find(|text| text.contains("MARK"));
    rows.same("the log", repeated, None);
    let still = client.journal_list(&json!({})).json;
    rows.same("the journal", still, listed);
    rows.end();
    assert_eq!(service.request_count(), 1, "nothing was sent");
}

#[test]
fn extra_fields_are_strings_with_new_names() {
    let service = Service::responding(created());
    let client = Client::new(&with(&config(&service.url()), "returnUrlField", "backUrl"));
    let broken = json!([
        null, "a", ["a"], {"a": 1}, {"a": null}, {"a": {"b": "c"}}, {"a": "b", "c": 1},
        {"backUrl": "x"}
    ]);
    let broken = broken.as_array().expect("a list").iter().cloned();
    let mut rows = Rows::new();
    for extra in broken.chain(FIELDS.map(|field| json!({field: "x"}))) {
        let options = json!({"extraFields": extra});
        let row = options.to_string();
        let reply = client.create_with(&order(), &options);
        rows.code(&row, &reply, INVALID_ARGUMENT);
        let options = with(&options, "returnUrlField", "backUrl").to_string();
        let reply = build_create_order(&order().to_string(), Some(&options));
        rows.code(&row, &reply, INVALID_ARGUMENT);
    }
    rows.end();
    let twice = r#"{"extraFields":{"a":"1","a":"1"}}"#;
    abi::create_order(client.key(), &order().to_string(), Some(twice)).is(INVALID_ARGUMENT);
    assert_eq!(service.connections(), 0, "nothing was sent");
    let none = json!({"extraFields": {}});
    client.create_with(&order(), &none).done();
}

#[test]
fn building_an_order_takes_two_options_and_no_others() {
    let mut rows = Rows::new();
    for (options, code) in table! {
        r#"{}"#, 0;
        // An empty text means the same as NULL, wherever a text may be NULL.
        "", 0;
        r#"{"returnUrlField":"backUrl","extraFields":{"a":"b"}}"#, 0;
        r#"{"timeoutMs":1000}"#, INVALID_ARGUMENT;
        r#"{"accessToken":"a"}"#, INVALID_ARGUMENT;
        r#"{"resend":true}"#, INVALID_ARGUMENT;
        r#"{"cancellation":"x"}"#, INVALID_ARGUMENT;
        r#"{"returnUrlField":1}"#, INVALID_ARGUMENT;
        r#"{"returnUrlField":""}"#, INVALID_ARGUMENT;
        r#"{"returnUrlField":"amount"}"#, INVALID_ARGUMENT;
    } {
        let reply = build_create_order(&order().to_string(), Some(options));
        rows.code(options, &reply, code);
    }
    rows.end();
}

#[test]
fn an_empty_text_is_none_where_a_text_may_be_null() {
    let service = Service::responding(completed("ORDER-1001"));
    let client = Client::new(&config(&service.url()));
    abi::get_status(client.key(), &query().to_string(), Some("")).done();
    let begun = abi::start_taken(
        client.key(),
        "get_status",
        Some(&query().to_string()),
        Some(""),
        1,
    );
    assert_eq!(begun.code, 0);
    abi::take(client.key(), 60_000).expect("an answer").1.done();
    // Without a journal, the sales must be named.
    let unnamed = abi::recover(client.key(), Some(""), Some(""));
    assert_eq!(unnamed.is(INVALID_ARGUMENT).error()["cause"], "no_journal");
    assert_eq!(
        abi::json_set(Some(""), "/a", "1").text.as_deref(),
        Some(r#"{"a":1}"#)
    );
    // A text that must be given is an error.
    for reply in [
        abi::create_order(client.key(), "", None),
        abi::get_status(client.key(), "", None),
    ] {
        reply.is(INVALID_ARGUMENT);
    }
}
