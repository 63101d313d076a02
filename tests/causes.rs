//! Every cause with every result that it comes with is provoked through the C ABI, with real
//! sockets, TLS connections and files. What cannot be provoked is listed with the reason.
#![cfg(all(feature = "journal", target_os = "linux"))]

#[path = "causes/arguments.rs"]
mod arguments;
#[path = "causes/case.rs"]
mod case;
#[path = "causes/certificates.rs"]
mod certificates;
#[path = "causes/connecting.rs"]
mod connecting;
#[path = "causes/examples.rs"]
mod examples;
#[path = "causes/journals.rs"]
mod journals;
#[path = "causes/json_helpers.rs"]
mod json_helpers;
#[path = "wire_faults/names.rs"]
mod names;
#[path = "causes/processes.rs"]
mod processes;
#[path = "causes/responses.rs"]
mod responses;

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
        json_helpers::cases(),
        connecting::cases(),
        certificates::cases(),
        responses::cases(),
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
                    let reply = case.provoke();
                    let problems = case.problems(&listed, &reply);
                    examples.add(&case.pair().0, place, reply.error());
                    wrong.lock().unwrap().extend(problems);
                }
            });
        }
    });
    let mut wrong = wrong.into_inner().unwrap();

    let provoked: BTreeSet<_> = cases.iter().map(Case::pair).collect();
    let not_provoked: BTreeSet<_> = NOT_PROVOKED
        .iter()
        .map(|(cause, result, _)| (cause.to_string(), *result))
        .collect();
    for (cause, result) in listed.pairs() {
        let pair = (cause, result);
        let places = [provoked.contains(&pair), not_provoked.contains(&pair)];
        match places {
            [true, false] | [false, true] => {}
            [false, false] => wrong.push(format!("{pair:?} is neither provoked nor listed")),
            [true, true] => wrong.push(format!("{pair:?} can be provoked, so do not list it")),
        }
    }
    for pair in provoked.union(&not_provoked) {
        if !listed.pairs().contains(pair) {
            wrong.push(format!("{pair:?} is not in the list of causes"));
        }
    }
    let causes = listed.pairs().into_iter().map(|(cause, _)| cause);
    wrong.extend(examples.problems(&causes.collect()));
    println!("{} cases of {} causes", cases.len(), provoked.len());
    assert!(
        wrong.is_empty(),
        "{} problems:\n  {}",
        wrong.len(),
        wrong.join("\n  ")
    );
}
