//! A merchant and a customer with a socket, so that this tests the sandbox without the library, and
//! with requests that no client sends.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use sandbox::{CREATE_ORDER, GET_STATUS, Options, Sandbox};

pub fn start() -> Sandbox {
    start_with(Options::default())
}

pub fn start_with(options: Options) -> Sandbox {
    Sandbox::start(options).expect("the sandbox starts")
}

pub struct Response {
    pub status: u16,
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
}

pub type Headers<'a> = &'a [(&'a str, &'a str)];

pub const CREATE_HEADERS: Headers = &[
    ("Host", "127.0.0.1"),
    ("Content-Type", "application/json"),
    ("ACCESS-TOKEN", sandbox::ACCESS_TOKEN),
];

pub const STATUS_HEADERS: Headers = &[
    ("Host", "127.0.0.1"),
    ("Content-Type", "application/json"),
    ("X-CLIENT-KEY", sandbox::CLIENT_KEY),
    ("X-CLIENT-ID", sandbox::CLIENT_ID),
    ("X-SECRET-KEY", sandbox::SECRET_KEY),
];

pub fn request(method: &str, path: &str, headers: Headers, body: &str) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\n");
    for (name, value) in headers {
        text += &format!("{name}: {value}\r\n");
    }
    text + &format!("Content-Length: {}\r\n\r\n{body}", body.len())
}

/// A request without credentials.
pub fn plain(method: &str, path: &str, body: &str) -> String {
    request(method, path, &CREATE_HEADERS[..1], body)
}

/// A request that creates a valid order. `changes` replaces fields, and `null` removes one.
pub fn create(order_id: &str, changes: Value) -> String {
    let mut order = json!({
        "amount": "249.50",
        "merchantTxnId": format!("M-{order_id}"),
        "orderId": order_id,
        "payMode": "all",
        "merchantId": "M-1",
        "productInfo": "Two coffees",
        "customerName": "Asha Rao",
        "customerMobile": "9876543210",
        "customerEmail": "asha@mail.example",
        "redirectionURL": "https://shop.example/thanks",
        "currencyCode": "INR",
    });
    let fields = order.as_object_mut().expect("an object");
    for (field, value) in changes.as_object().expect("an object of changes") {
        fields.insert(field.clone(), value.clone());
    }
    fields.retain(|_, value| !value.is_null());
    request("POST", CREATE_ORDER, CREATE_HEADERS, &order.to_string())
}

pub fn status_by(query: Value) -> String {
    request("POST", GET_STATUS, STATUS_HEADERS, &query.to_string())
}

pub fn status(order_id: &str) -> String {
    status_by(json!({"searchType": "1", "orderId": order_id}))
}

pub fn connect(sandbox: &Sandbox) -> TcpStream {
    connect_to(&sandbox.base_url())
}

pub fn connect_to(url: &str) -> TcpStream {
    let address = url.strip_prefix("http://").expect("http");
    let stream = TcpStream::connect(address).expect("the sandbox listens");
    let patience = Some(Duration::from_secs(30));
    stream.set_read_timeout(patience).expect("a read timeout");
    stream
}

pub fn send(mut stream: &TcpStream, text: &str) {
    stream.write_all(text.as_bytes()).expect("a request");
}

/// One response; `Err` if the connection ends before it is complete.
pub fn receive(mut stream: impl Read) -> io::Result<Response> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).expect("a head in UTF-8");
    let status = head.split(' ').nth(1).and_then(|code| code.parse().ok());
    let mut response = Response {
        status: status.expect("a status line"),
        head,
        body: String::new(),
    };
    let length = response.header("Content-Length");
    let length = length.and_then(|text| text.parse().ok());
    let mut body = vec![0; length.expect("a Content-Length")];
    stream.read_exact(&mut body)?;
    response.body = String::from_utf8(body).expect("a body in UTF-8");
    Ok(response)
}

/// Sends a request on a new connection.
pub fn try_ask(sandbox: &Sandbox, text: &str) -> io::Result<Response> {
    let stream = connect(sandbox);
    send(&stream, text);
    receive(&stream)
}

pub fn ask(sandbox: &Sandbox, text: &str) -> Response {
    try_ask(sandbox, text).expect("a response")
}

/// The requests after the one with this number, as the control address lists them.
pub fn requests(sandbox: &Sandbox, after: u64) -> Vec<Value> {
    let path = format!("/sandbox/requests?after={after}");
    let response = ask(sandbox, &plain("GET", &path, "")).json();
    response["requests"].as_array().expect("a list").clone()
}

pub fn rule(rule: &str) -> String {
    plain(
        "POST",
        "/sandbox/faults",
        &json!({"rule": rule}).to_string(),
    )
}

pub fn add_rule(sandbox: &Sandbox, text: &str) {
    assert_eq!(ask(sandbox, &rule(text)).status, 201, "{text}");
}

/// Waits for something that the sandbox does on another thread.
pub fn wait_until(done: impl Fn() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(30);
    while !done() {
        assert!(Instant::now() < deadline, "it did not happen");
        thread::sleep(Duration::from_millis(2));
    }
}
