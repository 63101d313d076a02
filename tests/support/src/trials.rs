//! How often suites repeat their trials.

/// `few` in a plain `cargo test`, so that it ends soon; `all` in CI, which sets
/// `PAYORDER_TESTS_WANT_ALL`.
pub fn trials<T>(few: T, all: T) -> T {
    match std::env::var_os("PAYORDER_TESTS_WANT_ALL") {
        None => few,
        Some(_) => all,
    }
}

/// The number in a variable of the environment.
pub fn number_in(variable: &str) -> Option<u64> {
    let text = std::env::var(variable).ok()?;
    Some(
        text.parse()
            .unwrap_or_else(|_| panic!("{variable} is not a number: {text}")),
    )
}
