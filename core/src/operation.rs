//! The calls, and what kind of call each one is.

/// What a call does at the service. It decides what an error advises, so a call that changes
/// something else than an order has a kind of its own.
#[derive(PartialEq, Eq)]
enum Kind {
    /// It sends an order: after an unknown outcome, the order may exist.
    Order,
    /// It only asks: it is always safe to call again.
    Question,
    /// It does not call the service.
    Journal,
}

macro_rules! operations {
    ($($(#[doc = $meaning:literal])+ $name:ident $variant:ident $kind:ident,)+) => {
        /// The call that an error or a log event belongs to.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Operation {
            $($(#[doc = $meaning])+ $variant,)+
        }

        impl Operation {
            /// The name in errors and log events.
            pub fn name(self) -> &'static str {
                match self {
                    $(Operation::$variant => stringify!($name),)+
                }
            }

            fn kind(self) -> Kind {
                match self {
                    $(Operation::$variant => Kind::$kind,)+
                }
            }
        }
    };
}

operations! {
    /// Create Order.
    create_order CreateOrder Order,
    /// Get Status.
    get_status GetStatus Question,
    /// Get Status, until a payment is final.
    wait_for_payment WaitForPayment Question,
    /// Get Status, for many orders.
    get_statuses GetStatuses Question,
    /// The journal's entries.
    journal_list JournalList Journal,
    /// A verdict for each sale that is open.
    recover Recover Question,
    /// Does everything work?
    check Check Question,
    /// Get Status, for orders whose outcome the journal does not know.
    journal_resolve JournalResolve Question,
    /// Closing an entry of the journal by hand.
    journal_settle JournalSettle Journal,
    /// Removing closed entries from the journal.
    journal_prune JournalPrune Journal,
}

impl Operation {
    /// Whether it sends an order, which may exist after an unknown outcome.
    pub(crate) fn sends_order(self) -> bool {
        self.kind() == Kind::Order
    }

    /// The advice after an unknown outcome, for a message.
    pub(crate) fn unknown_advice(self) -> &'static str {
        match self.kind() {
            Kind::Order => "the order may exist: ask Get Status by order id before trying again",
            Kind::Question | Kind::Journal => "it is safe to ask for the status again",
        }
    }
}
