// Generated from include/payorder-abi.json by bindings/constants.py: do not change it here.

namespace Payorder
{
    /// <summary>How a call ended. The range of the number is the outcome.</summary>
    public enum PayorderResult
    {
        /// <summary>done</summary>
        Ok = 0,
        /// <summary>an argument is NULL, not UTF-8, not JSON or too long, or an option is
        /// unknown or invalid</summary>
        InvalidArgument = 1,
        /// <summary>not a live client or token (NULL, freed or never created)</summary>
        InvalidHandle = 2,
        /// <summary>a configuration key is unknown, invalid or out of range, or a named file
        /// cannot be used</summary>
        InvalidConfig = 3,
        /// <summary>the request breaks the interface's rules; all violations are listed</summary>
        InvalidRequest = 4,
        /// <summary>the endpoint's credentials are in neither the configuration nor the
        /// options</summary>
        MissingCredentials = 5,
        /// <summary>DNS, TCP or proxy failed, or the connection broke before a byte of the
        /// request was sent</summary>
        ConnectFailed = 6,
        /// <summary>the certificate or the handshake failed</summary>
        TlsFailed = 7,
        /// <summary>cancelled before a byte of the request was sent</summary>
        Cancelled = 8,
        /// <summary>the journal cannot be used, so nothing was sent</summary>
        JournalFailed = 10,
        /// <summary>a bug in the library, or no thread or memory left, before a byte of the
        /// request was sent</summary>
        Internal = 11,
        /// <summary>the service refused the request for another reason</summary>
        Rejected = 100,
        /// <summary>HTTP or responseCode 401 or 403</summary>
        Unauthorized = 101,
        /// <summary>HTTP or responseCode 429</summary>
        RateLimited = 102,
        /// <summary>no complete response in time</summary>
        Timeout = 200,
        /// <summary>the connection ended before a complete response</summary>
        ConnectionLost = 201,
        /// <summary>a response that cannot be used</summary>
        BadResponse = 202,
        /// <summary>HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is
        /// neither 200 nor a refusal code, or a refused `resend`</summary>
        ServiceFailed = 203,
        /// <summary>cancelled after the first byte of the request was sent</summary>
        CancelledInFlight = 204,
        /// <summary>a bug in the library after the first byte of the request was sent, or a
        /// forked child inside its parent's call</summary>
        InternalInFlight = 205,
        /// <summary>the journal has this order already; this call sent nothing</summary>
        Duplicate = 206,
    }

    /// <summary>What happened to the request.</summary>
    public enum PayorderOutcome
    {
        /// <summary>the service did what was asked</summary>
        Done = 0,
        /// <summary>nothing of the request left this machine</summary>
        NotSent = 1,
        /// <summary>the service answered and refused</summary>
        Rejected = 2,
        /// <summary>the service may have acted</summary>
        Unknown = 3,
    }

