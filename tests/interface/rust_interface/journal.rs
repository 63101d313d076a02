//! The journal, used from Rust.

use super::{client, config, create, order};
use payorder_core::{
    CallOptions, Cause, Client, Code, Config, EntryState, ListOptions, PruneOptions, SettleOptions,
    StatusesOptions,
};
use support::responses::{completed, created};
use support::service::{Reaction, Service};
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
fn an_order_is_recorded_resolved_and_closed() {
    let (folder, service) = (Folder::new(), Service::start([Reaction::Close]));
    let client = journaled(&folder, &service);
    assert!(create(&client, &order("O-1")).is_err());
    let error = create(&client, &order("O-1")).err().unwrap();
    assert_eq!(
        (error.code(), error.cause()),
        (Code::Duplicate, Cause::OrderMayExist)
    );
    let previous = error.previous().unwrap().clone();
    assert_eq!((previous.entry, previous.state), (1, EntryState::Unknown));
    let listed = client.journal_list(&ListOptions::default()).unwrap();
    assert_eq!(listed.entries, [previous]);

    let again = CallOptions {
        resend: true,
        ..CallOptions::default()
    };
    assert!(client.create_order(&order("O-1"), &again).is_err());
    service.set_script([Reaction::Respond(completed("O-1"))]);
    let resolved = client.journal_resolve(&StatusesOptions::default()).unwrap();
    assert_eq!((resolved.summary.asked, resolved.summary.ok), (2, 2));
    assert!(resolved.entries.is_empty());

    service.set_script([Reaction::Respond(created())]);
    let error = create(&client, &order("O-2")).err().unwrap();
    assert_eq!(
        error.cause(),
        Cause::OrderAlreadySent,
        "the transaction is the same"
    );
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
    let later = ListOptions {
        after: 2,
        ..ListOptions::default()
    };
    assert!(client.journal_list(&later).unwrap().entries.is_empty());
    let mut options = SettleOptions::new(1);
    options.note = Some("x".repeat(201));
    assert_eq!(
        client
            .journal_settle(&options)
            .err()
            .map(|error| error.code()),
        Some(Code::InvalidArgument)
    );
    assert_eq!(client.journal_prune(&PruneOptions::default()).unwrap(), 0);
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
    let missing = client_with.journal_settle(&SettleOptions::new(7));
    assert_eq!(
        missing.err().map(|error| error.code()),
        Some(Code::InvalidArgument)
    );
    let without = client(&service).journal_list(&none);
    assert_eq!(
        without.err().map(|error| error.cause()),
        Some(Cause::NoJournal)
    );
}
