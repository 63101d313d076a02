using System;
using System.Globalization;

namespace Payorder
{
    /// <summary>
    /// An amount: decimal text such as "100.00", or a decimal. A double is not exact, and an int
    /// does not say whether it counts rupees or paise: the compiler refuses both. Two are equal if
    /// their texts are: "100.00" is not "100".
    /// </summary>
    public struct Amount : IEquatable<Amount>
    {
        private Amount(string text)
        {
            Text = text;
        }

        /// <summary>The text that is sent. The library checks it.</summary>
        public string Text { get; }

        /// <summary>Decimal text such as "100.00".</summary>
        public static implicit operator Amount(string text) => new Amount(text);

        /// <summary>An exact number.</summary>
        public static implicit operator Amount(decimal amount) =>
            new Amount(amount.ToString(CultureInfo.InvariantCulture));

        /// <summary>Refused by the compiler.</summary>
        [Obsolete("rupees or paise? Give text such as \"100.00\", or a decimal: 100.00m", true)]
        public static implicit operator Amount(long amount)
        {
            throw new NotSupportedException();
        }

        /// <summary>Whether the texts are the same.</summary>
        public static bool operator ==(Amount left, Amount right)
        {
            return left.Text == right.Text;
        }

        /// <summary>Whether the texts differ.</summary>
        public static bool operator !=(Amount left, Amount right)
        {
            return left.Text != right.Text;
        }

        /// <summary>Whether the texts are the same.</summary>
        public bool Equals(Amount other) => this == other;

        /// <summary>Whether it is an Amount with the same text.</summary>
        public override bool Equals(object? other) => other is Amount amount && this == amount;

        /// <summary>Of the text.</summary>
        public override int GetHashCode() => Text?.GetHashCode() ?? 0;

        /// <summary>The text that is sent.</summary>
        public override string ToString() => Text;
    }
}
