//! What the tills of `examples/c` print, and that they free everything. `tests/certify/run` examines
//! what they do: it plays every outcome, crashes and two tills at once.

use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::program::{Linked, Running, build};
use sandbox::rules::Rule;
use sandbox::{ACCESS_TOKEN, CLIENT_ID, CLIENT_KEY, Options, OrderRecord, SECRET_KEY, Sandbox};
use serde_json::json;
use support::built;
use support::responses::http;
use support::service::{Service, respond};
use support::table;
use support::tls::Folder;

/// A sale: its amount, its order id, what is sold, whether the customer pays, the till's exit status,
/// and what the till says.
type Sale = (
    &'static str,
    &'static str,
    &'static str,
    bool,
    i32,
    &'static [&'static str],
);

const SALES: [Sale; 6] = table! {
    "249.50", "PAID", "Two coffees", true, 0, &[
        "send the customer to http://127.0.0.1:",
        "PAID: 249.50 for order PAID",
    ];
    "249.50", "WRONG-AMOUNT", "sandbox:wrong-amount", true, 3, &[
        "CHECK: money moved, not as expected: show order WRONG-AMOUNT",
        r#"  - amount: expected "249.50", but the service says "1.00""#,
    ];
    "0.99", "", " ", false, 1, &[
        "NOT SENT: ",
        "CASHIER: Something in this sale's data is wrong.",
        "  - amount must be 1 or above\n",
        "  - orderId is empty\n",
        "  - productInfo is ",
    ];
    "249.50", "REFUSED", "sandbox:reject", false, 2, &[
        "REJECTED: ",
        "the service says: The order was refused",
        "CASHIER: The payment service refused this.",
    ];
    "249.50", "MADE-BUT-CUT", "sandbox:drop-after-commit", false, 3, &[
        "UNKNOWN: ",
        "CASHIER: Ask the customer to wait. Do not take the payment again.",
        "OPEN: order MADE-BUT-CUT is not paid yet and can still be paid",
        r#"  - transactionStatus: expected "Completed", but the service says "Pending""#,
    ];
    "249.50", "NOT-MADE", "sandbox:drop-before", false, 3, &[
        "UNKNOWN: ",
        "no status: ",
        "OPEN: keep order NOT-MADE",
    ];
};

pub fn till(program: &Path, base_url: &str) -> Command {
    let mut command = Command::new(program);
    command
        .env("no_proxy", "127.0.0.1")
        .env("PAYORDER_BASE_URL", base_url)
        .env("PAYORDER_ACCESS_TOKEN", ACCESS_TOKEN)
        .env("PAYORDER_CLIENT_KEY", CLIENT_KEY)
        .env("PAYORDER_CLIENT_ID", CLIENT_ID)
        .env("PAYORDER_SECRET_KEY", SECRET_KEY)
        .env("TILL_SAY", built::project().join("examples/say.json"))
        .stdin(Stdio::null());
    command
}

