//! The two endpoints: their credentials, what they accept, and what they answer.

use serde_json::{Map, Value};

use super::calendar::DateTime;
use super::faults::{CreateFault, Faults, StatusFault};
use super::http::{Request, Response};
use super::orders::{Order, Orders, Transaction, checkout_url};

pub const CREATE_ORDER: &str = "/api/v1/Gateway/CreateOrder";
pub const GET_STATUS: &str = "/api/v1/Gateway/GetStatus";

pub const ACCESS_TOKEN: &str = "sandbox-access-token";
pub const CLIENT_KEY: &str = "sandbox-client-key";
pub const CLIENT_ID: &str = "sandbox-client-id";
pub const SECRET_KEY: &str = "sandbox-secret-key";

pub const MERCHANT_NAME: &str = "The Sandbox Shop";

/// How a request is answered, or not answered.
pub enum Reply {
    Whole(Response),
    /// Half of the response, then the connection is cut.
    Half(Response),
    Cut,
    Hold,
}

/// A reply, with its order id for the log.
pub struct HandledRequest {
    pub reply: Reply,
    pub order_id: Option<String>,
}

pub fn create_order(
    request: &Request,
    orders: &mut Orders,
    base_url: &str,
    return_url_field: &str,
) -> HandledRequest {
    let body = json_object(&request.body);
    let order_id = body
        .as_ref()
        .and_then(|body| body.get("orderId")?.as_str())
        .map(str::to_owned);
    if let Some(order_id) = &order_id {
        orders.count_create_request(order_id);
    }
    let reply = match check_call(request, &[("ACCESS-TOKEN", ACCESS_TOKEN)], body)
        .and_then(|body| read_order(&body, return_url_field).map_err(|why| refusal(400, &why)))
    {
        Ok(order) => keep_order(order, orders, base_url),
        Err(refused) => Reply::Whole(refused),
    };
    HandledRequest { reply, order_id }
}

fn keep_order(order: Order, orders: &mut Orders, base_url: &str) -> Reply {
    let fault = order.faults.create;
    match fault {
        Some(CreateFault::DropBefore) => return Reply::Cut,
        Some(CreateFault::StallBefore) => return Reply::Hold,
        Some(CreateFault::Reject) => {
            return Reply::Whole(Response::json(
                200,
                envelope(400, "Refused, as sandbox:reject asks", None),
            ));
        }
        Some(CreateFault::RateLimit) => return Reply::Whole(rate_limited()),
        _ => {}
    }
    let url = match orders.keep(order) {
        Ok(order) => checkout_url(base_url, order.number),
        Err(field) => {
            return Reply::Whole(refusal(
                409,
                &format!("An order with this {field} exists already"),
            ));
        }
    };
    let created = |data: &str| Response::json(200, envelope(200, "Success", Some(data)));
    let done = created(&object(&[("url", &url)]));
    match fault {
        Some(CreateFault::DropAfterCommit) => Reply::Cut,
        Some(CreateFault::DropMidResponse) => Reply::Half(done),
        Some(CreateFault::Stall) => Reply::Hold,
        Some(CreateFault::Html502) => Reply::Whole(gateway_page()),
        Some(CreateFault::ServiceError) => Reply::Whole(Response::json(
            200,
            envelope(500, "Failed, as sandbox:service-error asks", None),
        )),
        Some(CreateFault::MalformedJson) => Reply::Whole(truncated(done)),
        Some(CreateFault::NoUrl) => Reply::Whole(created("{}")),
        Some(CreateFault::BadUrl) => {
            Reply::Whole(created(&object(&[("url", "javascript:alert(1)")])))
        }
        Some(CreateFault::Redirect) => {
            let location = format!("{base_url}{CREATE_ORDER}");
            Reply::Whole(Response::text(307, "").with_header("Location", location))
        }
        Some(CreateFault::TooLarge) => {
            let padding = "x".repeat(2 * 1024 * 1024);
            Reply::Whole(created(&object(&[("url", &url), ("padding", &padding)])))
        }
        _ => Reply::Whole(done),
    }
}

