//! What the quickstart prints.

use abi::Reply;
use sandbox::Sandbox;

/// A step's title, and the function of the library that does it.
pub fn step(title: &str, function: &str) {
    println!("\n{title:<67}{function:>33}");
}

pub fn show(label: &str, text: &str) {
    println!("   {label:<12}{text}");
}

/// The last request to the sandbox, with its response.
pub fn exchange(sandbox: &Sandbox) {
    let exchange = sandbox.exchanges().pop().expect("a request");
    let text = |pointer| exchange.pointer(pointer).and_then(|text| text.as_str());
    let [path, sent, received] = ["/path", "/body", "/response/body"].map(text);
    let (path, sent) = (path.unwrap_or_default(), sent.unwrap_or_default());
    show("request", &format!("POST {path} {sent}"));
    let status = &exchange["response"]["status"];
    let received = received.unwrap_or_default();
    show("response", &format!("HTTP {status} {received}"));
}

/// A result's number and name.
pub fn named(reply: &Reply) -> String {
    format!("{} {}", reply.code, abi::result_name(reply.code))
}

/// A success, and a part of its JSON.
pub fn succeeded(reply: &Reply, shown: &str) {
    assert_eq!(reply.code, 0, "{}", reply.text());
    show("result", &format!("{} {shown}", named(reply)));
}

/// The value at a JSON pointer (RFC 6901).
pub fn get(reply: &Reply, pointer: &str) -> String {
    let value = abi::json_get(reply.text(), pointer);
    assert_eq!(value.code, 0, "no {pointer} in {}", reply.text());
    value.text().to_owned()
}

/// A JSON object of texts.
pub fn object(fields: &[[&str; 2]]) -> String {
    abi::json_object(fields.as_flattened()).text().to_owned()
}
