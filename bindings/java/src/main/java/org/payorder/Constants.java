package org.payorder;

// Generated from include/payorder-abi.json by bindings/constants.py: do not change it here.

/** The numbers and names that programs may compare. */
public final class Constants {
    static final int ABI_VERSION = 1;

    private Constants() {}

    /** What happened to the request. */
    public enum Outcome {
        /** the service did what was asked */
        DONE,
        /** nothing of the request left this machine */
        NOT_SENT,
        /** the service answered and refused */
        REJECTED,
        /** the service may have acted */
        UNKNOWN
    }

    /** What exactly happened: the values of PayorderException.getErrorCause. It may grow. */
    public static final class Causes {
        private Causes() {}

        /** a required argument is NULL */
        public static final String NULL = "null";
        /** a text is not UTF-8 */
        public static final String NOT_UTF8 = "not_utf8";
        /** a text is not JSON, or not the kind of JSON that is expected there */
        public static final String NOT_JSON = "not_json";
        /** a JSON object has the same key twice */
        public static final String DUPLICATE_KEY = "duplicate_key";
        /** a text is longer than allowed */
        public static final String TOO_LONG = "too_long";
        /** a configuration key or an option has an unknown name */
        public static final String UNKNOWN_KEY = "unknown_key";
        /** a value has the wrong type, the wrong form, or is out of range */
        public static final String INVALID_VALUE = "invalid_value";
        /** a file named in the configuration cannot be read or used */
        public static final String UNREADABLE_FILE = "unreadable_file";
        /** the client was freed or never created */
        public static final String CLIENT_FREED = "client_freed";
        /** the cancellation token was freed or never created */
        public static final String CANCELLATION_FREED = "cancellation_freed";
        /** the client has no journal, or this build of the library has none */
        public static final String NO_JOURNAL = "no_journal";
        /** a field breaks a rule of the service's interface */
        public static final String RULE_BROKEN = "rule_broken";
        /** the endpoint's credentials are in neither the configuration nor the options */
        public static final String CREDENTIALS_MISSING = "credentials_missing";
        /** the host name does not exist */
        public static final String NAME_NOT_FOUND = "name_not_found";
        /** the system could not look up the host name */
        public static final String NAME_LOOKUP_FAILED = "name_lookup_failed";
        /** the host name lookup took too long */
        public static final String NAME_LOOKUP_TIMED_OUT = "name_lookup_timed_out";
        /** nothing listens at the host's address and port */
        public static final String CONNECTION_REFUSED = "connection_refused";
        /** the connection was not established in time */
        public static final String CONNECT_TIMED_OUT = "connect_timed_out";
        /** there is no route to the host */
        public static final String NETWORK_UNREACHABLE = "network_unreachable";
        /** the process or the system has no file descriptor left */
        public static final String NO_DESCRIPTORS = "no_descriptors";
        /** the proxy cannot be reached */
        public static final String PROXY_UNREACHABLE = "proxy_unreachable";
        /** the proxy refused to connect to the service */
        public static final String PROXY_REFUSED = "proxy_refused";
        /** the proxy needs a user name and password, or does not accept the given ones */
        public static final String PROXY_NEEDS_CREDENTIALS = "proxy_needs_credentials";
        /** application data arrived before the request was sent, so the connection was not used */
        public static final String ANSWER_BEFORE_REQUEST = "answer_before_request";
        /** the certificate has expired, or this machine's clock is wrong */
        public static final String CERTIFICATE_EXPIRED = "certificate_expired";
        /** the certificate is not valid yet, or this machine's clock is wrong */
        public static final String CERTIFICATE_NOT_YET_VALID = "certificate_not_yet_valid";
        /** the certificate comes from an authority that is not trusted here */
        public static final String CERTIFICATE_UNKNOWN_ISSUER = "certificate_unknown_issuer";
        /** the certificate is for another host */
        public static final String CERTIFICATE_WRONG_HOST = "certificate_wrong_host";
        /** the certificate was revoked */
        public static final String CERTIFICATE_REVOKED = "certificate_revoked";
        /** the certificate cannot be used for another reason, which the message gives */
        public static final String CERTIFICATE_INVALID = "certificate_invalid";
        /** the other side refused this machine's client certificate, or needs one */
        public static final String CLIENT_CERTIFICATE_REFUSED = "client_certificate_refused";
        /** the two sides have no TLS version in common */
        public static final String TLS_VERSION_UNSUPPORTED = "tls_version_unsupported";
        /** the TLS handshake failed, or the TLS connection broke later */
        public static final String HANDSHAKE_FAILED = "handshake_failed";
        /** the TLS handshake was not finished in time */
        public static final String HANDSHAKE_TIMED_OUT = "handshake_timed_out";
        /** no complete response arrived in time */
        public static final String RESPONSE_TIMED_OUT = "response_timed_out";
        /** the connection was reset */
        public static final String CONNECTION_RESET = "connection_reset";
        /** the connection was closed before a complete response */
        public static final String CONNECTION_CLOSED = "connection_closed";
        /** the response is not valid HTTP */
        public static final String RESPONSE_NOT_HTTP = "response_not_http";
        /** the response's body is not JSON of the expected form */
        public static final String RESPONSE_NOT_JSON = "response_not_json";
        /** the response is larger than `maxResponseBytes` */
        public static final String RESPONSE_TOO_LARGE = "response_too_large";
        /** the response has no `responseCode` */
        public static final String RESPONSE_CODE_MISSING = "response_code_missing";
        /** the answer is a refusal, but its body cannot be read or contradicts it */
        public static final String REFUSAL_UNCLEAR = "refusal_unclear";
        /** the response reports success without a checkout URL, or with an empty one */
        public static final String CHECKOUT_URL_MISSING = "checkout_url_missing";
        /** the checkout URL is not one that a customer can be sent to safely */
        public static final String CHECKOUT_URL_UNUSABLE = "checkout_url_unusable";
        /** the checkout URL's host is not on the list `checkoutHosts` */
        public static final String CHECKOUT_HOST_NOT_ALLOWED = "checkout_host_not_allowed";
        /** the response is about another order or transaction */
        public static final String ANOTHER_ORDER = "another_order";
        /** the service answered with a redirect, which is never followed */
        public static final String REDIRECTED = "redirected";
        /** the service failed */
        public static final String SERVICE_ERROR = "service_error";
        /** the service refused the request */
        public static final String SERVICE_REFUSED = "service_refused";
        /**
         * the order was sent again (`resend`), and the service refused it: the first attempt may
         * still have created it
         */
        public static final String RESEND_REFUSED = "resend_refused";
        /** the service does not accept the credentials */
        public static final String UNAUTHORIZED = "unauthorized";
        /** the service limits how often it may be called */
        public static final String RATE_LIMITED = "rate_limited";
        /** the journal's disk is full, or a limit on file sizes was reached */
        public static final String JOURNAL_FULL = "journal_full";
        /** the journal cannot be written: permissions, or a read-only disk */
        public static final String JOURNAL_READ_ONLY = "journal_read_only";
        /** the journal's file is damaged, or the disk failed */
        public static final String JOURNAL_DAMAGED = "journal_damaged";
        /** the file is a database of another program */
        public static final String JOURNAL_FOREIGN = "journal_foreign";
        /** the journal was created by a newer version of this library */
        public static final String JOURNAL_NEWER = "journal_newer";
        /** another process has the journal locked */
        public static final String JOURNAL_LOCKED = "journal_locked";
        /** the journal's file was moved, deleted, replaced or linked while it was in use */
        public static final String JOURNAL_REPLACED = "journal_replaced";
        /** the journal's file cannot be opened, or not be kept safely where it is */
        public static final String JOURNAL_UNAVAILABLE = "journal_unavailable";
        /** entries of the journal lie in the future: the clock was changed */
        public static final String JOURNAL_IN_FUTURE = "journal_in_future";
        /** the journal has this order as created */
        public static final String ORDER_ALREADY_SENT = "order_already_sent";
        /** the journal has this order as being sent */
        public static final String ORDER_BEING_SENT = "order_being_sent";
        /** the journal has this order with an unknown outcome */
        public static final String ORDER_MAY_EXIST = "order_may_exist";
        /** the journal has this order, sent to a service with another base URL */
        public static final String ORDER_OF_ANOTHER_SERVICE = "order_of_another_service";
        /** a person closed this order in the journal */
        public static final String ORDER_SETTLED = "order_settled";
        /** the call was cancelled */
        public static final String CANCELLED = "cancelled";
        /** the client was stopped before the call */
        public static final String CLIENT_STOPPED = "client_stopped";
        /** the process was forked during the call, which continues in the parent process */
        public static final String FORKED = "forked";
        /** the system could not start a thread for the call, or for its queries */
        public static final String NO_THREAD = "no_thread";
        /** the system gave this process no thread or no memory */
        public static final String NO_RESOURCES = "no_resources";
        /** a bug in the library */
        public static final String BUG = "bug";
    }

