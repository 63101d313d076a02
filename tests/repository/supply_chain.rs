//! The crates in what payorder ships keep the rules of `deny.toml`.

use std::fs;
use std::path::Path;
use std::process::Command;

use support::built;

use crate::succeeds;

/// Checks the crates by the rules in a file, without the network. `None` if cargo-deny is missing.
fn check(rules: &Path) -> Option<Command> {
    let deny = built::tool("CARGO_DENY", &["cargo-deny"], "the rules for crates")?;
    let mut command = Command::new(deny);
    command
        .args(["--offline", "--workspace", "--config"])
        .arg(rules)
        .args(["check", "licenses", "bans", "sources"])
        .current_dir(built::project());
    Some(command)
}

#[test]
fn every_crate_has_an_allowed_licence_and_source_and_none_is_banned() {
    if let Some(mut deny) = check(&built::project().join("deny.toml")) {
        succeeds(&mut deny);
    }
}

#[test]
fn a_crate_that_breaks_a_rule_is_refused() {
    let rules = fs::read_to_string(built::project().join("deny.toml")).expect("the rules");
    for (rule, stricter, refused) in [
        ("    \"ISC\",\n", "", "rejected"),
        ("    \"openssl\",\n", "    \"rustls\",\n", "banned"),
        ("skip = [", "highlight = \"all\" # [", "duplicate"),
        (
            "[sources]\n",
            "[sources]\nallow-registry = []\n",
            "source-not-allowed",
        ),
    ] {
        assert!(rules.contains(rule), "{rule:?} is a rule");
        let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{refused}.toml"));
        fs::write(&file, rules.replacen(rule, stricter, 1)).expect("the file is written");
        let Some(mut deny) = check(&file) else {
            return;
        };
        let output = deny.output().expect("cargo-deny runs");
        let shown = built::transcript(&output);
        assert!(!output.status.success(), "{refused}: {shown}");
        assert!(shown.contains(&format!("error[{refused}]")), "{shown}");
    }
}
