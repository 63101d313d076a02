//! A valid order, query and config, for tests to change.

use serde::Deserializer;
use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The fields of Create Order, in the interface's order.
pub const FIELDS: [&str; 11] = [
    "amount",
    "merchantTxnId",
    "orderId",
    "payMode",
    "merchantId",
    "productInfo",
    "customerName",
    "customerMobile",
    "customerEmail",
    "redirectionURL",
    "currencyCode",
];

pub fn order() -> Value {
    order_named("ORDER-1001")
}

pub fn order_named(order_id: &str) -> Value {
    json!({
        "amount": "100.10",
        "merchantTxnId": "TXN-1001",
        "orderId": order_id,
        "payMode": "all",
        "merchantId": "M-7",
        "productInfo": "Two coffees",
        "customerName": "Asha Verma",
        "customerMobile": "9876543210",
        "customerEmail": "asha@example.com",
        "redirectionURL": "https://shop.example.com/done",
        "currencyCode": "INR",
    })
}

pub fn query() -> Value {
    json!({"searchType": "1", "orderId": "ORDER-1001"})
}

/// All credentials and no retries. A test about retries sets them.
pub fn config(base_url: &str) -> Value {
    json!({
        "baseUrl": base_url,
        "accessToken": "access-token-1",
        "clientKey": "client-key-1",
        "clientId": "client-id-1",
        "secretKey": "secret-key-1",
        "timeoutMs": 20000,
        "createRetries": 0,
        "statusRetries": 0,
        "proxy": "none",
    })
}

/// The same for the sandbox, with the credentials that its README names.
pub fn sandbox_config(base_url: &str) -> Value {
    let mut config = config(base_url);
    config["accessToken"] = "sandbox-access-token".into();
    config["clientKey"] = "sandbox-client-key".into();
    config["clientId"] = "sandbox-client-id".into();
    config["secretKey"] = "sandbox-secret-key".into();
    config
}

pub fn with(object: &Value, key: &str, value: impl Into<Value>) -> Value {
    let mut object = object.clone();
    object[key] = value.into();
    object
}

pub fn without(object: &Value, key: &str) -> Value {
    let mut object = object.clone();
    object
        .as_object_mut()
        .expect("an object")
        .remove(key)
        .expect("a key that is there");
    object
}

/// The keys of a JSON object in the order of the text.
pub fn keys_in_order(object: &str) -> Vec<String> {
    struct Keys;
    impl<'de> Visitor<'de> for Keys {
        type Value = Vec<String>;

        fn expecting(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<String>, A::Error> {
            let mut keys = Vec::new();
            while let Some((key, IgnoredAny)) = map.next_entry()? {
                keys.push(key);
            }
            Ok(keys)
        }
    }
    serde_json::Deserializer::from_str(object)
        .deserialize_map(Keys)
        .expect("a JSON object")
}

/// The text of the value at `path`, byte for byte as the JSON text has it.
pub fn raw_at(json: &str, path: &[&str]) -> Option<String> {
    let mut text = json.to_owned();
    for key in path {
        let mut object: BTreeMap<String, Box<serde_json::value::RawValue>> =
            serde_json::from_str(&text).ok()?;
        text = object.remove(*key)?.get().to_owned();
    }
    Some(text)
}
