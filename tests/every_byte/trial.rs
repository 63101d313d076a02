//! Runs a case: a Create Order through the C interface, while its connection is cut.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rustls::server::ServerSessionMemoryCache;
use rustls::{ServerConfig, ServerConnection};
use serde_json::{Value, json};

use crate::case::{Answer, Connection, Cut, Ending, Layout, Setting, Side, Way};
use crate::line::{Line, Plan, Seen};
use crate::service::{Service, head_end};
use support::abi::{Client, Reply};
use support::orders::{config, order_named, with};
use support::patience::patience;
use support::tls::{Authority, Folder, serving, serving_tls_1_2};

/// For calls that end long before.
const LONG: Duration = Duration::from_secs(20);
/// For calls that wait until the end of it.
const SHORT: Duration = Duration::from_millis(150);

/// What the trials of a thread share.
#[derive(Clone)]
pub struct Place {
    folder: Arc<Folder>,
    journal: PathBuf,
    ca_file: String,
    tls_1_3: ServerConfig,
    tls_1_2: ServerConfig,
}

/// A call, and everything that is known about it.
pub struct Trial {
    pub setting: Setting,
    pub cut: Option<Cut>,
    pub order_id: String,
    pub reply: Reply,
    pub took: Duration,
    pub timeout: Duration,
    /// What the journal has of the order.
    pub entries: Vec<Value>,
    /// The connections that carried the order, or could have.
    pub lines: Vec<Seen>,
}

impl Place {
    pub fn new() -> Place {
        // The journal flushes every write. In memory this costs nothing.
        let memory = Path::new("/dev/shm");
        let folder = match memory.is_dir() {
            true => Folder::within(memory),
            false => Folder::new(),
        };
        let authority = Authority::new();
        let identity = || authority.fixed_length_identity_for("127.0.0.1");
        Place {
            ca_file: folder.file("ca.pem", authority.pem()),
            tls_1_3: serving(identity()),
            tls_1_2: serving_tls_1_2(identity()),
            journal: folder.path().join("orders.db"),
            folder: Arc::new(folder),
        }
    }

    /// The same certificates, so that all handshakes have the same length, and another journal.
    pub fn for_thread(&self, number: usize) -> Place {
        Place {
            journal: self.folder.path().join(format!("orders-{number}.db")),
            ..self.clone()
        }
    }

    /// The configuration of a client.
    fn config(&self, setting: Setting, address: SocketAddr) -> Value {
        let scheme = if setting.way.is_tls() {
            "https"
        } else {
            "http"
        };
        let mut config = config(&format!("{scheme}://{address}"));
        config["tls"] = json!({"caFile": self.ca_file});
        config["journal"] = json!(self.journal);
        // On a busy machine a kept connection must not become too old.
        let kept = setting.connection == Connection::Kept;
        config["maxIdleMs"] = json!(if kept { 600_000 } else { 0 });
        // An order that was not sent may be sent again, and no other.
        let again = setting.connection != Connection::New;
        config["createRetries"] = json!(u8::from(again));
        config
    }

    /// The TLS configuration of a new service, which knows no session yet.
    fn tls(&self, way: Way) -> Option<Arc<ServerConfig>> {
        let mut config = match way {
            Way::Plain => return None,
            Way::Tls13 => self.tls_1_3.clone(),
            Way::Tls12 => self.tls_1_2.clone(),
        };
        config.session_storage = ServerSessionMemoryCache::new(8);
        Some(Arc::new(config))
    }

    /// Without a cut, to learn how many bytes there are.
    pub fn layout(&self, setting: Setting) -> (Layout, Trial) {
        let trial = Trial::of(self, setting, None, LONG);
        let line = trial.cut_line().expect("a connection");
        let exchange = line.exchanges.first().expect("an exchange");
        let (client, service) = (line.arrived.len(), line.produced);
        let mut client_borders = vec![0, line.request_start(setting.way), client];
        client_borders.extend(head_end(&line.arrived));
        let mut service_borders = exchange.borders.clone();
        service_borders.extend([0, service]);
        let layout = Layout {
            client,
            service,
            response: exchange.borders[0],
            client_borders,
            service_borders,
        };
        (layout, trial)
    }
}

