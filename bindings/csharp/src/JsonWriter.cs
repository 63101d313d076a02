using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using System.Text;

namespace Payorder
{
    /// <summary>Writes a JSON object. A value that is null is left out.</summary>
    internal sealed class JsonWriter
    {
        private static readonly char[] Special =
            ("\"\\" + string.Concat(Enumerable.Range(0, 32).Select(one => (char)one))).ToCharArray();

        private readonly StringBuilder _text = new StringBuilder("{");
        private readonly PayorderResult _invalid;

        /// <param name="invalid">The result of a value that cannot be sent to the library.</param>
        internal JsonWriter(PayorderResult invalid = PayorderResult.InvalidArgument)
        {
            _invalid = invalid;
        }

        internal JsonWriter Add(string key, object? value) =>
            value == null ? this : AddJson(key, Json(key, value));

        private string Json(string key, object value)
        {
            switch (value)
            {
                case string text:
                    return Quote(text, key);
                case bool flag:
                    return flag ? "true" : "false";
                case double number when double.IsNaN(number) || double.IsInfinity(number):
                    throw Invalid(key, " must be a finite number");
                case double number:
                    return number.ToString("R", CultureInfo.InvariantCulture);
                case TimeSpan time when time < TimeSpan.Zero:
                    // Also Timeout.InfiniteTimeSpan. "timeoutMs" is the property Timeout.
                    throw Invalid(key.Remove(key.Length - 2), " must not be negative or infinite");
                case TimeSpan time:
                    // In milliseconds, rounded up: a short one must not become 0.
                    return decimal.Ceiling((decimal)time.Ticks / TimeSpan.TicksPerMillisecond)
                        .ToString(CultureInfo.InvariantCulture);
                case IEnumerable<string> texts:
                    return "[" + string.Join(",", texts.Select(one => Quote(one, key))) + "]";
                case IEnumerable<KeyValuePair<string, string>> members:
                    var json = new JsonWriter();
                    foreach (var member in members)
                    {
                        json.AddJson(member.Key, Quote(member.Value, member.Key));
                    }
                    return json.ToString();
                default:
                    // A number, or what is JSON already.
                    return Convert.ToString(value, CultureInfo.InvariantCulture)!;
            }
        }

        private PayorderException Invalid(string key, string problem) => PayorderException.Create(
            _invalid, char.ToUpperInvariant(key[0]) + key.Substring(1) + problem);

        /// <summary>Adds a value that is JSON already.</summary>
        internal JsonWriter AddJson(string key, string? json)
        {
            if (json == null)
            {
                return this;
            }
            if (_text.Length > 1)
            {
                _text.Append(',');
            }
            _text.Append(Quote(key, key)).Append(':').Append(json);
            return this;
        }

        /// <summary>The object as JSON text.</summary>
        public override string ToString() => _text + "}";

        internal static string Quote(string? text, string name)
        {
            if (text == null)
            {
                return "null";
            }
            Utf8.Check(text, name);
            return '"' + (text.IndexOfAny(Special) < 0 ? text : string.Concat(text.Select(one =>
                one < ' ' ? "\\u" + ((int)one).ToString("x4")
                : Special.Contains(one) ? "\\" + one : one.ToString()))) + '"';
        }
    }
}
