// The list of the JSON objects that calls take and return. `tests/header` makes the manual in the
// C header and the description for machines from it, and `tests/repository` compares it with what
// the library does.
//
// A key has a type: string, integer, number, boolean, the name of an object, or an array of one of
// these. It is present `always`, always but sometimes null (`nullable`), or `sometimes`. Its meaning
// follows.
objects! {
    /// The order for payorder_create_order. All fields are required; all are strings that are not
    /// blank, and are sent unchanged.
    order {}

    /// What payorder_get_status is asked about: one of the two identifiers.
    query {
        searchType string sometimes
            r#""1": by orderId; "2": by transactionId; may be left out if exactly one is given"#,
        orderId string sometimes "the order's identifier",
        transactionId string sometimes
            "the service's identifier of the transaction, from the return URL",
    }

    /// What payorder_verify_payment compares a status with.
    expected {
        orderId string always "the order's identifier",
        amount string always "decimal text; 100 and 100.00 are equal",
        transactionId string sometimes "from the return URL",
        notBefore string sometimes
            "when the sale began: a date and time with its zone, such as 2026-11-21T14:05:06Z",
    }

    /// A created order.
    checkout {
        responseCode string always r#""200""#,
        responseMessage string always "the service's own text",
        data checkoutData always "where the customer pays",
    }

    /// `data` of a created order. Other keys are kept as the service sent them.
    checkoutData {
        url string always "the checkout URL: send the customer there",
    }

    /// A status. Keys that this version does not know are kept as the service sent them.
    status {
        responseCode string always r#""200""#,
        responseMessage string always "the service's own text",
        data statusData always "the 15 fields of the interface",
        derived derived always "what the library derives from them",
    }

    /// `data` of a status: strings, "" where the service sent none.
    statusData {}

    /// What the library derives from a status.
    derived {
        completed boolean always
            r#"whether transactionStatus is "Completed"; this does not prove a payment"#,
        transactionDate string nullable
            "the date as 2026-11-21T14:05:06, if it is one in the documented form; or null",
    }

    /// The end of a wait.
    waited {
        final boolean always "whether the payment is final",
        timedOut boolean always "whether the time ran out before that",
        polls integer always "how many queries were sent",
        status status sometimes "the last status seen",
        error errorDetails sometimes
            "the error of the last query, if that failed; then `status` is that of an earlier one",
    }

    /// The result of many queries.
    summary {
        asked integer always "calls of the callback: the sum of the next four",
        ok integer always "queries that returned a status",
        rejected integer always "queries that the service refused",
        unknown integer always "queries with an unknown outcome",
        notSent integer always "queries that were not sent",
        stopped boolean always
            "whether it ended early: the callback returned 0, the call was cancelled, or \
             payorder_recover gave up because the service could not be reached",
        elapsedMs integer always "the duration of the call in milliseconds",
        transactionStatus counts always
            "how many statuses had each text of transactionStatus, up to 1000 different texts of "
            r#"at most 64 bytes; the others count as "(other)""#,
    }

    /// Entries of the journal.
    entries {
        entries [entry] always "oldest first",
    }

    /// The end of payorder_journal_resolve.
    resolved {
        summary summary always "of the queries",
        otherServices integer always
            "how many entries of other services are unresolved; they were not asked about",
        refusal string sometimes
            "the service's words, if it refused every query of two or more",
        entries [entry] always "those of this service that are still unresolved",
    }

    /// Every open sale, with its verdict.
    recovered {
        summary summary always "of the queries",
        otherServices integer always
            "how many unresolved entries of the journal belong to other services",
        refusal string sometimes "the service's words, if it refused every query of two or more",
        sales [sale] always
            "those of sales_json in their order, then those of the journal, oldest first",
    }

    /// A sale, and what is known about it.
    sale {
        orderId string always "the order's identifier",
        verdict string always
            "paid, check, payable, url_lost, unknown, sending, refused, not_sent, settled or "
            "not_in_journal",
        amount string always "the amount of the sale, or else of the entry",
        url string nullable r#"with "payable": where the customer pays; or null"#,
        statusQuery query always "what to give to payorder_get_status to ask again",
        transactionStatus string nullable
            "what the service says, or else what the journal has; or null",
        reasons [reason] always r#"with "check": what is not as expected"#,
        entry integer nullable "the number of its entry in the journal, or null",
    }

    /// What payorder_check found.
    checked {
        ok boolean always "whether no step failed",
        steps [checkStep] always "in the order in which they were made",
    }

    /// One thing that payorder_check looked at.
    checkStep {
        step string always
            "proxy, name, connect, tls, clock, service, credentials or journal",
        ok boolean always "whether it works",
        elapsedMs integer always "how long it took, in milliseconds",
        message string always "a message for people; it may change",
        details checkDetails always "what was found, for programs",
        cause string sometimes "why it failed: see CAUSES",
        action string sometimes "what to do if it failed: see ACTIONS",
    }

    /// `details` of a step.
    checkDetails {
        proxy string sometimes "proxy: its host and port",
        addresses [string] sometimes
            "name: the addresses of the host; connect: those that accepted a connection",
        unreachable [string] sometimes "connect: the addresses that did not",
        version string sometimes "tls: such as TLSv1.3",
        issuer string sometimes "tls: who issued the certificate",
        validUntil string sometimes "tls: until when the certificate is valid, in UTC",
        names [string] sometimes "tls: the names in the certificate",
        secondsAhead integer sometimes
            "clock: how many seconds this machine is ahead of the service; below 0, behind",
        httpStatus integer sometimes "service: the HTTP status of the response",
        responseCode string sometimes "service: its own code, of a refusal",
        requestId string sometimes
            "service: what the response calls the request, for the service's support",
        credentials string sometimes "credentials: accepted, refused, missing or unclear",
        unresolved integer sometimes
            "journal: orders of this service whose outcome is not known",
        otherServices integer sometimes "journal: the same of other services",
    }

    /// An entry of the journal: one sending of one order. Times are UTC: 2026-11-21T14:05:06.789Z.
    entry {
        entry integer always "a whole number; later entries have higher ones",
        orderId string always "the order's identifier",
        merchantTxnId string always "the identifier of the transaction",
        amount string always "the amount as it was sent",
        currencyCode string always "the currency as it was sent",
        state string always "sending, created, rejected, not_sent, unknown or settled",
        url string nullable "the checkout URL, or null if it is not known",
        service string always "the base URL of the service that it was sent to",
        result integer nullable "the result number of the call, or null if it is not known",
        transactionId string nullable
            "the service's identifier of the transaction, or null if no status was seen",
        transactionStatus string nullable "the status that was last seen, or null",
        startedAt string always r#"when the call started, in UTC: "2026-11-21T14:05:06.789Z""#,
        deadline string always "when the call ends at the latest, in the same form",
        updatedAt string always "when the entry was last written, in the same form",
        note string sometimes "why a person closed it, if they gave a note",
        events [journalEvent] sometimes
            "what happened to it, oldest first; only with the option `events`",
    }

    /// Something that happened to an entry of the journal.
    journalEvent {
        number integer always
            "its number in the entry, from 1; missing numbers are old statuses that were dropped",
        at string always r#"when it happened, in UTC: "2026-11-21T14:05:06.789Z""#,
        event string always "sending, attempt, status or settled",
        bodySha256 string sometimes
            "sending: the SHA-256 of the request's body, in hexadecimal digits",
        bodyBytes integer sometimes "sending: the length of the request's body in bytes",
        attempt integer sometimes "attempt: its number in the call, from 1",
        durationMs integer sometimes "attempt: how long it took, in milliseconds",
        bytesSent integer sometimes
            "attempt: bytes of the request that were sent; with TLS, of the records that carry it",
        httpStatus integer sometimes "attempt: the HTTP status of the response",
        responseCode string sometimes "attempt: the service's own code",
        result integer sometimes "attempt: its result number",
        cause string sometimes "attempt: why it failed",
        transactionId string sometimes "status: as the service sent it",
        transactionStatus string sometimes "status: as the service sent it",
        amount string sometimes "status: as the service sent it",
        refundStatus string sometimes "status: as the service sent it",
        refundType string sometimes "status: as the service sent it",
        settlementStatus string sometimes "status: as the service sent it",
        settlementDate string sometimes "status: as the service sent it",
        note string sometimes "settled: why",
        requestId string sometimes
            "attempt and status: what the response calls the request, for the service's support",
        host string sometimes "attempt and status: the service's host and port",
        proxy boolean sometimes "attempt and status: whether the request went through a proxy",
        tls boolean sometimes "attempt and status: whether the connection to the service used TLS",
        certificateSha256 string sometimes
            "attempt and status: the SHA-256 of the service's certificate (its DER form), in "
            "hexadecimal digits",
    }

    /// The end of payorder_journal_prune.
    removed {
        removed integer always "how many entries were removed",
    }

    /// What a return URL names.
    returned {
        transactionId string always "its txn, decoded",
        statusQuery query always "what to give to payorder_get_status",
    }

    /// Whether an order was paid.
    verdict {
        paid boolean always "true only if every check passed",
        reasons [reason] always "the checks that failed",
        unverifiable [string] always
            "what cannot be checked: the service does not report it, or its date cannot be read",
    }

    /// A check that failed.
    reason {
        check string always
            "responseCode, transactionStatus, orderId, transactionId, amount, refundStatus, "
            "refundType, transactionDate, journal, orderExists or entryAmount",
        expected string always "what was expected",
        actual string always "what the status has",
    }

    /// Every result that is not PAYORDER_OK.
    error {
        error errorDetails always "the details",
    }

    /// The details of an error.
    errorDetails {
        result integer always "the result's number",
        name string always "its name, such as PAYORDER_TIMEOUT",
        outcome string always "not_sent, rejected or unknown",
        cause string always "what exactly happened: see CAUSES",
        action string always "what to do next: see ACTIONS",
        message string always "a message for people; it may change",
        operation string sometimes
            "the call: create_order, get_status, wait_for_payment, get_statuses, recover, check, "
            "journal_list, journal_resolve, journal_settle or journal_prune",
        attempts integer sometimes "how many attempts the call made, from 0",
        elapsedMs integer sometimes "the duration of the call in milliseconds",
        violations [violation] sometimes "the fields that break a rule: an array, see below",
        httpStatus integer sometimes "the HTTP status of the response",
        responseCode string sometimes "the service's own code",
        responseMessage string sometimes "the service's own text, without credentials",
        requestId string sometimes
            "what the response calls the request, for the service's support",
        responseBody string sometimes
            "with `quoteResponses`: the start of a response that is not usable, without credentials",
        retryAfterMs integer sometimes "how many milliseconds to wait, as the service asked",
        statusQuery query sometimes
            "what to give to payorder_get_status next: in every unknown outcome of "
            "payorder_create_order, and every failure of payorder_wait_for_payment that has a "
            "query",
        checkoutUrl string sometimes
            "after an unknown outcome of payorder_create_order, if the response had one: where "
            "the customer can pay, if the order exists. After order_exists it may be another sale's",
        previous entry sometimes
            "of a duplicate: the journal's entry (see AN ORDER THAT EXISTS ALREADY)",
        status status sometimes "the last status that a failed payorder_wait_for_payment saw",
    }

    /// A field that breaks a rule of the service's interface.
    violation {
        field string always "the field's name",
        rule string always
            "required, type, blank, characters, decimal, minimum, allowed, url, unknown_field or "
            "conflict",
        message string always "a message for people",
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
    payorder_check [network cancelling check] checked,
    payorder_journal_settle [cancelling journal_settle] entry,
    payorder_journal_prune [cancelling journal_prune] removed,
    payorder_build_create_order [build_create_order] order,
    payorder_build_get_status [] query,
    payorder_parse_return_url [] returned,
    payorder_verify_payment [] verdict,
}
