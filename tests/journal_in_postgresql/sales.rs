//! Sales of several tills: what each call said, what the service received, and what the journal
//! has. No order may be received twice, none may be missing in the journal, and no result may
//! contradict what happened.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use support::abi::{Client, Outcome, Reply};
use support::orders::with;
use support::patience::patience;
use support::postgres::{Database, PASSWORD};
use support::responses::{created, http, status_body};
use support::service::{Service, respond_after};
use support::shop::order;

use crate::journal_in;

/// The time limit of each call, in milliseconds.
pub const LIMIT: u64 = 3000;
/// What a call may take beyond its limit: it records the outcome, and the machine is busy.
const MARGIN: Duration = Duration::from_millis(2500);

pub struct Sales {
    pub service: Service,
    received: Arc<Mutex<HashMap<String, usize>>>,
    calls: Mutex<Vec<Call>>,
}

struct Call {
    order_id: String,
    reply: Reply,
    took: Duration,
}

impl Sales {
    pub fn new() -> Sales {
        let received = Arc::new(Mutex::new(HashMap::<String, usize>::new()));
        let known = Arc::clone(&received);
        let service = Service::deciding(move |query| {
            let mut known = known.lock().unwrap();
            let response = if query.is_order {
                *known.entry(query.order_id.clone()).or_default() += 1;
                created()
            } else if known.contains_key(&query.order_id) {
                let pending = json!({"transactionStatus": "Pending"});
                http(200, status_body(&query.order_id, &pending).to_string())
            } else {
                http(
                    404,
                    r#"{"responseCode":"404","responseMessage":"Not found"}"#,
                )
            };
            respond_after(Duration::ZERO, response)
        });
        Sales {
            service,
            received,
            calls: Mutex::default(),
        }
    }

    pub fn config(&self, database: &Database) -> Value {
        let config = with(
            &journal_in(database, &self.service.url()),
            "timeoutMs",
            LIMIT,
        );
        with(&config, "connectTimeoutMs", 2000)
    }

    pub fn client(&self, database: &Database) -> Client {
        Client::new(&self.config(database))
    }

    /// Creates an order, and remembers what the call said. Returns its result.
    pub fn create(&self, client: &Client, order_id: &str) -> i32 {
        let began = Instant::now();
        let reply = client.create(&order(order_id));
        let (code, took) = (reply.code, began.elapsed());
        let order_id = order_id.to_owned();
        self.calls.lock().unwrap().push(Call {
            order_id,
            reply,
            took,
        });
        code
    }

    /// Creates an order, which must be possible.
    #[track_caller]
    pub fn sell(&self, client: &Client, order_id: &str) {
        let code = self.create(client, order_id);
        let calls = self.calls.lock().unwrap();
        let of_it = calls.iter().rfind(|call| call.order_id == order_id);
        let said = of_it.map_or("", |call| call.reply.text()).to_owned();
        drop(calls);
        assert_eq!(code, 0, "{order_id}: {said}");
    }

    /// The service has these orders too.
    pub fn knows(&self, order_ids: impl Iterator<Item = String>) {
        let mut received = self.received.lock().unwrap();
        received.extend(order_ids.map(|order_id| (order_id, 1)));
    }

    /// How many orders the service has.
    pub fn received(&self) -> usize {
        self.received.lock().unwrap().len()
    }

    /// How many calls had each result.
    pub fn results(&self) -> BTreeMap<i32, usize> {
        let mut results = BTreeMap::new();
        for call in self.calls.lock().unwrap().iter() {
            *results.entry(call.reply.code).or_default() += 1;
        }
        results
    }

    /// What the calls with other results than these said.
    pub fn others(&self, expected: &[i32]) -> Vec<String> {
        let calls = self.calls.lock().unwrap();
        let others = calls
            .iter()
            .filter(|call| !expected.contains(&call.reply.code));
        others.map(|call| call.reply.text().to_owned()).collect()
    }

