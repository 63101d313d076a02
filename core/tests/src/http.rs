//! The interface for Rust programs, wherever a plain HTTP response is all that a test needs:
//! [httpmock](https://docs.rs/httpmock) sends it. `tests/interface/rust_interface.rs` has errors
//! with their sources, which need connections that fail.
//!
//! `cargo test --manifest-path core/tests/Cargo.toml`
#![cfg(test)]

mod started;

use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use httpmock::{Method::POST, Mock, MockServer};
use payorder_core::{
    Action, CallOptions, Cause, Checkout, Client, Code, Config, Credentials, Error, Expected,
    JsonOptions, ListOptions, Operation, Order, OrderFields, Outcome, ProxyChoice, PruneOptions,
    RecoverOptions, Rule, SettleOptions, Status, StatusQuery, StatusesOptions, Step, WaitOptions,
};
use serde_json::json;

const CREATE: &str = "/api/v1/Gateway/CreateOrder";
const STATUS: &str = "/api/v1/Gateway/GetStatus";

fn config(server: &MockServer) -> Config {
    let mut config = Config::new(server.base_url());
    config.proxy = ProxyChoice::None;
    config.credentials = Credentials::default()
        .with_access_token("token-1")
        .and_then(|credentials| credentials.with_client_key("key-1"))
        .and_then(|credentials| credentials.with_client_id("id-1"))
        .and_then(|credentials| credentials.with_secret_key("secret-1"))
        .expect("credentials");
    config.status_retries = 0;
    config
}

fn client(server: &MockServer) -> Client {
    Client::new(config(server)).expect("a client")
}

fn order() -> Order<'static> {
    Order::new(OrderFields {
        amount: "100.00",
        merchant_txn_id: "T-1",
        order_id: "O-1",
        pay_mode: "all",
        merchant_id: "M-1",
        product_info: "Two coffees",
        customer_name: "Asha Rao",
        customer_mobile: "9000000000",
        customer_email: "asha@example.com",
        redirection_url: "https://shop.example/return",
        currency_code: "INR",
    })
    .expect("an order")
}

fn query() -> StatusQuery<'static> {
    StatusQuery::by_order("O-1").expect("a query")
}

/// Both operations get this response.
fn answering(server: &MockServer, status: u16, body: impl Into<String>) -> Mock<'_> {
    let body = body.into();
    server.mock(|when, then| {
        when.method(POST);
        then.status(status)
            .header("Content-Type", "application/json")
            .body(body);
    })
}

fn paid() -> String {
    let data = json!({
        "orderId": "O-1", "transactionId": "T-900", "amount": "100.00",
        "transactionStatus": "Completed", "customerName": "Asha Rao",
        "customerMobile": "9000000000", "customerEmail": "asha@example.com",
    });
    json!({"responseCode": "200", "data": data}).to_string()
}

fn created() -> String {
    let data = json!({"url": "https://pay.example.com/c/1"});
    json!({"responseCode": "200", "data": data}).to_string()
}

