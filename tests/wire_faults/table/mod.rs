//! The table.

mod bodies;
mod connecting;
mod endings;
mod framing;
mod heads;
mod kept;
mod proxies;

use crate::row::Row;

/// `elsewhere` is where redirects lead: no connection may ever come there.
pub fn rows(elsewhere: &str) -> Vec<Row> {
    [
        connecting::rows(),
        endings::rows(),
        heads::rows(elsewhere),
        framing::rows(),
        bodies::rows(),
        kept::rows(),
        proxies::rows(),
    ]
    .concat()
}

fn success() -> String {
    crate::support::answers::created_body().to_string()
}
