//! A payment service to try and test a client with. It stores orders in memory, and fails on
//! request.

mod authority;
mod calendar;
mod checkout;
mod control;
mod create_order;
mod events;
pub mod faults;
mod get_status;
mod http;
mod orders;
mod page;
mod record;
pub mod rules;
mod service;
pub mod tls;
mod visitor;

use std::io;
use std::net::{
    IpAddr, Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream, UdpSocket,
};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use serde_json::Value;

use calendar::sortable;
pub use checkout::SHOP_RETURN;
use events::{Changes, EVENTS};
use http::{Connection, ReadError, Request, Response};
pub use orders::OrderRecord;
use orders::Orders;
use record::{Ended, Pending, Record, UNREAD};
use rules::{Applied, Rule, Rules};
pub use service::random_text;
pub use service::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, CREATE_ORDER, GET_STATUS, SECRET_KEY};
use service::{Credentials, HandledRequest, Reply, endpoint, step_of};
use tls::Tls;

/// How many connections may be open. Further ones are closed at once.
const MAX_CONNECTIONS: usize = 500;

pub type Log = Box<dyn Fn(&str) + Send + Sync>;

pub struct Options {
    /// Port 0 means any free port. Beyond this machine, the control address needs a secret.
    pub listen: SocketAddr,
    /// The name of this machine in the sandbox's URL; without one, its address.
    pub host: Option<String>,
    /// Without it, it speaks http.
    pub tls: Option<Tls>,
    /// Receives one line for each request.
    pub log: Option<Log>,
    /// The wire name of the return URL, which the service's document leaves unclear.
    pub return_url_field: String,
    pub rules: Vec<Rule>,
    /// Every response of the two endpoints comes this much later.
    pub slow: Duration,
    /// The control address has a port of its own and a secret, and credentials and numbers are
    /// random: the program that is tested learns nothing from the sandbox's other side.
    pub private: bool,
    /// How clients reach it, if not directly.
    pub public_url: Option<String>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            listen: (Ipv4Addr::LOCALHOST, 0).into(),
            host: None,
            tls: None,
            log: None,
            return_url_field: "redirectionURL".to_owned(),
            rules: Vec::new(),
            slow: Duration::ZERO,
            private: false,
            public_url: None,
        }
    }
}

/// A running sandbox. Dropping it cuts every connection and ends its threads.
pub struct Sandbox {
    service: Arc<Service>,
    scheme: &'static str,
    address: SocketAddr,
    control: Option<SocketAddr>,
    accepting: Vec<(SocketAddr, JoinHandle<()>)>,
}

impl Sandbox {
    pub fn start(options: Options) -> io::Result<Self> {
        let mut rules = Rules::default();
        for rule in options.rules {
            rules.add(rule).map_err(io::Error::other)?;
        }
        let listener = TcpListener::bind(options.listen)?;
        let address = listener.local_addr()?;
        let scheme = if options.tls.is_some() {
            "https"
        } else {
            "http"
        };
        let here = SocketAddr::new(reachable(address.ip()), address.port());
        let authority = match options.host {
            Some(host) if host.contains(':') => format!("[{host}]:{}", address.port()),
            Some(host) => format!("{host}:{}", address.port()),
            None => here.to_string(),
        };
        let control = match options.private {
            true => Some(TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?),
            false => None,
        };
        let base_url = options
            .public_url
            .unwrap_or_else(|| format!("{scheme}://{authority}"));
        // Through a tunnel or a proxy, strangers come from this machine.
        let exposed = !address.ip().is_loopback() || !visitor::is_local(&base_url);
        let service = Arc::new(Service {
            base_url,
            exposed,
            tls: options.tls,
            private: options.private,
            secret: (options.private || exposed).then(random_text),
            credentials: match options.private {
                true => Credentials::random(),
                false => Credentials::known(),
            },
            log: options.log,
            return_url_field: options.return_url_field,
            stopping: AtomicBool::new(false),
            orders: Mutex::new(Orders::new(options.private)),
            slow: options.slow,
            rules: Mutex::new(rules),
            record: Record::default(),
            changes: Changes::default(),
        });
        let host = visitor::host_of(visitor::authority_of(&service.base_url));
        if let Some(tls) = &service.tls
            && !tls.is_for(host)
        {
            return Err(io::Error::other(format!(
                "the certificate is not for {host}, because its subjectAltName does not name it: use \
                 --public-url https://HOST:PORT with a host that it names, or another certificate"
            )));
        }
        let accept_on = |listener: TcpListener, door| {
            let service = service.clone();
            let address = listener.local_addr()?;
            let thread = thread::spawn(move || accept(&listener, &service, door));
            io::Result::Ok((address, thread))
        };
        let mut accepting = vec![accept_on(listener, Door::Service)?];
        if let Some(control) = control {
            accepting.push(accept_on(control, Door::Control)?);
        }
        Ok(Self {
            address,
            control: accepting.get(1).map(|(address, _)| *address),
            scheme,
            accepting,
            service,
        })
    }

