//! Every failure is one object that says what happened, in which call, and what to do next.

use serde_json::{Value, json};
use support::abi::{self, Client, Reply, build_get_status, result_name};
use support::orders::{config, order, order_named, query, with, without};
use support::responses::{completed, created, http, http_with};
use support::rows::Rows;
use support::service::{Reaction, Service, refusing_url};
use support::tls::{Authority, Folder, serving};

fn outcome(code: i32) -> &'static str {
    match code {
        1..=99 => "not_sent",
        100..=199 => "rejected",
        _ => "unknown",
    }
}

fn check_required_keys(rows: &mut Rows, row: &str, reply: &Reply) {
    let error = reply.error();
    rows.same(row, &error["result"], &json!(reply.code));
    rows.same(row, &error["name"], &json!(result_name(reply.code)));
    rows.same(row, &error["outcome"], &json!(outcome(reply.code)));
    rows.that(row, reply.message().len() > 10, || {
        format!("a message, not {:?}", reply.message())
    });
    let alone = reply
        .json
        .as_object()
        .is_some_and(|object| object.len() == 1);
    rows.that(row, alone, || {
        format!("`error` alone, not {}", reply.text())
    });
}

#[test]
fn result_name_outcome_and_message_are_always_there() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    let bodies = [(400, 100), (401, 101), (429, 102), (200, 202), (503, 203)];
    for (status, code) in bodies {
        service.set_script([Reaction::Respond(http(status, "{}"))]);
        for reply in [client.create(&order()), client.status(&query())] {
            rows.same(&status.to_string(), reply.code, code);
            check_required_keys(&mut rows, &status.to_string(), &reply);
        }
    }
    service.set_script([Reaction::Close]);
    check_required_keys(&mut rows, "closed", &client.create(&order()));
    service.set_script([Reaction::Stall]);
    let quick = json!({"timeoutMs": 200});
    check_required_keys(
        &mut rows,
        "timed out",
        &client.create_with(&order(), &quick),
    );
    let refused = Client::new(&config(&refusing_url()));
    check_required_keys(&mut rows, "refused", &refused.create(&order()));
    check_required_keys(&mut rows, "an invalid request", &client.create(&json!({})));
    check_required_keys(
        &mut rows,
        "no JSON",
        &abi::create_order(client.key(), "x", None),
    );
    check_required_keys(
        &mut rows,
        "broken options",
        &client.create_with(&order(), &json!({"x": 1})),
    );
    check_required_keys(
        &mut rows,
        "no handle",
        &abi::create_order(0, &order().to_string(), None),
    );
    let keyless = Client::new(&without(&config(&service.url()), "accessToken"));
    check_required_keys(&mut rows, "no credentials", &keyless.create(&order()));
    check_required_keys(
        &mut rows,
        "an invalid config",
        &Client::try_new(&json!({})).err().unwrap(),
    );
    check_required_keys(
        &mut rows,
        "a config that is not an object",
        &Client::try_from_text("x").err().unwrap(),
    );
    check_required_keys(
        &mut rows,
        "a return URL",
        &abi::parse_return_url("https://shop/"),
    );
    check_required_keys(
        &mut rows,
        "an expected payment",
        &abi::verify_payment("{}", "{}"),
    );
    check_required_keys(&mut rows, "a pointer", &abi::json_get("{}", "/a"));
    check_required_keys(
        &mut rows,
        "a key without a value",
        &abi::json_object(&["a"]),
    );
    rows.end();
}

