//! Faults on demand. A marker in an order's `productInfo`, such as `sandbox:stall`, asks for one,
//! or a rule (`rules.rs`), such as `create:1:stall`.

/// Where a fault happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Create,
    Status,
    Return,
}

impl Step {
    pub const ALL: [Self; 3] = [Self::Create, Self::Status, Self::Return];

    /// Its name in rules, and in the record of requests.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "create",
            Self::Status => "status",
            Self::Return => "return",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Self::Create => "at Create Order",
            Self::Status => "at Get Status",
            Self::Return => "on the return to the shop",
        }
    }
}

/// What happens to a Create Order request, or to its response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreateFault {
    DropBefore,
    DropAfterCommit,
    DropMidResponse,
    StallUnread,
    StallBefore,
    Stall,
    StallMidResponse,
    Html502,
    ServiceError,
    MalformedJson,
    NoUrl,
    BadUrl,
    Redirect,
    TooLarge,
    Reject,
    RateLimit,
    FirewallPage,
    /// This HTTP status without a body.
    Http(u16),
    RefusedWithUrl,
    ByteOrderMark,
}

/// What happens to the response of Get Status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatusFault {
    WrongAmount,
    WrongOrder,
    UnknownStatus,
    Refunded,
    OtherDate,
    FewFields,
    NotFound,
    Drop,
    Html502,
    RateLimit,
    Stall,
    StallMidResponse,
    MalformedJson,
    Echo,
}

/// What happens to the return URL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReturnFault {
    SecondQuestionMark,
    WithoutTxn,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Create(CreateFault),
    Status(StatusFault),
    Return(ReturnFault),
    Slow(Step),
    /// A field of the status has another value.
    Field,
}

pub struct Fault {
    pub kind: Kind,
    /// Its name in a rule.
    pub name: &'static str,
    /// The markers that ask for it, without [`PREFIX`]. One that ends in `-once` acts only when
    /// the status is first asked.
    pub markers: &'static [&'static str],
    pub effect: &'static str,
}

