//! The journal: an order is recorded before it is sent, its outcome afterwards, and it is not sent
//! twice.
#![cfg(all(feature = "journal", any(target_os = "linux", windows)))]

mod built;
#[path = "journal/clock.rs"]
mod clock;
#[cfg(unix)]
#[path = "journal/disk.rs"]
mod disk;
#[path = "journal/functions.rs"]
mod functions;
#[cfg(unix)]
#[path = "journal/host.rs"]
mod host;
#[cfg(unix)]
#[path = "journal/processes.rs"]
mod processes;
#[path = "journal/recording.rs"]
mod recording;
#[cfg(unix)]
#[path = "journal/replaced.rs"]
mod replaced;
#[path = "journal/settling.rs"]
mod settling;
#[path = "journal/sharing.rs"]
mod sharing;
#[path = "journal/shop.rs"]
mod shop;
mod support;
#[path = "journal/write_failures.rs"]
mod write_failures;

use serde_json::{Value, json};
use shop::{Shop, entries, order, sql, states};
use std::time::Duration;
use support::abi::Client;
use support::orders::{config, with};
use support::responses::{CHECKOUT, completed, created, http, http_with};
use support::rows::Rows;
use support::service::{Reaction, Service, refusing_url};
use support::tls::{Authority, serving};

const INVALID_ARGUMENT: i32 = 1;
const DUPLICATE: i32 = 206;
const JOURNAL_FAILED: i32 = 10;

#[test]
fn the_journal_records_the_outcome_of_each_order() {
    let shop = Shop::new();
    let fates = [
        ("CREATED", Reaction::Respond(created()), "created", 0),
        (
            "REFUSED",
            Reaction::Respond(http(400, "{}")),
            "rejected",
            100,
        ),
        (
            "LIMITED",
            Reaction::Respond(http_with(429, &[("Retry-After", "1")], "{}")),
            "rejected",
            102,
        ),
        ("FAILED", Reaction::Respond(http(503, "")), "unknown", 203),
        ("CONFLICT", Reaction::Respond(http(409, "")), "unknown", 203),
        ("BROKEN", Reaction::Respond(http(200, "x")), "unknown", 202),
        ("CUT", Reaction::Close, "unknown", 201),
        ("SILENT", Reaction::Stall, "unknown", 200),
    ];
    let mut expected = Vec::new();
    for (order_id, reaction, state, result) in fates {
        let service = Service::start([reaction]);
        let client = Client::new(&with(&shop.config(&service.url()), "timeoutMs", 1000));
        assert_eq!(client.create(&order(order_id)).code, result);
        expected.push((order_id, state, result));
    }
    let nobody = Client::new(&with(&shop.config(&refusing_url()), "createRetries", 1));
    assert_eq!(nobody.create(&order("UNREACHED")).code, 6);
    expected.push(("UNREACHED", "not_sent", 6));
    let mut rows = Rows::new();
    let listed = entries(&nobody);
    for (number, (entry, (order_id, state, result))) in (1..).zip(listed.iter().zip(&expected)) {
        let url = if *state == "created" {
            json!(CHECKOUT)
        } else {
            Value::Null
        };
        let told = json!({
            "entry": number,
            "orderId": order_id,
            "merchantTxnId": format!("TXN-{order_id}"),
            "amount": "100.10",
            "currencyCode": "INR",
            "state": state, "url": url, "result": result, "transactionId": null, "transactionStatus": null,
            "startedAt": entry["startedAt"], "deadline": entry["deadline"], "updatedAt": entry["updatedAt"],
        });
        rows.same(order_id, entry, &told);
        let times =
            ["startedAt", "updatedAt", "deadline"].map(|key| entry[key].as_str().unwrap_or(""));
        for time in times {
            let shape = time.replace(|digit: char| digit.is_ascii_digit(), "0");
            rows.same(order_id, shape.as_str(), "0000-00-00T00:00:00.000Z");
        }
        rows.that(
            order_id,
            times[0] <= times[1] && times[0] < times[2],
            || format!("{times:?}"),
        );
    }
    rows.end();
    assert_eq!(listed.len(), expected.len());
    shop::is_sound(&shop.path);
}

#[test]
fn a_call_that_sends_nothing_is_not_in_the_journal() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    assert_eq!(client.create(&with(&order("A"), "amount", "0.50")).code, 4);
    assert_eq!(
        client.create_with(&order("A"), &json!({"nothing": 1})).code,
        1
    );
    let poor = Client::new(&support::orders::without(
        &shop.config(&service.url()),
        "accessToken",
    ));
    assert_eq!(poor.create(&order("A")).code, 5);
    assert_eq!(entries(&client), Vec::<Value>::new());
    client.create(&order("A")).done();
    assert_eq!(service.request_count(), 1);
}

