//! Two machines that send the same order at the same moment, when earlier entries of it allow that.

use std::sync::Barrier;
use std::thread;
use std::time::Duration;

use serde_json::json;
use support::abi::Client;
use support::responses::created;
use support::result::DUPLICATE;
use support::service::{Service, close, respond};
use support::shop::{entries, order, states};

use crate::{database, journal_in};

#[test]
fn an_order_that_two_machines_send_again_is_sent_by_one() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let clients = [(); 2].map(|()| Client::new(&journal_in(&database, &service.url())));
    let again = json!({"resend": true});
    for round in 0..12 {
        let order = order(&format!("O-{round}"));
        service.set_script([close(), respond(created())]);
        clients[0].create(&order);
        clients[1].create(&order).is(DUPLICATE);
        let before = service.request_count();
        // Both wait in the database, the second one a little shorter.
        let lock = database.person("BEGIN; LOCK TABLE payorder_orders IN EXCLUSIVE MODE");
        let together = Barrier::new(3);
        thread::scope(|scope| {
            for (number, client) in clients.iter().enumerate() {
                let (together, order, again) = (&together, &order, &again);
                scope.spawn(move || {
                    together.wait();
                    thread::sleep(Duration::from_millis(10 * number as u64));
                    client.create_with(order, again);
                });
            }
            together.wait();
            thread::sleep(Duration::from_millis(50));
            drop(lock);
        });
        assert_eq!(service.request_count(), before + 1, "in round {round}");
    }
}

#[test]
fn a_prune_makes_no_room_for_an_order_that_another_machine_begins() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database, &service.url()));
    client.create(&order("FIRST")).done();
    // An old order that was refused, and which another machine begins again.
    let old = "INSERT INTO payorder_orders (order_id, order_number, merchant_txn_id, txn_number,
            amount, currency_code, body_sha256, body_bytes, state, begun_ms, deadline_ms,
            updated_ms, service)
        SELECT 'A', 1, 'TXN-A', 1, amount, currency_code, body_sha256, 1, 'rejected', 1, 1, 1,
            service
        FROM payorder_orders";
    database.sql(old);
    let again = old
        .replace("'A', 1, 'TXN-A', 1", "'A', 2, 'TXN-A', 2")
        .replace(
            "'rejected', 1, 1, 1",
            "'sending', begun_ms, begun_ms + 600000, begun_ms",
        )
        + " WHERE order_id = 'FIRST'";
    thread::scope(|scope| {
        // Its commit takes a while.
        scope.spawn(|| database.sql(&format!("BEGIN; {again}; SELECT pg_sleep(1); COMMIT")));
        thread::sleep(Duration::from_millis(300));
        let pruning = scope.spawn(|| client.journal_prune(&json!({"olderThanDays": 1})));
        thread::sleep(Duration::from_millis(200));
        client.create(&order("A")).is(DUPLICATE);
        assert_eq!(pruning.join().unwrap().done()["removed"], 1);
    });
    assert_eq!(service.request_count(), 1, "only the first order");
    assert_eq!(states(&entries(&client)), ["FIRST: created", "A: sending"]);
}