    /// <summary>What exactly happened: values of PayorderException.Cause. It may grow.</summary>
    public static class Causes
    {
        /// <summary>a required argument is NULL</summary>
        public const string Null = "null";
        /// <summary>a text is not UTF-8</summary>
        public const string NotUtf8 = "not_utf8";
        /// <summary>a text is not JSON, or not the kind of JSON that is expected there</summary>
        public const string NotJson = "not_json";
        /// <summary>a JSON object has the same key twice</summary>
        public const string DuplicateKey = "duplicate_key";
        /// <summary>a text is longer than allowed</summary>
        public const string TooLong = "too_long";
        /// <summary>a configuration key or an option has an unknown name</summary>
        public const string UnknownKey = "unknown_key";
        /// <summary>a value has the wrong type, the wrong form, or is out of range</summary>
        public const string InvalidValue = "invalid_value";
        /// <summary>a file named in the configuration cannot be read or used</summary>
        public const string UnreadableFile = "unreadable_file";
        /// <summary>the client was freed or never created</summary>
        public const string ClientFreed = "client_freed";
        /// <summary>the cancellation token was freed or never created</summary>
        public const string CancellationFreed = "cancellation_freed";
        /// <summary>the client has no journal, or this build of the library has none</summary>
        public const string NoJournal = "no_journal";
        /// <summary>a field breaks a rule of the service's interface</summary>
        public const string RuleBroken = "rule_broken";
        /// <summary>the endpoint's credentials are in neither the configuration nor the
        /// options</summary>
        public const string CredentialsMissing = "credentials_missing";
        /// <summary>the host name does not exist</summary>
        public const string NameNotFound = "name_not_found";
        /// <summary>the system could not look up the host name</summary>
        public const string NameLookupFailed = "name_lookup_failed";
        /// <summary>the host name lookup took too long</summary>
        public const string NameLookupTimedOut = "name_lookup_timed_out";
        /// <summary>nothing listens at the host's address and port</summary>
        public const string ConnectionRefused = "connection_refused";
        /// <summary>the connection was not established in time</summary>
        public const string ConnectTimedOut = "connect_timed_out";
        /// <summary>there is no route to the host</summary>
        public const string NetworkUnreachable = "network_unreachable";
        /// <summary>the process or the system has no file descriptor left</summary>
        public const string NoDescriptors = "no_descriptors";
        /// <summary>the proxy cannot be reached</summary>
        public const string ProxyUnreachable = "proxy_unreachable";
        /// <summary>the proxy refused to connect to the service</summary>
        public const string ProxyRefused = "proxy_refused";
        /// <summary>the proxy needs a user name and password, or does not accept the given
        /// ones</summary>
        public const string ProxyNeedsCredentials = "proxy_needs_credentials";
        /// <summary>application data arrived before the request was sent, so the connection was
        /// not used</summary>
        public const string AnswerBeforeRequest = "answer_before_request";
        /// <summary>the certificate has expired, or this machine's clock is wrong</summary>
        public const string CertificateExpired = "certificate_expired";
        /// <summary>the certificate is not valid yet, or this machine's clock is wrong</summary>
        public const string CertificateNotYetValid = "certificate_not_yet_valid";
        /// <summary>the certificate comes from an authority that is not trusted here</summary>
        public const string CertificateUnknownIssuer = "certificate_unknown_issuer";
        /// <summary>the certificate is for another host</summary>
        public const string CertificateWrongHost = "certificate_wrong_host";
        /// <summary>the certificate was revoked</summary>
        public const string CertificateRevoked = "certificate_revoked";
        /// <summary>the certificate cannot be used for another reason, which the message
        /// gives</summary>
        public const string CertificateInvalid = "certificate_invalid";
        /// <summary>the other side refused this machine's client certificate, or needs
        /// one</summary>
        public const string ClientCertificateRefused = "client_certificate_refused";
        /// <summary>the two sides have no TLS version in common</summary>
        public const string TlsVersionUnsupported = "tls_version_unsupported";
        /// <summary>the TLS handshake failed, or the TLS connection broke later</summary>
        public const string HandshakeFailed = "handshake_failed";
        /// <summary>the TLS handshake was not finished in time</summary>
        public const string HandshakeTimedOut = "handshake_timed_out";
        /// <summary>no complete response arrived in time</summary>
        public const string ResponseTimedOut = "response_timed_out";
        /// <summary>the connection was reset</summary>
        public const string ConnectionReset = "connection_reset";
        /// <summary>the connection was closed before a complete response</summary>
        public const string ConnectionClosed = "connection_closed";
        /// <summary>the response is not valid HTTP</summary>
        public const string ResponseNotHttp = "response_not_http";
        /// <summary>the response's body is not JSON of the expected form</summary>
        public const string ResponseNotJson = "response_not_json";
        /// <summary>the response is larger than `maxResponseBytes`</summary>
        public const string ResponseTooLarge = "response_too_large";
        /// <summary>the response has no `responseCode`</summary>
        public const string ResponseCodeMissing = "response_code_missing";
        /// <summary>the answer is a refusal, but its body cannot be read or contradicts
        /// it</summary>
        public const string RefusalUnclear = "refusal_unclear";
        /// <summary>the response reports success without a checkout URL, or with an empty
        /// one</summary>
        public const string CheckoutUrlMissing = "checkout_url_missing";
        /// <summary>the checkout URL is not one that a customer can be sent to safely</summary>
        public const string CheckoutUrlUnusable = "checkout_url_unusable";
        /// <summary>the checkout URL's host is not on the list `checkoutHosts`</summary>
        public const string CheckoutHostNotAllowed = "checkout_host_not_allowed";
        /// <summary>the response is about another order or transaction</summary>
        public const string AnotherOrder = "another_order";
        /// <summary>the service answered with a redirect, which is never followed</summary>
        public const string Redirected = "redirected";
        /// <summary>the service failed</summary>
        public const string ServiceError = "service_error";
        /// <summary>the service refused the request</summary>
        public const string ServiceRefused = "service_refused";
        /// <summary>the order was sent again (`resend`), and the service refused it: the first
        /// attempt may still have created it</summary>
        public const string ResendRefused = "resend_refused";
        /// <summary>the service does not accept the credentials</summary>
        public const string Unauthorized = "unauthorized";
        /// <summary>the service limits how often it may be called</summary>
        public const string RateLimited = "rate_limited";
        /// <summary>the journal's disk is full, or a limit on file sizes was reached</summary>
        public const string JournalFull = "journal_full";
        /// <summary>the journal cannot be written: permissions, or a read-only disk</summary>
        public const string JournalReadOnly = "journal_read_only";
        /// <summary>the journal's file is damaged, or the disk failed</summary>
        public const string JournalDamaged = "journal_damaged";
        /// <summary>the file is a database of another program</summary>
        public const string JournalForeign = "journal_foreign";
        /// <summary>the journal was created by a newer version of this library</summary>
        public const string JournalNewer = "journal_newer";
        /// <summary>another process has the journal locked</summary>
        public const string JournalLocked = "journal_locked";
        /// <summary>the journal's file was moved, deleted, replaced or linked while it was in
        /// use</summary>
        public const string JournalReplaced = "journal_replaced";
        /// <summary>the journal's file cannot be opened, or not be kept safely where it
        /// is</summary>
        public const string JournalUnavailable = "journal_unavailable";
        /// <summary>entries of the journal lie in the future: the clock was changed</summary>
        public const string JournalInFuture = "journal_in_future";
        /// <summary>the journal has this order as created</summary>
        public const string OrderAlreadySent = "order_already_sent";
        /// <summary>the journal has this order as being sent</summary>
        public const string OrderBeingSent = "order_being_sent";
        /// <summary>the journal has this order with an unknown outcome</summary>
        public const string OrderMayExist = "order_may_exist";
        /// <summary>the journal has this order, sent to a service with another base URL</summary>
        public const string OrderOfAnotherService = "order_of_another_service";
        /// <summary>a person closed this order in the journal</summary>
        public const string OrderSettled = "order_settled";
        /// <summary>the call was cancelled</summary>
        public const string Cancelled = "cancelled";
        /// <summary>the client was stopped before the call</summary>
        public const string ClientStopped = "client_stopped";
        /// <summary>the process was forked during the call, which continues in the parent
        /// process</summary>
        public const string Forked = "forked";
        /// <summary>the system could not start a thread for the call, or for its queries</summary>
        public const string NoThread = "no_thread";
        /// <summary>the system gave this process no thread or no memory</summary>
        public const string NoResources = "no_resources";
        /// <summary>a bug in the library</summary>
        public const string Bug = "bug";
    }

