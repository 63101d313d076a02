//! An order as JSON text, before its rules are checked.

use std::borrow::Cow;
use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, Visitor};

use crate::error::Error;
use crate::gateway::order::{FIELD_COUNT, FIELDS, Order, is_blank, place_of};
use crate::text::json::{self, Entries, Value};

/// The JSON object of an order.
pub(crate) enum GivenOrder<'a> {
    /// The usual case, which is read faster: each field once, and each a string without escapes.
    Plain([&'a str; FIELD_COUNT]),
    Any(Entries<'a>),
}

impl<'a> GivenOrder<'a> {
    /// Reads a JSON object.
    ///
    /// # Errors
    /// As [`Order::from_json`], but nothing about the rules of an order.
    pub(crate) fn read(text: &'a str) -> Result<GivenOrder<'a>, Error> {
        const WHAT: &str = "the order";
        json::limit(text, WHAT, json::REQUEST_LIMIT)?;
        match serde_json::from_str(text) {
            Ok(PlainFields(values)) => Ok(GivenOrder::Plain(values)),
            Err(_) => json::read_object(text, WHAT).map(GivenOrder::Any),
        }
    }

    /// The order's identifier, for its errors and log events.
    pub(crate) fn order_id(&self) -> Option<String> {
        let text: &str = match self {
            GivenOrder::Plain([_, _, order_id, ..]) => order_id,
            GivenOrder::Any(entries) => entries.iter().find_map(|(key, value)| match value {
                Value::Text(text) if key == "orderId" => Some(&**text),
                _ => None,
            })?,
        };
        (!is_blank(text)).then(|| text.to_owned())
    }

    /// Checks the rules.
    pub(crate) fn check(self) -> Result<Order<'a>, Error> {
        let values = match self {
            GivenOrder::Any(entries) => return Order::from_entries(entries),
            GivenOrder::Plain(values) => values,
        };
        let mut fields = FIELDS.iter().zip(&values);
        if fields.any(|(field, text)| is_blank(text) || field.shape.complaint(text).is_some()) {
            let fields = FIELDS.iter().zip(values);
            let entries = fields.map(|(field, text)| (field.name.into(), Value::Text(text.into())));
            return Order::from_entries(entries.collect());
        }
        Ok(Order {
            values: values.map(Cow::Borrowed),
            plain: true,
        })
    }
}

/// Each field once, and each a string without escapes; anything else is an error.
struct PlainFields<'a>([&'a str; FIELD_COUNT]);

impl<'de> Deserialize<'de> for PlainFields<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct FieldsVisitor;
        impl<'de> Visitor<'de> for FieldsVisitor {
            type Value = PlainFields<'de>;
            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("the fields of an order")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Self::Value, A::Error> {
                let mut values = [None; FIELD_COUNT];
                let mut count = 0;
                while let Some(name) = access.next_key::<&'de str>()? {
                    let place = place_of(name, count).and_then(|place| values.get_mut(place));
                    match place {
                        Some(slot @ None) => *slot = Some(access.next_value::<&'de str>()?),
                        _ => return Err(A::Error::custom("another order")),
                    }
                    count += 1;
                }
                match count {
                    FIELD_COUNT => Ok(PlainFields(values.map(Option::unwrap_or_default))),
                    _ => Err(A::Error::custom("another order")),
                }
            }
        }
        deserializer.deserialize_map(FieldsVisitor)
    }
}
