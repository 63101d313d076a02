//! Request files and answer files.

mod support;

use std::fs;
use std::time::Duration;

use serde_json::{Value, json};
use support::{Till, count, create, run_on, until, with};

#[test]
fn request_files_are_answered_in_the_order_of_their_names() {
    let till = Till::new();
    for number in [3, 1, 2] {
        till.put(&format!("{number}.json"), create(number, "x"));
    }
    let query = json!({"id": "mine", "call": "get_status", "query": {"orderId": "O-3"}});
    till.put("4.JSON", query);
    let queries = json!([{"orderId": "O-1"}, {"orderId": "O-9"}]);
    till.put(
        "5.json",
        json!({"call": "get_statuses", "queries": queries}),
    );
    fs::write(till.folder.join("in/6.part"), "not ready").expect("written");
    till.once(&["--calls", "1"]);

    let exchanges = till.sandbox.exchanges();
    let sent = exchanges.iter().map(|exchange| {
        let body: Value =
            serde_json::from_str(exchange["body"].as_str().expect("a text")).expect("JSON");
        body["orderId"].as_str().unwrap_or_default().to_owned()
    });
    let sent: Vec<String> = sent.take(4).collect();
    assert_eq!(sent, ["O-1", "O-2", "O-3", "O-3"]);
    let answer = till.fetch("1.json");
    assert_eq!((&answer["id"], &answer["result"]), (&json!("1"), &json!(0)));
    assert_eq!(till.fetch("4.JSON")["id"], "mine");
    let many = till.fetch("5.json");
    assert_eq!(many["response"]["asked"], 2);
    let items = many["items"].as_array().expect("items").iter();
    let mut results: Vec<_> = items.map(|item| item["result"].as_u64()).collect();
    results.sort_unstable();
    assert_eq!(results, [Some(0), Some(100)]);
    assert!(till.folder.join("in/6.part").exists());
    assert_eq!(count(&till.folder.join("work")), 0);

    // The journal is there without being configured.
    till.put("6.json", create(1, "x"));
    till.once(&[]);
    let answer = till.fetch("6.json");
    assert_eq!(answer["result"], 206);
    assert_eq!(answer["error"]["previous"]["orderId"], "O-1");
}