    /// `http://127.0.0.1:PORT`, or how other machines reach it.
    pub fn base_url(&self) -> String {
        self.service.base_url.clone()
    }

    /// Where it listens itself: `http://127.0.0.1:PORT`, also behind something else.
    pub fn address(&self) -> String {
        format!("{}://{}", self.scheme, self.address)
    }

    /// The control address, if it has a port of its own.
    pub fn control(&self) -> Option<String> {
        Some(format!("http://{}", self.control?))
    }

    /// What the control address and the page need, if not everybody on this machine may use them.
    pub fn secret(&self) -> Option<&str> {
        self.service.secret.as_deref()
    }

    /// The SHA-256 of the certificate of the authority that was made for it.
    pub fn fingerprint(&self) -> Option<String> {
        self.service.tls.as_ref().and_then(Tls::fingerprint)
    }

    /// Whether other machines can reach it.
    pub fn is_exposed(&self) -> bool {
        self.service.exposed
    }

    /// The latest requests of the two endpoints with their responses, oldest first, as the control
    /// address shows them.
    pub fn exchanges(&self) -> Vec<Value> {
        self.exchanges_since(0)
    }

    /// Those after the one with this number.
    pub fn exchanges_since(&self, number: u64) -> Vec<Value> {
        self.service.record.since(number, Duration::ZERO)
    }

    /// What the service knows about every orderId in its requests.
    pub fn orders(&self) -> Vec<OrderRecord> {
        lock(&self.service.orders).records(&self.service.base_url)
    }
}

impl Drop for Sandbox {
    fn drop(&mut self) {
        self.service.stopping.store(true, Ordering::SeqCst);
        self.service.record.stop();
        self.service.changes.stop();
        // Wakes the thread that waits for a connection. If that fails, its listener is closed
        // already.
        for (address, accepting) in self.accepting.drain(..) {
            let ip = match address.ip() {
                IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
                IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
                ip => ip,
            };
            drop(TcpStream::connect((ip, address.port())));
            // The thread itself has printed its panic.
            drop(accepting.join());
        }
    }
}

/// An address of this machine: an unspecified one is not an address that others can use. No packet
/// is sent.
pub fn reachable(address: IpAddr) -> IpAddr {
    let outward = || {
        let (own, other) = match address {
            IpAddr::V4(_) => ("0.0.0.0:0", "192.0.2.1:9"),
            IpAddr::V6(_) => ("[::]:0", "[2001:db8::1]:9"),
        };
        let socket = UdpSocket::bind(own)?;
        socket.connect(other)?;
        Ok::<_, io::Error>(socket.local_addr()?.ip())
    };
    match address.is_unspecified() {
        true => outward().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST)),
        false => address,
    }
}

/// What a connection is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Door {
    Service,
    Control,
}

struct Service {
    base_url: String,
    /// Whether other machines can reach it.
    exposed: bool,
    tls: Option<Tls>,
    /// Whether the control address has a port of its own.
    private: bool,
    /// What the control address needs.
    secret: Option<String>,
    credentials: Credentials,
    log: Option<Log>,
    return_url_field: String,
    stopping: AtomicBool,
    orders: Mutex<Orders>,
    /// Added to the time of every response of the two endpoints.
    slow: Duration,
    rules: Mutex<Rules>,
    record: Record,
    changes: Changes,
}

