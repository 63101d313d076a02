//! One case: how a failure is provoked, and what its error object must say.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use support::abi::{Reply, result_name};

/// The actions of causes with their results, from include/payorder-abi.json. The test `header`
/// compares that file with core/src/causes.rs.
pub struct Listed(BTreeMap<(String, i32), String>);

impl Listed {
    pub fn read() -> Listed {
        let text = include_str!("../../include/payorder-abi.json");
        let description: Value = serde_json::from_str(text).expect("a description");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let causes = description["causes"].as_array().expect("causes").iter();
        let pairs = causes.flat_map(|cause| {
            let results = cause["results"].as_array().expect("results").iter();
            results.map(move |result| {
                let result = result.as_i64().expect("a number") as i32;
                ((text(&cause["name"]), result), text(&cause["action"]))
            })
        });
        Listed(pairs.collect())
    }

    /// Each cause with each result that it comes with.
    pub fn pairs(&self) -> impl Iterator<Item = &(String, i32)> {
        self.0.keys()
    }

    /// The action in the list, with its exceptions, such as: after an unknown outcome of Create Order
    /// it is `ask_status`, and for result 3 `fix_configuration`.
    fn action(&self, pair: &(String, i32), operation: &Value) -> Option<&str> {
        match pair {
            (_, 3) => Some("fix_configuration"),
            (cause, 8) if cause == "client_freed" => Some("none"),
            (cause, 200..=205) if operation == "create_order" && cause != "order_exists" => {
                Some("ask_status")
            }
            (cause, _) if cause == "service_refused" && operation == "get_status" => {
                Some("retry_later")
            }
            pair => self.0.get(pair).map(String::as_str),
        }
    }
}

type Provoke = Box<dyn Fn() -> Reply + Send + Sync>;

pub struct Case {
    pub pair: (String, i32),
    pub provoke: Provoke,
    what: String,
    /// The action is to check this machine's clock.
    pub clock_is_wrong: bool,
}

impl Case {
    pub fn new(
        cause: &str,
        result: i32,
        what: impl Into<String>,
        provoke: impl Fn() -> Reply + Send + Sync + 'static,
    ) -> Case {
        Case {
            pair: (cause.to_owned(), result),
            provoke: Box::new(provoke),
            what: what.into(),
            clock_is_wrong: false,
        }
    }

    /// How the error object differs from what is expected.
    pub fn problem(&self, listed: &Listed, reply: &Reply) -> Option<String> {
        let (cause, result) = &self.pair;
        let error = reply.error();
        let action = match self.clock_is_wrong {
            true => Some("check_clock"),
            false => listed.action(&self.pair, &error["operation"]),
        };
        let outcome = ["done", "not_sent", "rejected", "unknown"][reply.outcome() as usize];
        let expected = json!([result, result_name(*result), outcome, cause, action]);
        let keys = ["result", "name", "outcome", "cause", "action"];
        let right = reply.code == *result
            && json!(keys.map(|key| &error[key])) == expected
            && reply.message().len() > 10
            && reply
                .json
                .as_object()
                .is_some_and(|object| object.len() == 1);
        let problem = || format!("{}: expected {expected}, got {}", self.what, reply.text());
        (!right).then(problem)
    }
}
