//! A TLS proxy that records its requests.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use rustls::{ServerConfig, ServerConnection, StreamOwned};

pub struct TlsProxy {
    port: u16,
    heads: Arc<Mutex<Vec<String>>>,
}

impl TlsProxy {
    /// Every tunnel leads to this port of 127.0.0.1. The proxy runs until the test process ends.
    pub fn start(config: ServerConfig, service: u16) -> TlsProxy {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("its address").port();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let (config, recorded) = (Arc::new(config), Arc::clone(&heads));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let session = ServerConnection::new(Arc::clone(&config)).expect("a TLS session");
                let recorded = Arc::clone(&recorded);
                thread::spawn(move || serve(StreamOwned::new(session, client), service, &recorded));
            }
        });
        TlsProxy { port, heads }
    }

    pub fn url_with(&self, userinfo: &str) -> String {
        format!("https://{userinfo}@localhost:{}", self.port)
    }

    /// The heads of the requests, byte for byte.
    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().expect("the heads").clone()
    }
}

fn serve(
    mut client: StreamOwned<ServerConnection, TcpStream>,
    service: u16,
    heads: &Mutex<Vec<String>>,
) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        client.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    heads
        .lock()
        .ok()?
        .push(String::from_utf8_lossy(&head).into_owned());
    client
        .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        .ok()?;
    let mut server = TcpStream::connect(("127.0.0.1", service)).ok()?;
    // The two sides take turns, and each sends its data in one piece.
    let mut bytes = [0; 16384];
    loop {
        for direction in [true, false] {
            let count = if direction {
                client.read(&mut bytes)
            } else {
                server.read(&mut bytes)
            }
            .ok()
            .filter(|count| *count > 0)?;
            if direction {
                server.write_all(&bytes[..count])
            } else {
                client.write_all(&bytes[..count])
            }
            .ok()?;
        }
    }
}
