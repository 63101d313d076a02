//! A program can add headers for a gateway in front of the service. Their values are credentials.

use serde_json::{Value, json};
use support::abi::{self, Client};
use support::log::Log;
use support::orders::{config, order, query, with};
use support::responses::{completed, created, http_with};
use support::result::{INVALID_ARGUMENT, INVALID_CONFIG};
use support::rows::Rows;
use support::service::{Service, respond};

#[test]
fn both_calls_send_the_configurations_headers_and_the_options() {
    let service = Service::start([respond(created()), respond(completed("ORDER-1001"))]);
    let headers = json!({"X-Shop": "s 1", "traceparent": "of-the-client"});
    let client = Client::new(&with(&config(&service.url()), "headers", headers));
    let more = json!({"headers": {"TraceParent": "of-the-call", "x-till": "7"}});
    client.create_with(&order(), &more).done();
    client.status_with(&query(), &more).done();
    client.status(&query()).done();
    let sent = |name: &str| {
        let requests = service.requests().into_iter();
        let values = requests.map(|request| request.header(name).unwrap_or_default());
        values.collect::<Vec<_>>().join(", ")
    };
    assert_eq!(sent("x-shop"), "s 1, s 1, s 1");
    assert_eq!(
        sent("traceparent"),
        "of-the-call, of-the-call, of-the-client"
    );
    assert_eq!(sent("x-till"), "7, 7, ");
    assert_eq!(sent("content-type"), ["application/json"; 3].join(", "));
}

/// Objects that are no further headers. No error shows a value.
fn refused() -> Vec<Value> {
    let reserved = "Host content-length Content-Type CONTENT-x connection Transfer-Encoding te \
                    Trailer Upgrade expect Proxy-Authorization User-Agent ACCESS-TOKEN x-client-key \
                    X-CLIENT-ID X-Client-Other X-Secret-Key Accept Accept-Encoding Keep-Alive";
    let names = ["", "a b", "a:b", "é", "a\r\nb", "a\0"].into_iter();
    let of_names = names
        .chain(reserved.split(' '))
        .map(|name| json!({name: "MARK"}));
    let values = json!([
        "",
        " MARK",
        "MARK\r\nx-a: b",
        "MARK\u{7f}",
        "MARK\0",
        "éMARK",
        7,
        null,
        {}
    ]);
    let values = values.as_array().expect("a list").clone().into_iter();
    let of_values = values.map(|value| json!({"x-a": value}));
    let others = [
        json!({"x-a": "MARK", "X-A": "MARK"}),
        json!("MARK"),
        json!(["MARK"]),
    ];
    of_names.chain(of_values).chain(others).collect()
}

#[test]
fn a_header_that_the_library_sets_or_http_cannot_carry_is_refused() {
    let service = Service::responding(created());
    let client = Client::new(&config(&service.url()));
    let mut rows = Rows::new();
    for headers in refused() {
        let row = headers.to_string();
        let options = json!({"headers": headers});
        let started = abi::start(
            client.key(),
            "get_status",
            Some(&query().to_string()),
            Some(&options.to_string()),
            |_| {},
        );
        for reply in [
            client.create_with(&order(), &options),
            client.status_with(&query(), &options),
            started,
        ] {
            rows.code(&row, &reply, INVALID_ARGUMENT);
            rows.says(&row, &reply, "headers");
            rows.holds(&row, !reply.text().contains("MARK"), reply.text());
        }
        let config = with(&config(&service.url()), "headers", headers);
        let Err(reply) = Client::try_new(&config) else {
            rows.that(&row, false, || "was accepted".into());
            continue;
        };
        rows.code(&row, &reply, INVALID_CONFIG);
        rows.says(&row, &reply, "headers");
        rows.holds(&row, !reply.text().contains("MARK"), reply.text());
    }
    rows.end();
    assert_eq!(service.connections(), 0, "nothing was sent");
}

#[test]
fn no_value_of_a_header_is_shown() {
    let echo =
        json!({"responseCode": "400", "responseMessage": "no own-value-1 and shared-value-2"});
    let id = ("x-request-id", "own-value-1");
    let service = Service::start([respond(http_with(400, &[id], echo.to_string()))]);
    let headers = json!({"x-b": "shared-value-2"});
    let client = Client::new(&with(&config(&service.url()), "headers", headers));
    let log = Log::of(&client);
    let reply = client.create_with(&order(), &json!({"headers": {"x-a": "own-value-1"}}));
    let said = &reply.error()["responseMessage"];
    assert_eq!(said, "no [redacted] and [redacted]");
    for text in log.texts().into_iter().chain([reply.text().to_owned()]) {
        assert!(
            !text.contains("own-value") && !text.contains("shared-value"),
            "{text}"
        );
    }
}
