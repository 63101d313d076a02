//! The secrets to search for: texts of which no part occurs anywhere else.

use serde_json::{Value, json};
use support::orders::{self, with};
use support::responses::completed_body;

/// The name of a secret, and its text.
pub type Marked = (&'static str, &'static str);

pub const ACCESS_TOKEN: Marked = ("the access token", "7Qm2Zr9Xw4Lp8Vb1nT6yHc3Kd5Js0Gf2");
pub const CLIENT_KEY: Marked = ("the client key", "uB4eR8tZ1iP6oL3kN9mW5qA7sD2fG0hJ");
pub const CLIENT_ID: Marked = ("the client id", "Yx3Cv7Bn1Mq5We9Rt2Zu6Io0Pa4Sd8Fg");
pub const SECRET_KEY: Marked = ("the secret key", "hK5jL9pO3iU7zT1rE6wQ0yX4cV8bN2mA");
pub const OWN_ACCESS_TOKEN: Marked = (
    "the access token of one call",
    "Ga6Sh0Dj4Fk8Lz2Xc7Vb1Nm5Qp9Wo3Ei",
);
pub const OWN_CLIENT_KEY: Marked = (
    "the client key of one call",
    "rU8tY2zI6xO0cP4vA9bS3nD7mF1qG5wH",
);
pub const OWN_CLIENT_ID: Marked = (
    "the client id of one call",
    "Jk1Hl5Zg9Xf3Cd7Vs2Ba6Np0Mo4Qi8Wu",
);
pub const OWN_SECRET_KEY: Marked = (
    "the secret key of one call",
    "eT3rR7tE1zW5uQ9iY4oX8pC2aV6sB0dN",
);
pub const PROXY_USER: Marked = ("the proxy's user name", "Mf9Nd3Bs7Va1Cp5Xo0Yi4Zu8Tr2Ee6Ww");
pub const PROXY_PASSWORD: Marked = ("the proxy's password", "qH2wJ6eK0rL4tP8zO3uI7iU1oZ5pT9aR");
pub const NAME: Marked = ("the customer's name", "Kavita Venkataraman-Tiruchirappalli");
pub const MOBILE: Marked = (
    "the customer's mobile number",
    "+91-98407-31562-ext-8840-27196",
);
pub const EMAIL: Marked = ("the customer's e-mail", "kv.tiruchi+till7@qz9wxp.vbn3m8kd");

pub const ALL: [Marked; 13] = [
    ACCESS_TOKEN,
    CLIENT_KEY,
    CLIENT_ID,
    SECRET_KEY,
    OWN_ACCESS_TOKEN,
    OWN_CLIENT_KEY,
    OWN_CLIENT_ID,
    OWN_SECRET_KEY,
    PROXY_USER,
    PROXY_PASSWORD,
    NAME,
    MOBILE,
    EMAIL,
];

/// A configuration with all four credentials, and no retries.
pub fn config(base_url: &str) -> Value {
    let mut config = orders::config(base_url);
    config["maxIdleMs"] = 600_000.into();
    for (key, secret) in [
        ("accessToken", ACCESS_TOKEN),
        ("clientKey", CLIENT_KEY),
        ("clientId", CLIENT_ID),
        ("secretKey", SECRET_KEY),
    ] {
        config[key] = secret.1.into();
    }
    config
}

/// The credentials of one call.
pub fn options() -> Value {
    json!({
        "accessToken": OWN_ACCESS_TOKEN.1,
        "clientKey": OWN_CLIENT_KEY.1,
        "clientId": OWN_CLIENT_ID.1,
        "secretKey": OWN_SECRET_KEY.1,
    })
}

/// With the customer's data in the fields that both calls have.
fn of_customer(mut object: Value) -> Value {
    for (key, secret) in [
        ("customerName", NAME),
        ("customerMobile", MOBILE),
        ("customerEmail", EMAIL),
    ] {
        object[key] = secret.1.into();
    }
    object
}

pub fn order() -> Value {
    of_customer(orders::order())
}

/// The service's response to Get Status, with the customer's data in known fields and in an unknown
/// one.
pub fn status() -> Value {
    let mut status = completed_body("ORDER-1001");
    let data = of_customer(status["data"].take());
    let billing = json!({"to": [NAME.1, EMAIL.1, {"phone": MOBILE.1}]});
    status["data"] = with(&data, "billing", billing);
    status
}

/// A response message that quotes the request.
pub fn quoting(code: &str) -> Value {
    json!({
        "responseCode": code,
        "responseMessage": format!("{} {} of {} <{}> {}: no", ACCESS_TOKEN.1, OWN_ACCESS_TOKEN.1, NAME.1, EMAIL.1, MOBILE.1),
    })
}
