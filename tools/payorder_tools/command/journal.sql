-- The tables of payorder's journal. Run this once, as the owner of the database.
CREATE TABLE payorder_orders (
    entry BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    service TEXT NOT NULL,
    order_id TEXT NOT NULL,
    order_number BIGINT NOT NULL,
    merchant_txn_id TEXT NOT NULL,
    txn_number BIGINT NOT NULL,
    amount TEXT NOT NULL,
    currency_code TEXT NOT NULL,
    body_sha256 TEXT NOT NULL,
    body_bytes BIGINT NOT NULL,
    entry_key TEXT UNIQUE,
    state TEXT NOT NULL
        CHECK (state IN ('sending', 'created', 'rejected', 'not_sent', 'unknown', 'settled')),
    begun_ms BIGINT NOT NULL,
    deadline_ms BIGINT NOT NULL,
    url TEXT,
    result INTEGER,
    transaction_id TEXT,
    transaction_status TEXT,
    note TEXT,
    updated_ms BIGINT NOT NULL
);
-- An order is sent once: of two machines that send it at the same moment, one gets the number. The
-- hashes are there because an index has no room for long texts. Texts with the same hash share its
-- numbers.
CREATE UNIQUE INDEX payorder_orders_by_order
    ON payorder_orders (hashtextextended(order_id, 0), order_number);
CREATE UNIQUE INDEX payorder_orders_by_txn
    ON payorder_orders (hashtextextended(merchant_txn_id, 0), txn_number);
CREATE INDEX payorder_orders_by_state ON payorder_orders (state, entry);
CREATE TABLE payorder_events (
    entry BIGINT NOT NULL,
    number BIGINT NOT NULL,
    at_ms BIGINT NOT NULL,
    event TEXT NOT NULL,
    details TEXT NOT NULL,
    connection TEXT,
    PRIMARY KEY (entry, number)
);
-- The number tells these tables from others that take their place.
CREATE TABLE payorder_version (version INTEGER NOT NULL, tables BIGINT NOT NULL);
INSERT INTO payorder_version VALUES (1, (random() * 9000000000000000000)::bigint);
