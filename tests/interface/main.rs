//! What the C interface promises, one module for each promise. One program, because each further one
//! would be built and linked with the whole library.

mod answers_are_read_by_rule;
mod answers_have_one_shape;
mod cancelling;
mod checkouts_are_usable;
mod checks;
mod config_is_checked;
mod credentials_stay_secret;
#[cfg(target_os = "linux")]
mod differential;
mod errors_say_what_happened;
mod facts_for_support;
mod further_headers;
mod handles;
mod json_access;
mod log_events;
#[path = "../wire_faults/names.rs"]
mod names;
mod new_credentials;
mod options_are_checked;
mod payments_are_verified;
mod payments_are_waited_for;
mod proxies;
mod queued_calls;
mod requests_are_checked;
mod results_and_names;
mod retries;
mod rust_interface;
mod settings_from_the_environment;
mod started_calls;
mod the_wire;
mod tls_options;
