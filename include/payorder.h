/*
 * payorder.h: the C interface of libpayorder 0.1.0, interface version 1. C99 and C++11.
 *
 * Generated from src by tests/header: change it there. The same for programs: payorder-abi.json;
 * for FFI parsers: payorder.cdef.
 *
 * A client of a payment service: create an order, which gives the URL of a checkout page, and read
 * its status. After a failure it says whether the order was not sent, was rejected, or may exist.
 *
 * IN SHORT
 *
 *     payorder_client *client;
 *     char *json, *url = NULL;
 *     if (payorder_client_new(config_json, &client, NULL) != PAYORDER_OK) ...
 *     if (payorder_create_order(client, order_json, NULL, &json) == PAYORDER_OK
 *         && payorder_json_get(json, "/data/url", &url) == PAYORDER_OK)
 *         show_to_customer(url);
 *     payorder_string_free(url);
 *     payorder_string_free(json);
 *     payorder_client_free(client);
 *
 *     cc till.c $(pkg-config --cflags --libs payorder) -o till
 *
 * RESULTS
 *     Every function that can fail returns a payorder_result. There is no last-error state:
 *     *out_json says everything else, and a function without out_json says nothing else. The range
 *     of the number is the outcome:
 *         0            done
 *         1 to 99      not sent: this call sent nothing to the service. Fix what the message names
 *                      and call again, unless you cancelled the call
 *         100 to 199   rejected: the service refused the request. After payorder_create_order, that
 *                      call created no order. After payorder_get_status, there is no status: this
 *                      does not prove that there is no order
 *         200 to 299   unknown: the order may exist; ask payorder_get_status by order id before
 *                      anything else
 *     The outcome says what happened to the order; `action` says what to do next. In addition to
 *     the failures that it names, a function with a client returns PAYORDER_INVALID_HANDLE if that
 *     is not live, and every function PAYORDER_INTERNAL after a bug in the library.
 *
 * ERRORS
 *     On failure *out_json is {"error":{...}}, of which payorder-abi.json has an example for each
 *     cause. The first six keys are always present, the others if they apply:
 *     result           the result's number
 *     name             its name, such as PAYORDER_TIMEOUT
 *     outcome          not_sent, rejected or unknown
 *     cause            what exactly happened: see CAUSES
 *     action           what to do next: see ACTIONS
 *     message          a message for people; it may change
 *     operation        the call: create_order, get_status, wait_for_payment, get_statuses, recover,
 *                      check, journal_list, journal_resolve, journal_settle or journal_prune
 *     attempts         how many attempts the call made, from 0
 *     elapsedMs        the duration of the call in milliseconds
 *     violations       the fields that break a rule: an array, see below
 *     httpStatus       the HTTP status of the response
 *     responseCode     the service's own code
 *     responseMessage  the service's own text, without credentials
 *     requestId        what the response calls the request, for the service's support
 *     responseBody     with `quoteResponses`: the start of a response that is not usable, without
 *                      credentials
 *     retryAfterMs     how many milliseconds to wait, as the service asked
 *     statusQuery      what to give to payorder_get_status next: in every unknown outcome of
 *                      payorder_create_order, and every failure of payorder_wait_for_payment that
 *                      has a query
 *     checkoutUrl      after an unknown outcome of payorder_create_order, if the response had one:
 *                      where the customer can pay, if the order exists. After order_exists it may
 *                      be another sale's
 *     previous         of a duplicate: the journal's entry (see AN ORDER THAT EXISTS ALREADY)
 *     status           the last status that a failed payorder_wait_for_payment saw
 *     A violation has `field` (the field's name), `rule` and `message` (for people). There is one
 *     per field, with the first rule that fits: required, type, blank, characters, decimal,
 *     minimum, allowed, url, unknown_field, conflict. An error of payorder_parse_return_url has the
 *     field "txn", and one of the JSON helpers the field "pointer".
 *
 * STRINGS
 *     JSON text in and out, UTF-8, NUL-terminated. Inputs are borrowed for the call. Where a text
 *     may be NULL, an empty one means the same.
 *     An output pointer that is not NULL is written on every return, success or failure: a string
 *     that you free with payorder_string_free, or NULL where the function says so. The old value is
 *     overwritten, so free it before you use the variable again. A function that says nothing about
 *     ownership gives you no other memory than *out_json.
 *     These functions need an out_json that is not NULL; without it they send nothing and return
 *     PAYORDER_INVALID_ARGUMENT: payorder_create_order, payorder_get_status, payorder_start,
 *     payorder_wait_for_payment, payorder_get_statuses, payorder_stream_statuses, payorder_recover,
 *     payorder_check, payorder_journal_list, payorder_journal_resolve, payorder_journal_settle and
 *     payorder_journal_prune.
 *     The largest texts: 256 KiB for an order, a query, a configuration, options, expected values
 *     and a return URL; 16 MiB for a status to verify and for the JSON helpers; 64 MiB for the
 *     arrays of payorder_get_statuses and payorder_recover.
 *
 * NUMBERS AND BOOLEANS
 *     payorder_json_object writes strings only. Options that are numbers, booleans, arrays or
 *     objects are written with payorder_json_set, which takes any JSON value:
 *         payorder_json_set(NULL, "/timeoutMs", "5000", &json);  {"timeoutMs":5000}
 *         payorder_json_set(NULL, "/resend", "true", &json);     {"resend":true}
 *
 * CLIENTS
 *     The rule is: one client per process, one cancellation token for each sale that a person can
 *     stop. All threads may use the client at the same time, and it keeps connections. NULL, a
 *     freed client and any other pointer give PAYORDER_INVALID_HANDLE. If you free a client while
 *     calls are in flight, they finish on their own.
 *
 * CANCELLING
 *     A token cancels the calls that have it, and no others; payorder_client_cancel cancels all
 *     calls of the client. A cancelled call ends within 100 ms, as PAYORDER_CANCELLED if nothing
 *     was sent, otherwise as PAYORDER_CANCELLED_IN_FLIGHT. payorder_get_statuses,
 *     payorder_journal_resolve and payorder_recover return PAYORDER_OK with "stopped":true instead,
 *     payorder_recover only once it has begun to ask. A cancelled token stays cancelled: free it,
 *     and create a new one for the next sale. The text of a token belongs to it:
 *     payorder_cancellation_free frees both. See the example in payorder_cancellation_new(3).
 *
 * BLOCKING
 *     The calls are blocking: each returns when it has its result, and uses the calling thread.
 *     While they wait, the callback of payorder_set_idle runs on that thread. payorder_start
 *     does not block: see CALLS THAT DO NOT BLOCK.
 *         payorder_create_order, payorder_get_status   at most `timeoutMs`
 *         payorder_wait_for_payment                    at most `waitMs`
 *         payorder_get_statuses, _stream_statuses      until all queries are done
 *         payorder_journal_resolve, payorder_recover   until all queries are done
 *         payorder_check                               at most `timeoutMs`, and 10 s for a journal
 *         payorder_journal_list, _settle, _prune       at most 10 seconds, if another process has
 *                                                      the journal locked
 *     Each of many queries takes at most `timeoutMs`. All others use no network and return at
 *     once. Cancelling ends a call earlier.
 *     Between attempts the library pauses for a random part of 200 ms, doubled each time to at most
 *     2 s, or for the time that a `Retry-After` header says. No pause passes the time limit.
 *
 * THREADS AND CALLBACKS
 *     Every function may be called from any thread, also on the same client at the same time, and
 *     from a callback, unless it says otherwise. Do not call any from a signal handler. No thread
 *     outlives a call, except a DNS lookup that is still blocked in the system. The threads of
 *     started calls end at most a second after the last of these calls.
 *     A callback runs on the thread that is inside a payorder call, during that call, with no lock
 *     held: it may call every function. The callback of payorder_start runs on a thread of the
 *     library. Callbacks of several calls may run in several threads at the same time. A callback
 *     must return normally: no C++ exception, no longjmp, no error of a scripting language. The
 *     int32_t `result` that a callback receives is a payorder_result.
 *     A call keeps the log callback and the user_data that it started with. To free user_data of
 *     payorder_client_set_log:
 *         1. Replace it with payorder_client_set_log, or free the client.
 *         2. Wait until payorder_live_calls() is 0.
 *         3. Free user_data.
 *     In a busy process payorder_live_calls() may never be 0: then keep user_data until the process
 *     ends. The user_data of one call may be freed when that call has returned.
 *
 * CALLS THAT DO NOT BLOCK
 *     payorder_start puts a call into the client's queue and returns within microseconds. The
 *     answer is what the blocking function would have given. A callback gets it, or
 *     payorder_take_done takes it; payorder_done_handle tells an event loop when there is one.
 *     At most `maxCalls` of the configuration run at once, each on a thread of the library with
 *     1 MiB of stack (512 KiB on 32-bit systems). The others wait in the order of their start,
 *     without a thread. Waiting is a part of the call: `timeoutMs` and `waitMs` count from
 *     payorder_start. A call whose time ends in the queue is PAYORDER_CONNECT_FAILED with the
 *     cause queue_timed_out: nothing was sent. So is an order whose turn comes in the last tenth of
 *     its time, or in the last second of a long one: it would probably get no answer in time, and
 *     its outcome would be unknown. A token, payorder_client_cancel and
 *     payorder_client_stop end queued calls within 100 ms as PAYORDER_CANCELLED, and
 *     payorder_client_free ends them with the cause client_freed. So after a cancel, a stop or a
 *     free no further order is sent. Calls with a token each are cancelled one after the other: the
 *     place of a cancelled call is given to the next one when none was cancelled for 100 ms, or
 *     after a second. To end all calls of a client, use payorder_client_cancel.
 *     A started "wait_for_payment" holds no thread and no connection between its queries, which
 *     wait behind orders and statuses, and leave one of the places free for them. "recover",
 *     "journal_resolve" and "check" have a thread each, at most 8 of them beside `maxCalls`.
 *     payorder_live_calls counts a started call until its answer can be taken, or its callback
 *     has returned. Answers that nobody took are freed with the client. The callback of
 *     payorder_set_idle does not run for started calls.
 *     In a forked child the queue is empty: the calls go on in the parent. Once the process is
 *     exiting payorder_start is PAYORDER_INTERNAL, and queued calls are not sent. On Windows
 *     this is not so in functions that the program gave to atexit. The journal knows the orders
 *     that ran.
 *
 * PROCESSES
 *     No signal handlers, no SIGPIPE, no changes to the environment, no output. A client may be
 *     used after fork() in both processes: the child makes its own connections. A call that is
 *     running during a fork continues in the parent only.
 *
 * PAID OR NOT
 *     A return URL or a status does not prove a payment. Give the status to
 *     payorder_verify_payment. PAYORDER_OK says only that it compared them: the order is paid if
 *     payorder_json_get of "/paid" in the result gives "true".
 *
 * THE JOURNAL
 *     With `journal` in the configuration, payorder_create_order writes each order to a file before
 *     it sends the order. After a power cut the file says which orders may exist, and no order is
 *     sent twice. Several processes may use the same file; several machines use a PostgreSQL
 *     database instead, by its URI. It has no credential and no personal data. Write each sale into
 *     your own records before payorder_create_order. When a program starts, give the sales that
 *     your records call open to payorder_recover: it says of each, and of every open entry, whether
 *     it is paid, can be paid, or may exist.
 *     payorder_journal_resolve verifies no payment. Do not move, copy, replace or delete the file
 *     while a program uses it. A database that is down is PAYORDER_JOURNAL_FAILED with the action
 *     retry_later: nothing was sent.
 *
 *     An entry belongs to one service: the `baseUrl` that it was sent to. A client with another
 *     `baseUrl` refuses its identifiers as duplicates, but does not ask about it, record anything
 *     for it, settle it or remove it.
 *
 *     What is paid stays paid. Once an answer that names the order said Completed, two kinds of
 *     answers are kept as events, but do not change the entry's transactionStatus: one about
 *     another transaction of the order, and a later one about the same transaction that reports no
 *     refund. Such an entry cannot be settled as unpaid.
 *
 * SECRETS
 *     No message or log event shows a credential or the proxy's password: where a free text of the
 *     service contains a whole one, it reads [redacted]. Statuses, identifiers, amounts and URLs
 *     are never changed. The library zeroes its memory when it frees it. The texts that you pass
 *     in stay yours.
 *
 * AN ORDER THAT EXISTS ALREADY
 *     PAYORDER_DUPLICATE: the journal has an order with this orderId or this merchantTxnId, and
 *     nothing was sent. `previous` is that entry. If previous.url is there, the customer pays
 *     there; otherwise do what `action` says. Only a person may decide to create another order,
 *     with new identifiers, for the same sale.
 *     The cause order_exists: the service answered with 409, so it has an order with these
 *     identifiers, which may be another sale's. Whatever its status is, a person decides.
 *
 * AN ORDER
 *     All fields are required. All are strings that are not blank, and are sent unchanged:
 *     amount          decimal text, at least 1: "100" or "100.00", not "1e2", "+100", "100.", ".5",
 *                     "0100" or "100.005"
 *     merchantTxnId   your unique identifier of the transaction. It, orderId and merchantId have no
 *                     white space at their ends and no control character
 *     orderId         your unique identifier of the order, by which payorder_get_status finds it
 *     payMode         one of all, cc, dc, upi, nb
 *     merchantId      your identifier at the service
 *     productInfo     what is paid for
 *     customerName    the customer's full name
 *     customerMobile  the customer's mobile number
 *     customerEmail   the customer's e-mail address
 *     redirectionURL  the return URL: where the customer goes after the payment; an absolute URL
 *                     without a parameter txn. The key here is always redirectionURL, also if
 *                     `returnUrlField` is set
 *     currencyCode    such as INR
 *
 * A STATUS
 *     {"responseCode":"200","responseMessage":...,"data":{...},"derived":{"completed":true,
 *     "transactionDate":"2026-11-21T14:05:06"}}. `completed` says whether transactionStatus is
 *     "Completed"; it does not say that the order is paid as expected. The date is null if the
 *     service's text is not a date. data has these 15 strings, "" where the service sent none:
 *     merchantRefId      the service's reference of the merchant's order
 *     orderId            the order's identifier
 *     transactionId      the service's identifier of the transaction
 *     amount             the amount of the payment
 *     customerName       the customer's full name
 *     customerMobile     the customer's mobile number
 *     customerEmail      the customer's e-mail address
 *     transactionStatus  "Completed" for a finished payment; other texts are the service's own
 *     transactionDate    MM/DD/YYYY hh:mm:ss AM or PM, without a time zone
 *     refundStatus       not empty after a refund
 *     refundType         the kind of refund
 *     merchantName       the merchant's name
 *     settlementStatus   whether the merchant got the money
 *     settlementDate     when the merchant got the money
 *     payMode            how the customer paid
 *
 * CONFIGURATION
 *     The keys of config_json. An unknown key is an error. A loopback host is localhost,
 *     127.0.0.0/8 or [::1].
 *     `baseUrl`: a string of 1 to 8192 bytes, required: the service's address: https, or http for a
 *         loopback host or with `allowInsecureHttp`; a path prefix is fine; no user name, password,
 *         query or fragment
 *     `accessToken`: a string of 1 to 4096 bytes: ACCESS-TOKEN of Create Order; a call's options
 *         can replace it; visible ASCII
 *     `clientKey`: a string of 1 to 4096 bytes: X-CLIENT-KEY of Get Status; a call's options can
 *         replace it; visible ASCII
 *     `clientId`: a string of 1 to 4096 bytes: X-CLIENT-ID of Get Status; a call's options can
 *         replace it; visible ASCII
 *     `secretKey`: a string of 1 to 4096 bytes: X-SECRET-KEY of Get Status; a call's options can
 *         replace it; visible ASCII
 *     `timeoutMs`: 1 to 600000, default 30000: milliseconds for a whole call, with all attempts and
 *         pauses
 *     `connectTimeoutMs`: 1 to 600000, default 10000: milliseconds for one connection: name lookup,
 *         TCP, proxy and TLS
 *     `createRetries`: 0 to 10, default 1: how many further attempts at Create Order, only after
 *         PAYORDER_CONNECT_FAILED
 *     `statusRetries`: 0 to 10, default 2: how many further attempts at Get Status, after results
 *         6, 102, 200, 201, 202 and 203
 *     `maxCalls`: 1 to 1024, default 64: how many started calls run at once; the others wait for a
 *         thread. Calls that block are not counted
 *     `maxIdleMs`: 0 to 600000, default 2000: for how many milliseconds an idle connection is kept
 *         for the next call; 0 keeps none
 *     `maxResponseBytes`: 1024 to 16777216, default 1048576: the largest response that is read, in
 *         bytes
 *     `proxy`: a string: http://user:password@host:port or https://..., the user and port being
 *         optional; or "none". Without it, the environment variables https_proxy, http_proxy,
 *         all_proxy and no_proxy decide, as they do for curl
 *     `tls`: an object: see the keys of `tls`
 *     `allowInsecureHttp`: true or false, default false: allows http to any host; for tests only
 *     `checkoutHosts`: an array of strings: hosts that a checkout URL may have: complete names
 *         without a port; without it, any host
 *     `returnUrlField`: a string, default "redirectionURL": the wire name of the return URL; not
 *         the name of another field of the order. The key of order_json stays redirectionURL
 *     `userAgent`: a string of 1 to 512 bytes: put before payorder/VERSION in the User-Agent
 *         header; visible ASCII
 *     `headers`: an object: further headers of every request, by name; not those that HTTP, the
 *         interface or the library sets itself (such as Host, Content-Type, User-Agent,
 *         ACCESS-TOKEN). Their values count as credentials: visible ASCII, and never shown
 *     `quoteResponses`: true or false, default false: errors of results 202 and 203 quote the
 *         response's first 2000 characters in responseBody, without credentials, but nothing of a
 *         response that is too large or not HTTP. The text may contain personal data, so log events
 *         and the journal never have it
 *     `journal`: a path: the path of the journal, a file that is created when it is first used; or
 *         the connection URI of a PostgreSQL database that several machines share
 *         (postgresql://user@host/database); without it, no journal
 *     The keys of `tls`; files are PEM and are read at once:
 *     `roots`: "bundled", "system", "both", default "bundled": which certificate authorities are
 *         trusted
 *     `caFile`: a path: certificate authorities that are trusted as well
 *     `certFile`: a path: the client certificate for the service (never for a proxy); needs keyFile
 *     `keyFile`: a path: the private key of certFile
 *
 * OPTIONS OF EVERY NETWORK CALL
 *     The keys of options_json, in addition to those that a function names. An unknown one is an
 *     error. NULL or {} for none.
 *     `accessToken`: a string of 1 to 4096 bytes: used instead of the configuration's
 *     `clientKey`: a string of 1 to 4096 bytes: used instead of the configuration's
 *     `clientId`: a string of 1 to 4096 bytes: used instead of the configuration's
 *     `secretKey`: a string of 1 to 4096 bytes: used instead of the configuration's
 *     `timeoutMs`: 1 to 600000: milliseconds for the whole call, or for each query of a call that
 *         sends several; without it, the configuration's
 *     `headers`: an object: sent in addition to the configuration's; one of the same name replaces
 *         it
 *     `tag`: a string of 1 to 128 characters: comes back in each log event of the call, so that you
 *         find the request, trace or scope that made it; no control characters. It is sent nowhere
 *         and kept nowhere
 *     `cancellation`: a string: a token of payorder_cancellation_new, which cancels this call
 *
 * AN ENTRY OF THE JOURNAL
 *     One sending of one order. Each key but `note` and `events` is always present:
 *     entry              a whole number; later entries have higher ones
 *     orderId            the order's identifier
 *     merchantTxnId      the identifier of the transaction
 *     amount             the amount as it was sent
 *     currencyCode       the currency as it was sent
 *     state              sending, created, rejected, not_sent, unknown or settled
 *     url                the checkout URL, or null if it is not known
 *     service            the base URL of the service that it was sent to
 *     result             the result number of the call, or null if it is not known
 *     transactionId      the service's identifier of the transaction, or null if no status was seen
 *     transactionStatus  the status that was last seen, or null
 *     startedAt          when the call started, in UTC: "2026-11-21T14:05:06.789Z"
 *     deadline           when the call ends at the latest, in the same form
 *     updatedAt          when the entry was last written, in the same form
 *     note               why a person closed it, if they gave a note
 *     events             what happened to it, oldest first; only with the option `events`
 *     The states:
 *         sending    a call is sending the order; after `deadline`, it is reported as unknown
 *         created    the service has the order; transactionStatus says what is known of its payment
 *         rejected   the service refused it; it may be sent again, unless a status names it later:
 *                    then it becomes created
 *         not_sent   it was not sent; the same
 *         unknown    it may exist: payorder_journal_resolve asks for its status
 *         settled    a person closed it with payorder_journal_settle
 *     All states except rejected and not_sent keep the order from being sent again.
 *
 *     With the option `events` of payorder_journal_list, an entry also says what happened to it:
 *         sending    the order was about to be sent
 *         attempt    an attempt to send it ended. The events of a call's attempts are written
 *                    together with its outcome, so a call that was killed has none
 *         status     the service sent a status that says something new
 *         settled    a person closed the entry
 *     Each event has `number`, `at` and `event`; the other keys depend on the kind:
 *     number             its number in the entry, from 1; missing numbers are old statuses that
 *                        were dropped
 *     at                 when it happened, in UTC: "2026-11-21T14:05:06.789Z"
 *     event              sending, attempt, status or settled
 *     bodySha256         sending: the SHA-256 of the request's body, in hexadecimal digits
 *     bodyBytes          sending: the length of the request's body in bytes
 *     attempt            attempt: its number in the call, from 1
 *     durationMs         attempt: how long it took, in milliseconds
 *     bytesSent          attempt: bytes of the request that were sent; with TLS, of the records
 *                        that carry it
 *     httpStatus         attempt: the HTTP status of the response
 *     responseCode       attempt: the service's own code
 *     result             attempt: its result number
 *     cause              attempt: why it failed
 *     transactionId      status: as the service sent it
 *     transactionStatus  status: as the service sent it
 *     amount             status: as the service sent it
 *     refundStatus       status: as the service sent it
 *     refundType         status: as the service sent it
 *     settlementStatus   status: as the service sent it
 *     settlementDate     status: as the service sent it
 *     note               settled: why
 *     requestId          attempt and status: what the response calls the request, for the service's
 *                        support
 *     host               attempt and status: the service's host and port
 *     proxy              attempt and status: whether the request went through a proxy
 *     tls                attempt and status: whether the connection to the service used TLS
 *     certificateSha256  attempt and status: the SHA-256 of the service's certificate (its DER
 *                        form), in hexadecimal digits
 *     An entry has at most 1000 events: a new status then replaces the oldest one.
 *
 * LOG EVENTS
 *     Each is one JSON object. None has a credential, a name, a mobile number or an e-mail address.
 *     orderId or transactionId says what the call is about; attempt counts from 1; elapsedMs counts
 *     from the start of the call.
 *     attempt_started: an attempt begins
 *         always: event, operation, attempt, elapsedMs, host
 *         if known: orderId, transactionId, tag, warning
 *     attempt_failed: an attempt failed; another one may follow
 *         always: event, operation, attempt, elapsedMs, host, result, name, cause
 *         if known: orderId, transactionId, httpStatus, requestId, tag
 *     attempt_finished: an attempt received a usable response
 *         always: event, operation, attempt, elapsedMs, host, result, name, httpStatus
 *         if known: orderId, transactionId, transactionStatus, requestId, tag
 *     call_finished: the call ended; a call that makes no attempt has only this event
 *         always: event, operation, elapsedMs, host, result, name
 *         if known: orderId, transactionId, attempt, httpStatus, requestId, cause, tag
 *     journal_failed: the outcome of an order could not be written to the journal; the call's
 *         result stands
 *         always: event, operation, elapsedMs, host, result, name, cause
 *         if known: orderId, transactionId, attempt, tag
 *
 * CAUSES
 *     What exactly happened. docs/causes.md, payorder(7) and `payorder explain CAUSE` say what each
 *     means and what to do. The list may grow: treat an unknown cause as its result.
 *     null, not_utf8, not_json, duplicate_key, too_long, unknown_key, invalid_value,
 *     unreadable_file, client_freed, cancellation_freed, no_journal, rule_broken,
 *     credentials_missing, name_not_found, name_lookup_failed, name_lookup_timed_out,
 *     connection_refused, connect_timed_out, network_unreachable, no_descriptors,
 *     proxy_unreachable, proxy_refused, proxy_needs_credentials, answer_before_request,
 *     certificate_expired, certificate_not_yet_valid, certificate_unknown_issuer,
 *     certificate_wrong_host, certificate_revoked, certificate_invalid, client_certificate_refused,
 *     tls_version_unsupported, handshake_failed, handshake_timed_out, response_timed_out,
 *     connection_reset, connection_closed, response_not_http, response_not_json,
 *     response_too_large, response_code_missing, refusal_unclear, checkout_url_missing,
 *     checkout_url_unusable, checkout_host_not_allowed, another_order, redirected, service_error,
 *     service_refused, order_exists, resend_refused, unauthorized, rate_limited, journal_full,
 *     journal_read_only, journal_damaged, journal_foreign, journal_newer, journal_locked,
 *     journal_replaced, journal_unavailable, journal_in_future, order_already_sent,
 *     order_completed, identifier_used, order_being_sent, order_may_exist,
 *     order_of_another_service, order_settled, cancelled, client_stopped, queue_timed_out, forked,
 *     no_thread, no_resources, bug.
 *
 * ACTIONS
 *     What to do next:
 *     fix_request        change the arguments of the call
 *     fix_configuration  change the configuration, or the files, disks and services that it names
 *     check_credentials  check the credentials
 *     check_network      check the network, the host name and the port
 *     check_clock        check this machine's clock
 *     retry              repeat the call: nothing was sent, or the call only asks for a status
 *     retry_later        pause for `retryAfterMs`, or a while, then repeat the call
 *     show_reason        show the service's reason; do not repeat the call unchanged
 *     ask_status         ask for the order's status before anything else: it may exist, or the
 *                        customer can still pay
 *     ask_person         let a person decide, and hand nothing over: the order may be another
 *                        sale's
 *     use_previous       the order was created earlier: continue with `previous`
 *     report_bug         report a bug in this library
 *     none               nothing: the program itself ended the call
 */

