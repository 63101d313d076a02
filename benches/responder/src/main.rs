//! Responds to the two calls with prepared bytes, as fast as one thread for each connection can, so
//! that the figures are those of the caller.
//!
//!     responder CA_FILE
//!
//! Writes its certificate to CA_FILE, and a line with its two ports: without TLS, and with TLS 1.3.
//! It ends with its input.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use rustls::crypto::ring;
use rustls::pki_types::PrivatePkcs8KeyDer;
use rustls::version::TLS13;
use rustls::{ServerConfig, ServerConnection, StreamOwned};

/// What a part of a request's path selects. Below `/pending` no payment is completed.
const BODIES: [(&str, &str); 2] = [
    (
        "/api/v1/Gateway/CreateOrder",
        r#"{"responseCode":"200","responseMessage":"Success",
"data":{"url":"https://pay.example.com/checkout/7f3c1e5a9b2d4860"}}"#,
    ),
    (
        "/api/v1/Gateway/GetStatus",
        r#"{"responseCode":"200","responseMessage":"Success","data":{
"merchantRefId":"T-20261121-000001","orderId":"O-20261121-000001",
"transactionId":"TX-7f3c1e5a9b2d4860","amount":"1499.00","customerName":"Asha Rao",
"customerMobile":"9000000000","customerEmail":"asha@example.com",
"transactionStatus":"Completed","transactionDate":"11/21/2026 02:05:06 PM","refundStatus":"",
"refundType":"","merchantName":"Example Shop","settlementStatus":"","settlementDate":"",
"payMode":"upi"}}"#,
    ),
];

type Responses = Vec<(&'static str, Vec<u8>)>;

fn main() -> io::Result<()> {
    let ca_file = std::env::args().nth(1).expect("usage: responder CA_FILE");
    let [create, status] = BODIES;
    let pending = status.1.replace("Completed", "Pending");
    let responses = [("/pending/", pending.as_str()), create, status].map(|(path, body)| {
        let body = body.replace('\n', "");
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length:";
        let response = format!("{head} {}\r\n\r\n{body}", body.len());
        (path, response.into_bytes())
    });
    let responses = Arc::new(Vec::from(responses));
    let plain = listen(None, &responses)?;
    let tls = listen(Some(certificate(&ca_file)?), &responses)?;
    println!("{plain} {tls}");
    io::copy(&mut io::stdin(), &mut io::sink()).map(drop)
}

fn certificate(ca_file: &str) -> io::Result<Arc<ServerConfig>> {
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let made = rcgen::generate_simple_self_signed(names).expect("a certificate");
    std::fs::write(ca_file, made.cert.pem())?;
    let key = PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&TLS13])
        .expect("TLS 1.3")
        .with_no_client_auth()
        .with_single_cert(vec![made.cert.der().clone()], key.into())
        .expect("a usable certificate");
    Ok(Arc::new(config))
}

/// Serves a port that the system chooses, and returns it.
fn listen(tls: Option<Arc<ServerConfig>>, responses: &Arc<Responses>) -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let responses = Arc::clone(responses);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (tls, responses) = (tls.clone(), Arc::clone(&responses));
            // Errors of a connection are ignored: the client's figures show them.
            thread::spawn(move || drop(accept(stream, tls, &responses)));
        }
    });
    Ok(port)
}

fn accept(
    stream: TcpStream,
    tls: Option<Arc<ServerConfig>>,
    responses: &Responses,
) -> io::Result<()> {
    stream.set_nodelay(true)?;
    match tls {
        None => serve(stream, responses),
        Some(config) => {
            let connection = ServerConnection::new(config).expect("a TLS connection");
            serve(StreamOwned::new(connection, stream), responses)
        }
    }
}

fn serve(mut stream: impl Read + Write, responses: &Responses) -> io::Result<()> {
    let mut buffer = vec![0; 16 * 1024];
    let mut filled = 0;
    loop {
        filled += match stream.read(&mut buffer[filled..])? {
            0 => return Ok(()),
            read => read,
        };
        if let Some(path) = whole_request(&buffer[..filled]) {
            let chosen = responses.iter().find(|(of, _)| path.contains(of));
            stream.write_all(&chosen.expect("a known path").1)?;
            filled = 0;
        }
    }
}

/// The first line of a request, once all of it is there. A caller sends one after the other.
fn whole_request(request: &[u8]) -> Option<&str> {
    let text = str::from_utf8(request).ok()?;
    let (head, body) = text.split_once("\r\n\r\n")?;
    let mut lines = head.lines();
    let first = lines.next()?;
    let length = lines.find_map(|line| {
        let (name, value) = line.split_once(':')?;
        let is_length = name.eq_ignore_ascii_case("content-length");
        is_length.then(|| value.trim().parse().ok())?
    });
    (body.len() >= length.unwrap_or(0)).then_some(first)
}
