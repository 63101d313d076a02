//! `cargo run --example sandbox`: the payment service on this machine, until it is stopped with
//! Ctrl-C.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use http::Uri;
use http::uri::Authority;
use sandbox::rules::{Rule, read_slow};
use sandbox::tls::Tls;
use sandbox::{Log, Options, Sandbox, faults};

const USAGE: &str = "\
usage: payorder-sandbox [OPTIONS]; in a checkout: cargo run --example sandbox [-- OPTIONS]

Serves the payment service on 127.0.0.1 until it is stopped with Ctrl-C.

  --port N                 listen on port N; without it, on any free port
  --listen ADDRESS[:PORT]  listen on this address, such as 0.0.0.0 for every address of this
                           machine; the page and the control address then need the secret that is
                           printed at the start
  --tls [NAME...]          serve https, with a certificate for these names and addresses, and print
                           where the certificate of its new authority is
  --cert FILE --key FILE   serve https, with this certificate and its key, in PEM
  --fault RULE             make something go wrong (see below); may be repeated
  --slow MS                answer every request of the two endpoints MS milliseconds later
  --return-url-field NAME  the wire name of the return URL; without it, redirectionURL
  --private                for a test of a program that must not know that it is tested: random
                           credentials and numbers, and a control address on a port of its own,
                           which needs the secret that is printed at the start; it
                           ends when its standard input does
  --public-url URL         how clients reach it, if not directly: https://HOST or https://HOST:PORT;
                           with another host than localhost, the page and the control address then
                           need the secret too
  --health [ADDRESS:]PORT  start nothing: end with 0 if a sandbox answers at the port, of 127.0.0.1
                           or of this address, and with 1 if not
  --help                   show this
";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("--health") {
        return match read_health(&arguments.next().unwrap_or_default()).map(health) {
            Ok(Ok(())) => ExitCode::SUCCESS,
            Ok(Err(error)) => {
                eprintln!("sandbox: no sandbox answers: {error}");
                ExitCode::FAILURE
            }
            Err(what) => {
                eprintln!("sandbox: --health: {what}");
                ExitCode::from(2)
            }
        };
    }
    let (options, authority_file) = match read_arguments(std::env::args().skip(1)) {
        Ok(Some(options)) => options,
        Ok(None) => {
            return match print(&format!("{USAGE}\n{}", faults_help())) {
                Ok(()) => ExitCode::SUCCESS,
                Err(error) => {
                    eprintln!("sandbox: {error}");
                    ExitCode::FAILURE
                }
            };
        }
        Err(what) => {
            eprintln!("sandbox: {what}; --help lists the options");
            return ExitCode::from(2);
        }
    };
    let (listen, return_url_field) = (options.listen, options.return_url_field.clone());
    let has_other_url = options.public_url.is_some();
    let has_no_name = options.host.is_none() && !has_other_url && listen.ip().is_unspecified();
    if has_no_name && sandbox::reachable(listen.ip()).is_loopback() {
        eprintln!(
            "sandbox: this machine has no route to other networks, so its address for other \
             machines is not known: give it with --listen ADDRESS"
        );
    }
    match Sandbox::start(Options {
        log: Some(log()),
        ..options
    }) {
        Ok(sandbox) => {
            if let (Some(control), Some(secret)) = (sandbox.control(), sandbox.secret()) {
                let address = sandbox.address();
                drop(print(&format!(
                    "The control address is {control} with Authorization: Bearer {secret}\n\
                     The payorder sandbox listens at {address}\n"
                )));
                // It ends with the program that started it, also if that one is killed.
                drop(io::copy(&mut io::stdin(), &mut io::sink()));
                return ExitCode::SUCCESS;
            }
            let message = start_message(&sandbox, authority_file.as_deref(), &return_url_field);
            let address = match has_other_url {
                true => format!("{} as {}", sandbox.address(), sandbox.base_url()),
                false => sandbox.base_url(),
            };
            drop(print(&format!(
                "The payorder sandbox listens at {address} until Ctrl-C. No real money moves here.\n\
                 {message}\n"
            )));
            park()
        }
        Err(error) => {
            let advice = match error.kind() {
                ErrorKind::Other => {
                    eprintln!("sandbox: {error}");
                    return ExitCode::from(2);
                }
                ErrorKind::AddrNotAvailable => "this machine does not have the address",
                ErrorKind::PermissionDenied => "a port below 1024 may need more rights",
                _ => "try another --port, or none",
            };
            eprintln!("sandbox: cannot listen on {listen}: {error}; {advice}");
            ExitCode::FAILURE
        }
    }
}