#[test]
fn the_intent_is_in_the_file_before_the_first_byte_is_sent() {
    let (shop, service) = (Shop::new(), Service::start([Reaction::Stall]));
    let (client, other) = (shop.client(&service), shop.client(&service));
    std::thread::scope(|scope| {
        let sending = scope.spawn(|| client.create(&order("A")).code);
        service.wait_for_requests(1);
        let seen = entries(&other);
        assert_eq!(states(&seen), ["A: sending"]);
        assert_eq!(
            [&seen[0]["result"], &seen[0]["url"]],
            [&Value::Null, &Value::Null]
        );
        let row = sql(
            &shop.path,
            &["SELECT state, lower(hex(body_sha256)), deadline_ms - begun_ms FROM orders"],
        );
        let body = service.last_request().body;
        let digest = python_digest(&body);
        assert_eq!(
            [&row[0][0], &row[0][1]],
            [&json!("sending"), &json!(digest)],
            "another process sees it too"
        );
        let left = row[0][2].as_i64().unwrap();
        assert!(
            (15_000..=20_000).contains(&left),
            "the call's own timeout: {left}"
        );
        client.cancel();
        assert_eq!(sending.join().unwrap(), 204);
    });
    assert_eq!(states(&entries(&other)), ["A: unknown"]);
}

/// SHA-256 computed by Python, not by the library that the journal uses.
#[cfg(unix)]
fn python_digest(body: &str) -> String {
    let python = built::python("the digest").expect("Python 3 is there");
    let script =
        "import hashlib, sys; print(hashlib.sha256(sys.argv[1].encode()).hexdigest(), end='')";
    let output = std::process::Command::new(python)
        .args(["-c", script, body])
        .output()
        .expect("Python runs");
    String::from_utf8(output.stdout).expect("a digest")
}

/// Windows programs cannot run Python in Wine.
#[cfg(windows)]
fn python_digest(body: &str) -> String {
    let digest = ring::digest::digest(&ring::digest::SHA256, body.as_bytes());
    digest
        .as_ref()
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}

#[test]
fn the_file_is_private_and_has_no_secret_or_personal_data() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    for number in 0..30 {
        let options =
            json!({"accessToken": "token-of-the-call", "extraFields": {"note": "a private note"}});
        client
            .create_with(&order(&format!("O-{number}")), &options)
            .done();
    }
    service.set_script([
        Reaction::Respond(completed("O-0")),
        Reaction::Respond(http(404, "{}")),
    ]);
    client.journal_resolve(&json!({"concurrency": 1})).done();
    let mut bytes = Vec::new();
    for file in std::fs::read_dir(shop.folder.path()).unwrap() {
        let path = file.unwrap().path();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = std::fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            assert_eq!(mode, 0o600, "{}", path.display());
        }
        bytes.extend(std::fs::read(path).unwrap());
    }
    let text = String::from_utf8_lossy(&bytes).to_lowercase();
    assert!(
        text.contains("o-29")
            && text.contains("txn-o-29")
            && text.contains("100.10")
            && text.contains("t-900"),
        "the search works"
    );
    let secret = [
        "access-token-1",
        "token-of-the-call",
        "client-key-1",
        "client-id-1",
        "secret-key-1",
    ];
    let personal = [
        "asha",
        "verma",
        "9876543210",
        "example.com/done",
        "two coffees",
        "private note",
        "m-7",
        "corner cafe",
    ];
    for word in secret.iter().chain(&personal) {
        assert!(!text.contains(word), "{word} is in the journal");
    }
}

#[test]
fn an_order_that_may_exist_is_not_sent_again() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("CREATED")).done();
    service.set_script([Reaction::Close]);
    assert_eq!(client.create(&order("UNKNOWN")).code, 201);
    service.set_script([Reaction::Respond(created())]);
    let mut rows = Rows::new();
    let elsewhere = shop.client(&service);
    for (number, order_id, state, cause, action) in [
        (
            1,
            "CREATED",
            "created",
            "order_already_sent",
            "use_previous",
        ),
        (2, "UNKNOWN", "unknown", "order_may_exist", "ask_status"),
    ] {
        let same_order = with(&order(order_id), "merchantTxnId", "ANOTHER");
        let same_transaction = with(
            &order("ANOTHER"),
            "merchantTxnId",
            format!("TXN-{order_id}"),
        );
        for (what, order, key) in [
            ("order", &same_order, "orderId"),
            ("transaction", &same_transaction, "merchantTxnId"),
        ] {
            for (client, which) in [(&client, "the same client"), (&elsewhere, "another client")] {
                let row = format!("{order_id}, same {what}, {which}");
                let reply = client.create(order);
                rows.that(&row, reply.code == DUPLICATE, || reply.text().to_owned());
                let error = reply.error();
                rows.same(&row, &error["outcome"], &json!("unknown"));
                rows.same(&row, &error["previous"], &entries(client)[number - 1]);
                rows.same(&row, &error["previous"]["state"], &json!(state));
                rows.same(&row, &error["cause"], &json!(cause));
                rows.same(&row, &error["action"], &json!(action));
                rows.same(&row, &error["statusQuery"]["orderId"], &json!(order_id));
                rows.that(&row, reply.message().contains(key), || {
                    reply.message().to_owned()
                });
            }
        }
    }
    rows.end();
    assert_eq!(service.request_count(), 2, "no duplicate was sent");
    assert_eq!(entries(&client).len(), 2, "or recorded");
}

