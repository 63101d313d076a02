//! The two endpoints: their credentials, what they accept, and what they answer.

use std::time::SystemTime;

use serde_json::{Map, Value};

use super::calendar::DateTime;
use super::checkout::is_button;
use super::faults::{CreateFault, Kind, Markers, StatusFault, Step};
use super::http::{Request, Response};
use super::orders::{Order, Orders, State, Transaction, checkout_url};
use super::record::Ended;

pub const CREATE_ORDER: &str = "/api/v1/Gateway/CreateOrder";
pub const GET_STATUS: &str = "/api/v1/Gateway/GetStatus";

/// The credentials by header, as Create Order and Get Status check them.
const CREATE_CREDENTIALS: &[(&str, &str)] = &[("ACCESS-TOKEN", ACCESS_TOKEN)];
const STATUS_CREDENTIALS: &[(&str, &str)] = &[
    ("X-CLIENT-KEY", CLIENT_KEY),
    ("X-CLIENT-ID", CLIENT_ID),
    ("X-SECRET-KEY", SECRET_KEY),
];

/// The value of a header; of a credential only whether it is right.
pub fn without_credential(name: &str, value: &str) -> String {
    let mut credentials = CREATE_CREDENTIALS.iter().chain(STATUS_CREDENTIALS);
    match credentials.find(|(header, _)| header.eq_ignore_ascii_case(name)) {
        Some((_, right)) if *right == value => "right".to_owned(),
        Some(_) => "wrong".to_owned(),
        None => value.to_owned(),
    }
}

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
    /// Half of the response, then silence.
    HalfThenHold(Response),
    Cut,
    Hold,
}

impl Reply {
    /// What is sent of a response, and how it ends.
    pub fn parts(self) -> (Option<Response>, Ended) {
        match self {
            Self::Whole(response) => (Some(response), Ended::Complete),
            Self::Half(response) => (Some(response), Ended::Half),
            Self::HalfThenHold(response) => (Some(response), Ended::Held),
            Self::Cut => (None, Ended::Cut),
            Self::Hold => (None, Ended::Held),
        }
    }
}

/// A reply, with what the log and the record say about it.
pub struct HandledRequest {
    pub reply: Reply,
    pub order_id: Option<String>,
    pub fault: Option<Kind>,
    /// Whether this request created an order.
    pub created: bool,
}

impl HandledRequest {
    /// A response that has nothing to do with an order.
    pub fn of(response: Response) -> Self {
        Self {
            reply: Reply::Whole(response),
            order_id: None,
            fault: None,
            created: false,
        }
    }

    /// A request whose body is not read.
    pub fn unread() -> Self {
        Self {
            reply: Reply::Hold,
            order_id: None,
            fault: Some(Kind::Create(CreateFault::StallUnread)),
            created: false,
        }
    }
}

/// The endpoint that the request is for, also with a wrong method.
pub fn endpoint(request: &Request) -> Option<Step> {
    match request.path() {
        CREATE_ORDER => Some(Step::Create),
        GET_STATUS => Some(Step::Status),
        _ => None,
    }
}

/// The step of a request that rules count.
pub fn step_of(request: &Request) -> Option<Step> {
    match endpoint(request) {
        _ if request.method != "POST" => None,
        None if is_button(request) => Some(Step::Return),
        step => step,
    }
}

/// `rule` is the fault of a rule. It happens to any response. The fault of a marker happens only to
/// the response that its order gets when it is created.
pub fn create_order(
    request: &Request,
    rule: Option<CreateFault>,
    orders: &mut Orders,
    base_url: &str,
    return_url_field: &str,
) -> HandledRequest {
    let body = json_object(&request.body);
    let order_id = text_field(body.as_ref(), "orderId");
    if let Some(order_id) = &order_id {
        orders.count_create_request(order_id);
    }
    let order = check_call(request, CREATE_CREDENTIALS, body)
        .and_then(|body| read_order(&body, return_url_field).map_err(|why| refusal(400, &why)));
    let marker = order.as_ref().ok().and_then(|order| order.markers.create);
    let mut fault = rule.or(marker);
    let mut created = false;
    let reply = fault.and_then(without_order).unwrap_or_else(|| {
        let kept = order.and_then(|order| keep_order(order, orders, base_url));
        created = kept.is_ok();
        fault = fault.filter(|_| created || rule.is_some());
        create_reply(kept, fault, base_url)
    });
    HandledRequest {
        reply,
        order_id,
        fault: fault.map(Kind::Create),
        created,
    }
}

/// The reply of a fault that happens before the order is kept.
fn without_order(fault: CreateFault) -> Option<Reply> {
    match fault {
        CreateFault::DropBefore => Some(Reply::Cut),
        CreateFault::StallUnread | CreateFault::StallBefore => Some(Reply::Hold),
        CreateFault::Reject => Some(Reply::Whole(Response::json(
            200,
            envelope(400, "Refused, as sandbox:reject asks", None),
        ))),
        CreateFault::RateLimit => Some(Reply::Whole(rate_limited())),
        _ => None,
    }
}

