/*
 * payorder.h: the C interface of libpayorder 0.1.0, interface version 1. C99 and C++11.
 *
 * Generated from src/ffi by tests/header: change it there.
 *
 * A client of a payment aggregator: create an order, which gives the address of a checkout page, and read its status.
 * After a failure it says whether the order was not sent, rejected, or maybe made.
 *
 * IN SHORT
 *
 *     payorder_client *client;
 *     char *json, *url;
 *     if (payorder_client_new(config_json, &client, &json) != PAYORDER_OK) ...
 *     payorder_result result = payorder_create_order(client, order_json, NULL, &json);
 *     if (result == PAYORDER_OK && payorder_json_get(json, "/data/url", &url) == PAYORDER_OK) ...
 *     payorder_string_free(json);
 *     payorder_client_free(client);
 *
 * RESULTS
 *     Every function that can fail returns a payorder_result. There is no last-error state: *out_json holds all there is to say.
 *     The range of the number is the outcome, so one comparison decides what to do:
 *         0            done
 *         1 to 99      not sent: nothing of the request left this machine; mend the cause and call again
 *         100 to 199   rejected: the service answered, and refused
 *         200 to 299   unknown: the service may have acted; ask payorder_get_status by order id before anything else
 *     An error object is {"error":{"result":200,"name":"PAYORDER_TIMEOUT","outcome":"unknown","message":"..."}}, and has beside these,
 *     where they mean something: operation, attempts, elapsedMs, violations (field, rule, message), httpStatus, responseCode,
 *     responseMessage, retryAfterMs, and statusQuery (what to give to payorder_get_status next).
 *
 * STRINGS
 *     JSON text in and out, UTF-8, NUL-terminated. Inputs are borrowed for the call. When out_json is not NULL, *out_json is written on
 *     every return: a string that the caller frees with payorder_string_free, or NULL where the function says so. The two calls that go
 *     to the network want an out_json: an answer about money is never thrown away.
 *     A request, a configuration or options may have 256 KiB; a text that is read offline 16 MiB.
 *
 * CLIENTS
 *     A payorder_client * is a key, never dereferenced. One that is NULL, freed or forged is answered PAYORDER_INVALID_HANDLE, and a key is
 *     never given out twice. Freeing a client while calls are in flight is safe: they finish on their own.
 *
 * THREADS
 *     Every function may be called from any thread, on the same client too. No thread of the library outlives a call, but a name lookup that
 *     the system has not given back. A callback runs on the thread that is inside a payorder call, during that call, with no lock held:
 *     every function may be called from it.
 *
 * PROCESSES
 *     No signal handlers, no SIGPIPE, no changes to the environment, nothing printed. A client may be used after fork() in both processes: the
 *     child makes connections of its own. A call that is under way in the moment of a fork goes on in the parent only.
 */

#ifndef PAYORDER_H
#define PAYORDER_H

#include <stddef.h>
#include <stdint.h>

/* The library and the interface that this header belongs to; payorder_version() and payorder_abi_version() are those of the library that
 * is loaded. */
#define PAYORDER_VERSION "0.1.0"
#define PAYORDER_ABI_VERSION 1