#[test]
fn an_order_that_is_being_sent_is_not_sent_again() {
    let (shop, service) = (
        Shop::new(),
        Service::start([Reaction::RespondAfter(
            Duration::from_millis(500),
            created(),
        )]),
    );
    let client = shop.client(&service);
    std::thread::scope(|scope| {
        let first = scope.spawn(|| client.create(&order("A")).code);
        service.wait_for_requests(1);
        for options in [json!({}), json!({"resend": true})] {
            let reply = client.create_with(&order("A"), &options);
            assert_eq!(reply.code, DUPLICATE, "{}", reply.text());
            assert_eq!(reply.error()["previous"]["state"], "sending");
        }
        assert_eq!(first.join().unwrap(), 0);
    });
    assert_eq!(service.request_count(), 1);
}

#[test]
fn identifiers_are_compared_byte_for_byte() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    let long = "x".repeat(100_000);
    let identifiers = [
        "A",
        "a",
        "A ",
        "A\u{0}B",
        "A\u{0}C",
        "A%",
        "A_",
        "A'; DROP TABLE orders; --",
        "\u{e9}",
        "e\u{301}",
        "7",
        "7.0",
        "07",
        &long,
    ];
    for identifier in identifiers {
        client.create(&order(identifier)).done();
    }
    let listed = entries(&client);
    let got: Vec<&str> = listed
        .iter()
        .map(|entry| entry["orderId"].as_str().unwrap())
        .collect();
    assert_eq!(got, identifiers);
    for identifier in identifiers {
        assert_eq!(client.create(&order(identifier)).code, DUPLICATE);
    }
    // The same text as the other identifier does not match.
    client
        .create(&with(&order("TXN-A"), "merchantTxnId", "A"))
        .done();
}

#[test]
fn an_order_that_was_refused_or_not_sent_may_be_sent_again() {
    let (shop, service) = (Shop::new(), Service::responding(http(400, "{}")));
    let client = shop.client(&service);
    assert_eq!(client.create(&order("A")).code, 100);
    assert_eq!(
        Client::new(&shop.config(&refusing_url()))
            .create(&order("A"))
            .code,
        6
    );
    service.set_script([Reaction::Respond(created())]);
    client.create(&order("A")).done();
    assert_eq!(
        states(&entries(&client)),
        ["A: rejected", "A: not_sent", "A: created"]
    );
    assert_eq!(client.create(&order("A")).code, DUPLICATE);
}

#[test]
fn resend_sends_only_unknown_orders_again() {
    let (shop, service) = (Shop::new(), Service::start([Reaction::Close]));
    let client = shop.client(&service);
    let again = json!({"resend": true});
    assert_eq!(client.create(&order("A")).code, 201);
    assert_eq!(client.create_with(&order("A"), &again).code, 201);
    service.set_script([Reaction::Respond(created())]);
    assert_eq!(
        client
            .create_with(&order("A"), &json!({"resend": false}))
            .code,
        DUPLICATE
    );
    client.create_with(&order("A"), &again).done();
    let reply = client.create_with(&order("A"), &again);
    assert_eq!(
        reply.code,
        DUPLICATE,
        "a created order is never sent again, even if older entries are unknown: {}",
        reply.text()
    );
    assert_eq!(reply.error()["previous"]["entry"], 3);
    assert_eq!(
        states(&entries(&client)),
        ["A: unknown", "A: unknown", "A: created"]
    );
    client.create_with(&order("NEW"), &again).done();
    assert_eq!(service.request_count(), 4);

    for broken in [
        json!({"resend": 1}),
        json!({"resend": "true"}),
        json!({"resend": null}),
    ] {
        assert_eq!(
            client.create_with(&order("B"), &broken).code,
            INVALID_ARGUMENT
        );
    }
    let without = Client::new(&config(&service.url()));
    assert_eq!(
        without.create_with(&order("B"), &again).code,
        INVALID_ARGUMENT
    );
    assert_eq!(service.request_count(), 4);
}

