using System;
using System.Collections.Generic;
using System.Globalization;

namespace Payorder
{
    /// <summary>What the library does without the network.</summary>
    public static class PayorderLibrary
    {
        /// <summary>The version of the loaded library.</summary>
        public static string Version => Utf8.Text(Native.Library.Version())!;

        /// <summary>The version of its interface.</summary>
        public static int AbiVersion => (int)Native.Library.AbiVersion();

        /// <summary>How many clients were created and not freed, to find leaks.</summary>
        public static long LiveClients => (long)Native.Library.LiveClients();

        /// <summary>How many strings were returned and not freed.</summary>
        public static long LiveStrings => (long)Native.Library.LiveStrings();

        /// <summary>How many calls are running.</summary>
        public static long LiveCalls => (long)Native.Library.LiveCalls();

        /// <summary>Compares a status with what was expected.</summary>
        /// <exception cref="UnusableTextException">One of them cannot be used.</exception>
        public static Verification VerifyPayment(ExpectedPayment expected, Status status) =>
            VerifyPayment(expected,
                (status ?? throw new ArgumentNullException(nameof(status))).Raw);

        /// <summary>The same with the service's response as JSON text.</summary>
        public static Verification VerifyPayment(ExpectedPayment expected, string statusJson) =>
            VerifyPayment(
                (expected ?? throw new ArgumentNullException(nameof(expected))).ToJson(),
                statusJson);

        /// <summary>The same with both as JSON text.</summary>
        public static Verification VerifyPayment(string expectedJson, string statusJson) =>
            new Verification(JsonValue.Parse(Read(Native.Library.VerifyPayment,
                Utf8.Bytes(expectedJson, nameof(expectedJson)),
                Utf8.Bytes(statusJson, nameof(statusJson)))));

        /// <summary>Reads the transaction from the URL on which the customer came back.</summary>
        /// <exception cref="UnusableTextException">It does not name one transaction.</exception>
        public static ReturnUrl ParseReturnUrl(string url) =>
            new ReturnUrl(JsonValue.Parse(
                Read(Native.Library.ParseReturnUrl, Utf8.Bytes(url, nameof(url)))));

        /// <summary>The body that CreateOrder would send.</summary>
        /// <exception cref="UnusableTextException">The order breaks rules.</exception>
        public static string BuildCreateOrder(Order order, string? returnUrlField = null,
            IEnumerable<KeyValuePair<string, string>>? extraFields = null) =>
            BuildCreateOrder(
                (order ?? throw new ArgumentNullException(nameof(order))).ToJson(),
                returnUrlField, extraFields);

        /// <summary>The same with the order as JSON text.</summary>
        public static string BuildCreateOrder(string orderJson, string? returnUrlField = null,
            IEnumerable<KeyValuePair<string, string>>? extraFields = null)
        {
            var options = new JsonWriter()
                .Add("returnUrlField", returnUrlField)
                .Add("extraFields", extraFields);
            return Read(Native.Library.BuildCreateOrder, Utf8.Bytes(orderJson, nameof(orderJson)),
                Utf8.Bytes(options.ToString(), nameof(options)));
        }

        /// <summary>The body that GetStatus would send.</summary>
        /// <exception cref="UnusableTextException">The query breaks rules.</exception>
        public static string BuildGetStatus(StatusQuery query) =>
            Read(Native.Library.BuildGetStatus, Utf8.Bytes(query?.Json, nameof(query)));

        private static string Read(Native.TextCall function, byte[]? text) =>
            Answer.Of((out IntPtr json) => function(text, out json)).ReadOffline();

        private static string Read(Native.TextsCall function, byte[]? first, byte[]? second) =>
            Answer.Of((out IntPtr json) => function(first, second, out json)).ReadOffline();
    }

    /// <summary>The payment that the merchant expects, from its own records.</summary>
    public sealed class ExpectedPayment
    {
        /// <summary>Your identifier of the order.</summary>
        public string OrderId { get; set; } = null!;

        /// <summary>What the customer must have paid.</summary>
        public Amount Amount { get; set; }

        /// <summary>Compared too, if it is not null.</summary>
        public string? TransactionId { get; set; }

        /// <summary>
        /// When the sale began, if it is not null: a payment long before it is another sale's.
        /// </summary>
        public DateTimeOffset? NotBefore { get; set; }

        /// <summary>What is expected of which order.</summary>
        public override string ToString() => "ExpectedPayment " + ToJson();

        internal string ToJson() =>
            new JsonWriter()
                .Add("orderId", OrderId)
                .Add("amount", Amount.Given)
                .Add("transactionId", TransactionId)
                .Add("notBefore", NotBefore?.UtcDateTime.ToString(
                    "yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture))
                .ToString();
    }
}
