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
    updated_ms BIGINT NOT NULL,
    -- An order is sent once: of two machines that send it at the same moment, one gets the number.
    UNIQUE (order_id, order_number),
    UNIQUE (merchant_txn_id, txn_number)
);
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
CREATE TABLE payorder_version (version INTEGER NOT NULL);
INSERT INTO payorder_version VALUES (1);