/// Prints lines in a thread of its own, so that a reader that stops reading does not stop the requests.
/// The sandbox continues if its terminal is closed.
fn log() -> Log {
    let (lines, waiting) = mpsc::sync_channel::<(String, mpsc::SyncSender<()>)>(20);
    thread::spawn(move || {
        // Dropping `_is_printed` says so.
        for (line, _is_printed) in waiting {
            drop(writeln!(io::stdout(), "{line}"));
        }
    });
    Box::new(move |line| {
        let (is_printed, printed) = mpsc::sync_channel(0);
        if lines.try_send((line.to_owned(), is_printed)).is_ok() {
            // Who has the response may look for its line.
            let _ended = printed.recv_timeout(Duration::from_millis(100));
        }
    })
}

/// Prints a text, and does not panic as `print!` does if nobody can read it.
fn print(text: &str) -> io::Result<()> {
    let mut output = io::stdout();
    output.write_all(text.as_bytes())?;
    output.flush()
}

fn park() -> ! {
    loop {
        thread::park();
    }
}

/// The options, and the file with the certificate of the authority that was made. `None` if the
/// help was asked for.
fn read_arguments(
    arguments: impl Iterator<Item = String>,
) -> Result<Option<(Options, Option<PathBuf>)>, String> {
    let mut options = Options::default();
    let (mut port, mut names, mut certificate, mut key) = (None, None, None, None);
    let mut arguments = arguments.peekable();
    while let Some(argument) = arguments.next() {
        if argument == "--tls" {
            let names = names.get_or_insert_with(Vec::new);
            while let Some(name) = arguments.next_if(|next| !next.starts_with('-')) {
                names.push(name);
            }
            continue;
        }
        let mut value = || {
            arguments
                .next()
                .ok_or_else(|| format!("{argument} needs a value"))
        };
        match argument.as_str() {
            "--help" | "-h" => return Ok(None),
            "--port" => {
                port = Some(read_port(&value()?)?);
            }
            "--listen" => options.listen = read_address(&value()?)?,
            "--cert" => certificate = Some(PathBuf::from(value()?)),
            "--key" => key = Some(PathBuf::from(value()?)),
            "--fault" => options.rules.push(Rule::parse(&value()?)?),
            "--slow" => {
                let text = value()?;
                options.slow = read_slow(&text).map_err(|what| format!("{text:?} {what}"))?;
            }
            "--private" => options.private = true,
            "--public-url" => {
                options.public_url = Some(read_url(&value()?)?);
            }
            "--return-url-field" => options.return_url_field = value()?,
            other => return Err(format!("{other} is not an option of the sandbox")),
        }
    }
    match port {
        Some(_) if options.listen.port() != 0 => {
            return Err("give the port with --port or with --listen, not with both".to_owned());
        }
        Some(port) => options.listen.set_port(port),
        None => {}
    }
    let mut authority_file = None;
    options.tls = match (names, certificate, key) {
        (None, None, None) => None,
        (None, Some(certificate), Some(key)) => Some(Tls::read(&certificate, &key)?),
        (Some(mut names), None, None) => {
            let address = sandbox::reachable(options.listen.ip());
            options.host = names.first().cloned();
            names.extend(["localhost", "127.0.0.1", "::1"].map(str::to_owned));
            names.push(address.to_string());
            let tls = Tls::made(&names)?;
            authority_file = tls.authority.as_deref().map(write_authority).transpose()?;
            Some(tls)
        }
        (Some(_), _, _) => return Err("give --tls, or --cert and --key".to_owned()),
        _ => return Err("--cert and --key belong together".to_owned()),
    };
    Ok(Some((options, authority_file)))
}

/// A URL without a `/` at its end.
fn read_url(text: &str) -> Result<String, String> {
    let url = text.trim_end_matches('/');
    if !["http://", "https://"]
        .iter()
        .any(|scheme| text.starts_with(scheme))
    {
        return Err(format!(
            "{text:?} is not a URL: it begins with http:// or https://"
        ));
    }
    let has_host = url.parse::<Uri>().is_ok_and(|uri| {
        let host = uri.host().unwrap_or_default();
        let port = uri
            .port_u16()
            .map_or(String::new(), |port| format!(":{port}"));
        let authority = uri.authority().map_or("", Authority::as_str);
        let is_alone = uri.path() == "/" && uri.query().is_none();
        !host.is_empty() && authority == format!("{host}{port}") && is_alone
    });
    match has_host && !url.contains('#') {
        true => Ok(url.to_owned()),
        false => Err(format!(
            "{text:?} is not the URL of a host: write https://HOST or https://HOST:PORT, \
             without a path"
        )),
    }
}

fn read_port(text: &str) -> Result<u16, String> {
    text.parse()
        .map_err(|_| format!("{text:?} is not a port: give a number from 0 to 65535"))
}

/// `PORT` of this machine, `ADDRESS:PORT` or `[ADDRESS]:PORT`.
fn read_health(text: &str) -> Result<SocketAddr, String> {
    text.parse()
        .or_else(|_| read_port(text).map(|port| (Ipv4Addr::LOCALHOST, port).into()))
        .map_err(|_| format!("{text:?} is not a port, and not an address with a port"))
}

