//! Any bytes as a response, which an independent parser reads too. An input is three bytes (call,
//! ending, size of the pieces) and the response.

use payorder_fuzz::answer::MOST;
use payorder_fuzz::http::{self, Body};
use payorder_fuzz::input::{self, Answer, Asked, Attempt, Ending, Exchange, Idle, Input, Plan};
use payorder_fuzz::reply::{Entries, Reply, entries, lenient_text, received};
use serde::de::IgnoredAny;

/// The clients' credentials, made of letters that a service could send anywhere.
pub const SECRETS: [&str; 4] = ["tok-4cc355", "key-c113nt", "id-c113nt", "key-s3cr3t"];

/// One call with this response, and another one: data after the response must not be used as the
/// response to the next request.
pub fn input(bytes: &[u8]) -> Option<Input> {
    let [call, ending, pieces, response @ ..] = bytes else {
        return None;
    };
    let asked = [Asked::Order, Asked::Status, Asked::Transaction][usize::from(call % 3)];
    let plan = |exchange| Plan {
        asked,
        idle: Idle::Stay,
        attempts: vec![Attempt {
            exchange,
            ..Attempt::default()
        }],
    };
    let raw = Exchange {
        raw: Some(response.to_vec()),
        pieces: Some(*pieces).filter(|size| *size > 0),
        ending: [Ending::Close, Ending::Keep, Ending::Reset][usize::from(ending % 3)],
        ..Exchange::default()
    };
    let refusal = Exchange {
        answer: Answer {
            status: REFUSED,
            body: input::Body::Nothing,
            ..Answer::default()
        },
        ..Exchange::default()
    };
    Some(Input {
        client: 0,
        calls: vec![plan(raw), plan(refusal)],
    })
}

/// The place of 403 in the list of statuses.
const REFUSED: u8 = 11;

/// Success and rejection must agree with the response, as an independent parser reads it.
pub fn judge(reply: &Reply, asked: Asked, raw: &[u8]) {
    if reply.result != 0 && !(100..=199).contains(&reply.result) {
        return;
    }
    let response = http::read(raw).unwrap_or_else(|| panic!("{reply:?} without a response"));
    let too_large = response.body.bytes().len() > MOST;
    assert!(
        !matches!(response.body, Body::Broken(_)) || too_large,
        "{reply:?} without a complete response: {response:?}"
    );
    let (text, is_damaged) = received(response.body.bytes());
    let envelope = read_envelope(&text, is_damaged).filter(|_| !too_large);
    let code = envelope
        .as_ref()
        .and_then(|envelope| lenient_text(envelope.get("responseCode").map(AsRef::as_ref)))
        .unwrap_or_default();
    let refuses = |code: &str| {
        let number = code.parse().ok().filter(|_| code.len() == 3);
        number.is_some_and(http::is_refusal)
    };
    let refused = refuses(&response.status.to_string());
    if reply.result != 0 && asked == Asked::Order {
        judge_refused_order(response.body.bytes(), envelope.as_ref());
    }
    if reply.result == 0 {
        assert!(
            (200..=299).contains(&response.status),
            "done with HTTP {}",
            response.status
        );
        assert_eq!(code, "200", "done with responseCode {code}");
        judge_done(asked, &envelope.expect("done has an envelope"), reply);
    } else if refused {
        assert!(
            code.is_empty() || refuses(&code),
            "rejected by HTTP {} with responseCode {code}",
            response.status
        );
    } else {
        assert!(
            (200..=299).contains(&response.status) && refuses(&code),
            "rejected by HTTP {} with responseCode {code}",
            response.status
        );
    }
}

/// The entries of an envelope. With a field of the interface twice it is none, nor with a damaged
/// name or `responseCode`.
fn read_envelope(text: &str, is_damaged: bool) -> Option<Entries> {
    #[derive(serde::Deserialize)]
    struct Once {
        #[serde(rename = "responseCode")]
        _code: Option<IgnoredAny>,
        #[serde(rename = "responseMessage")]
        _message: Option<IgnoredAny>,
        #[serde(rename = "data")]
        _data: Option<IgnoredAny>,
    }
    let shows_damage = |text: &str| is_damaged && text.contains('\u{fffd}');
    let is_readable = |all: &Entries| {
        let code = lenient_text(all.get("responseCode").map(AsRef::as_ref));
        !all.keys().any(|name| shows_damage(name)) && !shows_damage(&code.unwrap_or_default())
    };
    let found = entries(text).filter(|_| serde_json::from_str::<Once>(text).is_ok());
    found.filter(is_readable)
}

/// An order is refused only by an empty body or one object, without a checkout URL.
fn judge_refused_order(body: &[u8], envelope: Option<&Entries>) {
    let Some(envelope) = envelope else {
        return assert!(body.is_empty(), "refused by a body that is not one object");
    };
    assert!(
        std::str::from_utf8(body).is_ok_and(|text| !text.starts_with('\u{feff}')),
        "refused by a body that is damaged"
    );
    let data = envelope.get("data").and_then(|data| entries(data.get()));
    let url = data.and_then(|data| data.get("url").map(|url| url.get().to_owned()));
    let empty = [None, Some("null"), Some("\"\"")];
    assert!(
        empty.contains(&url.as_deref()),
        "refused with the URL {url:?}"
    );
}

fn judge_done(asked: Asked, envelope: &Entries, reply: &Reply) {
    let message = reply.entries()["responseMessage"].get().to_owned();
    assert!(
        !SECRETS.iter().any(|secret| message.contains(secret)),
        "the message of a success shows a credential: {message}"
    );
    let data = envelope
        .get("data")
        .and_then(|data| entries(data.get()))
        .unwrap_or_default();
    let field = |name: &str| {
        lenient_text(data.get(name).map(AsRef::as_ref))
            .unwrap_or_else(|| panic!("{name} is not text"))
    };
    let given = entries(reply.entries()["data"].get()).expect("data is an object");
    let given = |name: &str| lenient_text(given.get(name).map(AsRef::as_ref)).expect("a text");
    match asked {
        Asked::Order => {
            let url = field("url");
            assert_eq!(given("url"), url, "the checkout URL was changed");
            let lower = url.to_ascii_lowercase();
            let host = lower
                .strip_prefix("https://")
                .map(|rest| (rest, true))
                .or(lower.strip_prefix("http://").map(|rest| (rest, false)));
            let (host, secure) = host.unwrap_or_else(|| panic!("{url} is a checkout URL"));
            let loopback = ["localhost", "127.", "[", "0x7f", "017", "2130706433"]
                .iter()
                .any(|name| host.starts_with(name));
            assert!(
                secure || loopback || !host.is_ascii() || host.contains('%'),
                "{url} is not secure"
            );
            assert!(
                !url.contains([' ', '\\']) && !url.chars().any(char::is_control),
                "{url:?} is not clean"
            );
        }
        Asked::Status => assert!(
            ["", "O-1"].contains(&field("orderId").as_str()),
            "another order's status"
        ),
        Asked::Transaction => assert!(
            ["", "X-1"].contains(&field("transactionId").as_str()),
            "another transaction's status"
        ),
    }
    if asked != Asked::Order {
        assert_eq!(given("transactionStatus"), field("transactionStatus"));
        let derived = reply.entries()["derived"].get().to_owned();
        assert_eq!(
            derived.starts_with("{\"completed\":true"),
            field("transactionStatus") == "Completed",
            "{derived}"
        );
    }
}