#ifndef PAYORDER_H
#define PAYORDER_H

#include <stddef.h>
#include <stdint.h>

/* Of this header. payorder_version() and payorder_abi_version() are those of the loaded library. */
#define PAYORDER_HEADER_VERSION "0.1.0"
#define PAYORDER_HEADER_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

#define PAYORDER_OK                  0   /* done */

#define PAYORDER_INVALID_ARGUMENT    1   /* an argument is NULL, not UTF-8, not JSON or too long, or
                                            an option is unknown or invalid */
#define PAYORDER_INVALID_HANDLE      2   /* not a live client or token (NULL, freed or never
                                            created) */
#define PAYORDER_INVALID_CONFIG      3   /* a configuration key is unknown, invalid or out of range,
                                            or a named file cannot be used */
#define PAYORDER_INVALID_REQUEST     4   /* the request breaks the interface's rules; all violations
                                            are listed */
#define PAYORDER_MISSING_CREDENTIALS 5   /* the endpoint's credentials are in neither the
                                            configuration nor the options */
#define PAYORDER_CONNECT_FAILED      6   /* DNS, TCP or proxy failed, or the connection broke before
                                            a byte of the request was sent */
#define PAYORDER_TLS_FAILED          7   /* the certificate or the handshake failed */
#define PAYORDER_CANCELLED           8   /* cancelled before a byte of the request was sent */
#define PAYORDER_JOURNAL_FAILED      10  /* the journal cannot be used, so nothing was sent */
#define PAYORDER_INTERNAL            11  /* a bug in the library, or no thread or memory left,
                                            before a byte of the request was sent */

