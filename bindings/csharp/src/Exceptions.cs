namespace Payorder
{
    /// <summary>
    /// Nothing of the request was sent. Fix the problem and call again, unless you cancelled
    /// the call.
    /// </summary>
    public class NotSentException : PayorderException
    {
        internal NotSentException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// An argument is not a JSON object, too long, or an option is unknown or invalid.
    /// </summary>
    public sealed class InvalidArgumentException : NotSentException
    {
        internal InvalidArgumentException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>The client is disposed.</summary>
    public sealed class InvalidHandleException : NotSentException
    {
        internal InvalidHandleException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// A setting is unknown, invalid or out of range, or its file cannot be used.
    /// </summary>
    public sealed class InvalidConfigException : NotSentException
    {
        internal InvalidConfigException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// The request breaks the interface's rules. Violations lists every field that does.
    /// </summary>
    public sealed class InvalidRequestException : NotSentException
    {
        internal InvalidRequestException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// Neither the client nor the call has the credentials for this request.
    /// </summary>
    public sealed class MissingCredentialsException : NotSentException
    {
        internal MissingCredentialsException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>No connection: the DNS lookup, TCP or the proxy failed.</summary>
    public sealed class ConnectException : NotSentException
    {
        internal ConnectException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>The certificate or the TLS handshake failed.</summary>
    public sealed class TlsException : NotSentException
    {
        internal TlsException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>Cancelled before any byte of the request was sent.</summary>
    public sealed class CancelledException : NotSentException
    {
        internal CancelledException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>The journal cannot be used, so nothing was sent.</summary>
    public sealed class JournalException : NotSentException
    {
        internal JournalException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>A bug in the library, before any byte of the request was sent.</summary>
    public sealed class InternalException : NotSentException
    {
        internal InternalException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// The service refused the request. ResponseMessage is the reason that it gave.
    /// </summary>
    public class RejectedException : PayorderException
    {
        internal RejectedException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>The service refused the credentials.</summary>
    public sealed class UnauthorizedException : RejectedException
    {
        internal UnauthorizedException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// The service asks for fewer calls. RetryAfterMs says how long to wait.
    /// </summary>
    public sealed class RateLimitedException : RejectedException
    {
        internal RateLimitedException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// The order may exist. Call GetStatus with StatusQuery before anything else. StatusQuery
    /// is null after GetStatus: ask again.
    /// </summary>
    public class OutcomeUnknownException : PayorderException
    {
        internal OutcomeUnknownException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>The request was sent, and no complete response arrived in time.</summary>
    public sealed class ResponseTimeoutException : OutcomeUnknownException
    {
        internal ResponseTimeoutException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>The connection broke after the request, or a part of it, was sent.</summary>
    public sealed class ConnectionLostException : OutcomeUnknownException
    {
        internal ConnectionLostException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// The response cannot be used: not JSON, too large, no checkout URL, or another order's.
    /// </summary>
    public sealed class BadResponseException : OutcomeUnknownException
    {
        internal BadResponseException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// The service reported a failure, which does not say whether it created the order.
    /// </summary>
    public sealed class ServiceFailedException : OutcomeUnknownException
    {
        internal ServiceFailedException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>Cancelled after the request, or a part of it, was sent.</summary>
    public sealed class CancelledInFlightException : OutcomeUnknownException
    {
        internal CancelledInFlightException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>A bug, after a byte of the request was sent.</summary>
    public sealed class InternalInFlightException : OutcomeUnknownException
    {
        internal InternalInFlightException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// The journal has this order already: see Previous. This call sent nothing.
    /// </summary>
    public sealed class DuplicateException : OutcomeUnknownException
    {
        internal DuplicateException(ErrorFields error)
            : base(error)
        {
        }
    }

    /// <summary>
    /// PayorderLibrary's functions cannot use an argument. This says nothing about an order, so
    /// it is not a NotSentException.
    /// </summary>
    public sealed class UnusableTextException : PayorderException
    {
        internal UnusableTextException(ErrorFields error)
            : base(error)
        {
        }
    }
}