/// The sentence for an action, in a file of the shop's own; and without the file.
fn check_own_sentences(program: &Path) {
    let folder = Folder::new();
    let own = folder.path().join("say.json");
    fs::write(&own, r#"{"ask_status":"कृपया प्रतीक्षा करें।"}"#).expect("the sentences");
    for (file, says) in [(own.as_path(), true), (Path::new("/no/such.json"), false)] {
        let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
        let mut command = till(program, &sandbox.base_url());
        command.env("TILL_SAY", file).env("SALE_SECONDS", "5");
        let output = command
            .args(["249.50", "OWN", "sandbox:drop-before"])
            .output();
        let shown = check(&output.expect("the till runs"), 3, &["UNKNOWN: "]);
        assert_eq!(
            shown.contains("CASHIER: कृपया प्रतीक्षा करें।\n"),
            says,
            "{shown}"
        );
    }
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
    let browser: ureq::Agent = ureq::Agent::config_builder()
        .max_redirects(0)
        .proxy(None)
        .build()
        .into();
    let pressed = browser.post(format!("{checkout_url}/pay")).send_empty();
    assert_eq!(pressed.expect("a response").status(), 303);
}

/// Ends a till, which must have this exit status and say all of this. Returns its stdout.
fn check(output: &Output, status: i32, says: &[&str]) -> String {
    let transcript = built::transcript(output);
    assert_eq!(output.status.code(), Some(status), "{transcript}");
    for words in says {
        assert!(
            transcript.contains(words),
            "{words:?} is missing: {transcript}"
        );
    }
    for secret in [ACCESS_TOKEN, CLIENT_KEY, CLIENT_ID, SECRET_KEY] {
        assert!(!transcript.contains(secret), "{transcript}");
    }
    text(&output.stdout)
}

/// Statuses after which a person looks: money moved, or may have. The rules are those of the core.
fn check_moved_money(program: &Path) {
    let long = format!("refundStatus={}", "R".repeat(300));
    for (fault, says) in [
        ("transactionStatus=COMPLETED", "CHECK: money moved"),
        ("transactionStatus= Completed\u{a0}", "CHECK: money moved"),
        ("settlementStatus=Settled", "CHECK: money moved"),
        ("settlementDate=11/21/2026", "CHECK: money moved"),
        (&long, "CHECK: money moved"),
        ("transactionStatus=Incomplete", "can still be paid"),
    ] {
        let fault = Rule::parse(&format!("status:*:{fault}")).expect("a rule");
        let cut = Rule::parse("create:*:drop-after-commit").expect("a rule");
        let rules = vec![fault, cut];
        let options = Options {
            rules,
            ..Options::default()
        };
        let sandbox = Sandbox::start(options).expect("the sandbox starts");
        let mut command = till(program, &sandbox.base_url());
        let output = Running::start(command.args(["249.50", "MOVED"])).end();
        check(&output, 3, &[says]);
    }
}

/// More time than one call, or a wait, may have.
fn check_long_sales(program: &Path) {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let sell = |order_id: &str, sold: &str| {
        let mut command = till(program, &sandbox.base_url());
        command.env("SALE_SECONDS", "200000");
        Running::start(command.args(["249.50", order_id, sold]))
    };
    let running = sell("LONG", "Two coffees");
    press_pay(&kept_order(&sandbox, "LONG").checkout_url.expect("a URL"));
    check(&running.end(), 0, &["PAID: 249.50 for order LONG"]);
    let cut = sell("CUT", "sandbox:drop-after-commit").end();
    check(&cut, 3, &["OPEN: order CUT is not paid yet"]);
}

fn check_sales(program: &Path, sales: &[Sale]) {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    for (amount, order_id, sold, pays, status, says) in sales {
        let mut command = till(program, &sandbox.base_url());
        let running = Running::start(command.args([amount, order_id, sold]));
        if *pays {
            let checkout_url = kept_order(&sandbox, order_id).checkout_url;
            press_pay(&checkout_url.expect("a checkout URL"));
        }
        let output = running.end();
        check(&output, *status, says);
        assert!(output.stderr.is_empty(), "{}", built::transcript(&output));
    }
}

/// Arguments and settings that cannot be used. If the journal was not read, an earlier run may have
/// sent the order.
fn check_early_failures(program: &Path) {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let fails = |command: &mut Command, status: i32, words: &str| {
        check(&Running::start(command).end(), status, &[words]);
    };
    let sale = ["249.50", "FAILS"];
    let till = |base_url: &str| till(program, base_url);
    fails(
        &mut till(&sandbox.base_url()),
        1,
        "usage: till AMOUNT ORDER_ID",
    );
    fails(
        till(&sandbox.base_url())
            .args(sale)
            .env_remove("PAYORDER_CLIENT_ID"),
        3,
        "PAYORDER_CLIENT_ID is not set",
    );
    fails(
        till(&sandbox.base_url())
            .args(sale)
            .env("PAYORDER_SECRET_KEY", "")
            .env("PAYORDER_CONFIG", ""),
        3,
        "PAYORDER_SECRET_KEY is not set",
    );
    for journal in ["/not-mounted/till.db", "/dev/null"] {
        fails(
            till(&sandbox.base_url())
                .args(sale)
                .env("PAYORDER_JOURNAL", journal),
            3,
            "OPEN: ",
        );
    }
    assert!(sandbox.orders().is_empty(), "{:?}", sandbox.orders());
}

/// A sale that was sent and paid, and whose next run sends nothing. Its settings are in a file.
fn check_sent_before(program: &Path) {
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let folder = Folder::new();
    let settings = json!({
        "accessToken": ACCESS_TOKEN, "clientKey": CLIENT_KEY, "clientId": CLIENT_ID,
        "secretKey": SECRET_KEY,
    });
    let settings = folder.file("settings.json", settings.to_string());
    fs::set_permissions(&settings, Permissions::from_mode(0o600)).expect("a private file");
    let run = |order_id: &str, variable: &str, value: &[u8], seconds: &str| {
        let mut command = till(program, &sandbox.base_url());
        for name in ["ACCESS_TOKEN", "CLIENT_KEY", "CLIENT_ID", "SECRET_KEY"] {
            command.env_remove(format!("PAYORDER_{name}"));
        }
        command
            .env("PAYORDER_CONFIG", &settings)
            .env("PAYORDER_JOURNAL", folder.path().join("till.db"))
            .env("SALE_SECONDS", seconds)
            .env(variable, OsStr::from_bytes(value));
        Running::start(command.args(["5.00", order_id])).end()
    };
    let sell = |order_id: &str, variable: &str, value: &[u8], status: i32, says: &str| {
        check(&run(order_id, variable, value, "60"), status, &[says]);
    };
    // It takes all its time, because nobody pays. A busy disk may need more for the journal.
    let sent = ["2", "8", "60"].into_iter().find_map(|seconds| {
        let output = run("SENT", "UNUSED", b"", seconds);
        (!sandbox.orders().is_empty()).then_some(output)
    });
    check(&sent.expect("it is sent"), 3, &["can still be paid"]);
    press_pay(&kept_order(&sandbox, "SENT").checkout_url.expect("a URL"));
    let sent = "OPEN: an earlier run may have sent";
    sell("SENT", "SALE_CUSTOMER_EMAIL", b" ", 3, sent);
    sell("SENT", "SALE_CUSTOMER_EMAIL", b"\xff", 3, "OPEN: ");
    sell("OTHER", "SALE_CUSTOMER_EMAIL", b" ", 1, "NOT SENT: ");
    let half = json!({"accessToken": ACCESS_TOKEN}).to_string();
    fs::write(&settings, half).expect("settings without those of Get Status");
    sell("OTHER", "UNUSED", b"", 1, "NOT SENT: ");
    fs::write(&settings, "{}").expect("settings without credentials");
    sell("SENT", "UNUSED", b"", 3, sent);
    sell("OTHER", "UNUSED", b"", 1, "NOT SENT: ");
    assert_eq!(sandbox.orders().len(), 1);
}

#[test]
fn the_till_in_c_says_what_happened_and_frees_everything() {
    let compiler = built::c_compiler("the till in C").expect("a C compiler");
    let source = "tests/programs/till_leaves_nothing.c";
    let program = build(&compiler, "c11", source, &Linked::Shared, "till");
    check_sales(&program, &SALES);
    check_early_failures(&program);
    check_own_sentences(&program);
    check_sent_before(&program);
    check_moved_money(&program);
    check_long_sales(&program);
}

#[test]
fn the_till_is_c99_and_works_with_the_static_archive() {
    let compiler = built::c_compiler("the till in C").expect("a C compiler");
    let source = "examples/c/till.c";
    let program = build(&compiler, "c99", source, &Linked::Static, "till-static");
    check_sales(&program, &SALES[..1]);
}

#[test]
fn a_till_with_one_thread_shows_its_clock_while_orders_and_payments_are_open() {
    let compiler = built::c_compiler("the till with an event loop").expect("a C compiler");
    let source = "examples/c/event_loop.c";
    let program = build(&compiler, "c99", source, &Linked::Shared, "event-loop");
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let folder = Folder::new();
    let commands = folder.file("commands", "249.50 TYPED\nsell\n");
    let mut command = till(&program, &sandbox.base_url());
    command.args(["100.00", "GIVEN", "0.50", "TOO-SMALL"]);
    command.env("PAYORDER_JOURNAL", folder.path().join("journal.db"));
    command.stdin(std::fs::File::open(commands).expect("the commands"));
    let running = Running::start(&mut command);
    let pages = ["GIVEN", "TYPED"].map(|order_id| kept_order(&sandbox, order_id).checkout_url);
    thread::sleep(Duration::from_secs(1));
    for page in pages {
        press_pay(&page.expect("a checkout URL"));
    }
    let said = check(
        &running.end(),
        0,
        &[
            "TOO-SMALL: this time not_sent, fix_request: ",
            "write AMOUNT ORDER_ID",
            "GIVEN: PAID 100.00",
            "TYPED: PAID 249.50",
        ],
    );
    assert!(said.matches("clock: 2 open").count() >= 3, "{said}");

    // An error of the wait says nothing about the order.
    let mut command = till(&program, &sandbox.base_url());
    command.args(["100.00", "CREATED"]);
    let output = Running::start(command.env("PAYORDER_SECRET_KEY", "wrong")).end();
    let open = "CREATED: open, the order may be paid; hand nothing over yet: ";
    let said = check(&output, 0, &[open]);
    assert!(!said.contains("rejected"), "{said}");

    // Without the credentials of Get Status it sells nothing.
    let mut command = till(&program, &sandbox.base_url());
    command.args(["100.00", "UNASKED"]);
    let output = Running::start(command.env("PAYORDER_SECRET_KEY", "")).end();
    check(&output, 1, &["Get Status needs secretKey"]);
    assert_eq!(sandbox.orders().len(), 3);
}

/// The order may be paid during an outage of Get Status.
#[test]
fn a_till_with_one_thread_does_not_call_an_order_unpaid_whose_status_it_never_saw() {
    let compiler = built::c_compiler("the till with an event loop").expect("a C compiler");
    let source = "tests/programs/event_loop_waits_briefly.c";
    let program = build(
        &compiler,
        "c99",
        source,
        &Linked::Shared,
        "event-loop-unseen",
    );
    let rules = vec![Rule::parse("status:*:drop").expect("a rule")];
    let options = Options {
        rules,
        ..Options::default()
    };
    let sandbox = Sandbox::start(options).expect("the sandbox starts");
    let mut command = till(&program, &sandbox.base_url());
    let output = Running::start(command.args(["100.00", "UNSEEN"])).end();
    let unknown = "UNSEEN: it is not known whether it is paid, hand nothing over: the connection";
    let said = check(&output, 0, &[unknown]);
    assert!(!said.contains("not paid"), "{said}");
}

#[test]
fn a_till_with_one_thread_takes_no_other_sales_payment_page_or_order_id() {
    let compiler = built::c_compiler("the till with an event loop").expect("a C compiler");
    let source = "examples/c/event_loop.c";
    let program = build(
        &compiler,
        "c99",
        source,
        &Linked::Shared,
        "event-loop-refuses",
    );
    let old = Rule::parse("status:*:transactionDate=01/01/2020 10:00:00 AM").expect("a rule");
    let rules = vec![old];
    let options = Options {
        rules,
        ..Options::default()
    };
    let sandbox = Sandbox::start(options).expect("the sandbox starts");
    let mut command = till(&program, &sandbox.base_url());
    let running = Running::start(command.args(["100.00", "OLD"]));
    let page = kept_order(&sandbox, "OLD").checkout_url;
    press_pay(&page.expect("a checkout URL"));
    check(&running.end(), 0, &["OLD: not paid"]);

    let exists = http(
        409,
        r#"{"responseCode":"409","data":{"url":"https://pay.example/9"}}"#,
    );
    let service = Service::start([respond(exists)]);
    let mut command = till(&program, &service.url());
    let output = Running::start(command.args(["100.00", "ANOTHERS"])).end();
    let said = check(&output, 0, &["ANOTHERS: this time unknown, ask_person: "]);
    assert!(!said.contains("https://pay.example/9"), "{said}");

    // Nothing is sent with a part of an identifier or of an amount.
    let folder = Folder::new();
    let (id, amount) = ("LONG-".repeat(13), "0".repeat(32));
    let lines = format!("249.50 TYPED-{id}\n{amount} TYPED\n1.00 SPACED OUT\n");
    let commands = std::fs::File::open(folder.file("commands", &lines)).expect("the commands");
    let mut command = till(&program, &sandbox.base_url());
    command.args(["249.50", &id, &amount, "GIVEN"]);
    let output = Running::start(command.stdin(commands)).end();
    for order in [&id, "GIVEN", &format!("TYPED-{id}"), "TYPED"] {
        check(&output, 0, &[&format!("{order}: not sent: ")]);
    }
    check(&output, 0, &["write AMOUNT ORDER_ID"]);
    assert_eq!(sandbox.orders().len(), 1);
}

#[test]
fn three_functions_of_a_library_that_is_loaded_are_enough_for_a_first_sale() {
    let compiler = built::c_compiler("the example with dlopen").expect("a C compiler");
    let source = "examples/c/dlopen.c";
    let program = build(&compiler, "c99", source, &Linked::Not, "loads");
    let sandbox = Sandbox::start(Options::default()).expect("the sandbox starts");
    let (library, nowhere) = (built::library(), Path::new("/nowhere.so"));
    let sells = |library: &Path, order_id: &str| {
        let mut command = till(&program, &sandbox.base_url());
        Running::start(command.arg(library).arg(order_id)).end()
    };
    check(&sells(&library, "LOADED"), 0, &["/checkout/1"]);
    let again = [r#""action":"ask_person""#];
    check(&sells(&library, "LOADED"), 1, &again);
    check(&sells(nowhere, "NOT-LOADED"), 1, &["/nowhere.so"]);
    assert_eq!(sandbox.orders().len(), 1);
}

#[test]
fn the_till_in_cpp_says_what_happened() {
    let Some(compiler) = built::cpp_compiler("the till in C++") else {
        return;
    };
    let source = "examples/c/till.cpp";
    let program = build(&compiler, "c++17", source, &Linked::Shared, "till-cpp");
    check_sales(&program, &SALES);
    check_early_failures(&program);
    check_own_sentences(&program);
    check_sent_before(&program);
    check_moved_money(&program);
    check_long_sales(&program);
}