/// Whether a sandbox answers, with its page or, over TLS, with its address.
fn health(address: SocketAddr) -> io::Result<()> {
    const PATIENCE: Duration = Duration::from_secs(5);
    const NAMES: [&str; 2] = ["payorder sandbox", "This sandbox uses https"];
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.write_all(b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    drop(stream.take(4096).read_to_end(&mut answer));
    let answer = String::from_utf8_lossy(&answer);
    if NAMES.iter().any(|name| answer.contains(name)) {
        return Ok(());
    }
    Err(io::Error::other("something else does"))
}

/// `ADDRESS`, `ADDRESS:PORT` or `[ADDRESS]:PORT`.
fn read_address(text: &str) -> Result<SocketAddr, String> {
    let address = match text {
        "localhost" => Ok(Ipv4Addr::LOCALHOST.into()),
        _ => text.parse::<IpAddr>(),
    };
    address
        .map(|address| SocketAddr::new(address, 0))
        .or_else(|_| text.parse())
        .map_err(|_| {
            format!(
                "{text} is not an address: write 0.0.0.0, 192.168.1.5:8443, :: or [::1]:8443, \
                 and the name of this machine after --tls"
            )
        })
}

/// In a new folder, which nobody else can have prepared. The certificate is not a secret.
fn write_authority(pem: &str) -> Result<PathBuf, String> {
    let folder = std::env::temp_dir().join(format!("payorder-sandbox-{}", sandbox::random_text()));
    let file = folder.join("ca.pem");
    fs::create_dir(&folder)
        .and_then(|()| fs::write(&file, pem))
        .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    Ok(file)
}

/// One word for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-".contains(c);
    match text.chars().all(is_plain) {
        true => text,
        false => format!("'{}'", text.replace('\'', r"'\''")),
    }
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

fn start_message(sandbox: &Sandbox, authority: Option<&Path>, return_url_field: &str) -> String {
    let base_url = sandbox.base_url();
    let (access_token, client_key) = (sandbox::ACCESS_TOKEN, sandbox::CLIENT_KEY);
    let (client_id, secret_key) = (sandbox::CLIENT_ID, sandbox::SECRET_KEY);
    let (create, shop) = (sandbox::CREATE_ORDER, sandbox::SHOP_RETURN);
    let (mut page, mut trust, mut curl) = (base_url.clone(), String::new(), String::new());
    let mut control = "curl -s".to_owned();
    if let Some(authority) = authority {
        let file = authority.display();
        let fingerprint = sandbox.fingerprint().unwrap_or_default();
        trust = format!(
            "\nIts authority, which programs and phones must trust\n  {file}\n  \
             curl -ko ca.pem {base_url}/ca.pem    (on another machine, if its SHA-256 is this)\n  \
             {fingerprint}\n"
        );
        curl = format!(" --cacert {}", quoted(authority));
        control += &curl;
    } else if sandbox.is_exposed() && base_url.starts_with("http:") {
        trust = "\nOver http, a program on another machine also needs allowInsecureHttp in its \
                 configuration.\nWith --tls it does not.\n"
            .to_owned();
    }
    if let Some(secret) = sandbox.secret() {
        page += &format!("/#{secret}");
        control += &format!(" -H 'Authorization: Bearer {secret}'");
    }
    let export = authority.map_or(String::new(), |file| {
        format!("\n  export PAYORDER_CA_FILE={}", quoted(file))
    });
    format!(
        r#"Open {page} in a browser to see its orders, to pay them, and to make something go wrong.
{trust}
Create an order, and open the url of the response in a browser
  curl -s{curl} {base_url}{create} \
    -H 'Content-Type: application/json' -H 'ACCESS-TOKEN: {access_token}' \
    -d '{{"amount":"249.50","merchantTxnId":"try-'$$-$(date +%s)'",
         "orderId":"order-'$$-$(date +%s)'","payMode":"all","merchantId":"M-1",
         "productInfo":"Two coffees","customerName":"A. Customer",
         "customerMobile":"9999999999","customerEmail":"customer@shop.example",
         "{return_url_field}":"{base_url}{shop}","currencyCode":"INR"}}'

See the requests, as a test does, and lose the response to the next order
  {control} {base_url}/sandbox/requests
  {control} {base_url}/sandbox/faults -d '{{"rule":"create:1:drop-after-commit"}}'

Its settings for a program, to paste into another terminal
  export PAYORDER_BASE_URL={base_url}
  export PAYORDER_ACCESS_TOKEN={access_token}
  export PAYORDER_CLIENT_KEY={client_key} PAYORDER_CLIENT_ID={client_id}
  export PAYORDER_SECRET_KEY={secret_key}{export}

Time (UTC), request, HTTP status, order"#
    )
}
