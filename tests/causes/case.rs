//! One case: how a failure is provoked, and what its error object must say.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use support::abi::{Reply, result_name};

/// The list of causes from include/payorder-abi.json. The test `header` compares that file with
/// core/src/causes.rs.
pub struct Listed {
    causes: BTreeMap<String, (String, Vec<i32>)>,
}

impl Listed {
    pub fn read() -> Listed {
        let text = include_str!("../../include/payorder-abi.json");
        let description: Value = serde_json::from_str(text).expect("a description");
        let text = |value: &Value| value.as_str().expect("a text").to_owned();
        let causes = description["causes"].as_array().expect("causes").iter();
        let causes = causes.map(|cause| {
            let results = cause["results"].as_array().expect("results").iter();
            let results = results.map(|result| result.as_i64().expect("a number") as i32);
            let details = (text(&cause["action"]), results.collect());
            (text(&cause["name"]), details)
        });
        Listed {
            causes: causes.collect(),
        }
    }

    /// Each cause with each result that it comes with.
    pub fn pairs(&self) -> BTreeSet<(String, i32)> {
        let causes = self.causes.iter();
        causes
            .flat_map(|(cause, (_, results))| {
                results.iter().map(move |result| (cause.clone(), *result))
            })
            .collect()
    }

    /// The action in the list, with its two exceptions: after an unknown outcome of Create Order
    /// it is `ask_status`, and for result 3 `fix_configuration`.
    fn action(&self, cause: &str, result: i32, operation: &Value) -> Value {
        let unknown_order = operation == "create_order" && outcome(result) == "unknown";
        match self.causes.get(cause) {
            None => Value::Null,
            _ if unknown_order && cause != "order_already_sent" => json!("ask_status"),
            _ if result == 3 => json!("fix_configuration"),
            Some((action, _)) => json!(action),
        }
    }
}

fn outcome(result: i32) -> &'static str {
    match result {
        1..=99 => "not_sent",
        100..=199 => "rejected",
        _ => "unknown",
    }
}

type Provoke = Box<dyn Fn() -> Reply + Send + Sync>;

pub struct Case {
    cause: &'static str,
    result: i32,
    what: String,
    provoke: Provoke,
    /// The action is to check this machine's clock.
    pub clock_is_wrong: bool,
}

impl Case {
    pub fn new(
        cause: &'static str,
        result: i32,
        what: impl Into<String>,
        provoke: impl Fn() -> Reply + Send + Sync + 'static,
    ) -> Case {
        Case {
            cause,
            result,
            what: what.into(),
            provoke: Box::new(provoke),
            clock_is_wrong: false,
        }
    }

    pub fn pair(&self) -> (String, i32) {
        (self.cause.to_owned(), self.result)
    }

    pub fn provoke(&self) -> Reply {
        (self.provoke)()
    }

    /// How the error object differs from what is expected.
    pub fn problems(&self, listed: &Listed, reply: &Reply) -> Vec<String> {
        let error = reply.error();
        let action = match self.clock_is_wrong {
            true => json!("check_clock"),
            false => listed.action(self.cause, self.result, &error["operation"]),
        };
        let expected = [
            ("result", json!(self.result)),
            ("name", json!(result_name(self.result))),
            ("outcome", json!(outcome(self.result))),
            ("cause", json!(self.cause)),
            ("action", action),
        ];
        let mut problems = Vec::new();
        if reply.code != self.result {
            problems.push(format!("the result is {}", reply.code));
        }
        for (key, value) in expected {
            if error[key] != value {
                problems.push(format!("{key} is {}, expected {value}", error[key]));
            }
        }
        if reply.message().len() <= 10 {
            problems.push("there is no message".to_owned());
        }
        if reply.json.as_object().map(|object| object.len()) != Some(1) {
            problems.push("`error` is not alone".to_owned());
        }
        let case = format!("{} {}, {}", self.cause, self.result, self.what);
        problems
            .into_iter()
            .map(|problem| format!("{case}: {problem}: {}", reply.text()))
            .collect()
    }
}