    /// <summary>What to do next: values of PayorderException.Action. It may grow.</summary>
    public static class Actions
    {
        /// <summary>change the arguments of the call</summary>
        public const string FixRequest = "fix_request";
        /// <summary>change the configuration, or the files, disks and services that it
        /// names</summary>
        public const string FixConfiguration = "fix_configuration";
        /// <summary>check the credentials</summary>
        public const string CheckCredentials = "check_credentials";
        /// <summary>check the network, the host name and the port</summary>
        public const string CheckNetwork = "check_network";
        /// <summary>check this machine's clock</summary>
        public const string CheckClock = "check_clock";
        /// <summary>repeat the call: nothing was sent, or the call only asks for a
        /// status</summary>
        public const string Retry = "retry";
        /// <summary>pause for `retryAfterMs`, or a while, then repeat the call</summary>
        public const string RetryLater = "retry_later";
        /// <summary>show the service's reason; do not repeat the call unchanged</summary>
        public const string ShowReason = "show_reason";
        /// <summary>ask for the order's status before anything else: it may exist, or the
        /// customer can still pay</summary>
        public const string AskStatus = "ask_status";
        /// <summary>an order was created earlier: compare it, and continue with
        /// `previous`</summary>
        public const string UsePrevious = "use_previous";
        /// <summary>report a bug in this library</summary>
        public const string ReportBug = "report_bug";
        /// <summary>nothing: the program itself ended the call</summary>
        public const string None = "none";
    }

    /// <summary>Nothing of the request was sent. Fix the problem and call again, unless you
    /// cancelled it.</summary>
    public class NotSentException : PayorderException
    {
        internal NotSentException(ErrorFields error) : base(error) { }
    }

