//! What goes wrong on the wire: name lookups, connects, proxies, handshakes and responses.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use crate::case::Case;
use crate::table;
use support::abi::{Client, Reply, cancel};
use support::certificates::Certificates;
use support::log::Log;
use support::orders::{config, order, query};
use support::responses::{completed, http};
use support::service::{Service, respond, stall};
use support::trial::Trial;

pub type Operation = fn(&Client) -> Reply;

pub const OPERATIONS: [Operation; 2] = [
    |client| client.create(&order()),
    |client| client.status(&query()),
];

/// A case for each way and each operation of a wire fault whose cause is promised.
fn wire_faults() -> Vec<Case> {
    use support::trial::Operation;
    static CERTIFICATES: LazyLock<Arc<Certificates>> =
        LazyLock::new(|| Arc::new(Certificates::new()));
    let rows = table::all("http://127.0.0.1:9/").concat();
    let mut cases = Vec::new();
    for row in rows {
        let (Some(cause), [result]) = (row.cause, &row.calls[0].results[..]) else {
            continue;
        };
        let (result, row) = (*result, row.with("createRetries", 0));
        for way in row.ways {
            let operations = [Operation::CreateOrder, Operation::GetStatus];
            for operation in &operations[..if row.create_only { 1 } else { 2 }] {
                let (row, operation) = (row.clone(), *operation);
                let what = format!("{}, {way:?}, {operation:?}", row.name);
                let mut case = Case::new(cause, result, what, move || {
                    let trial = Trial::of(&row, *way, operation, &CERTIFICATES, 1);
                    trial.calls[0].reply.clone()
                });
                // These certificates are years too old or too young.
                let dated = ["certificate_expired", "certificate_not_yet_valid"];
                case.clock_is_wrong = dated.contains(&cause);
                cases.push(case);
            }
        }
    }
    cases
}

/// Cancelled before and after the request was sent.
fn cancelled(operation: Operation) -> [Case; 2] {
    let before = Case::new("cancelled", 8, "before it was sent", move || {
        let service = Service::start([stall()]);
        let client = Client::new(&config(&service.url()));
        let key = client.key();
        Log::reacting(&client, move |event| {
            if event["event"] == "attempt_started" {
                assert_eq!(cancel(key), 0);
            }
        });
        operation(&client)
    });
    let after = Case::new("cancelled", 204, "after it was sent", move || {
        let service = Service::start([stall()]);
        let client = Client::new(&config(&service.url()));
        std::thread::scope(|scope| {
            let call = scope.spawn(|| operation(&client));
            service.wait_for_requests(1);
            std::thread::sleep(Duration::from_millis(20));
            client.cancel();
            call.join().unwrap()
        })
    });
    [before, after]
}

pub fn cases() -> Vec<Case> {
    let another = Case::new("another_order", 202, "another order's status", || {
        let service = Service::start([respond(completed("ANOTHER"))]);
        Client::new(&config(&service.url())).status(&query())
    });
    let exists = Case::new("order_exists", 203, "HTTP 409", || {
        let service = Service::start([respond(http(409, ""))]);
        Client::new(&config(&service.url())).create(&order())
    });
    let cancelled = OPERATIONS.into_iter().flat_map(cancelled);
    let others = cancelled.chain([another, exists]);
    wire_faults().into_iter().chain(others).collect()
}
