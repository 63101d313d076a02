//! HTTP itself: redirects, and the limits of a head. `wire_faults` and `differential` have the rest.

use super::{BAD_RESPONSE, OK};
use support::abi::Client;
use support::orders::{config, order};
use support::responses::created_body;
use support::rows::Rows;
use support::service::{Service, Step, respond};

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
        let at_once = respond(response.clone());
        let head_alone = vec![
            Step::Request,
            Step::Send(response[..half].to_vec()),
            Step::Wait(20),
            Step::Send(response[half..head.len()].to_vec()),
            Step::Wait(20),
            Step::Send(response[head.len()..].to_vec()),
        ];
        for (way, reaction) in [("at once", at_once), ("in parts", head_alone)] {
            let service = Service::start([reaction]);
            let reply = Client::new(&config(&service.url())).create(&order());
            rows.code(&format!("{row}, {way}"), &reply, expected);
        }
    }
    rows.end();
}
