//! Faults on demand: a marker in the order's `productInfo`, such as `sandbox:stall`.

/// What happens to the response of Create Order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum CreateFault {
    DropBefore,
    DropAfterCommit,
    DropMidResponse,
    StallBefore,
    Stall,
    Html502,
    ServiceError,
    MalformedJson,
    NoUrl,
    BadUrl,
    Redirect,
    TooLarge,
    Reject,
    RateLimit,
}

/// What happens to the responses of Get Status about the order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum StatusFault {
    WrongAmount,
    WrongOrder,
    UnknownStatus,
    Refunded,
    OtherDate,
    FewFields,
    NotFoundOnce,
    DropOnce,
    Html502Once,
    RateLimitOnce,
    Drop,
    Stall,
    MalformedJson,
}

/// What happens to the return URL.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ReturnFault {
    SecondQuestionMark,
    WithoutTxn,
}

#[derive(Clone, Copy)]
pub enum Fault {
    Create(CreateFault),
    Status(StatusFault),
    Return(ReturnFault),
}

/// Every marker, what it does, and its text in `--help`, the start message and the README.
pub const TABLE: &[(&str, Fault, &str)] = &[
    (
        "sandbox:drop-before",
        Fault::Create(CreateFault::DropBefore),
        "cuts the connection; the order is not kept",
    ),
    (
        "sandbox:drop-after-commit",
        Fault::Create(CreateFault::DropAfterCommit),
        "keeps the order, then cuts the connection",
    ),
    (
        "sandbox:drop-mid-answer",
        Fault::Create(CreateFault::DropMidResponse),
        "keeps the order, cuts in the middle of the response",
    ),
    (
        "sandbox:stall-before",
        Fault::Create(CreateFault::StallBefore),
        "never answers; the order is not kept",
    ),
    (
        "sandbox:stall",
        Fault::Create(CreateFault::Stall),
        "keeps the order, never answers",
    ),
    (
        "sandbox:html-502",
        Fault::Create(CreateFault::Html502),
        "keeps the order, answers 502 with a gateway's HTML page",
    ),
    (
        "sandbox:service-error",
        Fault::Create(CreateFault::ServiceError),
        "keeps the order, answers responseCode 500 over HTTP 200",
    ),
    (
        "sandbox:malformed-json",
        Fault::Create(CreateFault::MalformedJson),
        "keeps the order, answers incomplete JSON",
    ),
    (
        "sandbox:no-url",
        Fault::Create(CreateFault::NoUrl),
        "keeps the order, answers success without data.url",
    ),
    (
        "sandbox:bad-url",
        Fault::Create(CreateFault::BadUrl),
        "keeps the order, answers a javascript: address as data.url",
    ),
    (
        "sandbox:redirect",
        Fault::Create(CreateFault::Redirect),
        "keeps the order, answers 307 to the same endpoint",
    ),
    (
        "sandbox:too-large",
        Fault::Create(CreateFault::TooLarge),
        "keeps the order, answers success with 2 MiB of padding",
    ),
    (
        "sandbox:reject",
        Fault::Create(CreateFault::Reject),
        "refuses the order: responseCode 400 over HTTP 200",
    ),
    (
        "sandbox:rate-limit",
        Fault::Create(CreateFault::RateLimit),
        "refuses the order: 429 with Retry-After: 1",
    ),
    (
        "sandbox:wrong-amount",
        Fault::Status(StatusFault::WrongAmount),
        "reports 1.00 for every amount (2.00 for 1.00)",
    ),
    (
        "sandbox:wrong-order",
        Fault::Status(StatusFault::WrongOrder),
        "reports another order and transaction",
    ),
    (
        "sandbox:unknown-status",
        Fault::Status(StatusFault::UnknownStatus),
        "reports the transactionStatus OnHold",
    ),
    (
        "sandbox:refunded",
        Fault::Status(StatusFault::Refunded),
        "reports a full refund",
    ),
    (
        "sandbox:other-date",
        Fault::Status(StatusFault::OtherDate),
        "reports the date in another format",
    ),
    (
        "sandbox:few-fields",
        Fault::Status(StatusFault::FewFields),
        "leaves eleven of the fifteen fields out",
    ),
    (
        "sandbox:not-found-once",
        Fault::Status(StatusFault::NotFoundOnce),
        "does not know the order when first asked",
    ),
    (
        "sandbox:status-drop-once",
        Fault::Status(StatusFault::DropOnce),
        "cuts the connection when first asked",
    ),
    (
        "sandbox:status-html-502-once",
        Fault::Status(StatusFault::Html502Once),
        "answers 502 with HTML when first asked",
    ),
    (
        "sandbox:status-rate-limit-once",
        Fault::Status(StatusFault::RateLimitOnce),
        "answers 429 with Retry-After: 1 when first asked",
    ),
    (
        "sandbox:status-drop",
        Fault::Status(StatusFault::Drop),
        "always cuts the connection",
    ),
    (
        "sandbox:status-stall",
        Fault::Status(StatusFault::Stall),
        "never answers",
    ),
    (
        "sandbox:status-malformed-json",
        Fault::Status(StatusFault::MalformedJson),
        "always answers incomplete JSON",
    ),
    (
        "sandbox:return-second-question-mark",
        Fault::Return(ReturnFault::SecondQuestionMark),
        "appends ?txn= even after a query",
    ),
    (
        "sandbox:return-without-txn",
        Fault::Return(ReturnFault::WithoutTxn),
        "does not append txn",
    ),
];

const PREFIX: &str = "sandbox:";

/// The faults that one order asks for, at most one at each step.
#[derive(Clone, Copy, Default)]
pub struct Faults {
    pub create: Option<CreateFault>,
    pub status: Option<StatusFault>,
    pub returning: Option<ReturnFault>,
}

impl Faults {
    /// An `Err` names the marker that is unknown or too many.
    pub fn asked_for(product_info: &str) -> Result<Self, String> {
        let mut faults = Self::default();
        for (start, _) in product_info.match_indices(PREFIX) {
            let name = &product_info[start + PREFIX.len()..];
            let length = name
                .bytes()
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
                .count();
            let marker = &product_info[start..start + PREFIX.len() + length];
            let Some((_, fault, _)) = TABLE.iter().find(|(known, ..)| *known == marker) else {
                return Err(format!(
                    "{marker} is not a fault of this sandbox; --help lists them"
                ));
            };
            let second = match *fault {
                Fault::Create(fault) => faults.create.replace(fault).is_some(),
                Fault::Status(fault) => faults.status.replace(fault).is_some(),
                Fault::Return(fault) => faults.returning.replace(fault).is_some(),
            };
            if second {
                return Err(format!(
                    "{marker} comes on top of another fault of the same step; leave one out"
                ));
            }
        }
        Ok(faults)
    }
}

/// The table as lines of text, grouped by the step that goes wrong.
pub fn listing() -> String {
    let mut text = String::new();
    let steps = [
        "at Create Order",
        "at Get Status",
        "on the return to the shop",
    ];
    for (number, step) in steps.iter().enumerate() {
        text += &format!("  {step}\n");
        for (marker, fault, effect) in TABLE {
            if fault.step() == number {
                text += &format!("    {marker:<36} {effect}\n");
            }
        }
    }
    text
}

impl Fault {
    fn step(self) -> usize {
        match self {
            Self::Create(_) => 0,
            Self::Status(_) => 1,
            Self::Return(_) => 2,
        }
    }
}