fn accept(listener: &TcpListener, service: &Arc<Service>, door: Door) {
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
        if open.len() == MAX_CONNECTIONS {
            continue;
        }
        // Without a thread for it, the connection is closed, and others go on.
        let serve = move || service.serve(stream, door);
        open.extend(
            thread::Builder::new()
                .spawn(serve)
                .map(|thread| (weak, thread)),
        );
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
    fn serve(&self, stream: Arc<TcpStream>, door: Door) {
        let tls = match door {
            Door::Service => self.tls.as_ref().map(|tls| tls.config.clone()),
            Door::Control => None,
        };
        let Ok(mut connection) = Connection::new(stream, tls) else {
            return;
        };
        loop {
            match self.serve_one(&mut connection, door) {
                Ok(true) => {}
                Ok(false) | Err(ReadError::Closed) => return,
                Err(ReadError::Refused(response)) => {
                    self.log(&format!("(unreadable) {}", response.status));
                    return drop(connection.refuse(response));
                }
            }
        }
    }

    /// Serves one request. `false` if the connection ends with it.
    fn serve_one(&self, connection: &mut Connection, door: Door) -> Result<bool, ReadError> {
        let mut request = connection.read_head()?;
        if self.tls.is_some() && door == Door::Service && !connection.is_encrypted() {
            return Err(ReadError::Refused(self.use_https(&request)));
        }
        let path = request.path();
        if self.private == (door == Door::Control)
            && (control::is_control(path) || page::is_page(path))
        {
            let read = connection.read_body(&mut request);
            read.map_err(control::unread)?;
            return self.serve_page(connection, &request);
        }
        if door == Door::Control {
            return Err(ReadError::Refused(nothing_here()));
        }
        let pending = self.record.receive();
        let step = step_of(&request);
        let mut refused = false;
        let held = step.and_then(|step| lock(&self.rules).apply_unread(step));
        let (rule, handled) = match held {
            Some(rule) => (rule, HandledRequest::unread()),
            None => match connection.read_body(&mut request) {
                Ok(()) => {
                    let rule = step.map(|step| lock(&self.rules).apply(step));
                    let rule = rule.unwrap_or_default();
                    let handled = match rule.fault {
                        // The rule was for a later request when the body began.
                        Some("stall-unread") => HandledRequest::unread(),
                        _ => self.reply(&request, &rule),
                    };
                    (rule, handled)
                }
                Err(ReadError::Refused(response)) if endpoint(&request).is_some() => {
                    refused = true;
                    request.keep_alive = false;
                    (Applied::default(), HandledRequest::of(response))
                }
                Err(error) => return Err(error),
            },
        };
        self.log_request(&request, &handled);
        self.changes.tell();
        let mut delay = Duration::ZERO;
        let entry = endpoint(&request).map(|step| {
            delay = self.slow + rule.slow.unwrap_or_default();
            let step = match rule.fault {
                Some("stall-unread") => UNREAD,
                _ => step.name(),
            };
            let exchange = record::exchange(step, &request, &handled, &rule, &self.credentials);
            (pending, exchange)
        });
        let goes_on = self.answer(connection, &request, handled.reply, delay, entry)?;
        if refused {
            connection.read_to_end()?;
        }
        Ok(goes_on)
    }

    /// Sends the reply, or what a fault leaves of it, and lists the request. `false` if the
    /// connection ends.
    fn answer(
        &self,
        connection: &mut Connection,
        request: &Request,
        (mut response, mut ended): Reply,
        delay: Duration,
        entry: Option<(Pending, Value)>,
    ) -> io::Result<bool> {
        if ended != Ended::Held || response.is_some() {
            let waited = connection.wait(delay);
            if waited.is_err() {
                (response, ended) = (None, Ended::Cut);
            }
        }
        let keep_alive = request.keep_alive && ended == Ended::Complete;
        let response = response.map(|response| response.complete_headers(keep_alive));
        let listed = entry.map(|(pending, mut exchange)| {
            let so_far = match response {
                Some(_) => Ended::Cut,
                None => ended,
            };
            exchange["response"] = record::response(None, so_far);
            let number = self.record.list(pending, exchange, response.is_none());
            (pending, number)
        });
        if let Some(response) = response {
            let sent = match ended {
                Ended::Complete => connection.send(&response, request),
                _ => connection.send_half(&response),
            };
            if sent.is_err() {
                ended = Ended::Cut;
            }
            if let Some((pending, number)) = listed {
                let written = sent
                    .is_ok()
                    .then(|| record::response(Some(&response), ended));
                self.record.end_write(pending, number, written);
            }
        }
        if !request.is_get() || listed.is_some() {
            self.changes.tell();
        }
        match ended {
            Ended::Held => connection.hold()?,
            Ended::Complete if !keep_alive => connection.close()?,
            _ => {}
        }
        Ok(keep_alive && ended == Ended::Complete)
    }

    /// The page, and the control address, which it uses.
    fn serve_page(
        &self,
        connection: &mut Connection,
        request: &Request,
    ) -> Result<bool, ReadError> {
        let response = match control::check(request, self) {
            Ok(()) if request.path() == EVENTS && request.method == "GET" => {
                self.changes.stream(connection)?;
                return Ok(false);
            }
            _ if page::is_page(request.path()) => page::page(request, self),
            _ => control::control(request, self),
        };
        let handled = HandledRequest::of(response);
        self.log_request(request, &handled);
        Ok(self.answer(connection, request, handled.reply, Duration::ZERO, None)?)
    }

    fn use_https(&self, request: &Request) -> Response {
        let status = if request.is_get() { 307 } else { 400 };
        let path = Some(request.target.as_str()).filter(|target| target.starts_with('/'));
        let path = path.unwrap_or_default();
        let words = format!(
            "This sandbox uses https: its address is {}\n",
            self.base_url
        );
        Response::text(status, words).with_header("Location", format!("{}{path}", self.base_url))
    }

    fn reply(&self, request: &Request, rule: &Applied) -> HandledRequest {
        let post = request.method == "POST";
        let path = request.path();
        let checked = match (path, post) {
            (CREATE_ORDER | GET_STATUS, _) => Ok(()),
            (_, false) => visitor::check_host(request, self),
            (_, true) => visitor::check_host(request, self)
                .and_then(|()| visitor::check_origin(request, self)),
        };
        if let Err((status, what)) = checked {
            return HandledRequest::of(Response::text(status, format!("{what}.\n")));
        }
        let mut orders = lock(&self.orders);
        HandledRequest::of(match path {
            CREATE_ORDER if post => {
                let field = &self.return_url_field;
                return create_order::create_order(
                    request,
                    rule.fault,
                    &mut orders,
                    &self.base_url,
                    field,
                    &self.credentials,
                );
            }
            GET_STATUS if post => {
                return get_status::get_status(request, rule, &mut orders, &self.credentials);
            }
            CREATE_ORDER | GET_STATUS => Response::wrong_method("POST"),
            path if path.starts_with(checkout::PAGES) => {
                return checkout::checkout(request, rule.fault, &mut orders);
            }
            SHOP_RETURN => checkout::shop_return(request),
            _ => nothing_here(),
        })
    }

    fn reset(&self) {
        *lock(&self.orders) = Orders::new(self.private);
        lock(&self.rules).clear();
        self.record.reset();
        self.changes.tell_reset();
    }

    fn log_request(&self, request: &Request, handled: &HandledRequest) {
        // A test may look at the requests many times a second, and so does the page.
        let path = request.path();
        if (control::is_control(path) || page::is_page(path)) && request.is_get() {
            return;
        }
        let word = match &handled.reply {
            (Some(response), Ended::Complete) => response.status.to_string(),
            (_, ended) => ended.name().to_owned(),
        };
        let order = match &handled.order_id {
            Some(id) => format!("  order {}", printable(id)),
            None => String::new(),
        };
        let path = printable(request.path());
        self.log(&format!("{:<4} {path}  {word}{order}", request.method));
    }

    fn log(&self, line: &str) {
        if let Some(log) = &self.log {
            let now = sortable(SystemTime::now());
            log(&format!("{}  {line}", &now[11..]));
        }
    }
}

fn nothing_here() -> Response {
    Response::text(
        404,
        "This is the payorder sandbox; there is nothing at this address.\n",
    )
}

/// A text from a client, made safe for one line of a terminal.
fn printable(text: &str) -> String {
    text.chars().take(80).flat_map(char::escape_debug).collect()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
