using System;

namespace Payorder
{
    /// <summary>Chooses the class of an exception.</summary>
    internal static class ExceptionOf
    {
        /// <summary>The exception of a result. The range decides for an unknown number.</summary>
        internal static PayorderException Result(int result, string raw)
        {
            return Fields(new ErrorFields(result, raw));
        }

        /// <summary>The exception of a client that is disposed.</summary>
        internal static PayorderException Freed(int result)
        {
            return Result(result, new JsonWriter().AddJson("error", new JsonWriter()
                .Add("result", result)
                .Add("name", Utf8.Text(Native.Library.ResultName(result)))
                .Add("outcome", "not_sent")
                .Add("cause", Causes.ClientFreed)
                .Add("action", Actions.FixRequest)
                .Add("message", "the client is disposed; create another one")
                .ToString()).ToString());
        }

        /// <summary>
        /// The exception of a call that ended, and whose answer cannot be read. The answer is in
        /// the message, because it may have the only copy of a checkout URL.
        /// </summary>
        internal static PayorderException Unreadable(
            int result, string answer, StatusQuery query, Exception reason)
        {
            int seen = result == 0 ? (int)PayorderResult.InternalInFlight : result;
            var error = new JsonWriter()
                .Add("result", seen)
                .Add("name", Utf8.Text(Native.Library.ResultName(seen)))
                .Add("outcome", seen <= 99 ? "not_sent" : seen <= 199 ? "rejected" : "unknown")
                .Add("cause", Causes.Bug)
                .Add("action", query == null ? Actions.ReportBug : Actions.AskStatus)
                .Add("message", "the call ended, but its answer cannot be read: " + answer)
                .AddJson("statusQuery", query?.Json);
            var raw = new JsonWriter().AddJson("error", error.ToString()).ToString();
            return Fields(new ErrorFields(seen, raw, reason));
        }

        private static PayorderException Fields(ErrorFields error)
        {
            switch ((PayorderResult)error.Result)
            {
                case PayorderResult.InvalidArgument:
                    return new InvalidArgumentException(error);
                case PayorderResult.InvalidHandle:
                    return new InvalidHandleException(error);
                case PayorderResult.InvalidConfig:
                    return new InvalidConfigException(error);
                case PayorderResult.InvalidRequest:
                    return new InvalidRequestException(error);
                case PayorderResult.MissingCredentials:
                    return new MissingCredentialsException(error);
                case PayorderResult.ConnectFailed:
                    return new ConnectException(error);
                case PayorderResult.TlsFailed:
                    return new TlsException(error);
                case PayorderResult.Cancelled:
                    return new CancelledException(error);
                case PayorderResult.JournalFailed:
                    return new JournalException(error);
                case PayorderResult.Internal:
                    return new InternalException(error);
                case PayorderResult.Unauthorized:
                    return new UnauthorizedException(error);
                case PayorderResult.RateLimited:
                    return new RateLimitedException(error);
                case PayorderResult.Timeout:
                    return new ResponseTimeoutException(error);
                case PayorderResult.ConnectionLost:
                    return new ConnectionLostException(error);
                case PayorderResult.BadResponse:
                    return new BadResponseException(error);
                case PayorderResult.ServiceFailed:
                    return new ServiceFailedException(error);
                case PayorderResult.CancelledInFlight:
                    return new CancelledInFlightException(error);
                case PayorderResult.InternalInFlight:
                    return new InternalInFlightException(error);
                case PayorderResult.Duplicate:
                    return new DuplicateException(error);
            }
            switch (error.Outcome)
            {
                case PayorderOutcome.NotSent:
                    return new NotSentException(error);
                case PayorderOutcome.Rejected:
                    return new RejectedException(error);
                default:
                    return new OutcomeUnknownException(error);
            }
        }
    }
}