#define PAYORDER_REJECTED            100 /* the service refused the request for another reason */
#define PAYORDER_UNAUTHORIZED        101 /* HTTP or responseCode 401 or 403 */
#define PAYORDER_RATE_LIMITED        102 /* HTTP or responseCode 429 */

#define PAYORDER_TIMEOUT             200 /* no complete response in time */
#define PAYORDER_CONNECTION_LOST     201 /* the connection ended before a complete response */
#define PAYORDER_BAD_RESPONSE        202 /* a response that cannot be used */
#define PAYORDER_SERVICE_FAILED      203 /* HTTP 5xx or a 4xx that is not a refusal code, a
                                            responseCode that is neither 200 nor a refusal code, or
                                            a refused `resend` */
#define PAYORDER_CANCELLED_IN_FLIGHT 204 /* cancelled after the first byte of the request was sent
                                            */
#define PAYORDER_INTERNAL_IN_FLIGHT  205 /* a bug in the library after the first byte of the request
                                            was sent, or a forked child inside its parent's call */
#define PAYORDER_DUPLICATE           206 /* the journal has this order already; this call sent
                                            nothing */

#define PAYORDER_OUTCOME_DONE        0   /* the service did what was asked */
#define PAYORDER_OUTCOME_NOT_SENT    1   /* nothing of the request left this machine */
#define PAYORDER_OUTCOME_REJECTED    2   /* the service answered and refused */
#define PAYORDER_OUTCOME_UNKNOWN     3   /* the service may have acted */

/* ---- About the library ------------------------------------------------------------- */

/**
 * What happened to the request: one of the PAYORDER_OUTCOME_ values.
 */
typedef int32_t payorder_outcome;

/**
 * How a call ended: one of the PAYORDER_ results. 0 is done; 1 to 99 not sent; 100 to 199 rejected;
 * 200 to 299 unknown.
 */
typedef int32_t payorder_result;

/**
 * Gives the version of the loaded library.
 *
 * @return The version, such as "0.1.0".
 *
 * Ownership: static; do not free it.
 * Failures: none.
 */
const char *payorder_version(void);

/**
 * Gives the version of the loaded library's interface. A program that was built for another version
 * must not continue.
 *
 * @return 1; compare it with PAYORDER_HEADER_ABI_VERSION.
 *
 * Failures: none.
 */
uint32_t payorder_abi_version(void);

/**
 * Gives the name of a result.
 *
 * @param[in] result any number
 * @return The name, such as "PAYORDER_TIMEOUT"; "PAYORDER_UNRECOGNISED" for a number that this
 *     version does not know.
 *
 * Ownership: static; do not free it.
 * Failures: none.
 */
const char *payorder_result_name(int32_t result);

/**
 * Gives the outcome of a result, by the range of its number.
 *
 * @param[in] result any number
 * @return One of the PAYORDER_OUTCOME_ values; PAYORDER_OUTCOME_UNKNOWN for a number in no range.
 *
 * Failures: none.
 */
payorder_outcome payorder_result_outcome(int32_t result);

/**
 * Counts the clients that were created and not freed, to find leaks.
 *
 * @return The number of clients.
 *
 * Failures: none.
 */
size_t payorder_live_clients(void);

/**
 * Counts the strings that were returned and not freed, to find leaks.
 *
 * @return The number of strings.
 *
 * Failures: none.
 */
size_t payorder_live_strings(void);

