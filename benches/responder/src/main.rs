//! Responds to the two calls with prepared bytes, as fast as one thread for each connection can, so
//! that the figures are those of the caller.
//!
//!     responder CA_FILE
//!
//! Writes the certificate of its authority to CA_FILE and one line with its ports: `plain` and `tls`
//! (TLS 1.3). For each line on its input, it writes the counts so far. It ends with its input.

mod certificate;
mod counts;
mod request;
mod responses;

use std::io::{self, BufRead, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

use counts::COUNTS;
use request::Request;
use responses::Responses;

/// The first size of a connection's buffer. Longer requests make it grow.
const ROOM: usize = 16 * 1024;

/// A small stack, because a hundred clients need a hundred threads.
const STACK: usize = 128 * 1024;

fn main() -> io::Result<()> {
    let ca_file = std::env::args().nth(1).expect("usage: responder CA_FILE");
    let (ca_pem, config) = certificate::config();
    std::fs::write(ca_file, ca_pem)?;
    let responses = Arc::new(Responses::prepare());
    let plain = listen(None, &responses)?;
    let tls = listen(Some(config), &responses)?;
    println!(r#"{{"plain":{plain},"tls":{tls}}}"#);
    for line in io::stdin().lock().lines() {
        line?;
        println!("{}", COUNTS.json());
    }
    Ok(())
}

/// Serves a port that the system chooses, and returns it.
fn listen(tls: Option<Arc<ServerConfig>>, responses: &Arc<Responses>) -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let responses = Arc::clone(responses);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (tls, responses) = (tls.clone(), Arc::clone(&responses));
            let serving = thread::Builder::new()
                .stack_size(STACK)
                .spawn(move || accept(stream, tls, &responses));
            serving.expect("a thread for the connection");
        }
    });
    Ok(port)
}

/// Errors of a connection are ignored: the client's figures show them.
fn accept(stream: TcpStream, tls: Option<Arc<ServerConfig>>, responses: &Responses) {
    COUNTS.connections.add();
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let Some(config) = tls else {
        let _ = serve(stream, responses);
        return;
    };
    let connection = ServerConnection::new(config).expect("a TLS connection");
    let _ = serve(StreamOwned::new(connection, stream), responses);
}

fn serve(mut stream: impl Read + Write, responses: &Responses) -> io::Result<()> {
    let mut buffer = vec![0; ROOM];
    let mut filled = 0;
    loop {
        let Some(request) = Request::find(&buffer[..filled]) else {
            if filled == buffer.len() {
                buffer.resize(2 * filled, 0);
            }
            match stream.read(&mut buffer[filled..])? {
                0 => return Ok(()),
                read => filled += read,
            }
            continue;
        };
        COUNTS.requests.add();
        stream.write_all(responses.to(&request))?;
        let length = request.length;
        buffer.copy_within(length..filled, 0);
        filled -= length;
    }
}
