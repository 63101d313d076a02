//! The library reads HTTP responses as ureq, an independent client, reads them. Hundreds of
//! well-formed and malformed responses are sent over real sockets. If one client accepts a response
//! as complete, the other accepts it with the same status and body. Each exception is a row of
//! `differences`.

mod cases;
mod differences;
mod framings;
mod service;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

use serde_json::Value;

use service::Service;
use support::abi::{Client, Reply};
use support::orders::{config, order};

/// Cases that run at the same time. They mainly wait.
const AT_ONCE: usize = 8;
/// A timeout that is never reached, because every response ends.
const TIMEOUT: Duration = Duration::from_secs(60);

/// How a client read a response.
#[derive(Debug)]
enum Read {
    Complete { status: u16, body: Content },
    Refused { why: String },
}

/// The part of a body that both clients return.
#[derive(Debug, PartialEq)]
enum Content {
    /// The JSON object of a success, unchanged.
    Success(Value),
    /// The `responseMessage` of any other JSON object.
    Message(String),
    Other,
}

#[test]
fn ureq_and_the_library_take_the_same_responses_as_complete() {
    let cases = cases::all();
    let names: BTreeSet<&str> = cases.iter().map(|case| case.name.as_str()).collect();
    assert_eq!(names.len(), cases.len(), "two cases have one name");
    assert!(cases.len() > 400, "only {} cases", cases.len());

    let service = Service::start(&cases);
    let (next, found) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let complete = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                while let Some(case) = cases.get(next.fetch_add(1, Relaxed)) {
                    let ours = by_the_library(&service.url(case));
                    let theirs = by_ureq(&service.url(case));
                    if matches!(theirs, Read::Complete { .. }) {
                        complete.fetch_add(1, Relaxed);
                    }
                    if let Some(difference) = difference(&ours, &theirs) {
                        let mut found = found.lock().expect("no other thread panicked");
                        found.insert(case.name.clone(), difference);
                    }
                }
            });
        }
    });

    // The comparison needs many cases of both kinds.
    let complete = complete.into_inner();
    let refused = cases.len() - complete;
    assert!(complete > 100 && refused > 100, "{complete} and {refused}");

    let mut wrong = Vec::new();
    let mut found = found.into_inner().expect("no thread panicked");
    for row in differences::TABLE {
        let of_row: Vec<String> = names
            .iter()
            .filter(|name| row.covers(name))
            .map(|name| name.to_string())
            .collect();
        for name in of_row {
            match found.remove(&name) {
                Some(difference) if difference == row.difference => {}
                Some(difference) => wrong.push(format!("{name}: {difference}")),
                None => wrong.push(format!("{name}: there is no difference")),
            }
        }
    }
    wrong.extend(
        found
            .iter()
            .map(|(name, difference)| format!("{name}: {difference}")),
    );
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// `None` if both read the same.
fn difference(ours: &Read, theirs: &Read) -> Option<String> {
    match (ours, theirs) {
        (Read::Refused { .. }, Read::Refused { .. }) => None,
        (
            Read::Complete { status, body },
            Read::Complete {
                status: their_status,
                body: their_body,
            },
        ) => {
            if status != their_status {
                Some(format!("payorder {status}, ureq {their_status}"))
            } else if body != their_body {
                Some(format!("payorder {body:?}, ureq {their_body:?}"))
            } else {
                None
            }
        }
        (Read::Refused { why }, Read::Complete { status, .. }) => {
            Some(format!("payorder {why}, ureq {status}"))
        }
        (Read::Complete { status, .. }, Read::Refused { why }) => {
            Some(format!("payorder {status}, ureq {why}"))
        }
    }
}

fn by_the_library(url: &str) -> Read {
    let mut settings = config(url);
    settings["timeoutMs"] = Value::from(TIMEOUT.as_millis() as u64);
    settings["maxIdleMs"] = Value::from(0);
    let reply: Reply = Client::new(&settings).create(&order());
    if reply.code == 0 {
        return Read::Complete {
            status: 200,
            body: Content::Success(reply.json),
        };
    }
    let error = &reply["error"];
    let Some(status) = error["httpStatus"].as_u64() else {
        let why = error["cause"].as_str().expect("a cause");
        return Read::Refused {
            why: why.to_owned(),
        };
    };
    Read::Complete {
        status: status as u16,
        body: match error["responseMessage"].as_str() {
            Some(message) => Content::Message(message.to_owned()),
            None => Content::Other,
        },
    }
}

fn by_ureq(url: &str) -> Read {
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .timeout_global(Some(TIMEOUT))
        .http_status_as_error(false)
        .max_redirects(0)
        .max_idle_connections(0)
        .proxy(None)
        .build()
        .into();
    let read = agent.post(url).send("{}").and_then(|mut response| {
        let status = response.status().as_u16();
        let body = response.body_mut().read_to_vec()?;
        Ok((status, content(status, &body)))
    });
    match read {
        // A success of the library has no HTTP status.
        Ok((_, body @ Content::Success(_))) => Read::Complete { status: 200, body },
        Ok((status, body)) => Read::Complete { status, body },
        Err(error) => Read::Refused {
            why: format!("{error}"),
        },
    }
}

fn content(status: u16, body: &[u8]) -> Content {
    match serde_json::from_slice::<Value>(body) {
        Ok(object) if status / 100 == 2 && object["responseCode"] == "200" => {
            Content::Success(object)
        }
        Ok(object) => match object["responseMessage"].as_str() {
            Some(message) => Content::Message(message.to_owned()),
            None => Content::Other,
        },
        Err(_) => Content::Other,
    }
}
