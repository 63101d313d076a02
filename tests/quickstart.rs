//! Runs the built quickstart as a person would, and checks that it does what the README says.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

fn quickstart() -> Command {
    let name = format!("../examples/quickstart{}", std::env::consts::EXE_SUFFIX);
    let example = support::built::folder().join(name);
    assert!(
        example.exists(),
        "{} is not there; `cargo build --example quickstart` builds it",
        example.display()
    );
    Command::new(example)
}

fn text(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&output.stdout), text(&output.stderr))
}

/// Checks that the steps are in the output in this order, ignoring line breaks.
fn assert_in_order(output: &str, steps: &[&str]) {
    let unbroken: String = output.lines().map(str::trim_start).collect();
    let mut rest = unbroken.as_str();
    for step in steps {
        let at = rest
            .find(step)
            .unwrap_or_else(|| panic!("{step:?} is missing from the rest of\n{output}"));
        rest = &rest[at + step.len()..];
    }
}

const FAILURES: &[&str] = &[
    "NOT SENT",
    "4 PAYORDER_INVALID_REQUEST",
    "amount must be 1 or above",
    "payMode must be",
    "BASKET-18 never arrived, no order was created",
    "NOT SENT",
    "6 PAYORDER_CONNECT_FAILED",
    "BASKET-19 never arrived, no order was created",
    "REJECTED",
    "101 PAYORDER_UNAUTHORIZED",
    "BASKET-19 arrived once, no order was created",
    "UNKNOWN",
    "201 PAYORDER_CONNECTION_LOST",
    "BASKET-20 arrived once, the order was created",
    r#"{"searchType":"1","orderId":"BASKET-20"}"#,
    "0 PAYORDER_OK",
    "Pending",
];

#[test]
fn the_quickstart_runs_to_its_end_and_ignores_a_proxy_of_the_environment() {
    let nowhere = "http://127.0.0.1:9";
    let output = quickstart()
        .env("http_proxy", nowhere)
        .env("ALL_PROXY", nowhere)
        .output()
        .expect("the quickstart runs");
    let (out, err) = text(&output);
    assert!(
        output.status.success() && err.is_empty(),
        "{}\n{out}\n{err}",
        output.status
    );
    let steps = [
        "payorder 0.1.0, C ABI 1",
        "payorder_create_order",
        "POST /api/v1/Gateway/CreateOrder",
        r#"{"amount":"249.50","merchantTxnId""#,
        r#"HTTP 200 {"responseCode":"200","responseMessage":"Success","data":{"url":"http://127.0.0.1:"#,
        "0 PAYORDER_OK",
        "https://shop.example/thanks?basket=17&txn=TXN0000001",
        "payorder_parse_return_url",
        r#"{"transactionId":"TXN0000001","statusQuery""#,
        "payorder_get_status",
        r#"{"searchType":"2","orderId":"","transactionId":"TXN0000001"}"#,
        r#""transactionStatus":"Completed""#,
        r#""completed":true"#,
        "payorder_verify_payment",
        r#"{"paid":true,"reasons":[]"#,
    ];
    let last = ["All is well: paid and verified"];
    assert_in_order(&out, &[&steps[..], FAILURES, &last].concat());
    assert!(
        out.lines()
            .last()
            .is_some_and(|line| line.starts_with("All is well")),
        "{out}"
    );
    for line in out.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
    assert!(out.lines().count() <= 65, "{} lines", out.lines().count());
    for secret in [
        "sandbox-access-token",
        "sandbox-client-key",
        "sandbox-client-id",
        "sandbox-secret-key",
        "last-year-s",
    ] {
        assert!(!out.contains(secret), "{secret}");
    }
}

#[test]
fn the_quickstart_waits_for_a_person_who_pays_on_the_page() {
    for (buttons, last, verified) in [
        (
            &["fail", "pay"][..],
            "All is well: paid and verified",
            r#"{"paid":true"#,
        ),
        (
            &["cancel"][..],
            "All is well: cancelled, and verified as not paid",
            r#"{"paid":false"#,
        ),
    ] {
        let mut running = Running::start(quickstart().arg("--browser"));
        let mut read_until = |wanted: &str| running.read_until(wanted);
        let url = read_until("open ")
            .split("http://")
            .nth(1)
            .expect("a checkout URL")
            .to_owned();
        read_until("Pending");
        for button in buttons {
            let pressed = browser()
                .post(format!("http://{url}/{button}"))
                .send_empty();
            let pressed = pressed.expect("a response to the button");
            let shop = pressed.headers()["Location"].to_str().expect("a URL");
            browser().get(shop).call().expect("a page of the shop");
            read_until(if *button == "fail" {
                "Failed"
            } else {
                "returns "
            });
        }
        read_until("All is well");
        let out = &running.output;
        assert!(out.contains(last) && out.contains(verified), "{out}");
        assert!(running.process.wait().expect("its end").success());
    }
}

/// A program whose output is read while it runs. It is ended when dropped.
struct Running {
    process: Child,
    lines: Receiver<String>,
    output: String,
}

impl Running {
    fn start(command: &mut Command) -> Self {
        let mut process = command
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let stdout = BufReader::new(process.stdout.take().expect("its output"));
        let (sender, lines) = mpsc::channel();
        thread::spawn(move || {
            stdout
                .lines()
                .map_while(Result::ok)
                .try_for_each(|line| sender.send(line))
        });
        Self {
            process,
            lines,
            output: String::new(),
        }
    }

    /// Reads up to the next line that contains the text.
    fn read_until(&mut self, wanted: &str) -> String {
        while let Ok(line) = self.lines.recv_timeout(Duration::from_secs(60)) {
            self.output += &format!("{line}\n");
            if line.contains(wanted) {
                return line;
            }
        }
        panic!("{wanted:?} is missing:\n{}", self.output);
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // After a success it has already ended.
        drop(self.process.kill());
        drop(self.process.wait());
    }
}

/// The customer's browser, which does not follow redirects.
fn browser() -> ureq::Agent {
    let settings = ureq::Agent::config_builder();
    settings.max_redirects(0).proxy(None).build().into()
}

#[test]
fn the_quickstart_has_a_help_text() {
    let output = quickstart()
        .arg("--help")
        .output()
        .expect("the quickstart runs");
    assert!(output.status.success());
    assert!(text(&output).0.contains("--browser"));
    let output = quickstart()
        .arg("--brewser")
        .output()
        .expect("the quickstart runs");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).1.contains("--brewser is not understood"));
}
