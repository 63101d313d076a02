//! Create Order: the orders that it accepts, and what it answers.

use std::time::SystemTime;

use serde_json::{Map, Value};

use super::faults::{Markers, Name, Step};
use super::http::{Request, Response};
use super::orders::{Order, Orders, checkout_url};
use super::service::{
    CREATE_ORDER, Credentials, HandledRequest, check_call, envelope, json_object, object, refusal,
    spoiled, text_field,
};

/// The faults that happen before the order is kept.
const WITHOUT_ORDER: [Name; 5] = [
    "drop-before",
    "stall-unread",
    "stall-before",
    "reject",
    "rate-limit",
];

/// `rule` is the fault of a rule. It happens to any response. The fault of a marker happens only to
/// the response that its order gets when it is created.
pub fn create_order(
    request: &Request,
    rule: Option<Name>,
    orders: &mut Orders,
    base_url: &str,
    return_url_field: &str,
    credentials: &Credentials,
) -> HandledRequest {
    let body = json_object(&request.body);
    let order_id = text_field(body.as_ref(), "orderId");
    let checked = check_call(request, &credentials.of_create(), body);
    if let (Ok(_), Some(order_id)) = (&checked, &order_id) {
        orders.count_create_request(order_id);
    }
    let order = checked
        .and_then(|body| read_order(&body, return_url_field).map_err(|why| refusal(400, &why)));
    let marker = order.as_ref().ok();
    let marker = marker.and_then(|order| order.markers.at(Step::Create, 1));
    let mut fault = rule.or(marker);
    let mut created = false;
    let usual = if fault.is_some_and(|fault| WITHOUT_ORDER.contains(&fault)) {
        Response::text(200, "")
    } else {
        let kept = order.and_then(|order| keep_order(order, orders, base_url));
        created = kept.is_ok();
        fault = fault.filter(|_| created || rule.is_some());
        response(kept, fault, base_url)
    };
    HandledRequest {
        reply: spoiled(fault, usual),
        order_id,
        fault,
        created,
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

fn response(kept: Result<String, Response>, fault: Option<Name>, base_url: &str) -> Response {
    let created = |data: &str| Response::json(200, envelope(200, "Success", Some(data)));
    match (kept, fault) {
        (_, Some("redirect")) => {
            let location = format!("{base_url}{CREATE_ORDER}");
            Response::text(307, "").with_header("Location", location)
        }
        (Err(refused), _) => refused,
        (Ok(_), Some("no-url")) => created("{}"),
        (Ok(_), Some("bad-url")) => created(&object(&[("url", "javascript:alert(1)")])),
        (Ok(url), Some("too-large")) => {
            let padding = "x".repeat(2 * 1024 * 1024);
            created(&object(&[("url", &url), ("padding", &padding)]))
        }
        (Ok(url), Some("refused-with-url")) => {
            let data = object(&[("url", &url)]);
            Response::json(400, envelope(400, "This order exists already", Some(&data)))
        }
        (Ok(url), _) => created(&object(&[("url", &url)])),
    }
}

// The fields of an order, but for the return URL, which may have another name.
// <fields> bindings/generate writes it.
const FIELDS: &[&str] = &[
    "amount",
    "merchantTxnId",
    "orderId",
    "payMode",
    "merchantId",
    "productInfo",
    "customerName",
    "customerMobile",
    "customerEmail",
    "currencyCode",
];
// </fields>

/// The order, as the interface documents it. `Err` names the first wrong field.
fn read_order(body: &Map<String, Value>, return_url_field: &str) -> Result<Order, String> {
    let text = |field: &str| match body.get(field).and_then(Value::as_str) {
        Some(text) if !text.trim().is_empty() => Ok(text.to_owned()),
        _ => Err(format!("{field} must be a text that is not empty")),
    };
    for field in FIELDS {
        text(field)?;
    }
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
