//! JSON lines on stdin and stdout.

mod support;

use std::fs;

use serde_json::{Value, json};
use support::{Conversation, Scratch, bridge, order, run_on, sandbox, until};

#[test]
fn a_request_that_cannot_be_read_is_an_error_and_is_not_sent() {
    let sandbox = sandbox();
    let mut bridge = Conversation::start(&mut bridge(&sandbox.base_url()));
    let order = order("1", "x");
    let cases = [
        ("hello".to_owned(), "not_json", Value::Null),
        (
            r#"{"id":1,"call":"version"}{}"#.to_owned(),
            "not_json",
            Value::Null,
        ),
        (r#"{"id":1}"#.to_owned(), "null", json!(1)),
        (
            r#"{"id":1,"call":"pay"}"#.to_owned(),
            "invalid_value",
            json!(1),
        ),
        (r#"{"id":1,"call":7}"#.to_owned(), "invalid_value", json!(1)),
        (
            r#"{"id":1,"call":"create_order"}"#.to_owned(),
            "null",
            json!(1),
        ),
        (
            r#"{"id":1,"call":"version","options":{}}"#.to_owned(),
            "unknown_key",
            json!(1),
        ),
        (
            r#"{"id":1,"call":"version","colour":"red"}"#.to_owned(),
            "unknown_key",
            json!(1),
        ),
        (
            r#"{"id":[1],"call":"version"}"#.to_owned(),
            "invalid_value",
            json!([1]),
        ),
        (
            r#"{"id":1,"call":"parse_return_url","url":"/?txn=\u0000"}"#.to_owned(),
            "invalid_value",
            json!(1),
        ),
        (
            format!(r#"{{"id":1,"call":"create_order","order":{order},"order":{order}}}"#),
            "duplicate_key",
            json!(1),
        ),
        (
            json!({
                "id": 1, "call": "create_order", "order": order,
                "options": {"cancellation": "x"},
            })
            .to_string(),
            "invalid_value",
            json!(1),
        ),
    ];
    for (line, cause, id) in cases {
        bridge.send_text(&format!("{line}\n"));
        let answer = bridge.answer();
        assert_eq!(answer["error"]["cause"], cause, "{line}: {answer}");
        assert_eq!(answer["outcome"], "not_sent", "{line}");
        assert_eq!(answer["error"]["action"], "fix_request", "{line}");
        assert_eq!(answer["id"], id, "{line}");
    }
    assert_eq!(bridge.end(), (Some(0), vec![]));
    assert_eq!(sandbox.orders(), []);
}

#[test]
fn lines_may_have_a_byte_order_mark_and_carriage_returns() {
    let sandbox = sandbox();
    let output = run_on(
        &mut bridge(&sandbox.base_url()),
        "\u{feff}{\"id\":1,\"call\":\"version\"}\r\n\r\n{\"id\":2,\"call\":\"version\"}",
    );
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("\"abiVersion\":1"), "{text}");
    assert!(!text.contains("error"), "{text}");
}

#[test]
fn many_statuses_are_lines_of_their_own() {
    let sandbox = sandbox();
    let mut bridge = Conversation::start(&mut bridge(&sandbox.base_url()));
    bridge.call(&json!({"id": 1, "call": "create_order", "order": order("1", "x")}));
    bridge.send(&json!({
        "id": 2, "call": "get_statuses", "queries": [{"orderId": "O-1"}, {"orderId": "O-9"}],
    }));
    let mut items = [bridge.answer(), bridge.answer()];
    items.sort_by_key(|item| item["index"].as_u64());
    assert_eq!(items[0]["id"], 2);
    assert_eq!(items[0]["response"]["data"]["orderId"], "O-1");
    assert_eq!(items[1]["result"], 100);
    assert_eq!(items[1]["error"]["httpStatus"], 404);
    let summary = bridge.answer();
    assert_eq!(summary["index"], Value::Null);
    assert_eq!(summary["response"]["asked"], 2);
    assert_eq!(bridge.end(), (Some(0), vec![]));
}

#[test]
fn a_call_is_cancelled_by_its_id_while_others_continue() {
    let sandbox = sandbox();
    // With one worker, the second call waits for the first one.
    let mut bridge = Conversation::start(bridge(&sandbox.base_url()).args(["--calls", "1"]));
    bridge.send(&json!({"id": "a", "call": "create_order", "order": order("1", "sandbox:stall")}));
    until("the order arrives", || {
        (!sandbox.orders().is_empty()).then_some(())
    });
    bridge.send(&json!({"id": "b", "call": "create_order", "order": order("2", "x")}));
    bridge.send(&json!({"id": "c", "call": "create_order", "order": order("3", "x")}));
    let twice = bridge.call(&json!({"id": "b", "call": "version"}));
    assert_eq!(twice["error"]["cause"], "invalid_value");
    let cancelled = bridge.call(&json!({"id": "x", "call": "cancel", "target": "b"}));
    assert_eq!(cancelled["response"]["cancelled"], true);
    bridge.send(&json!({"id": "x", "call": "cancel", "target": "a"}));
    let mut answers: Vec<Value> = (0..4).map(|_| bridge.answer()).collect();
    answers.sort_by_key(|answer| answer["id"].to_string());
    assert_eq!(answers[0]["result"], 204);
    assert_eq!(answers[0]["error"]["statusQuery"]["orderId"], "O-1");
    assert_eq!(answers[1]["result"], 8, "cancelled before its call began");
    assert_eq!(answers[2]["result"], 0);
    assert_eq!(answers[3]["response"]["cancelled"], true);
    let late = bridge.call(&json!({"id": "x", "call": "cancel", "target": "a"}));
    assert_eq!(late["response"]["cancelled"], false);
    assert_eq!(sandbox.orders().len(), 2);
}

#[test]
fn the_end_of_the_input_waits_for_the_calls() {
    let sandbox = sandbox();
    let requests: String = (0..40)
        .map(|n| {
            let order = order(&n.to_string(), "x");
            format!(
                "{}\n",
                json!({"id": n, "call": "create_order", "order": order})
            )
        })
        .collect();
    let output = run_on(&mut bridge(&sandbox.base_url()), &requests);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let mut ids: Vec<u64> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .inspect(|answer| assert_eq!(answer["result"], 0))
        .filter_map(|answer| answer["id"].as_u64())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, (0..40).collect::<Vec<_>>());
    assert_eq!(sandbox.orders().len(), 40);
}

#[test]
fn cancel_all_ends_what_is_running_and_what_waits() {
    let sandbox = sandbox();
    let mut bridge = Conversation::start(bridge(&sandbox.base_url()).args(["--calls", "2"]));
    for n in 0..4 {
        bridge.send(&json!({
            "id": n, "call": "wait_for_payment", "query": {"orderId": "O-1"},
        }));
    }
    bridge.send(&json!({"id": "x", "call": "cancel_all"}));
    // A call that is cancelled may be answered first.
    for answer in (0..5).map(|_| bridge.answer()) {
        if answer["id"] == "x" {
            assert_eq!(answer["response"]["cancelled"], 4);
        } else {
            let result = answer["result"].as_u64();
            assert!(matches!(result, Some(8 | 204)), "{answer}");
        }
    }
    assert_eq!(bridge.end(), (Some(0), vec![]));
}

#[test]
fn settings_come_from_a_file_and_the_environment_and_never_from_arguments() {
    let (sandbox, scratch) = (sandbox(), Scratch::new());
    let file = scratch.path().join("payorder.json");
    let config = json!({"baseUrl": "http://127.0.0.1:1", "secretKey": "not-this-one"});
    fs::write(&file, config.to_string()).expect("written");
    let status = "{\"call\":\"get_status\",\"query\":{\"orderId\":\"O-1\"}}\n";
    let mut command = bridge(&sandbox.base_url());
    command.arg("--config").arg(&file);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).expect("a mode");
        let output = run_on(&mut command, status);
        assert_eq!(output.status.code(), Some(2));
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains("chmod 600"), "{message}");
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a mode");
    }
    let output = run_on(&mut command, status);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains("\"httpStatus\":404"), "{text}");

    let output = run_on(bridge(&sandbox.base_url()).args(["--config", ""]), status);
    assert_eq!(output.status.code(), Some(2));
    let output = run_on(bridge(&sandbox.base_url()).arg("--secret-key=hush"), status);
    assert_eq!(output.status.code(), Some(2));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("hush"));
    let output = run_on(bridge("").env_remove("PAYORDER_BASE_URL"), status);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("baseUrl"));
    let answer: Value = serde_json::from_slice(&output.stdout).expect("a line");
    assert_eq!(
        (&answer["call"], &answer["result"]),
        (&json!("open"), &json!(3))
    );
}

#[test]
fn log_events_are_lines_on_stderr() {
    let sandbox = sandbox();
    let output = run_on(
        bridge(&sandbox.base_url()).arg("--log"),
        "{\"call\":\"get_status\",\"query\":{\"orderId\":\"O-1\"}}\n",
    );
    let text = String::from_utf8(output.stderr).expect("UTF-8");
    let last: Value = serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
    assert_eq!(last["event"], "call_finished");
}