/**
 * Counts the calls that are running in this process: functions that take a client and have not
 * returned yet, and started calls until their answer can be taken or their callback has returned,
 * also on a freed client. See THREADS AND CALLBACKS for when to free user_data.
 *
 * @return The number of calls.
 *
 * Failures: none.
 */
size_t payorder_live_calls(void);

/* ---- Cancelling single calls ------------------------------------------------------- */

/**
 * Creates a cancellation token: a short text that you give to calls as the option `cancellation`.
 * It cancels the calls that have it and no others: see CANCELLING. One token may serve many calls.
 *
 * @param[out] out_token the token; not NULL; NULL is written on failure
 * @return PAYORDER_OK, or why there is no token.
 *
 * Ownership: free the token with payorder_cancellation_free, which frees its text too.
 * Failures: there is no token.
 * - PAYORDER_INVALID_ARGUMENT: out_token is NULL.
 */
payorder_result payorder_cancellation_new(const char **out_token);

/**
 * Cancels the calls that have this token: those in flight end within 100 ms, later ones at once,
 * with PAYORDER_CANCELLED if nothing was sent, otherwise with PAYORDER_CANCELLED_IN_FLIGHT.
 * payorder_get_statuses, payorder_journal_resolve and payorder_recover, once it has begun to ask,
 * return PAYORDER_OK with what they have and "stopped":true. The token stays cancelled: free it,
 * and create a new one for later calls.
 *
 * @param[in] token a live token; not NULL
 * @return PAYORDER_OK.
 *
 * Failures: nothing was cancelled.
 * - PAYORDER_INVALID_HANDLE: not a live token (NULL, freed with payorder_cancellation_free, or
 *   never created). Only after 64 later tokens were freed as well, the pointer is invalid.
 */
payorder_result payorder_cancellation_cancel(const char *token);

/**
 * Frees a token and its text. Calls in flight that have it continue and can no longer be cancelled
 * by it.
 *
 * @param[in] token the token that is freed, or a copy of its text, or NULL
 * @return PAYORDER_OK, also for NULL.
 *
 * Ownership: the token is no longer valid. payorder_string_free ignores it.
 * Failures: nothing was freed.
 * - PAYORDER_INVALID_HANDLE: not a live token.
 */
payorder_result payorder_cancellation_free(const char *token);

/* ---- While a call waits ------------------------------------------------------------ */

/**
 * Runs while a call of its thread waits.
 *
 * @param[in] user_data what payorder_set_idle was given, or NULL
 * @return 0 to go on; any other number cancels the call.
 *
 * Ownership: you free nothing.
 * Threads: on the thread that called payorder_set_idle, with no lock held. It may call every
 *     function and must return normally.
 */
typedef int32_t (*payorder_idle_fn)(void *user_data);

/**
 * Sets a callback that runs on this thread while later calls of this thread wait. So a program with
 * one thread can read its keys, offer Cancel, or look for signals.
 *
 * It runs for the first time 50 ms after the start of a call and then about every 50 ms; while the
 * journal flushes, it may wait longer. A call that ends sooner never runs it, and costs no system
 * call and no lock more. If it returns anything but 0, the call is cancelled as by its token (see
 * CANCELLING). A call that the callback makes itself runs no callback. A call keeps the callback
 * that it started with.
 *
 * @param[in] idle the callback, which is kept for this thread; or NULL for none
 * @param[in] user_data is kept and given to the callback; or NULL
 * @return PAYORDER_OK.
 *
 * Ownership: user_data stays yours; it may be freed after payorder_set_idle(NULL, NULL) on this
 *     thread, outside its calls.
 * Threads: from any thread, also from a callback. Each thread has its own callback; the thread of a
 *     forked child has that of its parent.
 * Failures: nothing was changed.
 */
payorder_result payorder_set_idle(payorder_idle_fn idle, void *user_data);

/* ---- A client ---------------------------------------------------------------------- */

/**
 * A client of one payment service. The pointer is a key: do not dereference it. A freed client
 * stays invalid.
 */
typedef struct payorder_client payorder_client;

/**
 * Takes log events, each as one JSON object (see LOG EVENTS).
 *
 * @param[in] event_json the event, not NULL; borrowed for the callback
 * @param[in] user_data what payorder_client_set_log was given, or NULL
 *
 * Ownership: you free nothing.
 * Threads: on the thread that is inside a payorder call, or for a started call on a thread of the
 *     library, with no lock held; in several threads at the same time. It may call every function
 *     and must return normally.
 */
typedef void (*payorder_log_fn)(const char *event_json, void *user_data);

/**
 * Creates a client from its configuration (see CONFIGURATION). It makes no connection. It reads the
 * files that the configuration names. The first call that needs the journal creates it.
 *
 * @param[in] config_json the configuration; not NULL
 * @param[out] out_client the new client; not NULL; NULL is written on failure
 * @param[out] out_json the error object, or NULL if you do not need it; NULL is written on success
 * @return PAYORDER_OK, or why there is no client.
 *
 * Ownership: free *out_client with payorder_client_free and *out_json with payorder_string_free.
 * Failures: nothing was sent.
 * - PAYORDER_INVALID_ARGUMENT: an argument is NULL; config_json is not a JSON object or has a key
 *   twice.
 * - PAYORDER_INVALID_CONFIG: a key is unknown, invalid or out of range, or a named file cannot be
 *   used; the message names every one.
 */
payorder_result payorder_client_new(const char *config_json,
                                    payorder_client **out_client,
                                    char **out_json);

/**
 * Creates a client from the environment, as payorder_client_new does from a text. The variables:
 * PAYORDER_BASE_URL, PAYORDER_ACCESS_TOKEN, PAYORDER_CLIENT_KEY, PAYORDER_CLIENT_ID,
 * PAYORDER_SECRET_KEY, PAYORDER_JOURNAL, PAYORDER_CA_FILE (`caFile` of `tls`), and PAYORDER_CONFIG:
 * the path of a JSON file with the keys of the configuration. On Unix only the file's owner may be
 * able to read or write it; if that is root, a program of another user may read it through its
 * group. An empty variable counts as absent.
 *
 * @param[in] config_json keys that win over the variables, which win over the file; or NULL for
 *     none
 * @param[out] out_client the new client; not NULL; NULL is written on failure
 * @param[out] out_json the error object, or NULL if you do not need it; NULL is written on success
 * @return PAYORDER_OK, or why there is no client.
 *
 * Ownership: free *out_client with payorder_client_free and *out_json with payorder_string_free.
 * Threads: from any thread, also from a callback; not while another thread changes the environment.
 * Failures: nothing was sent.
 * - PAYORDER_INVALID_ARGUMENT: out_client is NULL; config_json is not a JSON object or has a key
 *   twice.
 * - PAYORDER_INVALID_CONFIG: a setting is missing or wrong, or the file cannot be used; the message
 *   names the variable, or the file and the key.
 */
payorder_result payorder_client_from_env(const char *config_json,
                                         payorder_client **out_client,
                                         char **out_json);

/**
 * Frees a client. Calls that run finish on their own, and it does not wait for them: if the process
 * is to end, wait until payorder_live_calls() is 0. Started calls that are queued end as
 * PAYORDER_CANCELLED, and answers that nobody took are lost. If no call runs, its connections and
 * its journal are closed when this function returns.
 *
 * @param[in] client the client that is freed, or NULL
 * @return PAYORDER_OK, also for NULL.
 *
 * Ownership: the client is no longer valid; for user_data see THREADS AND CALLBACKS.
 * Failures: nothing was freed.
 */
payorder_result payorder_client_free(payorder_client *client);

/**
 * Ends all calls in flight on a client, and those that are queued. Each returns within 100 ms: with
 * PAYORDER_CANCELLED if nothing was sent, otherwise with PAYORDER_CANCELLED_IN_FLIGHT.
 * payorder_get_statuses, payorder_journal_resolve and payorder_recover, once it has begun to ask,
 * return PAYORDER_OK with what they have and "stopped":true. The client can be used again at once.
 *
 * @param[in] client a live client; not NULL
 * @return PAYORDER_OK, also if no call is in flight.
 *
 * Failures: nothing was cancelled.
 */
payorder_result payorder_client_cancel(payorder_client *client);

/**
 * Ends all calls in flight on a client, as payorder_client_cancel does, and refuses later ones:
 * they end with PAYORDER_CANCELLED and the cause client_stopped, and send nothing.
 * payorder_journal_list still works. This is the first step of a clean end: wait until
 * payorder_live_calls() is 0, and free the client.
 *
 * @param[in] client a live client; not NULL
 * @return PAYORDER_OK, also if it was stopped before.
 *
 * Ownership: you free nothing; free the client with payorder_client_free.
 * Failures: nothing was stopped.
 */
payorder_result payorder_client_stop(payorder_client *client);

/**
 * Replaces credentials of a client, for example because a token has changed. Attempts that begin
 * later use the new ones, also those of waits and of many statuses that are running. Credentials in
 * a call's options still win.
 *
 * @param[in] client a live client; not NULL
 * @param[in] credentials_json those that change: accessToken, clientKey, clientId, secretKey, with
 *     the rules of the configuration; not NULL
 * @param[out] out_json the error object, or NULL if you do not need it; NULL is written on success
 * @return PAYORDER_OK, or why nothing was changed.
 *
 * Failures: nothing was changed.
 * - PAYORDER_INVALID_ARGUMENT: credentials_json is NULL, not a JSON object or has a key twice.
 * - PAYORDER_INVALID_CONFIG: a key is unknown or a credential invalid; the message names every one.
 */
payorder_result payorder_client_set_credentials(payorder_client *client,
                                                const char *credentials_json,
                                                char **out_json);

/**
 * Sends log events to a callback, from the next call on. A call keeps the callback and the
 * user_data that it started with.
 *
 * @param[in] client a live client; not NULL
 * @param[in] log the callback, which is kept; or NULL to stop logging
 * @param[in] user_data is kept and given to the callback; or NULL
 * @return PAYORDER_OK.
 *
 * Ownership: user_data stays yours; to free it, see THREADS AND CALLBACKS.
 * Threads: from any thread, also from a callback. The callback may run in several threads at the
 *     same time.
 * Failures: nothing was changed.
 */
payorder_result payorder_client_set_log(payorder_client *client,
                                        payorder_log_fn log,
                                        void *user_data);

/* ---- The two calls ----------------------------------------------------------------- */

