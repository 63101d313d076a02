// The one list of causes: what exactly happened, more precisely than the result. `src/code.rs`
// makes the type, the names and the meanings of it.
//
// Each cause has the results that it comes with, and what a program should do next. One rule is not
// in this list: after an unknown outcome of Create Order the action is `ask_status`, whatever the
// cause (see `Error::action`).
causes! {
    /// a required argument is NULL
    null Null [1 2] FixRequest,
    /// a text is not UTF-8
    not_utf8 NotUtf8 [1] FixRequest,
    /// a text is not JSON, or not the kind of JSON that is expected there
    not_json NotJson [1] FixRequest,
    /// a JSON object has the same key twice
    duplicate_key DuplicateKey [1] FixRequest,
    /// a text is longer than allowed
    too_long TooLong [1] FixRequest,
    /// a configuration key or an option has an unknown name
    unknown_key UnknownKey [1 3] FixRequest,
    /// a value has the wrong type, the wrong form, or is out of range
    invalid_value InvalidValue [1 3] FixRequest,
    /// a file named in the configuration cannot be read or used
    unreadable_file UnreadableFile [3] FixConfiguration,
    /// the client was freed or never created
    client_freed ClientFreed [2] FixRequest,
    /// the cancellation token was freed or never created
    cancellation_freed CancellationFreed [2] FixRequest,
    /// the client has no journal, or this build of the library has none
    no_journal NoJournal [1 3] FixConfiguration,

    /// a field breaks a rule of the service's interface
    rule_broken RuleBroken [4] FixRequest,
    /// the endpoint's credentials are in neither the configuration nor the options
    credentials_missing CredentialsMissing [5] CheckCredentials,

    /// the host name does not exist
    name_not_found NameNotFound [6] CheckNetwork,
    /// the system could not look up the host name
    name_lookup_failed NameLookupFailed [6] CheckNetwork,
    /// the host name lookup took too long
    name_lookup_timed_out NameLookupTimedOut [6] CheckNetwork,
    /// nothing listens at the host's address and port
    connection_refused ConnectionRefused [6] CheckNetwork,
    /// the connection was not established in time
    connect_timed_out ConnectTimedOut [6] CheckNetwork,
    /// there is no route to the host
    network_unreachable NetworkUnreachable [6] CheckNetwork,
    /// the process or the system has no file descriptor left
    no_descriptors NoDescriptors [6 10] RetryLater,
    /// the proxy cannot be reached
    proxy_unreachable ProxyUnreachable [6] CheckNetwork,
    /// the proxy refused to connect to the service
    proxy_refused ProxyRefused [6] FixConfiguration,
    /// the proxy needs a user name and password, or does not accept the given ones
    proxy_needs_credentials ProxyNeedsCredentials [6] CheckCredentials,
    /// application data arrived before the request was sent, so the connection was not used
    answer_before_request AnswerBeforeRequest [6] Retry,

    /// the certificate has expired, or this machine's clock is wrong
    certificate_expired CertificateExpired [7] CheckNetwork,
    /// the certificate is not valid yet, or this machine's clock is wrong
    certificate_not_yet_valid CertificateNotYetValid [7] CheckNetwork,
    /// the certificate comes from an authority that is not trusted here
    certificate_unknown_issuer CertificateUnknownIssuer [7] FixConfiguration,
    /// the certificate is for another host
    certificate_wrong_host CertificateWrongHost [7] CheckNetwork,
    /// the certificate was revoked
    certificate_revoked CertificateRevoked [7] CheckNetwork,
    /// the certificate cannot be used for another reason, which the message gives
    certificate_invalid CertificateInvalid [7] CheckNetwork,
    /// the other side refused this machine's client certificate, or needs one
    client_certificate_refused ClientCertificateRefused [7 201] FixConfiguration,
    /// the two sides have no TLS version in common
    tls_version_unsupported TlsVersionUnsupported [7] CheckNetwork,
    /// the TLS handshake failed, or the TLS connection broke later
    handshake_failed HandshakeFailed [7 201] CheckNetwork,
    /// the TLS handshake was not finished in time
    handshake_timed_out HandshakeTimedOut [7] CheckNetwork,

    /// no complete response arrived in time
    response_timed_out ResponseTimedOut [200] Retry,
    /// the connection was reset
    connection_reset ConnectionReset [6 201] Retry,
    /// the connection was closed before a complete response
    connection_closed ConnectionClosed [6 201] Retry,
    /// the response is not valid HTTP
    response_not_http ResponseNotHttp [202] Retry,
    /// the response's body is not JSON of the expected form
    response_not_json ResponseNotJson [202] Retry,
    /// the response is larger than `maxResponseBytes`
    response_too_large ResponseTooLarge [202] FixConfiguration,
    /// the response has no `responseCode`
    response_code_missing ResponseCodeMissing [202] Retry,
    /// the HTTP status is a refusal, but the `responseCode` is 200
    response_contradictory ResponseContradictory [202] Retry,
    /// the response reports success without a checkout URL, or with an empty one
    checkout_url_missing CheckoutUrlMissing [202] Retry,
    /// the checkout URL is not one that a customer can be sent to safely
    checkout_url_unusable CheckoutUrlUnusable [202] Retry,
    /// the checkout URL's host is not on the list `checkoutHosts`
    checkout_host_not_allowed CheckoutHostNotAllowed [202] Retry,
    /// the response is about another order or transaction
    another_order AnotherOrder [202] Retry,
    /// the service answered with a redirect, which is never followed
    redirected Redirected [202] FixConfiguration,

    /// the service failed
    service_error ServiceError [203] RetryLater,
    /// the service refused the request
    service_refused ServiceRefused [100] ShowReason,
    /// the service does not accept the credentials
    unauthorized Unauthorized [101] CheckCredentials,
    /// the service limits how often it may be called
    rate_limited RateLimited [102] RetryLater,

    /// the journal's disk is full, or a limit on file sizes was reached
    journal_full JournalFull [10] FixConfiguration,
    /// the journal cannot be written: permissions, or a read-only disk
    journal_read_only JournalReadOnly [10] FixConfiguration,
    /// the journal's file is damaged, or the disk failed
    journal_damaged JournalDamaged [10] FixConfiguration,
    /// the file is a database of another program
    journal_foreign JournalForeign [10] FixConfiguration,
    /// the journal was created by a newer version of this library
    journal_newer JournalNewer [10] FixConfiguration,
    /// another process has the journal locked
    journal_locked JournalLocked [10] RetryLater,
    /// the journal's file was moved, deleted, replaced or linked while it was in use
    journal_replaced JournalReplaced [10] FixConfiguration,
    /// the journal's file cannot be opened, or not be kept safely where it is
    journal_unavailable JournalUnavailable [10] FixConfiguration,
    /// entries of the journal lie in the future: the clock was changed
    journal_in_future JournalInFuture [10] CheckClock,
    /// the journal has this order as created
    order_already_sent OrderAlreadySent [206] UsePrevious,
    /// the journal has this order as being sent
    order_being_sent OrderBeingSent [206] AskStatus,
    /// the journal has this order with an unknown outcome
    order_may_exist OrderMayExist [206] AskStatus,
    /// a person closed this order in the journal
    order_settled OrderSettled [206] AskStatus,

    /// the call was cancelled
    cancelled Cancelled [8 204] None,
    /// the process was forked during the call, which continues in the parent process
    forked Forked [205] None,
    /// the system gave this process no thread or no memory
    no_resources NoResources [6 10 11 201] RetryLater,
    /// a bug in the library
    bug Bug [11 205] ReportBug,
}
