using System;
using System.ComponentModel;
using System.Globalization;
#if NETCOREAPP
using System.Text.Json.Serialization;
#endif

namespace Payorder
{
    /// <summary>
    /// An amount: decimal text such as "100.00", or a decimal. A double is not exact, and an int
    /// does not say whether it counts rupees or paise: the compiler refuses both. Two are equal if
    /// their numbers are: "100.00" is "100". Texts that are not numbers are compared as texts.
    /// </summary>
    [TypeConverter(typeof(FromText))]
#if NETCOREAPP
    [JsonConverter(typeof(AmountAsJson))]
#endif
    public readonly struct Amount : IEquatable<Amount>, IFormattable
    {
        private Amount(string? text)
        {
            Given = text;
        }

        internal string? Given { get; }

        /// <summary>The text that is sent, or that the service sent; not null.</summary>
        public string Text => Given ?? "";

        /// <summary>The number, or null if the text is not one that a decimal can hold.</summary>
        public decimal? Value =>
            // A longer text would be rounded.
            Text.Length <= 28 && decimal.TryParse(Text,
                NumberStyles.AllowDecimalPoint | NumberStyles.AllowLeadingSign,
                CultureInfo.InvariantCulture, out decimal value) ? value : (decimal?)null;

        /// <summary>Decimal text such as "100.00". The library checks it.</summary>
        public static implicit operator Amount(string? text) => new Amount(text);

        /// <summary>An exact number.</summary>
        public static implicit operator Amount(decimal amount) =>
            new Amount(amount.ToString(CultureInfo.InvariantCulture));

        /// <summary>Refused by the compiler.</summary>
        [Obsolete("rupees or paise? Give text such as \"100.00\", or a decimal: 100.00m", true)]
        public static implicit operator Amount(long amount) => throw new NotSupportedException();

        /// <summary>Whether the numbers are the same.</summary>
        public static bool operator ==(Amount left, Amount right) => left.Equals(right);

        /// <summary>Whether the numbers differ.</summary>
        public static bool operator !=(Amount left, Amount right) => !left.Equals(right);

        /// <summary>Whether the numbers are the same.</summary>
        public bool Equals(Amount other) =>
            Value == null ? Text == other.Text : Value == other.Value;

        /// <summary>Whether it is an Amount with the same number.</summary>
        public override bool Equals(object? other) => other is Amount amount && Equals(amount);

        /// <summary>Of the number.</summary>
        public override int GetHashCode() => Value?.GetHashCode() ?? Text.GetHashCode();

        /// <summary>The text that is sent, in every culture.</summary>
        public override string ToString() => Text;

        /// <summary>The number in a format such as "N2"; the text, if there is none.</summary>
        public string ToString(string? format, IFormatProvider? provider) =>
            string.IsNullOrEmpty(format) ? Text : Value?.ToString(format, provider) ?? Text;
    }
}

#if !NETCOREAPP
namespace System.Runtime.CompilerServices
{
    // The compiler marks Amount with it, which not every .NET Framework has.
    internal sealed class IsReadOnlyAttribute : Attribute
    {
    }
}
#endif
