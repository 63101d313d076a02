//! `payorder_check` says step by step what works, and creates nothing.

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};
use support::abi::{self, Client, Reply, Token};
use support::log::Log;
use support::orders::{config, with, without};
use support::responses::{completed, created, http, http_with};
use support::result::{CANCELLED, CANCELLED_IN_FLIGHT, CONNECTION_LOST, INVALID_ARGUMENT};
use support::rows::Rows;
use support::service::{Script, Service, close, respond, stall, tunnel};
use support::shop::{self, Shop};
use support::table;
use support::tls::Folder;
use support::tls_service::TlsService;
use support::unreachable::refusing_url;

fn steps(reply: &Reply) -> &[Value] {
    reply.json["steps"].as_array().expect("steps")
}

/// Each step, and the cause of one that failed.
fn shown(reply: &Reply) -> String {
    let failed = steps(reply).iter().any(|step| step["ok"] == false);
    assert_eq!(reply.json["ok"], !failed, "{}", reply.text());
    let one = |step: &Value| {
        let cause = step["cause"].as_str().map(|cause| format!(":{cause}"));
        assert_eq!(step["ok"] == false, cause.is_some(), "{step}");
        assert_eq!(cause.is_some(), step["action"].is_string(), "{step}");
        assert!(
            step["elapsedMs"].is_u64() && step["message"].is_string(),
            "{step}"
        );
        format!(
            "{}{}",
            step["step"].as_str().expect("a name"),
            cause.unwrap_or_default()
        )
    };
    steps(reply).iter().map(one).collect::<Vec<_>>().join(" ")
}

fn details<'a>(reply: &'a Reply, name: &str) -> &'a Value {
    let found = steps(reply).iter().find(|step| step["step"] == name);
    &found.expect("the step")["details"]
}

fn unknown_order(headers: &[(&str, &str)]) -> Script {
    let body = json!({"responseCode": "404", "responseMessage": "no such order"});
    respond(http_with(200, headers, body.to_string()))
}

