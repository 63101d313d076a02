//! The customer's pages: the checkout page with its buttons, the redirect to the shop, and a shop
//! page for a shop that has none.

use super::calendar::sortable;
use super::faults::{Name, Step};
use super::http::{Request, Response};
use super::orders::{Order, Orders, State};
use super::service::{HandledRequest, MERCHANT_NAME};

pub const PAGES: &str = "/checkout/";
/// A return URL for a shop that has no page of its own.
pub const SHOP_RETURN: &str = "/shop/return";

const PAY_MODES: &[(&str, &str)] = &[
    ("upi", "UPI"),
    ("cc", "Credit card"),
    ("dc", "Debit card"),
    ("nb", "Net banking"),
];

/// Chromium caches even a page with no-store, and shows it unchanged when the customer goes back.
/// After the payment that page would still ask for the money.
const WHEN_SHOWN: &str = "if (event.persisted) location.reload()";
/// The SHA-256 of [`WHEN_SHOWN`]. The page's security policy allows no other script.
const WHEN_SHOWN_HASH: &str = "sha256-DTPKK1LNZYguTMwF0WVOO2EEG6a2eqScGyzCxZdWjfw=";

/// Answers requests under [`PAGES`]: `NUMBER` is the page, and `NUMBER/pay`, `/fail` and `/cancel`
/// are its buttons.
/// `rule` is the fault of a rule for a press of a button.
pub fn checkout(request: &Request, rule: Option<Name>, orders: &mut Orders) -> HandledRequest {
    let (number, button) = page_and_button(request);
    let state = match button {
        None => State::Pending,
        Some("pay") => State::Completed,
        Some("fail") => State::Failed,
        Some("cancel") => State::Cancelled,
        Some(_) => return handled(not_found(), None),
    };
    let Some(order) = number
        .parse()
        .ok()
        .and_then(|number| orders.by_number(number))
    else {
        return handled(not_found(), None);
    };
    let (number, order_id) = (order.number, order.order_id.clone());
    let response = match button {
        None if request.is_get() => page(200, &title(order), &order_card(order)),
        None => Response::wrong_method("GET"),
        Some(_) if request.method != "POST" => Response::wrong_method("POST"),
        Some(_) => match orders.settle(number, state, chosen_mode(&request.body)) {
            Some(order) => {
                let location = return_location(order, rule.or(order.markers.at(Step::Return, 1)));
                Response::text(303, "").with_header("Location", location)
            }
            None => not_found(),
        },
    };
    handled(response, Some(order_id))
}

pub fn is_button(request: &Request) -> bool {
    request.path().starts_with(PAGES) && page_and_button(request).1.is_some()
}

fn page_and_button(request: &Request) -> (&str, Option<&str>) {
    let rest = request.path().strip_prefix(PAGES).unwrap_or_default();
    rest.split_once('/')
        .map_or((rest, None), |(number, button)| (number, Some(button)))
}

/// The shop page to which the customer returns, in a first try with curl.
pub fn shop_return(request: &Request) -> Response {
    if !request.is_get() {
        return Response::wrong_method("GET");
    }
    let came_with = escape(&request.target);
    let card = format!(
        "<h1>Back at the shop</h1>\n<p>You came back on</p>\n\
         <p class=\"state plain\"><code>{came_with}</code></p>\n\
         <p>This address proves nothing: anyone can type it. The shop now takes the \
         <code>txn</code> from it, asks Get Status, and compares the response with its own \
         order.</p>\n<p class=\"quiet\">You can close this page.</p>\n"
    );
    page(200, "Back at the shop", &card)
}

fn handled(response: Response, order_id: Option<String>) -> HandledRequest {
    HandledRequest {
        order_id,
        ..HandledRequest::of(response)
    }
}

fn not_found() -> Response {
    let card = "<h1>There is no such checkout page</h1>\n<p>The sandbox forgets its orders when it stops. \
                Create the order again, and open the new address.</p>\n";
    page(404, "Not found", card)
}

/// What the customer chose on the page; anything else counts as no choice.
fn chosen_mode(body: &[u8]) -> Option<&'static str> {
    let body = String::from_utf8_lossy(body);
    let chosen = body
        .split('&')
        .find_map(|field| field.strip_prefix("payMode="))?;
    PAY_MODES
        .iter()
        .map(|(mode, _)| *mode)
        .find(|mode| *mode == chosen)
}

/// The return URL with `txn` added to its query. A fragment stays at the end.
fn return_location(order: &Order, fault: Option<Name>) -> String {
    let transaction_id = order
        .last_transaction()
        .map_or("", |last| &last.transaction_id);
    let (before, fragment) = match order.return_url.split_once('#') {
        Some((before, fragment)) => (before, format!("#{fragment}")),
        None => (order.return_url.as_str(), String::new()),
    };
    let separator = match fault {
        Some("without-txn") => return for_header(&order.return_url),
        Some("second-question-mark") => "?",
        _ if before.ends_with(['?', '&']) => "",
        _ if before.contains('?') => "&",
        _ => "?",
    };
    for_header(&format!(
        "{before}{separator}txn={transaction_id}{fragment}"
    ))
}

