//! A Rust program that uses the library without the C interface gets the same promises.

#[cfg(all(feature = "journal", target_os = "linux"))]
mod journal;
mod refusals;

use payorder_core::{
    CallOptions, CancellationToken, Checkout, Client, Code, Config, Credentials, Error, Operation,
    Order, OrderFields, StatusQuery, StatusesOptions, Step,
};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use support::responses::{completed, created};
use support::service::{Service, stall};

const FIELDS: OrderFields<'static> = OrderFields {
    amount: "100.10",
    merchant_txn_id: "T-1",
    order_id: "O-1",
    pay_mode: "upi",
    merchant_id: "M-1",
    product_info: "Two coffees",
    customer_name: "Asha Verma",
    customer_mobile: "9876543210",
    customer_email: "asha@example.com",
    redirection_url: "https://shop.example.com/done",
    currency_code: "INR",
};

fn order(order_id: &str) -> Order<'_> {
    Order::new(OrderFields { order_id, ..FIELDS }).unwrap()
}

fn config(url: &str) -> Config {
    let mut config = Config::new(url);
    config.credentials = Credentials::default()
        .with_access_token("token")
        .and_then(|all| all.with_client_key("key"))
        .and_then(|all| all.with_client_id("id"))
        .and_then(|all| all.with_secret_key("secret"))
        .unwrap();
    config.create_retries = 0;
    config.status_retries = 0;
    config
}

fn client(service: &Service) -> Client {
    Client::new(config(&service.url())).unwrap()
}

fn create(client: &Client, order: &Order<'_>) -> Result<Checkout, Error> {
    client.create_order(order, &CallOptions::default())
}

fn query() -> StatusQuery<'static> {
    StatusQuery::by_order("O-1").unwrap()
}

#[test]
fn a_status_that_is_shown_has_no_customer_data() {
    let service = Service::responding(completed("O-1"));
    let status = client(&service)
        .get_status(&query(), &CallOptions::default())
        .unwrap();
    assert_eq!(status.field("cardNumber"), None);
    let shown = format!("{status:?}");
    assert!(shown.contains("Completed"), "{shown}");
    for private in ["customerName", "customerMobile", "customerEmail"] {
        let value = status.field(private).expect("a field");
        assert!(!value.is_empty() && !shown.contains(value), "{shown}");
    }
}

#[test]
fn many_queries_are_read_one_by_one_as_they_are_sent() {
    let service = Service::responding(completed(""));
    let client = client(&service);
    let taken = Arc::new(Mutex::new(0));
    let counted = Arc::clone(&taken);
    let endless = (0..).map(move |number| {
        *counted.lock().unwrap() += 1;
        StatusQuery::Order(format!("O-{number}").into())
    });
    let options = StatusesOptions {
        concurrency: 2,
        ..StatusesOptions::default()
    };
    let mut results = 0;
    let summary = client
        .get_statuses(endless, &options, |_, result| {
            results += 1;
            assert!(result.is_ok(), "{result:?}");
            results < 10
        })
        .unwrap();
    assert!(summary.stopped);
    assert_eq!(summary.asked, results);
    assert_eq!((summary.ok, summary.unknown), (results, 0));
    assert_eq!(summary.transaction_status["Completed"], results);
    assert!(
        *taken.lock().unwrap() <= results + 4,
        "the queries were read too early"
    );
}

#[test]
fn a_token_or_the_client_ends_a_call_and_a_clone_is_the_same_client() {
    let service = Service::start([stall()]);
    let client = client(&service);
    let token = CancellationToken::new();
    for (number, by_token) in [true, false].into_iter().enumerate() {
        let options = CallOptions {
            cancellation: by_token.then(|| token.clone()),
            ..CallOptions::default()
        };
        let (end, took) = std::thread::scope(|scope| {
            let (client, clone) = (&client, client.clone());
            let call = scope.spawn(move || client.create_order(&order("O-1"), &options));
            service.wait_for_requests(number + 1);
            let began = Instant::now();
            match by_token {
                true => token.cancel(),
                false => clone.cancel(),
            }
            (call.join().unwrap(), began.elapsed())
        });
        assert_eq!(
            end.err().map(|error| error.code()),
            Some(Code::CancelledInFlight)
        );
        assert!(took < Duration::from_secs(3), "{took:?}");
    }
    assert!(token.is_cancelled());
}

#[test]
fn log_events_come_as_values() {
    let service = Service::responding(created());
    let client = client(&service);
    let seen = Arc::new(Mutex::new(Vec::new()));
    let log = Arc::clone(&seen);
    client.set_log(Some(Box::new(move |event| {
        assert_eq!(event.operation, Operation::CreateOrder);
        assert_eq!(event.subject, Some(&query()));
        log.lock()
            .unwrap()
            .push((event.step, event.attempt, event.result));
        // What a log does is not the call's business.
        panic!("a bug in the program");
    })));
    create(&client, &order("O-1")).unwrap();
    client.set_log(None);
    create(&client, &order("O-1")).unwrap();
    assert_eq!(
        *seen.lock().unwrap(),
        [
            (Step::AttemptStarted, 1, None),
            (Step::AttemptFinished, 1, Some(Code::Ok)),
            (Step::CallFinished, 1, Some(Code::Ok)),
        ]
    );
}
