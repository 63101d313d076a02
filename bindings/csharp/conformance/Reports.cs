using System;
using System.Collections;
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
            ["suffix"] = "Exception",
            ["PAYORDER_CONNECT_FAILED"] = nameof(ConnectException),
            ["PAYORDER_TLS_FAILED"] = nameof(TlsException),
            ["PAYORDER_JOURNAL_FAILED"] = nameof(JournalException),
            ["PAYORDER_TIMEOUT"] = nameof(ResponseTimeoutException),
        };
        for (int at = 0; at < Bases.Length; at++)
        {
            classes[Clauses[at]] = Bases[at].Name;
        }
        return classes;
    }

    /// <summary>The names in a report; with =, that of the property, if it is another.</summary>
    private static readonly Dictionary<Type, string> Names = new Dictionary<Type, string>
    {
        [typeof(Checkout)] = "url responseCode responseMessage",
        [typeof(Status)] = "responseCode responseMessage merchantRefId orderId transactionId amount"
            + " customerName customerMobile customerEmail transactionStatus refundStatus refundType"
            + " merchantName settlementStatus settlementDate payMode completed"
            + " transactionDate=transactionDateText date=transactionDate",
        [typeof(PayorderException)] = "result name outcome cause action message operation attempts"
            + " elapsedMs=elapsed violations httpStatus responseCode responseMessage"
            + " retryAfterMs=retryAfter statusQuery previous status",
        [typeof(LogEvent)] = "event operation orderId transactionId attempt elapsedMs=elapsed host"
            + " result cause httpStatus transactionStatus",
        [typeof(Waited)] = "final timedOut polls status error",
        [typeof(Verification)] = "paid reasons unverifiable",
        [typeof(FailedCheck)] = "check expected actual",
        [typeof(Violation)] = "field rule",
        [typeof(ReturnUrl)] = "transactionId statusQuery",
        [typeof(Summary)] = "asked ok rejected unknown notSent stopped transactionStatus",
        [typeof(JournalEntry)] = "entry orderId merchantTxnId amount currencyCode state url result"
            + " transactionId transactionStatus note",
        [typeof(Resolved)] = "summary entries",
        [typeof(Recovered)] = "summary otherServices sales",
        [typeof(RecoveredSale)] = "orderId verdict amount url transactionStatus reasons entry",
    };

    /// <summary>What the driver writes of a value.</summary>
    internal static object Of(object value)
    {
        switch (value)
        {
            case PayorderOutcome outcome:
                return Clauses[(int)outcome - 1];
            case PayorderResult result:
                return (int)result;
            case TimeSpan time:
                return time.TotalMilliseconds;
            case DateTime date:
                return date.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture);
            case StatusQuery query:
                return JsonValue.Parse(query.Json);
            case IReadOnlyDictionary<string, long> counts:
                return counts.ToDictionary(one => one.Key, one => (object)one.Value);
            case string _:
            case Dictionary<string, object> _:
                return value;
            case IEnumerable many:
                return many.Cast<object>().Select(Of).ToList();
            default:
                return NamesOf(value) == null ? value : Fields(value);
        }
    }

    internal static Dictionary<string, object> Fields(object value)
    {
        var report = NamesOf(value).Split(' ').Select(name => name.Split('=')).ToDictionary(
            both => both[0], both => Of(Property(value, both.Last())));
        if (value is PayorderException error)
        {
            report["class"] = error.GetType().Name;
            report["caught"] = Clauses[Array.FindIndex(Bases, one => one.IsInstanceOfType(error))];
        }
        if (value is LogEvent logged)
        {
            report["name"] = JsonValue.Parse(logged.Raw)["name"];
        }
        return report;
    }

    private static string NamesOf(object value)
    {
        return Names.FirstOrDefault(one => one.Key.IsInstanceOfType(value)).Value;
    }

    private static object Property(object value, string name)
    {
        return value.GetType().GetProperty(char.ToUpperInvariant(name[0]) + name.Substring(1))
            .GetValue(value);
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
