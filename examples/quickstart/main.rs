//! `cargo run --example quickstart`: creates, pays and verifies an order through the C ABI, against
//! a sandbox of the payment service on this machine. Then it lets one call of each outcome fail. It
//! panics if anything is not as promised.

mod failures;
mod output;
mod payment;

use abi::Client;
use output::object;
use sandbox::{Options, Sandbox};

fn main() {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let base_url = sandbox.base_url();
    println!(
        "payorder {}, C ABI {}: one payment, against a sandbox at {base_url}",
        abi::version(),
        abi::payorder_abi_version()
    );
    let client = client(&base_url);
    payment::make_pay_and_verify(&client, &sandbox);
    failures::one_of_each_outcome(&client, &sandbox);
    drop(client);

    let left = [abi::payorder_live_clients(), abi::payorder_live_strings()];
    assert_eq!(left, [0, 0], "clients and strings left in the library");
    println!(
        "\nAll is well: paid and verified; each failure has the right outcome; nothing is left."
    );
}

/// A client of the service at `base_url`.
fn client(base_url: &str) -> Client {
    let config = object(&[
        ["baseUrl", base_url],
        ["accessToken", sandbox::ACCESS_TOKEN],
        ["clientKey", sandbox::CLIENT_KEY],
        ["clientId", sandbox::CLIENT_ID],
        ["secretKey", sandbox::SECRET_KEY],
        // The sandbox is on this machine, also if the environment names a proxy.
        ["proxy", "none"],
    ]);
    Client::try_from_text(&config).unwrap_or_else(|reply| panic!("no client: {}", reply.text()))
}