    /** What to do next: the values of PayorderException.getAction. It may grow. */
    public static final class Actions {
        private Actions() {}

        /** change the arguments of the call */
        public static final String FIX_REQUEST = "fix_request";
        /** change the configuration, or the files, disks and services that it names */
        public static final String FIX_CONFIGURATION = "fix_configuration";
        /** check the credentials */
        public static final String CHECK_CREDENTIALS = "check_credentials";
        /** check the network, the host name and the port */
        public static final String CHECK_NETWORK = "check_network";
        /** check this machine's clock */
        public static final String CHECK_CLOCK = "check_clock";
        /** repeat the call: nothing was sent, or the call only asks for a status */
        public static final String RETRY = "retry";
        /** pause for `retryAfterMs`, or a while, then repeat the call */
        public static final String RETRY_LATER = "retry_later";
        /** show the service's reason; do not repeat the call unchanged */
        public static final String SHOW_REASON = "show_reason";
        /**
         * ask for the order's status before anything else: it may exist, or the customer can
         * still pay
         */
        public static final String ASK_STATUS = "ask_status";
        /** an order was created earlier: compare it, and continue with `previous` */
        public static final String USE_PREVIOUS = "use_previous";
        /** report a bug in this library */
        public static final String REPORT_BUG = "report_bug";
        /** nothing: the program itself ended the call */
        public static final String NONE = "none";
    }
}
