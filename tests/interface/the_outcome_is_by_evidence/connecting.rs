//! Connections that cannot be made: refused, not resolved, not trusted, or failed in the handshake.

use super::{CONNECT_FAILED, TLS_FAILED, eager, is_not_sent};
use serde_json::json;
use std::time::{Duration, Instant};
use support::abi::Client;
use support::full_queue::FullQueue;
use support::orders::{config, order, query, with};
use support::responses::{created, http};
use support::rows::Rows;
use support::service::{Reaction, Service, refusing_url};
use support::tls::{Authority, Folder, serving};

#[test]
fn a_failed_connect_is_not_sent() {
    let mut rows = Rows::new();
    let unresolved = "http://name.invalid";
    let places = [
        ("refused", refusing_url(), false),
        (
            "refused, by name",
            refusing_url().replace("127.0.0.1", "localhost"),
            false,
        ),
        ("no such name", unresolved.to_owned(), true),
        (
            "no such name, https",
            "https://name.invalid/pay".to_owned(),
            true,
        ),
    ];
    for (row, url, insecure) in places {
        let client = Client::new(&with(&eager(&url), "allowInsecureHttp", insecure));
        for reply in [client.create(&order()), client.status(&query())] {
            rows.that(
                row,
                reply.code == CONNECT_FAILED && is_not_sent(&reply),
                || reply.text().to_owned(),
            );
        }
    }
    rows.end();
}

#[test]
fn a_connect_that_gets_no_reply_is_not_sent_and_ends_in_time() {
    let queue = FullQueue::start();
    let mut rows = Rows::new();
    for (row, timeout, connect_timeout) in [
        ("connectTimeoutMs", 20_000, 600),
        ("timeoutMs", 600, 20_000),
    ] {
        let mut slow = config(&queue.url());
        slow["timeoutMs"] = json!(timeout);
        slow["connectTimeoutMs"] = json!(connect_timeout);
        let client = Client::new(&slow);
        for reply in [client.create(&order()), client.status(&query())] {
            rows.that(row, reply.code == CONNECT_FAILED, || {
                reply.text().to_owned()
            });
            let elapsed = reply.error()["elapsedMs"].as_u64().unwrap_or(0);
            rows.that(row, (500..6000).contains(&elapsed), || {
                format!("{elapsed} ms")
            });
        }
    }
    rows.end();
}

#[test]
fn a_certificate_that_does_not_hold_means_not_sent() {
    let (folder, authority, stranger) = (Folder::new(), Authority::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    let mut rows = Rows::new();
    let identities = [
        (
            "of an unknown authority",
            stranger.identity_for("localhost"),
        ),
        ("expired", authority.expired_identity_for("localhost")),
        (
            "for another host",
            authority.identity_for("pay.example.com"),
        ),
        (
            "for an address, not the name",
            authority.identity_for("127.0.0.1"),
        ),
    ];
    for (row, identity) in identities {
        let service = Service::start_tls(serving(identity), [Reaction::Respond(created())]);
        let client = Client::new(&with(
            &eager(&service.url()),
            "tls",
            json!({"caFile": ca_file}),
        ));
        for reply in [client.create(&order()), client.status(&query())] {
            rows.that(row, reply.code == TLS_FAILED && is_not_sent(&reply), || {
                reply.text().to_owned()
            });
        }
        rows.same(row, service.bytes(), 0);
    }
    rows.end();
}

#[test]
fn a_handshake_that_fails_means_not_sent() {
    let mut rows = Rows::new();
    let reactions: [(&str, Reaction, &[i32]); 6] = [
        (
            "plain HTTP on an https URL",
            Reaction::RespondUnread(http(400, "<html>")),
            &[TLS_FAILED],
        ),
        (
            "noise",
            Reaction::RespondUnread(vec![7; 500]),
            &[TLS_FAILED],
        ),
        (
            "a fatal alert",
            Reaction::RespondUnread(vec![21, 3, 3, 0, 2, 2, 40]),
            &[TLS_FAILED],
        ),
        ("closed", Reaction::CloseUnread, &[TLS_FAILED]),
        (
            "reset",
            Reaction::ResetUnread,
            &[TLS_FAILED, CONNECT_FAILED],
        ),
        (
            "stalled",
            Reaction::StallUnread,
            &[TLS_FAILED, CONNECT_FAILED],
        ),
    ];
    for (row, reaction, codes) in reactions {
        let service = Service::start([reaction]);
        let url = service.url().replace("http://", "https://");
        let client = Client::new(&with(&eager(&url), "connectTimeoutMs", 700));
        for reply in [client.create(&order()), client.status(&query())] {
            rows.that(
                row,
                codes.contains(&reply.code) && is_not_sent(&reply),
                || reply.text().to_owned(),
            );
        }
        rows.same(row, service.request_count(), 0);
    }
    rows.end();
}

#[test]
fn an_https_call_to_a_listener_that_hangs_up_in_the_handshake_sends_nothing_at_the_deadline() {
    let service = Service::start([Reaction::StallUnread]);
    let url = service.url().replace("http://", "https://");
    let began = Instant::now();
    let reply = Client::new(&with(&eager(&url), "timeoutMs", 700)).create(&order());
    assert!(is_not_sent(&reply), "{}", reply.text());
    assert!(
        began.elapsed() < Duration::from_secs(5),
        "{:?}",
        began.elapsed()
    );
}