    /// Checks everything. `database` must work.
    #[track_caller]
    pub fn check(&self, database: &Database) {
        let wrong = self.violations(database);
        let count = wrong.len();
        assert!(
            wrong.is_empty(),
            "{count} violations:\n  {}",
            wrong.join("\n  ")
        );
    }

    fn violations(&self, database: &Database) -> Vec<String> {
        let rows = database.rows(&["SELECT order_id, state FROM payorder_orders"]);
        let mut states = HashMap::<&str, Vec<&str>>::new();
        for row in rows.as_array().expect("rows") {
            let [order_id, state] = [0, 1].map(|column| row[column].as_str().expect("a text"));
            states.entry(order_id).or_default().push(state);
        }
        let received = self.received.lock().unwrap();
        let mut wrong = Vec::new();
        let calls = self.calls.lock().unwrap();
        let mut said = HashMap::<&str, Vec<&Call>>::new();
        for call in calls.iter() {
            said.entry(&call.order_id).or_default().push(call);
            let limit = patience(Duration::from_millis(LIMIT) + MARGIN);
            for (holds, rule) in [
                (call.took < limit, "is late"),
                (!call.reply.text().contains(PASSWORD), "shows the password"),
            ] {
                if !holds {
                    let (took, text) = (call.took, call.reply.text());
                    wrong.push(format!("{} {rule}: {took:?}, {text}", call.order_id));
                }
            }
        }
        let named: Vec<&str> = states.keys().copied().collect();
        let known = received.keys().map(String::as_str).chain(named);
        let all: std::collections::BTreeSet<&str> = known.chain(said.keys().copied()).collect();
        for order_id in all {
            let sent = received.get(order_id).copied().unwrap_or(0);
            let states = states.get(order_id).map_or(&[][..], Vec::as_slice);
            let said = said.get(order_id).map_or(&[][..], Vec::as_slice);
            let has = |names: &[&str]| states.iter().any(|state| names.contains(state));
            let outcomes = |outcome| said.iter().any(|call| call.reply.outcome() == outcome);
            let may_exist = has(&["created", "unknown", "sending"]);
            for (holds, rule) in [
                (sent <= 1, "was received twice"),
                (
                    sent == 0 || may_exist,
                    "was received, and the journal denies it",
                ),
                (
                    sent == 1 || !has(&["created"]),
                    "is in the journal, and was not received",
                ),
                (
                    sent == 1 || !outcomes(Outcome::Done),
                    "was not received, and a call says it was",
                ),
                (
                    sent == 0
                        || said.is_empty()
                        || outcomes(Outcome::Done)
                        || outcomes(Outcome::Unknown),
                    "was received, and the calls say that it was not",
                ),
                (
                    said.is_empty() || sent == 0 || !states.is_empty(),
                    "is missing in the journal",
                ),
            ] {
                if !holds {
                    let said = said
                        .iter()
                        .map(|call| call.reply.text())
                        .collect::<Vec<_>>();
                    wrong.push(format!(
                        "{order_id} {rule}: received {sent} times, {states:?}, calls: {said:?}"
                    ));
                }
            }
        }
        wrong
    }

    /// Recovers on another machine. The entries have a deadline in the past.
    #[track_caller]
    pub fn recover(&self, database: &Database) {
        let overdue = "UPDATE payorder_orders SET deadline_ms = begun_ms WHERE state = 'sending'";
        database.sql(overdue);
        let client = self.client(database);
        let recovered = client.recover(None, &json!({})).done();
        let received = self.received.lock().unwrap();
        for sale in recovered["sales"].as_array().expect("sales") {
            let order_id = sale["orderId"].as_str().expect("an order");
            let expected: &[&str] = match received.contains_key(order_id) {
                true => &["payable", "url_lost"],
                false => &["unknown", "not_sent"],
            };
            let verdict = sale["verdict"].as_str().expect("a verdict");
            assert!(expected.contains(&verdict), "{sale}");
        }
    }
}
