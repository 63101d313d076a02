//! The parts of the table.

pub mod bodies;
pub mod connecting;
pub mod endings;
pub mod framing;
pub mod heads;
pub mod kept;
pub mod proxies;

fn success() -> String {
    support::responses::created_body().to_string()
}
