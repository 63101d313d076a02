//! What the C interface promises, one module for each promise. One program, because each further one
//! would be built and linked with the whole library.

mod amounts_are_exact;
mod answers_are_read_by_rule;
mod answers_have_one_shape;
mod checkouts_are_usable;
mod config_is_checked;
mod connections_are_kept;
mod credentials_stay_secret;
mod errors_say_what_happened;
mod handles;
mod json_access;
mod log_events;
mod new_credentials;
mod numbers_out_of_range;
mod options_are_checked;

mod payments_are_verified;
mod payments_are_waited_for;
mod proxies;
mod requests_are_checked;
mod results_and_names;
mod retries;
mod return_urls;
mod rust_errors;
mod rust_interface;
mod settings_from_the_environment;
mod sizes_over_32_bits;
mod started_calls;
mod status_queries_are_checked;
mod the_wire;
mod tls_options;
mod whole_credentials;
