using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;
using Payorder;

/// <summary>The package's objects as JSON, under the names of the service.</summary>
internal static class Reports
{
    private static readonly Type[] Bases =
    {
        typeof(NotSentException), typeof(RejectedException), typeof(OutcomeUnknownException),
        typeof(UnusableTextException),
    };

    private static readonly string[] Clauses = { "not_sent", "rejected", "unknown", "unusable" };

    /// <summary>The names of the classes, for the driver's first line.</summary>
    internal static Dictionary<string, object> Classes()
    {
        var classes = new Dictionary<string, object>
        {
            ["PAYORDER_INVALID_ARGUMENT"] = nameof(InvalidArgumentException),
            ["PAYORDER_INVALID_HANDLE"] = nameof(InvalidHandleException),
            ["PAYORDER_INVALID_CONFIG"] = nameof(InvalidConfigException),
            ["PAYORDER_INVALID_REQUEST"] = nameof(InvalidRequestException),
            ["PAYORDER_MISSING_CREDENTIALS"] = nameof(MissingCredentialsException),
            ["PAYORDER_CONNECT_FAILED"] = nameof(ConnectException),
            ["PAYORDER_TLS_FAILED"] = nameof(TlsException),
            ["PAYORDER_CANCELLED"] = nameof(CancelledException),
            ["PAYORDER_JOURNAL_FAILED"] = nameof(JournalException),
            ["PAYORDER_INTERNAL"] = nameof(InternalException),
            ["PAYORDER_UNAUTHORIZED"] = nameof(UnauthorizedException),
            ["PAYORDER_RATE_LIMITED"] = nameof(RateLimitedException),
            ["PAYORDER_TIMEOUT"] = nameof(ResponseTimeoutException),
            ["PAYORDER_CONNECTION_LOST"] = nameof(ConnectionLostException),
            ["PAYORDER_BAD_RESPONSE"] = nameof(BadResponseException),
            ["PAYORDER_SERVICE_FAILED"] = nameof(ServiceFailedException),
            ["PAYORDER_CANCELLED_IN_FLIGHT"] = nameof(CancelledInFlightException),
            ["PAYORDER_INTERNAL_IN_FLIGHT"] = nameof(InternalInFlightException),
            ["PAYORDER_DUPLICATE"] = nameof(DuplicateException),
        };
        for (int at = 0; at < Bases.Length; at++)
        {
            classes[Clauses[at]] = Bases[at].Name;
        }
        return classes;
    }

    internal static object Of(Checkout value)
    {
        return new Dictionary<string, object>
        {
            ["url"] = value.Url,
            ["responseCode"] = value.ResponseCode,
            ["responseMessage"] = value.ResponseMessage,
        };
    }

    internal static object Of(Status value)
    {
        return value == null ? null : new Dictionary<string, object>
        {
            ["responseCode"] = value.ResponseCode,
            ["responseMessage"] = value.ResponseMessage,
            ["merchantRefId"] = value.MerchantRefId,
            ["orderId"] = value.OrderId,
            ["transactionId"] = value.TransactionId,
            ["amount"] = value.Amount,
            ["customerName"] = value.CustomerName,
            ["customerMobile"] = value.CustomerMobile,
            ["customerEmail"] = value.CustomerEmail,
            ["transactionStatus"] = value.TransactionStatus,
            ["transactionDate"] = value.TransactionDateText,
            ["refundStatus"] = value.RefundStatus,
            ["refundType"] = value.RefundType,
            ["merchantName"] = value.MerchantName,
            ["settlementStatus"] = value.SettlementStatus,
            ["settlementDate"] = value.SettlementDate,
            ["payMode"] = value.PayMode,
            ["completed"] = value.Completed,
            ["date"] = value.TransactionDate?.ToString(
                "yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture),
        };
    }

    internal static object Of(PayorderException error)
    {
        return error == null ? null : new Dictionary<string, object>
        {
            ["result"] = (int)error.Result,
            ["name"] = error.Name,
            ["outcome"] = Clauses[(int)error.Outcome - 1],
            ["cause"] = error.Cause,
            ["action"] = error.Action,
            ["message"] = error.Message,
            ["operation"] = error.Operation,
            ["attempts"] = error.Attempts,
            ["elapsedMs"] = error.Elapsed?.TotalMilliseconds,
            ["violations"] = error.Violations.Select(one => (object)new Dictionary<string, object>
            {
                ["field"] = one.Field,
                ["rule"] = one.Rule,
            }).ToList(),
            ["httpStatus"] = error.HttpStatus,
            ["responseCode"] = error.ResponseCode,
            ["responseMessage"] = error.ResponseMessage,
            ["retryAfterMs"] = error.RetryAfter?.TotalMilliseconds,
            ["statusQuery"] = Of(error.StatusQuery),
            ["previous"] = Of(error.Previous),
            ["status"] = Of(error.Status),
            ["class"] = error.GetType().Name,
            ["caught"] = Clauses[Array.FindIndex(Bases, one => one.IsInstanceOfType(error))],
        };
    }

