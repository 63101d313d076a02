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

        internal JsonWriter Add(string key, object? value) =>
            value == null ? this : AddJson(key, Json(key, value));

        private static string Json(string key, object value)
        {
            switch (value)
            {
                case string text:
                    return Quote(text, key);
                case bool flag:
                    return flag ? "true" : "false";
                case double number:
                    var written = number.ToString("R", CultureInfo.InvariantCulture);
                    // JSON has no such number, and the library says what it takes.
                    return double.IsNaN(number) || double.IsInfinity(number)
                        ? Quote(written, key) : written;
                case TimeSpan time:
                    // In milliseconds: a short one, or one below 0, must not become 0.
                    return decimal.Truncate((time.Ticks + Math.Sign(time.Ticks) * 9999m)
                        / TimeSpan.TicksPerMillisecond).ToString(CultureInfo.InvariantCulture);
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
