//! A table of the ways in which a connection can fail, driven through the C ABI. Each row says what
//! the service does and what the call must return. For all rows: *not sent* means that the service
//! received no byte of the request; a usable response means that it received the request exactly
//! once; no request is received twice; and no call outlasts its deadline.

mod names;
mod table;

use std::collections::{BTreeMap, HashSet};
use std::net::TcpListener;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use support::certificates::Certificates;
use support::row::Row;
use support::service::Way;
use support::trial::{Operation, Trial};

/// Most rows mainly wait. Several tables can run at the same time. In Wine, one process serves all
/// sockets, so each of them is slower.
const AT_ONCE: usize = if cfg!(windows) { 3 } else { 8 };

#[test]
fn a_failure_before_the_connection_is_established_sends_nothing() {
    all_hold(table::connecting::rows());
}

#[test]
fn a_connection_may_end_at_any_moment() {
    all_hold(table::endings::rows());
}

/// No redirect may be followed to `elsewhere`.
#[test]
fn a_malformed_or_unusual_head_is_never_a_wrong_success() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", elsewhere.local_addr().unwrap());
    all_hold(table::heads::rows(&url));
    elsewhere.set_nonblocking(true).unwrap();
    assert!(
        elsewhere.accept().is_err(),
        "a redirect was followed to another host"
    );
}

#[test]
fn a_body_ends_where_its_framing_says() {
    all_hold(table::framing::rows());
}

#[test]
fn a_body_that_cannot_be_used_is_a_bad_response() {
    all_hold(table::bodies::rows());
}

#[test]
fn a_kept_connection_gives_no_call_the_response_to_another() {
    all_hold(table::kept::rows());
}

#[test]
fn a_request_that_did_not_pass_the_tunnel_was_not_sent() {
    all_hold(table::proxies::rows());
}

#[track_caller]
fn all_hold(rows: Vec<Row>) {
    let names: HashSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names.len(), rows.len(), "two rows have the same name");
    let trials: Vec<(&Row, Way, Operation)> = rows
        .iter()
        .flat_map(|row| row.ways.iter().map(move |way| (row, *way)))
        .flat_map(|(row, way)| {
            let operations = [Operation::CreateOrder, Operation::GetStatus];
            operations
                .into_iter()
                .take(if row.create_only { 1 } else { 2 })
                .map(move |operation| (row, way, operation))
        })
        .collect();
    let certificates = Arc::new(Certificates::new());
    let next = AtomicUsize::new(0);
    let (wrong, again) = (Mutex::new(Vec::new()), AtomicUsize::new(0));
    let outcomes = Mutex::new(BTreeMap::<i32, usize>::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some((row, way, operation)) = trials.get(next.fetch_add(1, Relaxed)) {
                    let problems =
                        problems(row, *way, *operation, &certificates, &outcomes, &again);
                    wrong.lock().unwrap().extend(problems);
                }
            });
        }
    });
    let outcomes = outcomes.into_inner().unwrap();
    println!(
        "{} rows, {} trials, {again:?} of them tried twice; calls by result: {outcomes:?}",
        rows.len(),
        trials.len()
    );
    let wrong = wrong.into_inner().unwrap();
    assert!(
        wrong.is_empty(),
        "{} of {} trials:\n  {}",
        wrong.len(),
        trials.len(),
        wrong.join("\n  ")
    );
    // A busy machine does not explain more than this: the results would depend on luck.
    let again = again.into_inner();
    assert!(
        again <= trials.len() / 20,
        "{again} of {} trials passed only at the second try",
        trials.len()
    );
}

/// What is wrong with a row. A busy machine can cause an unexpected result, so the row is tried
/// again with more time. A violation fails at once.
fn problems(
    row: &Row,
    way: Way,
    operation: Operation,
    certificates: &Arc<Certificates>,
    outcomes: &Mutex<BTreeMap<i32, usize>>,
    again: &AtomicUsize,
) -> Option<String> {
    let mut unexpected = Vec::new();
    for patience in [1, 5] {
        let trial = Trial::of(row, way, operation, certificates, patience);
        for call in &trial.calls {
            *outcomes.lock().unwrap().entry(call.reply.code).or_default() += 1;
            println!("{}: {call}", trial.name);
        }
        let violations = trial.violations();
        if !violations.is_empty() {
            return Some(format!("{}: {}", trial.name, violations.join("; ")));
        }
        unexpected = trial.unexpected();
        if unexpected.is_empty() {
            return None;
        }
        println!("{}: {}", trial.name, unexpected.join("; "));
        again.fetch_add(usize::from(patience == 1), Relaxed);
    }
    Some(format!(
        "{row}, {way:?}, {operation:?}: {unexpected}",
        row = row.name,
        unexpected = unexpected.join("; ")
    ))
}
