//! Time limits of tests.

use std::time::Duration;

/// A time limit. On a system that is emulated, it is longer by the factor in the environment, which
/// tests/systems/runner sets.
pub fn patience(limit: Duration) -> Duration {
    let factor = std::env::var("PAYORDER_TEST_PATIENCE").ok();
    limit * factor.map_or(1, |factor| factor.parse().expect("a factor"))
}
