//! Every cause with every result that it comes with is provoked through the C ABI, with real
//! sockets, TLS connections and files. What cannot be provoked is listed with the reason.
#![cfg(all(feature = "journal", target_os = "linux"))]

#[path = "causes/arguments.rs"]
mod arguments;
#[path = "causes/case.rs"]
mod case;
#[path = "causes/certificates.rs"]
mod certificates;
#[path = "causes/examples.rs"]
mod examples;
#[path = "causes/journals.rs"]
mod journals;
#[path = "wire_faults/names.rs"]
mod names;
#[path = "causes/processes.rs"]
mod processes;
#[path = "wire_faults/table/mod.rs"]
mod table;
#[path = "causes/wire.rs"]
mod wire;

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use case::{Case, Listed};
use examples::Examples;
use support::table;

/// Most cases mainly wait.
const AT_ONCE: usize = 8;

/// A cause and a result that it comes with, and why no test can provoke them.
const NOT_PROVOKED: [(&str, i32, &str); 4] = table! {
    "no_journal", 3, "only a build of the library without the journal has it";
    "certificate_revoked", 7, "the library reads no revocation lists yet";
    "bug", 11, "it needs an unknown bug in the library";
    "bug", 205, "it needs an unknown bug in the library";
};

#[test]
fn every_cause_is_provoked_or_listed_with_a_reason() {
    let cases: Vec<Case> = [
        arguments::cases(),
        wire::cases(),
        certificates::cases(),
        journals::cases(),
        processes::cases(),
    ]
    .into_iter()
    .flatten()
    .collect();
    let listed = Listed::read();
    let examples = Examples::default();
    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                loop {
                    let place = next.fetch_add(1, Relaxed);
                    let Some(case) = cases.get(place) else {
                        break;
                    };
                    let reply = (case.provoke)();
                    examples.add(&case.pair.0, place, reply.error());
                    let problem = case.problem(&listed, &reply);
                    wrong.lock().unwrap().extend(problem);
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();

    let provoked: BTreeSet<_> = cases.iter().map(|case| case.pair.clone()).collect();
    let not_provoked = NOT_PROVOKED.map(|(cause, result, _)| (cause.to_owned(), result));
    for pair in &not_provoked {
        if provoked.contains(pair) {
            wrong.push(format!("{pair:?} can be provoked, so do not list it"));
        }
    }
    let all = provoked.iter().cloned().chain(not_provoked).collect();
    let listed: BTreeSet<_> = listed.pairs().cloned().collect();
    for pair in listed.symmetric_difference(&all) {
        wrong.push(format!("{pair:?} is only listed, or only provoked"));
    }
    wrong.extend(examples.problems());
    println!("{} cases of {} causes", cases.len(), provoked.len());
    assert!(
        wrong.is_empty(),
        "{} problems:\n  {}",
        wrong.len(),
        wrong.join("\n  ")
    );
}
