//! The request of Create Order: the fields, their rules, and the body.

use std::borrow::Cow;
use std::fmt;

use crate::error::{Error, Rule};
use crate::gateway::fields::{check_field, is_blank, take, unknown_fields};
use crate::gateway::return_url::has_txn;
use crate::payment::amount::Amount;
use crate::payment::order::{BodyOptions, OrderRequest};
use crate::query::names;
use crate::text::json::{self, Members, Value};
use crate::text::url::is_return_url;

/// What a field must be, in addition to present, a string and not blank.
#[derive(Clone, Copy)]
enum Shape {
    Text,
    /// Other programs trim identifiers, and then ask about another order.
    Identifier,
    Amount,
    PayMode,
    ReturnUrl,
}

macro_rules! order_fields {
    ($($(#[doc = $text:literal])+ $field:ident $name:ident $shape:ident,)+) => {
        /// The fields of Create Order, each required. Source: the interface's order creation
        /// request. `Debug` shows neither the customer nor the return URL.
        #[derive(Clone, Copy)]
        pub struct OrderFields<'a> {
            $($(#[doc = $text])+ pub $field: &'a str,)+
        }

        /// Their names, what they must be, and their names as keys of JSON.
        const FIELDS: &[(&str, Shape, &str)] = &[$((
            stringify!($name),
            Shape::$shape,
            concat!("\"", stringify!($name), "\":"),
        )),+];

        impl<'a> OrderFields<'a> {
            fn values(&self) -> [&'a str; FIELDS.len()] {
                [$(self.$field),+]
            }
        }

        /// An order that follows every rule of the interface. Every constructor checks the rules.
        /// `Debug` shows neither the customer nor the return URL.
        #[derive(Clone)]
        pub struct Order<'a> {
            $($field: Cow<'a, str>,)+
        }

        impl<'a> Order<'a> {
            fn of(values: [Cow<'a, str>; FIELDS.len()]) -> Order<'a> {
                let [$($field),+] = values;
                Order { $($field),+ }
            }

            fn values(&self) -> [&str; FIELDS.len()] {
                [$(&self.$field),+]
            }

            /// The same order, which borrows nothing.
            pub fn into_owned(self) -> Order<'static> {
                Order { $($field: Cow::Owned(self.$field.into_owned())),+ }
            }
        }
    };
}
include!("order_fields.rs");

/// The return URL's name in requests and violations, and its wire name unless configured otherwise.
pub(crate) const RETURN_URL_FIELD: &str = "redirectionURL";

pub(super) const MERCHANT_ID: &str = "merchantId";
pub(super) const CURRENCY_CODE: &str = "currencyCode";
/// What `Debug` shows: enough to find the order, and nothing of the customer.
macro_rules! debug_of_order {
    ($($name:ident)+) => {$(
        impl fmt::Debug for $name<'_> {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter
                    .debug_struct(stringify!($name))
                    .field("order_id", &self.order_id)
                    .field("merchant_txn_id", &self.merchant_txn_id)
                    .field("amount", &self.amount)
                    .field("currency_code", &self.currency_code)
                    .finish_non_exhaustive()
            }
        }
    )+};
}
debug_of_order! { OrderFields Order }

const PAY_MODES: [&str; 5] = ["all", "cc", "dc", "upi", "nb"];

pub(crate) fn is_field(name: &str) -> bool {
    FIELDS.iter().any(|(field, ..)| *field == name)
}

impl<'a> Order<'a> {
    /// Checks the fields of an order.
    ///
    /// ```
    /// let error = payorder_core::Order::new(payorder_core::OrderFields {
    ///     amount: "0.50",
    ///     merchant_txn_id: "T-1001",
    ///     order_id: "O-1001",
    ///     pay_mode: "upi",
    ///     merchant_id: "M-1",
    ///     product_info: "Two coffees",
    ///     customer_name: "Asha Rao",
    ///     customer_mobile: "9000000000",
    ///     customer_email: "asha@example.com",
    ///     redirection_url: "https://shop.example/return",
    ///     currency_code: "INR",
    /// })
    /// .err()
    /// .expect("the amount is too small");
    /// assert_eq!(error.all_violations()[0].rule, payorder_core::Rule::Minimum);
    /// ```
    ///
    /// # Errors
    /// [`crate::Code::InvalidRequest`] with every violation.
    pub fn new(fields: OrderFields<'a>) -> Result<Order<'a>, Error> {
        let entries = FIELDS
            .iter()
            .zip(fields.values())
            .map(|((name, ..), value)| (Cow::Borrowed(*name), Value::Text(value.into())));
        Order::from_entries(entries.collect())
    }

    /// Reads an order from a JSON object with the eleven fields under their wire names, the return
    /// URL as `redirectionURL`.
    ///
    /// ```
    /// let error = payorder_core::Order::from_json("{}").err().expect("no field is there");
    /// assert_eq!(error.all_violations().len(), 11);
    /// ```
    ///
    /// # Errors
    /// [`crate::Code::InvalidArgument`] for a text that is not a JSON object, has a key twice, or
    /// is over 256 KiB; [`crate::Code::InvalidRequest`] with every violation.
    pub fn from_json(text: &'a str) -> Result<Order<'a>, Error> {
        Order::from_entries(json::read_object(text, "the order")?)
    }

    pub(crate) fn from_entries(mut entries: Members<'a>) -> Result<Order<'a>, Error> {
        let mut violations = Vec::new();
        let mut checked: [Cow<'a, str>; FIELDS.len()] = Default::default();
        // The fields usually come in this order: then each is taken from the end.
        entries.reverse();
        for ((name, shape, _), slot) in FIELDS.iter().zip(&mut checked) {
            match check_field(name, take(&mut entries, name), |text| shape.complaint(text)) {
                Ok(text) => *slot = text,
                Err(violation) => violations.push(violation),
            }
        }
        entries.reverse();
        violations.extend(unknown_fields(entries, "is not a field of an order"));
        if !violations.is_empty() {
            return Err(Error::violations("order", violations));
        }
        Ok(Order::of(checked))
    }

    /// The order's identifier.
    pub fn order_id(&self) -> &str {
        &self.order_id
    }

    /// The order as the client sends it.
    pub(crate) fn into_request(self, options: BodyOptions<'_>) -> OrderRequest<'a> {
        OrderRequest {
            body: self.wire_body(options.return_url_field, options.extra_fields),
            order_id: self.order_id,
            merchant_txn_id: self.merchant_txn_id,
            amount: self.amount,
            currency_code: self.currency_code,
        }
    }

    /// The request body: the fields in the interface's order, the return URL under
    /// `return_url_field`, then `extra` in its own order.
    #[doc(hidden)]
    pub fn wire_body(&self, return_url_field: &str, extra: &[(String, String)]) -> String {
        let mut body = String::with_capacity(1024);
        for ((name, _, key), value) in FIELDS.iter().zip(self.values()) {
            body.push(if body.is_empty() { '{' } else { ',' });
            match *name {
                RETURN_URL_FIELD => {
                    json::push_text(&mut body, return_url_field);
                    body.push(':');
                }
                _ => body.push_str(key),
            }
            json::push_text(&mut body, value);
        }
        for (name, value) in extra {
            json::push_key(&mut body, name);
            json::push_text(&mut body, value);
        }
        body.push('}');
        body
    }
}

/// The identifier in an order that is not checked yet, for its errors and log events.
pub(crate) fn order_id<'a>(order: &'a Members<'_>) -> Option<&'a str> {
    order.iter().find_map(|(key, value)| match value {
        Value::Text(text) if key == names::ORDER_ID && !is_blank(text) => Some(&**text),
        _ => None,
    })
}

pub(crate) fn decimal_complaint(text: &str) -> Option<(Rule, &'static str)> {
    Amount::read(text).is_none().then_some(NOT_DECIMAL)
}

/// Whether every program keeps this identifier as it is.
fn is_clean(text: &str) -> bool {
    // Nearly all are visible ASCII. Without an early end, a processor checks many bytes at once.
    let is_visible = |all: bool, byte: u8| all & byte.is_ascii_graphic();
    text.bytes().fold(true, is_visible) || text.trim() == text && !text.contains(char::is_control)
}

const NOT_DECIMAL: (Rule, &str) = (Rule::Decimal, "must be decimal text such as 100 or 100.00");

impl Shape {
    fn complaint(self, text: &str) -> Option<(Rule, &'static str)> {
        match self {
            Shape::Text => None,
            Shape::Identifier => (!is_clean(text)).then_some((
                Rule::Characters,
                "must have no white space at its ends and no control character",
            )),
            Shape::Amount => match Amount::read(text) {
                None => Some(NOT_DECIMAL),
                Some(_) if text.starts_with('0') && !text.starts_with("0.") && text != "0" => {
                    Some((
                        Rule::Decimal,
                        "has superfluous zeros in front: was its decimal point lost?",
                    ))
                }
                Some(amount) if !amount.is_in_hundredths() => Some((
                    Rule::Decimal,
                    "has more than two decimals: Get Status shows two, and could never confirm it",
                )),
                Some(amount) if amount.is_one_or_above() => None,
                Some(_) => Some((Rule::Minimum, "must be 1 or above")),
            },
            Shape::PayMode => (!PAY_MODES.contains(&text))
                .then_some((Rule::Allowed, "must be one of all, cc, dc, upi, nb")),
            Shape::ReturnUrl if !is_return_url(text) => Some((
                Rule::Url,
                "must be an absolute URL such as https://shop.example/return, \
                 without spaces, control characters or backslashes",
            )),
            Shape::ReturnUrl => has_txn(text).then_some((
                Rule::Url,
                "has a query parameter txn, which the service appends: two cannot be told apart",
            )),
        }
    }
}
