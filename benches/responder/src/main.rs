//! Answers the two calls with prepared bytes, as fast as a thread a connection can: what is
//! measured is who asks.
//!
//!     responder CA_FILE
//!
//! Writes the certificate of its authority to CA_FILE and one line with its ports: `plain`, `tls`
//! (TLS 1.3, sessions can be resumed) and `full` (TLS 1.3, they cannot). Answers each line on its
//! input with the counts so far, and ends with its input.

mod answers;
mod certificate;
mod counts;
mod request;

use std::io::{self, BufRead, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;

use rustls::{HandshakeKind, ServerConfig, ServerConnection, StreamOwned};

use answers::Answers;
use counts::COUNTS;
use request::Request;

/// A connection's first bytes of room; longer requests make it grow.
const ROOM: usize = 16 * 1024;

/// A thousand connections are a thousand threads; none goes deep.
const STACK: usize = 128 * 1024;

fn main() -> io::Result<()> {
    let ca_file = std::env::args().nth(1).expect("usage: responder CA_FILE");
    let (ca_pem, resuming, full) = certificate::configs();
    std::fs::write(ca_file, ca_pem)?;
    let answers = Arc::new(Answers::prepare());
    let plain = listen(None, &answers)?;
    let tls = listen(Some(resuming), &answers)?;
    let full = listen(Some(full), &answers)?;
    println!(r#"{{"plain":{plain},"tls":{tls},"full":{full}}}"#);
    for line in io::stdin().lock().lines() {
        line?;
        println!("{}", COUNTS.json());
    }
    Ok(())
}

/// Serves a port of the system's choice, and tells which.
fn listen(tls: Option<Arc<ServerConfig>>, answers: &Arc<Answers>) -> io::Result<u16> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let port = listener.local_addr()?.port();
    let answers = Arc::clone(answers);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (tls, answers) = (tls.clone(), Arc::clone(&answers));
            let serving = thread::Builder::new()
                .stack_size(STACK)
                .spawn(move || accept(stream, tls, &answers));
            serving.expect("a thread for the connection");
        }
    });
    Ok(port)
}

/// A connection may end in any way: it is the client's business, and the client's figures show it.
fn accept(stream: TcpStream, tls: Option<Arc<ServerConfig>>, answers: &Answers) {
    COUNTS.connections.add();
    if stream.set_nodelay(true).is_err() {
        return;
    }
    let Some(config) = tls else {
        let _ = serve(stream, answers);
        return;
    };
    let connection = ServerConnection::new(config).expect("a TLS connection");
    let mut stream = StreamOwned::new(connection, stream);
    while stream.conn.is_handshaking() {
        if stream.conn.complete_io(&mut stream.sock).is_err() {
            return;
        }
    }
    match stream.conn.handshake_kind() {
        Some(HandshakeKind::Resumed) => COUNTS.resumed.add(),
        _ => COUNTS.full.add(),
    }
    let _ = serve(stream, answers);
}

fn serve(mut stream: impl Read + Write, answers: &Answers) -> io::Result<()> {
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
        stream.write_all(answers.to(&request))?;
        let length = request.length;
        buffer.copy_within(length..filled, 0);
        filled -= length;
    }
}
