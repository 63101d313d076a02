//! A payment service on 127.0.0.1, to try and test a client with. It stores orders in memory, and
//! fails on request.

pub mod calendar;
mod checkout;
pub mod faults;
mod http;
mod orders;
mod service;

use std::collections::VecDeque;
use std::io;
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use calendar::DateTime;
pub use checkout::SHOP_RETURN;
use http::{Connection, ReadError, Request, Response};
use orders::Orders;
pub use orders::{OrderRecord, State};
pub use service::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, CREATE_ORDER, GET_STATUS, SECRET_KEY};
use service::{HandledRequest, Reply};

/// How many of the latest exchanges and returns are stored.
const REMEMBERED: usize = 1000;

pub type Log = Box<dyn Fn(&str) + Send + Sync>;

pub struct Options {
    /// 0 means any free port.
    pub port: u16,
    /// Receives one line for each request.
    pub log: Option<Log>,
    /// The wire name of the return URL, which the service's document leaves unclear.
    pub return_url_field: String,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            port: 0,
            log: None,
            return_url_field: "redirectionURL".to_owned(),
        }
    }
}

/// One request to one of the two endpoints, with its response. Headers are not stored, so no
/// credentials are.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub path: String,
    pub request_body: String,
    /// `None` if no complete response was sent.
    pub http_status: Option<u16>,
    pub response_body: String,
}

/// A running sandbox. Dropping it cuts every connection and ends its threads.
pub struct Sandbox {
    service: Arc<Service>,
    accepting: Option<JoinHandle<()>>,
}

impl Sandbox {
    pub fn start(options: Options) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, options.port))?;
        let address = listener.local_addr()?;
        let service = Arc::new(Service {
            address,
            base_url: format!("http://{address}"),
            log: options.log,
            return_url_field: options.return_url_field,
            stopping: AtomicBool::new(false),
            orders: Mutex::default(),
            exchanges: Mutex::default(),
            returns: Mutex::default(),
        });
        let accepting = thread::spawn({
            let service = service.clone();
            move || accept(&listener, &service)
        });
        Ok(Self {
            service,
            accepting: Some(accepting),
        })
    }

    /// `http://127.0.0.1:PORT`
    pub fn base_url(&self) -> String {
        self.service.base_url.clone()
    }

    /// The requests and responses of the two endpoints, oldest first.
    pub fn exchanges(&self) -> Vec<Exchange> {
        lock(&self.service.exchanges).iter().cloned().collect()
    }

    /// What the service knows about every orderId in its requests.
    pub fn orders(&self) -> Vec<OrderRecord> {
        lock(&self.service.orders).records(&self.service.base_url)
    }

    /// The URLs on which customers came back to [`SHOP_RETURN`], oldest first.
    pub fn returns(&self) -> Vec<String> {
        lock(&self.service.returns).iter().cloned().collect()
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.service.stopping.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection. If that fails, its listener is closed
        // already.
        drop(TcpStream::connect(self.service.address));
        if let Some(accepting) = self.accepting.take() {
            // The thread itself has printed its panic.
            drop(accepting.join());
        }
    }
}

struct Service {
    address: SocketAddr,
    base_url: String,
    log: Option<Log>,
    return_url_field: String,
    stopping: AtomicBool,
    orders: Mutex<Orders>,
    exchanges: Mutex<VecDeque<Exchange>>,
    returns: Mutex<VecDeque<String>>,
}

fn accept(listener: &TcpListener, service: &Arc<Service>) {
    // Weak, so that a connection is closed when its own thread drops it.
    let mut open: Vec<(Weak<TcpStream>, JoinHandle<()>)> = Vec::new();
    while !service.stopping.load(Ordering::SeqCst) {
        let Ok((stream, _)) = listener.accept() else {
            // Usually all file descriptors are in use, until another connection ends.
            thread::sleep(Duration::from_millis(10));
            continue;
        };
        let stream = Arc::new(stream);
        let weak = Arc::downgrade(&stream);
        let service = service.clone();
        open.retain(|(_, thread)| !thread.is_finished());
        open.push((weak, thread::spawn(move || service.serve(stream))));
    }
    for (stream, thread) in open {
        if let Some(stream) = stream.upgrade() {
            // Fails only if the client has closed it already.
            drop(stream.shutdown(Shutdown::Both));
        }
        drop(thread.join());
    }
}

