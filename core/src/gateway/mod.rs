//! The payment service: its paths, headers, credentials, codes, fields and rules, and what its
//! responses mean. No I/O.
//!
//! The client works with the value [`SERVICE`]. Another service is another folder with such a value.

pub(crate) mod checkout;
pub(crate) mod credentials;
pub(crate) mod envelope;
pub(crate) mod fields;
pub(crate) mod order;
pub(crate) mod query;
pub(crate) mod refusal;
pub(crate) mod response;
pub(crate) mod return_url;
pub(crate) mod status;
pub(crate) mod status_data;
pub(crate) mod verify;

use crate::gateway::credentials::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, SECRET_KEY};
use crate::payment::endpoint::Endpoint;
use crate::payment::service::Service;

/// Source: "Create Order", "Get Status" and "Authentication" in the interface's documentation.
pub(crate) static SERVICE: Service = Service {
    create_order: Endpoint {
        name: "Create Order",
        path: "/api/v1/Gateway/CreateOrder",
        credentials: &[(ACCESS_TOKEN, "access-token: ")],
    },
    get_status: Endpoint {
        name: "Get Status",
        path: "/api/v1/Gateway/GetStatus",
        credentials: &[
            (CLIENT_KEY, "x-client-key: "),
            (CLIENT_ID, "x-client-id: "),
            (SECRET_KEY, "x-secret-key: "),
        ],
    },
    headers: "content-type: application/json\r\naccept: application/json\r\n",
    own_headers: &["access-token", "x-client-*", "x-secret-key"],
    order_id: order::order_id,
    order: |fields, options| Ok(order::Order::from_entries(fields)?.into_request(options)),
    query: |query| query.wire_body(),
    read_checkout: checkout::read_checkout,
    read_status: status::read_status,
    success: response::SUCCESS,
    order_exists: refusal::ORDER_EXISTS,
};