    /// <summary>The service refused the request. ResponseMessage is the reason that it
    /// gave. The refusal of a query or a wait says nothing about the order.</summary>
    public class RejectedException : PayorderException
    {
        internal RejectedException(ErrorFields error) : base(error) { }
    }

    /// <summary>The order may exist. Give StatusQuery to GetStatus before anything
    /// else.</summary>
    public class OutcomeUnknownException : PayorderException
    {
        internal OutcomeUnknownException(ErrorFields error) : base(error) { }
    }

    /// <summary>A function of PayorderLibrary cannot use its argument. It says nothing
    /// about an order.</summary>
    public sealed class UnusableTextException : PayorderException
    {
        internal UnusableTextException(ErrorFields error) : base(error) { }
    }

    /// <summary>An argument is NULL, not UTF-8, not JSON or too long, or an option is
    /// unknown or invalid.</summary>
    public sealed class InvalidArgumentException : NotSentException
    {
        internal InvalidArgumentException(ErrorFields error) : base(error) { }
    }

    /// <summary>Not a live client or token (NULL, freed or never created).</summary>
    public sealed class InvalidHandleException : NotSentException
    {
        internal InvalidHandleException(ErrorFields error) : base(error) { }
    }

    /// <summary>A configuration key is unknown, invalid or out of range, or a named file
    /// cannot be used.</summary>
    public sealed class InvalidConfigException : NotSentException
    {
        internal InvalidConfigException(ErrorFields error) : base(error) { }
    }

    /// <summary>The request breaks the interface's rules; all violations are listed.</summary>
    public sealed class InvalidRequestException : NotSentException
    {
        internal InvalidRequestException(ErrorFields error) : base(error) { }
    }

    /// <summary>The endpoint's credentials are in neither the configuration nor the
    /// options.</summary>
    public sealed class MissingCredentialsException : NotSentException
    {
        internal MissingCredentialsException(ErrorFields error) : base(error) { }
    }

    /// <summary>DNS, TCP or proxy failed, or the connection broke before a byte of the
    /// request was sent.</summary>
    public sealed class ConnectException : NotSentException
    {
        internal ConnectException(ErrorFields error) : base(error) { }
    }

    /// <summary>The certificate or the handshake failed.</summary>
    public sealed class TlsException : NotSentException
    {
        internal TlsException(ErrorFields error) : base(error) { }
    }

    /// <summary>Cancelled before a byte of the request was sent.</summary>
    public sealed class CancelledException : NotSentException
    {
        internal CancelledException(ErrorFields error) : base(error) { }
    }

    /// <summary>The journal cannot be used, so nothing was sent.</summary>
    public sealed class JournalException : NotSentException
    {
        internal JournalException(ErrorFields error) : base(error) { }
    }

    /// <summary>A bug in the library, or no thread or memory left, before a byte of the
    /// request was sent.</summary>
    public sealed class InternalException : NotSentException
    {
        internal InternalException(ErrorFields error) : base(error) { }
    }

    /// <summary>HTTP or responseCode 401 or 403.</summary>
    public sealed class UnauthorizedException : RejectedException
    {
        internal UnauthorizedException(ErrorFields error) : base(error) { }
    }

    /// <summary>HTTP or responseCode 429.</summary>
    public sealed class RateLimitedException : RejectedException
    {
        internal RateLimitedException(ErrorFields error) : base(error) { }
    }

    /// <summary>No complete response in time.</summary>
    public sealed class ResponseTimeoutException : OutcomeUnknownException
    {
        internal ResponseTimeoutException(ErrorFields error) : base(error) { }
    }

    /// <summary>The connection ended before a complete response.</summary>
    public sealed class ConnectionLostException : OutcomeUnknownException
    {
        internal ConnectionLostException(ErrorFields error) : base(error) { }
    }

    /// <summary>A response that cannot be used.</summary>
    public sealed class BadResponseException : OutcomeUnknownException
    {
        internal BadResponseException(ErrorFields error) : base(error) { }
    }

    /// <summary>HTTP 5xx or a 4xx that is not a refusal code, a responseCode that is
    /// neither 200 nor a refusal code, or a refused `resend`.</summary>
    public sealed class ServiceFailedException : OutcomeUnknownException
    {
        internal ServiceFailedException(ErrorFields error) : base(error) { }
    }

