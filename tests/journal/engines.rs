//! The same tests with a journal in PostgreSQL, in a process of its own. One test alone, with a
//! server that runs already: `PAYORDER_TEST_POSTGRESQL=PORT cargo test --test journal NAME`.

use std::process::Command;

use support::built::transcript;
use support::postgres::{self, Server};

/// What is about a file.
const OF_FILES: [&str; 6] = [
    "engines::",
    "paths::",
    "replaced::",
    "unusable::",
    "a_call_waits_while_another_process_creates_the_journal",
    "the_intent_is_flushed_to_the_disk_before_the_first_byte",
];

#[test]
fn all_of_this_is_true_of_a_journal_in_postgresql() {
    let Some(server) = Server::start() else {
        return;
    };
    let mut again = Command::new(std::env::current_exe().expect("the test's own path"));
    again.env(postgres::PORT, server.port().to_string());
    let skipped = OF_FILES.iter().flat_map(|name| ["--skip", name]);
    let output = again.args(skipped).output().expect("the tests start again");
    assert!(output.status.success(), "{}", transcript(&output));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.contains(" passed;"), "{printed}");
}
