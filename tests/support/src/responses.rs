//! Responses of the service, byte for byte.

use serde_json::{Value, json};

/// A complete HTTP response with a JSON body and its length.
pub fn http(status: u16, body: impl AsRef<[u8]>) -> Vec<u8> {
    http_with(status, &[], body)
}

pub fn http_with(status: u16, headers: &[(&str, &str)], body: impl AsRef<[u8]>) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status} Any\r\nContent-Type: application/json\r\n");
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    let body = body.as_ref();
    head += &format!("Content-Length: {}\r\n\r\n", body.len());
    [head.as_bytes(), body].concat()
}

pub const CHECKOUT: &str = "https://pay.example.com/checkout/77";

pub fn created_body() -> Value {
    json!({"responseCode": "200", "responseMessage": "Success", "data": {"url": CHECKOUT}})
}

pub fn created() -> Vec<u8> {
    http(200, created_body().to_string())
}

/// The body of Get Status for an order that is paid.
pub fn completed_body(order_id: &str) -> Value {
    json!({
        "responseCode": "200",
        "responseMessage": "Success",
        "data": {
            "merchantRefId": "REF-5",
            "orderId": order_id,
            "transactionId": "T-900",
            "amount": "100.10",
            "customerName": "Asha Verma",
            "customerMobile": "9876543210",
            "customerEmail": "asha@example.com",
            "transactionStatus": "Completed",
            // Never before a sale of these tests.
            "transactionDate": "11/21/2099 02:05:06 PM",
            "refundStatus": "",
            "refundType": "",
            "merchantName": "Corner Cafe",
            "settlementStatus": "",
            "settlementDate": "",
            "payMode": "upi",
        },
    })
}

/// The same, with other values in some fields.
pub fn status_body(order_id: &str, fields: &Value) -> Value {
    let mut body = completed_body(order_id);
    for (field, value) in fields.as_object().expect("fields") {
        body["data"][field] = value.clone();
    }
    body
}

pub fn completed(order_id: &str) -> Vec<u8> {
    http(200, completed_body(order_id).to_string())
}
