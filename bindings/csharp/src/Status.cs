using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;

namespace Payorder
{
    /// <summary>
    /// What the service knows about an order. It does not prove a payment: give it to
    /// <see cref="PayorderLibrary.VerifyPayment(ExpectedPayment, Status)"/>. Texts are as the
    /// service sent them, and empty if it sent none.
    /// </summary>
    public sealed class Status
    {
        private readonly JsonValue _json;

        internal Status(string raw)
        {
            Raw = raw;
            _json = JsonValue.Parse(raw);
        }

        public string ResponseCode => _json.TextOf("responseCode") ?? "";

        public string ResponseMessage => _json.TextOf("responseMessage") ?? "";

        /// <summary>The service's reference of the merchant's order.</summary>
        public string MerchantRefId => Data("merchantRefId");

        public string OrderId => Data("orderId");

        /// <summary>The service's identifier of the transaction.</summary>
        public string TransactionId => Data("transactionId");

        public string Amount => Data("amount");

        public string CustomerName => Data("customerName");

        public string CustomerMobile => Data("customerMobile");

        public string CustomerEmail => Data("customerEmail");

        /// <summary>"Completed" for a finished payment.</summary>
        public string TransactionStatus => Data("transactionStatus");

        /// <summary>MM/DD/YYYY hh:mm:ss AM or PM, without a time zone.</summary>
        public string TransactionDateText => Data("transactionDate");

        /// <summary>Not empty after a refund.</summary>
        public string RefundStatus => Data("refundStatus");

        public string RefundType => Data("refundType");

        public string MerchantName => Data("merchantName");

        public string SettlementStatus => Data("settlementStatus");

        public string SettlementDate => Data("settlementDate");

        public string PayMode => Data("payMode");

        /// <summary>Whether TransactionStatus is "Completed": no proof of a payment.</summary>
        public bool Completed => _json["derived"] != null && _json["derived"].IsTrue("completed");

        /// <summary>The date in TransactionDateText; null if it has another format.</summary>
        public DateTime? TransactionDate =>
            DateTime.TryParseExact(_json["derived"]?.TextOf("transactionDate"),
                "yyyy-MM-dd'T'HH:mm:ss", CultureInfo.InvariantCulture, DateTimeStyles.None,
                out DateTime date)
                ? date
                : (DateTime?)null;

        /// <summary>The complete response as JSON text, with fields that are not here.</summary>
        public string Raw { get; }

        private string Data(string key)
        {
            return _json["data"]?.TextOf(key) ?? "";
        }
    }

    /// <summary>The result of waiting for a payment.</summary>
    public sealed class Waited
    {
        internal Waited(string raw)
        {
            Raw = raw;
            var json = JsonValue.Parse(raw);
            Final = json.IsTrue("final");
            TimedOut = json.IsTrue("timedOut");
            Polls = (int)(json.NumberOf("polls") ?? 0);
            var status = json["status"];
            Status = status == null ? null : new Status(status.Raw);
            var error = json["error"];
            Error = error == null
                ? null
                : ExceptionOf.Result(
                    (int)(error.NumberOf("result") ?? -1), "{\"error\":" + error.Raw + "}");
        }

        /// <summary>Whether the payment is final. It may not be paid: verify Status.</summary>
        public bool Final { get; }

        public bool TimedOut { get; }

        /// <summary>How many queries were sent.</summary>
        public int Polls { get; }

        /// <summary>The last status seen, or null.</summary>
        public Status Status { get; }

        /// <summary>The error of the last query, or null if it succeeded.</summary>
        public PayorderException Error { get; }

        public string Raw { get; }
    }

    /// <summary>The result of one of many queries: a status, or an error.</summary>
    public sealed class StatusResult
    {
        internal StatusResult(int index, StatusQuery query, int result, string raw)
        {
            Index = index;
            Query = query;
            Status = result == 0 ? new Status(raw) : null;
            Error = result == 0 ? null : ExceptionOf.Result(result, raw);
        }

        /// <summary>The query's place, from 0.</summary>
        public int Index { get; }

        public StatusQuery Query { get; }

        /// <summary>The status, or null if there is an error.</summary>
        public Status Status { get; }

        /// <summary>What GetStatus would have thrown, or null.</summary>
        public PayorderException Error { get; }
    }

    /// <summary>How many queries had which result.</summary>
    public sealed class Summary
    {
        internal Summary(JsonValue json)
        {
            Asked = (int)(json.NumberOf("asked") ?? 0);
            Ok = (int)(json.NumberOf("ok") ?? 0);
            Rejected = (int)(json.NumberOf("rejected") ?? 0);
            Unknown = (int)(json.NumberOf("unknown") ?? 0);
            NotSent = (int)(json.NumberOf("notSent") ?? 0);
            Stopped = json.IsTrue("stopped");
            ElapsedMs = json.NumberOf("elapsedMs") ?? 0;
            var counts = json["transactionStatus"];
            TransactionStatus = counts == null
                ? new Dictionary<string, long>()
                : counts.Keys.ToDictionary(key => key, key => counts.NumberOf(key) ?? 0);
            Raw = json.Raw;
        }

        public int Asked { get; }

        public int Ok { get; }

        public int Rejected { get; }

        public int Unknown { get; }

        public int NotSent { get; }

        /// <summary>Whether it was cancelled, or the callback stopped it.</summary>
        public bool Stopped { get; }

        public long ElapsedMs { get; }

        /// <summary>How many statuses had each transactionStatus.</summary>
        public IReadOnlyDictionary<string, long> TransactionStatus { get; }

        public string Raw { get; }
    }
}
