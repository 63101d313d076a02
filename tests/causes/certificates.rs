//! Certificates whose time is over or has not come, by a day or by hours. The wire faults have the
//! other ones that the client or the service refuses.

use serde_json::json;

use crate::case::Case;
use crate::wire::OPERATIONS;
use support::abi::Client;
use support::orders::{config, with};
use support::responses::created;
use support::result::TLS_FAILED;
use support::service::{Service, respond};
use support::table;
use support::tls::{Authority, Folder, serving, valid_in_hours};

/// A service presents a certificate that is valid only in these hours, counted from now. A day or
/// more from them, this machine's clock may be wrong.
fn dated(cause: &'static str, hours: (i64, i64), clock_is_wrong: bool) -> [Case; 2] {
    OPERATIONS.map(|operation| {
        let what = format!("valid in the hours {hours:?}");
        let mut case = Case::new(cause, TLS_FAILED, what, move || {
            let authority = Authority::new();
            let identity = authority.identity_with("localhost", |params| {
                valid_in_hours(params, hours.0..hours.1);
            });
            let service = Service::start_tls(serving(identity), [respond(created())]);
            operation(&trusting(&authority, &service.url()))
        });
        case.clock_is_wrong = clock_is_wrong;
        case
    })
}

fn trusting(authority: &Authority, url: &str) -> Client {
    let folder = Folder::new();
    let tls = json!({"caFile": folder.file("ca.pem", authority.pem())});
    Client::new(&with(&config(url), "tls", tls))
}

pub fn cases() -> Vec<Case> {
    let dates = table! {
        "certificate_expired", (-99, -25), true;
        "certificate_not_yet_valid", (25, 99), true;
        "certificate_expired", (-99, -23), false;
        "certificate_not_yet_valid", (23, 99), false;
    };
    let dates = dates.into_iter();
    dates
        .flat_map(|(cause, hours, clock_is_wrong)| dated(cause, hours, clock_is_wrong))
        .collect()
}
