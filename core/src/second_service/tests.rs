//! The whole client speaks to the second service.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

use super::{SERVICE, TOKEN};
use crate::client::Client;
use crate::credentials::Credentials;
use crate::error::{Cause, Code, Error, Operation, Outcome};
use crate::settings::config::Config;
use crate::settings::problems::Problems;
use crate::settings::validation::Settings;
use crate::{CallOptions, JsonOptions, StatusQuery};

const ORDER: &str =
    r#"{"order_id":"O-1","receipt_no":"T-1","amount_due":"100.00","currency":"INR"}"#;

/// A service that gives each request the next of these answers, and returns the requests.
fn service(answers: Vec<(u16, &'static str)>) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let mut requests = Vec::new();
        for (status, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"}") {
                let mut bytes = [0; 4096];
                let count = stream.read(&mut bytes).unwrap();
                request.extend_from_slice(&bytes[..count]);
            }
            requests.push(String::from_utf8(request).unwrap());
            let length = body.len();
            let answer = format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n\r\n{body}");
            stream.write_all(answer.as_bytes()).unwrap();
        }
        requests
    });
    (url, served)
}

fn client(url: &str, change: impl FnOnce(&mut Config)) -> Client {
    let mut config = Config::new(url);
    let mut credentials = Credentials::default();
    credentials.set(TOKEN, "Qz7-bearer").unwrap();
    config.credentials = credentials;
    config.max_idle = std::time::Duration::ZERO;
    change(&mut config);
    Client::with(Settings::for_service(&SERVICE, config, Problems::default()).unwrap())
}

fn create(client: &Client) -> Result<String, Error> {
    client.call(Operation::CreateOrder, |call| {
        call.make(Some(ORDER), JsonOptions::default())
    })
}

#[test]
fn an_order_and_its_status_have_the_words_of_the_service() {
    let (url, served) = service(vec![
        (201, r#"{"state":"open","pay_at":"http://127.0.0.1/pay/1"}"#),
        (
            201,
            r#"{"state":"done","order_id":"O-1","payment_id":"P-1","amount_due":"100.00"}"#,
        ),
    ]);
    let client = client(&url, |_| {});
    assert!(create(&client).unwrap().contains("/pay/1"));
    let query = StatusQuery::by_order("O-1").unwrap();
    let status = client.get_status(&query, &CallOptions::default()).unwrap();
    assert!(status.is_completed());
    assert_eq!(
        (status.transaction_id(), status.amount()),
        ("P-1", "100.00")
    );

    let requests = served.join().unwrap();
    assert!(
        requests[0].starts_with("POST /v2/payments HTTP/1.1\r\n"),
        "{}",
        requests[0]
    );
    assert!(
        requests[1].starts_with("POST /v2/payments/find HTTP/1.1\r\n"),
        "{}",
        requests[1]
    );
    for request in &requests {
        assert!(
            request.contains("\r\nauthorization: Bearer Qz7-bearer\r\n"),
            "{request}"
        );
        assert!(
            !request.contains("access-token") && !request.contains("orderId"),
            "{request}"
        );
    }
    assert!(
        requests[0].contains(r#""receipt_no":"T-1""#),
        "{}",
        requests[0]
    );
}

#[test]
fn what_its_responses_mean_is_its_own_rule() {
    for (status, code, cause, outcome) in [
        (
            422,
            Code::Rejected,
            Cause::ServiceRefused,
            Outcome::Rejected,
        ),
        // A refusal of the first service, but not of this one.
        (
            404,
            Code::BadResponse,
            Cause::ResponseNotJson,
            Outcome::Unknown,
        ),
        (
            423,
            Code::ServiceFailed,
            Cause::OrderExists,
            Outcome::Unknown,
        ),
    ] {
        let (url, served) = service(vec![(status, "{}")]);
        let error = create(&client(&url, |_| {})).unwrap_err();
        assert_eq!(
            (error.code(), error.cause(), error.outcome()),
            (code, cause, outcome)
        );
        served.join().unwrap();
    }
    let incomplete = Some(r#"{"order_id":"O-1"}"#);
    let error = client("http://127.0.0.1:9", |_| {})
        .call(Operation::CreateOrder, |call| {
            call.make(incomplete, JsonOptions::default())
        })
        .unwrap_err();
    assert_eq!(error.all_violations()[0].field, "receipt_no");
    let error = client("http://127.0.0.1:9", |config| {
        config.credentials = Credentials::default()
    });
    let error = create(&error).unwrap_err();
    assert!(
        error.to_string().starts_with("New Payment needs token"),
        "{error}"
    );
}

#[cfg(feature = "journal")]
#[test]
fn its_orders_are_in_the_journal_and_can_be_recovered() {
    let folder = std::env::temp_dir().join(format!("payorder-second-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let (url, served) = service(vec![
        (500, ""),
        (
            201,
            r#"{"state":"done","order_id":"O-1","payment_id":"P-1","amount_due":"100.00"}"#,
        ),
    ]);
    let client = client(&url, |config| {
        config.journal = Some(folder.join("orders.db").into())
    });
    assert_eq!(create(&client).unwrap_err().outcome(), Outcome::Unknown);
    let recovered = client
        .recover(&[], &crate::RecoverOptions::default())
        .unwrap();
    let sale = &recovered.sales[0];
    assert!(matches!(sale.verdict, crate::SaleVerdict::Paid), "{sale:?}");
    assert_eq!(create(&client).unwrap_err().code(), Code::Duplicate);
    served.join().unwrap();
    std::fs::remove_dir_all(&folder).unwrap();
}
