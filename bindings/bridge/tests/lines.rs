//! JSON lines on stdin and stdout: what the conformance suite, which talks to the bridge in the
//! same way, does not say.

#[cfg(target_os = "linux")]
#[allow(dead_code)]
#[path = "../../../tests/secrets/memory.rs"]
mod memory;
mod support;

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::{Value, json};
use support::{Till, create, lines, only_for_its_owner, run_on, with};

/// The cause, the id of the answer, and the request. Of `$order` there is a complete one.
const UNREADABLE: &str = r#"
not_json      null hello
not_json      null {"id":1,"call":"version"}{}
null          1    {"id":1}
invalid_value 1    {"id":1,"call":"pay"}
invalid_value 1    {"id":1,"call":7}
null          1    {"id":1,"call":"create_order"}
unknown_key   1    {"id":1,"call":"version","options":{}}
unknown_key   1    {"id":1,"call":"version","colour":"red"}
duplicate_key 1    {"id":1,"call":"create_order","order":$order,"order":$order}
invalid_value [1]  {"id":[1],"call":"version"}
invalid_value 1    {"id":1,"call":"parse_return_url","url":"/?txn=\u0000"}
invalid_value 2    {"id":2,"call":"create_order","order":$order,"options":{"cancellation":"x"}}
not_json      3    {"id":3,"call":"create_order","order":$order,"options":[]}
not_json      4    {"id":4,"call":"create_order","order":$order,"options":5}
"#;

#[cfg(unix)]
#[test]
fn no_answer_is_lost_where_stdout_does_not_block() {
    use std::io::Read;
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    let till = Till::new();
    let (mut answers, stdout) = UnixStream::pair().expect("a pair");
    stdout.set_nonblocking(true).expect("non-blocking");
    let mut command = till.bridge(&[]);
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::from(OwnedFd::from(stdout)));
    let mut bridge = command.spawn().expect("the bridge starts");
    // It holds the other end of the pair.
    drop(command);
    let mut stdin = bridge.stdin.take().expect("stdin");
    for number in 0..1000 {
        let id = format!("{number:01000}");
        writeln!(stdin, r#"{{"id":"{id}","call":"version"}}"#).expect("written");
    }
    drop(stdin);
    let mut output = Vec::new();
    answers.read_to_end(&mut output).expect("answers");
    assert_eq!(lines(&output).len(), 1000);
    assert!(bridge.wait().expect("an end").success());
}

