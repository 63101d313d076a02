//! An HTTP proxy for CONNECT that records its requests.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

#[derive(Clone)]
pub enum Behaviour {
    /// Connects to the requested address.
    Tunnel,
    /// Connects to this port of 127.0.0.1, whatever address was requested.
    TunnelTo(u16),
    Respond(&'static str),
    Close,
    Stall,
}

pub struct Proxy {
    address: SocketAddr,
    heads: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
}

impl Proxy {
    pub fn start(behaviour: Behaviour) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let heads = Arc::new(Mutex::new(Vec::new()));
        let stop = Arc::new(AtomicBool::new(false));
        thread::spawn({
            let (heads, stop) = (heads.clone(), stop.clone());
            move || {
                for client in listener.incoming() {
                    if stop.load(SeqCst) {
                        return;
                    }
                    let Ok(client) = client else { continue };
                    #[cfg(windows)]
                    super::service::keep_from_children(&client);
                    let (heads, stop, behaviour) = (heads.clone(), stop.clone(), behaviour.clone());
                    thread::spawn(move || serve(client, &behaviour, &heads, &stop));
                }
            }
        });
        Proxy {
            address,
            heads,
            stop,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    pub fn url_with(&self, userinfo: &str) -> String {
        format!("http://{userinfo}@{}", self.address)
    }

    /// The heads of the requests, byte for byte.
    pub fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.stop.store(true, SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

fn serve(
    mut client: TcpStream,
    behaviour: &Behaviour,
    heads: &Mutex<Vec<String>>,
    stop: &AtomicBool,
) -> Option<()> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        client.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let target = head.split(' ').nth(1).unwrap_or_default().to_owned();
    heads.lock().unwrap().push(head);
    let server = match behaviour {
        Behaviour::Tunnel => TcpStream::connect(target.as_str()),
        Behaviour::TunnelTo(port) => TcpStream::connect(("127.0.0.1", *port)),
        Behaviour::Respond(text) => {
            client.write_all(text.as_bytes()).ok()?;
            return None;
        }
        Behaviour::Close => return None,
        Behaviour::Stall => {
            while !stop.load(SeqCst) {
                thread::sleep(Duration::from_millis(10));
            }
            return None;
        }
    };
    let server = server.ok()?;
    client
        .write_all(b"HTTP/1.1 200 Connection established\r\n\r\n")
        .ok()?;
    let (back_from, back_to) = (server.try_clone().ok()?, client.try_clone().ok()?);
    thread::spawn(move || pump(back_from, back_to));
    pump(client, server)
}

fn pump(mut from: TcpStream, mut to: TcpStream) -> Option<()> {
    let mut bytes = [0; 16384];
    loop {
        let count = from.read(&mut bytes).ok()?;
        if count == 0 {
            let _ = to.shutdown(std::net::Shutdown::Write);
            return None;
        }
        to.write_all(&bytes[..count]).ok()?;
    }
}