/// Header fields are ASCII. Other characters are percent-encoded, as a browser would do.
fn for_header(url: &str) -> String {
    let byte = |byte: u8| {
        if byte.is_ascii() {
            char::from(byte).to_string()
        } else {
            format!("%{byte:02X}")
        }
    };
    url.bytes().map(byte).collect()
}

/// The title, for the tab and the history: a paid order must not look unpaid there.
fn title(order: &Order) -> String {
    match order.state() {
        State::Pending => format!(
            "Pay {} {}",
            escape(&order.amount),
            escape(&order.currency_code)
        ),
        State::Completed => "Paid".to_owned(),
        State::Failed => "Payment failed".to_owned(),
        State::Cancelled => "Cancelled".to_owned(),
    }
}

fn order_card(order: &Order) -> String {
    let (amount, currency) = (escape(&order.amount), escape(&order.currency_code));
    let mut card = format!(
        "<h1 class=\"merchant\">{MERCHANT_NAME}</h1>\n\
         <p class=\"amount\">{amount} <span>{currency}</span></p>\n{}<dl>\n",
        outcome(order)
    );
    for (name, value) in [
        ("Order", &order.order_id),
        ("For", &order.product_info),
        ("Name", &order.customer_name),
        ("Mobile", &order.customer_mobile),
        ("E-mail", &order.customer_email),
    ] {
        card += &format!("<dt>{name}</dt><dd><bdi>{}</bdi></dd>\n", escape(value));
    }
    card += "</dl>\n";
    if order.is_open() {
        card += &buttons(order);
    } else {
        card += &format!(
            "<a class=\"button\" href=\"{}\">Back to the shop</a>\n",
            escape(&return_location(order, order.markers.at(Step::Return, 1)))
        );
    }
    card
}

/// The state of the order, if the customer has pressed a button.
fn outcome(order: &Order) -> String {
    let Some(last) = order.last_transaction() else {
        return String::new();
    };
    let (tone, words, more) = match last.state {
        State::Pending => return String::new(),
        State::Completed => ("good", "Paid. Thank you.", ""),
        State::Failed => (
            "bad",
            "The payment failed.",
            "Nothing was taken; you can try again.",
        ),
        State::Cancelled => ("bad", "Cancelled.", "Nothing was taken."),
    };
    let (transaction_id, date) = (&last.transaction_id, sortable(last.initiated));
    format!(
        "<p class=\"state {tone}\" role=\"status\"><b>{words}</b>{more}\
         <small>Transaction {transaction_id}, <time datetime=\"{date}Z\">{date} UTC</time></small></p>\n"
    )
}

fn buttons(order: &Order) -> String {
    let number = order.number;
    let mut form = "<form method=\"post\">\n".to_owned();
    if order.pay_mode == "all" {
        form += "<fieldset>\n<legend>How would you like to pay?</legend>\n";
        for (place, (mode, name)) in PAY_MODES.iter().enumerate() {
            let checked = if place == 0 { " checked" } else { "" };
            form += &format!(
                "<label><input type=\"radio\" name=\"payMode\" value=\"{mode}\"{checked}>{name}</label>\n"
            );
        }
        form += "</fieldset>\n";
    }
    let (amount, currency) = (escape(&order.amount), escape(&order.currency_code));
    form + &format!(
        "<button class=\"pay\" formaction=\"{PAGES}{number}/pay\">Pay {amount} {currency}</button>\n\
         <div class=\"others\">\n\
         <button formaction=\"{PAGES}{number}/fail\">Let it fail</button>\n\
         <button formaction=\"{PAGES}{number}/cancel\">Cancel</button>\n\
         </div>\n</form>\n"
    )
}

fn page(status: u16, title: &str, card: &str) -> Response {
    let style = concat!(include_str!("theme.css"), include_str!("checkout.css"));
    let html = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{title} - payorder sandbox</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{style}</style>\n</head>\n<body onpageshow=\"{WHEN_SHOWN}\">\n<main>\n\
         <p class=\"note\">Sandbox: no real money moves here.</p>\n\
         <section class=\"card\">\n{card}</section>\n</main>\n</body>\n</html>\n"
    );
    // No form-action: browsers apply it to the redirect to the shop as well.
    let policy = format!(
        "default-src 'none'; script-src 'unsafe-hashes' '{WHEN_SHOWN_HASH}'; \
         style-src 'unsafe-inline'; img-src data:; base-uri 'none'; frame-ancestors 'none'"
    );
    Response::html(status, html)
        .with_header("Content-Security-Policy", policy)
        .with_header("X-Content-Type-Options", "nosniff".to_owned())
        .with_header("Referrer-Policy", "same-origin".to_owned())
        .with_header("Cache-Control", "no-store".to_owned())
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped += "&amp;",
            '<' => escaped += "&lt;",
            '>' => escaped += "&gt;",
            '"' => escaped += "&quot;",
            '\'' => escaped += "&#39;",
            other => escaped.push(other),
        }
    }
    escaped
}
