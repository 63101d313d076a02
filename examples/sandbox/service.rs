//! What the two endpoints have in common: their addresses, credentials and responses.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

use serde_json::{Map, Value};

use super::checkout::is_button;
use super::faults::{Name, Step};
use super::http::{Request, Response};
use super::record::Ended;

pub const CREATE_ORDER: &str = "/api/v1/Gateway/CreateOrder";
pub const GET_STATUS: &str = "/api/v1/Gateway/GetStatus";

/// The four credentials of the merchant.
pub struct Credentials {
    pub access_token: String,
    pub client_key: String,
    pub client_id: String,
    pub secret_key: String,
}

impl Credentials {
    /// The same ones in each sandbox.
    pub fn known() -> Self {
        Self {
            access_token: ACCESS_TOKEN.to_owned(),
            client_key: CLIENT_KEY.to_owned(),
            client_id: CLIENT_ID.to_owned(),
            secret_key: SECRET_KEY.to_owned(),
        }
    }

    pub fn random() -> Self {
        Self {
            access_token: random_text(),
            client_key: random_text(),
            client_id: random_text(),
            secret_key: random_text(),
        }
    }

    /// By header, as Create Order checks them.
    pub fn of_create(&self) -> [(&'static str, &str); 1] {
        [("ACCESS-TOKEN", &self.access_token)]
    }

    /// By header, as Get Status checks them.
    pub fn of_status(&self) -> [(&'static str, &str); 3] {
        [
            ("X-CLIENT-KEY", &self.client_key),
            ("X-CLIENT-ID", &self.client_id),
            ("X-SECRET-KEY", &self.secret_key),
        ]
    }

    /// The value of a header; of a credential only whether it is right.
    pub fn masked(&self, name: &str, value: &str) -> String {
        let (create, status) = (self.of_create(), self.of_status());
        let mut headers = create.iter().chain(&status);
        match headers.find(|(header, _)| header.eq_ignore_ascii_case(name)) {
            Some((_, right)) if *right == value => "right".to_owned(),
            Some(_) => "wrong".to_owned(),
            None => value.to_owned(),
        }
    }
}

/// A number that nobody can guess: the standard library's hash keys are random.
pub fn random_number() -> u64 {
    RandomState::new().build_hasher().finish()
}

pub fn random_text() -> String {
    format!("{:016x}{:016x}", random_number(), random_number())
}

pub const ACCESS_TOKEN: &str = "sandbox-access-token";
pub const CLIENT_KEY: &str = "sandbox-client-key";
pub const CLIENT_ID: &str = "sandbox-client-id";
pub const SECRET_KEY: &str = "sandbox-secret-key";

pub const MERCHANT_NAME: &str = "The Sandbox Shop";

/// What is sent of a response, and how it ends.
pub type Reply = (Option<Response>, Ended);

/// A reply, with what the log and the record say about it.
pub struct HandledRequest {
    pub reply: Reply,
    pub order_id: Option<String>,
    pub fault: Option<Name>,
    /// Whether this request created an order.
    pub created: bool,
}

impl HandledRequest {
    /// A response that has nothing to do with an order.
    pub fn of(response: Response) -> Self {
        Self {
            reply: (Some(response), Ended::Complete),
            order_id: None,
            fault: None,
            created: false,
        }
    }

    /// A request whose body is not read.
    pub fn unread() -> Self {
        Self {
            reply: (None, Ended::Held),
            order_id: None,
            fault: Some("stall-unread"),
            created: false,
        }
    }
}

/// The endpoint that the request is for, also with a wrong method.
pub fn endpoint(request: &Request) -> Option<Step> {
    match request.path() {
        CREATE_ORDER => Some(Step::Create),
        GET_STATUS => Some(Step::Status),
        _ => None,
    }
}

/// The step of a request that rules count.
pub fn step_of(request: &Request) -> Option<Step> {
    match endpoint(request) {
        _ if request.method != "POST" => None,
        None if is_button(request) => Some(Step::Return),
        step => step,
    }
}

/// Checks the credentials first, then the body: without credentials, a client does not learn what
/// is wrong with the body.
pub fn check_call(
    request: &Request,
    credentials: &[(&str, &str)],
    body: Option<Map<String, Value>>,
) -> Result<Map<String, Value>, Response> {
    for (name, value) in credentials {
        if request.header(name) != Some(value) {
            return Err(refusal(401, &format!("{name} is missing or wrong")));
        }
    }
    let content_type = request.header("Content-Type").unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if !media_type.eq_ignore_ascii_case("application/json") {
        return Err(refusal(415, "Content-Type must be application/json"));
    }
    body.ok_or_else(|| refusal(400, "The body must be a JSON object"))
}

pub fn json_object(body: &[u8]) -> Option<Map<String, Value>> {
    serde_json::from_slice(body).ok()
}

pub fn text_field(body: Option<&Map<String, Value>>, name: &str) -> Option<String> {
    Some(body?.get(name)?.as_str()?.to_owned())
}

pub fn unknown_order() -> Response {
    refusal(404, "No such order or transaction")
}

/// A refusal: the HTTP status and the responseCode are the same number.
pub fn refusal(code: u16, message: &str) -> Response {
    Response::json(code, envelope(code, message, None))
}

/// What a fault makes of the usual response.
pub fn spoiled(fault: Option<Name>, mut usual: Response) -> Reply {
    let response = match fault.unwrap_or_default() {
        "drop" | "drop-before" | "drop-after-commit" => return (None, Ended::Cut),
        "drop-mid-answer" => return (Some(usual), Ended::Half),
        "stall" | "stall-unread" | "stall-before" => return (None, Ended::Held),
        "stall-mid-answer" => return (Some(usual), Ended::Held),
        "html-502" => page(502, "502 Bad Gateway"),
        "firewall-page" => page(403, "Request blocked"),
        "rate-limit" => {
            refusal(429, "Too many requests").with_header("Retry-After", "1".to_owned())
        }
        "not-found" => unknown_order(),
        "reject" => Response::json(200, envelope(400, "The order was refused", None)),
        "service-error" => Response::json(200, envelope(500, "Internal error", None)),
        "malformed-json" => {
            for _ in 0..4 {
                usual.body.pop();
            }
            usual
        }
        "byte-order-mark" => {
            Response::json(400, format!("\u{feff}{}", envelope(400, "Refused", None)))
        }
        other => match other.strip_prefix("http-").map(str::parse) {
            Some(Ok(status)) => Response::text(status, ""),
            _ => usual,
        },
    };
    (Some(response), Ended::Complete)
}

/// As a gateway or a firewall in front of the service answers.
fn page(status: u16, words: &str) -> Response {
    let html = format!("<html><head><title>{words}</title></head><body>{words}</body></html>\n");
    Response::html(status, html)
}

pub fn envelope(code: u16, message: &str, data: Option<&str>) -> String {
    let mut text = object(&[
        ("responseCode", &code.to_string()),
        ("responseMessage", message),
    ]);
    if let Some(data) = data {
        text.truncate(text.len() - 1);
        text += &format!(",\"data\":{data}}}");
    }
    text
}

/// A JSON object of texts, whose fields keep the order of the documentation.
pub fn object(fields: &[(&str, &str)]) -> String {
    let member = |(name, text): &(&str, &str)| format!("\"{name}\":{}", Value::from(*text));
    format!(
        "{{{}}}",
        fields.iter().map(member).collect::<Vec<_>>().join(",")
    )
}
