//! The customer, who pays on the checkout page: by one POST, or as a person in a browser.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use crate::abi::Client;
use crate::output::{ensure_ok, words};
use crate::sandbox::Sandbox;

/// Presses Pay on the checkout page; gives the return URL that the browser would be sent to.
pub fn pays(checkout_url: &str) -> Result<String, String> {
    let unusual = |what: &str| format!("the checkout page {checkout_url} {what}");
    let rest = checkout_url
        .strip_prefix("http://")
        .ok_or_else(|| unusual("is not the sandbox's"))?;
    let (host, page) = rest.split_once('/').ok_or_else(|| unusual("has no path"))?;
    let request = format!(
        "POST /{page}/pay HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    );
    let mut answer = String::new();
    TcpStream::connect(host)
        .and_then(|mut stream| {
            stream.write_all(request.as_bytes())?;
            stream.read_to_string(&mut answer)
        })
        .map_err(|error| unusual(&format!("does not answer: {error}")))?;
    let location = answer
        .lines()
        .find_map(|line| line.strip_prefix("Location: "));
    location
        .map(str::to_owned)
        .ok_or_else(|| unusual("leads nowhere"))
}

/// Waits until a person has paid or cancelled on the page and has come back to the shop, asking Get
/// Status meanwhile. Gives the return URL.
pub fn pays_in_a_browser(
    client: &Client,
    sandbox: &Sandbox,
    checkout_url: &str,
    query: &str,
) -> Result<String, String> {
    words("open", checkout_url);
    words(
        "",
        "and press a button. Get Status is asked every second; Ctrl-C ends it.",
    );
    let mut told = String::new();
    loop {
        let reply = client.get_status(query);
        ensure_ok(&reply)?;
        let status = reply.get("/data/transactionStatus");
        if status != told {
            let next = if status == "Failed" {
                ": open the page again to pay"
            } else {
                ""
            };
            words("status", &format!("{status}{next}"));
            told.clone_from(&status);
        }
        let transaction_id = reply.get("/data/transactionId");
        let came_back = sandbox
            .returns()
            .into_iter()
            .find(|target| target.ends_with(&format!("txn={transaction_id}")));
        match came_back {
            Some(target) if status == "Completed" || status == "Cancelled" => {
                return Ok(format!("{}{target}", sandbox.base_url()));
            }
            _ => thread::sleep(Duration::from_secs(1)),
        }
    }
}