/**
 * Creates an order at the service.
 *
 * After an unknown outcome the order may exist: do what "action" says before anything else, which
 * is mostly to give "statusQuery" to payorder_get_status. Blocks for at most `timeoutMs`. It sends
 * an order again by itself only if no byte of it was sent.
 *
 * Options: those of every network call, and:
 * - `extraFields`: an object: strings that are sent after the fields of the order, under other
 *   names than theirs
 * - `resend`: true or false, default false: sends an order that the journal has as "unknown" again,
 *   if it is the same order, byte for byte. The customer may then have two orders
 *
 * @param[in] client a live client; not NULL
 * @param[in] order_json the order (see AN ORDER); not NULL
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json
 *     {"responseCode":"200","responseMessage":...,"data":{"url":...}}: send the customer to the
 *     URL. Otherwise the error object.
 *
 * Failures: every result; the range of the number says whether the order may exist.
 * - PAYORDER_INVALID_REQUEST: the order breaks rules; "violations" lists all of them.
 * - PAYORDER_DUPLICATE: the journal has this order already; this call sent nothing. See AN ORDER
 *   THAT EXISTS ALREADY.
 * - PAYORDER_JOURNAL_FAILED: the journal cannot be used, so nothing was sent.
 */
payorder_result payorder_create_order(payorder_client *client,
                                      const char *order_json,
                                      const char *options_json,
                                      char **out_json);

/**
 * Asks for the status of an order: {"searchType":"1","orderId":...} or
 * {"searchType":"2","transactionId":...}. searchType may be left out if exactly one identifier is
 * given. Blocks for at most `timeoutMs`.
 *
 * Options: those of every network call.
 *
 * @param[in] client a live client; not NULL
 * @param[in] query_json the query; not NULL
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json the status (see A STATUS): "responseCode",
 *     "responseMessage", "data" and "derived". It says that there is a status, not that it is
 *     "Completed". Otherwise the error object.
 *
 * Failures: every result. It is always safe to ask again.
 * - PAYORDER_INVALID_REQUEST: the query breaks rules; "violations" lists all of them.
 * - PAYORDER_REJECTED: the service gave no status. This does not prove that there is no order.
 */
payorder_result payorder_get_status(payorder_client *client,
                                    const char *query_json,
                                    const char *options_json,
                                    char **out_json);

/* ---- A call that does not block ---------------------------------------------------- */

/**
 * Takes the result of a call that payorder_start began.
 *
 * @param[in] result what the blocking function would have returned
 * @param[in] json what the blocking function would have given, not NULL; borrowed for the callback
 * @param[in] user_data what payorder_start was given, or NULL
 *
 * Ownership: you free nothing.
 * Threads: on a thread of the library, with no lock held. It may call every function, also free the
 *     client and start calls, and must return normally.
 */
typedef void (*payorder_done_fn)(int32_t result, const char *json, void *user_data);

/**
 * Puts a call into the client's queue, and returns at once. The texts are copied. The arguments are
 * checked first: if this function does not return PAYORDER_OK, there will be no answer. What is
 * wrong with an order or a query itself is an answer.
 *
 * The operations are "create_order", "get_status", "wait_for_payment", "journal_resolve", "recover"
 * and "check", with the options of the function of that name. With `done`, it runs exactly once
 * when the call has ended. Without it, payorder_take_done takes the answer. See CALLS THAT DO NOT
 * BLOCK for the queue: how many calls run at once, what ends those that wait, and when threads end.
 *
 * @param[in] client a live client; not NULL
 * @param[in] operation the name of the operation; not NULL
 * @param[in] request_json the order, the query or the sales; or NULL for "journal_resolve" and
 *     "check", which have none, and for "recover" with a journal
 * @param[in] options_json options, or NULL for none
 * @param[in] done the callback: called once with the result; or NULL if payorder_take_done takes it
 * @param[in] user_data is kept and given back with the answer; or NULL
 * @param[out] out_json the error object; not NULL; NULL is written on success
 * @return PAYORDER_OK if the call was begun, or why it was not.
 *
 * Ownership: free *out_json with payorder_string_free; user_data may be freed when the answer has
 *     come.
 * Threads: from any thread, also from a callback. `done` runs on a thread of the library.
 * Failures: nothing was sent, and there will be no answer.
 * - PAYORDER_INVALID_ARGUMENT: an argument is NULL, the operation is unknown, a text is not JSON of
 *   the right kind, or an option is invalid.
 * - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
 * - PAYORDER_CANCELLED: the client was stopped.
 * - PAYORDER_INTERNAL: the system could not start a thread, or the process is exiting (on Windows,
 *   not in the program's own `atexit` functions).
 */
payorder_result payorder_start(payorder_client *client,
                               const char *operation,
                               const char *request_json,
                               const char *options_json,
                               payorder_done_fn done,
                               void *user_data,
                               char **out_json);

/**
 * Takes one answer of a call that was started with `done` NULL, in the order in which calls ended.
 * Waits for it for at most wait_ms. The callback of payorder_set_idle runs meanwhile.
 *
 * Without an answer in that time it returns PAYORDER_OK, with 0, 0, NULL and NULL in the places,
 * and has closed the connections that were idle for longer than maxIdleMs, as every request to the
 * service does. The library has no thread for that: call this with 0 from a timer if the client may
 * rest for long. After payorder_client_stop it waits only while an answer can still come, and
 * payorder_client_free ends the wait. If several threads take, each answer goes to one of them.
 *
 * @param[in] client a live client; not NULL
 * @param[in] wait_ms for how many milliseconds it waits; 0 does not wait
 * @param[out] out_taken 1 if there was an answer, otherwise 0; not NULL
 * @param[out] out_result what the blocking function would have returned; not NULL
 * @param[out] out_json what the blocking function would have given; not NULL
 * @param[out] out_user_data what payorder_start was given; or NULL if you do not need it
 * @return PAYORDER_OK, also without an answer. Otherwise the error object, and no answer was taken.
 *
 * Ownership: free *out_json with payorder_string_free.
 * Threads: from any thread, also from a callback and in several threads at the same time.
 * Failures: no answer was taken, and none is lost.
 * - PAYORDER_INVALID_ARGUMENT: an argument is NULL.
 * - PAYORDER_INVALID_HANDLE: not a live client.
 * - PAYORDER_CANCELLED: the callback of payorder_set_idle ended the wait.
 */
payorder_result payorder_take_done(payorder_client *client,
                                   uint32_t wait_ms,
                                   int32_t *out_taken,
                                   int32_t *out_result,
                                   char **out_json,
                                   void **out_user_data);

/**
 * What an event loop can wait for: it is ready while an answer waits for payorder_take_done. On
 * Unix it is a descriptor that is readable then (poll, epoll, kqueue, GLib, Qt); on Windows an
 * event HANDLE that is signalled then (MsgWaitForMultipleObjects).
 *
 * @param[in] client a live client; not NULL
 * @return the descriptor or HANDLE; -1 if there is none.
 *
 * Ownership: it belongs to the client, and is closed when the client is freed: do not read, write
 *     or close it.
 * Threads: from any thread, also from a callback. Each client has one.
 * Failures: none.
 */
intptr_t payorder_done_handle(payorder_client *client);

/* ---- A payment's life -------------------------------------------------------------- */

/**
 * Takes the result of one query of payorder_get_statuses or payorder_stream_statuses.
 *
 * @param[in] index the query's place in the array or in the stream, from 0
 * @param[in] result what payorder_get_status would have returned
 * @param[in] json what payorder_get_status would have given, not NULL; borrowed for the callback
 * @param[in] user_data what the function was given, or NULL
 * @return 0 to stop; any other number to continue.
 *
 * Ownership: you free nothing.
 * Threads: on the thread that called the function, with no lock held. It may call every function
 *     and must return normally.
 */
typedef int32_t (*payorder_status_fn)(size_t index,
                                      int32_t result,
                                      const char *json,
                                      void *user_data);

/**
 * Gives the next query of payorder_stream_statuses.
 *
 * @param[in] user_data what payorder_stream_statuses was given, or NULL
 * @return the query, as in payorder_get_status; or NULL if there are no more.
 *
 * Ownership: the text stays yours; it is borrowed until the callback runs again or the call
 *     returns.
 * Threads: on the thread that called payorder_stream_statuses, with no lock held. It may call every
 *     function and must return normally.
 */
typedef const char *(*payorder_query_fn)(void *user_data);

/**
 * Asks for a status until the payment is final, the time runs out or the call is cancelled. Blocks
 * for at most `waitMs`. Each query is one attempt, and `timeoutMs` is for one query. Each pause
 * between two queries is shortened by a random part of up to a quarter. A `Retry-After` header
 * makes the pause longer.
 *
 * Results 1 to 5 and PAYORDER_UNAUTHORIZED end the wait. After any other failed query the wait
 * continues, because the service may not know a new order for a moment. After PAYORDER_UNAUTHORIZED
 * it also continues if payorder_client_set_credentials was called since that query began, for
 * example by the log function at the event attempt_failed. A final status does not prove a payment:
 * see PAID OR NOT.
 *
 * Options: those of every network call, and:
 * - `waitMs`: 1 to 86400000, default 300000: milliseconds until the wait ends, final or not
 * - `intervalMs`: 10 to 600000, default 3000: the pause in milliseconds between the first two
 *   queries; grows by half each time
 * - `maxIntervalMs`: 10 to 600000, default 15000: the longest pause between two queries; if
 *   intervalMs is longer, it is used instead
 * - `final`: an array of strings: texts of transactionStatus that end the wait, in addition to
 *   "Completed"
 *
 * @param[in] client a live client; not NULL
 * @param[in] query_json the query, as in payorder_get_status; not NULL
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json {"final":...,"timedOut":...,"polls":n,"status":{...}}: the
 *     last status seen. If the time ran out, "timedOut" is true, and there is also the "error" of
 *     the last query if that failed; if no status was ever seen, there is only the "error".
 *     Otherwise the error object, with "statusQuery" and the last "status" seen.
 *
 * Failures: results that end the wait.
 * - PAYORDER_UNAUTHORIZED: the service does not accept the credentials. Set others, and wait again.
 * - PAYORDER_CANCELLED, PAYORDER_CANCELLED_IN_FLIGHT: the wait was cancelled.
 * - PAYORDER_INVALID_ARGUMENT, PAYORDER_INVALID_HANDLE, PAYORDER_INVALID_REQUEST,
 *   PAYORDER_MISSING_CREDENTIALS: nothing was sent.
 */
payorder_result payorder_wait_for_payment(payorder_client *client,
                                          const char *query_json,
                                          const char *options_json,
                                          char **out_json);

