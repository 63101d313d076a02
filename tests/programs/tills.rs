//! The tills of `examples/c` against the sandbox: their output and exit status for every outcome.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{Linked, Running, build};
use Customer::*;
use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, Options, OrderRecord, SECRET_KEY, Sandbox};
use support::built;
use support::table;
use support::unreachable::refusing_url;

#[derive(Clone, Copy, PartialEq)]
enum Customer {
    /// Presses Pay on the checkout page.
    Pays,
    /// Presses Fail on the checkout page, and could try again there.
    Fails,
    /// Returns without paying.
    Leaves,
    /// Never sees a checkout page.
    SeesNone,
}

/// A sale: its amount, its order id, what is sold, the customer, the till's exit status, and what
/// the till says.
type Sale = (
    &'static str,
    &'static str,
    &'static str,
    Customer,
    i32,
    &'static [&'static str],
);

const SALES: [Sale; 12] = table! {
    "249.50", "PAID", "Two coffees", Pays, 0, &[
        "send the customer to http://127.0.0.1:",
        "PAID: 249.50 for order PAID",
    ];
    "249.50", "UNPAID", "Two coffees", Leaves, 3, &[
        "OPEN: order UNPAID is not paid yet and can still be paid",
        r#"  - transactionStatus: expected "Completed", but the service says "Pending""#,
    ];
    "249.50", "FAILED", "Two coffees", Fails, 3, &[
        "OPEN: order FAILED is not paid yet and can still be paid",
        r#"  - transactionStatus: expected "Completed", but the service says "Failed""#,
    ];
    "249.50", "UNKNOWN-STATUS", "sandbox:unknown-status", Pays, 3, &[
        "OPEN: order UNKNOWN-STATUS",
        r#"  - transactionStatus: expected "Completed", but the service says "OnHold""#,
    ];
    "249.50", "WRONG-AMOUNT", "sandbox:wrong-amount", Pays, 3, &[
        "CHECK: money moved, not as expected: show order WRONG-AMOUNT",
        r#"  - amount: expected "249.50", but the service says "1.00""#,
    ];
    "249.50", "REFUNDED", "sandbox:refunded", Pays, 3, &[
        "CHECK: money moved, not as expected: show order REFUNDED",
        r#"  - refundStatus: expected "", but the service says "Refunded""#,
    ];
    "249.50", "NOT-FOUND-YET", "sandbox:not-found-once", Pays, 3, &[
        "no status: ",
        "OPEN: keep order NOT-FOUND-YET",
    ];
    "0.99", "", " ", SeesNone, 1, &[
        "NOT SENT: ",
        "  - amount must be 1 or above\n",
        "  - orderId is empty\n",
        "  - productInfo is ",
    ];
    "249.50", "REFUSED", "sandbox:reject", SeesNone, 2, &[
        "REJECTED: ",
        "the service says: The order was refused",
    ];
    "249.50", "MADE-BUT-CUT", "sandbox:drop-after-commit", SeesNone, 3, &[
        "UNKNOWN: ",
        "OPEN: order MADE-BUT-CUT",
        "Pending",
    ];
    "249.50", "NOT-MADE", "sandbox:drop-before", SeesNone, 3, &[
        "UNKNOWN: ",
        "no status: ",
        "OPEN: keep order NOT-MADE",
    ];
    "249.50", "ALL-DARK", "sandbox:html-502 sandbox:status-drop", SeesNone, 3, &[
        "UNKNOWN: ",
        "no status: ",
        "OPEN: keep order ALL-DARK",
    ];
};

fn till(program: &Path, base_url: &str) -> Command {
    let mut command = Command::new(program);
    for variable in [
        "http_proxy",
        "https_proxy",
        "all_proxy",
        "HTTP_PROXY",
        "HTTPS_PROXY",
        "ALL_PROXY",
    ] {
        command.env_remove(variable);
    }
    command
        .env("PAYORDER_BASE_URL", base_url)
        .env("PAYORDER_ACCESS_TOKEN", ACCESS_TOKEN)
        .env("PAYORDER_CLIENT_KEY", CLIENT_KEY)
        .env("PAYORDER_CLIENT_ID", CLIENT_ID)
        .env("PAYORDER_SECRET_KEY", SECRET_KEY)
        .stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("a till writes UTF-8")
}