/// Every fault. `--help`, the start message and the control address list them from here, and a test
/// compares the README with it.
pub const TABLE: &[Fault] = &[
    Fault {
        kind: Kind::Create(CreateFault::DropBefore),
        name: "drop-before",
        markers: &["drop-before"],
        effect: "cuts the connection; the order is not kept",
    },
    Fault {
        kind: Kind::Create(CreateFault::DropAfterCommit),
        name: "drop-after-commit",
        markers: &["drop-after-commit"],
        effect: "keeps the order, then cuts the connection",
    },
    Fault {
        kind: Kind::Create(CreateFault::DropMidResponse),
        name: "drop-mid-answer",
        markers: &["drop-mid-answer"],
        effect: "keeps the order, cuts in the middle of the response",
    },
    Fault {
        kind: Kind::Create(CreateFault::StallUnread),
        name: "stall-unread",
        markers: &[],
        effect: "reads only the head of the request, never answers; the order is not kept",
    },
    Fault {
        kind: Kind::Create(CreateFault::StallBefore),
        name: "stall-before",
        markers: &["stall-before"],
        effect: "never answers; the order is not kept",
    },
    Fault {
        kind: Kind::Create(CreateFault::Stall),
        name: "stall",
        markers: &["stall"],
        effect: "keeps the order, never answers",
    },
    Fault {
        kind: Kind::Create(CreateFault::StallMidResponse),
        name: "stall-mid-answer",
        markers: &["stall-mid-answer"],
        effect: "keeps the order, sends half of the response, then nothing more",
    },
    Fault {
        kind: Kind::Create(CreateFault::Html502),
        name: "html-502",
        markers: &["html-502"],
        effect: "keeps the order, answers 502 with a gateway's HTML page",
    },
    Fault {
        kind: Kind::Create(CreateFault::ServiceError),
        name: "service-error",
        markers: &["service-error"],
        effect: "keeps the order, answers responseCode 500 over HTTP 200",
    },
    Fault {
        kind: Kind::Create(CreateFault::MalformedJson),
        name: "malformed-json",
        markers: &["malformed-json"],
        effect: "keeps the order, answers incomplete JSON",
    },
    Fault {
        kind: Kind::Create(CreateFault::NoUrl),
        name: "no-url",
        markers: &["no-url"],
        effect: "keeps the order, answers success without data.url",
    },
    Fault {
        kind: Kind::Create(CreateFault::BadUrl),
        name: "bad-url",
        markers: &["bad-url"],
        effect: "keeps the order, answers a javascript: address as data.url",
    },
    Fault {
        kind: Kind::Create(CreateFault::Redirect),
        name: "redirect",
        markers: &["redirect"],
        effect: "keeps the order, answers 307 to the same endpoint",
    },
    Fault {
        kind: Kind::Create(CreateFault::TooLarge),
        name: "too-large",
        markers: &["too-large"],
        effect: "keeps the order, answers success with 2 MiB of padding",
    },
    Fault {
        kind: Kind::Create(CreateFault::Reject),
        name: "reject",
        markers: &["reject"],
        effect: "refuses the order: responseCode 400 over HTTP 200",
    },
    Fault {
        kind: Kind::Create(CreateFault::RateLimit),
        name: "rate-limit",
        markers: &["rate-limit"],
        effect: "refuses the order: 429 with Retry-After: 1",
    },
    Fault {
        kind: Kind::Create(CreateFault::FirewallPage),
        name: "firewall-page",
        markers: &["firewall-page"],
        effect: "keeps the order, answers 403 with a firewall's HTML page",
    },
    Fault {
        kind: Kind::Create(CreateFault::Http(408)),
        name: "http-408",
        markers: &["http-408"],
        effect: "keeps the order, answers 408 without a body, as a gateway that waited for the request",
    },
    Fault {
        kind: Kind::Create(CreateFault::Http(499)),
        name: "http-499",
        markers: &["http-499"],
        effect: "keeps the order, answers 499 without a body, as a gateway that gave up",
    },
    Fault {
        kind: Kind::Create(CreateFault::Http(500)),
        name: "http-500",
        markers: &["http-500"],
        effect: "keeps the order, answers 500 without a body, as a server that failed",
    },
    Fault {
        kind: Kind::Create(CreateFault::Http(503)),
        name: "http-503",
        markers: &["http-503"],
        effect: "keeps the order, answers 503 without a body, as a server that is too busy",
    },
    Fault {
        kind: Kind::Create(CreateFault::Http(504)),
        name: "http-504",
        markers: &["http-504"],
        effect: "keeps the order, answers 504 without a body, as a gateway that waited for the service",
    },
    Fault {
        kind: Kind::Create(CreateFault::RefusedWithUrl),
        name: "refused-with-url",
        markers: &["refused-with-url"],
        effect: "keeps the order, answers 400 with its checkout URL",
    },
    Fault {
        kind: Kind::Create(CreateFault::ByteOrderMark),
        name: "byte-order-mark",
        markers: &["byte-order-mark"],
        effect: "keeps the order, answers 400 with JSON after a byte order mark",
    },
    Fault {
        kind: Kind::Slow(Step::Create),
        name: "slow=MS",
        markers: &[],
        effect: "answers MS milliseconds later (1 to 600000), in addition to another fault",
    },
    Fault {
        kind: Kind::Status(StatusFault::WrongAmount),
        name: "wrong-amount",
        markers: &["wrong-amount"],
        effect: "reports 1.00 for every amount (2.00 for 1.00)",
    },
    Fault {
        kind: Kind::Status(StatusFault::WrongOrder),
        name: "wrong-order",
        markers: &["wrong-order"],
        effect: "reports another order and transaction",
    },
    Fault {
        kind: Kind::Status(StatusFault::UnknownStatus),
        name: "unknown-status",
        markers: &["unknown-status"],
        effect: "reports the transactionStatus OnHold",
    },
    Fault {
        kind: Kind::Status(StatusFault::Refunded),
        name: "refunded",
        markers: &["refunded"],
        effect: "reports a full refund",
    },
    Fault {
        kind: Kind::Status(StatusFault::OtherDate),
        name: "other-date",
        markers: &["other-date"],
        effect: "reports the date in another format",
    },
    Fault {
        kind: Kind::Status(StatusFault::FewFields),
        name: "few-fields",
        markers: &["few-fields"],
        effect: "leaves eleven of the fifteen fields out",
    },
    Fault {
        kind: Kind::Status(StatusFault::NotFound),
        name: "not-found",
        markers: &["not-found-once"],
        effect: "does not know the order",
    },
    Fault {
        kind: Kind::Status(StatusFault::Drop),
        name: "drop",
        markers: &["status-drop-once", "status-drop"],
        effect: "cuts the connection",
    },
    Fault {
        kind: Kind::Status(StatusFault::Html502),
        name: "html-502",
        markers: &["status-html-502-once"],
        effect: "answers 502 with HTML",
    },
    Fault {
        kind: Kind::Status(StatusFault::RateLimit),
        name: "rate-limit",
        markers: &["status-rate-limit-once"],
        effect: "answers 429 with Retry-After: 1",
    },
    Fault {
        kind: Kind::Status(StatusFault::Stall),
        name: "stall",
        markers: &["status-stall"],
        effect: "never answers",
    },
    Fault {
        kind: Kind::Status(StatusFault::StallMidResponse),
        name: "stall-mid-answer",
        markers: &["status-stall-mid-answer"],
        effect: "sends half of the response, then nothing more",
    },
    Fault {
        kind: Kind::Status(StatusFault::MalformedJson),
        name: "malformed-json",
        markers: &["status-malformed-json"],
        effect: "answers incomplete JSON",
    },
    Fault {
        kind: Kind::Status(StatusFault::Echo),
        name: "echo",
        markers: &["status-echo"],
        effect: "reports success with the orderId and nothing else",
    },
    Fault {
        kind: Kind::Slow(Step::Status),
        name: "slow=MS",
        markers: &[],
        effect: "answers MS milliseconds later (1 to 600000), in addition to another fault",
    },
    Fault {
        kind: Kind::Field,
        name: "FIELD=VALUE",
        markers: &[],
        effect: "reports VALUE in this field of data, in addition to another fault",
    },
    Fault {
        kind: Kind::Return(ReturnFault::SecondQuestionMark),
        name: "second-question-mark",
        markers: &["return-second-question-mark"],
        effect: "appends ?txn= even after a query",
    },
    Fault {
        kind: Kind::Return(ReturnFault::WithoutTxn),
        name: "without-txn",
        markers: &["return-without-txn"],
        effect: "does not append txn",
    },
];