#[test]
fn a_failed_response_is_in_the_error() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let body = json!({"responseCode": "422", "responseMessage": "Duplicate orderId"}).to_string();
    service.set_script([Reaction::Respond(http_with(
        429,
        &[("Retry-After", "7")],
        &body,
    ))]);
    for (operation, reply) in [
        ("create_order", client.create(&order())),
        ("get_status", client.status(&query())),
    ] {
        let error = reply.error();
        assert_eq!(error["operation"], operation);
        assert_eq!(error["attempts"], 1);
        assert!(
            error["elapsedMs"].as_u64().is_some_and(|ms| ms < 20_000),
            "{error}"
        );
        assert_eq!(error["httpStatus"], 429);
        assert_eq!(error["responseCode"], "422");
        assert_eq!(error["responseMessage"], "Duplicate orderId");
        assert!(reply.message().contains("Duplicate orderId"), "{error}");
        assert_eq!(error["retryAfterMs"], 7000);
    }
    service.set_script([Reaction::Respond(http(
        200,
        "{\"responseCode\":500,\"responseMessage\":\"Busy\"}",
    ))]);
    let reply = client.create(&order());
    assert_eq!(reply.error()["httpStatus"], 200);
    assert_eq!(reply.error()["responseCode"], "500");
    assert_eq!(reply.error()["responseMessage"], "Busy");
}

#[test]
fn an_error_without_a_response_has_no_response_fields() {
    let service = Service::start([Reaction::Close]);
    let reply = Client::new(&config(&service.url())).create(&order());
    for key in [
        "httpStatus",
        "responseCode",
        "responseMessage",
        "retryAfterMs",
        "violations",
    ] {
        assert!(
            reply.error().get(key).is_none_or(Value::is_null),
            "{key} in {}",
            reply.text()
        );
    }
    assert_eq!(reply.error()["attempts"], 1);
    assert_eq!(reply.error()["operation"], "create_order");
}

#[test]
fn every_unknown_outcome_of_create_order_says_what_to_ask() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let odd = "O \"é\"\\\u{1} 客";
    let asks = json!({"searchType": "1", "orderId": odd});
    // `wire_faults` checks this for each fault of a connection.
    let reactions = [
        ("closed", Reaction::Close),
        ("500", Reaction::Respond(http(500, ""))),
        (
            "no url",
            Reaction::Respond(http(200, "{\"responseCode\":\"200\"}")),
        ),
    ];
    let mut rows = Rows::new();
    for (row, reaction) in reactions {
        service.set_script([reaction]);
        let reply = client.create_with(&order_named(odd), &json!({"timeoutMs": 400}));
        rows.same(row, outcome(reply.code), "unknown");
        rows.same(row, &reply.error()["action"], &json!("ask_status"));
        rows.same(row, &reply.error()["statusQuery"], &asks);
    }
    rows.end();
    assert_eq!(build_get_status(&asks.to_string()).code, 0);
    service.set_script([Reaction::Respond(completed(""))]);
    client.status(&asks).done();
}

#[test]
fn a_message_names_the_host_that_did_not_respond() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let timed_out = client.create_with(&order(), &json!({"timeoutMs": 300}));
    assert_eq!(timed_out.code, 200, "{}", timed_out.text());
    let refused = Client::new(&config(&refusing_url())).create(&order());
    for reply in [timed_out, refused] {
        assert!(reply.message().contains("127.0.0.1"), "{}", reply.message());
    }
}

/// The system's own words are in its user's language, and end in a full stop or a number.
#[test]
fn a_message_describes_an_error_of_the_system_in_its_own_words() {
    let client = Client::new(&config(&refusing_url()));
    let reply = client.create(&order());
    let words = ": connection refused; nothing was sent";
    assert!(reply.message().ends_with(words), "{}", reply.message());
}