/// The checkout URL of the order.
fn keep_order(order: Order, orders: &mut Orders, base_url: &str) -> Result<String, Response> {
    match orders.keep(order) {
        Ok(order) => Ok(checkout_url(base_url, order.number)),
        Err(field) => Err(refusal(
            409,
            &format!("An order with this {field} exists already"),
        )),
    }
}

fn create_reply(
    kept: Result<String, Response>,
    fault: Option<CreateFault>,
    base_url: &str,
) -> Reply {
    let created = |data: &str| Response::json(200, envelope(200, "Success", Some(data)));
    let usual = match (kept, fault) {
        (Err(refused), _) => refused,
        (Ok(_), Some(CreateFault::NoUrl)) => created("{}"),
        (Ok(_), Some(CreateFault::BadUrl)) => created(&object(&[("url", "javascript:alert(1)")])),
        (Ok(url), Some(CreateFault::TooLarge)) => {
            let padding = "x".repeat(2 * 1024 * 1024);
            created(&object(&[("url", &url), ("padding", &padding)]))
        }
        (Ok(url), _) => created(&object(&[("url", &url)])),
    };
    match fault {
        Some(CreateFault::DropAfterCommit) => Reply::Cut,
        Some(CreateFault::DropMidResponse) => Reply::Half(usual),
        Some(CreateFault::Stall) => Reply::Hold,
        Some(CreateFault::StallMidResponse) => Reply::HalfThenHold(usual),
        Some(CreateFault::Html502) => Reply::Whole(gateway_page()),
        Some(CreateFault::ServiceError) => Reply::Whole(Response::json(
            200,
            envelope(500, "Failed, as sandbox:service-error asks", None),
        )),
        Some(CreateFault::MalformedJson) => Reply::Whole(truncated(usual)),
        Some(CreateFault::Redirect) => {
            let location = format!("{base_url}{CREATE_ORDER}");
            Reply::Whole(Response::text(307, "").with_header("Location", location))
        }
        _ => Reply::Whole(usual),
    }
}

/// `rule` is the fault of a rule, which also happens to the response about an unknown order.
pub fn get_status(
    request: &Request,
    rule: Option<StatusFault>,
    orders: &mut Orders,
) -> HandledRequest {
    let body = json_object(&request.body);
    let asked_for = text_field(body.as_ref(), "orderId");
    let found = check_call(request, STATUS_CREDENTIALS, body).and_then(|query| {
        let text = |field: &str| query.get(field).and_then(Value::as_str).unwrap_or_default();
        let found = match (text("searchType"), text("orderId"), text("transactionId")) {
            ("1", "", _) => return Err(refusal(400, "orderId is needed with searchType 1")),
            ("1", order_id, _) => orders.ask_by_order(order_id),
            ("2", _, "") => return Err(refusal(400, "transactionId is needed with searchType 2")),
            ("2", _, transaction_id) => orders.ask_by_transaction(transaction_id),
            _ => return Err(refusal(400, "searchType must be 1 or 2")),
        };
        found.ok_or_else(unknown_order)
    });
    let (order_id, marker) = match &found {
        Ok((order, _)) => (
            Some(order.order_id.clone()),
            order.markers.status(order.queries),
        ),
        Err(_) => (asked_for, None),
    };
    let fault = rule.or(marker);
    HandledRequest {
        reply: status_reply(found, fault),
        order_id,
        fault: fault.map(Kind::Status),
        created: false,
    }
}

fn status_reply(
    found: Result<(&Order, Option<&Transaction>), Response>,
    fault: Option<StatusFault>,
) -> Reply {
    let usual = match found {
        Ok((order, transaction)) => {
            let data = status_data(order, transaction, fault);
            Response::json(200, envelope(200, "Success", Some(&data)))
        }
        Err(refused) => refused,
    };
    match fault {
        Some(StatusFault::NotFound) => Reply::Whole(unknown_order()),
        Some(StatusFault::Html502) => Reply::Whole(gateway_page()),
        Some(StatusFault::RateLimit) => Reply::Whole(rate_limited()),
        Some(StatusFault::Drop) => Reply::Cut,
        Some(StatusFault::Stall) => Reply::Hold,
        Some(StatusFault::StallMidResponse) => Reply::HalfThenHold(usual),
        Some(StatusFault::MalformedJson) => Reply::Whole(truncated(usual)),
        _ => Reply::Whole(usual),
    }
}

fn status_data(
    order: &Order,
    transaction: Option<&Transaction>,
    fault: Option<StatusFault>,
) -> String {
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

    let refunded =
        fault == Some(StatusFault::Refunded) || (order.refunded && state == State::Completed);
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
        ("refundStatus", if refunded { "Refunded" } else { "" }),
        ("refundType", if refunded { "Full" } else { "" }),
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
        markers: Markers::read(&product_info)?,
        created: SystemTime::now(),
        refunded: false,
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

fn text_field(body: Option<&Map<String, Value>>, name: &str) -> Option<String> {
    Some(body?.get(name)?.as_str()?.to_owned())
}

fn unknown_order() -> Response {
    refusal(404, "No such order or transaction")
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
