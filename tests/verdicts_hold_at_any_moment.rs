//! However short the time and wherever a call is cut off, its verdict fits what the service saw,
//! order by order.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::thread;
use std::time::{Duration, Instant};
use support::abi::{Client, Reply};
use support::orders::{config, order_named, raw_at, with};
use support::responses::{completed, created};
use support::rows::Rows;
use support::service::{Reaction, Service};
use support::tls::{Authority, Folder, serving};

/// How often each order arrived.
fn arrivals(service: &Service) -> HashMap<String, usize> {
    let mut arrivals = HashMap::new();
    for request in service.requests() {
        let quoted = raw_at(&request.body, &["orderId"]).expect("an orderId");
        *arrivals.entry(quoted.replace('"', "")).or_default() += 1;
    }
    arrivals
}

/// Holds the replies, by order, against what arrived.
fn hold(rows: &mut Rows, service: &Service, replies: &[(String, Reply)]) {
    // What was written just before a call was cut off may still be on its way.
    thread::sleep(Duration::from_millis(300));
    let arrivals = arrivals(service);
    for (order_id, reply) in replies {
        let times = arrivals.get(order_id).copied().unwrap_or(0);
        let fits = match reply.code {
            0 => times == 1,
            1..=99 => times == 0,
            _ => times <= 1,
        };
        rows.that(order_id, fits, || {
            format!("arrived {times} times: {}", reply.text())
        });
        let expected = [0, 6, 7, 8, 200, 201, 204].contains(&reply.code);
        rows.that(order_id, expected, || reply.text().to_owned());
    }
}

/// A plain and a TLS service, with a config for each.
fn services(reaction: &Reaction) -> (Vec<(Service, Value)>, Folder) {
    let (folder, authority) = (Folder::new(), Authority::new());
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    let services = [
        Service::start([reaction.clone()]),
        Service::start_tls(
            serving(authority.identity_for("localhost")),
            [reaction.clone()],
        ),
    ];
    let with_config = |service: Service| {
        let config = with(&config(&service.url()), "tls", tls.clone());
        (service, with(&config, "createRetries", 3))
    };
    (services.into_iter().map(with_config).collect(), folder)
}

#[test]
fn with_hardly_any_time() {
    let mut rows = Rows::new();
    let (services, _folder) =
        services(&Reaction::RespondAfter(Duration::from_millis(3), created()));
    for (service, config) in &services {
        for kept in [0, 60_000] {
            let client = Client::new(&with(config, "maxIdleMs", kept));
            let mut replies = Vec::new();
            for number in 0..60 {
                let order_id = format!("O-{kept}-{number}");
                let options = json!({"timeoutMs": 1 + number % 12});
                let reply = client.create_with(&order_named(&order_id), &options);
                replies.push((order_id, reply));
            }
            hold(&mut rows, service, &replies);
        }
    }
    rows.end();
}

#[test]
fn cancelled_at_any_moment() {
    let mut rows = Rows::new();
    let (services, _folder) =
        services(&Reaction::RespondAfter(Duration::from_millis(2), created()));
    for (service, config) in &services {
        for kept in [0, 60_000] {
            let client = Client::new(&with(config, "maxIdleMs", kept));
            let mut replies = Vec::new();
            for number in 0..100u64 {
                let order_id = format!("O-{kept}-{number}");
                let reply = thread::scope(|scope| {
                    let call = scope.spawn(|| client.create(&order_named(&order_id)));
                    let until = Instant::now() + Duration::from_micros(number * 50);
                    while Instant::now() < until {
                        std::hint::spin_loop();
                    }
                    assert_eq!(client.cancel(), 0);
                    call.join().unwrap()
                });
                replies.push((order_id, reply));
            }
            hold(&mut rows, service, &replies);
        }
    }
    rows.end();
}

#[test]
fn while_the_service_closes_kept_connections() {
    let mut rows = Rows::new();
    let (services, _folder) = services(&Reaction::Stall);
    for (service, config) in &services {
        let client = Client::new(config);
        let mut replies = Vec::new();
        for number in 0..60u64 {
            // It answers and hangs up a moment later, while the next order may be leaving.
            service.set_script([if number % 2 == 0 {
                Reaction::RespondThenClose(created())
            } else {
                Reaction::RespondThenCut(created())
            }]);
            let order_id = format!("O-{number}");
            let reply = client.create(&order_named(&order_id));
            replies.push((order_id, reply));
            thread::sleep(Duration::from_micros(number * 20));
        }
        hold(&mut rows, service, &replies);
    }
    rows.end();
}

#[test]
fn an_endless_response_ends_at_the_deadline() {
    let endless =
        |head: &str, part: &str| [head.as_bytes(), part.repeat(200_000).as_bytes()].concat();
    let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    let responses = [
        (
            "interim responses",
            endless("", "HTTP/1.1 100 Continue\r\n\r\n"),
        ),
        ("a status line", endless("HTTP/1.1 200 ", "OK")),
        ("a header", endless("HTTP/1.1 200 OK\r\nX: ", "y")),
        ("headers", endless("HTTP/1.1 200 OK\r\n", "X: y\r\n")),
        ("a chunk's size", endless(chunked, "0")),
        ("a chunk's extension", endless(chunked, "1;a")),
        (
            "trailers",
            endless(&format!("{chunked}2\r\n{{}}\r\n0\r\n"), "X: y\r\n"),
        ),
        ("line ends", endless("", "\r\n")),
        (
            "spaces",
            endless("HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n", "  "),
        ),
    ];
    let mut rows = Rows::new();
    for (row, response) in responses {
        let service = Service::start([Reaction::RespondThenStall(response)]);
        let client = Client::new(&with(&config(&service.url()), "timeoutMs", 1000));
        let began = Instant::now();
        let reply = client.create(&order_named("O-1"));
        rows.that(row, (200..=203).contains(&reply.code), || {
            reply.text().to_owned()
        });
        rows.that(row, began.elapsed() < Duration::from_secs(5), || {
            format!("{:?}", began.elapsed())
        });
        service.set_script([Reaction::Respond(completed(""))]);
        rows.same(
            &format!("{row}, and then a call"),
            client.status(&json!({"orderId": "O-1"})).code,
            0,
        );
    }
    rows.end();
}