#[test]
fn the_end_of_a_message_says_whether_the_order_may_exist() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let secure = Client::new(&config(&service.url().replace("http://", "https://")));
    let refused = Client::new(&config(&refusing_url()));
    const NOT_SENT: &str = "; nothing was sent";
    const ASK_FIRST: &str = "; the order may exist: ask Get Status by order id before trying again";
    const ASK_AGAIN: &str = "; it is safe to ask for the status again";
    let quick = json!({"timeoutMs": 400});
    let half = created()[..40].to_vec();
    let reactions = [
        ("no listener", None, NOT_SENT, NOT_SENT),
        ("closed", Some(Reaction::Close), ASK_FIRST, ASK_AGAIN),
        ("reset", Some(Reaction::Reset), ASK_FIRST, ASK_AGAIN),
        ("silence", Some(Reaction::Stall), ASK_FIRST, ASK_AGAIN),
        (
            "half a response",
            Some(Reaction::RespondThenClose(half)),
            ASK_FIRST,
            ASK_AGAIN,
        ),
        (
            "not HTTP",
            Some(Reaction::RespondThenClose(b"what?\r\n\r\n".to_vec())),
            ASK_FIRST,
            ASK_AGAIN,
        ),
        (
            "503",
            Some(Reaction::Respond(http(503, ""))),
            ASK_FIRST,
            ASK_AGAIN,
        ),
        (
            "no checkout URL, and another order's status",
            Some(Reaction::Respond(http(
                200,
                "{\"responseCode\":\"200\",\"data\":{\"orderId\":\"OTHER\"}}",
            ))),
            ASK_FIRST,
            ASK_AGAIN,
        ),
    ];
    let mut rows = Rows::new();
    let mut ends = |row: &str, reply: Reply, end: &str| {
        rows.that(row, reply.message().ends_with(end), || {
            reply.message().to_owned()
        });
        rows.that(
            row,
            reply.message().contains("nothing was sent") == (outcome(reply.code) == "not_sent"),
            || reply.text().to_owned(),
        );
    };
    for (row, reaction, create, status) in reactions {
        let client = match reaction {
            Some(reaction) => {
                service.set_script([reaction]);
                &client
            }
            None => &refused,
        };
        ends(row, client.create_with(&order(), &quick), create);
        ends(row, client.status_with(&query(), &quick), status);
    }
    service.set_script([Reaction::CloseUnread]);
    ends(
        "a handshake that fails",
        secure.create_with(&order(), &quick),
        NOT_SENT,
    );
    rows.end();
}

#[test]
fn a_certificate_far_from_this_machines_clock_is_the_clocks_fault() {
    let (folder, authority) = (Folder::new(), Authority::new());
    let ca_file = folder.file("ca.pem", authority.pem());
    for (identity, cause, action) in [
        (
            authority.expired_identity_for("localhost"),
            "certificate_expired",
            "check_clock",
        ),
        (
            authority.identity_for("pay.example.com"),
            "certificate_wrong_host",
            "check_network",
        ),
    ] {
        let service = Service::start_tls(serving(identity), [Reaction::Stall]);
        let config = with(&config(&service.url()), "tls", json!({"caFile": ca_file}));
        let reply = Client::new(&config).create(&order());
        assert_eq!(reply.error()["cause"], cause, "{}", reply.text());
        assert_eq!(reply.error()["action"], action, "{}", reply.text());
    }
}

#[test]
fn no_error_repeats_the_customers_data() {
    let service = Service::start([Reaction::Stall]);
    let client = Client::new(&config(&service.url()));
    let personal = ["Asha", "Verma", "9876543210", "asha@example.com"];
    let mut replies = Vec::new();
    for reaction in [
        Reaction::Close,
        Reaction::Respond(http(500, "")),
        Reaction::Respond(http(400, "{}")),
    ] {
        service.set_script([reaction]);
        replies.push(client.create(&order()));
    }
    let broken = with(&order(), "customerMobile", json!(["9876543210"]));
    replies.push(client.create(&broken));
    let duplicate = order()
        .to_string()
        .replacen('{', "{\"customerName\":\"Asha\",", 1);
    replies.push(abi::create_order(client.key(), &duplicate, None));
    let mut rows = Rows::new();
    for reply in replies {
        for text in personal {
            rows.that(text, !reply.text().contains(text), || {
                reply.text().to_owned()
            });
        }
    }
    rows.end();
}
