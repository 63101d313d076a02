//! What only a Rust program sees: errors with their sources, options as values, and log events as
//! values. The conformance suite drives the same calls through the crate.

use std::error::Error as _;
use std::fmt::Debug;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use payorder_core::{
    Action, CallOptions, Cause, Client, Code, Config, Credentials, Error, ListOptions, Operation,
    Order, OrderFields, ProxyChoice, Rule, StatusQuery, StatusesOptions, Step, WaitOptions,
};
use support::responses::{completed, created, http};
use support::service::{Service, close, reset, respond};
use support::table;
use support::tls::{Authority, Folder, serving};
use support::unreachable::refusing_url;

const SECRETS: [&str; 4] = ["Qz7-access", "Hx3-clientkey", "Vd6-clientid", "Ty9-secret"];
const PASSWORD: &str = "Jk4-password";

fn config(url: &str) -> Config {
    let [access_token, client_key, client_id, secret_key] = SECRETS;
    let mut config = Config::new(url);
    config.proxy = ProxyChoice::None;
    config.credentials = Credentials::default()
        .with_access_token(access_token)
        .and_then(|credentials| credentials.with_client_key(client_key))
        .and_then(|credentials| credentials.with_client_id(client_id))
        .and_then(|credentials| credentials.with_secret_key(secret_key))
        .expect("credentials");
    config.create_retries = 0;
    config.status_retries = 0;
    config
}

fn client(service: &Service) -> Client {
    Client::new(config(&service.url())).expect("a client")
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

/// How an order fails.
#[track_caller]
fn failed(config: Config) -> Error {
    let create = |client: Client| client.create_order(&order(), &CallOptions::default());
    Client::new(config).and_then(create).expect_err("a failure")
}

/// The system error that is its source.
#[track_caller]
fn system(error: &Error) -> io::ErrorKind {
    let source = error.source().expect("a source error");
    source
        .downcast_ref::<io::Error>()
        .expect("a system error")
        .kind()
}

/// The texts of an error and all its sources.
fn shown(error: &Error) -> String {
    let mut text = format!("{error} {error:?}");
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(" {error} {error:?}");
        source = error.source();
    }
    text
}

#[test]
fn the_error_of_the_system_or_of_tls_is_the_source_if_there_is_one() {
    let refused = failed(config(&refusing_url()));
    assert_eq!(refused.cause(), Cause::ConnectionRefused);
    assert_eq!(refused.action(), Action::CheckNetwork);
    assert_eq!(system(&refused), io::ErrorKind::ConnectionRefused);

    let reset = failed(config(&Service::start([reset()]).url()));
    assert_eq!(reset.action(), Action::AskStatus);
    assert_eq!(system(&reset.clone()), io::ErrorKind::ConnectionReset);

    let mut with_file = config("https://pay.example.com");
    with_file.tls.ca_file = Some("/nowhere/ca.pem".into());
    assert_eq!(system(&failed(with_file)), io::ErrorKind::NotFound);

    let identity = Authority::new().identity_for("localhost");
    let service = Service::start_tls(serving(identity), [respond(created())]);
    let error = failed(config(&service.url()));
    let source = error.source().expect("a source error");
    let unknown = rustls::Error::InvalidCertificate(rustls::CertificateError::UnknownIssuer);
    assert_eq!(source.downcast_ref::<rustls::Error>(), Some(&unknown));

    // A failure of the library itself has none.
    for service in [
        Service::responding(http(400, "{}")),
        Service::start([close()]),
    ] {
        let error = failed(config(&service.url()));
        assert!(error.source().is_none(), "{}", shown(&error));
    }
}

#[cfg(feature = "journal")]
#[test]
fn the_number_of_sqlite_is_the_source() {
    let folder = Folder::new();
    let mut with_journal = config(&refusing_url());
    let notes = "notes of the day\n".repeat(500);
    with_journal.journal = Some(folder.file("journal.db", &notes).into());
    let client = Client::new(with_journal).expect("a client");
    let error = client.journal_list(&ListOptions::default()).err().unwrap();
    assert_eq!(error.cause(), Cause::JournalDamaged);
    assert_eq!(error.operation(), Some(Operation::JournalList));
    let source = error.source().expect("a source error");
    assert!(source.to_string().contains("not a database"), "{source}");
    assert!(!shown(&error).contains("notes"), "{}", shown(&error));
}

