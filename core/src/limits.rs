//! Limits that several layers have in common.

use std::time::Duration;

/// The longest call, and the longest pause that a service can ask for. A journal takes an entry with
/// a later deadline as a sign that the clock was changed.
pub(crate) const LONGEST_CALL: Duration = Duration::from_secs(600);

/// The longest credential, in bytes.
pub(crate) const LONGEST_CREDENTIAL: usize = 4096;
