using System;
using System.ComponentModel;
using System.Globalization;
#if NETCOREAPP
using System.Text.Json;
using System.Text.Json.Serialization;
#endif

namespace Payorder
{
    /// <summary>
    /// For IConfiguration, Newtonsoft.Json and designers: an amount or a query of its text.
    /// </summary>
    internal sealed class FromText : TypeConverter
    {
        private readonly Type _type;

        public FromText(Type type)
        {
            _type = type;
        }

        public override bool CanConvertFrom(ITypeDescriptorContext? context, Type source) =>
            source == typeof(string);

        public override object ConvertFrom(
            ITypeDescriptorContext? context, CultureInfo? culture, object value) =>
            _type == typeof(Amount)
                ? (object)(Amount)(string)value : StatusQuery.FromJson((string)value);
    }

#if NETCOREAPP
    internal sealed class AmountAsJson : JsonConverter<Amount>
    {
        public override Amount Read(
            ref Utf8JsonReader reader, Type type, JsonSerializerOptions options)
        {
            if (reader.TokenType != JsonTokenType.Number)
            {
                return reader.GetString();
            }
            // As it is written: a decimal would be rounded.
            using var number = JsonDocument.ParseValue(ref reader);
            var text = number.RootElement.GetRawText();
            return text.IndexOfAny(new[] { 'e', 'E' }) < 0
                ? text : (Amount)number.RootElement.GetDecimal();
        }

        public override void Write(
            Utf8JsonWriter writer, Amount value, JsonSerializerOptions options) =>
            writer.WriteStringValue(value.Text);
    }

    /// <summary>A credential, or what may have one: it is read, and goes into no JSON of a log.
    /// </summary>
    internal class NotWritten : JsonConverter<string>
    {
        public override string Read(
            ref Utf8JsonReader reader, Type type, JsonSerializerOptions options) =>
            reader.GetString();

        public override void Write(
            Utf8JsonWriter writer, string value, JsonSerializerOptions options) =>
            writer.WriteNullValue();
    }

    /// <summary>A journal. A program that reads its configuration again must not lose it, so a
    /// database, whose URI may have a password, becomes one that is refused.</summary>
    internal sealed class FileWritten : NotWritten
    {
        public override void Write(
            Utf8JsonWriter writer, string value, JsonSerializerOptions options) =>
            writer.WriteStringValue(
                ClientConfig.MayShowPassword(value) ? "postgresql://..." : value);
    }

    /// <summary>What has a JSON text is that text.</summary>
    internal abstract class AsJson<T> : JsonConverter<T>
    {
        private readonly Func<string, T> _read;
        private readonly Func<T, string> _text;

        protected AsJson(Func<string, T> read, Func<T, string> text)
        {
            _read = read;
            _text = text;
        }

        public override T Read(ref Utf8JsonReader reader, Type type, JsonSerializerOptions options)
        {
            using var json = JsonDocument.ParseValue(ref reader);
            return _read(json.RootElement.GetRawText());
        }

        public override void Write(Utf8JsonWriter writer, T value, JsonSerializerOptions options)
        {
            using var json = JsonDocument.Parse(_text(value));
            json.WriteTo(writer);
        }
    }

    internal sealed class StatusQueryAsJson : AsJson<StatusQuery>
    {
        public StatusQueryAsJson() : base(StatusQuery.FromJson, query => query.Json) { }
    }
#endif
}