pub const PREFIX: &str = "sandbox:";
const ONCE: &str = "-once";

impl Fault {
    pub fn step(&self) -> Step {
        match self.kind {
            Kind::Create(_) => Step::Create,
            Kind::Status(_) => Step::Status,
            Kind::Return(_) => Step::Return,
            Kind::Slow(step) => step,
            Kind::Field => Step::Status,
        }
    }
}

/// The name of a fault. The table has all of them.
pub fn name_of(kind: Kind) -> &'static str {
    let fault = TABLE.iter().find(|fault| fault.kind == kind);
    fault.map_or("", |fault| fault.name)
}

/// The faults that one order's markers ask for, at most one at each step.
#[derive(Clone, Copy, Default)]
pub struct Markers {
    pub create: Option<CreateFault>,
    status: Option<(StatusFault, bool)>,
    pub returning: Option<ReturnFault>,
}

impl Markers {
    /// An `Err` names the marker that is unknown or too many.
    pub fn read(product_info: &str) -> Result<Self, String> {
        let mut markers = Self::default();
        for (start, _) in product_info.match_indices(PREFIX) {
            let rest = &product_info[start + PREFIX.len()..];
            let length = rest
                .bytes()
                .take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'-')
                .count();
            let marker = &rest[..length];
            let Some(fault) = TABLE.iter().find(|fault| fault.markers.contains(&marker)) else {
                return Err(format!(
                    "{PREFIX}{marker} is not a fault of this sandbox; --help lists them"
                ));
            };
            let once = marker.ends_with(ONCE);
            let second = match fault.kind {
                Kind::Create(fault) => markers.create.replace(fault).is_some(),
                Kind::Status(fault) => markers.status.replace((fault, once)).is_some(),
                Kind::Return(fault) => markers.returning.replace(fault).is_some(),
                Kind::Slow(_) | Kind::Field => false,
            };
            if second {
                return Err(format!(
                    "{PREFIX}{marker} comes on top of another fault of the same step; leave one out"
                ));
            }
        }
        Ok(markers)
    }

    /// The fault of the status query with this number, from 1.
    pub fn status(&self, query: u32) -> Option<StatusFault> {
        let (fault, once) = self.status?;
        (!once || query == 1).then_some(fault)
    }
}

/// The table as lines of text, grouped by step.
pub fn listing() -> String {
    let mut text = String::new();
    for step in Step::ALL {
        text += &format!("  {} ({})\n", step.title(), step.name());
        for fault in TABLE.iter().filter(|fault| fault.step() == step) {
            text += &format!("    {:<21} {}{}\n", fault.name, fault.effect, others(fault));
        }
    }
    text
}

/// How a fault's markers are written, if not with its name.
fn others(fault: &Fault) -> String {
    match fault.markers {
        [] => " [rules only]".to_owned(),
        [marker] if *marker == fault.name => String::new(),
        markers => {
            let markers: Vec<String> = markers.iter().map(|m| format!("{PREFIX}{m}")).collect();
            format!(" [{}]", markers.join(", "))
        }
    }
}
