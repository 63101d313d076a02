//! Request files and answer files.

mod support;

use std::fs;
use std::process::Stdio;

use serde_json::{Value, json};
use support::{Running, Scratch, bridge, fetch, order, put, run_on, sandbox, until};

fn create(number: &str, product: &str) -> String {
    json!({"call": "create_order", "order": order(number, product)}).to_string()
}

#[test]
fn request_files_are_answered_in_the_order_of_their_names() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    for number in ["3", "1", "2"] {
        put(folder, &format!("{number}.json"), &create(number, "x"));
    }
    put(
        folder,
        "4.JSON",
        r#"{"id": "mine", "call": "get_status", "query": {"orderId": "O-3"}}"#,
    );
    fs::write(folder.join("in/5.part"), "not ready").expect("written");
    let mut command = bridge(&sandbox.base_url());
    command
        .arg("--folder")
        .arg(folder)
        .args(["--once", "--calls", "1"]);
    assert_eq!(run_on(&mut command, "").status.code(), Some(0));

    let sent: Vec<String> = sandbox
        .exchanges()
        .iter()
        .map(|exchange| {
            let body: Value = serde_json::from_str(&exchange.request_body).expect("JSON");
            body["orderId"].as_str().unwrap_or_default().to_owned()
        })
        .collect();
    assert_eq!(sent, ["O-1", "O-2", "O-3", "O-3"]);
    let answer = fetch(folder, "1.json");
    assert_eq!(answer["id"], "1");
    assert_eq!(answer["result"], 0);
    assert_eq!(fetch(folder, "4.JSON")["id"], "mine");
    assert!(
        folder.join("in/5.part").exists(),
        "not ready, so not touched"
    );
    assert_eq!(
        fs::read_dir(folder.join("work")).expect("a folder").count(),
        0
    );

    // The journal is there without being configured.
    put(folder, "6.json", &create("1", "x"));
    assert_eq!(run_on(&mut command, "").status.code(), Some(0));
    let answer = fetch(folder, "6.json");
    assert_eq!(answer["result"], 206);
    assert_eq!(answer["error"]["previous"]["orderId"], "O-1");
}

#[test]
fn an_unreadable_request_has_an_answer() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    put(folder, "a.json", "");
    put(folder, "b.json", r#"{"call": "cancel", "target": "a"}"#);
    fs::write(folder.join("in/c.json"), [b'"', 0xe4, b'"']).expect("written");
    fs::create_dir(folder.join("in/d.json")).expect("a folder");
    let mut command = bridge(&sandbox.base_url());
    command.arg("--folder").arg(folder).arg("--once");
    assert_eq!(run_on(&mut command, "").status.code(), Some(0));
    let answer = fetch(folder, "a.json");
    assert_eq!(
        (&answer["id"], &answer["outcome"]),
        (&json!("a"), &json!("not_sent"))
    );
    assert_eq!(answer["error"]["cause"], "not_json");
    assert_eq!(fetch(folder, "b.json")["error"]["cause"], "invalid_value");
    assert_eq!(fetch(folder, "c.json")["error"]["cause"], "not_utf8");
}

#[test]
fn many_statuses_are_in_one_answer() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    put(folder, "1.json", &create("1", "x"));
    let queries = json!([{"orderId": "O-1"}, {"orderId": "O-9"}]);
    put(
        folder,
        "2.json",
        &json!({"call": "get_statuses", "queries": queries}).to_string(),
    );
    let mut command = bridge(&sandbox.base_url());
    command
        .arg("--folder")
        .arg(folder)
        .args(["--once", "--calls", "1"]);
    assert_eq!(run_on(&mut command, "").status.code(), Some(0));
    let answer = fetch(folder, "2.json");
    assert_eq!(answer["response"]["asked"], 2);
    let items = answer["items"].as_array().expect("items");
    let mut results: Vec<_> = items.iter().map(|item| item["result"].as_u64()).collect();
    results.sort_unstable();
    assert_eq!(results, [Some(0), Some(100)]);
}

#[test]
fn an_answer_that_nobody_has_read_is_not_overwritten() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    put(folder, "1.json", &create("1", "x"));
    let mut command = bridge(&sandbox.base_url());
    command.arg("--folder").arg(folder).arg("--once");
    assert_eq!(run_on(&mut command, "").status.code(), Some(0));
    put(folder, "1.json", &create("2", "x"));
    put(folder, "2.json", &create("3", "x"));
    assert_eq!(run_on(&mut command, "").status.code(), Some(0));
    assert!(folder.join("in/1.json").exists(), "it waits");
    assert_eq!(fetch(folder, "2.json")["result"], 0);
    let first = fetch(folder, "1.json");
    assert!(
        first["response"]["data"]["url"]
            .as_str()
            .expect("a URL")
            .ends_with("/1")
    );
    assert_eq!(run_on(&mut command, "").status.code(), Some(0));
    let second = fetch(folder, "1.json");
    assert!(
        second["response"]["data"]["url"]
            .as_str()
            .expect("a URL")
            .ends_with("/3")
    );
}

#[test]
fn a_file_cancels_the_request_of_that_name() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    let mut command = bridge(&sandbox.base_url());
    command.arg("--folder").arg(folder).args(["--calls", "1"]);
    let _running = Running(command.spawn().expect("the bridge starts"));
    put(folder, "1.json", &create("1", "sandbox:stall"));
    until("the order arrives", || {
        (!sandbox.orders().is_empty()).then_some(())
    });
    put(folder, "2.json", &create("2", "x"));
    put(folder, "2.cancel", "");
    put(folder, "1.cancel", "");
    let answer = fetch(folder, "1.json");
    assert_eq!(answer["result"], 204);
    assert_eq!(answer["error"]["statusQuery"]["orderId"], "O-1");
    assert_eq!(
        fetch(folder, "2.json")["result"],
        8,
        "cancelled before its turn"
    );
    put(folder, "9.cancel", "");
    until("the files are removed", || {
        let left = fs::read_dir(folder.join("in")).expect("a folder").count();
        (left == 0).then_some(())
    });
    assert_eq!(sandbox.orders().len(), 1);
}

