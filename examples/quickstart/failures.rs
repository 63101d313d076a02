//! A failure of each outcome: what the library reports, and what the service really received.

use std::net::TcpStream;

use abi::{Client, Reply, create_order};
use sandbox::Sandbox;

use crate::output::{ensure, ensure_ok, get, json, line, named, object, result, step, words};
use crate::payment::order;

const RETURN_URL: &str = "https://shop.example/thanks";

pub fn one_of_each_outcome(client: &Client, sandbox: &Sandbox) -> Result<(), String> {
    line("");
    line("And when a call fails, its result says what happened to the order");

    let broken = order("BASKET-18", "0.50", "cash", "Two coffees", RETURN_URL);
    let reply = create_order(client.key(), &broken, None);
    show(
        "NOT SENT: an order that breaks the rules",
        &reply,
        "not_sent",
        "PAYORDER_INVALID_REQUEST",
    )?;
    arrived(sandbox, "BASKET-18", 0)?;

    let good = order("BASKET-19", "120", "upi", "One tea", RETURN_URL);
    let (connection, base_url) = unused_port(sandbox)?;
    let elsewhere = crate::client(&base_url)?;
    let reply = create_order(elsewhere.key(), &good, None);
    drop(connection);
    show(
        "NOT SENT: nobody listens at the service's address",
        &reply,
        "not_sent",
        "PAYORDER_CONNECT_FAILED",
    )?;
    arrived(sandbox, "BASKET-19", 0)?;

    let options = object(&[["accessToken", "last-year-s-token"]]);
    let reply = create_order(client.key(), &good, Some(&options));
    show(
        "REJECTED: a wrong access token",
        &reply,
        "rejected",
        "PAYORDER_UNAUTHORIZED",
    )?;
    arrived(sandbox, "BASKET-19", 1)?;

    let cut_off = order(
        "BASKET-20",
        "120",
        "upi",
        "One tea sandbox:drop-after-commit",
        RETURN_URL,
    );
    let reply = create_order(client.key(), &cut_off, None);
    show(
        "UNKNOWN: the connection breaks after the request",
        &reply,
        "unknown",
        "PAYORDER_CONNECTION_LOST",
    )?;
    arrived(sandbox, "BASKET-20", 1)?;

    let query = get(&reply, "/error/statusQuery");
    let status = abi::get_status(client.key(), &query, None);
    ensure_ok(&status)?;
    step(
        "   and what settles it: the error's own statusQuery",
        "payorder_get_status",
    );
    json("query", &query);
    let state = get(&status, "/data/transactionStatus");
    result(&status, &format!("transactionStatus: {state}"));
    ensure(state == "Pending", || {
        format!("the order should be Pending, and is {state}")
    })?;
    words(
        "so",
        &format!("the order was created, and is {state}: it must not be sent a second time"),
    );
    Ok(())
}

fn show(what: &str, reply: &Reply, outcome: &str, name: &str) -> Result<(), String> {
    let as_promised = reply.error()["outcome"] == outcome && reply.error()["name"] == name;
    ensure(as_promised, || {
        format!(
            "{name} ({outcome}) was expected, and {} came: {}",
            named(reply),
            reply.text()
        )
    })?;
    step(&format!("   {what}"), &named(reply));
    words("message", reply.message());
    Ok(())
}

/// Compares what the library reported with what the sandbox knows.
fn arrived(sandbox: &Sandbox, order_id: &str, expected: u32) -> Result<(), String> {
    let records = sandbox.orders();
    let record = records.iter().find(|record| record.order_id == order_id);
    let requests = record.map_or(0, |record| record.create_requests);
    ensure(requests == expected, || {
        format!("{order_id} should have arrived {expected} times, not {requests}")
    })?;
    let arrived = if requests == 1 {
        "arrived once"
    } else {
        "never arrived"
    };
    let made = if record.is_some_and(|record| record.checkout_url.is_some()) {
        "the order was created"
    } else {
        "no order was created"
    };
    words("sandbox", &format!("{order_id} {arrived}, {made}"));
    Ok(())
}

/// This end of a connection to the sandbox. While it is open, no program can listen at its address.
fn unused_port(sandbox: &Sandbox) -> Result<(TcpStream, String), String> {
    let no_connection = |error| format!("no connection to the sandbox: {error}");
    let connection = TcpStream::connect(sandbox.base_url().trim_start_matches("http://"))
        .map_err(no_connection)?;
    let address = connection.local_addr().map_err(no_connection)?;
    Ok((connection, format!("http://{address}")))
}