#[test]
fn an_older_entry_also_prevents_sending() {
    let (shop, service) = (Shop::new(), Service::start([Reaction::Close]));
    let client = shop.client(&service);
    let again = json!({"resend": true});
    for _ in 0..2 {
        assert_eq!(client.create_with(&order("A"), &again).code, 201);
    }
    // The call that wrote the first entry took longer than its deadline, and succeeded.
    sql(
        &shop.path,
        &["UPDATE orders SET state = 'created' WHERE entry = 1"],
    );
    let reply = client.create_with(&order("A"), &again);
    assert_eq!(reply.code, DUPLICATE, "{}", reply.text());
    assert_eq!(reply.error()["previous"]["entry"], 1);
    assert_eq!(service.request_count(), 2);
}

#[test]
fn a_changed_order_is_not_sent_under_the_identifiers_of_an_unknown_one() {
    let (shop, service) = (Shop::new(), Service::start([Reaction::Close]));
    let client = shop.client(&service);
    assert_eq!(client.create(&order("A")).code, 201);
    let again = json!({"resend": true});
    let mut rows = Rows::new();
    service.set_script([Reaction::Respond(created())]);
    for (field, value) in [
        ("amount", "9999.00"),
        ("amount", "100.1"),
        ("productInfo", "Three coffees"),
        ("customerName", "Another"),
        ("merchantTxnId", "TXN-OTHER"),
        ("orderId", "OTHER"),
    ] {
        let changed = with(&order("A"), field, value);
        let reply = client.create_with(&changed, &again);
        rows.same(field, reply.code, DUPLICATE);
        rows.same(field, &reply.error()["previous"]["entry"], &json!(1));
        rows.that(field, reply.message().contains("changed"), || {
            reply.message().to_owned()
        });
    }
    let extra = json!({"resend": true, "extraFields": {"note": "new"}});
    rows.same(
        "an extra field",
        client.create_with(&order("A"), &extra).code,
        DUPLICATE,
    );
    rows.end();
    assert_eq!(service.request_count(), 1);
    client.create_with(&order("A"), &again).done();
}

#[test]
fn an_entry_of_a_dead_process_is_unknown_after_its_deadline() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&order("A")).done();
    let sending = "UPDATE orders SET state = 'sending', url = NULL, result = NULL";
    sql(
        &shop.path,
        &[&format!("{sending}, deadline_ms = begun_ms + 600000")],
    );
    assert_eq!(states(&entries(&client)), ["A: sending"]);
    assert_eq!(
        client
            .create_with(&order("A"), &json!({"resend": true}))
            .code,
        DUPLICATE,
        "its call may still be running"
    );
    sql(&shop.path, &[&format!("{sending}, deadline_ms = begun_ms")]);
    assert_eq!(states(&entries(&client)), ["A: unknown"]);
    let reply = client.create(&order("A"));
    assert_eq!(
        (reply.code, &reply.error()["previous"]["state"]),
        (DUPLICATE, &json!("unknown"))
    );
    for (state, expected) in [
        ("sending", 0),
        ("unknown", 1),
        ("unresolved", 1),
        ("created", 0),
    ] {
        let listed = shop::listed(&client.journal_list(&json!({"state": state})));
        assert_eq!(listed.len(), expected, "{state}");
    }
    client
        .create_with(&order("A"), &json!({"resend": true}))
        .done();
    assert_eq!(service.request_count(), 2);
}

#[test]
fn without_a_journal_its_functions_are_an_invalid_argument() {
    let client = Client::new(&config(&refusing_url()));
    for reply in [
        client.journal_list(&json!({})),
        client.journal_resolve(&json!({})),
        client.journal_prune(&json!({})),
    ] {
        assert_eq!(reply.code, INVALID_ARGUMENT, "{}", reply.text());
        assert!(reply.message().contains("journal"), "{}", reply.message());
    }
}

/// The path has more than 260 characters, and its folders have Hindi names.
#[test]
fn a_long_path_with_hindi_names_leads_to_journal_and_certificates() {
    let mut shop = Shop::new();
    let mut folder = shop.folder.path().to_owned();
    for number in 0..6 {
        folder.push(format!("दुकान-{number}-{}", "x".repeat(40)));
    }
    std::fs::create_dir_all(&folder).unwrap();
    shop.path = folder.join("खाता.db");
    assert!(shop.path.to_str().unwrap().chars().count() > 260);
    let authority = Authority::new();
    let certificate = folder.join("प्रमाणपत्र.pem");
    std::fs::write(&certificate, authority.pem()).unwrap();
    let service = Service::start_tls(
        serving(authority.identity_for("localhost")),
        [Reaction::Respond(created())],
    );
    let config = with(
        &shop.config(&service.url()),
        "tls",
        json!({"caFile": certificate.to_str().unwrap()}),
    );
    Client::new(&config).create(&order("A")).done();
    let other = Client::new(&config);
    assert_eq!(other.create(&order("A")).code, DUPLICATE);
    assert_eq!(states(&entries(&other)), ["A: created"]);
    assert!(shop.path.exists());
}
