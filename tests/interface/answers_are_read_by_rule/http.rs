//! HTTP itself: interim responses, redirects, the limits of a head, and framing.

use super::{BAD_RESPONSE, CONNECTION_LOST, OK, SERVICE_FAILED};
use support::abi::Client;
use support::orders::{config, order, query};
use support::responses::{completed, created, created_body, http, http_with};
use support::rows::Rows;
use support::service::{Reaction, Service};

#[test]
fn an_interim_response_is_final_only_if_nothing_follows() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    let interim = |heads: &str, then: &[u8]| [heads.as_bytes(), then].concat();
    for heads in [
        "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 102 Processing\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n",
    ] {
        service.set_script([Reaction::Respond(interim(heads, &created()))]);
        rows.same(
            &format!("{heads:?} and a response"),
            client.create(&order()).code,
            OK,
        );
        service.set_script([Reaction::Respond(interim(heads, &http(503, "")))]);
        rows.same(
            &format!("{heads:?} and a failure"),
            client.create(&order()).code,
            SERVICE_FAILED,
        );
        service.set_script([Reaction::RespondThenClose(heads.into())]);
        let reply = client.create(&order());
        let right = [CONNECTION_LOST, BAD_RESPONSE].contains(&reply.code);
        rows.that(
            &format!("{heads:?} and the end of the connection"),
            right,
            || reply.text().to_owned(),
        );
    }
    let switching = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n";
    service.set_script([Reaction::RespondThenClose(switching.into())]);
    rows.same("101", client.create(&order()).code, BAD_RESPONSE);
    rows.end();
}

#[test]
fn a_redirect_is_not_followed_and_nothing_is_sent_to_its_target() {
    let elsewhere = Service::responding(created());
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    for status in [301, 302, 303, 307, 308] {
        for location in [
            elsewhere.url(),
            format!("{}/again", service.url()),
            "/again".into(),
        ] {
            service.set_script([Reaction::Respond(http_with(
                status,
                &[("Location", &location)],
                "",
            ))]);
            let before = service.request_count();
            rows.same(
                &format!("{status} {location}"),
                client.create(&order()).code,
                BAD_RESPONSE,
            );
            rows.same(
                &format!("{status} {location}"),
                client.status(&query()).code,
                BAD_RESPONSE,
            );
            rows.same("one request per call", service.request_count() - before, 2);
        }
    }
    rows.end();
    assert_eq!(elsewhere.connections(), 0);
}

#[test]
fn the_limits_of_a_head_are_64_kib_and_128_headers() {
    let body = created_body().to_string();
    let length = format!("Content-Length: {}\r\n", body.len());
    let sized = |size: usize| {
        let (line, rest) = ("HTTP/1.1 200 OK\r\n", format!("{length}\r\n"));
        let filler = size - line.len() - rest.len() - "X: \r\n".len();
        let head = format!("{line}X: {}\r\n{rest}", "y".repeat(filler));
        assert_eq!(head.len(), size);
        head
    };
    let counted = |count: usize| {
        let others = "X: y\r\n".repeat(count - 1);
        format!("HTTP/1.1 200 OK\r\n{others}{length}\r\n")
    };
    let mut rows = Rows::new();
    for (row, head, expected) in [
        ("a head of 64 KiB", sized(65536), OK),
        ("a head of 64 KiB and one byte", sized(65537), BAD_RESPONSE),
        ("128 headers", counted(128), OK),
        ("129 headers", counted(129), BAD_RESPONSE),
    ] {
        let response = format!("{head}{body}").into_bytes();
        let half = head.len() / 2;
        let at_once = Reaction::Respond(response.clone());
        let head_alone = Reaction::RespondInParts(vec![
            response[..half].to_vec(),
            response[half..head.len()].to_vec(),
            response[head.len()..].to_vec(),
        ]);
        for (way, reaction) in [("at once", at_once), ("in parts", head_alone)] {
            let service = Service::start([reaction]);
            let reply = Client::new(&config(&service.url())).create(&order());
            rows.that(&format!("{row}, {way}"), reply.code == expected, || {
                reply.text().to_owned()
            });
        }
    }
    rows.end();
}

#[test]
fn a_response_may_use_every_framing_of_http() {
    let service = Service::start([Reaction::Stall]);
    let body = String::from_utf8(completed("ORDER-1001")).unwrap();
    let body = body.split("\r\n\r\n").nth(1).unwrap().to_owned();
    let (one, two) = body.split_at(20);
    let forms = [
        (
            "chunked",
            format!(
                "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n{:x}\r\n{one}\r\n{:x};a=b\r\n{two}\r\n0\r\nX: y\r\n\r\n",
                one.len(),
                two.len()
            ),
        ),
        (
            "HTTP/1.0 until close",
            format!("HTTP/1.0 200 OK\r\n\r\n{body}"),
        ),
        (
            "no reason phrase",
            format!(
                "HTTP/1.1 200 \r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        ),
        (
            "no content type",
            format!(
                "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        ),
        (
            "called HTML",
            format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: {}\r\n\r\n{body}",
                body.len()
            ),
        ),
        (
            "many headers",
            format!(
                "HTTP/1.1 200 OK\r\n{}Content-Length: {}\r\n\r\n{body}",
                "X-Trace: abcdefghijklmnop\r\n".repeat(60),
                body.len()
            ),
        ),
    ];
    let mut rows = Rows::new();
    for (form, response) in forms {
        service.set_script([Reaction::RespondThenClose(response.into())]);
        let reply = Client::new(&config(&service.url())).status(&query());
        rows.that(form, reply.code == OK, || reply.text().to_owned());
    }
    rows.end();
}
