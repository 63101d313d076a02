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
use support::random::random;
use support::row::Row;
use support::service::Way;
use support::trial::{Operation, Trial};

/// Most rows mainly wait. With more of them, a large request takes too long on two cores.
const AT_ONCE: usize = 16;

#[test]
fn each_fault_has_the_promised_result() {
    // No redirect may be followed to it.
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", elsewhere.local_addr().unwrap());
    let rows = table::all(&url).concat();
    let names: HashSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    assert_eq!(names.len(), rows.len(), "two rows have the same name");
    let mut trials: Vec<(&Row, Way, Operation)> = Vec::new();
    for (row, way) in rows
        .iter()
        .flat_map(|row| row.ways.iter().map(move |way| (row, *way)))
    {
        let operations = [Operation::CreateOrder, Operation::GetStatus];
        let operations = &operations[..if row.create_only { 1 } else { 2 }];
        trials.extend(operations.iter().map(|operation| (row, way, *operation)));
    }
    // Mixed, so that the few large requests are not sent at the same time.
    let mut numbered: Vec<_> = (0..).zip(trials).collect();
    numbered.sort_by_key(|(number, _)| random(0, *number));
    let trials: Vec<_> = numbered.into_iter().map(|(_, trial)| trial).collect();
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
        "{} rows, {} trials, {again:?} of them tried again; calls by result: {outcomes:?}",
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
        "{again} of {} trials passed only at a later try",
        trials.len()
    );
    elsewhere.set_nonblocking(true).unwrap();
    assert!(
        elsewhere.accept().is_err(),
        "a redirect was followed to another host"
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
    for patience in [1, 5, 25] {
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
