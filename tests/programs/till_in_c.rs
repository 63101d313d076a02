//! Other functions of the till in C: it builds a nested configuration, lists its journal, and asks
//! about open orders.

use std::path::Path;

use crate::program::{Linked, Running};
use crate::tills::{build_till, kept_order, new_journal, press_pay, text, till};
use sandbox::{Options, Sandbox};
use support::built;

/// Lists the journal and asks about open orders at the end of the day.
pub fn check_journal(program: &Path) {
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
    // Without an answer, nothing is known about the payment.
    let mut command = till(program, &sandbox.base_url());
    command.arg("resolve").env("PAYORDER_JOURNAL", &journal);
    command.env("PAYORDER_SECRET_KEY", "wrong");
    let output = Running::start(&mut command).end();
    assert_eq!(
        output.status.code(),
        Some(3),
        "{}",
        built::transcript(&output)
    );
    ends(&["249.50", "REFUSED", "sandbox:reject"], 2);
    ends(&["249.50", "NOT-MADE", "sandbox:drop-before"], 3);
    let again = ends(&["249.50", "NOT-MADE"], 3);
    assert!(again.contains("UNKNOWN: ") && again.contains("OPEN: keep order NOT-MADE"));
    let refused = "entry 2: order REFUSED, 249.50 INR, rejected\n";
    let open = "entry 3: order NOT-MADE, 249.50 INR, unknown\n";
    let made = |status| format!("entry 1: order MADE, 249.50 INR, created, {status}\n");
    let listed = |status| made(status) + refused + open + "3 entries\n";
    assert_eq!(ends(&["journal"], 0), listed("Pending"));
    let resolved = |status| {
        format!(
            "asked about 2 orders, and the service knows 1 of them\n  {status}: 1\n\
             1 orders are still unresolved\n{open}"
        )
    };
    assert_eq!(ends(&["resolve"], 3), resolved("Pending"));
    let checkout_url = kept_order(&sandbox, "MADE").checkout_url;
    press_pay(&checkout_url.expect("a checkout URL"));
    assert_eq!(ends(&["resolve"], 3), resolved("Completed"));
    assert_eq!(ends(&["journal"], 0), listed("Completed"));
    assert_eq!(kept_order(&sandbox, "MADE").create_requests, 1);

    // Without a journal there is nothing to list, which is an error.
    for argument in ["journal", "resolve"] {
        let mut command = till(program, &sandbox.base_url());
        let output = Running::start(command.arg(argument)).end();
        let transcript = built::transcript(&output);
        assert_eq!(output.status.code(), Some(3), "{transcript}");
    }
}

/// Settings inside arrays and objects of the configuration.
pub fn check_nested_settings(program: &Path) {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let missing = "/nowhere/authorities.pem";
    for (order_id, setting, value, ends_with, words) in [
        ("DIRECT", "PROXY", "none", 3, "OPEN: order DIRECT"),
        ("NEVER", "PROXY", "ftp://proxy.example", 1, "proxy"),
        ("NEVER", "CA_FILE", missing, 1, missing),
        ("NEVER", "CHECKOUT_HOST", "a\"b", 1, "checkoutHosts"),
        (
            "KNOWN",
            "CHECKOUT_HOST",
            "127.0.0.1",
            3,
            "OPEN: order KNOWN",
        ),
        // The order was created, but its checkout URL has a host that is not allowed.
        (
            "FOREIGN",
            "CHECKOUT_HOST",
            "pay.example.com",
            3,
            "UNKNOWN: ",
        ),
    ] {
        let variable = format!("PAYORDER_{setting}");
        let mut command = till(program, &sandbox.base_url());
        command.args(["249.50", order_id]).env(variable, value);
        let output = Running::start(&mut command).end();
        let transcript = built::transcript(&output);
        assert_eq!(
            output.status.code(),
            Some(ends_with),
            "{value}: {transcript}"
        );
        assert!(
            transcript.contains(words),
            "{words} is missing: {transcript}"
        );
    }
    let orders = sandbox.orders();
    assert!(orders.iter().all(|order| order.order_id != "NEVER"));
}

#[test]
fn the_till_in_c_lists_its_journal_and_asks_about_open_orders() {
    let Some(program) = build_till(&Linked::Shared, "till-journal") else {
        return;
    };
    check_journal(&program);
}

#[test]
fn the_till_in_c_builds_a_nested_configuration() {
    let Some(program) = build_till(&Linked::Shared, "till-nested") else {
        return;
    };
    check_nested_settings(&program);
}