#[test]
fn an_unreadable_request_has_an_answer() {
    let till = Till::new();
    till.put("a.json", "");
    till.put("b.json", r#"{"call": "cancel", "target": "a"}"#);
    fs::write(till.folder.join("in/c.json"), [b'"', 0xe4, b'"']).expect("written");
    fs::create_dir(till.folder.join("in/d.json")).expect("a folder");
    till.once(&[]);
    for (id, cause) in [("a", "not_json"), ("b", "invalid_value"), ("c", "not_utf8")] {
        let answer = till.fetch(&format!("{id}.json"));
        assert_eq!(
            (&answer["id"], &answer["outcome"]),
            (&json!(id), &json!("not_sent"))
        );
        assert_eq!(answer["error"]["cause"], cause);
    }
}

#[test]
fn an_answer_that_nobody_has_read_is_not_overwritten() {
    let till = Till::new();
    let url = |answer: Value| answer["response"]["data"]["url"].to_string();
    till.put("1.json", create(1, "x"));
    till.once(&[]);
    till.put("1.json", create(2, "x"));
    till.put("2.json", create(3, "x"));
    let message = till.once_with(1, &[]);
    assert!(message.contains("1.json waits: "), "{message}");
    assert!(
        message.contains("requests without an answer: 1"),
        "{message}"
    );
    assert!(till.folder.join("in/1.json").exists(), "it waits");
    assert_eq!(till.result("2.json"), 0);
    assert!(url(till.fetch("1.json")).ends_with("/1\""));
    till.once(&[]);
    assert!(url(till.fetch("1.json")).ends_with("/3\""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_too_long_for_its_answer_is_not_sent() {
    let till = Till::new();
    let (long, longest) = ("n".repeat(244), "n".repeat(243));
    // The program itself could not write NAME.json.part.
    fs::create_dir_all(till.folder.join("in")).expect("a folder");
    for (number, name) in [&long, &longest].into_iter().enumerate() {
        let path = till.folder.join(format!("in/{name}.json"));
        fs::write(path, create(number, "x").to_string()).expect("written");
    }
    let message = till.once_with(1, &[]);
    assert!(
        message.contains(&format!("{long}.json waits: ")),
        "{message}"
    );
    assert_eq!(till.result(&format!("{longest}.json")), 0);
    assert_eq!(till.sandbox.orders().len(), 1);
}

#[cfg(unix)]
#[test]
fn a_request_that_is_a_link_waits_and_its_reason_is_printed() {
    let till = Till::new();
    till.put("2.json", r#"{"call": "version"}"#);
    let request = till.folder.join("request");
    fs::write(&request, r#"{"call": "version"}"#).expect("written");
    std::os::unix::fs::symlink(request, till.folder.join("in/1.json")).expect("a link");
    let messages = till.once_with(1, &[]);
    assert_eq!(messages.matches("1.json waits: ").count(), 1, "{messages}");
    assert!(messages.contains("it is a link"), "{messages}");
    assert!(
        messages.contains("requests without an answer: 1"),
        "{messages}"
    );
    assert_eq!(till.result("2.json"), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn a_request_that_cannot_be_read_waits_and_holds_up_no_other() {
    use std::os::unix::fs::PermissionsExt;
    let till = Till::new();
    till.put("1.json", r#"{"call": "version"}"#);
    till.put("2.json", r#"{"call": "version"}"#);
    let unreadable = till.folder.join("in/1.json");
    let mode = |mode| fs::set_permissions(&unreadable, fs::Permissions::from_mode(mode));
    mode(0o000).expect("a mode");
    let by = till.without_rights_to_all_files();
    let mut running = till.start_by(&by, &["--once", "--calls", "1"]);
    let ended = until("it ends", || running.0.try_wait().expect("a state"));
    assert_eq!(ended.code(), Some(1));
    assert_eq!(till.result("2.json"), 0);
    assert!(unreadable.exists(), "it waits");
    mode(0o600).expect("a mode");
    till.once(&[]);
    assert_eq!(till.result("1.json"), 0);
}

#[test]
fn a_file_cancels_the_request_of_that_name() {
    let till = Till::new();
    let _running = till.start(&["--calls", "1"]);
    till.put("1.json", create(1, "sandbox:stall"));
    till.until_the_order_arrives();
    till.put("2.json", create(2, "x"));
    till.put("2.cancel", "");
    assert_eq!(till.result("2.json"), 8, "cancelled before its turn");
    till.put("1.CANCEL", "");
    let answer = till.fetch("1.json");
    assert_eq!(answer["result"], 204);
    assert_eq!(answer["error"]["statusQuery"]["orderId"], "O-1");
    till.put("9.cancel", "");
    until("the files are removed", || {
        (count(&till.folder.join("in")) == 0).then_some(())
    });
    assert_eq!(till.sandbox.orders().len(), 1);
}

#[cfg(target_os = "linux")]
#[test]
fn a_cancellation_that_cannot_be_removed_holds_up_nothing() {
    let till = Till::new();
    till.put("1.json", r#"{"call": "version"}"#);
    till.put("2.json", create(2, "x"));
    till.put("3.json", create(3, "x"));
    till.put("2.cancel", "");
    till.put("old.cancel", "");
    let file = |name| till.folder.join("in").join(name).display().to_string();
    let (own, old) = (file("2.cancel"), file("old.cancel"));
    // As on Windows while a program has it open.
    let words = "strace -f -qq -o /dev/null -e inject=?unlink,?unlinkat:error=EBUSY -P";
    let mut by: Vec<_> = words.split(' ').collect();
    by.extend([own.as_str(), "-P", old.as_str()]);
    let mut bridge = till.bridge_by(&by, &["--once", "--calls", "1", "--folder"]);
    let ended = run_on(bridge.arg(&till.folder), "");
    let messages = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(0), "{messages}");
    let results = ["1.json", "2.json", "3.json"].map(|name| till.result(name));
    assert_eq!(results, [json!(0), json!(8), json!(0)]);
    for file in [own, old] {
        let message = format!("{file} cannot be removed: ");
        assert_eq!(messages.matches(&message).count(), 1, "{messages}");
    }
}

#[test]
fn a_request_that_was_cancelled_before_it_was_taken_is_not_sent() {
    let cancelled = until("the cancellation comes early enough", || {
        let till = Till::new();
        // The bridge takes these after a look at the folder, and before the next one.
        for number in 0..60 {
            till.put(&format!("{number:02}.json"), r#"{"call": "version"}"#);
        }
        till.put("last.json", create(1, "x"));
        let _running = till.start(&["--calls", "100"]);
        while till.folder.join("in/00.json").exists() {
            std::hint::spin_loop();
        }
        till.put("last.cancel", "");
        let waited = till.folder.join("in/last.json").exists();
        let result = till.result("last.json");
        waited.then_some((result, till.sandbox.orders().len()))
    });
    assert_eq!(cancelled, (json!(8), 0));
}

#[test]
fn a_query_does_not_wait_behind_a_long_wait_which_can_be_cancelled() {
    let till = Till::new();
    let _running = till.start(&["--calls", "1"]);
    till.put("1.json", create(1, "x"));
    assert_eq!(till.result("1.json"), 0);
    let wait = json!({"call": "wait_for_payment", "query": {"orderId": "O-1"},
        "options": {"waitMs": 86_400_000, "intervalMs": 600_000}});
    till.put("2.json", wait);
    until("the wait begins", || {
        (till.sandbox.exchanges().len() == 2).then_some(())
    });
    till.put(
        "3.json",
        r#"{"call": "get_status", "query": {"orderId": "O-1"}}"#,
    );
    assert_eq!(till.result("3.json"), 0);
    // A second request with the name of one that is running waits for its turn.
    till.put("2.json", r#"{"call": "version"}"#);
    till.put("2.cancel", "");
    let answer = till.fetch("2.json");
    assert_eq!(answer["call"], "wait_for_payment");
    assert_eq!(answer["error"]["cause"], "cancelled");
    assert_eq!(till.fetch("2.json")["call"], "version");
}

#[test]
fn each_request_has_its_answer_where_no_thread_can_be_started() {
    let till = Till::new();
    till.put("1.json", create(1, "x"));
    let mut command = till.bridge_without_threads();
    let ended = run_on(command.arg("--once").arg("--folder").arg(&till.folder), "");
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(till.result("1.json"), 0);
}

#[cfg(target_os = "linux")]
#[test]
fn each_request_has_its_answer_where_descriptors_are_few() {
    let till = Till::new();
    for number in 0..300 {
        till.put(&format!("{number:03}.json"), r#"{"call": "version"}"#);
    }
    let few = r#"ulimit -n 13; exec "$0" "$@""#;
    let _running = till.start_by(&["sh", "-c", few], &[]);
    for number in 0..300 {
        assert_eq!(till.result(&format!("{number:03}.json")), 0);
    }
}

#[test]
fn the_bridge_goes_on_when_the_folder_can_be_read_again() {
    let till = Till::new();
    let _running = till.start(&[]);
    till.put("1.json", r#"{"call": "version"}"#);
    assert_eq!(till.result("1.json"), 0);
    let (requests, away) = (till.folder.join("in"), till.folder.join("away"));
    fs::rename(&requests, &away).expect("renamed");
    std::thread::sleep(Duration::from_millis(500));
    fs::rename(&away, &requests).expect("renamed");
    till.put("2.json", r#"{"call": "version"}"#);
    assert_eq!(till.result("2.json"), 0);
}

#[test]
fn no_answer_is_lost_because_the_folder_cannot_be_read() {
    let till = Till::new();
    let options = json!({"options": {"timeoutMs": 1000}});
    till.put("1.json", with(create(1, "sandbox:stall"), options));
    let mut running = till.start(&["--once"]);
    till.until_the_order_arrives();
    fs::rename(till.folder.join("in"), till.folder.join("away")).expect("renamed");
    let ended = until("it ends", || running.0.try_wait().expect("a state"));
    assert_eq!(ended.code(), Some(1));
    assert_eq!(till.result("1.json"), 200);
}

#[cfg(target_os = "linux")]
#[test]
fn no_order_is_sent_whose_answer_would_be_on_another_file_system() {
    let till = Till::new();
    let other = std::path::Path::new("/dev/shm").join(till.folder.file_name().expect("a name"));
    fs::create_dir(&other).expect("a folder");
    std::os::unix::fs::symlink(&other, till.folder.join("out")).expect("a link");
    till.put("1.json", create(1, "x"));
    let mut bridge = till.bridge(&["--once", "--folder"]);
    let ended = run_on(bridge.arg(&till.folder), "");
    fs::remove_dir_all(other).expect("removed");
    let message = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(1), "{message}");
    assert!(message.contains("are on two file systems"), "{message}");
    assert!(till.sandbox.exchanges().is_empty());
    assert_eq!(count(&till.folder.join("in")), 1);
}

#[cfg(unix)]
#[test]
fn folders_that_the_bridge_makes_are_for_its_user_and_others_keep_their_rights() {
    use std::os::unix::fs::PermissionsExt;
    let till = Till::new();
    let requests = till.folder.join("in");
    fs::create_dir(&requests).expect("a folder");
    fs::set_permissions(&requests, fs::Permissions::from_mode(0o730)).expect("a mode");
    till.once(&[]);
    let new = till.folder.join("new");
    let ended = run_on(till.bridge(&["--once", "--folder"]).arg(&new), "");
    assert_eq!(ended.status.code(), Some(0));
    let mode = |path: std::path::PathBuf| {
        fs::metadata(path).expect("a folder").permissions().mode() & 0o777
    };
    assert_eq!(mode(requests), 0o730);
    let made = [
        new.clone(),
        new.join("in"),
        new.join("out"),
        new.join("work"),
    ];
    assert_eq!(made.map(mode), [0o700; 4]);
}

#[test]
fn only_one_bridge_works_in_a_folder() {
    let till = Till::new();
    let running = till.start(&[]);
    till.put("1.json", r#"{"call":"version"}"#);
    assert_eq!(till.result("1.json"), 0);
    let mut second = till.bridge(&["--once", "--folder"]);
    let output = run_on(second.arg(&till.folder), "");
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(
        message.contains("another bridge works in this folder"),
        "{message}"
    );
    drop(running);
    till.once(&[]);
}

#[test]
fn an_answer_is_kept_until_it_can_be_written() {
    let till = Till::new();
    let _running = till.start(&[]);
    let options = json!({"options": {"timeoutMs": 700}});
    till.put("1.json", with(create(1, "sandbox:stall"), options));
    till.until_the_order_arrives();
    let (work, away) = (till.folder.join("work"), till.folder.join("away"));
    fs::rename(&work, &away).expect("renamed");
    std::thread::sleep(Duration::from_millis(1200));
    fs::rename(&away, &work).expect("renamed");
    assert_eq!(till.result("1.json"), 200, "the result of the call itself");
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_whose_folder_cannot_be_flushed_is_delivered_once() {
    use std::os::unix::fs::PermissionsExt;
    let till = Till::new();
    let by = till.without_rights_to_all_files();
    let options = json!({"options": {"timeoutMs": 700}});
    till.put("1.json", with(create(1, "sandbox:stall"), options));
    let mut running = till.start_by(&by, &["--once"]);
    till.until_the_order_arrives();
    // Names can be added, but the folder cannot be opened.
    let answers = till.folder.join("out");
    let mode = |mode| fs::set_permissions(&answers, fs::Permissions::from_mode(mode));
    mode(0o300).expect("a mode");
    assert_eq!(till.result("1.json"), 200);
    let ended = until("it ends", || running.0.try_wait().expect("a state"));
    mode(0o700).expect("a mode");
    assert_eq!(ended.code(), Some(0));
}

/// An earlier bridge was killed inside the call: the request is in `work`, its order in the
/// journal.
#[test]
fn an_order_is_not_sent_again_after_a_crash_not_even_with_resend_or_cancelled() {
    let till = Till::new();
    let resend = json!({"options": {"resend": true}});
    let request = with(create(1, "sandbox:drop-after-commit"), resend).to_string();
    till.put("1.json", &request);
    till.once(&[]);
    assert_eq!(till.result("1.json"), 201);

    fs::write(till.folder.join("work/1.json"), &request).expect("written");
    till.put("1.cancel", "");
    till.once(&[]);
    let answer = till.fetch("1.json");
    assert_eq!(answer["result"], 206, "{answer}");
    assert_eq!(answer["error"]["cause"], "order_may_exist");
    assert_eq!(till.sandbox.orders()[0].create_requests, 1);

    // Without a crash, a person may send it again.
    till.put("2.json", &request);
    till.once(&[]);
    assert_ne!(till.result("2.json"), 206);
    assert_eq!(till.sandbox.orders()[0].create_requests, 2);
}

#[test]
fn after_a_crash_no_order_is_called_not_sent_because_its_time_ended_in_the_queue() {
    let till = Till::new();
    till.put("3.json", create(3, "x"));
    till.once(&[]);
    assert_eq!(till.result("3.json"), 0);
    let (long, short) = (json!({"timeoutMs": 1000}), json!({"timeoutMs": 100}));
    let order = |number, product, options: &Value| {
        let request = with(create(number, product), json!({"options": options}));
        let path = till.folder.join(format!("work/{number}.json"));
        fs::write(path, request.to_string()).expect("written");
    };
    order(1, "sandbox:stall", &long);
    order(2, "sandbox:stall", &long);
    order(3, "x", &short);
    till.once(&["--calls", "1"]);
    assert_eq!(till.result("3.json"), 206);
}

#[test]
fn after_a_crash_no_order_is_called_not_sent_while_the_journal_cannot_be_used() {
    let till = Till::new();
    let journal = till.folder.join("orders.db");
    fs::write(&journal, "the file of another program").expect("written");
    fs::create_dir(till.folder.join("work")).expect("a folder");
    fs::write(till.folder.join("work/1.json"), create(1, "x").to_string()).expect("written");
    let _running = till.start(&[]);
    std::thread::sleep(Duration::from_millis(500));
    assert!(!till.folder.join("out/1.json").exists());
    fs::remove_file(&journal).expect("removed");
    assert_eq!(till.result("1.json"), 0);
}

#[test]
fn a_journal_is_the_same_file_after_a_start_from_another_folder() {
    let till = Till::new();
    till.put("1.json", create(1, "x"));
    let file = till.folder.join("payorder.json");
    let folder = till.folder.to_str().expect("UTF-8");
    fs::write(&file, json!({"journal": "orders.db"}).to_string()).expect("written");
    support::only_for_its_owner(&file);
    let bridge = || till.bridge(&["--once", "--folder", folder]);
    let (mut variable, mut argument, mut named) = (bridge(), bridge(), bridge());
    variable.env("PAYORDER_JOURNAL", "orders.db");
    argument.arg("--config").arg(&file);
    named.env("PAYORDER_CONFIG", &file);
    for mut refused in [variable, argument, named] {
        let ended = run_on(refused.current_dir(&till.folder), "");
        let message = String::from_utf8_lossy(&ended.stderr);
        assert_eq!(ended.status.code(), Some(2), "{message}");
        assert!(
            message.contains("needs its whole path, not orders.db"),
            "{message}"
        );
    }
    assert!(till.sandbox.exchanges().is_empty());
    let journal = till.folder.join("mine.db");
    let ended = run_on(bridge().env("PAYORDER_JOURNAL", &journal), "");
    assert_eq!(ended.status.code(), Some(0));
    assert_eq!(till.result("1.json"), 0);
    assert!(journal.exists());
}