/// Waits until the sandbox has the order, and returns it.
pub fn kept_order(sandbox: &Sandbox, order_id: &str) -> OrderRecord {
    let began = Instant::now();
    loop {
        let found = sandbox
            .orders()
            .into_iter()
            .find(|order| order.order_id == order_id);
        if let Some(order) = found.filter(|order| order.checkout_url.is_some()) {
            return order;
        }
        assert!(
            began.elapsed() < Duration::from_secs(60),
            "{order_id} was not created"
        );
        thread::sleep(Duration::from_millis(5));
    }
}

/// Presses Pay in the customer's browser, and does not follow the redirect to the shop.
pub fn press_pay(checkout_url: &str) {
    press(checkout_url, "pay");
}

fn press(checkout_url: &str, button: &str) {
    let browser: ureq::Agent = ureq::Agent::config_builder()
        .max_redirects(0)
        .proxy(None)
        .build()
        .into();
    let pressed = browser
        .post(format!("{checkout_url}/{button}"))
        .send_empty();
    assert_eq!(pressed.expect("a response").status(), 303);
}

fn sell(program: &Path, sandbox: &Sandbox, sale: Sale) -> Output {
    let (amount, order_id, sold, customer, ..) = sale;
    let mut command = till(program, &sandbox.base_url());
    command.args([amount, order_id, sold]);
    let button = match customer {
        Pays => "pay",
        Fails => "fail",
        Leaves | SeesNone => return Running::start(&mut command).end(),
    };
    // The till waits for Enter until the pipe is dropped.
    let (pressed, enter) = std::io::pipe().expect("a pipe");
    let running = Running::start(command.stdin(pressed));
    // The command also holds an end of the pipe.
    drop(command);
    press(
        kept_order(sandbox, order_id)
            .checkout_url
            .as_deref()
            .expect("a checkout URL"),
        button,
    );
    (&enter).write_all(b"\n").expect("the till reads");
    let output = running.end();
    drop(enter);
    output
}

/// Runs all sales, and compares the till's output and the requests with what is expected.
fn check_all_sales(program: &Path) {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    for sale in SALES {
        let (_, order_id, _, customer, ends_with, says) = sale;
        let output = sell(program, &sandbox, sale);
        let transcript = built::transcript(&output);
        assert_eq!(
            output.status.code(),
            Some(ends_with),
            "{}: {transcript}",
            order_id
        );
        let (said, complained) = (text(&output.stdout), text(&output.stderr));
        for words in says {
            assert!(
                said.contains(words),
                "{}: {words:?} is missing: {transcript}",
                order_id
            );
        }
        assert_eq!(
            said.contains("send the customer to"),
            customer != SeesNone,
            "{}: {transcript}",
            order_id
        );
        assert_eq!(complained, "", "{}", order_id);
        for secret in [ACCESS_TOKEN, CLIENT_KEY, CLIENT_ID, SECRET_KEY] {
            assert!(!said.contains(secret), "{}: {transcript}", order_id);
        }
        let sent = sandbox
            .orders()
            .into_iter()
            .find(|order| order.order_id == order_id)
            .map_or(0, |order| order.create_requests);
        assert_eq!(
            sent,
            u32::from(ends_with != 1),
            "{}: Create Order requests",
            order_id
        );
    }
}