impl Trial {
    /// `patience` multiplies the time limits, for a busy machine.
    pub fn of_case(
        place: &Place,
        setting: Setting,
        cut: Cut,
        layout: &Layout,
        factor: u32,
    ) -> Trial {
        let waits = cut.ending == Ending::Stall && !ends_with_its_bytes(setting, cut, layout);
        let timeout = if waits { SHORT } else { LONG };
        Trial::of(place, setting, Some(cut), patience(timeout) * factor)
    }

    fn of(place: &Place, setting: Setting, cut: Option<Cut>, timeout: Duration) -> Trial {
        static NUMBER: AtomicUsize = AtomicUsize::new(10_000_000);
        let order = || {
            let number = NUMBER.fetch_add(1, Relaxed);
            let order = order_named(&format!("O-{number}"));
            with(&order, "merchantTxnId", format!("T-{number}"))
        };
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let client = Client::new(&place.config(setting, address));
        let options = |timeout: Duration| json!({"timeoutMs": timeout.as_millis() as u64});
        let number_of_cut = usize::from(setting.connection == Connection::Resumed);

        let stop = AtomicBool::new(false);
        let tls = place.tls(setting.way);
        thread::scope(|scope| {
            let accepting =
                scope.spawn(|| accept(&listener, &stop, tls, setting, cut, number_of_cut));
            let earlier = (setting.connection != Connection::New)
                .then(|| client.create_with(&order(), &options(patience(LONG))));
            let order = order();
            let began = Instant::now();
            let reply = client.create_with(&order, &options(timeout));
            let took = began.elapsed();
            let order_id = order["orderId"].as_str().unwrap_or_default().to_owned();
            let listed = client.journal_list(&json!({"orderId": order_id, "events": true}));
            // The client's connections end with it, and then this last one.
            drop(client);
            stop.store(true, Relaxed);
            drop(TcpStream::connect(address));
            let mut lines = accepting.join().expect("no panic");
            // No panic before this: `accept` would not end.
            if let Some(earlier) = earlier {
                earlier.done();
            }
            let entries = listed.done()["entries"].as_array().cloned();
            // The first one carried another order.
            lines.drain(..number_of_cut);
            Trial {
                setting,
                cut,
                order_id,
                reply,
                took,
                timeout,
                entries: entries.expect("entries"),
                lines,
            }
        })
    }

    /// The connection that was to be cut.
    pub fn cut_line(&self) -> Option<&Seen> {
        self.lines.first()
    }
}

/// Whether the client sees that the response ends, if nothing follows.
fn ends_with_its_bytes(setting: Setting, cut: Cut, layout: &Layout) -> bool {
    let complete = cut.side == Side::Service && cut.position >= layout.service;
    complete && (setting.answer != Answer::UntilClose || setting.way.is_tls())
}

/// Accepts connections until `stop`, and those that are waiting then.
fn accept(
    listener: &TcpListener,
    stop: &AtomicBool,
    tls: Option<Arc<ServerConfig>>,
    setting: Setting,
    cut: Option<Cut>,
    number_of_cut: usize,
) -> Vec<Seen> {
    let seen = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for number in 0.. {
            let Ok((tcp, _)) = listener.accept() else {
                return;
            };
            if stop.load(Relaxed) {
                listener.set_nonblocking(true).expect("nonblocking mode");
            }
            let (tls, seen) = (tls.clone(), &seen);
            scope.spawn(move || {
                tcp.set_nonblocking(false).expect("blocking mode");
                let is_cut = number == number_of_cut;
                let kept = is_cut && setting.connection == Connection::Kept;
                let answer = match kept || number < number_of_cut {
                    true => Answer::Length,
                    false => setting.answer,
                };
                let tls = tls.map(|tls| ServerConnection::new(tls).expect("a connection"));
                let plan = Plan {
                    cut: cut.filter(|_| is_cut),
                    answer: setting.answer,
                    after_an_exchange: kept,
                };
                let line = Line::new(tcp, Service::new(tls, answer), plan).run();
                seen.lock().unwrap().push((number, line));
            });
        }
    });
    let mut seen = seen.into_inner().unwrap();
    seen.sort_by_key(|(number, _)| *number);
    seen.into_iter().map(|(_, line)| line).collect()
}
