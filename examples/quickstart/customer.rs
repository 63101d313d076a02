//! The customer, who pays on the checkout page: with one POST, or as a person in a browser.

use std::thread;
use std::time::Duration;

use abi::Client;
use sandbox::Sandbox;

use crate::output::{ensure_ok, get, words};

/// Presses Pay on the checkout page. Returns the URL that a browser would be sent to.
pub fn pays(checkout_url: &str) -> Result<String, String> {
    let pressed = browser()
        .post(format!("{checkout_url}/pay"))
        .send_empty()
        .map_err(|error| format!("the checkout page {checkout_url} does not answer: {error}"))?;
    let location = pressed.headers().get("Location");
    location
        .and_then(|location| location.to_str().ok())
        .map(str::to_owned)
        .ok_or_else(|| format!("the checkout page {checkout_url} leads nowhere"))
}

/// A browser that does not follow the redirect to the shop, which is not on this machine.
fn browser() -> ureq::Agent {
    let settings = ureq::Agent::config_builder();
    settings.max_redirects(0).proxy(None).build().into()
}

/// Waits until a person has paid or cancelled on the page and returned to the shop, and calls Get
/// Status in the meantime. Returns the return URL.
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
        let reply = abi::get_status(client.key(), query, None);
        ensure_ok(&reply)?;
        let status = get(&reply, "/data/transactionStatus");
        if status != told {
            let next = if status == "Failed" {
                ": open the page again to pay"
            } else {
                ""
            };
            words("status", &format!("{status}{next}"));
            told.clone_from(&status);
        }
        let transaction_id = get(&reply, "/data/transactionId");
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
