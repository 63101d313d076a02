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
    [connecting::rows(), endings::rows(), heads::rows(elsewhere), framing::rows(), bodies::rows(), kept::rows(), proxies::rows()].concat()
}

/// A whole answer of this status with a body that says the same.
fn refusal(status: u16) -> Vec<u8> {
    let body = format!(r#"{{"responseCode":"{status}","responseMessage":"no"}}"#);
    crate::support::answers::http(status, &body)
}

fn success() -> String {
    crate::support::answers::created_body().to_string()
}
