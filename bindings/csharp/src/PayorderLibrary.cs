using System;
using System.Collections.Generic;
using System.Linq;

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
        public static Verification VerifyPayment(string expectedJson, string statusJson)
        {
            var first = Utf8.Bytes(expectedJson, nameof(expectedJson));
            var second = Utf8.Bytes(statusJson, nameof(statusJson));
            return new Verification(Calls.Offline(
                (out IntPtr json) => Native.Library.VerifyPayment(first, second, out json)));
        }

        /// <summary>Reads the transaction from the URL on which the customer came back.</summary>
        /// <exception cref="UnusableTextException">It does not name one transaction.</exception>
        public static ReturnUrl ParseReturnUrl(string url)
        {
            var bytes = Utf8.Bytes(url, nameof(url));
            return new ReturnUrl(Calls.Offline(
                (out IntPtr json) => Native.Library.ParseReturnUrl(bytes, out json)));
        }

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
            var order = Utf8.Bytes(orderJson, nameof(orderJson));
            var options = Utf8.Bytes(new JsonWriter()
                .Add("returnUrlField", returnUrlField)
                .Add("extraFields", extraFields)
                .ToString(), "options");
            return Calls.Offline(
                (out IntPtr json) => Native.Library.BuildCreateOrder(order, options, out json));
        }

        /// <summary>The body that GetStatus would send.</summary>
        /// <exception cref="UnusableTextException">The query breaks rules.</exception>
        public static string BuildGetStatus(StatusQuery query)
        {
            var bytes = Utf8.Bytes(query?.Json, nameof(query));
            return Calls.Offline(
                (out IntPtr json) => Native.Library.BuildGetStatus(bytes, out json));
        }
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

        /// <summary>What is expected of which order.</summary>
        public override string ToString()
        {
            return "ExpectedPayment { OrderId = " + OrderId + ", Amount = " + Amount
                + ", TransactionId = " + TransactionId + " }";
        }

        internal string ToJson() =>
            new JsonWriter()
                .Add("orderId", OrderId)
                .Add("amount", Amount.Text)
                .Add("transactionId", TransactionId)
                .ToString();
    }

    /// <summary>Whether an order is paid.</summary>
    public sealed partial class Verification
    {
        internal Verification(string raw)
        {
            var json = JsonValue.Parse(raw);
            _fields = json;
            Reasons = json["reasons"]!.Items.Select(one => new FailedCheck(one)).ToArray();
            Unverifiable = json["unverifiable"]!.Items.Select(one => one.Text!).ToArray();
        }

        /// <summary>Whether it is paid, and why not.</summary>
        public override string ToString()
        {
            return "Verification { Paid = " + Paid + ", Reasons = ["
                + string.Join(", ", Reasons) + "] }";
        }

        /// <summary>The checks that failed.</summary>
        public IReadOnlyList<FailedCheck> Reasons { get; }

        /// <summary>The fields that no response confirms.</summary>
        public IReadOnlyList<string> Unverifiable { get; }
    }

    /// <summary>What is compared: values of FailedCheck.Check.</summary>
    public static class Checks
    {
        /// <summary>The service's own code.</summary>
        public const string ResponseCode = "responseCode";
        /// <summary>It must be "Completed".</summary>
        public const string TransactionStatus = "transactionStatus";
        /// <summary>The order.</summary>
        public const string OrderId = "orderId";
        /// <summary>The transaction.</summary>
        public const string TransactionId = "transactionId";
        /// <summary>The amount.</summary>
        public const string Amount = "amount";
        /// <summary>It must be empty.</summary>
        public const string RefundStatus = "refundStatus";
        /// <summary>It must be empty.</summary>
        public const string RefundType = "refundType";
    }

    /// <summary>A check that failed.</summary>
    public sealed partial class FailedCheck
    {
        internal FailedCheck(JsonValue json)
        {
            _fields = json;
        }

        /// <summary>The check and both values.</summary>
        public override string ToString() => Check + ": expected " + Expected + ", got " + Actual;
    }

    /// <summary>The transaction that a return URL names. It does not prove a payment.</summary>
    public sealed partial class ReturnUrl
    {
        internal ReturnUrl(string raw)
        {
            var json = JsonValue.Parse(raw);
            _fields = json;
            StatusQuery = StatusQuery.FromJson(json["statusQuery"]!.Raw);
        }

        /// <summary>The transaction.</summary>
        public override string ToString() => "ReturnUrl { TransactionId = " + TransactionId + " }";

        /// <summary>What to give to GetStatus.</summary>
        public StatusQuery StatusQuery { get; }
    }
}
