//! Runs a case: a Create Order through the C interface, while its connection is cut.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use rustls::ServerConfig;
use rustls::server::ServerSessionMemoryCache;
use serde_json::{Value, json};

use crate::case::{Answer, Connection, Layout, Setting, Way};
use crate::response::{RECORD, head_end, response};
use support::abi::{Client, Reply};
use support::orders::{config, order_named, with};
use support::patience::patience;
use support::service::{Cut, Ending, Meter, Passed, Service, Side, Step};
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
    pub lines: Vec<Passed>,
    /// How often the service got the order completely.
    pub complete: usize,
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
    fn config(&self, setting: Setting, port: u16) -> Value {
        let scheme = if setting.way.is_tls() {
            "https"
        } else {
            "http"
        };
        let mut config = config(&format!("{scheme}://127.0.0.1:{port}"));
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
        let (client, service) = (line.arrived.len(), line.sent.len());
        let response = response(setting.answer, &trial.order_id);
        let mut readable = vec![(0, 0)];
        match setting.way.is_tls() {
            false => readable.extend((1..=service).map(|sent| (sent, sent))),
            true => {
                let ends = record_ends(&line.sent);
                // A close_notify follows.
                let after = usize::from(setting.answer == Answer::UntilClose);
                let count = response.len().div_ceil(RECORD);
                let first = ends.len() - after - count;
                readable[0].0 = ends[..first].last().copied().unwrap_or(0);
                let records = ends[first..][..count].iter().zip(1..);
                readable.extend(
                    records.map(|(end, number)| (*end, response.len().min(number * RECORD))),
                );
            }
        }
        let start = request_start(line, setting);
        let mut client_borders = vec![0, start, client];
        client_borders.extend(head_end(&line.arrived));
        let mut service_borders = vec![0, readable[0].0, service];
        // The end of a TLS record or of the head, or near the end of the response.
        service_borders.extend(readable.iter().filter_map(|(sent, readable)| {
            let is_border = setting.way.is_tls()
                || head_end(&response) == Some(*readable)
                || readable + 8 > response.len();
            is_border.then_some(*sent)
        }));
        let layout = Layout {
            client,
            service,
            response: readable[0].0,
            readable,
            length: response.len(),
            client_borders,
            service_borders,
        };
        (layout, trial)
    }
}

/// Where the records in these bytes end.
fn record_ends(bytes: &[u8]) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut at = 0;
    while let Some(header) = bytes.get(at..at + 5) {
        at += 5 + usize::from(u16::from_be_bytes([header[3], header[4]]));
        ends.push(at.min(bytes.len()));
    }
    ends
}

/// After how many bytes from the client the request begins.
pub fn request_start(line: &Passed, setting: Setting) -> usize {
    const APPLICATION_DATA: u8 = 23;
    if line.was_kept || setting.way == Way::Plain {
        return 0;
    }
    let mut start = 0;
    for end in record_ends(&line.arrived) {
        match (line.arrived[start], setting.way) {
            // In TLS 1.3 the first one has the end of the handshake.
            (APPLICATION_DATA, Way::Tls13) => return end,
            (APPLICATION_DATA, _) => return start,
            _ => start = end,
        }
    }
    line.arrived.len()
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
        let number_of_cut = usize::from(setting.connection == Connection::Resumed);
        let is_kept = setting.connection == Connection::Kept;
        let has_earlier = setting.connection != Connection::New;
        let chosen = match is_kept {
            // Once the earlier call has returned.
            true => usize::MAX,
            false => number_of_cut,
        };
        let meter = Meter::new(cut.map(|cut| (chosen, cut)));
        let service = Service::metered(meter, place.tls(setting.way), move |query| {
            let is_earlier = has_earlier && query.number == 0;
            let answer = if is_earlier {
                Answer::Length
            } else {
                setting.answer
            };
            let response = response(answer, &query.order_id);
            let size = if setting.way.is_tls() {
                RECORD
            } else {
                response.len()
            };
            let pieces = response
                .chunks(size)
                .map(|piece| Step::Send(piece.to_vec()));
            let close = (answer == Answer::UntilClose).then_some(Step::Close);
            [Step::Request]
                .into_iter()
                .chain(pieces)
                .chain(close)
                .collect()
        });
        let client = Client::new(&place.config(setting, service.port()));
        let options = |timeout: Duration| json!({"timeoutMs": timeout.as_millis() as u64});
        if has_earlier {
            client
                .create_with(&order(), &options(patience(LONG)))
                .done();
        }
        if is_kept {
            service.meter().start_again();
        }
        let order = order();
        let began = Instant::now();
        let reply = client.create_with(&order, &options(timeout));
        let took = began.elapsed();
        let order_id = order["orderId"].as_str().unwrap_or_default().to_owned();
        let listed = client.journal_list(&json!({"orderId": order_id, "events": true}));
        // The client's connections end with it.
        drop(client);
        service.stop();
        let entries = listed.done()["entries"].as_array().cloned();
        let asked = service.asked();
        Trial {
            setting,
            cut,
            complete: asked.iter().filter(|(_, asked)| *asked == order_id).count(),
            order_id,
            reply,
            took,
            timeout,
            entries: entries.expect("entries"),
            // The first one carried another order.
            lines: service.meter().passed().split_off(number_of_cut),
        }
    }

    /// The connection that was to be cut.
    pub fn cut_line(&self) -> Option<&Passed> {
        self.lines.first()
    }
}

/// Whether the client sees that the response ends, if nothing follows.
fn ends_with_its_bytes(setting: Setting, cut: Cut, layout: &Layout) -> bool {
    let complete = cut.side == Side::Service && cut.position >= layout.service;
    complete && (setting.answer != Answer::UntilClose || setting.way.is_tls())
}