#[cfg(unix)]
#[test]
fn no_request_is_lost_where_stdin_does_not_block() {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;

    let (mut requests, stdin) = UnixStream::pair().expect("a pair");
    stdin.set_nonblocking(true).expect("non-blocking");
    let till = Till::new();
    let mut command = till.bridge(&[]);
    command
        .stdin(Stdio::from(OwnedFd::from(stdin)))
        .stdout(Stdio::piped());
    let bridge = command.spawn().expect("the bridge starts");
    for part in [
        r#"{"id":1,"#,
        "\"call\":\"version\"}\n{\"id\":2,",
        "\"call\":\"version\"}",
    ] {
        // The bridge finds nothing to read.
        std::thread::sleep(std::time::Duration::from_millis(200));
        requests.write_all(part.as_bytes()).expect("written");
    }
    drop(requests);
    let output = bridge.wait_with_output().expect("an end");
    let ids: Vec<_> = lines(&output.stdout)
        .iter()
        .map(|one| one["id"].as_u64())
        .collect();
    assert_eq!((ids.len(), output.status.code()), (2, Some(0)), "{ids:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_said_with_the_reason() {
    for arguments in [&[][..], &["--help"], &["--version"]] {
        check_full(arguments);
    }
}

#[cfg(target_os = "linux")]
fn check_full(arguments: &[&str]) {
    let till = Till::new();
    let mut command = till.bridge(arguments);
    let full = fs::File::create("/dev/full").expect("opened");
    command
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped());
    let mut bridge = command.spawn().expect("the bridge starts");
    let mut stdin = bridge.stdin.take().expect("stdin");
    // Where it only shows its help, it may have ended.
    drop(writeln!(stdin, r#"{{"call":"version"}}"#));
    drop(stdin);
    let ended = bridge.wait_with_output().expect("an end");
    assert_eq!(ended.status.code(), Some(1));
    let message = String::from_utf8_lossy(&ended.stderr);
    assert!(message.contains("No space left on device"), "{message}");
}

#[test]
fn each_request_has_its_answer_where_no_thread_can_be_started() {
    let till = Till::new();
    let input = format!("{}\n", create(1, "x"));
    let output = run_on(&mut till.bridge_without_threads(), &input);
    assert_eq!(lines(&output.stdout)[0]["result"], 0);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_request_that_cannot_be_read_is_an_error_and_is_not_sent() {
    let till = Till::new();
    let order = create(1, "x")["order"].to_string();
    let expected: Vec<(&str, Value, &str)> = UNREADABLE
        .trim()
        .lines()
        .map(|line| {
            let (cause, rest) = line.split_once(' ').expect("a cause");
            let (id, request) = rest.trim().split_once(' ').expect("an id");
            let id = serde_json::from_str(id).expect("JSON");
            (cause, id, request.trim())
        })
        .collect();
    let requests: String = expected
        .iter()
        .map(|(_, _, request)| request.replace("$order", &order) + "\n")
        .collect();
    let output = run_on(&mut till.bridge(&["--calls", "1"]), &requests);
    assert_eq!(output.status.code(), Some(0));
    let answers = lines(&output.stdout);
    let sorted = |mut all: Vec<String>| {
        all.sort();
        all
    };
    let given = answers.iter().map(|answer| {
        assert_eq!(answer["error"]["action"], "fix_request", "{answer}");
        assert_eq!(answer["result"], 1, "{answer}");
        assert_eq!(answer["outcome"], "not_sent", "{answer}");
        format!("{} {}", answer["error"]["cause"], answer["id"])
    });
    let expected = expected.iter();
    let expected = expected.map(|(cause, id, _)| format!("{cause:?} {id}"));
    assert_eq!(sorted(given.collect()), sorted(expected.collect()));
    assert_eq!(till.sandbox.orders(), []);
}

#[test]
fn an_empty_text_is_no_options() {
    let request = with(create(1, "x"), json!({"options": ""}));
    let output = run_on(&mut Till::new().bridge(&[]), &request.to_string());
    assert_eq!(lines(&output.stdout)[0]["result"], 0);
}

#[test]
fn lines_may_have_a_byte_order_mark_and_carriage_returns() {
    let requests = "\u{feff}{\"id\":1,\"call\":\"version\"}\r\n\r\n{\"id\":2,\"call\":\"version\"}";
    let output = run_on(&mut Till::new().bridge(&[]), requests);
    let answers = lines(&output.stdout);
    assert_eq!(answers.len(), 2);
    for answer in answers {
        assert_eq!(answer["response"]["abiVersion"], 1, "{answer}");
    }
}

#[test]
fn a_call_is_cancelled_by_its_id_also_before_it_begins() {
    let till = Till::new();
    // With one worker, the other calls wait for the first one.
    let mut command = till.bridge(&["--calls", "1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bridge = support::Running(command.spawn().expect("the bridge starts"));
    let mut input = bridge.0.stdin.take().expect("stdin");
    let mut output = BufReader::new(bridge.0.stdout.take().expect("stdout"));
    let mut send = |id: &str, request: Value| {
        let line = format!("{}\n", with(request, json!({"id": id})));
        input.write_all(line.as_bytes()).expect("written");
    };
    let mut answer = || -> Value {
        let mut line = String::new();
        output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect("JSON")
    };
    let cancel = |id: &str| json!({"call": "cancel", "target": id});

    send("a", create(1, "sandbox:stall"));
    till.until_the_order_arrives();
    send("b", create(2, "x"));
    send("c", create(3, "x"));
    send("b", json!({"call": "version"}));
    assert_eq!(
        answer()["error"]["cause"],
        "invalid_value",
        "the id is used"
    );
    send("x", cancel("b"));
    let mut answers = vec![answer(), answer()];
    send("x", cancel("a"));
    answers.extend((0..3).map(|_| answer()));
    answers.sort_by_key(|answer| answer["id"].to_string());
    let cancelled = answers.iter().filter(|answer| answer["id"] == "x");
    assert!(
        cancelled
            .map(|answer| &answer["response"]["cancelled"])
            .all(|one| *one == true)
    );
    let results: Vec<_> = answers.iter().map(|answer| &answer["result"]).collect();
    assert_eq!(results, [204, 8, 0, 0, 0]);
    assert_eq!(answers[0]["error"]["statusQuery"]["orderId"], "O-1");
    send("x", cancel("a"));
    assert_eq!(answer()["response"]["cancelled"], false, "it has ended");
    assert_eq!(till.sandbox.orders().len(), 2);
}

#[test]
fn the_time_of_a_call_counts_while_it_waits_for_its_turn() {
    let till = Till::new();
    let mut command = till.bridge(&["--calls", "1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bridge = support::Running(command.spawn().expect("the bridge starts"));
    let mut input = bridge.0.stdin.take().expect("stdin");
    let mut output = BufReader::new(bridge.0.stdout.take().expect("stdout")).lines();
    let mut send = |request: Value, id: u32| {
        writeln!(input, "{}", with(request, json!({"id": id}))).expect("written");
    };
    let mut answer = || -> Value {
        serde_json::from_str(&output.next().expect("a line").expect("text")).expect("JSON")
    };
    send(create(1, "sandbox:stall"), 1);
    till.until_the_order_arrives();
    let soon = json!({"options": {"timeoutMs": 500}});
    send(with(create(2, "x"), soon), 2);
    let late = answer();
    assert_eq!(late["id"], 2);
    assert_eq!(late["error"]["cause"], "queue_timed_out");
    send(json!({"call": "cancel", "target": 1}), 3);
    let ended = [answer(), answer()];
    assert!(
        ended.iter().any(|answer| answer["result"] == 204),
        "{ended:?}"
    );
    // A wait for a payment is in nobody's way.
    send(
        json!({"call": "wait_for_payment", "query": {"orderId": "none"}}),
        4,
    );
    send(create(5, "x"), 5);
    assert_eq!(answer()["id"], 5);
    assert_eq!(till.sandbox.orders().len(), 2);
}

#[test]
fn long_numbers_are_different_ids() {
    let till = Till::new();
    let mut command = till.bridge(&[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bridge = command.spawn().expect("the bridge starts");
    let mut input = bridge.stdin.take().expect("stdin");
    let order = create(1, "sandbox:stall")["order"].to_string();
    let id = "2026113009451212345";
    writeln!(
        input,
        r#"{{"id":{id}61,"call":"create_order","order":{order}}}"#
    )
    .expect("written");
    till.until_the_order_arrives();
    for target in ["62", "61"] {
        writeln!(input, r#"{{"call":"cancel","target":{id}{target}}}"#).expect("written");
    }
    drop(input);
    let output = bridge.wait_with_output().expect("an end").stdout;
    let text = String::from_utf8_lossy(&output);
    let cancelled = |yes| text.matches(&format!(r#"{{"cancelled":{yes}}}"#)).count();
    assert_eq!((cancelled(true), cancelled(false)), (1, 1), "{text}");
    assert!(text.contains(&format!(
        r#"{{"id":{id}61,"call":"create_order","result":204"#
    )));
}

#[test]
fn cancel_all_cancels_calls_without_an_id_too() {
    let till = Till::new();
    let mut command = till.bridge(&["--calls", "1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bridge = command.spawn().expect("the bridge starts");
    let mut input = bridge.stdin.take().expect("stdin");
    writeln!(input, "{}", create(1, "sandbox:stall")).expect("written");
    till.until_the_order_arrives();
    writeln!(input, "{}", create(2, "x")).expect("written");
    writeln!(input, r#"{{"call":"cancel_all"}}"#).expect("written");
    drop(input);
    let mut answers = lines(&bridge.wait_with_output().expect("an end").stdout);
    answers.sort_by_key(|answer| answer["result"].as_u64());
    let results: Vec<_> = answers.iter().map(|answer| &answer["result"]).collect();
    assert_eq!(results, [0, 8, 204]);
    assert_eq!(answers[0]["response"]["cancelled"], 2);
    assert_eq!(till.sandbox.orders().len(), 1);
}

#[test]
fn only_the_call_itself_is_answered_under_its_id() {
    let till = Till::new();
    let mut command = till.bridge(&[]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut bridge = command.spawn().expect("the bridge starts");
    let mut input = bridge.stdin.take().expect("stdin");
    let request = with(create(1, "sandbox:stall"), json!({"id": 7}));
    writeln!(input, "{request}").expect("written");
    till.until_the_order_arrives();
    writeln!(input, "{request}").expect("written");
    writeln!(input, r#"{{"id":7,"call":"create_order"}}"#).expect("written");
    writeln!(input, r#"{{"id":7,"call":"cancel","target":7}}"#).expect("written");
    drop(input);
    let answers = lines(&bridge.wait_with_output().expect("an end").stdout);
    let (own, others): (Vec<_>, Vec<_>) = answers.iter().partition(|one| one["id"] == 7);
    let results = |answers: Vec<&Value>| -> Vec<Value> {
        answers.iter().map(|one| one["result"].clone()).collect()
    };
    assert!(others.iter().all(|one| one["idInUse"] == 7), "{answers:?}");
    assert_eq!(
        (results(own), results(others)),
        (vec![json!(204)], vec![json!(1), json!(1), json!(0)])
    );
    assert_eq!(till.sandbox.orders()[0].create_requests, 1);
}

#[test]
fn the_end_of_the_input_waits_for_the_calls() {
    let till = Till::new();
    let requests: String = (0..40).map(|n| format!("{}\n", create(n, "x"))).collect();
    let output = run_on(&mut till.bridge(&[]), &requests);
    assert_eq!(output.status.code(), Some(0));
    let answers = lines(&output.stdout);
    assert!(answers.iter().all(|answer| answer["result"] == 0));
    assert_eq!((answers.len(), till.sandbox.orders().len()), (40, 40));
}

#[test]
fn settings_come_from_a_file_and_the_environment_and_never_from_arguments() {
    let till = Till::new();
    let file = till.folder.join("payorder.json");
    let config = json!({"baseUrl": "http://127.0.0.1:1", "secretKey": "not-this-one"});
    fs::write(&file, config.to_string()).expect("written");
    only_for_its_owner(&file);
    let status = "{\"call\":\"get_status\",\"query\":{\"orderId\":\"O-1\"}}\n";
    let mut command = till.bridge(&["--log"]);
    let output = run_on(command.arg("--config").arg(&file), status);
    assert_eq!(lines(&output.stdout)[0]["error"]["httpStatus"], 404);
    let events = lines(&output.stderr);
    assert_eq!(events.last().expect("an event")["event"], "call_finished");

    for arguments in [&["--config", ""][..], &["--secret-key=hush"]] {
        let output = run_on(&mut till.bridge(arguments), status);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("hush"));
    }
    let output = run_on(till.bridge(&[]).env_remove("PAYORDER_BASE_URL"), status);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("baseUrl"));
    let answer = &lines(&output.stdout)[0];
    assert_eq!(
        (&answer["call"], &answer["result"]),
        (&json!("open"), &json!(3))
    );
}

#[cfg(target_os = "linux")]
#[test]
fn no_credential_and_no_customer_stays_in_freed_memory() {
    use std::os::unix::fs::PermissionsExt;

    let till = Till::new();
    let file = till.folder.join("payorder.json");
    let (token, customer) = ("Kx4vQz7wJp2mTb9yRc6nHd3s", "Qw7zXv3kLp9mBt5yNc2rGd8j");
    fs::write(&file, json!({"accessToken": token}).to_string()).expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("a mode");
    let mut command = till.bridge(&["--config"]);
    command
        .arg(&file)
        .env_remove("PAYORDER_ACCESS_TOKEN")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    let mut bridge = command.spawn().expect("the bridge starts");
    let mut stdin = bridge.stdin.take().expect("stdin");
    let mut answers = BufReader::new(bridge.stdout.take().expect("stdout"));
    let mut ask = |request: String| {
        writeln!(stdin, "{request}").expect("written");
        let mut answer = String::new();
        answers.read_line(&mut answer).expect("an answer");
        answer
    };
    let mut order = create(1, "soup");
    order["order"]["customerName"] = json!(customer);
    assert!(ask(order.to_string()).contains("PAYORDER_UNAUTHORIZED"));
    // It takes the places of the order in the buffers that are still used.
    ask(json!({"call": "version", "id": "-".repeat(1 << 16)}).to_string());
    let mut search = memory::Search::new();
    search.add("the credential", token);
    search.add("the customer", customer);
    assert_eq!(search.process(bridge.id()), Vec::<String>::new());
    drop(stdin);
    assert!(bridge.wait().expect("an end").success());
}
