//! A client's key is checked on every use: a stale, freed or forged one is an error, and an old key
//! stays invalid.

use serde_json::json;
use std::collections::HashSet;
use std::thread;
use support::abi::{self, Client, Reply};
use support::log::unset_log;
use support::orders::{config, order, query};
use support::responses::completed;
use support::rows::Rows;
use support::service::Service;

const INVALID_HANDLE: i32 = 2;

fn is_invalid(rows: &mut Rows, row: &str, key: usize) {
    let replies: [Reply; 2] = [
        abi::create_order(key, &order().to_string(), None),
        abi::get_status(key, &query().to_string(), None),
    ];
    for reply in replies {
        rows.same(row, reply.code, INVALID_HANDLE);
        rows.same(
            row,
            &reply.error()["name"],
            &json!("PAYORDER_INVALID_HANDLE"),
        );
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
fn a_pointer_from_elsewhere_is_not_a_client() {
    let live = Client::new(&config("https://pay.example.com"));
    let mut rows = Rows::new();
    is_invalid(&mut rows, "NULL", 0);
    for key in (1..300).chain([
        4096,
        65_536,
        usize::MAX,
        usize::MAX - 1,
        usize::MAX / 2,
        1 << 31,
        1 << (usize::BITS / 2),
    ]) {
        if key != live.key() {
            is_invalid(&mut rows, &format!("{key:#x}"), key);
        }
    }
    let on_the_stack = 0u64;
    is_invalid(
        &mut rows,
        "an address on the stack",
        (&raw const on_the_stack).addr(),
    );
    rows.same("the live client still works", abi::cancel(live.key()), 0);
    rows.end();
}

#[test]
fn a_neighbour_of_a_live_key_is_not_a_client() {
    let live: Vec<Client> = (0..4)
        .map(|_| Client::new(&config("https://pay.example.com")))
        .collect();
    let keys: HashSet<usize> = live.iter().map(Client::key).collect();
    let mut rows = Rows::new();
    for key in &keys {
        let near = (1..=70).flat_map(|step| [key.wrapping_add(step), key.wrapping_sub(step)]);
        let flipped = (0..usize::BITS).map(|bit| key ^ (1 << bit));
        for forged in near.chain(flipped).filter(|forged| !keys.contains(forged)) {
            is_invalid(&mut rows, &format!("{forged:#x} near {key:#x}"), forged);
        }
    }
    for client in &live {
        rows.same("the live clients still work", abi::cancel(client.key()), 0);
    }
    rows.end();
}

#[test]
fn an_old_key_stays_invalid_and_no_key_is_reused() {
    let config = config("http://127.0.0.1:1");
    let first = new_key(&config);
    abi::free(first);
    let mut given = HashSet::from([first]);
    for _ in 0..20_000 {
        let key = new_key(&config);
        assert!(given.insert(key), "{key:#x} was used twice");
        assert_eq!(abi::free(key), 0);
        assert_eq!(abi::cancel(first), INVALID_HANDLE);
    }
    let mut rows = Rows::new();
    is_invalid(&mut rows, "the first key", first);
    rows.end();
}

/// The pointer types of some languages hold 47 bits (31 on 32-bit systems), and some use the low
/// four bits.
#[test]
fn a_key_fits_in_the_pointer_type_of_every_language() {
    let bits = if usize::BITS == 64 { 47 } else { 31 };
    let config = config("http://127.0.0.1:1");
    let mut rows = Rows::new();
    for _ in 0..2000 {
        let key = new_key(&config);
        rows.that(
            &format!("{key:#x}"),
            key.is_multiple_of(16) && key < 1 << bits,
            || "not a multiple of 16 below 2^47".to_owned(),
        );
        abi::free(key);
    }
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
