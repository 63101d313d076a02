using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Payorder
{
    /// <summary>What a <see cref="JsonValue"/> is.</summary>
    public enum JsonKind
    {
        /// <summary>null.</summary>
        Null,
        /// <summary>true or false.</summary>
        Boolean,
        /// <summary>A number, as it is written.</summary>
        Number,
        /// <summary>A string.</summary>
        String,
        /// <summary>An array.</summary>
        Array,
        /// <summary>An object.</summary>
        Object,
    }

    /// <summary>
    /// A value of a JSON text, for fields that this version of the package has no property for.
    /// Numbers stay as they are written.
    /// </summary>
    public sealed class JsonValue
    {
        private static readonly JsonValue[] None = new JsonValue[0];

        private readonly string _source;
        private readonly int _start;
        private readonly int _end;
        private readonly string? _text;
        private readonly List<JsonValue>? _items;
        private readonly List<string>? _keys;

        internal JsonValue(JsonKind kind, string source, int start, int end, string? text,
            List<string>? keys, List<JsonValue>? items)
        {
            Kind = kind;
            _source = source;
            _start = start;
            _end = end;
            _text = text;
            _keys = keys;
            _items = items;
        }

        /// <summary>What the value is.</summary>
        public JsonKind Kind { get; }

        /// <summary>The value as it is written in the text.</summary>
        public string Raw => _source.Substring(_start, _end - _start);

        /// <summary>A string's own text. Of null: null. Of any other value: its JSON.</summary>
        public string? Text => Kind == JsonKind.String ? _text : Kind == JsonKind.Null ? null : Raw;

        /// <summary>The elements of an array, or the values of an object.</summary>
        public IReadOnlyList<JsonValue> Items => _items ?? (IReadOnlyList<JsonValue>)None;

        /// <summary>The keys of an object, in the order of <see cref="Items"/>.</summary>
        public IReadOnlyList<string> Keys => _keys ?? (IReadOnlyList<string>)new string[0];

        /// <summary>The value of an object's key, or null if there is none.</summary>
        public JsonValue? this[string key]
        {
            get
            {
                int at = _keys == null ? -1 : _keys.IndexOf(key);
                return at < 0 ? null : _items![at];
            }
        }

        /// <summary>Reads a JSON text.</summary>
        /// <exception cref="FormatException">It is not JSON.</exception>
        public static JsonValue Parse(string json)
        {
            if (json == null)
            {
                throw new ArgumentNullException(nameof(json));
            }
            return new JsonReader(json).Read();
        }

        /// <summary>The value as JSON text.</summary>
        public override string ToString() => Raw;

        /// <summary>The value of an object's key; null if there is none or it is null.</summary>
        internal JsonValue? Present(string key)
        {
            var value = this[key];
            return value == null || value.Kind == JsonKind.Null ? null : value;
        }

        /// <summary>The elements of an array that an object must have.</summary>
        internal IReadOnlyList<T> ListOf<T>(string key, Func<JsonValue, T> read)
        {
            var value = this[key];
            return value != null && value.Kind == JsonKind.Array
                ? value.Items.Select(read).ToArray()
                : throw new FormatException("no array \"" + key + "\"");
        }

        /// <summary>The same; an empty list if there is none.</summary>
        internal IReadOnlyList<T> ListIfAny<T>(string key, Func<JsonValue, T> read) =>
            Present(key) == null ? new T[0] : ListOf(key, read);

        /// <summary>What a value is read as; null if there is none.</summary>
        internal T? PartOf<T>(string key, Func<JsonValue, T> read)
            where T : class
        {
            var value = Present(key);
            return value == null ? null : read(value);
        }

        /// <summary>The numbers of an object by their keys.</summary>
        internal IReadOnlyDictionary<string, long> CountsOf(string key) =>
            (this[key]?.Keys ?? new string[0])
                .ToDictionary(one => one, one => this[key]!.NumberOf(one) ?? 0);

        /// <summary>The URL of a created order.</summary>
        internal string CheckoutUrl() =>
            this["data"]?.TextOf("url") ?? throw new FormatException("no checkout URL");

        /// <summary>The summary in a result; that of a test may be missing.</summary>
        internal Summary Summary() => new Summary(this["summary"] ?? Parse("{}"));

        /// <summary>The text of an object's key; null if there is none or it is null.</summary>
        internal string? TextOf(string key) => this[key]?.Text;

        /// <summary>
        /// A text, also of an object in it, such as "data/amount"; empty if there is none.
        /// </summary>
        internal string EmptyOf(string path)
        {
            JsonValue? value = this;
            foreach (var key in path.Split(new[] { '/' }))
            {
                value = value?[key];
            }
            return value?.Text ?? "";
        }

        /// <summary>
        /// Whether a status is completed, also without what the library derives from it.
        /// </summary>
        internal bool IsCompleted(string path) =>
            EmptyOf(path) == ""
                ? EmptyOf("data/transactionStatus") == "Completed"
                : EmptyOf(path) == "true";

        /// <summary>A status's date, also without what the library derives from it.</summary>
        internal DateTime? DateOf(string path)
        {
            var sent = EmptyOf("data/transactionDate");
            var isDerived = this["derived"] != null;
            // Verification reads only the text that was sent: without it there is no date.
            return sent.Length > 0 && DateTime.TryParseExact(isDerived ? EmptyOf(path) : sent,
                isDerived ? "yyyy-MM-dd'T'HH:mm:ss" : "MM/dd/yyyy hh:mm:ss tt",
                CultureInfo.InvariantCulture, DateTimeStyles.None, out DateTime date)
                ? date
                : (DateTime?)null;
        }

        internal long? NumberOf(string key)
        {
            var value = this[key];
            return value != null && value.Kind == JsonKind.Number
                && long.TryParse(value.Raw, NumberStyles.AllowLeadingSign,
                    CultureInfo.InvariantCulture, out long number)
                ? number
                : (long?)null;
        }

        internal int? WholeOf(string key) => (int?)NumberOf(key);

        internal PayorderResult? ResultOf(string key) => (PayorderResult?)WholeOf(key);

        /// <summary>A time such as 2026-11-21T14:05:06.789Z.</summary>
        internal DateTimeOffset? InstantOf(string key) =>
            DateTimeOffset.TryParse(TextOf(key), CultureInfo.InvariantCulture,
                DateTimeStyles.AssumeUniversal, out DateTimeOffset time)
                ? time
                : (DateTimeOffset?)null;

        /// <summary>A number of milliseconds.</summary>
        internal TimeSpan? TimeOf(string key)
        {
            var number = NumberOf(key);
            return number == null
                ? (TimeSpan?)null
                : number > TimeSpan.MaxValue.Ticks / TimeSpan.TicksPerMillisecond
                ? TimeSpan.MaxValue
                : TimeSpan.FromTicks(number.Value * TimeSpan.TicksPerMillisecond);
        }

        internal bool IsTrue(string key)
        {
            var value = this[key];
            return value != null && value.Kind == JsonKind.Boolean && value.Raw == "true";
        }
    }
}