#[test]
fn what_answers_decides_about_the_service_and_the_credentials() {
    let mut rows = Rows::new();
    let start = "name connect";
    for (script, expected, credentials) in table! {
        respond(completed("payorder-check")), "service credentials", "accepted";
        unknown_order(&[]), "service credentials", "unclear";
        respond(http(401, r#"{"responseCode":"401"}"#)), "service credentials:unauthorized", "refused";
        respond(http(403, "")), "service credentials:unauthorized", "refused";
        respond(http(403, "<p>no")), "service:unauthorized", "";
        respond(http(429, "")), "service credentials", "unclear";
        respond(http(404, "<p>no")), "service:service_refused", "";
        respond(http(429, "<p>no")), "service:rate_limited", "";
        respond(http(200, "<p>hello")), "service:response_not_json", "";
        respond(http(302, "")), "service:redirected", "";
        respond(http(503, "")), "service:service_error", "";
        respond(completed("another")), "service:another_order", "";
        close(), "service:connection_closed", "";
    } {
        let service = Service::start([script]);
        let reply = Client::new(&config(&service.url()))
            .check(&json!({}))
            .done();
        let row = format!("{expected} {credentials}");
        rows.same(&row, shown(&reply), format!("{start} {expected}"));
        let last = steps(&reply).last().expect("a step");
        rows.same(
            &row,
            last["details"]["credentials"].as_str().unwrap_or(""),
            credentials,
        );
        let [request] = &service.requests()[..] else {
            panic!("not one request");
        };
        rows.holds(&row, request.line().contains("GetStatus"), request.line());
        rows.holds(
            &row,
            request.body.contains(r#""payorder-check""#),
            &request.body,
        );
        rows.same(&row, service.connections(), 1);
    }
    rows.end();
}

#[test]
fn the_option_names_an_order_and_missing_credentials_are_said() {
    let service = Service::start([respond(completed("ORDER-1001"))]);
    let client = Client::new(&config(&service.url()));
    let log = Log::of(&client);
    let reply = client
        .check(&json!({"orderId": "ORDER-1001", "tag": "t"}))
        .done();
    assert_eq!(shown(&reply), "name connect service credentials");
    assert_eq!(details(&reply, "service")["httpStatus"], 200);
    for event in log.events() {
        let seen = (&event["operation"], &event["orderId"], &event["tag"]);
        assert_eq!(seen, (&json!("check"), &json!("ORDER-1001"), &json!("t")));
    }
    client.check(&json!({"order": "x"})).is(INVALID_ARGUMENT);
    let without_one = Client::new(&without(&config(&service.url()), "clientId"));
    let reply = without_one.check(&json!({"orderId": "ORDER-1001"})).done();
    assert_eq!(
        shown(&reply),
        "name connect service credentials:credentials_missing"
    );
    let sent = service.last_request().header("x-client-id");
    assert_eq!(sent.as_deref(), Some("payorder-check"));
    let said = steps(&reply).last().expect("a step")["message"].as_str();
    assert_eq!(said, Some("not set: clientId"));
}

#[test]
fn each_part_of_the_connection_is_a_step() {
    let secure = TlsService::start([unknown_order(&[])]);
    let trusted = secure.trusted_by(&config(&secure.service.url()));
    let reply = Client::new(&trusted).check(&json!({})).done();
    assert_eq!(shown(&reply), "name connect tls service credentials");
    let tls = details(&reply, "tls");
    assert!(
        tls["version"]
            .as_str()
            .is_some_and(|it| it.starts_with("TLSv1.")),
        "{tls}"
    );
    assert!(tls["names"].to_string().contains("localhost"), "{tls}");
    assert!(
        tls["validUntil"]
            .as_str()
            .is_some_and(|it| it.ends_with('Z')),
        "{tls}"
    );
    assert!(
        !tls["issuer"].as_str().unwrap_or_default().is_empty(),
        "{tls}"
    );
    assert_eq!(
        secure.service.connections(),
        details(&reply, "connect")["addresses"]
            .as_array()
            .map_or(0, Vec::len)
    );
    let untrusted = Client::new(&config(&secure.service.url()))
        .check(&json!({}))
        .done();
    assert_eq!(
        shown(&untrusted),
        "name connect tls:certificate_unknown_issuer"
    );
    let refused = details(&untrusted, "tls");
    assert_eq!(refused["issuer"], tls["issuer"], "{refused}");
    assert_eq!(refused["names"], tls["names"], "{refused}");
    let says = format!("issued by {}", tls["issuer"].as_str().unwrap_or_default());
    assert!(untrusted.text().contains(&says), "{}", untrusted.text());

    let nobody = Client::new(&config(&refusing_url()))
        .check(&json!({}))
        .done();
    assert_eq!(shown(&nobody), "name connect:connection_refused");
    let nowhere = config("http://payorder-no-such-host.localhost.invalid");
    let nowhere = Client::new(&with(&nowhere, "allowInsecureHttp", true))
        .check(&json!({}))
        .done();
    assert!(
        shown(&nowhere).starts_with("name:name_"),
        "{}",
        nowhere.text()
    );

    let service = Service::start([unknown_order(&[])]);
    let proxy = Service::start([tunnel()]);
    let through = with(
        &config(&service.url()),
        "proxy",
        proxy.url_with("u:Mn8-proxy-Ub39eKx5"),
    );
    let reply = Client::new(&through).check(&json!({})).done();
    assert_eq!(shown(&reply), "proxy service credentials");
    assert_eq!(
        details(&reply, "proxy")["proxy"],
        format!("127.0.0.1:{}", proxy.port())
    );
    assert!(!reply.text().contains("Mn8"), "{}", reply.text());
    let refusing = Service::start([respond(http(407, ""))]);
    let through = with(&config(&service.url()), "proxy", refusing.url());
    let reply = Client::new(&through).check(&json!({})).done();
    assert_eq!(shown(&reply), "proxy:proxy_needs_credentials");
}

#[test]
fn the_clock_is_compared_with_the_responses_date() {
    let mut rows = Rows::new();
    for (away, expected, action) in table! {
        0, "clock", Value::Null;
        3600, "clock:certificate_not_yet_valid", json!("check_clock");
        -3600, "clock:certificate_expired", json!("check_clock");
    } {
        let away: i64 = away;
        let now = SystemTime::now();
        let shift = Duration::from_secs(away.unsigned_abs());
        let date = httpdate::fmt_http_date(if away < 0 { now - shift } else { now + shift });
        let service = Service::start([unknown_order(&[("Date", &date)])]);
        let reply = Client::new(&config(&service.url()))
            .check(&json!({}))
            .done();
        let row = format!("{away} s");
        rows.same(
            &row,
            shown(&reply),
            format!("name connect {expected} service credentials"),
        );
        rows.same(&row, &steps(&reply)[2]["action"], &action);
        let ahead = details(&reply, "clock")["secondsAhead"]
            .as_i64()
            .expect("a number");
        rows.that(&row, (ahead + away).abs() < 30, || ahead.to_string());
    }
    rows.end();
}

#[test]
fn a_journal_is_looked_at_even_if_the_service_is_not_there() {
    let shop = Shop::new();
    let service = Service::start([close()]);
    let client = shop.client(&service);
    client.create(&shop::order("A")).is(CONNECTION_LOST);
    service.set_script([unknown_order(&[])]);
    let reply = client.check(&json!({})).done();
    assert_eq!(shown(&reply), "name connect service credentials journal");
    let expected = json!({"unresolved": 1, "otherServices": 0});
    assert_eq!(details(&reply, "journal"), &expected);
    let elsewhere = Client::new(&shop.config(&refusing_url()));
    let reply = elsewhere.check(&json!({})).done();
    assert_eq!(shown(&reply), "name connect:connection_refused journal");
    let expected = json!({"unresolved": 0, "otherServices": 1});
    assert_eq!(details(&reply, "journal"), &expected);
    let folder = Folder::new();
    let foreign = folder.file(
        "journal",
        "not a database, but a text that somebody wrote there",
    );
    let lost = with(&config(&service.url()), "journal", foreign);
    let reply = Client::new(&lost).check(&json!({})).done();
    assert!(
        shown(&reply).contains(" journal:journal_"),
        "{}",
        reply.text()
    );
}

#[test]
fn a_check_can_be_started_and_cancelled() {
    let service = Service::start([unknown_order(&[])]);
    let client = Client::new(&config(&service.url()));
    let begun = abi::start_taken(client.key(), "check", None, None, 7);
    assert_eq!(begun.code, 0);
    let (number, reply) = abi::take(client.key(), 60_000).expect("an answer");
    assert_eq!(
        (number, shown(&reply.done())),
        (7, "name connect service credentials".to_owned())
    );

    service.set_script([stall(), respond(created())]);
    let token = Token::new();
    let options = token.among(&json!({})).to_string();
    let begun = abi::start_taken(client.key(), "check", None, Some(&options), 8);
    assert_eq!(begun.code, 0);
    service.wait_for_requests(2);
    token.cancel();
    let (_, reply) = abi::take(client.key(), 60_000).expect("an answer");
    reply.is(CANCELLED_IN_FLIGHT);
    abi::stop(client.key());
    client.check(&json!({})).is(CANCELLED);
    assert_eq!(service.request_count(), 2);
}
