//! A merchant and a customer, with ureq, or with a socket for requests that no client sends. This
//! tests the sandbox without the library.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Map, Value, json};
use ureq::http::Request;

use sandbox::{self, Options, Sandbox};

pub fn start() -> Sandbox {
    Sandbox::start(Options::default()).expect("the sandbox starts")
}

pub struct Response {
    pub status: u16,
    /// One field per line.
    pub head: String,
    pub body: String,
}

impl Response {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error} in {}", self.body))
    }

    pub fn code(&self) -> String {
        self.json()["responseCode"]
            .as_str()
            .expect("a responseCode")
            .to_owned()
    }
}

pub fn connect(sandbox: &Sandbox) -> TcpStream {
    let base_url = sandbox.base_url();
    let stream = TcpStream::connect(base_url.strip_prefix("http://").expect("http"))
        .expect("the sandbox listens");
    stream
        .set_read_timeout(Some(Duration::from_secs(30)))
        .expect("a read timeout");
    stream
}

/// Sends the text and reads one response; `Err` if the connection ends before it is complete.
pub fn exchange(mut stream: &TcpStream, text: &str) -> io::Result<Response> {
    stream.write_all(text.as_bytes())?;
    read_response(stream)
}

pub fn read_response(mut stream: &TcpStream) -> io::Result<Response> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).expect("a head in UTF-8");
    let status = head
        .split(' ')
        .nth(1)
        .and_then(|code| code.parse().ok())
        .expect("a status line");
    let mut response = Response {
        status,
        head,
        body: String::new(),
    };
    let length = response
        .header("Content-Length")
        .and_then(|text| text.parse().ok())
        .expect("a Content-Length");
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    response.body = String::from_utf8(body).expect("a body in UTF-8");
    Ok(response)
}

pub fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> String {
    let mut text = format!(
        "{method} {path} HTTP/1.1\r\nHost: sandbox\r\nContent-Length: {}\r\n",
        body.len()
    );
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text + "\r\n" + body
}

