//! Rules: faults for requests by their number, such as `create:2-4:drop-before`, for a program that
//! cannot put a marker into its orders.

use std::ops::RangeInclusive;
use std::time::Duration;

use super::faults::{Name, Step, TABLE};
use super::get_status::STATUS_FIELDS;

/// The longest delay, in milliseconds.
pub const MAX_SLOW: u64 = 600_000;
/// So that a test that adds rules and never removes them does not fill the memory.
const MAX_RULES: usize = 1000;
pub const SLOW: &str = "slow=";

/// `STEP:WHICH:FAULT`, as it was written, and how often it applied.
#[derive(Clone, Debug)]
pub struct Rule {
    text: String,
    step: Step,
    which: RangeInclusive<u64>,
    effect: Effect,
    /// The requests of the step since the rule was added.
    seen: u64,
    used: u64,
}

#[derive(Clone, Debug)]
enum Effect {
    Fault(Name),
    Slow(Duration),
    Field(&'static str, String),
}

impl Rule {
    /// An `Err` says what to write instead.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (step, which, fault) = match text.splitn(3, ':').collect::<Vec<_>>()[..] {
            [step, which, fault] => (step, which, fault),
            _ => {
                return Err(format!(
                    "{text:?} is not a rule: write STEP:WHICH:FAULT, such as create:1:drop-before"
                ));
            }
        };
        let step = Step::ALL
            .into_iter()
            .find(|known| known.name() == step)
            .ok_or_else(|| {
                format!(
                    "{step:?} in the rule {text:?} is not a step: write create, status or return"
                )
            })?;
        Ok(Self {
            text: text.to_owned(),
            step,
            which: read_which(which).ok_or_else(|| {
                format!(
                    "{which:?} in the rule {text:?} does not say which requests: write 3, 2-4, 3- \
                     (the third and all later ones) or *"
                )
            })?,
            effect: read_effect(step, fault)
                .map_err(|what| format!("{fault:?} in the rule {text:?} {what}"))?,
            seen: 0,
            used: 0,
        })
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many requests it applied to.
    pub fn used(&self) -> u64 {
        self.used
    }
}

fn read_which(text: &str) -> Option<RangeInclusive<u64>> {
    let number = |text: &str| {
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse().ok().filter(|number| digits && *number > 0)
    };
    let which = match text.split_once('-') {
        None if text == "*" => 1..=u64::MAX,
        None => number(text)?..=number(text)?,
        Some((first, "")) => number(first)?..=u64::MAX,
        Some((first, last)) => number(first)?..=number(last)?,
    };
    (!which.is_empty()).then_some(which)
}

fn read_effect(step: Step, name: &str) -> Result<Effect, String> {
    let of_step = || TABLE.iter().filter(|fault| fault.step == step);
    if let Some(text) = name.strip_prefix(SLOW)
        && step != Step::Return
    {
        return read_slow(text).map(Effect::Slow);
    }
    if let Some((field, value)) = name.split_once('=')
        && step == Step::Status
        && let Some(field) = STATUS_FIELDS.split(' ').find(|known| *known == field)
    {
        return Ok(Effect::Field(field, value.to_owned()));
    }
    match of_step().find(|fault| fault.name == name && !name.contains('=')) {
        Some(fault) => Ok(Effect::Fault(fault.name)),
        None => {
            let names: Vec<Name> = of_step().map(|fault| fault.name).collect();
            let names = names.join(", ");
            Err(format!("is not a fault of this step: write {names}"))
        }
    }
}

/// Milliseconds. An `Err` continues a sentence that begins with the value.
pub fn read_slow(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(ms) if (1..=MAX_SLOW).contains(&ms) => Ok(Duration::from_millis(ms)),
        _ => Err(format!(
            "is not a number of milliseconds from 1 to {MAX_SLOW}"
        )),
    }
}

/// What the rules say about one request.
#[derive(Clone, Debug, Default)]
pub struct Applied {
    pub fault: Option<Name>,
    pub slow: Option<Duration>,
    /// Other values of fields of the status.
    pub fields: Vec<(&'static str, String)>,
}

#[derive(Clone, Default)]
pub struct Rules(Vec<Rule>);

impl Rules {
    pub fn add(&mut self, rule: Rule) -> Result<(), String> {
        if self.0.len() == MAX_RULES {
            return Err(format!(
                "There are {MAX_RULES} rules already; remove them first"
            ));
        }
        self.0.push(rule);
        Ok(())
    }

    pub fn list(&self) -> &[Rule] {
        &self.0
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Removes the rules with this text. `false` if there is none.
    pub fn remove(&mut self, text: &str) -> bool {
        let before = self.0.len();
        self.0.retain(|rule| rule.text != text);
        self.0.len() < before
    }

    /// Counts a request whose body is not read because of a rule. The others count when it is.
    pub fn apply_unread(&mut self, step: Step) -> Option<Applied> {
        let is_unread = self.clone().apply(step).fault == Some("stall-unread");
        is_unread.then(|| self.apply(step))
    }

    /// Counts a request of the step. The first rule that fits it applies, the first one that only
    /// makes it slow, and all that set fields.
    pub fn apply(&mut self, step: Step) -> Applied {
        let mut applied = Applied::default();
        for rule in self.0.iter_mut().filter(|rule| rule.step == step) {
            rule.seen += 1;
            if !rule.which.contains(&rule.seen) {
                continue;
            }
            let applies = match &rule.effect {
                Effect::Fault(_) => applied.fault.is_none(),
                Effect::Slow(_) => applied.slow.is_none(),
                Effect::Field(..) => true,
            };
            if !applies {
                continue;
            }
            match &rule.effect {
                Effect::Fault(name) => applied.fault = Some(*name),
                Effect::Slow(slow) => applied.slow = Some(*slow),
                Effect::Field(field, value) => applied.fields.push((field, value.clone())),
            }
            rule.used += 1;
        }
        applied
    }
}
