//! A service that sends the bytes of each case.

use std::io::{Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use crate::cases::{Case, End};

/// Listens until the test process ends.
pub struct Service {
    address: SocketAddr,
}

impl Service {
    pub fn start(cases: &[Case]) -> Service {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let address = listener.local_addr().expect("its address");
        let cases: Arc<[Case]> = cases.into();
        thread::spawn(move || {
            for stream in listener.incoming() {
                let cases = cases.clone();
                thread::spawn(move || serve(stream.expect("a connection"), &cases));
            }
        });
        Service { address }
    }

    pub fn url(&self, case: &Case) -> String {
        format!("http://{}/{}", self.address, case.number)
    }
}

fn serve(mut stream: TcpStream, cases: &[Case]) {
    let patience = Some(Duration::from_secs(120));
    stream.set_read_timeout(patience).expect("a timeout");
    let case = &cases[read_request(&mut stream)];
    // The client may close early; its result shows that.
    drop(stream.write_all(&case.bytes));
    if case.end == End::Close {
        drop(stream.shutdown(Shutdown::Write));
    }
    // Closing with unread bytes would reset the connection.
    drop(std::io::copy(&mut stream, &mut std::io::sink()));
}

/// Reads the request and returns the number in its path.
fn read_request(stream: &mut TcpStream) -> usize {
    let mut request = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let length = stream.read(&mut chunk).expect("the request");
        assert!(length > 0, "the request was truncated");
        request.extend_from_slice(&chunk[..length]);
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let field = |name: &str| {
            head.lines().find_map(|line| {
                let (key, value) = line.split_once(": ")?;
                key.eq_ignore_ascii_case(name).then_some(value)
            })
        };
        let length: usize = field("content-length")
            .and_then(|value| value.parse().ok())
            .expect("a Content-Length");
        if body.len() >= length {
            let path = head.split(' ').nth(1).expect("a path");
            let number = path.split('/').nth(1).expect("the number of a case");
            return number.parse().expect("a number");
        }
    }
}