    /// <summary>Cancelled after the first byte of the request was sent.</summary>
    public sealed class CancelledInFlightException : OutcomeUnknownException
    {
        internal CancelledInFlightException(ErrorFields error) : base(error) { }
    }

    /// <summary>A bug in the library after the first byte of the request was sent, or a
    /// forked child inside its parent's call.</summary>
    public sealed class InternalInFlightException : OutcomeUnknownException
    {
        internal InternalInFlightException(ErrorFields error) : base(error) { }
    }

    /// <summary>The journal has this order already; this call sent nothing.</summary>
    public sealed class DuplicateException : OutcomeUnknownException
    {
        internal DuplicateException(ErrorFields error) : base(error) { }
    }

    internal static class Exceptions
    {
        internal static PayorderException Make(ErrorFields error)
        {
            switch (error.Result)
            {
                case 1: return new InvalidArgumentException(error);
                case 2: return new InvalidHandleException(error);
                case 3: return new InvalidConfigException(error);
                case 4: return new InvalidRequestException(error);
                case 5: return new MissingCredentialsException(error);
                case 6: return new ConnectException(error);
                case 7: return new TlsException(error);
                case 8: return new CancelledException(error);
                case 10: return new JournalException(error);
                case 11: return new InternalException(error);
                case 101: return new UnauthorizedException(error);
                case 102: return new RateLimitedException(error);
                case 200: return new ResponseTimeoutException(error);
                case 201: return new ConnectionLostException(error);
                case 202: return new BadResponseException(error);
                case 203: return new ServiceFailedException(error);
                case 204: return new CancelledInFlightException(error);
                case 205: return new InternalInFlightException(error);
                case 206: return new DuplicateException(error);
            }
            return error.Outcome == PayorderOutcome.NotSent ? new NotSentException(error)
                : error.Outcome == PayorderOutcome.Rejected ? new RejectedException(error)
                : (PayorderException)new OutcomeUnknownException(error);
        }

        /// <summary>A usual cause and its action, for errors of tests.</summary>
        /// <param name="state">Of the journal's entry, for a duplicate.</param>
        internal static void Usual(
            int result, string? state, out string cause, out string action)
        {
            switch (state)
            {
                case "sending": cause = Causes.OrderBeingSent; action = Actions.AskStatus; return;
                case "created": cause = Causes.OrderAlreadySent; action = Actions.UsePrevious; return;
                case "settled": cause = Causes.OrderSettled; action = Actions.AskStatus; return;
            }
            switch (result)
            {
                case 1: cause = Causes.InvalidValue; action = Actions.FixRequest; return;
                case 2: cause = Causes.ClientFreed; action = Actions.FixRequest; return;
                case 3: cause = Causes.InvalidValue; action = Actions.FixConfiguration; return;
                case 4: cause = Causes.RuleBroken; action = Actions.FixRequest; return;
                case 5: cause = Causes.CredentialsMissing; action = Actions.CheckCredentials; return;
                case 6: cause = Causes.ConnectionRefused; action = Actions.CheckNetwork; return;
                case 7: cause = Causes.CertificateInvalid; action = Actions.CheckNetwork; return;
                case 8: cause = Causes.Cancelled; action = Actions.None; return;
                case 10: cause = Causes.JournalUnavailable; action = Actions.FixConfiguration; return;
                case 11: cause = Causes.Bug; action = Actions.ReportBug; return;
                case 100: cause = Causes.ServiceRefused; action = Actions.ShowReason; return;
                case 101: cause = Causes.Unauthorized; action = Actions.CheckCredentials; return;
                case 102: cause = Causes.RateLimited; action = Actions.RetryLater; return;
                case 200: cause = Causes.ResponseTimedOut; action = Actions.AskStatus; return;
                case 201: cause = Causes.ConnectionClosed; action = Actions.AskStatus; return;
                case 202: cause = Causes.ResponseNotJson; action = Actions.AskStatus; return;
                case 203: cause = Causes.ServiceError; action = Actions.AskStatus; return;
                case 204: cause = Causes.Cancelled; action = Actions.AskStatus; return;
                case 205: cause = Causes.Bug; action = Actions.AskStatus; return;
                case 206: cause = Causes.OrderMayExist; action = Actions.AskStatus; return;
            }
            cause = Causes.Bug; action = Actions.AskStatus;
        }
    }

    internal static class Abi
    {
        internal const uint Version = 1;
    }
}
