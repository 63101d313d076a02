//! `cargo run --example sandbox`: the payment service on this machine, until it is stopped with
//! Ctrl-C.

use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;

use sandbox::rules::{Rule, read_slow};
use sandbox::{Options, Sandbox, faults};

const USAGE: &str = "\
usage: payorder-sandbox [OPTIONS]; in a checkout: cargo run --example sandbox [-- OPTIONS]

Serves the payment service on 127.0.0.1 until it is stopped with Ctrl-C.

  --port N                 listen on port N; without it, on any free port
  --fault RULE             make something go wrong (see below); may be repeated
  --slow MS                answer every request of the two endpoints MS milliseconds later
  --return-url-field NAME  the wire name of the return URL; without it, redirectionURL
  --private                for a test of a program that must not know that it is tested: random
                           credentials and numbers, and a control address on a port of its own,
                           which needs the secret that is printed at the start; it
                           ends when its standard input does
  --public-url URL         how clients reach it, if not directly
  --help                   show this
";

fn main() -> ExitCode {
    let options = match read_arguments(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print!("{USAGE}\n{}", faults_help());
            return ExitCode::SUCCESS;
        }
        Err(what) => {
            eprintln!("sandbox: {what}; --help lists the options");
            return ExitCode::from(2);
        }
    };
    let (port, return_url_field) = (options.port, options.return_url_field.clone());
    // The sandbox continues if its terminal is closed.
    let log = Box::new(|line: &str| drop(writeln!(io::stdout(), "{line}")));
    match Sandbox::start(Options {
        log: Some(log),
        ..options
    }) {
        Ok(sandbox) => {
            if let Some((control, secret)) = sandbox.control() {
                println!("The control address is {control} with Authorization: Bearer {secret}");
                println!("The payorder sandbox listens at {}", sandbox.address());
                // It ends with the program that started it, also if that one is killed.
                drop(io::copy(&mut io::stdin(), &mut io::sink()));
                return ExitCode::SUCCESS;
            }
            println!("{}", start_message(&sandbox.base_url(), &return_url_field));
            park()
        }
        Err(error) => {
            eprintln!(
                "sandbox: cannot listen on 127.0.0.1:{port}: {error}; try another --port, or none"
            );
            ExitCode::FAILURE
        }
    }
}

fn park() -> ! {
    loop {
        thread::park();
    }
}

/// `None` if the help was asked for.
fn read_arguments(mut arguments: impl Iterator<Item = String>) -> Result<Option<Options>, String> {
    let mut options = Options::default();
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--port" => {
                let text = value()?;
                options.port = text
                    .parse()
                    .map_err(|_| format!("{text} is not a port: give a number from 0 to 65535"))?;
            }
            "--fault" => options.rules.push(Rule::parse(&value()?)?),
            "--slow" => {
                let text = value()?;
                options.slow = read_slow(&text).map_err(|what| format!("{text:?} {what}"))?;
            }
            "--private" => options.private = true,
            "--public-url" => options.public_url = Some(value()?),
            "--return-url-field" => options.return_url_field = value()?,
            other => return Err(format!("{other} is not an option of the sandbox")),
        }
    }
    Ok(Some(options))
}

fn faults_help() -> String {
    format!(
        "\
Faults, for --fault STEP:WHICH:FAULT, such as create:1:drop-before, status:2-4:drop, create:3-:stall
or status:*:slow=500, and for a marker sandbox:FAULT in an order's productInfo
{}",
        faults::listing()
    )
}

fn start_message(base_url: &str, return_url_field: &str) -> String {
    let (access_token, client_key) = (sandbox::ACCESS_TOKEN, sandbox::CLIENT_KEY);
    let (client_id, secret_key) = (sandbox::CLIENT_ID, sandbox::SECRET_KEY);
    let (create, status, shop) = (
        sandbox::CREATE_ORDER,
        sandbox::GET_STATUS,
        sandbox::SHOP_RETURN,
    );
    format!(
        r#"The payorder sandbox listens at {base_url} until Ctrl-C. No real money moves here.

Its credentials
  accessToken  {access_token:<22} (ACCESS-TOKEN, Create Order)
  clientKey    {client_key:<22} (X-CLIENT-KEY, Get Status)
  clientId     {client_id:<22} (X-CLIENT-ID, Get Status)
  secretKey    {secret_key:<22} (X-SECRET-KEY, Get Status)

Create an order, and open the url of the response in a browser
  curl -s {base_url}{create} \
    -H 'Content-Type: application/json' -H 'ACCESS-TOKEN: {access_token}' \
    -d '{{"amount":"249.50","merchantTxnId":"try-'$$-$(date +%s)'",
         "orderId":"order-'$$-$(date +%s)'","payMode":"all","merchantId":"M-1",
         "productInfo":"Two coffees","customerName":"A. Customer",
         "customerMobile":"9999999999","customerEmail":"customer@shop.example",
         "{return_url_field}":"{base_url}{shop}","currencyCode":"INR"}}'

Pay without a browser, for the first order (or: fail, cancel)
  curl -si -X POST {base_url}/checkout/1/pay

Ask for the status, with the txn of the return URL
  curl -s {base_url}{status} \
    -H 'Content-Type: application/json' -H 'X-CLIENT-KEY: {client_key}' \
    -H 'X-CLIENT-ID: {client_id}' -H 'X-SECRET-KEY: {secret_key}' \
    -d '{{"searchType":"2","orderId":"","transactionId":"TXN0000001"}}'

See the requests, as a test does, and lose the response to the next order
  curl -s {base_url}/sandbox/requests
  curl -s {base_url}/sandbox/faults -d '{{"rule":"create:1:drop-after-commit"}}'

{}
Its settings for a program, to paste into another terminal
  export PAYORDER_BASE_URL={base_url}
  export PAYORDER_ACCESS_TOKEN={access_token}
  export PAYORDER_CLIENT_KEY={client_key} PAYORDER_CLIENT_ID={client_id}
  export PAYORDER_SECRET_KEY={secret_key}

Time (UTC), request, HTTP status, order"#,
        faults_help()
    )
}