#[test]
fn each_operation_sends_its_own_path_headers_and_body() {
    let server = MockServer::start();
    let create = server.mock(|when, then| {
        when.method(POST)
            .path(CREATE)
            .header("Content-Type", "application/json")
            .header("ACCESS-TOKEN", "token-1")
            .header_missing("X-SECRET-KEY")
            .json_body_includes(r#"{"amount":"100.00","orderId":"O-1","currencyCode":"INR"}"#);
        then.status(200).body(created());
    });
    let status = server.mock(|when, then| {
        when.method(POST)
            .path(STATUS)
            .header("X-CLIENT-KEY", "key-1")
            .header("X-CLIENT-ID", "id-1")
            .header("X-SECRET-KEY", "secret-1")
            .header_missing("ACCESS-TOKEN")
            .json_body(json!({"searchType": "1", "orderId": "O-1"}));
        then.status(200).body(paid());
    });
    let (client, options) = (client(&server), CallOptions::default());
    let checkout = client.create_order(&order(), &options).expect("a checkout");
    assert_eq!(checkout.url(), "https://pay.example.com/c/1");
    let found = client.get_status(&query(), &options).expect("a status");
    assert!(found.is_completed());
    assert_eq!((create.calls(), status.calls()), (1, 1));
}

/// An HTTP status, a body, and the code, cause, outcome and action of Create Order. The message and
/// other keys decide nothing.
const ENVELOPES: &str = r#"
    400 {"responseCode":"400"} Rejected ServiceRefused Rejected ShowReason
    200 {"responseCode":"422"} Rejected ServiceRefused Rejected ShowReason
    403 {"responseCode":""} Unauthorized Unauthorized Rejected CheckCredentials
    429 {"responseCode":""} RateLimited RateLimited Rejected RetryLater
    503 {"responseCode":""} ServiceFailed ServiceError Unknown AskStatus
    200 {"responseCode":"500"} ServiceFailed ServiceError Unknown AskStatus
    409 {"responseCode":""} ServiceFailed OrderExists Unknown AskPerson
    307 {"responseCode":""} BadResponse Redirected Unknown AskStatus
    400 {"responseCode":"200"} BadResponse RefusalUnclear Unknown AskStatus
    200 {"responseCode":"200"} BadResponse CheckoutUrlMissing Unknown AskStatus
    400 {"responseCode":"404","responseMessage":"Success"} Rejected ServiceRefused Rejected ShowReason
    200 {"responseCode":"500","responseMessage":"200"} ServiceFailed ServiceError Unknown AskStatus
    200 {} BadResponse ResponseCodeMissing Unknown AskStatus
    200 {"ResponseCode":"200"} BadResponse ResponseCodeMissing Unknown AskStatus
    200 {"data":{"responseCode":"200"}} BadResponse ResponseCodeMissing Unknown AskStatus
    200 <html> BadResponse ResponseNotJson Unknown AskStatus
"#;

#[test]
fn an_envelope_becomes_one_code_cause_outcome_and_action() {
    for line in ENVELOPES.trim().lines() {
        let mut parts = line.trim().splitn(3, ' ');
        let [status, body, expected] = [(); 3].map(|()| parts.next().expect("three parts"));
        let server = MockServer::start();
        let mock = answering(&server, status.parse().expect("a status"), body);
        let made = client(&server).create_order(&order(), &CallOptions::default());
        let error = made.expect_err("a failure");
        let (code, cause, outcome) = (error.code(), error.cause(), error.outcome());
        let said = format!("{code:?} {cause:?} {outcome:?} {:?}", error.action());
        assert_eq!(said, expected, "{line}: {error}");
        let may_exist = outcome == Outcome::Unknown;
        assert_eq!(error.status_query().is_some(), may_exist, "{error}");
        assert_eq!(mock.calls(), 1, "an order is never sent twice");
    }
}

#[test]
fn a_status_is_asked_for_again_after_what_may_pass() {
    for (status, body, calls) in [
        (503, "{}", 3),
        (408, "", 3),
        (429, "", 3),
        (200, r#"{"responseCode":"429"}"#, 3),
        (200, r#"{"responseCode":"200","data":{"orderId":"O-9"}}"#, 3),
        (200, "<html>", 3),
        (302, "", 3),
        (400, "{}", 1),
        (401, "{}", 1),
        (200, r#"{"responseCode":"404"}"#, 1),
    ] {
        let server = MockServer::start();
        let mock = answering(&server, status, body);
        let mut config = config(&server);
        config.status_retries = 2;
        let client = Client::new(config).expect("a client");
        let asked = client.get_status(&query(), &CallOptions::default());
        let error = asked.expect_err("a failure");
        assert_eq!(
            (mock.calls(), error.attempts()),
            (calls, Some(calls as u32)),
            "{error}"
        );
    }
}

#[test]
fn retry_after_is_obeyed_in_seconds_and_as_a_date_and_ignored_if_it_is_neither() {
    // A date has whole seconds, so three ahead are at least two.
    let date = httpdate::fmt_http_date(SystemTime::now() + Duration::from_secs(3));
    let past = "Sun, 06 Nov 1994 08:49:37 GMT";
    let ignored = [
        "0",
        past,
        "",
        "soon",
        "-5",
        "1.5",
        "Sun, 99 Xxx 2026 99:99:99 GMT",
    ];
    let ignored = ignored.map(|value| (value, 0..4000));
    for (value, time) in [(&*date, 1500..9000), ("1", 990..9000)]
        .into_iter()
        .chain(ignored)
    {
        let server = MockServer::start();
        let mock = server.mock(|when, then| {
            when.method(POST).path(STATUS);
            then.status(503).header("Retry-After", value);
        });
        let mut config = config(&server);
        config.status_retries = 1;
        let client = Client::new(config).expect("a client");
        let began = Instant::now();
        let asked = client.get_status(&query(), &CallOptions::default());
        let took = began.elapsed().as_millis();
        assert_eq!((asked.is_err(), mock.calls()), (true, 2), "{value}");
        assert!(time.contains(&took), "{value}: {took} ms");
    }
}

#[test]
fn a_status_that_is_shown_has_no_customer_data() {
    let server = MockServer::start();
    answering(&server, 200, paid());
    let options = CallOptions::default();
    let status = client(&server).get_status(&query(), &options).unwrap();
    assert_eq!(status.field("cardNumber"), None);
    let shown = format!("{status:?}");
    assert!(shown.contains("Completed"), "{shown}");
    for private in ["customerName", "customerMobile", "customerEmail"] {
        let value = status.field(private).expect("a field");
        assert!(!value.is_empty() && !shown.contains(value), "{shown}");
    }
}

#[test]
fn log_events_come_as_values_and_a_panic_of_the_log_changes_nothing() {
    let server = MockServer::start();
    answering(&server, 200, created());
    let client = client(&server);
    let options = CallOptions::default();
    let create = || client.create_order(&order(), &options).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    client.set_log(Some(Box::new(move |event| {
        assert_eq!(event.operation, Operation::CreateOrder);
        assert_eq!(event.subject.as_deref(), Some(&query()));
        let step = (event.step, event.attempt, event.result);
        log.lock().unwrap().push(step);
        panic!("a bug in the program");
    })));
    let _ = create();
    client.set_log(None);
    let _ = create();
    let expected = [
        (Step::AttemptStarted, 1, None),
        (Step::AttemptFinished, 1, Some(Code::Ok)),
        (Step::CallFinished, 1, Some(Code::Ok)),
    ];
    assert_eq!(*seen.lock().unwrap(), expected);
}

/// Texts are checked when they are parsed, typed options when the call starts.
#[test]
fn a_query_with_a_blank_identifier_is_refused_however_it_was_made() {
    let server = MockServer::start();
    let mock = answering(&server, 200, paid());
    let client = client(&server);
    for (made, query, field) in [
        (
            StatusQuery::by_order(" "),
            StatusQuery::Order(" ".into()),
            "orderId",
        ),
        (
            StatusQuery::by_transaction(""),
            StatusQuery::Transaction("".into()),
            "transactionId",
        ),
    ] {
        let (call, wait) = (CallOptions::default(), WaitOptions::default());
        let asked = client.get_status(&query, &call).err();
        let waited = client.wait_for_payment(&query, &wait).err();
        let mut in_many = None;
        let each = |_: usize, result: Result<_, Error>| {
            in_many = result.err();
            true
        };
        let many = client.get_statuses([query], &StatusesOptions::default(), each);
        let _ = many.expect("many statuses");
        for error in [made.err(), asked, waited, in_many] {
            let error = error.expect("a blank identifier is refused");
            assert_eq!(error.code(), Code::InvalidRequest);
            assert_eq!(error.action(), Action::FixRequest);
            let violations = error.all_violations().iter();
            let violations: Vec<_> = violations.map(|one| (&*one.field, one.rule)).collect();
            assert_eq!(violations, [(field, Rule::Blank)]);
        }
    }
    assert_eq!(mock.calls(), 0, "nothing is sent");
}

#[test]
fn a_panic_of_the_programs_own_code_goes_on_after_the_call() {
    let server = MockServer::start();
    let mock = answering(&server, 200, paid());
    let client = client(&server);
    let options = changed::<StatusesOptions>(|options| options.concurrency = 1);
    let panic_of = |next: fn() -> StatusQuery<'static>| {
        let queries = std::iter::repeat_with(next);
        let call = || client.get_statuses(queries, &options, |_, _| panic!("a failed assert"));
        let panic = catch_unwind(AssertUnwindSafe(call)).expect_err("the panic goes on");
        *panic.downcast_ref::<&str>().expect("its words")
    };
    assert_eq!(panic_of(query), "a failed assert");
    assert!(mock.calls() <= 2, "the batch ends");
    assert_eq!(panic_of(|| panic!("no query")), "no query");
}

#[test]
fn what_debug_shows_has_no_customer_and_names_are_those_of_errors() {
    let fields = format!("{:?}", order());
    assert!(
        fields.contains("O-1") && fields.contains("100.00"),
        "{fields}"
    );
    for personal in ["Asha", "9000000000", "asha@", "shop.example"] {
        assert!(!fields.contains(personal), "{fields}");
    }
    let options = changed::<CallOptions>(|options| {
        options.extra_fields = vec![("note".into(), "Asha".into())];
    });
    let json = JsonOptions {
        text: Some(r#"{"accessToken":"Asha"}"#),
        ..JsonOptions::default()
    };
    let checkout = Checkout::new("https://pay.example.com/Asha");
    for shown in [
        format!("{options:?}"),
        format!("{json:?}"),
        format!("{checkout:?}"),
    ] {
        assert!(!shown.contains("Asha"), "{shown}");
    }
    let owned = order().into_owned();
    let error = std::thread::spawn(move || Client::from_json("{}").map(|_| owned).err().unwrap());
    let error = error.join().unwrap();
    let shown = format!("{error:?}");
    for part in ["outcome: NotSent", "cause: InvalidValue", "operation: None"] {
        assert!(shown.contains(part), "{shown}");
    }
    assert_eq!(error.outcome().to_string(), "not_sent");
    assert_eq!(error.code().to_string(), "PAYORDER_INVALID_CONFIG");
    let names = json!([error.cause(), error.action(), Operation::CreateOrder]);
    assert_eq!(
        names,
        json!(["invalid_value", "fix_configuration", "create_order"])
    );
}

#[test]
fn a_test_of_a_program_can_make_results() {
    let status = Status::from_json(&paid()).expect("a status");
    assert!(status.is_completed() && status.json().contains(r#""derived":{"completed":true"#));
    assert_eq!(
        Status::from_json(status.json()).unwrap().json(),
        status.json()
    );
    for no_success in ["", "{}", r#"{"responseCode":"404"}"#] {
        let error = Status::from_json(no_success).expect_err(no_success);
        assert_eq!(error.code(), Code::InvalidArgument);
    }
    let checkout = Checkout::new("https://pay.example.com/c/1");
    assert!(created().contains(checkout.url()) && checkout.json().contains(checkout.url()));
}

/// The default options with a change.
fn changed<Options: Default>(change: impl Fn(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

#[test]
fn options_out_of_range_send_nothing() {
    let server = MockServer::start();
    let mock = answering(&server, 200, paid());
    let client = client(&server);
    let refused = |error: Option<Error>, options: &dyn Debug| {
        let code = error.map(|error| error.code());
        assert_eq!(code, Some(Code::InvalidArgument), "{options:?}");
    };
    let timeout = |milliseconds| Some(Duration::from_millis(milliseconds));
    let extra = |name: &str| vec![(name.to_owned(), "x".into())];
    for options in [
        changed::<CallOptions>(|options| options.timeout = timeout(0)),
        changed::<CallOptions>(|options| options.timeout = timeout(600_001)),
        changed::<CallOptions>(|options| options.extra_fields = extra("amount")),
        changed::<CallOptions>(|options| options.extra_fields = extra("redirectionURL")),
        changed::<CallOptions>(|options| options.resend = true),
    ] {
        refused(client.create_order(&order(), &options).err(), &options);
    }
    for options in [
        changed::<WaitOptions>(|options| options.call.timeout = timeout(0)),
        changed::<WaitOptions>(|options| options.wait = Duration::ZERO),
        changed::<WaitOptions>(|options| options.wait = Duration::from_secs(86_401)),
        changed::<WaitOptions>(|options| options.interval = Duration::from_millis(9)),
        changed::<WaitOptions>(|options| options.max_interval = Duration::from_secs(601)),
        changed::<WaitOptions>(|options| options.final_statuses = vec![" ".into()]),
    ] {
        refused(client.wait_for_payment(&query(), &options).err(), &options);
    }
    for options in [
        changed::<StatusesOptions>(|options| options.call.timeout = timeout(0)),
        changed::<StatusesOptions>(|options| options.concurrency = 0),
        changed::<StatusesOptions>(|options| options.concurrency = 65),
        changed::<StatusesOptions>(|options| options.rate_per_second = Some(0.0)),
        changed::<StatusesOptions>(|options| options.rate_per_second = Some(f64::NAN)),
    ] {
        let result = client.get_statuses([query()], &options, |_, _| true);
        refused(result.err(), &options);
    }
    assert_eq!(mock.calls(), 0, "nothing is sent");
    let mut broken = config(&server);
    broken.max_response_bytes = 5;
    broken.create_retries = 11;
    let error = Client::new(broken).err().unwrap();
    assert_eq!(error.code(), Code::InvalidConfig);
    for key in ["maxResponseBytes", "createRetries"] {
        assert!(error.to_string().contains(key), "{error}");
    }
}

#[test]
fn sales_that_recover_cannot_honour_are_refused() {
    let server = MockServer::start();
    let mock = answering(&server, 200, paid());
    let client = client(&server);
    let options = RecoverOptions::default();
    let old = Expected::new("O-1", "100.00", None)
        .and_then(|sale| sale.not_before("2026-01-01T00:00:00Z"))
        .expect("a sale");
    let other = Expected::new("O-1", "100.00", Some("T-1")).expect("a sale");
    for sales in [vec![old], vec![other]] {
        let error = client.recover(&sales, &options).expect_err("a field");
        assert_eq!(error.code(), Code::InvalidRequest);
        assert!(error.to_string().starts_with("sale 0: "), "{error}");
        let started = client.start_recover(sales, &options).err();
        assert_eq!(started.expect("a field").code(), Code::InvalidRequest);
    }
    let no_sales = client.recover(&[], &options).expect_err("no journal");
    let none_started = client.start_recover(Vec::new(), &options).err();
    for error in [no_sales, none_started.expect("no journal")] {
        let found = (error.code(), error.cause());
        assert_eq!(found, (Code::InvalidArgument, Cause::NoJournal));
    }
    assert_eq!(mock.calls(), 0, "nothing is sent");
}

#[test]
fn the_journals_options_and_events_are_values() {
    let server = MockServer::start();
    let mut failing = answering(&server, 503, "");
    let folder = tempfile::tempdir().expect("a folder");
    let mut with_journal = config(&server);
    with_journal.journal = Some(folder.path().join("journal.db").into());
    let client = Client::new(with_journal).unwrap();
    let code = |error: Option<Error>| error.map(|error| error.code());
    for limit in [0, 10_001] {
        let options = changed::<ListOptions>(|options| options.limit = limit);
        let refused = client.journal_list(&options).err();
        assert_eq!(code(refused), Some(Code::InvalidArgument));
    }
    for days in [0, 3651] {
        let options = changed::<PruneOptions>(|options| options.older_than_days = days);
        let refused = client.journal_prune(&options).err();
        assert_eq!(code(refused), Some(Code::InvalidArgument));
    }
    let mut long = SettleOptions::new(1);
    long.note = Some("x".repeat(201));
    for options in [SettleOptions::new(7), long] {
        let refused = client.journal_settle(&options).err();
        assert_eq!(code(refused), Some(Code::InvalidArgument));
    }

    client
        .create_order(&order(), &CallOptions::default())
        .unwrap_err();
    failing.delete();
    answering(&server, 200, paid());
    let _ = client.journal_resolve(&StatusesOptions::default()).unwrap();
    let of_order = changed::<ListOptions>(|options| {
        options.order_id = Some("O-1".into());
        options.events = true;
    });
    let found = client.journal_list(&of_order).unwrap().entries;
    let events = found[0].events.as_deref().unwrap();
    let kinds: Vec<&str> = events.iter().map(|event| event.event.as_str()).collect();
    assert_eq!(kinds, ["sending", "attempt", "status"]);
    let status = &events[2].details.transaction_status;
    assert_eq!(status.as_deref(), Some("Completed"));
    let connection = events[1].connection.as_ref().unwrap();
    assert_eq!((connection.tls, connection.proxy), (false, false));
}

#[test]
fn what_debug_shows_of_the_journal_has_no_payment_page() {
    let server = MockServer::start();
    let mut creating = answering(&server, 200, created());
    let folder = tempfile::tempdir().expect("a folder");
    let mut config = config(&server);
    config.journal = Some(folder.path().join("journal.db").into());
    let client = Client::new(config).unwrap();
    let checkout = client.create_order(&order(), &CallOptions::default());
    creating.delete();
    answering(&server, 200, paid().replace("Completed", "Pending"));
    let entries = client.journal_list(&ListOptions::default()).unwrap();
    let recovered = client.recover(&[], &RecoverOptions::default()).unwrap();
    let page = checkout.unwrap().url().to_owned();
    assert_eq!(entries.entries[0].url.as_ref(), Some(&page));
    assert_eq!(recovered.sales[0].url.as_ref(), Some(&page));
    for shown in [format!("{entries:?}"), format!("{recovered:?}")] {
        assert!(shown.contains("O-1") && !shown.contains(&page), "{shown}");
    }
}