#[test]
fn no_source_error_shows_a_credential() {
    let identity = Authority::new().identity_for("localhost");
    let tls = Service::start_tls(serving(identity), [close()]);
    let mut errors = vec![failed(config(&refusing_url())), failed(config(&tls.url()))];
    for reaction in [
        reset(),
        respond(SECRETS.join(" ").into_bytes()),
        respond(http(200, SECRETS.join(" "))),
    ] {
        errors.push(failed(config(&Service::start([reaction]).url())));
    }
    let proxy = refusing_url().replace("http://", &format!("http://user:{PASSWORD}@"));
    let mut through_proxy = config("https://pay.example.com");
    through_proxy.proxy = ProxyChoice::Url(proxy);
    errors.push(failed(through_proxy));
    for shown in errors.iter().map(shown) {
        let mut secrets = SECRETS.iter().chain([&PASSWORD]);
        assert!(!secrets.any(|secret| shown.contains(secret)), "{shown}");
    }
}

#[test]
fn a_status_that_is_shown_has_no_customer_data() {
    let service = Service::responding(completed("O-1"));
    let options = CallOptions::default();
    let status = client(&service).get_status(&query(), &options).unwrap();
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
    let service = Service::responding(created());
    let client = client(&service);
    let options = CallOptions::default();
    let create = || client.create_order(&order(), &options).unwrap();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    client.set_log(Some(Box::new(move |event| {
        assert_eq!(event.operation, Operation::CreateOrder);
        assert_eq!(event.subject, Some(&query()));
        let step = (event.step, event.attempt, event.result);
        log.lock().unwrap().push(step);
        panic!("a bug in the program");
    })));
    create();
    client.set_log(None);
    create();
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
    let service = Service::responding(completed(""));
    let client = client(&service);
    for (made, query, field) in table! {
        StatusQuery::by_order(" "), StatusQuery::Order(" ".into()), "orderId";
        StatusQuery::by_transaction(""), StatusQuery::Transaction("".into()), "transactionId";
    } {
        let (call, wait) = (CallOptions::default(), WaitOptions::default());
        let asked = client.get_status(&query, &call).err();
        let waited = client.wait_for_payment(&query, &wait).err();
        let mut in_many = None;
        let each = |_: usize, result: Result<_, Error>| {
            in_many = result.err();
            true
        };
        let many = client.get_statuses([query], &StatusesOptions::default(), each);
        many.expect("many statuses");
        for error in [made.err(), asked, waited, in_many] {
            let error = error.expect("a blank identifier is refused");
            assert_eq!(error.code(), Code::InvalidRequest);
            assert_eq!(error.action(), Action::FixRequest);
            let violations = error.all_violations().iter();
            let violations: Vec<_> = violations.map(|one| (&*one.field, one.rule)).collect();
            assert_eq!(violations, [(field, Rule::Blank)]);
        }
    }
    assert_eq!(service.connections(), 0);
}

/// The default options with a change.
fn changed<Options: Default>(change: impl Fn(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

#[test]
fn options_out_of_range_send_nothing() {
    let service = Service::responding(completed(""));
    let client = client(&service);
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
    assert_eq!(service.connections(), 0);
    let mut broken = config(&service.url());
    broken.max_response_bytes = 5;
    broken.create_retries = 11;
    let error = Client::new(broken).err().unwrap();
    assert_eq!(error.code(), Code::InvalidConfig);
    for key in ["maxResponseBytes", "createRetries"] {
        assert!(error.to_string().contains(key), "{error}");
    }
}

#[cfg(feature = "journal")]
#[test]
fn the_journals_options_and_events_are_values() {
    use payorder_core::{PruneOptions, SettleOptions};
    let (folder, service) = (Folder::new(), Service::start([close()]));
    let mut with_journal = config(&service.url());
    with_journal.journal = Some(folder.path().join("journal.db"));
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
    service.set_script([respond(completed("O-1"))]);
    client.journal_resolve(&StatusesOptions::default()).unwrap();
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
