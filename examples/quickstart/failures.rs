//! A failure of each outcome: what the library reports, and what the service really received.

use std::net::TcpStream;

use abi::{Client, Reply, create_order};
use sandbox::Sandbox;

use crate::output::{get, named, object, show, step, succeeded};
use crate::payment::order;

pub fn one_of_each_outcome(client: &Client, sandbox: &Sandbox) {
    println!("\nAnd when a call fails, its result says what happened to the order");

    let broken = order("BASKET-18", "0.50", "cash", "Two coffees");
    let reply = create_order(client.key(), &broken, None);
    failed("NOT SENT: an order that breaks the rules", &reply, 4);
    arrived(sandbox, "BASKET-18", 0);

    let good = order("BASKET-19", "120", "upi", "One tea");
    // While this end of a connection is open, no program can listen at its address.
    let address = sandbox.base_url().replace("http://", "");
    let connection = TcpStream::connect(address).expect("the sandbox listens");
    let unused = connection.local_addr().expect("an address");
    let elsewhere = crate::client(&format!("http://{unused}"));
    let reply = create_order(elsewhere.key(), &good, None);
    drop(connection);
    failed(
        "NOT SENT: nobody listens at the service's address",
        &reply,
        6,
    );
    arrived(sandbox, "BASKET-19", 0);

    let options = object(&[["accessToken", "last-year-s-token"]]);
    let reply = create_order(client.key(), &good, Some(&options));
    failed("REJECTED: a wrong access token", &reply, 101);
    arrived(sandbox, "BASKET-19", 1);

    let cut_off = order(
        "BASKET-20",
        "120",
        "upi",
        "One tea sandbox:drop-after-commit",
    );
    let reply = create_order(client.key(), &cut_off, None);
    failed(
        "UNKNOWN: the connection breaks after the request",
        &reply,
        201,
    );
    arrived(sandbox, "BASKET-20", 1);

    step(
        "   and what settles it: the error's own statusQuery",
        "payorder_get_status",
    );
    let query = get(&reply, "/error/statusQuery");
    show("query", &query);
    let status = abi::get_status(client.key(), &query, None);
    let state = get(&status, "/data/transactionStatus");
    succeeded(&status, &format!("transactionStatus: {state}"));
    assert_eq!(state, "Pending");
    show("so", "the order exists: it must not be sent a second time");
}

fn failed(what: &str, reply: &Reply, result: i32) {
    assert_eq!(reply.code, result, "{}", reply.text());
    step(&format!("   {what}"), &named(reply));
    show("message", reply.message());
}

/// Compares what the library reported with what the sandbox knows.
fn arrived(sandbox: &Sandbox, order_id: &str, times: usize) {
    let mut requests = sandbox.exchanges();
    requests.retain(|one| one["step"] == "create" && one["orderId"] == order_id);
    assert_eq!(requests.len(), times, "requests for {order_id}");
    let is_created = requests.iter().any(|one| one["created"] == true);
    let arrived = ["never arrived", "arrived once"][times];
    let made = ["no order was created", "the order was created"][usize::from(is_created)];
    show("sandbox", &format!("{order_id} {arrived}, {made}"));
}