#[test]
fn a_query_does_not_wait_behind_a_long_wait_which_can_be_cancelled() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    let mut command = bridge(&sandbox.base_url());
    command.arg("--folder").arg(folder);
    let _running = Running(command.spawn().expect("the bridge starts"));
    put(folder, "1.json", &create("1", "x"));
    assert_eq!(fetch(folder, "1.json")["result"], 0);
    let wait = json!({"call": "wait_for_payment", "query": {"orderId": "O-1"},
        "options": {"waitMs": 86_400_000, "intervalMs": 600_000}});
    put(folder, "2.json", &wait.to_string());
    until("the wait begins", || {
        (sandbox.exchanges().len() == 2).then_some(())
    });
    put(
        folder,
        "3.json",
        r#"{"call": "get_status", "query": {"orderId": "O-1"}}"#,
    );
    assert_eq!(fetch(folder, "3.json")["result"], 0);
    // A second request with the name of one that is running waits for its turn.
    put(folder, "2.json", r#"{"call": "version"}"#);
    put(folder, "2.cancel", "");
    let answer = fetch(folder, "2.json");
    assert_eq!(answer["call"], "wait_for_payment");
    assert_eq!(answer["error"]["cause"], "cancelled");
    assert_eq!(fetch(folder, "2.json")["call"], "version");
}

#[test]
fn only_one_bridge_works_in_a_folder() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = &scratch.path().join("till");
    let mut command = bridge(&sandbox.base_url());
    command.arg("--folder").arg(folder);
    let running = Running(command.spawn().expect("the bridge starts"));
    until("the bridge creates its folders", || {
        folder.join("work").exists().then_some(())
    });
    put(folder, "1.json", r#"{"call":"version"}"#);
    assert_eq!(fetch(folder, "1.json")["result"], 0);
    let output = run_on(command.arg("--once"), "");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        message.contains("another bridge works in this folder"),
        "{message}"
    );
    drop(running);
    assert_eq!(run_on(&mut command, "").status.code(), Some(0));
}

#[test]
fn an_answer_is_kept_until_it_can_be_written() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    let mut command = bridge(&sandbox.base_url());
    command.arg("--folder").arg(folder).stderr(Stdio::null());
    let _running = Running(command.spawn().expect("the bridge starts"));
    let text = json!({
        "call": "create_order", "order": order("1", "sandbox:stall"), "options": {"timeoutMs": 700},
    });
    put(folder, "1.json", &text.to_string());
    until("the order arrives", || {
        (!sandbox.orders().is_empty()).then_some(())
    });
    fs::rename(folder.join("work"), folder.join("away")).expect("renamed");
    std::thread::sleep(std::time::Duration::from_millis(1200));
    fs::rename(folder.join("away"), folder.join("work")).expect("renamed");
    let answer = fetch(folder, "1.json");
    assert_eq!(
        answer["result"], 200,
        "the result of the call itself: {answer}"
    );
}

/// An earlier bridge was killed inside the call: the request is in `work`, its order in the
/// journal.
#[test]
fn an_order_is_not_sent_again_after_a_crash_not_even_with_resend_or_cancelled() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    let mut once = bridge(&sandbox.base_url());
    once.arg("--folder").arg(folder).arg("--once");
    let request = json!({
        "call": "create_order", "order": order("1", "sandbox:drop-after-commit"),
        "options": {"resend": true},
    });
    put(folder, "1.json", &request.to_string());
    assert_eq!(run_on(&mut once, "").status.code(), Some(0));
    assert_eq!(fetch(folder, "1.json")["result"], 201);

    fs::write(folder.join("work/1.json"), request.to_string()).expect("written");
    put(folder, "1.cancel", "");
    assert_eq!(run_on(&mut once, "").status.code(), Some(0));
    let answer = fetch(folder, "1.json");
    assert_eq!(answer["result"], 206, "{answer}");
    assert_eq!(answer["error"]["cause"], "order_may_exist");
    assert_eq!(sandbox.orders()[0].create_requests, 1);

    // Without a crash, a person may send it again.
    put(folder, "2.json", &request.to_string());
    assert_eq!(run_on(&mut once, "").status.code(), Some(0));
    assert_ne!(fetch(folder, "2.json")["result"], 206);
    assert_eq!(sandbox.orders()[0].create_requests, 2);
}

#[test]
fn after_a_crash_no_order_is_called_not_sent_while_the_journal_cannot_be_used() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let folder = scratch.path();
    let journal = folder.join("orders.db");
    fs::write(&journal, "the file of another program").expect("written");
    fs::create_dir(folder.join("work")).expect("a folder");
    fs::write(folder.join("work/1.json"), create("1", "x")).expect("written");
    let mut command = bridge(&sandbox.base_url());
    command.arg("--folder").arg(folder);
    let _running = Running(
        command
            .stderr(Stdio::null())
            .spawn()
            .expect("the bridge starts"),
    );
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert!(!folder.join("out/1.json").exists());
    fs::remove_file(&journal).expect("removed");
    assert_eq!(fetch(folder, "1.json")["result"], 0);
}