impl Service {
    /// Serves one connection to its end. Errors are ignored, since the client notices them.
    fn serve(&self, stream: Arc<TcpStream>) {
        let Ok(mut connection) = Connection::new(stream) else {
            return;
        };
        loop {
            let request = match connection.read_request() {
                Ok(request) => request,
                Err(ReadError::Closed) => return,
                Err(ReadError::Refused(response)) => {
                    self.log(&format!("(unreadable) {}", response.status));
                    drop(connection.refuse(&response));
                    return;
                }
            };
            let HandledRequest { reply, order_id } = self.reply(&request);
            // Before the response is sent: a client with the response must find it in the list.
            self.remember(&request, &reply, order_id.as_deref());
            match reply {
                Reply::Whole(response) if connection.send(&response, &request).is_err() => return,
                Reply::Whole(_) if request.keep_alive => {}
                Reply::Whole(_) | Reply::Cut => return,
                Reply::Half(response) => return drop(connection.send_half(&response)),
                Reply::Hold => return drop(connection.hold()),
            }
        }
    }

    fn reply(&self, request: &Request) -> HandledRequest {
        let post = request.method == "POST";
        let mut orders = lock(&self.orders);
        let response = match request.path() {
            service::CREATE_ORDER if post => {
                return service::create_order(
                    request,
                    &mut orders,
                    &self.base_url,
                    &self.return_url_field,
                );
            }
            service::GET_STATUS if post => return service::get_status(request, &mut orders),
            service::CREATE_ORDER | service::GET_STATUS => Response::wrong_method("POST"),
            path if path.starts_with(checkout::PAGES) => {
                return checkout::checkout(request, &mut orders);
            }
            SHOP_RETURN => checkout::shop_return(request),
            _ => Response::text(
                404,
                "This is the payorder sandbox; there is nothing at this address.\n",
            ),
        };
        HandledRequest {
            reply: Reply::Whole(response),
            order_id: None,
        }
    }

    fn remember(&self, request: &Request, reply: &Reply, order_id: Option<&str>) {
        let path = request.path();
        let (status, body, word) = match reply {
            Reply::Whole(response) => (
                Some(response.status),
                response.body.as_str(),
                response.status.to_string(),
            ),
            Reply::Half(_) => (None, "", "half".to_owned()),
            Reply::Cut => (None, "", "cut".to_owned()),
            Reply::Hold => (None, "", "held".to_owned()),
        };
        if path == CREATE_ORDER || path == GET_STATUS {
            let exchange = Exchange {
                path: path.to_owned(),
                request_body: String::from_utf8_lossy(&request.body).into_owned(),
                http_status: status,
                response_body: body.to_owned(),
            };
            push(&mut lock(&self.exchanges), exchange);
        } else if path == SHOP_RETURN {
            push(&mut lock(&self.returns), request.target.clone());
        }
        let order = order_id
            .map(|id| format!("  order {}", printable(id)))
            .unwrap_or_default();
        self.log(&format!(
            "{:<4} {}  {word}{order}",
            request.method,
            printable(path)
        ));
    }

    fn log(&self, line: &str) {
        if let Some(log) = &self.log {
            log(&format!(
                "{}  {line}",
                DateTime::of(SystemTime::now()).clock()
            ));
        }
    }
}

fn push<T>(remembered: &mut VecDeque<T>, item: T) {
    if remembered.len() == REMEMBERED {
        remembered.pop_front();
    }
    remembered.push_back(item);
}

/// A text from a client, made safe for one line of a terminal.
fn printable(text: &str) -> String {
    text.chars().take(80).flat_map(char::escape_debug).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