/// Failures before anything is sent: settings, arguments, network.
fn check_early_failures(program: &Path) {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let stumbles = |command: &mut Command, ends_with: i32, words: &str| -> String {
        let output = Running::start(command).end();
        let transcript = built::transcript(&output);
        assert_eq!(output.status.code(), Some(ends_with), "{transcript}");
        assert!(
            transcript.contains(words),
            "{words:?} is missing: {transcript}"
        );
        transcript
    };
    let sale = ["249.50", "STUMBLES"];
    stumbles(
        &mut till(program, &sandbox.base_url()),
        1,
        "usage: till AMOUNT ORDER_ID",
    );
    stumbles(
        till(program, &sandbox.base_url())
            .args(sale)
            .env_remove("PAYORDER_CLIENT_ID"),
        1,
        "PAYORDER_CLIENT_ID is not set",
    );
    stumbles(
        till(program, "ftp://127.0.0.1").args(sale),
        1,
        "is not a usable address",
    );
    stumbles(
        till(program, &refusing_url()).args(sale),
        1,
        "connection refused",
    );
    // An earlier run may have sent the order, and only the journal could tell.
    let damaged = new_journal(program);
    std::fs::write(&damaged, "not a journal").expect("a file");
    stumbles(
        till(program, &sandbox.base_url())
            .args(sale)
            .env("PAYORDER_JOURNAL", &damaged),
        3,
        "OPEN: keep order STUMBLES",
    );
    assert!(sandbox.orders().is_empty(), "{:?}", sandbox.orders());
    stumbles(
        till(program, &sandbox.base_url())
            .args(sale)
            .env("PAYORDER_ACCESS_TOKEN", "expired"),
        2,
        "check accessToken",
    );

    // With a shared journal a second till does not sell the same order again.
    let journal = new_journal(program);
    let twice = ["249.50", "TWICE"];
    stumbles(
        till(program, &sandbox.base_url())
            .args(twice)
            .env("PAYORDER_JOURNAL", &journal),
        3,
        "OPEN: order TWICE",
    );
    stumbles(
        till(program, &sandbox.base_url())
            .args(twice)
            .env("PAYORDER_JOURNAL", &journal),
        3,
        "(entry 1, created)",
    );
    let order = kept_order(&sandbox, "TWICE");
    assert_eq!(order.create_requests, 1);
    // Nor does it show where to pay when the order is paid.
    press_pay(&order.checkout_url.expect("a checkout URL"));
    let paid = stumbles(
        till(program, &sandbox.base_url())
            .args(twice)
            .env("PAYORDER_JOURNAL", &journal),
        0,
        "PAID: 249.50 for order TWICE",
    );
    assert!(!paid.contains("/checkout/"), "{paid}");
}

/// The path of a new journal.
fn new_journal(program: &Path) -> PathBuf {
    let journal = program.with_extension("db");
    for end in ["", "-wal", "-shm"] {
        // It may exist from an earlier run.
        drop(std::fs::remove_file(format!("{}{end}", journal.display())));
    }
    journal
}

/// Lists the journal.
fn check_journal(program: &Path) {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let journal = new_journal(program);
    let ends = |arguments: &[&str], ends_with: i32| {
        let mut command = till(program, &sandbox.base_url());
        command.args(arguments).env("PAYORDER_JOURNAL", &journal);
        let output = Running::start(&mut command).end();
        let transcript = built::transcript(&output);
        assert_eq!(output.status.code(), Some(ends_with), "{transcript}");
        text(&output.stdout)
    };
    assert_eq!(ends(&["journal"], 0), "0 entries\n");
    ends(&["249.50", "MADE"], 3);
    ends(&["249.50", "REFUSED", "sandbox:reject"], 2);
    ends(&["249.50", "NOT-MADE", "sandbox:drop-before"], 3);
    let again = ends(&["249.50", "NOT-MADE"], 3);
    assert!(again.contains("UNKNOWN: ") && again.contains("OPEN: keep order NOT-MADE"));
    let listed = "entry 1: order MADE, 249.50 INR, created, Pending\n\
                  entry 2: order REFUSED, 249.50 INR, rejected\n\
                  entry 3: order NOT-MADE, 249.50 INR, unknown\n3 entries\n";
    assert_eq!(ends(&["journal"], 0), listed);
    // Without a journal there is nothing to list, which is an error.
    let mut command = till(program, &sandbox.base_url());
    let output = Running::start(command.arg("journal")).end();
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn the_till_in_c_does_the_right_thing_for_every_outcome_and_frees_everything() {
    let compiler = built::c_compiler("the till in C").expect("a C compiler");
    let source = "tests/programs/till_leaves_nothing.c";
    let program = build(&compiler, "c11", source, &Linked::Shared, "till");
    check_all_sales(&program);
    check_early_failures(&program);
    check_journal(&program);
}

#[test]
fn the_till_is_c99_and_works_with_the_static_archive() {
    let compiler = built::c_compiler("the till in C").expect("a C compiler");
    let source = "examples/c/till.c";
    let program = build(&compiler, "c99", source, &Linked::Static, "till-static");
    check_all_sales(&program);
}

#[test]
fn the_till_in_cpp_does_the_right_thing_for_every_outcome() {
    let Some(compiler) = built::cpp_compiler("the till in C++") else {
        return;
    };
    let source = "examples/c/till.cpp";
    let program = build(&compiler, "c++17", source, &Linked::Shared, "till-cpp");
    check_all_sales(&program);
    check_early_failures(&program);
}