pub fn get_status(request: &Request, orders: &mut Orders) -> HandledRequest {
    let credentials = [
        ("X-CLIENT-KEY", CLIENT_KEY),
        ("X-CLIENT-ID", CLIENT_ID),
        ("X-SECRET-KEY", SECRET_KEY),
    ];
    let found = check_call(request, &credentials, json_object(&request.body)).and_then(|query| {
        let text = |field: &str| query.get(field).and_then(Value::as_str).unwrap_or_default();
        let found = match (text("searchType"), text("orderId"), text("transactionId")) {
            ("1", "", _) => return Err(refusal(400, "orderId is needed with searchType 1")),
            ("1", order_id, _) => orders.ask_by_order(order_id),
            ("2", _, "") => return Err(refusal(400, "transactionId is needed with searchType 2")),
            ("2", _, transaction_id) => orders.ask_by_transaction(transaction_id),
            _ => return Err(refusal(400, "searchType must be 1 or 2")),
        };
        found.ok_or_else(|| refusal(404, "No such order or transaction"))
    });
    match found {
        Ok((order, transaction)) => HandledRequest {
            reply: status_reply(order, transaction),
            order_id: Some(order.order_id.clone()),
        },
        Err(refused) => HandledRequest {
            reply: Reply::Whole(refused),
            order_id: None,
        },
    }
}

fn status_reply(order: &Order, transaction: Option<&Transaction>) -> Reply {
    let fault = order.faults.status;
    match (fault, order.queries) {
        (Some(StatusFault::NotFoundOnce), 1) => {
            return Reply::Whole(refusal(404, "No such order or transaction"));
        }
        (Some(StatusFault::Html502Once), 1) => return Reply::Whole(gateway_page()),
        (Some(StatusFault::RateLimitOnce), 1) => return Reply::Whole(rate_limited()),
        (Some(StatusFault::DropOnce), 1) | (Some(StatusFault::Drop), _) => return Reply::Cut,
        (Some(StatusFault::Stall), _) => return Reply::Hold,
        _ => {}
    }
    let response = Response::json(
        200,
        envelope(200, "Success", Some(&status_data(order, transaction))),
    );
    match fault {
        Some(StatusFault::MalformedJson) => Reply::Whole(truncated(response)),
        _ => Reply::Whole(response),
    }
}

fn status_data(order: &Order, transaction: Option<&Transaction>) -> String {
    let fault = order.faults.status;
    let when = |faulty: StatusFault, value: &str, usual: &str| {
        if fault == Some(faulty) {
            value.to_owned()
        } else {
            usual.to_owned()
        }
    };
    let state = transaction.map_or(order.state(), |transaction| transaction.state);
    let date = transaction.map(|transaction| DateTime::of(transaction.initiated));
    let documented = date.as_ref().map(DateTime::documented).unwrap_or_default();
    let sortable = date.as_ref().map(DateTime::sortable).unwrap_or_default();
    let transaction_id = transaction.map_or("", |transaction| &transaction.transaction_id);

    let wrong_amount = if order.amount == "1.00" {
        "2.00"
    } else {
        "1.00"
    };
    let order_id = when(StatusFault::WrongOrder, "another-order", &order.order_id);
    let transaction_id = when(
        StatusFault::WrongOrder,
        "TXN-OF-ANOTHER-ORDER",
        transaction_id,
    );
    let amount = when(StatusFault::WrongAmount, wrong_amount, &order.amount);
    let status = when(StatusFault::UnknownStatus, "OnHold", state.name());
    if fault == Some(StatusFault::FewFields) {
        return object(&[
            ("orderId", &order_id),
            ("transactionId", &transaction_id),
            ("amount", &amount),
            ("transactionStatus", &status),
        ]);
    }
    object(&[
        ("merchantRefId", &order.merchant_txn_id),
        ("orderId", &order_id),
        ("transactionId", &transaction_id),
        ("amount", &amount),
        ("customerName", &order.customer_name),
        ("customerMobile", &order.customer_mobile),
        ("customerEmail", &order.customer_email),
        ("transactionStatus", &status),
        (
            "transactionDate",
            &when(StatusFault::OtherDate, &sortable, &documented),
        ),
        ("refundStatus", &when(StatusFault::Refunded, "Refunded", "")),
        ("refundType", &when(StatusFault::Refunded, "Full", "")),
        ("merchantName", MERCHANT_NAME),
        ("settlementStatus", ""),
        ("settlementDate", ""),
        (
            "payMode",
            transaction.map_or("", |transaction| &transaction.pay_mode),
        ),
    ])
}

