//! What is refused before anything is sent, and what an error says.

use super::{client, config, order, query};
use payorder_core::{
    CallOptions, Client, Code, Error, Rule, StatusQuery, StatusesOptions, WaitOptions,
};
use std::time::Duration;
use support::responses::completed;
use support::service::Service;

/// Texts are checked when they are parsed, typed options when the call starts.
#[test]
fn a_query_with_a_blank_identifier_is_refused_however_it_was_made() {
    let service = Service::responding(completed(""));
    let client = client(&service);
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
        let options = WaitOptions::default();
        let asked = client.get_status(&query, &CallOptions::default()).err();
        let waited = client.wait_for_payment(&query, &options).err();
        let mut in_many = None;
        let each = |_: usize, result: Result<_, Error>| {
            in_many = result.err();
            true
        };
        client
            .get_statuses([query], &StatusesOptions::default(), each)
            .expect("many statuses");
        for error in [made.err(), asked, waited, in_many] {
            let error = error.expect("a blank identifier is refused");
            assert_eq!(error.code(), Code::InvalidRequest);
            let violations = error.all_violations();
            assert_eq!(violations.len(), 1, "{violations:?}");
            assert_eq!(violations[0].field, field);
            assert_eq!(violations[0].rule, Rule::Blank);
        }
    }
    assert_eq!(service.requests().len(), 0);
}

#[test]
fn options_out_of_range_send_nothing() {
    let service = Service::responding(completed(""));
    let client = client(&service);
    let call = |timeout: u64| CallOptions {
        timeout: Some(Duration::from_millis(timeout)),
        ..CallOptions::default()
    };
    let extra = |name: &'static str| CallOptions {
        extra_fields: vec![(name.into(), "x".into())],
        ..CallOptions::default()
    };
    let resend = CallOptions {
        resend: true,
        ..CallOptions::default()
    };
    for options in [
        call(0),
        call(600_001),
        extra("amount"),
        extra("redirectionURL"),
        resend,
    ] {
        let result = client.create_order(&order("O-1"), &options);
        assert_eq!(
            result.err().map(|error| error.code()),
            Some(Code::InvalidArgument),
            "{options:?}"
        );
    }
    let wait = WaitOptions::default();
    for options in [
        WaitOptions {
            call: call(0),
            ..wait.clone()
        },
        WaitOptions {
            wait: Duration::ZERO,
            ..wait.clone()
        },
        WaitOptions {
            wait: Duration::from_secs(86_401),
            ..wait.clone()
        },
        WaitOptions {
            interval: Duration::from_millis(9),
            ..wait.clone()
        },
        WaitOptions {
            max_interval: Duration::from_secs(601),
            ..wait
        },
    ] {
        let result = client.wait_for_payment(&query(), &options);
        assert_eq!(
            result.err().map(|error| error.code()),
            Some(Code::InvalidArgument),
            "{options:?}"
        );
    }
    let many = StatusesOptions::default();
    for options in [
        StatusesOptions {
            concurrency: 0,
            ..many.clone()
        },
        StatusesOptions {
            concurrency: 65,
            ..many.clone()
        },
        StatusesOptions {
            rate_per_second: Some(0.0),
            ..many.clone()
        },
        StatusesOptions {
            rate_per_second: Some(f64::NAN),
            ..many.clone()
        },
        StatusesOptions {
            call: call(0),
            ..many
        },
    ] {
        let result = client.get_statuses([query()], &options, |_, _| true);
        assert_eq!(
            result.err().map(|error| error.code()),
            Some(Code::InvalidArgument),
            "{options:?}"
        );
    }
    assert_eq!(service.connections(), 0);
    let mut broken = config(&service.url());
    broken.max_response_bytes = 5;
    broken.create_retries = 11;
    let error = Client::new(broken).err().unwrap();
    assert_eq!(error.code(), Code::InvalidConfig);
    assert!(
        error.to_string().contains("maxResponseBytes")
            && error.to_string().contains("createRetries"),
        "{error}"
    );
}