/// Sends the request with ureq, with a timeout of 30 seconds.
pub fn send(
    sandbox: &Sandbox,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Result<Response, ureq::Error> {
    send_within(
        Duration::from_secs(30),
        sandbox,
        method,
        path,
        headers,
        body,
    )
}

pub fn send_within(
    patience: Duration,
    sandbox: &Sandbox,
    method: &str,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> Result<Response, ureq::Error> {
    let client: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(patience))
        .http_status_as_error(false)
        .max_redirects(0)
        .proxy(None)
        .build()
        .into();
    let url = format!("{}{path}", sandbox.base_url());
    let mut request = Request::builder().method(method).uri(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let mut response = if method == "GET" {
        client.run(request.body(())?)?
    } else {
        client.run(request.body(body)?)?
    };
    let mut head = String::new();
    for (name, value) in response.headers() {
        head += &format!("{name}: {}\n", value.to_str().expect("a field in ASCII"));
    }
    Ok(Response {
        status: response.status().as_u16(),
        head,
        body: response.body_mut().read_to_string()?,
    })
}

pub fn get(sandbox: &Sandbox, path: &str) -> Response {
    send(sandbox, "GET", path, &[], "").expect("a response")
}

pub const CREATE_HEADERS: &[(&str, &str)] = &[
    ("Content-Type", "application/json"),
    ("ACCESS-TOKEN", sandbox::ACCESS_TOKEN),
];

pub const STATUS_HEADERS: &[(&str, &str)] = &[
    ("Content-Type", "application/json"),
    ("X-CLIENT-KEY", sandbox::CLIENT_KEY),
    ("X-CLIENT-ID", sandbox::CLIENT_ID),
    ("X-SECRET-KEY", sandbox::SECRET_KEY),
];

/// A valid order. `changes` replaces fields, and `null` removes one.
pub fn order(order_id: &str, changes: Value) -> String {
    let mut order = json!({
        "amount": "249.50", "merchantTxnId": format!("M-{order_id}"), "orderId": order_id, "payMode": "all",
        "merchantId": "M-1", "productInfo": "Two coffees", "customerName": "Asha Rao",
        "customerMobile": "9876543210", "customerEmail": "asha@mail.example",
        "redirectionURL": "https://shop.example/thanks", "currencyCode": "INR",
    });
    let fields: &mut Map<String, Value> = order.as_object_mut().expect("an object");
    for (field, value) in changes.as_object().expect("an object of changes") {
        match value {
            Value::Null => fields.remove(field),
            value => fields.insert(field.clone(), value.clone()),
        };
    }
    order.to_string()
}

pub fn try_create(sandbox: &Sandbox, body: &str) -> Result<Response, ureq::Error> {
    send(sandbox, "POST", sandbox::CREATE_ORDER, CREATE_HEADERS, body)
}

pub fn create(sandbox: &Sandbox, body: &str) -> Response {
    try_create(sandbox, body).expect("a response to Create Order")
}

/// Creates the order, and returns the path of its checkout page.
pub fn checkout_path(sandbox: &Sandbox, body: &str) -> String {
    let response = create(sandbox, body).json();
    let url = response["data"]["url"]
        .as_str()
        .unwrap_or_else(|| panic!("a checkout URL in {response}"));
    url.strip_prefix(&sandbox.base_url())
        .expect("a page of the sandbox")
        .to_owned()
}

pub fn try_status(sandbox: &Sandbox, query: Value) -> Result<Response, ureq::Error> {
    let body = query.to_string();
    send(sandbox, "POST", sandbox::GET_STATUS, STATUS_HEADERS, &body)
}

pub fn by_order(order_id: &str) -> Value {
    json!({"searchType": "1", "orderId": order_id})
}

pub fn by_transaction(transaction_id: &str) -> Value {
    json!({"searchType": "2", "orderId": "", "transactionId": transaction_id})
}

/// The `data` of a status that must exist.
pub fn status(sandbox: &Sandbox, query: Value) -> Value {
    let response = try_status(sandbox, query).expect("a response to Get Status");
    assert_eq!(
        (response.status, response.code().as_str()),
        (200, "200"),
        "{}",
        response.body
    );
    response.json()["data"].clone()
}

/// Presses a button of the checkout page, and returns the URL to which the customer is redirected.
pub fn press(sandbox: &Sandbox, checkout_path: &str, button: &str) -> String {
    press_with(sandbox, checkout_path, button, "")
}

pub fn press_with(sandbox: &Sandbox, checkout_path: &str, button: &str, form: &str) -> String {
    let path = format!("{checkout_path}/{button}");
    let response = send(sandbox, "POST", &path, &[], form).expect("a response to the button");
    assert_eq!(response.status, 303, "{}", response.body);
    response.header("Location").expect("a Location").to_owned()
}

/// The `txn` at the end of a return URL.
pub fn txn(location: &str) -> &str {
    location
        .rsplit_once("txn=")
        .unwrap_or_else(|| panic!("a txn in {location}"))
        .1
}

/// Waits for something that the sandbox does on another thread.
pub fn wait_until(done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !done() {
        assert!(Instant::now() < deadline, "it did not happen");
        thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a request to the control address, with its body as JSON if it has one.
pub fn control(sandbox: &Sandbox, method: &str, path: &str, body: &str) -> Response {
    send(sandbox, method, path, &[], body).expect("a response of the control address")
}

pub fn add_rule(sandbox: &Sandbox, rule: &str) {
    let body = json!({"rule": rule}).to_string();
    let response = control(sandbox, "POST", "/sandbox/faults", &body);
    assert_eq!(response.status, 201, "{}", response.body);
}

/// The requests after the one with this number, as the control address lists them.
pub fn requests(sandbox: &Sandbox, after: u64) -> Vec<Value> {
    let path = format!("/sandbox/requests?after={after}");
    let response = control(sandbox, "GET", &path, "").json();
    response["requests"].as_array().expect("a list").clone()
}

pub fn send_text(mut stream: &TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).expect("a request");
}

pub fn control_get(sandbox: &Sandbox, path: &str) -> Value {
    let response = control(sandbox, "GET", path, "");
    assert_eq!(response.status, 200, "{}", response.body);
    response.json()
}

pub fn plain_request(method: &str, path: &str, headers: &[(&str, &str)]) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nContent-Length: 0\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text + "\r\n"
}

/// Whether it is `YYYY-MM-DDThh:mm:ss.uuuuuuZ`.
pub fn is_timestamp(value: &Value) -> bool {
    let shape = |c: char| if c.is_ascii_digit() { '0' } else { c };
    let shape: String = value
        .as_str()
        .unwrap_or_default()
        .chars()
        .map(shape)
        .collect();
    shape == "0000-00-00T00:00:00.000000Z"
}