/// Checks the credentials first, then the body: without credentials, a client does not learn what
/// is wrong with the body.
fn check_call(
    request: &Request,
    credentials: &[(&str, &str)],
    body: Option<Map<String, Value>>,
) -> Result<Map<String, Value>, Response> {
    for (name, value) in credentials {
        if request.header(name) != Some(value) {
            return Err(refusal(401, &format!("{name} is missing or wrong")));
        }
    }
    let content_type = request.header("Content-Type").unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        return Err(refusal(415, "Content-Type must be application/json"));
    }
    body.ok_or_else(|| refusal(400, "The body must be a JSON object"))
}

/// The order, as the interface documents it. `Err` names the first wrong field.
fn read_order(body: &Map<String, Value>, return_url_field: &str) -> Result<Order, String> {
    let text = |field: &str| match body.get(field).and_then(Value::as_str) {
        Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
        _ => Err(format!("{field} must be a text that is not empty")),
    };
    text("merchantId")?;
    let product_info = text("productInfo")?;
    Ok(Order {
        number: 0,
        order_id: text("orderId")?,
        merchant_txn_id: text("merchantTxnId")?,
        amount: two_fraction_digits(&text("amount")?)?,
        currency_code: text("currencyCode")?,
        pay_mode: match text("payMode")? {
            mode if ["all", "cc", "dc", "upi", "nb"].contains(&mode.as_str()) => mode,
            _ => return Err("payMode must be all, cc, dc, upi or nb".to_owned()),
        },
        customer_name: text("customerName")?,
        customer_mobile: text("customerMobile")?,
        customer_email: text("customerEmail")?,
        return_url: return_url(text(return_url_field)?).ok_or_else(|| {
            format!("{return_url_field} must be an absolute URL that a browser can be sent to")
        })?,
        faults: Faults::asked_for(&product_info)?,
        product_info,
        transactions: Vec::new(),
        queries: 0,
    })
}

/// `7.5` as `7.50`, without a float, which would lose digits.
fn two_fraction_digits(amount: &str) -> Result<String, String> {
    let (whole, fraction) = amount.split_once('.').unwrap_or((amount, "0"));
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return Err("amount must be decimal text such as 249.50".to_owned());
    }
    let whole = whole.trim_start_matches('0');
    if whole.is_empty() {
        return Err("amount must be 1 or above".to_owned());
    }
    match fraction.trim_end_matches('0') {
        fraction if fraction.len() <= 2 => Ok(format!("{whole}.{fraction:0<2}")),
        _ => Err("amount may have two fraction digits".to_owned()),
    }
}

/// The URL, if a browser can be sent there: absolute, valid in a header, and not a script.
fn return_url(url: String) -> Option<String> {
    let (scheme, rest) = url.split_once(':')?;
    let well_formed = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
        && !rest.is_empty()
        && !url.contains(|c: char| c.is_control() || c.is_whitespace() || c == '\\');
    let runs_here = ["javascript", "data", "vbscript", "file"]
        .iter()
        .any(|bad| scheme.eq_ignore_ascii_case(bad));
    (well_formed && !runs_here).then_some(url)
}

fn json_object(body: &[u8]) -> Option<Map<String, Value>> {
    serde_json::from_slice(body).ok()
}

/// A refusal: the HTTP status and the responseCode are the same number.
fn refusal(code: u16, message: &str) -> Response {
    Response::json(code, envelope(code, message, None))
}

fn rate_limited() -> Response {
    refusal(429, "Too many requests").with_header("Retry-After", "1".to_owned())
}

fn gateway_page() -> Response {
    Response::html(
        502,
        "<html><head><title>502 Bad Gateway</title></head><body>502 Bad Gateway</body></html>\n"
            .into(),
    )
}

fn truncated(mut response: Response) -> Response {
    response.body.truncate(response.body.len() - 4);
    response
}

fn envelope(code: u16, message: &str, data: Option<&str>) -> String {
    let mut text = object(&[
        ("responseCode", &code.to_string()),
        ("responseMessage", message),
    ]);
    if let Some(data) = data {
        text.truncate(text.len() - 1);
        text += &format!(",\"data\":{data}}}");
    }
    text
}

/// A JSON object of texts, whose fields keep the order of the documentation.
fn object(fields: &[(&str, &str)]) -> String {
    let member = |(name, text): &(&str, &str)| format!("\"{name}\":{}", Value::from(*text));
    format!(
        "{{{}}}",
        fields.iter().map(member).collect::<Vec<_>>().join(",")
    )
}