/**
 * Asks for many statuses, several at the same time, and gives each result to a callback as it
 * arrives. Blocks until all queries are done; `timeoutMs` is for one query with its attempts. The
 * array of queries may be up to 64 MiB. The result of an invalid query is an error. If the service
 * answers 429 with Retry-After, all queries pause for that time, at most 600 seconds.
 *
 * The callback or a cancellation can stop the call. Then no more queries are sent, the callback
 * still gets the result of each query in flight, and the call returns PAYORDER_OK with
 * "stopped":true. The threads that the call started end before it returns.
 * - If the callback returns 0, queries in flight end as usual, without further attempts.
 * - If the call is cancelled, queries in flight end within 100 ms, as PAYORDER_CANCELLED or
 *   PAYORDER_CANCELLED_IN_FLIGHT.
 *
 * Options: those of every network call, and:
 * - `concurrency`: 1 to 64, default 8: how many queries run at the same time
 * - `ratePerSecond`: a number above 0: how many queries are sent per second, evenly spaced; without
 *   it, no limit
 *
 * @param[in] client a live client; not NULL
 * @param[in] queries_json an array of queries; not NULL
 * @param[in] options_json options, or NULL for none
 * @param[in] each the callback: called once per query, on this thread; not NULL
 * @param[in] user_data given to the callback, or NULL
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json {"asked":n, "ok":n, "rejected":n, "unknown":n, "notSent":n,
 *     "stopped":false, "elapsedMs":n, "transactionStatus":{"Completed":n,...}}; "asked" counts the
 *     calls of the callback. "transactionStatus" counts up to 1000 different texts of at most 64
 *     bytes; longer ones count as "(other)". Otherwise the error object.
 *
 * Ownership: free *out_json with payorder_string_free; user_data may be freed when the call has
 *     returned.
 * Failures: the callback was not called.
 * - PAYORDER_INVALID_ARGUMENT: queries_json is not a JSON array, an option is invalid, or an
 *   argument is NULL.
 * - PAYORDER_INTERNAL: the system could not start a thread.
 */
payorder_result payorder_get_statuses(payorder_client *client,
                                      const char *queries_json,
                                      const char *options_json,
                                      payorder_status_fn each,
                                      void *user_data,
                                      char **out_json);

/**
 * As payorder_get_statuses, with queries from a callback: there may be any number of them, and the
 * memory does not grow with it. The callback runs only as queries are needed, at most `concurrency`
 * ahead of the results that were given to `each`, and not again after it has returned NULL. A text
 * that is not a query has an error as its result.
 *
 * @param[in] client a live client; not NULL
 * @param[in] next the callback for the queries: called on this thread; not NULL
 * @param[in] each the callback for the results: called once per query, on this thread; not NULL
 * @param[in] user_data given to both callbacks, or NULL
 * @param[in] options_json options, as in payorder_get_statuses, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json the counts, as in payorder_get_statuses. Otherwise the
 *     error object.
 *
 * Ownership: free *out_json with payorder_string_free; user_data may be freed when the call has
 *     returned.
 * Failures: no result was given to `each`.
 * - PAYORDER_INVALID_ARGUMENT: an option is invalid, or an argument is NULL.
 * - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
 * - PAYORDER_INTERNAL: the system could not start a thread.
 */
payorder_result payorder_stream_statuses(payorder_client *client,
                                         payorder_query_fn next,
                                         payorder_status_fn each,
                                         void *user_data,
                                         const char *options_json,
                                         char **out_json);

/* ---- The journal ------------------------------------------------------------------- */

/**
 * Lists the journal's entries, oldest first. With the option `events`, each has what happened to
 * it: when it was sent, how many bytes to whom, what came back, and what was learned later.
 *
 * Options:
 * - `state`: "sending", "created", "rejected", "not_sent", "unknown", "settled", "unresolved",
 *   "open": only entries in this state; "unresolved" is "sending" and "unknown"; "open" is these
 *   and every "created" one that is not "Completed"; without it, all
 * - `orderId`: a string: only entries of the order with this identifier
 * - `events`: true or false, default false: also return what happened to each entry, in its key
 *   `events`
 * - `limit`: 1 to 10000, default 1000: how many entries at most
 * - `after`: a whole number, default 0: only entries after the one with this number, to page on
 * - `cancellation`: a string: a token of payorder_cancellation_new, which cancels this call
 *
 * @param[in] client a live client with a journal; not NULL
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json {"entries":[...]} (see AN ENTRY OF THE JOURNAL). Otherwise
 *     the error object.
 *
 * Failures: nothing was changed.
 * - PAYORDER_INVALID_ARGUMENT: the client or this build of the library has no journal, an option is
 *   invalid, or out_json is NULL.
 * - PAYORDER_JOURNAL_FAILED: the journal cannot be used; the message says why.
 * - PAYORDER_CANCELLED: cancelled while another process had the journal locked.
 */
payorder_result payorder_journal_list(payorder_client *client,
                                      const char *options_json,
                                      char **out_json);

/**
 * Asks Get Status by orderId for every entry that is "sending" or "unknown" and for every "created"
 * one that is not "Completed", and records the statuses: an order that the service knows becomes
 * "created", without a URL. An order that the service does not know yet keeps its state, since it
 * may still be created. It asks only about entries of the client's own service, and counts the
 * unresolved ones of others in "otherServices". It verifies no payment: for the sales that are not
 * finished in your own records, give the status to payorder_verify_payment (see THE JOURNAL).
 * Blocks until all queries are done; `timeoutMs` is for one query with its attempts. If it is
 * cancelled, it returns PAYORDER_OK with "stopped":true in "summary".
 *
 * Options: those of every network call, and:
 * - `concurrency`: 1 to 64, default 8: how many queries run at the same time
 * - `ratePerSecond`: a number above 0: how many queries are sent per second, evenly spaced; without
 *   it, no limit
 *
 * @param[in] client a live client with a journal; not NULL
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json {"summary":{...},"otherServices":n,"entries":[...]}: the
 *     summary is that of payorder_get_statuses, the entries are those of this service that are
 *     still unresolved. If the service refused every query of two or more, "refusal" has its words.
 *     Otherwise the error object.
 *
 * Failures: the statuses received before the failure are recorded.
 * - PAYORDER_INVALID_ARGUMENT: the client or this build of the library has no journal, an option is
 *   invalid, or out_json is NULL.
 * - PAYORDER_JOURNAL_FAILED: the journal cannot be used; the message says why.
 */
payorder_result payorder_journal_resolve(payorder_client *client,
                                         const char *options_json,
                                         char **out_json);

/**
 * Closes an entry by hand: one that is "sending" or "unknown", or "created" and not "Completed". It
 * becomes "settled", the library no longer asks about it, and its identifiers stay used. This does
 * not cancel the order at the service: the customer can still pay. So first ask for the status once
 * more, at the end of the day.
 *
 * Options:
 * - `entry`: a whole number, required: the number of the entry to close
 * - `note`: a string of at most 200 characters: why it was closed; no personal data
 * - `cancellation`: a string: a token of payorder_cancellation_new, which cancels this call
 *
 * @param[in] client a live client with a journal; not NULL
 * @param[in] options_json options with `entry`; not NULL
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json the entry: {"entry":7, "orderId", "merchantTxnId",
 *     "amount", "currencyCode", "state", "url", "service", "result", "transactionId",
 *     "transactionStatus", "startedAt", "deadline", "updatedAt", "note"} (see AN ENTRY OF THE
 *     JOURNAL), without its events. Otherwise the error object.
 *
 * Failures: nothing was changed. Only if PostgreSQL's answer did not come, the entry may be
 *     settled: payorder_journal_list tells.
 * - PAYORDER_INVALID_ARGUMENT: the client or this build of the library has no journal, there is no
 *   such entry, it is closed already or belongs to another service, an option is invalid, or
 *   out_json is NULL.
 * - PAYORDER_INVALID_REQUEST: the entry is paid, so it cannot be settled as unpaid.
 * - PAYORDER_JOURNAL_FAILED: the journal cannot be used; the message says why.
 * - PAYORDER_CANCELLED: cancelled while another process had the journal locked, or before
 *   PostgreSQL had answered.
 */
payorder_result payorder_journal_settle(payorder_client *client,
                                        const char *options_json,
                                        char **out_json);

/**
 * Removes closed entries that are older than `olderThanDays`: "rejected", "not_sent", "settled",
 * and "created" ones that are "Completed", of the client's own service. Their identifiers are no
 * longer refused. If the clock is ahead, younger entries look old and are removed too. In
 * PostgreSQL it removes 1000 at a time: if it then fails or is cancelled, it returns PAYORDER_OK
 * with how many it has removed. A part whose answer was lost is not counted.
 *
 * Options:
 * - `olderThanDays`: 1 to 3650, default 90: only entries that were last written more days ago than
 *   this
 * - `cancellation`: a string: a token of payorder_cancellation_new, which cancels this call
 *
 * @param[in] client a live client with a journal; not NULL
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, and in *out_json {"removed":n}. Otherwise the error object.
 *
 * Failures: nothing was removed.
 * - PAYORDER_INVALID_ARGUMENT: the client or this build of the library has no journal, an option is
 *   invalid, or out_json is NULL.
 * - PAYORDER_JOURNAL_FAILED: the journal cannot be used, or entries lie in the future (the action
 *   is check_clock).
 * - PAYORDER_CANCELLED: cancelled while another process had the journal locked.
 */
payorder_result payorder_journal_prune(payorder_client *client,
                                       const char *options_json,
                                       char **out_json);

/* ---- After a start ----------------------------------------------------------------- */

