//! The secrets to search for: texts of which no part occurs anywhere else.

use serde_json::{Value, json};
use support::orders::{self, with};
use support::responses::completed_body;

/// The name of a secret, and its text.
pub type Marked = (&'static str, &'static str);

/// Of the configuration.
pub const CREDENTIALS: [Marked; 4] = [
    ("accessToken", "7Qm2Zr9Xw4Lp8Vb1nT6yHc3Kd5Js0Gf2"),
    ("clientKey", "uB4eR8tZ1iP6oL3kN9mW5qA7sD2fG0hJ"),
    ("clientId", "Yx3Cv7Bn1Mq5We9Rt2Zu6Io0Pa4Sd8Fg"),
    ("secretKey", "hK5jL9pO3iU7zT1rE6wQ0yX4cV8bN2mA"),
];
/// Of one call.
pub const OWN: [Marked; 4] = [
    ("accessToken", "Ga6Sh0Dj4Fk8Lz2Xc7Vb1Nm5Qp9Wo3Ei"),
    ("clientKey", "rU8tY2zI6xO0cP4vA9bS3nD7mF1qG5wH"),
    ("clientId", "Jk1Hl5Zg9Xf3Cd7Vs2Ba6Np0Mo4Qi8Wu"),
    ("secretKey", "eT3rR7tE1zW5uQ9iY4oX8pC2aV6sB0dN"),
];
pub const PROXY: [Marked; 2] = [
    ("the proxy's user name", "Mf9Nd3Bs7Va1Cp5Xo0Yi4Zu8Tr2Ee6Ww"),
    ("the proxy's password", "qH2wJ6eK0rL4tP8zO3uI7iU1oZ5pT9aR"),
];
pub const CUSTOMER: [Marked; 3] = [
    ("customerName", "Kavita Venkataraman-Tiruchirappalli"),
    ("customerMobile", "+91-98407-31562-ext-8840-27196"),
    ("customerEmail", "kv.tiruchi+till7@qz9wxp.vbn3m8kd"),
];

pub fn all() -> Vec<Marked> {
    [&CREDENTIALS[..], &OWN, &PROXY, &CUSTOMER].concat()
}

/// All texts about the customer.
pub fn customer() -> String {
    CUSTOMER.map(|(_, text)| text).join(" ")
}

fn with_all(mut object: Value, secrets: &[Marked]) -> Value {
    for (key, text) in secrets {
        object[*key] = (*text).into();
    }
    object
}

/// A configuration with all four credentials, and no retries.
pub fn config(base_url: &str) -> Value {
    let config = with_all(orders::config(base_url), &CREDENTIALS);
    with(&config, "maxIdleMs", 600_000)
}

/// The credentials of one call.
pub fn options() -> Value {
    with_all(json!({}), &OWN)
}

pub fn order() -> Value {
    with_all(orders::order(), &CUSTOMER)
}

/// The service's response to Get Status, with the customer's data in known fields and in an unknown
/// one.
pub fn status() -> Value {
    let mut status = completed_body("ORDER-1001");
    let data = with_all(status["data"].take(), &CUSTOMER);
    let billing = json!({"to": [customer(), {"phone": CUSTOMER[1].1}]});
    status["data"] = with(&data, "billing", billing);
    status
}

/// A response message that quotes the request.
pub fn quoting(code: &str) -> Value {
    let said = format!("{} {} of {}: no", CREDENTIALS[0].1, OWN[0].1, customer());
    json!({"responseCode": code, "responseMessage": said})
}
