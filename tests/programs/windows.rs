//! Programs whose window or loop never waits: examples/windows with Qt, GLib and asio.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::program::{Linked, Running, build, build_with};
use crate::tills::{kept_order, press_pay, till};
use sandbox::rules::Rule;
use sandbox::{Options, Sandbox};
use support::built;
use support::tls::Folder;

/// Builds a program with what pkg-config says about a package. `None` if it is not installed.
fn built_with(package: Option<&str>, standard: &str, source: &str) -> Option<PathBuf> {
    let compiler = built::cpp_compiler(source)?;
    let mut flags = "-fPIC".to_owned();
    if let Some(package) = package {
        let asked = ["--cflags", "--libs", package];
        let tool = built::tool_by("PKG_CONFIG", &["pkg-config"], &asked, source)?;
        let said = Command::new(tool).args(asked).output().expect("it runs");
        flags += &format!(" {}", String::from_utf8(said.stdout).expect("UTF-8"));
    } else {
        let asked = ["-E", "-x", "c++", "-include", "asio.hpp", "/dev/null"];
        built::tool_by("CXX", &["c++"], &asked, source)?;
    }
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let name = source
        .rsplit('/')
        .next()
        .expect("a name")
        .replace(".cpp", "-loop");
    Some(build_with(
        &compiler,
        standard,
        source,
        &Linked::Shared,
        &name,
        &flags,
    ))
}

fn sandbox_with(rules: &[&str]) -> Sandbox {
    let rules = rules.iter().map(|rule| Rule::parse(rule).expect("a rule"));
    let rules = rules.collect();
    Sandbox::start(Options {
        rules,
        ..Options::default()
    })
    .expect("the sandbox starts")
}

/// Sells an order that the customer pays, and one whose answer is lost; returns what was printed.
fn sells(program: &Path, speed: &str) -> String {
    let sandbox = sandbox_with(&["create:2:drop-after-commit", speed]);
    let mut printed = String::new();
    for order in ["PAID", "LOST"] {
        let mut command = till(program, &sandbox.base_url());
        let running = Running::start(
            command
                .args(["249.50", order])
                .env("QT_QPA_PLATFORM", "offscreen"),
        );
        press_pay(
            &kept_order(&sandbox, order)
                .checkout_url
                .expect("a checkout URL"),
        );
        let output = running.end();
        assert!(output.status.success(), "{}", built::transcript(&output));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.lines().any(|line| line.ends_with("PAID")), "{text}");
        assert_eq!(text.contains("/checkout/"), order == "PAID", "{text}");
        printed += &text;
    }
    assert_eq!(sandbox.orders().len(), 2, "each was sent once");
    printed
}

/// A program that started again: an order that an earlier run has sent is open, whatever this run
/// can send, and the journal has its checkout URL.
fn starts_again(program: &Path) {
    let sandbox = sandbox_with(&[]);
    let folder = Folder::new();
    let run = |amount: &str, order: &str| {
        let mut command = till(program, &sandbox.base_url());
        command
            .args([amount, order])
            .env("PAYORDER_JOURNAL", folder.path().join("journal.db"));
        command
    };
    let said = |running: Running| {
        let output = running.end();
        assert!(output.status.success(), "{}", built::transcript(&output));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let mut cannot_ask = run("249.50", "UNASKED");
    let output = Running::start(cannot_ask.env("PAYORDER_SECRET_KEY", "")).end();
    assert!(!output.status.success(), "{}", built::transcript(&output));
    let mut refused = run("249.50", "SENT");
    let text = said(Running::start(refused.env("PAYORDER_SECRET_KEY", "wrong")));
    assert!(text.contains("OPEN: "), "{text}");
    let text = said(Running::start(&mut run("0.50", "SENT")));
    assert!(text.contains("OPEN: "), "{text}");
    let text = said(Running::start(&mut run("0.50", "OTHER")));
    assert!(!text.contains("OPEN: "), "{text}");
    let page = kept_order(&sandbox, "SENT").checkout_url;
    press_pay(&page.expect("a checkout URL"));
    let text = said(Running::start(&mut run("249.50", "SENT")));
    assert!(text.lines().any(|line| line.ends_with("PAID")), "{text}");
    assert_eq!(sandbox.orders().len(), 1);
}

#[test]
fn a_window_of_qt_never_waits_and_closes_during_an_order() {
    let source = "tests/programs/windows/qt_watched.cpp";
    let Some(program) = built_with(Some("Qt5Widgets"), "c++17", source) else {
        return;
    };
    let mut printed = sells(&program, "create:1:slow=2000");
    // A window that is closed lets the order finish, and shows where it is paid.
    for (what, fault, seen) in [
        (
            "close",
            "create:*:slow=2000",
            "OPEN: send the customer to http",
        ),
        ("cancel", "create:*:stall", "UNKNOWN: "),
    ] {
        let sandbox = sandbox_with(&[fault]);
        let mut command = till(&program, &sandbox.base_url());
        command.env("QT_QPA_PLATFORM", "offscreen");
        let output = Running::start(command.args(["249.50", "CUT", what])).end();
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(output.status.success(), "{text}");
        assert!(text.contains(seen) && text.contains("OPEN: "), "{text}");
        printed += &text;
    }
    let gaps = printed
        .lines()
        .filter_map(|line| line.strip_prefix("longest gap "));
    let gaps: Vec<u32> = gaps.map(|gap| gap.parse().expect("milliseconds")).collect();
    assert_eq!(gaps.len(), 4);
    // The first answer takes 2,000 ms. The machine may be busy.
    assert!(gaps.iter().all(|gap| *gap < 1000), "{gaps:?}");
}

#[test]
fn a_window_closes_after_an_order_that_cannot_be_written_and_sells_no_more() {
    let source = "tests/programs/windows/desk_stopped.cpp";
    let Some(compiler) = built::cpp_compiler(source) else {
        return;
    };
    let program = build(&compiler, "c++17", source, &Linked::Shared, "desk-stopped");
    let sandbox = sandbox_with(&[]);
    let output = Running::start(&mut till(&program, &sandbox.base_url())).end();
    assert!(output.status.success(), "{}", built::transcript(&output));
    assert!(sandbox.orders().is_empty(), "{:?}", sandbox.orders());
}

#[test]
fn the_loop_of_glib_sells() {
    if let Some(program) = built_with(Some("glib-2.0"), "c++17", "examples/windows/glib.cpp") {
        sells(&program, "create:*:slow=1");
        starts_again(&program);
    }
}

#[test]
fn the_loop_of_asio_sells_and_a_time_limit_cancels() {
    let source = "tests/programs/windows/asio_limited.cpp";
    let Some(program) = built_with(None, "c++20", source) else {
        return;
    };
    sells(&program, "create:*:slow=1");
    starts_again(&program);
    let sandbox = sandbox_with(&["create:*:stall"]);
    let mut command = till(&program, &sandbox.base_url());
    let output = Running::start(command.args(["249.50", "LATE", "limit"])).end();
    assert!(output.status.success(), "{}", built::transcript(&output));
    assert_eq!(output.stdout, b"PAYORDER_CANCELLED_IN_FLIGHT\n");
    // A sale that fails ends the program, and says why.
    let mut command = till(&program, &sandbox.base_url());
    let not_utf8 = OsStr::from_bytes(b"BROKEN-\xff");
    let output = Running::start(command.arg("249.50").arg(not_utf8)).end();
    assert!(!output.status.success(), "{}", built::transcript(&output));
}
