//! Answers: one JSON object on one line.

use payorder_core::{Code, Error};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::library::Reply;

#[derive(Serialize)]
struct Answer<'a> {
    id: Box<RawValue>,
    #[serde(rename = "idInUse", skip_serializing_if = "Option::is_none")]
    id_in_use: Option<Box<RawValue>>,
    call: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    index: Option<usize>,
    result: i32,
    name: &'static str,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    response: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Box<RawValue>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    items: Option<&'a [Box<RawValue>]>,
}

#[derive(Deserialize)]
struct ErrorObject {
    error: Box<RawValue>,
}

/// What an answer is about.
#[derive(Clone)]
pub struct About {
    /// The request's id as it was written; `null` if there is none.
    pub id: String,
    /// The request's id, if it is that of an earlier call that has no answer yet.
    pub id_in_use: Option<String>,
    pub call: String,
}

impl About {
    pub fn call(call: &str) -> Self {
        Self {
            id: "null".to_owned(),
            id_in_use: None,
            call: call.to_owned(),
        }
    }

    /// The answer of a whole call, without the end of the line.
    pub fn answer(&self, reply: &Reply, items: Option<&[Box<RawValue>]>) -> String {
        self.line(reply, None, items)
    }

    /// The status with this index, of `get_statuses`.
    pub fn item(&self, index: usize, reply: &Reply) -> String {
        self.line(reply, Some(index), None)
    }

    fn line(&self, reply: &Reply, index: Option<usize>, items: Option<&[Box<RawValue>]>) -> String {
        let code = reply.as_ref().map_or_else(Error::code, |_| Code::Ok);
        let answer = Answer {
            id: raw(&self.id),
            id_in_use: self.id_in_use.as_deref().map(raw),
            call: &self.call,
            index,
            result: code.number(),
            name: code.name(),
            outcome: code.outcome().name(),
            response: reply.as_ref().ok().map(|json| raw(json)),
            error: reply.as_ref().err().map(|error| {
                let json = error.to_json();
                serde_json::from_str(&json).map_or_else(|_| raw(&json), |it: ErrorObject| it.error)
            }),
            items,
        };
        // A structure of texts, numbers and JSON has a JSON form.
        let text = serde_json::to_string(&answer).unwrap_or_default();
        // The service's own line breaks, which are only between JSON tokens.
        text.replace(['\n', '\r'], " ")
    }
}

/// JSON as it is written. Other text becomes a JSON string, so that nothing is lost.
pub fn raw(json: &str) -> Box<RawValue> {
    RawValue::from_string(json.to_owned()).unwrap_or_else(|_| {
        let text = serde_json::Value::from(json).to_string();
        RawValue::from_string(text).unwrap_or_default()
    })
}
