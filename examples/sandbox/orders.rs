//! The service's data: the orders, and their transactions.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;
use std::time::SystemTime;

use super::faults::Markers;
use super::service::random_number;

/// An accepted order. Its texts are unchanged, except `amount`, which has two fraction digits.
pub struct Order {
    /// The number in the checkout page's URL.
    pub number: usize,
    pub order_id: String,
    pub merchant_txn_id: String,
    pub amount: String,
    pub currency_code: String,
    pub pay_mode: String,
    pub product_info: String,
    pub customer_name: String,
    pub customer_mobile: String,
    pub customer_email: String,
    pub return_url: String,
    pub markers: Markers,
    pub created: SystemTime,
    pub refunded: bool,
    pub transactions: Vec<Transaction>,
    /// How many status queries were about it.
    pub queries: u32,
}

/// One press of a button on the checkout page.
#[derive(Clone)]
pub struct Transaction {
    pub transaction_id: String,
    pub state: State,
    pub pay_mode: String,
    pub initiated: SystemTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Pending,
    Completed,
    Failed,
    Cancelled,
}

impl State {
    /// The `transactionStatus` in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "Pending",
            Self::Completed => "Completed",
            Self::Failed => "Failed",
            Self::Cancelled => "Cancelled",
        }
    }
}

impl Order {
    pub fn last_transaction(&self) -> Option<&Transaction> {
        self.transactions.last()
    }

    pub fn state(&self) -> State {
        self.last_transaction()
            .map_or(State::Pending, |last| last.state)
    }

    /// Whether the customer can still pay, also after a failed payment.
    pub fn is_open(&self) -> bool {
        matches!(self.state(), State::Pending | State::Failed)
    }
}

/// What the service knows about one orderId, for tests to compare with what a client reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OrderRecord {
    pub order_id: String,
    /// How many Create Order requests with the credential named it, including refused ones.
    pub create_requests: u32,
    /// `None` if no request created an order.
    pub checkout_url: Option<String>,
}

#[derive(Default)]
pub struct Orders {
    /// Whether the numbers of orders and transactions say nothing about how many there are.
    random: bool,
    kept: Vec<Order>,
    by_order_id: HashMap<String, usize>,
    /// The order's place and the transaction's place in it.
    by_transaction_id: HashMap<String, (usize, usize)>,
    merchant_txn_ids: HashSet<String>,
    create_requests: BTreeMap<String, u32>,
}

impl Orders {
    pub fn new(random: bool) -> Self {
        Self {
            random,
            ..Self::default()
        }
    }

    fn place(&self, number: usize) -> Option<usize> {
        self.kept.iter().position(|order| order.number == number)
    }

    pub fn count_create_request(&mut self, order_id: &str) {
        *self.create_requests.entry(order_id.to_owned()).or_default() += 1;
    }

    /// Stores the order and gives it a number. `Err` names the field whose value an earlier order
    /// has.
    pub fn keep(&mut self, mut order: Order) -> Result<&Order, &'static str> {
        if self.by_order_id.contains_key(&order.order_id) {
            return Err("orderId");
        }
        if !self.merchant_txn_ids.insert(order.merchant_txn_id.clone()) {
            return Err("merchantTxnId");
        }
        let place = self.kept.len();
        order.number = match self.random {
            true => unused(1_000_000..901_000_000, |number| {
                self.place(number as usize).is_some()
            }) as usize,
            false => place + 1,
        };
        self.by_order_id.insert(order.order_id.clone(), place);
        self.kept.push(order);
        Ok(&self.kept[place])
    }

    pub fn all(&self) -> impl Iterator<Item = &Order> {
        self.kept.iter()
    }

    pub fn by_order_id(&self, order_id: &str) -> Option<&Order> {
        Some(&self.kept[*self.by_order_id.get(order_id)?])
    }

    /// How many Create Order requests named the order.
    pub fn create_requests(&self, order_id: &str) -> u32 {
        self.create_requests.get(order_id).copied().unwrap_or(0)
    }

    pub fn by_number(&self, number: usize) -> Option<&Order> {
        self.kept.get(self.place(number)?)
    }

    /// The order with its last transaction. Counts the query.
    pub fn ask_by_order(&mut self, order_id: &str) -> Option<(&Order, Option<&Transaction>)> {
        let order = &mut self.kept[*self.by_order_id.get(order_id)?];
        order.queries += 1;
        Some((order, order.last_transaction()))
    }

    /// The transaction with its order. Counts the query.
    pub fn ask_by_transaction(
        &mut self,
        transaction_id: &str,
    ) -> Option<(&Order, Option<&Transaction>)> {
        let (place, transaction) = *self.by_transaction_id.get(transaction_id)?;
        let order = &mut self.kept[place];
        order.queries += 1;
        Some((order, order.transactions.get(transaction)))
    }

    /// Records what the customer did. A closed order is not changed.
    pub fn settle(
        &mut self,
        number: usize,
        state: State,
        chosen_mode: Option<&str>,
    ) -> Option<&Order> {
        let place = self.place(number)?;
        let name = |number: u64| format!("TXN{number:07}");
        let begun = match self.random {
            true => unused(0..10_000_000, |number| {
                self.by_transaction_id.contains_key(&name(number))
            }),
            false => self.by_transaction_id.len() as u64 + 1,
        };
        let order = self.kept.get_mut(place)?;
        if order.is_open() {
            let transaction = Transaction {
                transaction_id: name(begun),
                state,
                pay_mode: match order.pay_mode.as_str() {
                    "all" => chosen_mode.unwrap_or("upi").to_owned(),
                    only => only.to_owned(),
                },
                initiated: SystemTime::now(),
            };
            let key = (place, order.transactions.len());
            self.by_transaction_id
                .insert(transaction.transaction_id.clone(), key);
            order.transactions.push(transaction);
        }
        Some(order)
    }

    /// Refunds the whole payment. `false` if there is none.
    pub fn refund(&mut self, number: usize) -> bool {
        let place = self.place(number);
        match place.and_then(|place| self.kept.get_mut(place)) {
            Some(order) if order.state() == State::Completed => order.refunded = true,
            _ => return false,
        }
        true
    }

    /// One record for each orderId in a Create Order request, sorted by identifier.
    pub fn records(&self, base_url: &str) -> Vec<OrderRecord> {
        let record = |(order_id, create_requests): (&String, &u32)| {
            let order = self.by_order_id(order_id);
            OrderRecord {
                order_id: order_id.clone(),
                create_requests: *create_requests,
                checkout_url: order.map(|order| checkout_url(base_url, order.number)),
            }
        };
        self.create_requests.iter().map(record).collect()
    }
}

pub fn checkout_url(base_url: &str, number: usize) -> String {
    format!("{base_url}/checkout/{number}")
}

/// A random number of the range that is not used yet.
fn unused(range: Range<u64>, is_used: impl Fn(u64) -> bool) -> u64 {
    loop {
        let number = range.start + random_number() % (range.end - range.start);
        if !is_used(number) {
            return number;
        }
    }
}
