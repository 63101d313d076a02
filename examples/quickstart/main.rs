//! `cargo run --example quickstart`: creates, pays and verifies an order through the C ABI, and
//! shows a failure of each outcome.

mod customer;
mod failures;
mod output;
mod payment;

use std::process::ExitCode;

use abi::Client;
use output::{ensure, line, object};
use sandbox::{Options, Sandbox};

const USAGE: &str = "\
usage: cargo run --example quickstart [-- --browser]

Starts a sandbox of the payment service on a free port of this machine, and takes one payment through
the library's C ABI: create an order, have it paid, get the status, verify the payment. Then it lets
one call of each outcome fail. The exit status is 0 if everything was as promised.

  --browser  wait for you to pay on the checkout page (Ctrl-C ends it)
  --help     show this
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let by_browser = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => false,
        ["--browser"] => true,
        ["--help" | "-h"] => {
            print!("{USAGE}");
            return ExitCode::SUCCESS;
        }
        _ => {
            eprint!(
                "quickstart: {} is not understood\n\n{USAGE}",
                arguments.join(" ")
            );
            return ExitCode::from(2);
        }
    };
    match run(by_browser) {
        Ok(()) => ExitCode::SUCCESS,
        Err(what) => {
            eprintln!("\nquickstart: not as promised: {what}");
            ExitCode::FAILURE
        }
    }
}

fn run(by_browser: bool) -> Result<(), String> {
    let sandbox = Sandbox::start(Options::default())
        .map_err(|error| format!("the sandbox cannot start: {error}"))?;
    let base_url = sandbox.base_url();
    line(&format!(
        "payorder {}, C ABI {}: one payment, against a sandbox at {base_url}",
        abi::version(),
        abi::payorder_abi_version()
    ));

    let client = client(&base_url)?;
    let paid = payment::make_pay_and_verify(&client, &sandbox, by_browser)?;
    failures::one_of_each_outcome(&client, &sandbox)?;
    drop(client);

    let (clients, strings) = (abi::payorder_live_clients(), abi::payorder_live_strings());
    ensure(clients == 0 && strings == 0, || {
        format!("{clients} clients and {strings} strings were left in the library")
    })?;
    let payment = if paid {
        "paid and verified"
    } else {
        "cancelled, and verified as not paid"
    };
    line("");
    line(&format!(
        "All is well: {payment}; each failure has the right outcome; no client or string is left."
    ));
    Ok(())
}

/// A client of the service at `base_url`.
fn client(base_url: &str) -> Result<Client, String> {
    let config = object(&[
        ["baseUrl", base_url],
        ["accessToken", sandbox::ACCESS_TOKEN],
        ["clientKey", sandbox::CLIENT_KEY],
        ["clientId", sandbox::CLIENT_ID],
        ["secretKey", sandbox::SECRET_KEY],
        // The sandbox is on this machine, whatever proxy the environment names.
        ["proxy", "none"],
    ]);
    Client::try_from_text(&config)
        .map_err(|reply| format!("no client was created: {}", reply.text()))
}
