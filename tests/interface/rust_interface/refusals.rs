//! What is refused before anything is sent, and what an error says.

use super::{client, config, order, query};
use payorder_core::{
    CallOptions, Client, Code, Error, Rule, StatusQuery, StatusesOptions, WaitOptions,
};
use std::fmt::Debug;
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
    for options in [
        changed::<CallOptions>(|options| options.timeout = timeout(0)),
        changed::<CallOptions>(|options| options.timeout = timeout(600_001)),
        changed::<CallOptions>(|options| {
            options.extra_fields = vec![("amount".into(), "x".into())]
        }),
        changed::<CallOptions>(|options| {
            options.extra_fields = vec![("redirectionURL".into(), "x".into())]
        }),
        changed::<CallOptions>(|options| options.resend = true),
    ] {
        refused(client.create_order(&order("O-1"), &options).err(), &options);
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
    assert!(
        error.to_string().contains("maxResponseBytes")
            && error.to_string().contains("createRetries"),
        "{error}"
    );
}
