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

/// The name of a fault in the table.
pub type Name = &'static str;

pub struct Fault {
    pub step: Step,
    /// Its name in a rule. With `=`, a rule has a value there.
    pub name: Name,
    /// The markers that ask for it, without [`PREFIX`]. One that ends in `-once` acts only when
    /// the status is first asked.
    pub markers: &'static [&'static str],
    pub effect: &'static str,
}

/// Rows of the table: the step, the name, the markers if they are not just the name, the effect.
macro_rules! faults {
    (@markers $name:literal) => { &[$name] };
    (@markers $name:literal [$($marker:literal),*]) => { &[$($marker),*] };
    ($($step:ident $name:literal $([$($marker:literal),*])? => $effect:expr;)*) => {
        &[$(Fault {
            step: Step::$step,
            name: $name,
            markers: faults!(@markers $name $([$($marker),*])?),
            effect: $effect,
        }),*]
    };
}

const SLOW_EFFECT: &str =
    "answers MS milliseconds later (1 to 600000), in addition to another fault";

/// Every fault. `--help`, the start message and the control address list them from here, and a test
/// compares the README with it. What they do is in create_order.rs, get_status.rs and checkout.rs.
pub const TABLE: &[Fault] = faults! {
    Create "drop-before" => "cuts the connection; the order is not kept";
    Create "drop-after-commit" => "keeps the order, then cuts the connection";
    Create "drop-mid-answer" => "keeps the order, cuts in the middle of the response";
    Create "stall-unread" [] =>
        "reads only the head of the request, never answers; the order is not kept";
    Create "stall-before" => "never answers; the order is not kept";
    Create "stall" => "keeps the order, never answers";
    Create "stall-mid-answer" => "keeps the order, sends half of the response, then nothing more";
    Create "html-502" => "keeps the order, answers 502 with a gateway's HTML page";
    Create "service-error" => "keeps the order, answers responseCode 500 over HTTP 200";
    Create "malformed-json" => "keeps the order, answers incomplete JSON";
    Create "no-url" => "keeps the order, answers success without data.url";
    Create "bad-url" => "keeps the order, answers a javascript: address as data.url";
    Create "redirect" => "keeps the order, answers 307 to the same endpoint";
    Create "too-large" => "keeps the order, answers success with 2 MiB of padding";
    Create "reject" => "refuses the order: responseCode 400 over HTTP 200";
    Create "rate-limit" => "refuses the order: 429 with Retry-After: 1";
    Create "firewall-page" => "keeps the order, answers 403 with a firewall's HTML page";
    Create "http-408" =>
        "keeps the order, answers 408 without a body, as a gateway that waited for the request";
    Create "http-499" => "keeps the order, answers 499 without a body, as a gateway that gave up";
    Create "http-500" => "keeps the order, answers 500 without a body, as a server that failed";
    Create "http-503" =>
        "keeps the order, answers 503 without a body, as a server that is too busy";
    Create "http-504" =>
        "keeps the order, answers 504 without a body, as a gateway that waited for the service";
    Create "refused-with-url" => "keeps the order, answers 400 with its checkout URL";
    Create "byte-order-mark" => "keeps the order, answers 400 with JSON after a byte order mark";
    Create "slow=MS" [] => SLOW_EFFECT;
    Status "wrong-amount" => "reports 1.00 for every amount (2.00 for 1.00)";
    Status "wrong-order" => "reports another order and transaction";
    Status "unknown-status" => "reports the transactionStatus OnHold";
    Status "refunded" => "reports a full refund";
    Status "other-date" => "reports the date in another format";
    Status "few-fields" => "leaves eleven of the fifteen fields out";
    Status "not-found" ["not-found-once"] => "does not know the order";
    Status "drop" ["status-drop-once", "status-drop"] => "cuts the connection";
    Status "html-502" ["status-html-502-once"] => "answers 502 with HTML";
    Status "rate-limit" ["status-rate-limit-once"] => "answers 429 with Retry-After: 1";
    Status "stall" ["status-stall"] => "never answers";
    Status "stall-mid-answer" ["status-stall-mid-answer"] =>
        "sends half of the response, then nothing more";
    Status "malformed-json" ["status-malformed-json"] => "answers incomplete JSON";
    Status "echo" ["status-echo"] => "reports success with the orderId and nothing else";
    Status "slow=MS" [] => SLOW_EFFECT;
    Status "FIELD=VALUE" [] => "reports VALUE in this field of data, in addition to another fault";
    Return "second-question-mark" ["return-second-question-mark"] =>
        "appends ?txn= even after a query";
    Return "without-txn" ["return-without-txn"] => "does not append txn";
};

pub const PREFIX: &str = "sandbox:";
const ONCE: &str = "-once";

/// The faults that one order's markers ask for, at most one at each step.
#[derive(Default)]
pub struct Markers(Vec<(&'static Fault, bool)>);

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
            if markers.at(fault.step, 1).is_some() {
                return Err(format!(
                    "{PREFIX}{marker} comes on top of another fault of the same step; leave one out"
                ));
            }
            markers.0.push((fault, marker.ends_with(ONCE)));
        }
        Ok(markers)
    }

    /// The fault at this step, for the query with this number, from 1.
    pub fn at(&self, step: Step, query: u32) -> Option<Name> {
        let mut of_step = self.0.iter().filter(|(fault, _)| fault.step == step);
        let (fault, once) = of_step.next()?;
        (!once || query == 1).then_some(fault.name)
    }
}

/// The table as lines of text, grouped by step.
pub fn listing() -> String {
    let mut text = String::new();
    for step in Step::ALL {
        text += &format!("  {} ({})\n", step.title(), step.name());
        for fault in TABLE.iter().filter(|fault| fault.step == step) {
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
