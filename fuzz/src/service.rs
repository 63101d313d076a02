//! A service on loopback that reads complete requests, keeps every byte that it received, and sends
//! what a script says.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use socket2::SockRef;

/// What to send, and what to do then.
#[derive(Clone, Default)]
pub struct Script {
    pub response: Vec<u8>,
    /// Where the response is split into two writes.
    pub cut: usize,
    pub ending: Ending,
}

impl Script {
    /// Responds that the order was created.
    pub fn created() -> Script {
        let url = r#"{"url":"https://pay.example.com/c/1"}"#;
        let body = format!(r#"{{"responseCode":"200","responseMessage":"Success","data":{url}}}"#);
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        Script {
            response: (head + &body).into_bytes(),
            ..Script::default()
        }
    }
}

/// What happens to the connection after a response.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum Ending {
    #[default]
    Keep,
    Close,
    Reset,
}

/// A listening service, which runs until the process ends.
pub struct Service {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<u8>>>,
    /// A request was read, and its script has not ended yet.
    busy: Arc<AtomicBool>,
}

impl Service {
    /// Listens, and serves up to `workers` connections at the same time. `script` gets the head and
    /// the body of each request.
    pub fn start(
        workers: usize,
        script: impl Fn(&str, &str) -> Script + Send + Sync + 'static,
    ) -> Service {
        let listener = Arc::new(TcpListener::bind("127.0.0.1:0").expect("a port on loopback"));
        let address = listener.local_addr().expect("its address");
        let seen = Arc::new(Mutex::new(Vec::new()));
        let busy = Arc::new(AtomicBool::new(false));
        let script = Arc::new(script);
        for _ in 0..workers {
            let (listener, script, seen, busy) = (
                Arc::clone(&listener),
                Arc::clone(&script),
                Arc::clone(&seen),
                Arc::clone(&busy),
            );
            std::thread::spawn(move || {
                for mut stream in listener.incoming().flatten() {
                    // The client may close the connection.
                    let _ = serve(&mut stream, &seen, &busy, &*script);
                    drop(stream);
                    busy.store(false, Ordering::Release);
                }
            });
        }
        Service {
            address,
            seen,
            busy,
        }
    }

    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Waits until the script of the last request has ended, if the service serves one connection
    /// at a time: data sent later looks like the response to the next request.
    pub fn settle(&self) {
        while self.busy.load(Ordering::Acquire) {
            std::thread::sleep(Duration::from_micros(50));
        }
    }

    /// Forgets what was received.
    pub fn forget(&self) {
        seen(&self.seen).clear();
    }

    /// How often a text occurs in the requests. Waits a moment for data in transit.
    pub fn saw_in_the_end(&self, text: &str) -> usize {
        std::thread::sleep(Duration::from_millis(50));
        self.saw(text)
    }

    /// How often each order id occurs in the requests.
    pub fn orders(&self) -> HashMap<String, usize> {
        let mut orders = HashMap::new();
        for rest in String::from_utf8_lossy(&seen(&self.seen))
            .split("\"orderId\":\"")
            .skip(1)
        {
            *orders
                .entry(rest.split('"').next().unwrap_or_default().to_owned())
                .or_default() += 1;
        }
        orders
    }

    /// How often a text occurs in the requests.
    pub fn saw(&self, text: &str) -> usize {
        seen(&self.seen)
            .windows(text.len())
            .filter(|window| *window == text.as_bytes())
            .count()
    }
}

fn seen(seen: &Mutex<Vec<u8>>) -> MutexGuard<'_, Vec<u8>> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

fn serve(
    stream: &mut TcpStream,
    seen: &Mutex<Vec<u8>>,
    busy: &AtomicBool,
    script: &dyn Fn(&str, &str) -> Script,
) -> std::io::Result<()> {
    stream.set_nodelay(true)?;
    while let Some((head, body)) = take_request(stream, seen)? {
        busy.store(true, Ordering::Release);
        let Script {
            response,
            cut,
            ending,
        } = script(&head, &body);
        let (first, second) = response.split_at(cut.min(response.len()));
        stream.write_all(first)?;
        stream.write_all(second)?;
        match ending {
            Ending::Keep => busy.store(false, Ordering::Release),
            Ending::Close => return Ok(()),
            Ending::Reset => return SockRef::from(&*stream).set_linger(Some(Duration::ZERO)),
        }
    }
    Ok(())
}

/// The next complete request; `None` at the end of the connection.
fn take_request(
    stream: &mut TcpStream,
    all: &Mutex<Vec<u8>>,
) -> std::io::Result<Option<(String, String)>> {
    let mut request = Vec::new();
    let mut buffer = [0; 8192];
    loop {
        let text = String::from_utf8_lossy(&request);
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.lines().find_map(|line| {
                line.to_ascii_lowercase()
                    .strip_prefix("content-length:")?
                    .trim()
                    .parse()
                    .ok()
            });
            let length: usize = length.expect("a request has a length");
            assert!(
                body.len() <= length,
                "more than one request was sent at once: {text}"
            );
            if body.len() == length {
                return Ok(Some((head.to_owned(), body.to_owned())));
            }
        }
        match stream.read(&mut buffer)? {
            0 => return Ok(None),
            read => {
                request.extend_from_slice(&buffer[..read]);
                seen(all).extend_from_slice(&buffer[..read]);
            }
        }
    }
}
