//! The results of calls, by their names without `PAYORDER_`. `tests/header` compares the C header's
//! with the source.

pub const DONE: i32 = 0;
pub const INVALID_ARGUMENT: i32 = 1;
pub const INVALID_HANDLE: i32 = 2;
pub const INVALID_CONFIG: i32 = 3;
pub const INVALID_REQUEST: i32 = 4;
pub const MISSING_CREDENTIALS: i32 = 5;
pub const CONNECT_FAILED: i32 = 6;
pub const TLS_FAILED: i32 = 7;
pub const CANCELLED: i32 = 8;
pub const JOURNAL_FAILED: i32 = 10;
pub const INTERNAL: i32 = 11;
pub const REJECTED: i32 = 100;
pub const UNAUTHORIZED: i32 = 101;
pub const RATE_LIMITED: i32 = 102;
pub const TIMEOUT: i32 = 200;
pub const CONNECTION_LOST: i32 = 201;
pub const BAD_RESPONSE: i32 = 202;
pub const SERVICE_FAILED: i32 = 203;
pub const CANCELLED_IN_FLIGHT: i32 = 204;
pub const DUPLICATE: i32 = 206;