    internal static object Of(LogEvent value, string thread)
    {
        return new Dictionary<string, object>
        {
            ["event"] = value.Event,
            ["operation"] = value.Operation,
            ["orderId"] = value.OrderId,
            ["transactionId"] = value.TransactionId,
            ["attempt"] = value.Attempt,
            ["elapsedMs"] = value.Elapsed.TotalMilliseconds,
            ["host"] = value.Host,
            ["result"] = (int?)value.Result,
            ["name"] = JsonValue.Parse(value.Raw)["name"],
            ["cause"] = value.Cause,
            ["httpStatus"] = value.HttpStatus,
            ["transactionStatus"] = value.TransactionStatus,
            ["thread"] = thread,
        };
    }

    internal static object Of(Waited value)
    {
        return new Dictionary<string, object>
        {
            ["final"] = value.Final,
            ["timedOut"] = value.TimedOut,
            ["polls"] = value.Polls,
            ["status"] = Of(value.Status),
            ["error"] = Of(value.Error),
        };
    }

    internal static object Of(Verification value)
    {
        return new Dictionary<string, object>
        {
            ["paid"] = value.Paid,
            ["reasons"] = value.Reasons.Select(one => (object)new Dictionary<string, object>
            {
                ["check"] = one.Check,
                ["expected"] = one.Expected,
                ["actual"] = one.Actual,
            }).ToList(),
            ["unverifiable"] = value.Unverifiable.Cast<object>().ToList(),
        };
    }

    internal static object Of(ReturnUrl value)
    {
        return new Dictionary<string, object>
        {
            ["transactionId"] = value.TransactionId,
            ["statusQuery"] = Of(value.StatusQuery),
        };
    }

    internal static object Of(StatusQuery value)
    {
        return value == null ? null : JsonValue.Parse(value.Json);
    }

    internal static object Of(Summary value)
    {
        return new Dictionary<string, object>
        {
            ["asked"] = value.Asked,
            ["ok"] = value.Ok,
            ["rejected"] = value.Rejected,
            ["unknown"] = value.Unknown,
            ["notSent"] = value.NotSent,
            ["stopped"] = value.Stopped,
            ["transactionStatus"] = value.TransactionStatus.ToDictionary(
                pair => pair.Key, pair => (object)pair.Value),
        };
    }

    internal static object Of(JournalEntry value)
    {
        return value == null ? null : new Dictionary<string, object>
        {
            ["entry"] = value.Entry,
            ["orderId"] = value.OrderId,
            ["merchantTxnId"] = value.MerchantTxnId,
            ["amount"] = value.Amount,
            ["currencyCode"] = value.CurrencyCode,
            ["state"] = value.State,
            ["url"] = value.Url,
            ["result"] = (int?)value.Result,
            ["transactionId"] = value.TransactionId,
            ["transactionStatus"] = value.TransactionStatus,
            ["note"] = value.Note,
        };
    }

    internal static object Of(IEnumerable<JournalEntry> values)
    {
        return values.Select(Of).ToList();
    }

    /// <summary>Writes JSON: objects are dictionaries, arrays are lists.</summary>
    internal static string Json(object value)
    {
        if (value == null)
        {
            return "null";
        }
        if (value is string)
        {
            return Quoted((string)value);
        }
        if (value is bool)
        {
            return (bool)value ? "true" : "false";
        }
        if (value is Dictionary<string, object>)
        {
            return "{" + string.Join(",", ((Dictionary<string, object>)value).Select(
                one => Quoted(one.Key) + ":" + Json(one.Value))) + "}";
        }
        return value is List<object>
            ? "[" + string.Join(",", ((List<object>)value).Select(Json)) + "]"
            : Convert.ToString(value, CultureInfo.InvariantCulture);
    }

    private static string Quoted(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (char one in text)
        {
            if (one < ' ' || one == '"' || one == '\\')
            {
                quoted.Append("\\u").Append(((int)one).ToString("x4"));
            }
            else
            {
                quoted.Append(one);
            }
        }
        return quoted.Append('"').ToString();
    }
}
