//! What only a Rust program sees of a failure: the source of its error. `core/tests` has options and
//! log events as values; the conformance suite drives the same calls through the crate.

use std::error::Error as _;
use std::io;

use payorder_core::{
    Action, CallOptions, Cause, Client, Config, Credentials, Error, ListOptions, Operation, Order,
    OrderFields, ProxyChoice,
};
use support::responses::{created, http};
use support::service::{Service, close, reset, respond};
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

#[cfg(unix)]
#[test]
fn a_forked_child_must_ask_about_an_order_that_its_parent_started() {
    let service = Service::start([respond(created())]);
    let client = Client::new(config(&service.url())).expect("a client");
    let started = client.start_create_order(order(), &CallOptions::default());
    let started = started.expect("it starts");
    in_a_child(|| {
        let error = started.wait().expect_err("the parent's call");
        error.cause() == Cause::Forked
            && error.action() == Action::AskStatus
            && error.operation() == Some(Operation::CreateOrder)
            && error.status_query() == payorder_core::StatusQuery::by_order("O-1").ok()
    });
}

/// On Linux, the program's locks would not keep other processes from the journal, nor would the
/// library's.
#[cfg(all(feature = "journal", target_os = "linux"))]
#[test]
fn a_journal_that_the_program_has_open_with_its_own_sqlite_is_not_used() {
    let folder = Folder::new();
    let path = folder.path().join("journal.db");
    let mut config = config(&refusing_url());
    config.journal = Some(path.clone().into());
    let client = || Client::new(config.clone()).expect("a client");
    let cause_of = |client: &Client| {
        let error = client.create_order(&order(), &CallOptions::default());
        error.expect_err("no service").cause()
    };
    let (works, refused) = (Cause::ConnectionRefused, Cause::JournalUnavailable);
    let own = || {
        let own = rusqlite::Connection::open(&path).expect("a connection");
        let count = "SELECT count(*) FROM payorder_orders";
        let counted = own.query_row(count, [], |row| row.get::<_, i64>(0));
        assert!(counted.is_ok(), "{counted:?}");
        own
    };
    let before = client();
    assert_eq!(cause_of(&before), works);
    // The program opens it second. Then the client is replaced, or the process forks.
    let second = own();
    drop(before);
    let next = client();
    assert_eq!(cause_of(&next), refused);
    drop(second);
    assert_eq!(cause_of(&next), works);
    let second = own();
    in_a_child(|| true);
    assert_eq!(cause_of(&next), refused);
    drop((second, next));
    // It opens it first.
    let first = own();
    let next = client();
    assert_eq!(cause_of(&next), refused);
    drop(first);
    assert_eq!(cause_of(&next), works);
    drop(next);
    let left = std::fs::read_dir("/proc/self/fd").expect("the descriptors");
    let left = left.filter(|one| {
        let path = one.as_ref().map(|one| std::fs::read_link(one.path()));
        path.is_ok_and(|path| path.is_ok_and(|path| path.starts_with(folder.path())))
    });
    assert_eq!(left.count(), 0, "open descriptors");
}

/// Whether it holds in a forked child.
#[cfg(unix)]
#[track_caller]
fn in_a_child(holds: impl FnOnce() -> bool) {
    // SAFETY: the child makes its calls and exits.
    let child = unsafe { libc::fork() };
    if child == 0 {
        // SAFETY: it ends the child at once.
        unsafe { libc::_exit(if holds() { 0 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: `child` is a child process of this test.
    unsafe { libc::waitpid(child, &mut status, 0) };
    assert_eq!(status, 0, "in the child");
}
