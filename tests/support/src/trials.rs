//! How often suites repeat their trials.

/// `few` in a plain `cargo test`, so that it ends soon; `all` in CI, which sets
/// `PAYORDER_TESTS_WANT_ALL`.
pub fn trials<T>(few: T, all: T) -> T {
    match std::env::var_os("PAYORDER_TESTS_WANT_ALL") {
        None => few,
        Some(_) => all,
    }
}