/**
 * Says for each sale that may be open what is known about it. Call it when a program starts. It
 * takes the sales that the program itself believes open, and every entry of the journal of this
 * service that is not closed, asks Get Status where that can teach something, and records what it
 * learns. A sale of sales_json whose entry is closed is asked about as well: a refused, unsent or
 * settled order that the service calls paid is "check".
 *
 * Options: those of every network call, and:
 * - `concurrency`: 1 to 64, default 8: how many queries run at the same time
 * - `ratePerSecond`: a number above 0: how many queries are sent per second, evenly spaced; without
 *   it, no limit
 * - `waitMs`: 0 to 600000, default 0: how many milliseconds to wait for entries that another
 *   process is still sending
 *
 * @param[in] client a live client; not NULL
 * @param[in] sales_json an array of {"orderId":"...","amount":"..."}; or NULL for none, with a
 *     journal
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK, also if the service could not be reached, and in *out_json
 *     {"summary":{...},"otherServices":n,"sales":[{"orderId","verdict","amount","url",
 *     "statusQuery","transactionStatus","reasons":[...],"entry"}]}: the sales of sales_json in
 *     their order, then those of the journal, oldest first. The summary is that of
 *     payorder_get_statuses. Otherwise the error object.
 *
 * After eight failures in a row that are not answers, it stops asking, and "stopped" of the summary
 * is true: an outage costs one time limit, and not one for each sale. What could not be asked is
 * "unknown". If the service refuses every query of two or more, "refusal" has its words, and no
 * sale counts as unknown to it.
 *
 * Verdicts:
 * - paid: verified, with the amount of the sale and of the entry, and this journal sent the order.
 *   Without a journal, verification alone decides: it may be another sale's order.
 * - check: a person decides. `reasons` has the checks that failed: those of
 *   payorder_verify_payment; journal (paid, but this journal has not sent it); orderExists (the
 *   service only ever said that the order exists already: it may be another sale's); entryAmount
 *   (the sale and its entry have different amounts); orderId (sales_json has the order several
 *   times, and one payment is not that of two sales); transactionDate (paid more than 26 hours
 *   before the entry began); transactionStatus (it may mean paid, but is not "Completed").
 * - payable: the order exists and is not paid; the customer pays at `url`.
 * - url_lost: it exists and is not paid, and its URL was lost: a person decides.
 * - unknown: it may exist. The service said nothing clear about it, or does not know it, which
 *   proves nothing after a lost response. Ask again later. Nothing may be sold again without a
 *   person.
 * - sending: another process is sending it right now.
 * - refused, not_sent: the journal says so, and the service, asked now, does not know the order.
 * - settled: a person closed it.
 * - not_in_journal: the journal has no entry, and the service, asked now, does not know it. If this
 *   journal was in use, and was not restored, replaced or pruned since, it was never sent.
 *
 * What the service answered is returned also if the journal cannot record it (then there is a log
 * event journal_failed), and if the call is cancelled. What the journal can no longer say is
 * "unknown" then.
 *
 * Failures: the statuses received before the failure are recorded.
 * - PAYORDER_INVALID_ARGUMENT: sales_json is not an array of objects, or is NULL without a journal;
 *   an option is invalid, or out_json is NULL.
 * - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
 * - PAYORDER_INVALID_REQUEST: a sale has an invalid `orderId` or `amount`.
 * - PAYORDER_MISSING_CREDENTIALS: those of Get Status are needed.
 * - PAYORDER_CANCELLED: cancelled before it asked, or the client was stopped.
 * - PAYORDER_JOURNAL_FAILED: the journal cannot be used; the message says why.
 */
payorder_result payorder_recover(payorder_client *client,
                                 const char *sales_json,
                                 const char *options_json,
                                 char **out_json);

/* ---- Does everything work? --------------------------------------------------------- */

/**
 * Looks at one thing after the other, as a call goes through them, and says what it found. It asks
 * the service for one status, and creates no order. For installers and support.
 *
 * Options: those of every network call, and:
 * - `orderId`: a string: the order whose status is asked; without it, payorder-check, which the
 *   service does not know. The status of one that exists proves the credentials
 *
 * @param[in] client a live client; not NULL
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result; not NULL
 * @return PAYORDER_OK whenever the steps could be made, also if one failed, and in *out_json
 *     {"ok":false,"steps":[{"step","ok","elapsedMs","message","details","cause","action"}]}.
 *     Otherwise the error object.
 *
 * The steps, in this order, each only where it applies; after a failed one, those that need it are
 * left out:
 * - proxy: it opens a tunnel to the service. Then there is no name and no connect.
 * - name: the addresses of the service's host.
 * - connect: each address accepts a connection, or says why not. One is enough.
 * - tls: the version, and the certificate's issuer, end and names.
 * - clock: this machine's differs by at most a minute from the time of the response.
 * - service: Get Status is answered as the interface says, and not by something else. A refusal is
 *   an answer.
 * - credentials: those of Get Status are accepted, refused or missing; "unclear" if the answer does
 *   not tell, as for an order that the service does not know. Credentials that are missing are
 *   replaced by "payorder-check" in the query. Only an order can prove accessToken.
 * - journal: it can be read and written; how many orders have no known outcome.
 *
 * Failures: what does not work is a step, and no failure.
 * - PAYORDER_INVALID_ARGUMENT: an option is invalid, or out_json is NULL.
 * - PAYORDER_INVALID_HANDLE: not a live client, or not a live token.
 * - PAYORDER_INVALID_REQUEST: the option `orderId` is blank.
 * - PAYORDER_CANCELLED, PAYORDER_CANCELLED_IN_FLIGHT: it was cancelled, or the client was stopped.
 */
payorder_result payorder_check(payorder_client *client, const char *options_json, char **out_json);

/* ---- The same work without the network --------------------------------------------- */

/**
 * Checks an order and builds the body that payorder_create_order would send.
 *
 * Options:
 * - `returnUrlField`: a string, default "redirectionURL": as in the configuration
 * - `extraFields`: an object: as in payorder_create_order
 *
 * @param[in] order_json the order (see AN ORDER); not NULL
 * @param[in] options_json options, or NULL for none
 * @param[out] out_json the result, or NULL if you do not need it
 * @return PAYORDER_OK, and in *out_json the body. Otherwise the error object.
 *
 * Failures: nothing is ever sent.
 * - PAYORDER_INVALID_ARGUMENT: order_json is NULL, not a JSON object or has a key twice; an option
 *   is unknown or invalid.
 * - PAYORDER_INVALID_REQUEST: the order breaks rules; "violations" lists all of them.
 */
payorder_result payorder_build_create_order(const char *order_json,
                                            const char *options_json,
                                            char **out_json);

/**
 * Checks a status query and builds the body that payorder_get_status would send.
 *
 * @param[in] query_json the query, as in payorder_get_status; not NULL
 * @param[out] out_json the result, or NULL if you do not need it
 * @return PAYORDER_OK, and in *out_json the body. Otherwise the error object.
 *
 * Failures: nothing is ever sent.
 * - PAYORDER_INVALID_ARGUMENT: query_json is NULL, not a JSON object or has a key twice.
 * - PAYORDER_INVALID_REQUEST: the query breaks rules; "violations" lists all of them.
 */
payorder_result payorder_build_get_status(const char *query_json, char **out_json);

/**
 * Reads the transaction from the URL on which the customer came back: absolute, or /path?query, or
 * ?query. The URL does not prove a payment: it only names the transaction to ask about.
 *
 * @param[in] url the URL; not NULL
 * @param[out] out_json the result, or NULL if you do not need it
 * @return PAYORDER_OK, and in *out_json {"transactionId":...,"statusQuery":{...}}: give the query
 *     to payorder_get_status. Otherwise the error object.
 *
 * Failures: nothing is ever sent.
 * - PAYORDER_INVALID_ARGUMENT: url is NULL, not UTF-8, or over 256 KiB.
 * - PAYORDER_INVALID_REQUEST: the URL has no txn, more than one, or one that is empty, not UTF-8 or
 *   has control characters. The message says where a txn is that does not count.
 */
payorder_result payorder_parse_return_url(const char *url, char **out_json);

/**
 * Compares a status with what was expected: {"orderId","amount"} and optionally "transactionId" and
 * "notBefore", when the sale began: a date and time with its zone, such as 2026-11-21T14:05:06Z.
 * PAYORDER_OK says that it compared them. The order is paid only if payorder_json_get of "/paid"
 * gives "true".
 *
 * The checks: responseCode is 200, transactionStatus is "Completed", orderId and transactionId (if
 * expected) are equal, amount is equal as a decimal (100 and 100.00 are), refundStatus and
 * refundType are empty, and transactionDate is not more than 26 hours before "notBefore" (if
 * given). The service's dates have no time zone, therefore the 26 hours.
 *
 * @param[in] expected_json what was expected; not NULL
 * @param[in] status_json a result of payorder_get_status, or the service's response; not NULL
 * @param[out] out_json the verdict, or NULL if you do not need it
 * @return PAYORDER_OK if it compared them, and in *out_json
 *     {"paid":...,"reasons":[{"check","expected","actual"}],"unverifiable":[...]}: "reasons" has
 *     the checks that failed. Otherwise the error object.
 *
 * Failures: nothing was checked.
 * - PAYORDER_INVALID_ARGUMENT: a text is NULL or not a JSON object; expected_json has a key twice
 *   or is over 256 KiB; status_json has a key of the interface twice, is the result of a wait or an
 *   error object, or is over 16 MiB.
 * - PAYORDER_INVALID_REQUEST: what was expected breaks rules; "violations" lists all of them.
 */
payorder_result payorder_verify_payment(const char *expected_json,
                                        const char *status_json,
                                        char **out_json);

/* ---- For callers without a JSON library -------------------------------------------- */

/**
 * Takes one element of an array or one member of an object from payorder_json_each.
 *
 * @param[in] index the item's place, from 0
 * @param[in] key the member's key, or NULL in an array; borrowed for the callback
 * @param[in] value what payorder_json_get would give for the item, or NULL for null; borrowed for
 *     the callback
 * @param[in] user_data what payorder_json_each was given, or NULL
 * @return 0 to stop; any other number to continue.
 *
 * Ownership: you free nothing.
 * Threads: on the thread that called payorder_json_each, with no lock held. It may call every
 *     function and must return normally.
 */
typedef int32_t (*payorder_item_fn)(size_t index,
                                    const char *key,
                                    const char *value,
                                    void *user_data);

/**
 * Writes a JSON object of strings from pairs: {key, text, key, text, NULL}. All values are strings.
 *
 * @param[in] pairs keys and texts, then NULL; not NULL
 * @param[out] out_json the object, or NULL if you do not need it
 * @return PAYORDER_OK, and in *out_json the object. Otherwise the error object.
 *
 * Failures: there is no object.
 * - PAYORDER_INVALID_ARGUMENT: pairs is NULL, a text is not UTF-8, a key has no text or is given
 *   twice, or the object would be over 16 MiB.
 */
payorder_result payorder_json_object(const char *const *pairs, char **out_json);

