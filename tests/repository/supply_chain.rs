//! The crates in what payorder ships keep the rules of `deny.toml`.

use std::process::Command;

use support::built;

use crate::succeeds;

/// Without the network.
#[test]
fn every_crate_has_an_allowed_licence_and_source_and_none_is_banned() {
    let deny = built::tool("CARGO_DENY", &["cargo-deny"], "the rules for crates");
    let Some(deny) = deny else { return };
    let mut command = Command::new(deny);
    command
        .args(["--offline", "--workspace", "check"])
        .args(["licenses", "bans", "sources"])
        .current_dir(built::project());
    succeeds(&mut command);
}
