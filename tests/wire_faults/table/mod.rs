//! The parts of the table.

/// Rows, each with its name, script, results and what else is special:
/// `table! { BEFORE_EACH_NAME, WAYS; NAME, SCRIPT, RESULTS, .more().and_more(); ... }`
macro_rules! table {
    ($of:literal, $ways:expr;
     $($name:expr, $script:expr, $results:expr $(, $(.$more:ident($($argument:expr),*))+)?;)*) => {
        vec![$(
            Row::new(concat!($of, "{}").replace("{}", $name), $ways, $script, $results)
                $($(.$more($($argument),*))+)?
        ),*]
    };
}

pub mod bodies;
pub mod connecting;
pub mod endings;
pub mod framing;
pub mod heads;
pub mod kept;
pub mod proxies;

/// All rows. No redirect may be followed to `elsewhere`.
pub fn all(elsewhere: &str) -> [Vec<Row>; 7] {
    [
        connecting::rows(),
        endings::rows(),
        heads::rows(elsewhere),
        framing::rows(),
        bodies::rows(),
        kept::rows(),
        proxies::rows(),
    ]
}

use support::responses::created_body;
use support::result::*;
use support::row::*;
use support::service::Step;

const OK: &[i32] = &[DONE];
const NEVER: &[i32] = &[CONNECT_FAILED];
const NO_TLS: &[i32] = &[TLS_FAILED];
/// The system may notice it as a failure of either.
const NEVER_OR_NO_TLS: &[i32] = &[TLS_FAILED, CONNECT_FAILED];
const LOST: &[i32] = &[CONNECTION_LOST];
const NEVER_OR_LOST: &[i32] = &[CONNECTION_LOST, CONNECT_FAILED];
const BAD: &[i32] = &[BAD_RESPONSE];
const UNUSABLE: &[i32] = &[BAD_RESPONSE, CONNECTION_LOST];
const LATE: &[i32] = &[TIMEOUT];
const REFUSED: &[i32] = &[REJECTED];
const FAILED: &[i32] = &[SERVICE_FAILED];

fn success() -> String {
    created_body().to_string()
}

fn text(text: impl AsRef<str>) -> Step {
    Step::Send(text.as_ref().into())
}

/// All rows need exactly one connection.
fn once(rows: Vec<Row>) -> Vec<Row> {
    rows.into_iter().map(|row| row.connections(1..=1)).collect()
}

/// The same request and response, several times.
fn no_fault(requests: usize) -> Vec<Step> {
    let created = || Step::Send(support::responses::created());
    (0..requests)
        .flat_map(|_| [Step::Request, created()])
        .collect()
}