/**
 * Writes a copy of a JSON text with a value at a JSON pointer (RFC 6901), to build nested values:
 * the configuration's "/tls/roots", or "/checkoutHosts/-". Everything else stays as it is written:
 * numbers, the order of keys, escapes.
 *
 * Missing parts of the pointer are created: an array if "-" follows, otherwise an object. null
 * counts as missing. In an array, "-" appends an element, and a number replaces an element. An
 * empty pointer replaces the whole text.
 *
 * The way to write a number or a boolean: payorder_json_set(NULL, "/timeoutMs", "5000", &options)
 * gives {"timeoutMs":5000}.
 *
 * @param[in] json the JSON text, or NULL for {}
 * @param[in] pointer where the value goes; not NULL
 * @param[in] value_json any JSON value; not NULL; payorder_json_quote makes one of a text
 * @param[out] out_json the changed copy, or NULL if you do not need it
 * @return PAYORDER_OK, and in *out_json the copy. Otherwise the error object.
 *
 * Ownership: free *out_json with payorder_string_free. json stays yours.
 * Failures: there is no copy.
 * - PAYORDER_INVALID_ARGUMENT: a text is not UTF-8 or not JSON, pointer or value_json is NULL,
 *   pointer is not a JSON pointer, or the result would have a key twice in an object, be nested
 *   more than 127 deep, or be over 16 MiB.
 * - PAYORDER_INVALID_REQUEST: the pointer leads through a string, a number or a boolean, or to an
 *   element that the array does not have. The message names the pointer.
 */
payorder_result payorder_json_set(const char *json,
                                  const char *pointer,
                                  const char *value_json,
                                  char **out_json);

/**
 * Writes a text as a JSON string, in quotes and escaped, for payorder_json_set.
 *
 * @param[in] text the text; not NULL
 * @param[out] out_json the string, or NULL if you do not need it
 * @return PAYORDER_OK, and in *out_json the string. Otherwise the error object.
 *
 * Failures: there is no string.
 * - PAYORDER_INVALID_ARGUMENT: text is NULL, not UTF-8, or over 16 MiB.
 */
payorder_result payorder_json_quote(const char *text, char **out_json);

/**
 * Gives the value at a JSON pointer (RFC 6901) such as "/data/url": a string's own text without
 * quotes, any other value as it is written.
 *
 * @param[in] json the JSON text; not NULL
 * @param[in] pointer the pointer; not NULL
 * @param[out] out_value the value, or NULL if you do not need it
 * @return PAYORDER_OK, and in *out_value the value. Otherwise *out_value is the error object, not
 *     NULL: free it too.
 *
 * Ownership: free *out_value with payorder_string_free, also on failure.
 * Failures: there is no value.
 * - PAYORDER_INVALID_ARGUMENT: a text is NULL or not UTF-8, json is not JSON, over 16 MiB or has a
 *   key of the pointer twice, or pointer is not a JSON pointer.
 * - PAYORDER_INVALID_REQUEST: nothing or null is there, or a string with U+0000 in it, which no C
 *   string can hold.
 */
payorder_result payorder_json_get(const char *json, const char *pointer, char **out_value);

/**
 * Copies the value at a JSON pointer into your own buffer: what payorder_json_get gives, with a
 * NUL. To learn the length first, call it with size 0: *out_length is written then too.
 *
 * @param[in] json the JSON text; not NULL
 * @param[in] pointer the pointer; not NULL
 * @param[out] buffer room for size bytes that does not overlap the texts, or NULL to measure
 * @param[in] size the bytes in buffer, with the NUL
 * @param[out] out_length the length of the whole value without a NUL, 0 if there is no value; or
 *     NULL if you do not need it
 * @return PAYORDER_OK, and the value in buffer. Otherwise why it is not there.
 *
 * Failures: buffer holds the empty string, if size is not 0.
 * - PAYORDER_INVALID_ARGUMENT: buffer is NULL or too small (size must be above *out_length); or as
 *   for payorder_json_get, with 0 in *out_length.
 * - PAYORDER_INVALID_REQUEST: as for payorder_json_get.
 */
payorder_result payorder_json_copy(const char *json,
                                   const char *pointer,
                                   char *buffer,
                                   size_t size,
                                   size_t *out_length);

/**
 * Counts the elements of an array or the members of an object.
 *
 * @param[in] json the JSON text; not NULL
 * @param[in] pointer a JSON pointer to the array or the object; not NULL
 * @param[out] out_count the number, 0 on failure; or NULL if you do not need it
 * @return PAYORDER_OK, and in *out_count the number. Otherwise why there is none.
 *
 * Failures: there is no number.
 * - PAYORDER_INVALID_ARGUMENT: a text is NULL or not UTF-8, json is not JSON or over 16 MiB,
 *   pointer is not a JSON pointer, or the object has a key twice.
 * - PAYORDER_INVALID_REQUEST: neither an array nor an object is there.
 */
payorder_result payorder_json_count(const char *json, const char *pointer, size_t *out_count);

/**
 * Calls back for each element of an array or each member of an object, in order. The time grows
 * linearly with the text: use it, and not one payorder_json_get for each index, for long lists.
 *
 * @param[in] json the JSON text; not NULL
 * @param[in] pointer a JSON pointer to the array or the object; not NULL
 * @param[in] each the callback: called once per item, on this thread, until it returns 0; not NULL
 * @param[in] user_data given to the callback, or NULL
 * @return PAYORDER_OK, also if the callback returned 0. Otherwise why it was not called.
 *
 * Ownership: you free nothing; json must stay unchanged until the call returns, and user_data may
 *     be freed then.
 * Failures: the callback was not called.
 * - PAYORDER_INVALID_ARGUMENT: a text or the callback is NULL, a text is not UTF-8, json is not
 *   JSON or over 16 MiB, pointer is not a JSON pointer, or the object has a key twice.
 * - PAYORDER_INVALID_REQUEST: neither an array nor an object is there, or a key or a string of its
 *   items has U+0000 in it, which no C string can hold.
 */
payorder_result payorder_json_each(const char *json,
                                   const char *pointer,
                                   payorder_item_fn each,
                                   void *user_data);

/**
 * Frees a string that the library gave out. Its memory is zeroed.
 *
 * @param[in] string the string that is freed, or NULL
 *
 * Ownership: the string is no longer valid. A string must not be freed twice.
 * Failures: none.
 */
void payorder_string_free(char *string);

/* Pointers to the functions, for dlsym and GetProcAddress. */
typedef const char *(*payorder_version_fn)(void);
typedef uint32_t (*payorder_abi_version_fn)(void);
typedef const char *(*payorder_result_name_fn)(int32_t result);
typedef payorder_outcome (*payorder_result_outcome_fn)(int32_t result);
typedef size_t (*payorder_live_clients_fn)(void);
typedef size_t (*payorder_live_strings_fn)(void);
typedef size_t (*payorder_live_calls_fn)(void);
typedef payorder_result (*payorder_cancellation_new_fn)(const char **out_token);
typedef payorder_result (*payorder_cancellation_cancel_fn)(const char *token);
typedef payorder_result (*payorder_cancellation_free_fn)(const char *token);
typedef payorder_result (*payorder_set_idle_fn)(payorder_idle_fn idle, void *user_data);
typedef payorder_result (*payorder_client_new_fn)(const char *config_json, payorder_client **out_client, char **out_json);
typedef payorder_result (*payorder_client_from_env_fn)(const char *config_json, payorder_client **out_client, char **out_json);
typedef payorder_result (*payorder_client_free_fn)(payorder_client *client);
typedef payorder_result (*payorder_client_cancel_fn)(payorder_client *client);
typedef payorder_result (*payorder_client_stop_fn)(payorder_client *client);
typedef payorder_result (*payorder_client_set_credentials_fn)(payorder_client *client, const char *credentials_json, char **out_json);
typedef payorder_result (*payorder_client_set_log_fn)(payorder_client *client, payorder_log_fn log, void *user_data);
typedef payorder_result (*payorder_create_order_fn)(payorder_client *client, const char *order_json, const char *options_json, char **out_json);
typedef payorder_result (*payorder_get_status_fn)(payorder_client *client, const char *query_json, const char *options_json, char **out_json);
typedef payorder_result (*payorder_start_fn)(payorder_client *client, const char *operation, const char *request_json, const char *options_json, payorder_done_fn done, void *user_data, char **out_json);
typedef payorder_result (*payorder_take_done_fn)(payorder_client *client, uint32_t wait_ms, int32_t *out_taken, int32_t *out_result, char **out_json, void **out_user_data);
typedef intptr_t (*payorder_done_handle_fn)(payorder_client *client);
typedef payorder_result (*payorder_wait_for_payment_fn)(payorder_client *client, const char *query_json, const char *options_json, char **out_json);
typedef payorder_result (*payorder_get_statuses_fn)(payorder_client *client, const char *queries_json, const char *options_json, payorder_status_fn each, void *user_data, char **out_json);
typedef payorder_result (*payorder_stream_statuses_fn)(payorder_client *client, payorder_query_fn next, payorder_status_fn each, void *user_data, const char *options_json, char **out_json);
typedef payorder_result (*payorder_journal_list_fn)(payorder_client *client, const char *options_json, char **out_json);
typedef payorder_result (*payorder_journal_resolve_fn)(payorder_client *client, const char *options_json, char **out_json);
typedef payorder_result (*payorder_journal_settle_fn)(payorder_client *client, const char *options_json, char **out_json);
typedef payorder_result (*payorder_journal_prune_fn)(payorder_client *client, const char *options_json, char **out_json);
typedef payorder_result (*payorder_recover_fn)(payorder_client *client, const char *sales_json, const char *options_json, char **out_json);
typedef payorder_result (*payorder_check_fn)(payorder_client *client, const char *options_json, char **out_json);
typedef payorder_result (*payorder_build_create_order_fn)(const char *order_json, const char *options_json, char **out_json);
typedef payorder_result (*payorder_build_get_status_fn)(const char *query_json, char **out_json);
typedef payorder_result (*payorder_parse_return_url_fn)(const char *url, char **out_json);
typedef payorder_result (*payorder_verify_payment_fn)(const char *expected_json, const char *status_json, char **out_json);
typedef payorder_result (*payorder_json_object_fn)(const char *const *pairs, char **out_json);
typedef payorder_result (*payorder_json_set_fn)(const char *json, const char *pointer, const char *value_json, char **out_json);
typedef payorder_result (*payorder_json_quote_fn)(const char *text, char **out_json);
typedef payorder_result (*payorder_json_get_fn)(const char *json, const char *pointer, char **out_value);
typedef payorder_result (*payorder_json_copy_fn)(const char *json, const char *pointer, char *buffer, size_t size, size_t *out_length);
typedef payorder_result (*payorder_json_count_fn)(const char *json, const char *pointer, size_t *out_count);
typedef payorder_result (*payorder_json_each_fn)(const char *json, const char *pointer, payorder_item_fn each, void *user_data);
typedef void (*payorder_string_free_fn)(char *string);

#ifdef __cplusplus
}
#endif

#endif /* PAYORDER_H */
