//! A client's key is checked on every use: a stale, freed or forged one is an error, and an old key
//! stays invalid.

use serde_json::json;
use std::collections::HashSet;
use std::thread;
use support::abi::{self, Client};
use support::log::unset_log;
use support::orders::{config, order, query};
use support::responses::completed;
use support::rows::Rows;
use support::service::Service;

const INVALID_HANDLE: i32 = 2;

fn is_invalid(rows: &mut Rows, row: &str, key: usize) {
    for reply in [
        abi::create_order(key, &order().to_string(), None),
        abi::get_status(key, &query().to_string(), None),
    ] {
        rows.code(row, &reply, INVALID_HANDLE);
        rows.same(row, &reply.error()["outcome"], &json!("not_sent"));
    }
    rows.same(row, abi::cancel(key), INVALID_HANDLE);
    rows.same(row, unset_log(key), INVALID_HANDLE);
    let freed = if key == 0 { 0 } else { INVALID_HANDLE };
    rows.same(row, abi::free(key), freed);
}

/// The key of a client that is not freed at the end of the test.
fn new_key(config: &serde_json::Value) -> usize {
    let client = Client::new(config);
    let key = client.key();
    std::mem::forget(client);
    key
}

#[test]
fn neither_another_pointer_nor_a_neighbour_of_a_key_is_a_client() {
    let config = config("https://pay.example.com");
    let live: Vec<Client> = (0..4).map(|_| Client::new(&config)).collect();
    let keys: HashSet<usize> = live.iter().map(Client::key).collect();
    let mut rows = Rows::new();
    is_invalid(&mut rows, "NULL", 0);
    let on_the_stack = (&raw const live).addr();
    let far = [
        usize::MAX,
        usize::MAX / 2,
        1 << 31,
        1 << (usize::BITS / 2),
        on_the_stack,
    ];
    let near = keys.iter().flat_map(|key| {
        let steps = (1..=70).flat_map(|step| [key.wrapping_add(step), key.wrapping_sub(step)]);
        steps.chain((0..usize::BITS).map(move |bit| key ^ (1 << bit)))
    });
    for forged in (1..300)
        .chain(far)
        .chain(near)
        .filter(|key| !keys.contains(key))
    {
        is_invalid(&mut rows, &format!("{forged:#x}"), forged);
    }
    for client in &live {
        rows.same("the live clients still work", abi::cancel(client.key()), 0);
    }
    rows.end();
}

/// The pointer types of some languages hold 47 bits (31 on 32-bit systems), and some use the low
/// four bits.
#[test]
fn a_key_fits_in_every_languages_pointer_and_is_never_used_again() {
    let bits = if usize::BITS == 64 { 47 } else { 31 };
    let config = config("http://127.0.0.1:1");
    let first = new_key(&config);
    abi::free(first);
    let mut given = HashSet::from([first]);
    for _ in 0..20_000 {
        let key = new_key(&config);
        assert!(given.insert(key), "{key:#x} was used twice");
        assert!(key.is_multiple_of(16) && key < 1 << bits, "{key:#x}");
        assert_eq!(abi::free(key), 0);
        assert_eq!(abi::cancel(first), INVALID_HANDLE);
    }
    let mut rows = Rows::new();
    is_invalid(&mut rows, "the first key", first);
    rows.end();
}

#[test]
fn clients_may_be_created_used_and_freed_on_all_threads_at_once() {
    let service = Service::responding(completed(""));
    let config = config(&service.url());
    let shared: Vec<usize> = (0..8).map(|_| new_key(&config)).collect();
    thread::scope(|scope| {
        for thread in 0..8usize {
            let (shared, config) = (&shared, &config);
            scope.spawn(move || {
                for round in 0..30 {
                    let key = shared[(thread + round) % 8];
                    if round == 20 && thread % 2 == 0 {
                        abi::free(shared[thread]);
                    }
                    let code = abi::get_status(key, &query().to_string(), None).code;
                    assert!([0, INVALID_HANDLE].contains(&code), "{code}");
                    let own = Client::new(config);
                    own.status(&query()).done();
                    let key = own.key();
                    assert_eq!(abi::free(key), 0);
                    assert_eq!(abi::free(key), INVALID_HANDLE);
                }
            });
        }
    });
    for (number, key) in shared.iter().enumerate() {
        assert_eq!(
            abi::free(*key),
            if number % 2 == 0 { INVALID_HANDLE } else { 0 }
        );
    }
}