#ifdef __cplusplus
extern "C" {
#endif

/* ---- About the library ------------------------------------------------------------- */

#define PAYORDER_OK                      0   /* done */

#define PAYORDER_INVALID_ARGUMENT        1   /* NULL, not UTF-8, not JSON, not an object, an unknown or broken option, a duplicate key, or too long */
#define PAYORDER_INVALID_HANDLE          2   /* not a live client; NULL is none */
#define PAYORDER_INVALID_CONFIG          3   /* a configuration key that is unknown, broken or out of range, or a named file that cannot be used */
#define PAYORDER_INVALID_REQUEST         4   /* the request breaks the interface's rules; all violations are listed */
#define PAYORDER_MISSING_CREDENTIALS     5   /* the endpoint's credentials are in neither the configuration nor the options */
#define PAYORDER_CONNECT_FAILED          6   /* name lookup, TCP or proxy failed, refused or timed out */
#define PAYORDER_TLS_FAILED              7   /* certificate or handshake */
#define PAYORDER_CANCELLED               8   /* cancelled before a byte of the request was sent */
#define PAYORDER_JOURNAL_FAILED          10  /* the journal cannot be written, so nothing was sent */
#define PAYORDER_INTERNAL                11  /* a defect of the library, before a byte of the request was sent */

#define PAYORDER_REJECTED                100 /* the service answered, and refused */
#define PAYORDER_UNAUTHORIZED            101 /* HTTP or responseCode 401 or 403 */
#define PAYORDER_RATE_LIMITED            102 /* HTTP or responseCode 429 */

#define PAYORDER_TIMEOUT                 200 /* no whole answer within the time allowed */
#define PAYORDER_CONNECTION_LOST         201 /* the connection ended before a whole answer */
#define PAYORDER_BAD_RESPONSE            202 /* an answer that cannot be used */
#define PAYORDER_SERVICE_FAILED          203 /* HTTP or responseCode 408, 409 or 5xx, or a responseCode that is neither 200 nor 4xx */
#define PAYORDER_CANCELLED_IN_FLIGHT     204 /* cancelled after the first byte of the request was sent */
#define PAYORDER_INTERNAL_IN_FLIGHT      205 /* a defect of the library, after the first byte of the request was sent */
#define PAYORDER_DUPLICATE               206 /* the journal has this order already; this call sent nothing */

#define PAYORDER_OUTCOME_DONE            0   /* the service did what was asked */
#define PAYORDER_OUTCOME_NOT_SENT        1   /* nothing of the request left this machine */
#define PAYORDER_OUTCOME_REJECTED        2   /* the service answered, and refused */
#define PAYORDER_OUTCOME_UNKNOWN         3   /* the service may have acted */

/**
 * What happened to the request: one of the `PAYORDER_OUTCOME_` values.
 */
typedef int32_t payorder_outcome;

/**
 * How a call ended: one of the `PAYORDER_` results. 0 is done; 1 to 99 not sent; 100 to 199 rejected; 200 to
 * 299 unknown.
 */
typedef int32_t payorder_result;

/**
 * The library's version, such as "0.1.0". Static: not to be freed. From any thread; cannot fail.
 */
const char *payorder_version(void);

/**
 * The version of this interface, 1. A program that was made for another one must not go on. From any thread;
 * cannot fail.
 */
uint32_t payorder_abi_version(void);

/**
 * The name of a result, such as "PAYORDER_TIMEOUT"; "PAYORDER_UNRECOGNISED" for a number that this version
 * does not know. Static: not to be freed. From any thread; cannot fail.
 */
const char *payorder_result_name(int32_t result);

/**
 * The outcome of a result, by the number's range; PAYORDER_OUTCOME_UNKNOWN for a number in none. From any
 * thread; cannot fail.
 */
payorder_outcome payorder_result_outcome(int32_t result);

/**
 * How many clients are live, to find leaks by. From any thread; cannot fail.
 */
size_t payorder_live_clients(void);

/**
 * How many strings were handed out and not freed yet, to find leaks by. From any thread; cannot fail.
 */
size_t payorder_live_strings(void);

/**
 * How many calls are running in this process: functions that take a client and have not returned yet, also
 * those on a client that was freed. Once it is 0 after a client was freed, nothing uses its callback's
 * user_data any more. From any thread; cannot fail.
 */
size_t payorder_live_calls(void);

/* ---- Cancelling single calls ------------------------------------------------------- */

/**
 * Creates a cancellation token: a short text, to be given to calls as the option "cancellation". A token
 * cancels the calls that have it and no others on the same client: one client per process, one token per
 * cashier. One token may serve many calls.
 *
 * *out_token is the text, to be freed by payorder_string_free, which does not free the token:
 * payorder_cancellation_free does. It is NULL on failure. From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT: out_token is NULL.
 */
payorder_result payorder_cancellation_new(char **out_token);

/**
 * Cancels the calls that have this token: those in flight end within 100 ms, later ones at once, with
 * PAYORDER_CANCELLED where nothing was sent and with PAYORDER_CANCELLED_IN_FLIGHT otherwise;
 * payorder_get_statuses and payorder_journal_resolve return what there is by then, as "stopped". The token
 * stays cancelled until it is freed. From any thread, also from a callback.
 *
 * PAYORDER_INVALID_HANDLE: not a live token (NULL, freed or never created).
 */
payorder_result payorder_cancellation_cancel(const char *token);

/**
 * Frees a token; NULL is OK. Calls in flight that have it go on and can no longer be cancelled by it. From
 * any thread, also from a callback.
 *
 * PAYORDER_INVALID_HANDLE: not a live token; nothing was freed.
 */
payorder_result payorder_cancellation_free(const char *token);

/* ---- A client ---------------------------------------------------------------------- */

/**
 * A client of one payment service. Opaque: a key, never to be dereferenced, that stays dead once it was
 * freed.
 */
typedef struct payorder_client payorder_client;

/**
 * Takes log events, each one JSON object that is borrowed for the callback. Runs on the thread that is inside
 * a payorder call, during that call, with no lock held: every payorder function may be called from it. It
 * must return: no C++ exception, no longjmp.
 */
typedef void (*payorder_log_fn)(const char *event_json, void *user_data);

/**
 * Makes a client from its configuration. No connection is made; files that the configuration names are read
 * now.
 *
 * *out_client is the new client, to be freed by payorder_client_free, or NULL on failure. out_json may be
 * NULL; *out_json is NULL on success, and otherwise the error object, to be freed by payorder_string_free.
 * From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT: out_client or config_json is NULL, or config_json is no JSON object, or has a
 * key twice. PAYORDER_INVALID_CONFIG: a key is unknown, broken or out of range, or a named file cannot be
 * used; the message names every one.
 */
payorder_result payorder_client_new(const char *config_json, payorder_client **out_client, char **out_json);

/**
 * Frees a client; NULL is none, and done. Calls in flight on it finish on their own. From any thread, from a
 * callback too.
 *
 * PAYORDER_INVALID_HANDLE: not a live client; nothing was freed.
 */
payorder_result payorder_client_free(payorder_client *client);

/**
 * Ends the calls in flight on a client: each returns soon, with PAYORDER_CANCELLED where nothing was sent and
 * with PAYORDER_CANCELLED_IN_FLIGHT otherwise; payorder_get_statuses and payorder_journal_resolve return what
 * there is by then, as "stopped". The client lives on. From any thread, from a callback too.
 *
 * PAYORDER_INVALID_HANDLE: not a live client.
 */
payorder_result payorder_client_cancel(payorder_client *client);

/**
 * Sends log events to `log` from the next call on; NULL ends that. A call keeps the callback and the
 * user_data that it began with, so these must outlive the calls in flight. From any thread.
 *
 * PAYORDER_INVALID_HANDLE: not a live client.
 */
payorder_result payorder_client_set_log(payorder_client *client, payorder_log_fn log, void *user_data);

/* ---- The two calls ----------------------------------------------------------------- */

/**
 * Makes an order: the eleven fields in order_json, the return URL as "redirectionURL". options_json may be
 * NULL: accessToken, timeoutMs, extraFields, and with a journal resend.
 *
 * On PAYORDER_OK *out_json is {"responseCode":"200","responseMessage":...,"data":{"url":...}}, the URL being
 * where the customer pays; otherwise the error object. Either is to be freed by payorder_string_free. From
 * any thread.
 *
 * Not sent (1 to 99): mend what the message names and call again. Rejected (100 to 199): the service refused;
 * no order was made. Unknown (200 to 299): the order may exist; ask payorder_get_status with the error's own
 * "statusQuery" before anything else.
 *
 * With a journal, PAYORDER_DUPLICATE says that it has this order already, as "previous": go by that, and send
 * it again with "resend": true only where it is "unknown" there.
 * PAYORDER_JOURNAL_FAILED: it could not be written down, and so was not sent.
 */
payorder_result payorder_create_order(payorder_client *client,
                                      const char *order_json,
                                      const char *options_json,
                                      char **out_json);

/**
 * Asks for a status: {"searchType":"1","orderId":...} or {"searchType":"2","transactionId":...}; searchType
 * may be left out where one identifier is given. options_json may be NULL: clientKey, clientId, secretKey,
 * timeoutMs.
 *
 * On PAYORDER_OK *out_json is the answer with all 15 fields of "data" and with "derived"; otherwise the error
 * object. Either is to be freed by payorder_string_free. From any thread.
 *
 * Not sent (1 to 99): mend what the message names and call again. Rejected (100 to 199): the service refused
 * to tell. Unknown (200 to 299): ask again, which does no harm. PAYORDER_OK says that there is an answer, not
 * that it is "Completed".
 */
payorder_result payorder_get_status(payorder_client *client,
                                    const char *query_json,
                                    const char *options_json,
                                    char **out_json);

/* ---- A payment's whole life -------------------------------------------------------- */

/**
 * Takes the result of one query of payorder_get_statuses: the query's place in the array from 0, and what
 * payorder_get_status would have returned and given, the JSON being borrowed for the callback. Returns 0 to
 * stop asking. Runs on the thread that called, with no lock held: every payorder function may be called from
 * it. It must return: no C++ exception, no longjmp.
 */
typedef int32_t (*payorder_status_fn)(size_t index, int32_t result, const char *json, void *user_data);

/**
 * Asks payorder_get_status about one query again and again until the payment is final, the time is over, or
 * the call is cancelled, which ends it at once. Each question is one attempt with log events of its own.
 * options_json may be NULL: those of payorder_get_status, timeoutMs being that of one question; waitMs (1 to
 * 86400000, 300000); intervalMs (10 to 600000, 3000), which grows by half each time to at most maxIntervalMs
 * (10 to 600000, 15000; intervalMs where that is more), less a random part of up to a quarter; final, an
 * array of further texts of transactionStatus that end the wait beside "Completed". A service that asks to be
 * left alone (Retry-After) is for that long.
 *
 * On PAYORDER_OK *out_json is {"final": ..., "timedOut": ..., "polls": n, "status": {...}}, the status being
 * the last one seen; where none ever was, it has the last question's "error" instead. "timedOut" says that
 * the time was over before the payment was final. Otherwise *out_json is the error object. Either is to be
 * freed by payorder_string_free. From any thread.
 *
 * PAYORDER_UNAUTHORIZED ends the wait, as do payorder_client_cancel and what forbids to ask at all
 * (PAYORDER_INVALID_ARGUMENT to PAYORDER_MISSING_CREDENTIALS); no other failure does: an order can be unknown
 * to the service for a moment.
 */
payorder_result payorder_wait_for_payment(payorder_client *client,
                                          const char *query_json,
                                          const char *options_json,
                                          char **out_json);

/**
 * Asks for many statuses, some at a time, and hands each result to `each` as it comes. queries_json is an
 * array of status queries, at most 64 MiB; a broken one is that query's own result. options_json may be NULL:
 * those of payorder_get_status, for each question; concurrency (1 to 64, 8), how many are under way at once;
 * ratePerSecond (above 0; none), how many are asked in any second at most, evenly spaced, those asked again
 * included. When the service says 429 with Retry-After, all of it waits for that long, at most 600 seconds.
 *
 * Once `each` has returned 0, or payorder_client_cancel was called, nothing more is asked; what was asked
 * already is handed over still.
 *
 * On PAYORDER_OK *out_json is {"asked": n, "ok": n, "rejected": n, "unknown": n, "notSent": n, "stopped":
 * false, "elapsedMs": n, "transactionStatus": {"Completed": n, ...}}: "asked" counts the calls of `each`,
 * "stopped" says that it ended early. Otherwise *out_json is the error object, and `each` was not called.
 * Either is to be freed by payorder_string_free. From any thread. The threads that it starts end before it
 * returns.
 *
 * PAYORDER_INVALID_ARGUMENT: queries_json is no JSON array, an option is broken, `each` or out_json is NULL.
 * PAYORDER_INTERNAL: the system gives the process no thread.
 */
payorder_result payorder_get_statuses(payorder_client *client,
                                      const char *queries_json,
                                      const char *options_json,
                                      payorder_status_fn each,
                                      void *user_data,
                                      char **out_json);

/* ---- The journal ------------------------------------------------------------------- */

/**
 * Lists the journal's entries, oldest first. options_json may be NULL: state ("sending", "created",
 * "rejected", "not_sent", "unknown", or "unresolved" for the first and the last of these; all), limit (1 to
 * 10000, 1000), after (an entry's number, to page on).
 *
 * On PAYORDER_OK *out_json is {"entries": [{"entry": 7, "orderId": ..., "merchantTxnId": ..., "amount": ...,
 * "currencyCode": ..., "state": ..., "url": ..., "result": ..., "transactionId": ..., "transactionStatus":
 * ..., "updatedAt": "2026-11-21T14:05:06.789Z"}]}, with null for what is not known; otherwise the error
 * object. Either is to be freed by payorder_string_free. From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT: the client, or this build of the library, has no journal, or an option is
 * broken. PAYORDER_JOURNAL_FAILED: the journal cannot be read; the message says why.
 */
payorder_result payorder_journal_list(payorder_client *client, const char *options_json, char **out_json);

/**
 * Asks Get Status by orderId for every entry that is "sending" or "unknown", and for every "created" one that
 * is not "Completed", and writes down what it learns: an order that the service knows becomes "created",
 * without a URL. That the service does not know an order is no proof that it never will: such an entry stays
 * as it is. options_json may be NULL: those of payorder_get_statuses.
 *
 * On PAYORDER_OK *out_json is {"summary": {as of payorder_get_statuses}, "entries": [those still
 * unresolved]}; otherwise the error object. Either is to be freed by payorder_string_free. From any thread;
 * payorder_client_cancel ends it early.
 *
 * PAYORDER_INVALID_ARGUMENT, PAYORDER_JOURNAL_FAILED: as payorder_journal_list.
 */
payorder_result payorder_journal_resolve(payorder_client *client, const char *options_json, char **out_json);

/**
 * Removes settled entries, "rejected", "not_sent", and "created" whose payment is "Completed", that were last
 * written more than olderThanDays ago. options_json may be NULL: olderThanDays (1 to 3650, 90).
 *
 * On PAYORDER_OK *out_json is {"removed": n}; otherwise the error object. Either is to be freed by
 * payorder_string_free. From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT, PAYORDER_JOURNAL_FAILED: as payorder_journal_list.
 */
payorder_result payorder_journal_prune(payorder_client *client, const char *options_json, char **out_json);

/* ---- The same work without the network --------------------------------------------- */

/**
 * Checks an order and builds the body that payorder_create_order would send. options_json may be NULL:
 * returnUrlField, extraFields.
 *
 * out_json may be NULL. On PAYORDER_OK *out_json is the body, otherwise the error object; either is to be
 * freed by payorder_string_free. From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT: a text is NULL, no JSON object, or has a key twice; an option is unknown or
 * broken. PAYORDER_INVALID_REQUEST: the order breaks rules of the interface; "violations" lists every one.
 */
payorder_result payorder_build_create_order(const char *order_json,
                                            const char *options_json,
                                            char **out_json);

/**
 * Checks a status query and builds the body that payorder_get_status would send.
 *
 * out_json may be NULL. On PAYORDER_OK *out_json is the body, otherwise the error object; either is to be
 * freed by payorder_string_free. From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT: query_json is NULL, no JSON object, or has a key twice.
 * PAYORDER_INVALID_REQUEST: the query breaks rules of the interface; "violations" lists every one.
 */
payorder_result payorder_build_get_status(const char *query_json, char **out_json);

/**
 * Reads the transaction from the URL that the customer came back on: absolute, or /path?query, or ?query. The
 * URL proves nothing; it only names what to ask.
 *
 * out_json may be NULL. On PAYORDER_OK *out_json is {"transactionId":...,"statusQuery":{...}}, the query
 * being ready for payorder_get_status; otherwise the error object. Either is to be freed by
 * payorder_string_free. From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT: url is NULL, not UTF-8, or over 256 KiB.
 * PAYORDER_INVALID_REQUEST: there is not exactly one txn on it that is not empty, or it is no clean text.
 */
payorder_result payorder_parse_return_url(const char *url, char **out_json);

/**
 * Holds a status, a result of payorder_get_status or the service's own answer, against what was expected:
 * {"orderId","amount"}, optionally "transactionId".
 *
 * out_json may be NULL, but then the verdict is lost. On PAYORDER_OK *out_json is
 * {"paid":...,"reasons":[...],"unverifiable":[...]}: PAYORDER_OK says that the check was made, "paid" what it
 * found. Otherwise *out_json is the error object. Either is to be freed by payorder_string_free. From any
 * thread.
 *
 * PAYORDER_INVALID_ARGUMENT: a text is NULL, no JSON object, or has a key twice; expected_json is over 256
 * KiB, status_json over 16 MiB. PAYORDER_INVALID_REQUEST: what is expected breaks rules; "violations" lists
 * every one.
 */
payorder_result payorder_verify_payment(const char *expected_json, const char *status_json, char **out_json);

/* ---- For callers without a JSON library -------------------------------------------- */

/**
 * Writes a JSON object of strings from pairs: {key, value, key, value, NULL}. What JSON demands is escaped.
 *
 * out_json may be NULL. On PAYORDER_OK *out_json is the object, otherwise the error object; either is to be
 * freed by payorder_string_free. From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT: pairs is NULL, a text is not UTF-8, a key has no value, or stands there twice.
 */
payorder_result payorder_json_object(const char *const *pairs, char **out_json);

/**
 * Gives the value that a JSON pointer (RFC 6901), such as "/data/url", names: a string's own text without
 * quotes, any other value as it stands.
 *
 * out_value may be NULL. On PAYORDER_OK *out_value is the value, otherwise the error object; either is to be
 * freed by payorder_string_free. From any thread.
 *
 * PAYORDER_INVALID_ARGUMENT: a text is NULL or not UTF-8, json is no JSON or over 16 MiB, or pointer is no
 * JSON pointer. PAYORDER_INVALID_REQUEST: nothing is there, or a string with U+0000 in it, which no C string
 * can hold.
 */
payorder_result payorder_json_get(const char *json, const char *pointer, char **out_value);

/**
 * Frees a string that the library handed out; NULL is none, and done. Its memory is zeroed. From any thread.
 * A string must not be freed twice.
 */
void payorder_string_free(char *string);

#ifdef __cplusplus
}
#endif

#endif /* PAYORDER_H */
