//! The journal: an order is recorded before it is sent, its outcome afterwards, and it is not sent
//! twice.

#![cfg(all(feature = "journal", any(target_os = "linux", windows)))]

#[path = "journal/certificates.rs"]
mod certificates;
#[path = "journal/clock.rs"]
mod clock;
#[cfg(unix)]
#[path = "journal/disk.rs"]
mod disk;
#[path = "journal/duplicates.rs"]
mod duplicates;
#[path = "journal/events.rs"]
mod events;
#[cfg(unix)]
#[path = "journal/forks.rs"]
mod forks;
#[path = "journal/functions.rs"]
mod functions;
#[cfg(unix)]
#[path = "journal/host.rs"]
mod host;
#[path = "journal/paths.rs"]
mod paths;
#[cfg(unix)]
#[path = "journal/processes.rs"]
mod processes;
#[path = "journal/recording.rs"]
mod recording;
#[path = "journal/recover.rs"]
mod recover;
#[cfg(unix)]
#[path = "journal/replaced.rs"]
mod replaced;
#[path = "journal/services.rs"]
mod services;
#[path = "journal/settling.rs"]
mod settling;
#[path = "journal/sharing.rs"]
mod sharing;
#[path = "journal/write_failures.rs"]
mod write_failures;

use serde_json::{Value, json};
use support::abi::Client;
use support::built;
use support::orders::with;
use support::responses::{CHECKOUT, completed, created, http, http_with};
use support::rows::Rows;
use support::service::{Service, close, respond, stall};
use support::shop::{Shop, entries, order, sql, states};
use support::table;
use support::tls::{Authority, serving};
use support::unreachable::refusing_url;

const INVALID_ARGUMENT: i32 = 1;
const DUPLICATE: i32 = 206;
const JOURNAL_FAILED: i32 = 10;

#[test]
fn the_journal_records_the_outcome_of_each_order() {
    let shop = Shop::new();
    let fates = table! {
        "CREATED", respond(created()), "created", 0;
        "REFUSED", respond(http(400, "{}")), "rejected", 100;
        "LIMITED", respond(http_with(429, &[("Retry-After", "1")], "{}")), "rejected", 102;
        "FAILED", respond(http(503, "")), "unknown", 203;
        "CONFLICT", respond(http(409, "")), "unknown", 203;
        "BROKEN", respond(http(200, "x")), "unknown", 202;
        "CUT", close(), "unknown", 201;
        "SILENT", stall(), "unknown", 200;
    };
    let mut expected = Vec::new();
    for (order_id, reaction, state, result) in fates {
        let service = Service::start([reaction]);
        let client = Client::new(&with(&shop.config(&service.url()), "timeoutMs", 1000));
        client.create(&order(order_id)).is(result);
        expected.push((order_id, state, result, service.url()));
    }
    let url = refusing_url();
    let nobody = Client::new(&with(&shop.config(&url), "createRetries", 1));
    nobody.create(&order("UNREACHED")).is(6);
    expected.push(("UNREACHED", "not_sent", 6, url));
    let mut rows = Rows::new();
    let listed = entries(&nobody);
    for (number, (entry, (order_id, state, result, service))) in
        (1..).zip(listed.iter().zip(&expected))
    {
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
            "state": state, "url": url, "service": service, "result": result, "transactionId": null, "transactionStatus": null,
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
    support::shop::is_sound(&shop.path);
}

#[test]
fn a_call_that_sends_nothing_is_not_in_the_journal() {
    let (shop, service) = (Shop::new(), Service::responding(created()));
    let client = shop.client(&service);
    client.create(&with(&order("A"), "amount", "0.50")).is(4);
    client
        .create_with(&order("A"), &json!({"nothing": 1}))
        .is(1);
    let poor = Client::new(&support::orders::without(
        &shop.config(&service.url()),
        "accessToken",
    ));
    poor.create(&order("A")).is(5);
    assert_eq!(entries(&client), Vec::<Value>::new());
    client.create(&order("A")).done();
    assert_eq!(service.request_count(), 1);
}

#[test]
fn the_intent_is_in_the_file_before_the_first_byte_is_sent() {
    let (shop, service) = (Shop::new(), Service::start([stall()]));
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
    service.set_script([respond(completed("O-0")), respond(http(404, "{}"))]);
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
        [respond(created())],
    );
    let config = with(
        &shop.config(&service.url()),
        "tls",
        json!({"caFile": certificate.to_str().unwrap()}),
    );
    Client::new(&config).create(&order("A")).done();
    let other = Client::new(&config);
    other.create(&order("A")).is(DUPLICATE);
    assert_eq!(states(&entries(&other)), ["A: created"]);
    assert!(shop.path.exists());
}
