using System;
using System.Collections;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Reflection;
using System.Text.RegularExpressions;
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

    /// <summary>The keys that are not named after their property.</summary>
    private static readonly Dictionary<string, string> Keys = new Dictionary<string, string>
    {
        ["TransactionDateText"] = "transactionDate",
        ["TransactionDate"] = "date",
    };

    /// <summary>Writes a value as JSON.</summary>
    internal static string Json(object value)
    {
        switch (value)
        {
            case null:
                return "null";
            case string text:
                return Quoted(text);
            case bool flag:
                return flag ? "true" : "false";
            case PayorderOutcome outcome:
                return Quoted(Clauses[(int)outcome - 1]);
            case PayorderResult result:
                return Json((int)result);
            case TimeSpan time:
                return Json(time.TotalMilliseconds);
            case DateTime date:
                return Quoted(date.ToString("yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture));
            case DateTimeOffset time:
                return Quoted(time.ToString("o", CultureInfo.InvariantCulture));
            case Amount amount:
                return Quoted(amount.Text);
            case JsonValue json:
                return json.Raw;
            case StatusQuery query:
                return query.Json;
            case IEnumerable<KeyValuePair<string, object>> members:
                return "{" + string.Join(",", members.Select(
                    one => Quoted(one.Key) + ":" + Json(one.Value))) + "}";
            case IEnumerable<KeyValuePair<string, long>> counts:
                return Json(counts.ToDictionary(one => one.Key, one => (object)one.Value));
            case IEnumerable many:
                return "[" + string.Join(",", many.Cast<object>().Select(Json)) + "]";
            default:
                return value.GetType().Namespace == "Payorder"
                    ? Json(Fields(value))
                    : Convert.ToString(value, CultureInfo.InvariantCulture);
        }
    }

    internal static Dictionary<string, object> Fields(object value)
    {
        var report = new Dictionary<string, object>();
        foreach (var property in value.GetType().GetProperties())
        {
            bool own = property.DeclaringType.Namespace == "Payorder" || property.Name == "Message";
            if (own && (property.Name != "Raw" || value is Status))
            {
                report[Key(property)] = property.GetValue(value);
            }
        }
        if (value is PayorderException error)
        {
            report["class"] = error.GetType().Name;
            report["caught"] = Clauses[Array.FindIndex(Bases, one => one.IsInstanceOfType(error))];
        }
        return report;
    }

    private static string Key(PropertyInfo property)
    {
        var name = property.Name;
        var time = property.PropertyType == typeof(TimeSpan)
            || property.PropertyType == typeof(TimeSpan?);
        return Keys.TryGetValue(name, out string key)
            ? key
            : char.ToLowerInvariant(name[0]) + name.Substring(1) + (time ? "Ms" : "");
    }

    private static string Quoted(string text) =>
        '"' + Regex.Replace(text, "[\0-\x1f\"\\\\]",
            one => "\\u" + ((int)one.Value[0]).ToString("x4")) + '"';
}
