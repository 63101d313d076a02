//! The tables, and the rights that a role needs.

use serde_json::json;
use support::abi::Client;
use support::patience::until;
use support::postgres::{Database, shared};
use support::responses::created;
use support::result::{DUPLICATE, JOURNAL_FAILED};
use support::service::Service;
use support::shop::{entries, order, states};

use crate::sales::Sales;
use crate::{database, journal_in};

#[test]
fn the_tables_are_in_the_first_schema_of_the_search_path() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&database, &service.url()));
    client.create(&order("A")).done();
    let tables = "SELECT table_name, table_schema FROM information_schema.tables
        WHERE table_name LIKE 'payorder%' AND table_schema = current_schema() ORDER BY 1";
    let own = &database.role;
    let expected =
        ["events", "orders", "version"].map(|name| json!([format!("payorder_{name}"), own]));
    assert_eq!(database.rows(&[tables]), json!(expected));
}

/// What `payorder journal schema` prints.
const SCHEMA: &str = include_str!("../../core/src/journal/postgresql/schema.sql");

/// A database owner's tables, and the role of a till that may use them but not make any.
fn granted(rights: &str) -> Option<(Database, Database)> {
    let owner = shared()?.database().fresh();
    let till = shared()?.database().fresh();
    let (schema, role) = (&owner.role, &till.role);
    let admin = shared()?.database();
    owner.sql(SCHEMA);
    admin.sql(&format!(
        "DROP SCHEMA {role}; ALTER ROLE {role} SET search_path = {schema};
         GRANT USAGE ON SCHEMA {schema} TO {role};
         GRANT {rights} ON ALL TABLES IN SCHEMA {schema} TO {role}"
    ));
    Some((owner, till))
}

#[test]
fn a_role_without_ddl_uses_tables_that_are_there() {
    let Some((owner, till)) = granted("SELECT, INSERT, UPDATE") else {
        return;
    };
    let sales = Sales::new();
    let client = sales.client(&till);
    sales.sell(&client, "A");
    client.create(&order("A")).is(DUPLICATE);
    // A status is recorded although an old one cannot be removed for it.
    owner.sql(
        "INSERT INTO payorder_events SELECT entry, number, 1, 'status', '{}', NULL
            FROM payorder_orders, generate_series(10, 1000) AS number",
    );
    client.journal_resolve(&json!({})).done();
    assert_eq!(entries(&client)[0]["transactionStatus"], "Pending");
    client
        .journal_settle(&json!({"entry": entries(&client)[0]["entry"]}))
        .done();
    // DELETE is only for pruning.
    owner.sql("UPDATE payorder_orders SET updated_ms = 1");
    let reply = client.journal_prune(&json!({}));
    reply.is(JOURNAL_FAILED);
    assert_eq!(
        reply.error()["cause"],
        "journal_read_only",
        "{}",
        reply.text()
    );
    assert_eq!(states(&entries(&client)), ["A: settled"]);
    owner.sql(&format!(
        "GRANT DELETE ON payorder_orders, payorder_events TO {}",
        till.role
    ));
    assert_eq!(client.journal_prune(&json!({})).done()["removed"], 1);
    let left =
        "SELECT (SELECT count(*) FROM payorder_orders), (SELECT count(*) FROM payorder_events)";
    assert_eq!(owner.rows(&[left]), json!([[0, 0]]));
}

#[test]
fn a_role_without_rights_is_named_what_it_needs() {
    let Some((_, reader)) = granted("SELECT") else {
        return;
    };
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&reader, &service.url()));
    let reply = client.create(&order("A"));
    reply.is(JOURNAL_FAILED).says("journal schema");
    assert_eq!(
        reply.error()["cause"],
        "journal_read_only",
        "{}",
        reply.text()
    );
    assert_eq!(entries(&client).len(), 0, "it can read");
    // Neither tables nor the right to make them.
    let Some(empty) = database() else { return };
    let admin = shared().expect("a server").database();
    let (schema, role) = (&empty.role, &reader.role);
    admin.sql(&format!("ALTER ROLE {role} SET search_path = {schema}"));
    let client = Client::new(&journal_in(&reader, &service.url()));
    client
        .create(&order("A"))
        .is(JOURNAL_FAILED)
        .says("journal schema");
    assert_eq!(service.connections(), 0);
}

