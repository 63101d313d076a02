using System;
using System.Globalization;

namespace Payorder
{
    /// <summary>
    /// What the service knows about an order. It does not prove a payment: give it to
    /// <see cref="PayorderLibrary.VerifyPayment(ExpectedPayment, Status)"/>. Texts are as the
    /// service sent them, and empty if it sent none.
    /// </summary>
    public sealed partial class Status
    {
        private readonly JsonValue _json;
        private readonly JsonValue? _fields;

        internal Status(string raw)
        {
            Raw = raw;
            _json = JsonValue.Parse(raw);
            _fields = _json["data"];
        }

        /// <summary>
        /// A status from the service's response, for tests without a service. TransactionDate needs
        /// what the library adds to it: "derived":{"transactionDate":"2026-11-21T14:05:06"}.
        /// </summary>
        public static Status FromJson(string json) => new Status(json);

        /// <summary>What happened to which order, without the customer's data.</summary>
        public override string ToString()
        {
            return "Status { OrderId = " + OrderId + ", TransactionId = " + TransactionId
                + ", Amount = " + Amount + ", TransactionStatus = " + TransactionStatus + " }";
        }

        /// <summary>The service's own code.</summary>
        public string ResponseCode => _json.TextOf("responseCode") ?? "";

        /// <summary>The service's own text.</summary>
        public string ResponseMessage => _json.TextOf("responseMessage") ?? "";

        /// <summary>Whether TransactionStatus is "Completed": no proof of a payment.</summary>
        public bool Completed => _json["derived"]?.IsTrue("completed")
            ?? TransactionStatus == "Completed";

        /// <summary>The date in TransactionDateText; null if it has another format.</summary>
        public DateTime? TransactionDate =>
            DateTime.TryParseExact(_json["derived"]?.TextOf("transactionDate"),
                "yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture, DateTimeStyles.None,
                out DateTime date)
                ? date
                : (DateTime?)null;

        /// <summary>The complete response as JSON text, with fields that are not here.</summary>
        public string Raw { get; }
    }

    /// <summary>The result of one of many queries: a status, or an error.</summary>
    public sealed class StatusResult
    {
        internal StatusResult(int index, StatusQuery query, int result, string raw)
            : this(index, query, result == 0 ? new Status(raw) : null,
                result == 0 ? null : ExceptionOf.Result(result, raw))
        {
        }

        /// <summary>For tests without a service: a status or an error.</summary>
        public StatusResult(
            int index, StatusQuery query, Status? status, PayorderException? error = null)
        {
            Index = index;
            Query = query;
            Status = status;
            Error = error;
        }

        /// <summary>The status or the error, without the customer's data.</summary>
        public override string ToString()
        {
            return "StatusResult { Index = " + Index + ", Status = " + Status
                + ", Error = " + Error?.Message + " }";
        }

        /// <summary>The query's place, from 0.</summary>
        public int Index { get; }

        /// <summary>The query itself.</summary>
        public StatusQuery Query { get; }

        /// <summary>The status, or null if there is an error.</summary>
        public Status? Status { get; }

        /// <summary>What GetStatus would have thrown, or null.</summary>
        public PayorderException? Error { get; }
    }
}
