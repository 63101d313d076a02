// The list of the JSON objects that calls take and return. `tests/header` makes the manual in the
// C header and the description for machines from it, and `tests/repository` compares it with what
// the library does.
//
// A key has a type: string, integer, number, boolean, the name of an object, or an array of one of
// these. It is present `always`, always but sometimes null (`nullable`), or `sometimes`.
objects! {
    /// The order for payorder_create_order. All fields are required; all are strings that are not
    /// blank, and are sent unchanged.
    order {
        /// decimal text, at least 1: "100" or "100.00", not "1e2", "+100", "100.", ".5", "0100" or
        /// "100.005"
        amount string always,
        /// your unique identifier of the transaction. It, orderId and merchantId have no white
        /// space at their ends and no control character
        merchantTxnId string always,
        /// your unique identifier of the order, by which payorder_get_status finds it
        orderId string always,
        /// one of all, cc, dc, upi, nb
        payMode string always,
        /// your identifier at the service
        merchantId string always,
        /// what is paid for
        productInfo string always,
        /// the customer's full name
        customerName string always,
        /// the customer's mobile number
        customerMobile string always,
        /// the customer's e-mail address
        customerEmail string always,
        /// the return URL: where the customer goes after the payment; an absolute URL without a
        /// parameter txn. The key here is always redirectionURL, also if `returnUrlField` is set
        redirectionURL string always,
        /// such as INR
        currencyCode string always,
    }

    /// What payorder_get_status is asked about: one of the two identifiers.
    query {
        /// "1": by orderId; "2": by transactionId; may be left out if exactly one is given
        searchType string sometimes,
        /// the order's identifier
        orderId string sometimes,
        /// the service's identifier of the transaction, from the return URL
        transactionId string sometimes,
    }

    /// What payorder_verify_payment compares a status with.
    expected {
        /// the order's identifier
        orderId string always,
        /// decimal text; 100 and 100.00 are equal
        amount string always,
        /// from the return URL
        transactionId string sometimes,
        /// when the sale began, such as 2026-11-21T14:05:06Z
        notBefore string sometimes,
    }

    /// A created order.
    checkout {
        /// "200"
        responseCode string always,
        /// the service's own text
        responseMessage string always,
        /// where the customer pays
        data checkoutData always,
    }

    /// `data` of a created order. Other keys are kept as the service sent them.
    checkoutData {
        /// the checkout URL: send the customer there
        url string always,
    }

    /// A status. Keys that this version does not know are kept as the service sent them.
    status {
        /// "200"
        responseCode string always,
        /// the service's own text
        responseMessage string always,
        /// the 15 fields of the interface
        data statusData always,
        /// what the library derives from them
        derived derived always,
    }

    /// `data` of a status: strings, "" where the service sent none.
    statusData {
        /// the service's reference of the merchant's order
        merchantRefId string always,
        /// the order's identifier
        orderId string always,
        /// the service's identifier of the transaction
        transactionId string always,
        /// the amount of the payment
        amount string always,
        /// the customer's full name
        customerName string always,
        /// the customer's mobile number
        customerMobile string always,
        /// the customer's e-mail address
        customerEmail string always,
        /// "Completed" for a finished payment; other texts are the service's own
        transactionStatus string always,
        /// MM/DD/YYYY hh:mm:ss AM or PM, without a time zone
        transactionDate string always,
        /// not empty after a refund
        refundStatus string always,
        /// the kind of refund
        refundType string always,
        /// the merchant's name
        merchantName string always,
        /// whether the merchant got the money
        settlementStatus string always,
        /// when the merchant got the money
        settlementDate string always,
        /// how the customer paid
        payMode string always,
    }

    /// What the library derives from a status.
    derived {
        /// whether transactionStatus is "Completed"; this does not prove a payment
        completed boolean always,
        /// the date as 2026-11-21T14:05:06, if it is one in the documented form; or null
        transactionDate string nullable,
    }

    /// The end of a wait.
    waited {
        /// whether the payment is final
        final boolean always,
        /// whether the time ran out before that
        timedOut boolean always,
        /// how many queries were sent
        polls integer always,
        /// the last status seen
        status status sometimes,
        /// the error of the last query, if that failed; then `status` is that of an earlier one
        error errorDetails sometimes,
    }

    /// The result of many queries.
    summary {
        /// calls of the callback: the sum of the next four
        asked integer always,
        /// queries that returned a status
        ok integer always,
        /// queries that the service refused
        rejected integer always,
        /// queries with an unknown outcome
        unknown integer always,
        /// queries that were not sent
        notSent integer always,
        /// whether the callback ended the call, or it was cancelled
        stopped boolean always,
        /// the duration of the call in milliseconds
        elapsedMs integer always,
        /// how many statuses had each text of transactionStatus, up to 1000 different texts of at
        /// most 64 bytes; the others count as "(other)"
        transactionStatus counts always,
    }

    /// Entries of the journal.
    entries {
        /// oldest first
        entries [entry] always,
    }

    /// The end of payorder_journal_resolve.
    resolved {
        /// of the queries
        summary summary always,
        /// how many entries of other services are unresolved; they were not asked about
        otherServices integer always,
        /// the service's words, if it refused every query of two or more
        refusal string sometimes,
        /// those of this service that are still unresolved
        entries [entry] always,
    }

    /// Every open sale, with its verdict.
    recovered {
        /// of the queries
        summary summary always,
        /// how many unresolved entries of the journal belong to other services
        otherServices integer always,
        /// the service's words, if it refused every query of two or more
        refusal string sometimes,
        /// those of sales_json in their order, then those of the journal, oldest first
        sales [sale] always,
    }

    /// A sale, and what is known about it.
    sale {
        /// the order's identifier
        orderId string always,
        /// paid, check, payable, url_lost, unknown, sending, refused, not_sent, settled or
        /// not_in_journal
        verdict string always,
        /// the amount of the sale, or else of the entry
        amount string always,
        /// with "payable": where the customer pays; or null
        url string nullable,
        /// what to give to payorder_get_status to ask again
        statusQuery query always,
        /// what the service says, or else what the journal has; or null
        transactionStatus string nullable,
        /// with "check": what is not as expected
        reasons [reason] always,
        /// the number of its entry in the journal, or null
        entry integer nullable,
    }

    /// An entry of the journal: one sending of one order. Times are UTC: 2026-11-21T14:05:06.789Z.
    entry {
        /// a whole number; later entries have higher ones
        entry integer always,
        /// the order's identifier
        orderId string always,
        /// the identifier of the transaction
        merchantTxnId string always,
        /// the amount as it was sent
        amount string always,
        /// the currency as it was sent
        currencyCode string always,
        /// sending, created, rejected, not_sent, unknown or settled
        state string always,
        /// the checkout URL, or null if it is not known
        url string nullable,
        /// the base URL of the service that it was sent to, or null if an earlier version made it
        service string nullable,
        /// the result number of the call, or null if it is not known
        result integer nullable,
        /// the service's identifier of the transaction, or null if no status was seen
        transactionId string nullable,
        /// the status that was last seen, or null
        transactionStatus string nullable,
        /// when the call started, in UTC: "2026-11-21T14:05:06.789Z"
        startedAt string always,
        /// when the call ends at the latest, in the same form
        deadline string always,
        /// when the entry was last written, in the same form
        updatedAt string always,
        /// why a person closed it, if they gave a note
        note string sometimes,
        /// what happened to it, oldest first; only with the option `events`
        events [journalEvent] sometimes,
    }

    /// Something that happened to an entry of the journal.
    journalEvent {
        /// its number in the entry, from 1; missing numbers are old statuses that were dropped
        number integer always,
        /// when it happened, in UTC: "2026-11-21T14:05:06.789Z"
        at string always,
        /// sending, attempt, status or settled
        event string always,
        /// sending: the SHA-256 of the request's body, in hexadecimal digits
        bodySha256 string sometimes,
        /// sending: the length of the request's body
        bodyBytes integer sometimes,
        /// attempt: its number in the call, from 1
        attempt integer sometimes,
        /// attempt: how long it took, in milliseconds
        durationMs integer sometimes,
        /// attempt: bytes of the request that were sent; with TLS, of the records that carry it
        bytesSent integer sometimes,
        /// attempt: the HTTP status of the response
        httpStatus integer sometimes,
        /// attempt: the service's own code
        responseCode string sometimes,
        /// attempt: its result number
        result integer sometimes,
        /// attempt: why it failed
        cause string sometimes,
        /// status: as the service sent it
        transactionId string sometimes,
        /// status: as the service sent it
        transactionStatus string sometimes,
        /// status: as the service sent it
        amount string sometimes,
        /// status: as the service sent it
        refundStatus string sometimes,
        /// status: as the service sent it
        refundType string sometimes,
        /// status: as the service sent it
        settlementStatus string sometimes,
        /// status: as the service sent it
        settlementDate string sometimes,
        /// settled: why
        note string sometimes,
        /// attempt and status: the service's host and port
        host string sometimes,
        /// attempt and status: whether the request went through a proxy
        proxy boolean sometimes,
        /// attempt and status: whether the connection to the service used TLS
        tls boolean sometimes,
        /// attempt and status: the SHA-256 of the service's certificate (its DER form), in
        /// hexadecimal digits
        certificateSha256 string sometimes,
    }

    /// The end of payorder_journal_prune.
    removed {
        /// how many entries were removed
        removed integer always,
    }

    /// What a return URL names.
    returned {
        /// its txn, decoded
        transactionId string always,
        /// what to give to payorder_get_status
        statusQuery query always,
    }

    /// Whether an order was paid.
    verdict {
        /// true only if every check passed
        paid boolean always,
        /// the checks that failed
        reasons [reason] always,
        /// what cannot be checked: the service does not report it, or its date cannot be read
        unverifiable [string] always,
    }

    /// A check that failed.
    reason {
        /// responseCode, transactionStatus, orderId, transactionId, amount, refundStatus,
        /// refundType, transactionDate, journal, orderExists or entryAmount
        check string always,
        /// what was expected
        expected string always,
        /// what the status has
        actual string always,
    }

    /// Every result that is not PAYORDER_OK.
    error {
        /// the details
        error errorDetails always,
    }

    /// The details of an error.
    errorDetails {
        /// the result's number
        result integer always,
        /// its name, such as PAYORDER_TIMEOUT
        name string always,
        /// not_sent, rejected or unknown
        outcome string always,
        /// what exactly happened: see CAUSES
        cause string always,
        /// what to do next: see ACTIONS
        action string always,
        /// a message for people; it may change
        message string always,
        /// the call: create_order, get_status, wait_for_payment, get_statuses, recover,
        /// journal_list, journal_resolve, journal_settle or journal_prune
        operation string sometimes,
        /// how many attempts the call made, from 0
        attempts integer sometimes,
        /// the duration of the call in milliseconds
        elapsedMs integer sometimes,
        /// the fields that break a rule: an array, see below
        violations [violation] sometimes,
        /// the HTTP status of the response
        httpStatus integer sometimes,
        /// the service's own code
        responseCode string sometimes,
        /// the service's own text, without credentials
        responseMessage string sometimes,
        /// how many milliseconds to wait, as the service asked
        retryAfterMs integer sometimes,
        /// what to give to payorder_get_status next: in every unknown outcome of
        /// payorder_create_order, and every failure of payorder_wait_for_payment that has a query
        statusQuery query sometimes,
        /// after an unknown outcome of payorder_create_order, if the response had one: where the
        /// customer can pay, if the order exists. After order_exists it may be another sale's
        checkoutUrl string sometimes,
        /// of a duplicate: the journal's entry (see AN ORDER THAT EXISTS ALREADY)
        previous entry sometimes,
        /// the last status that a failed payorder_wait_for_payment saw
        status status sometimes,
    }

    /// A field that breaks a rule of the service's interface.
    violation {
        /// the field's name
        field string always,
        /// required, type, blank, decimal, minimum, allowed, url, unknown_field or conflict
        rule string always,
        /// a message for people
        message string always,
    }
}

// The calls that take options or give JSON: the sets of options (core/src/settings/list.rs), and what
// *out_json is on PAYORDER_OK.
calls! {
    payorder_create_order [network cancelling create_order] checkout,
    payorder_get_status [network cancelling] status,
    payorder_wait_for_payment [network cancelling wait_for_payment] waited,
    payorder_get_statuses [network cancelling get_statuses] summary,
    payorder_journal_list [cancelling journal_list] entries,
    payorder_journal_resolve [network cancelling get_statuses] resolved,
    payorder_recover [network cancelling get_statuses recover] recovered,
    payorder_journal_settle [cancelling journal_settle] entry,
    payorder_journal_prune [cancelling journal_prune] removed,
    payorder_build_create_order [build_create_order] order,
    payorder_build_get_status [] query,
    payorder_parse_return_url [] returned,
    payorder_verify_payment [] verdict,
}