/// Without it, the outcome of each order would be lost.
#[test]
fn a_role_that_cannot_write_an_outcome_sends_nothing() {
    let Some((owner, till)) = granted("SELECT, INSERT, UPDATE") else {
        return;
    };
    let service = Service::responding(created());
    let client = Client::new(&journal_in(&till, &service.url()));
    for (number, right) in ["UPDATE ON payorder_orders", "INSERT ON payorder_events"]
        .into_iter()
        .enumerate()
    {
        client.create(&order(&format!("BEFORE-{number}"))).done();
        owner.sql(&format!("REVOKE {right} FROM {}", till.role));
        // Over the connection that it has, and over a new one.
        for client in [&client, &Client::new(&journal_in(&till, &service.url()))] {
            let reply = client.create(&order("A"));
            reply.is(JOURNAL_FAILED).says("journal schema");
            let error = reply.error();
            assert_eq!(error["cause"], "journal_read_only", "{right}: {error}");
        }
        assert_eq!(service.request_count(), number + 1);
        owner.sql(&format!("GRANT {right} TO {}", till.role));
    }
    // The outcome changes these columns only.
    owner.sql(&format!(
        "REVOKE UPDATE ON payorder_orders FROM {role};
         GRANT UPDATE (state, url, result, updated_ms) ON payorder_orders TO {role}",
        role = till.role
    ));
    client.create(&order("A")).done();

    // Such a right, but none of its rows.
    owner.sql(&format!(
        "ALTER TABLE payorder_orders ENABLE ROW LEVEL SECURITY;
         CREATE POLICY reads ON payorder_orders FOR SELECT TO {role} USING (true);
         CREATE POLICY begins ON payorder_orders FOR INSERT TO {role} WITH CHECK (true)",
        role = till.role
    ));
    let sent = service.request_count();
    client.create(&order("B")).done();
    client.create(&order("C")).is(JOURNAL_FAILED);
    assert_eq!(service.request_count(), sent + 1);
}

#[test]
fn many_entries_are_removed_in_parts_and_all_that_were_removed_are_counted() {
    let Some(database) = database() else { return };
    let sales = Sales::new();
    let client = sales.client(&database);
    for order_id in ["OLD", "NEW"] {
        sales.sell(&client, order_id);
    }
    // Copies of the first entry, and events of an order that is not there.
    database.sql(
        "UPDATE payorder_orders SET state = 'settled', updated_ms = 1 WHERE order_id = 'OLD';
         INSERT INTO payorder_orders (service, order_id, order_number, merchant_txn_id, txn_number,
            amount, currency_code, body_sha256, body_bytes, state, begun_ms, deadline_ms, updated_ms)
         SELECT service, 'OLD-' || number, 1, 'OLD-' || number, 1, amount, currency_code,
            body_sha256, body_bytes, state, begun_ms, deadline_ms, updated_ms
         FROM payorder_orders, generate_series(2, 3500) AS number WHERE order_id = 'OLD';
         INSERT INTO payorder_events VALUES (9000, 1, 1, 'status', '{}', NULL)",
    );
    let locked = |order_id: &str| {
        database.person(&format!(
            "BEGIN; SELECT FROM payorder_orders WHERE order_id = '{order_id}' FOR UPDATE"
        ))
    };
    let admin = shared().expect("a server").database();
    let active = format!(
        "SELECT count(*) FROM pg_stat_activity WHERE usename = '{}' AND state = 'active'",
        database.role
    );
    // Once the server has ended what was given up.
    let release = |held| {
        until(|| admin.sql(&active) == "0");
        drop(held);
    };
    let removed = || client.journal_prune(&json!({})).done()["removed"].clone();
    let held = locked("OLD-1400");
    std::thread::scope(|scope| {
        let cancelled = scope.spawn(removed);
        until(|| database.sql("SELECT count(*) FROM payorder_orders") == "2501");
        client.cancel();
        assert_eq!(cancelled.join().expect("it returns"), 1000);
    });
    release(held);
    let held = locked("OLD-3400");
    assert_eq!(removed(), 2000);
    release(held);
    assert_eq!(removed(), 500);
    let left = database.rows(&[
        "SELECT order_id, (SELECT count(DISTINCT entry) FROM payorder_events) FROM payorder_orders",
    ]);
    assert_eq!(left, json!([["NEW", 1]]));
}

#[test]
fn tills_that_start_together_make_the_tables_together() {
    let Some(database) = database() else { return };
    let service = Service::responding(created());
    std::thread::scope(|scope| {
        for till in 0..8 {
            let config = journal_in(&database, &service.url());
            scope.spawn(move || {
                Client::new(&config)
                    .create(&order(&format!("T-{till}")))
                    .done()
            });
        }
    });
    assert_eq!(service.request_count(), 8);
}
