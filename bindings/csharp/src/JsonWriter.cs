using System;
using System.Collections.Generic;
using System.Globalization;
using System.Text;

namespace Payorder
{
    /// <summary>Writes a JSON object. A value that is null is left out.</summary>
    internal sealed class JsonWriter
    {
        private readonly StringBuilder _text = new StringBuilder("{");
        private readonly PayorderResult _invalid;

        /// <param name="invalid">The result of a value that cannot be sent to the library.</param>
        internal JsonWriter(PayorderResult invalid = PayorderResult.InvalidArgument)
        {
            _invalid = invalid;
        }

        internal JsonWriter Add(string key, string? value)
        {
            return value == null ? this : AddJson(key, Quote(value, key));
        }

        internal JsonWriter Add(string key, long? value)
        {
            return value == null
                ? this
                : AddJson(key, value.Value.ToString(CultureInfo.InvariantCulture));
        }

        /// <summary>Adds a time in milliseconds, rounded up: a short one must not become 0.</summary>
        internal JsonWriter Add(string key, TimeSpan? value)
        {
            if (value < TimeSpan.Zero) // also System.Threading.Timeout.InfiniteTimeSpan
            {
                // "timeoutMs" is the property Timeout.
                var name = char.ToUpperInvariant(key[0]) + key.Substring(1, key.Length - 3);
                throw PayorderException.Create(_invalid, name + " must not be negative or infinite");
            }
            return Add(key, (long?)(value == null
                ? (decimal?)null
                : decimal.Ceiling((decimal)value.Value.Ticks / TimeSpan.TicksPerMillisecond)));
        }

        internal JsonWriter Add(string key, double? value)
        {
            return value == null
                ? this
                : AddJson(key, value.Value.ToString("R", CultureInfo.InvariantCulture));
        }

        internal JsonWriter Add(string key, bool? value)
        {
            return value == null ? this : AddJson(key, value.Value ? "true" : "false");
        }

        internal JsonWriter Add(string key, IEnumerable<string>? values)
        {
            if (values == null)
            {
                return this;
            }
            var quoted = new List<string>();
            foreach (var value in values)
            {
                quoted.Add(Quote(value, key));
            }
            return AddJson(key, "[" + string.Join(",", quoted) + "]");
        }

        internal JsonWriter Add(string key, IEnumerable<KeyValuePair<string, string>>? members)
        {
            if (members == null)
            {
                return this;
            }
            var json = new JsonWriter();
            foreach (var member in members)
            {
                json.AddJson(member.Key, Quote(member.Value, member.Key));
            }
            return AddJson(key, json.ToString());
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

        /// <summary>The object with one more text, if it is not null, as JSON text.</summary>
        internal string With(string key, string? value)
        {
            if (value == null)
            {
                return ToString();
            }
            var comma = _text.Length > 1 ? "," : "";
            return _text + comma + Quote(key, key) + ":" + Quote(value, key) + "}";
        }

        /// <summary>The object as JSON text.</summary>
        public override string ToString()
        {
            return _text + "}";
        }

        internal static string Quote(string? text, string name)
        {
            if (text == null)
            {
                return "null";
            }
            Utf8.Check(text, name);
            var quoted = new StringBuilder(text.Length + 2).Append('"');
            foreach (char one in text)
            {
                if (one == '"' || one == '\\')
                {
                    quoted.Append('\\').Append(one);
                }
                else if (one < ' ')
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
}
