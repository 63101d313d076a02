//! A connection can be cut after every byte of a Create Order: of the handshake, of the request and
//! of the response, on a new and on a kept connection, over plain TCP and over TLS. Each case
//! closes, resets or stalls the connection after exactly one number of bytes, and compares what the
//! library reports with what the service received.
//!
//! The service is a socket that passes on as many bytes as the case says. So the service has
//! received exactly those, while the client's system may have sent more:
//!
//! - *Not sent* means that no byte of the order left the client, whether or not the service got it.
//! - *Done* and *rejected* mean that the service got the order once, and that its response was
//!   complete, except for the last line end of a body in chunks.
//! - A complete response is never lost.
//! - No order is sent over two connections.
//! - The journal has the same outcome, and the number of bytes that left.
//!
//! `cargo test --test every_byte -- --ignored --nocapture` runs all cases. Otherwise it is a sample,
//! with the cases at the borders of the messages.

mod case;
mod response;
mod trial;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use case::{Case, Layout, Setting};
use support::abi::Outcome;
use support::random::random;
use support::trials::{number_in, trials};
use trial::{Place, Trial};

/// Most cases wait for a moment.
const AT_ONCE: usize = 16;
/// Of the cases that are not at a border, a sample has one in this many: in `cargo test`, and in CI.
const SHARES: [u64; 2] = [240, 60];
/// A sample ends after this time at the latest, on a machine that is busy with other things.
const BOUND: Duration = Duration::from_secs(20);

#[test]
fn a_cut_after_any_byte_of_a_sample_contradicts_no_outcome() {
    let seed = number_in("PAYORDER_BYTES_SEED").unwrap_or(std::process::id().into());
    println!("PAYORDER_BYTES_SEED={seed}");
    let share = trials(SHARES[0], SHARES[1]);
    let is_chosen = |number, case: &Case, layout: &Layout| {
        case.is_border(layout) || random(seed, number).is_multiple_of(share)
    };
    sweep(seed, BOUND, is_chosen);
}

#[test]
#[ignore = "takes minutes"]
fn a_cut_after_any_byte_contradicts_no_outcome() {
    sweep(0, Duration::MAX, |_, _, _| true);
}

/// Runs the chosen cases, in an order that depends on the seed. After `bound`, no further one starts.
fn sweep(seed: u64, bound: Duration, is_chosen: impl Fn(u64, &Case, &Layout) -> bool) {
    let began = Instant::now();
    let place = Place::new();
    let (mut cases, mut wrong) = (Vec::new(), Vec::new());
    let (mut layouts, mut number) = (BTreeMap::new(), 0);
    for setting in Setting::all() {
        let (layout, trial) = place.layout(setting);
        let problems = trial.contradictions(&layout).into_iter();
        wrong.extend(problems.map(|problem| format!("{setting:?}, without a cut: {problem}")));
        for case in setting.cases(&layout) {
            number += 1;
            if is_chosen(number, &case, &layout) {
                cases.push((random(seed, number), case));
            }
        }
        layouts.insert(setting, layout);
    }

    cases.sort_by_key(|(place, _)| *place);
    let cases: Vec<Case> = cases.into_iter().map(|(_, case)| case).collect();

    let next = AtomicUsize::new(0);
    let wrong = Mutex::new(wrong);
    let outcomes = Mutex::new(BTreeMap::<Outcome, usize>::new());
    let twice = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for number in 0..AT_ONCE {
            let place = place.for_thread(number);
            scope.spawn(|| {
                let place = place;
                while let Some(case) = cases.get(next.fetch_add(1, Relaxed)) {
                    if began.elapsed() > bound {
                        return;
                    }
                    let (outcome, again, problems) = run(&place, case, &layouts[&case.setting]);
                    twice.fetch_add(usize::from(again), Relaxed);
                    *outcomes.lock().unwrap().entry(outcome).or_default() += 1;
                    wrong.lock().unwrap().extend(problems);
                }
            });
        }
    });

    let (wrong, outcomes) = (wrong.into_inner().unwrap(), outcomes.into_inner().unwrap());
    let run: usize = outcomes.values().sum();
    let place_of = |case: &Case| (case.setting, case.cut.side, case.cut.position);
    let positions: BTreeSet<_> = cases.iter().map(place_of).collect();
    println!(
        "{run} of {} cases at {} positions in {:.1} s, {twice:?} run twice, {outcomes:?}; \
         {} contradictions",
        cases.len(),
        positions.len(),
        began.elapsed().as_secs_f64(),
        wrong.len()
    );
    assert!(
        wrong.is_empty(),
        "{} wrong in {run} cases:\n  {}",
        wrong.len(),
        wrong.join("\n  ")
    );
    assert_eq!(outcomes.len(), 4, "not all outcomes: {outcomes:?}");
}

/// The outcome of a case, whether it was run again, and what is wrong. A busy machine can be too slow
/// for a case, which then gets more time. A contradiction counts at once.
fn run(place: &Place, case: &Case, layout: &Layout) -> (Outcome, bool, Vec<String>) {
    let Case { setting, cut } = *case;
    let mut factors = [1, 20, 200].into_iter().peekable();
    loop {
        let factor = factors.next().expect("the loop ends with the last one");
        let trial = Trial::of_case(place, setting, cut, layout, factor);
        let mut problems = trial.contradictions(layout);
        let unexpected = trial.unexpected();
        if problems.is_empty() && unexpected.is_some() && factors.peek().is_some() {
            continue;
        }
        problems.extend(unexpected);
        let named = problems
            .iter()
            .map(|problem| format!("{case:?}: {problem}"));
        return (trial.reply.outcome(), factor > 1, named.collect());
    }
}
