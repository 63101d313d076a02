//! The journal, used from Rust.

use super::{client, config, create, order};
use payorder_core::{
    Cause, Client, Code, Config, ListOptions, PruneOptions, SettleOptions, StatusesOptions,
};
use support::responses::{completed, created};
use support::service::{Service, close, respond};
use support::tls::Folder;

fn journaled(folder: &Folder, service: &Service) -> Client {
    let journal = Some(folder.path().join("journal.db"));
    Client::new(Config {
        journal,
        ..config(&service.url())
    })
    .unwrap()
}

#[test]
fn the_events_of_an_order_are_values() {
    let (folder, service) = (Folder::new(), Service::start([close()]));
    let client = journaled(&folder, &service);
    assert!(create(&client, &order("O-1")).is_err());
    service.set_script([respond(completed("O-1"))]);
    client.journal_resolve(&StatusesOptions::default()).unwrap();
    let of_order = ListOptions {
        order_id: Some("O-1".into()),
        events: true,
        ..ListOptions::default()
    };
    let found = client.journal_list(&of_order).unwrap().entries;
    let events = found[0].events.as_deref().unwrap();
    let kinds: Vec<&str> = events.iter().map(|event| event.event.as_str()).collect();
    assert_eq!(kinds, ["sending", "attempt", "status"]);
    let details = &events[2].details;
    assert_eq!(details.transaction_status.as_deref(), Some("Completed"));
    let connection = events[1].connection.as_ref().unwrap();
    assert_eq!((connection.tls, connection.proxy), (false, false));
}

#[test]
fn journal_options_out_of_range_are_refused() {
    let (folder, service) = (Folder::new(), Service::responding(created()));
    let client_with = journaled(&folder, &service);
    let none = ListOptions::default();
    for limit in [0, 10_001] {
        let options = ListOptions {
            limit,
            ..none.clone()
        };
        let result = client_with.journal_list(&options);
        assert_eq!(
            result.err().map(|error| error.code()),
            Some(Code::InvalidArgument)
        );
    }
    for older_than_days in [0, 3651] {
        let options = PruneOptions {
            older_than_days,
            ..PruneOptions::default()
        };
        let result = client_with.journal_prune(&options);
        assert_eq!(
            result.err().map(|error| error.code()),
            Some(Code::InvalidArgument)
        );
    }
    let mut long = SettleOptions::new(1);
    long.note = Some("x".repeat(201));
    for options in [SettleOptions::new(7), long] {
        let result = client_with.journal_settle(&options);
        assert_eq!(
            result.err().map(|error| error.code()),
            Some(Code::InvalidArgument)
        );
    }
    let without = client(&service).journal_list(&none);
    assert_eq!(
        without.err().map(|error| error.cause()),
        Some(Cause::NoJournal)
    );
}
