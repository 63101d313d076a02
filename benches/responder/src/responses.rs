//! The responses, complete, prepared before the first request.

use crate::request::Request;

const CREATED: &str = concat!(
    r#"{"responseCode":"200","responseMessage":"Success","#,
    r#""data":{"url":"https://pay.example.com/checkout/7f3c1e5a9b2d4860"}}"#
);

const STATUS: &str = concat!(
    r#"{"responseCode":"200","responseMessage":"Success","data":{"#,
    r#""merchantRefId":"T-20261121-000001","orderId":"O-20261121-000001","#,
    r#""transactionId":"TX-7f3c1e5a9b2d4860","amount":"1499.00","customerName":"Asha Rao","#,
    r#""customerMobile":"9000000000","customerEmail":"asha@example.com","#,
    r#""transactionStatus":"Completed","transactionDate":"11/21/2026 02:05:06 PM","#,
    r#""refundStatus":"","refundType":"","#,
    r#""merchantName":"Example Shop","settlementStatus":"","settlementDate":"","payMode":"upi"}}"#
);

/// The session that the stripe package asks for, with as few fields as possible, so that the
/// comparison favours stripe.
const SESSION: &str = concat!(
    r#"{"id":"cs_test_7f3c1e5a9b2d4860","object":"checkout.session","#,
    r#""amount_total":149900,"currency":"inr","client_reference_id":"O-20261121-000001","#,
    r#""customer_email":"asha@example.com","livemode":false,"mode":"payment","#,
    r#""payment_status":"paid","status":"complete","#,
    r#""success_url":"https://shop.example.com/return","#,
    r#""url":"https://pay.example.com/checkout/7f3c1e5a9b2d4860"}"#
);

const NOT_FOUND: &[u8] = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n";

pub struct Responses {
    created: Vec<u8>,
    status: Vec<u8>,
    session: Vec<u8>,
}

impl Responses {
    pub fn prepare() -> Self {
        Self {
            created: response(CREATED),
            status: response(STATUS),
            session: response(SESSION),
        }
    }

    pub fn to(&self, request: &Request) -> &[u8] {
        let (method, path) = (request.method, request.path);
        if path.ends_with(b"/api/v1/Gateway/CreateOrder") && method == b"POST" {
            &self.created
        } else if path.ends_with(b"/api/v1/Gateway/GetStatus") && method == b"POST" {
            &self.status
        } else if path.starts_with(b"/v1/checkout/sessions") {
            &self.session
        } else {
            NOT_FOUND
        }
    }
}

fn response(body: &str) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    (head + body).into_bytes()
}
