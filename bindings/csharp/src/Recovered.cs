using System.Collections.Generic;
using System.Linq;

namespace Payorder
{
    /// <summary>What is known of one open sale. What is not known is null.</summary>
    public sealed class RecoveredSale
    {
        internal RecoveredSale(JsonValue json)
        {
            OrderId = json.TextOf("orderId") ?? "";
            Verdict = json.TextOf("verdict") ?? "";
            Amount = json.TextOf("amount");
            Url = json.TextOf("url");
            TransactionStatus = json.TextOf("transactionStatus");
            Reasons = json["reasons"]?.Items.Select(one => new FailedCheck(one)).ToArray()
                ?? new FailedCheck[0];
            Entry = json.NumberOf("entry");
        }

        /// <summary>Your identifier of the order.</summary>
        public string OrderId { get; }

        /// <summary>
        /// paid, check, payable, url_lost, unknown, sending, refused, not_sent, settled or
        /// not_in_journal.
        /// </summary>
        public string Verdict { get; }

        /// <summary>The amount, if it is known.</summary>
        public string? Amount { get; }

        /// <summary>Where the customer can pay.</summary>
        public string? Url { get; }

        /// <summary>Of its last status.</summary>
        public string? TransactionStatus { get; }

        /// <summary>Why it is "check".</summary>
        public IReadOnlyList<FailedCheck> Reasons { get; }

        /// <summary>The number of the journal's entry.</summary>
        public long? Entry { get; }

        /// <summary>What to give to GetStatus.</summary>
        public StatusQuery StatusQuery => StatusQuery.ByOrder(OrderId);
    }

    /// <summary>The result of PayorderClient.Recover.</summary>
    public sealed class Recovered
    {
        internal Recovered(string raw)
        {
            var json = JsonValue.Parse(raw);
            Summary = new Summary(json["summary"]!);
            OtherServices = (int)(json.NumberOf("otherServices") ?? 0);
            Sales = json["sales"]!.Items.Select(one => new RecoveredSale(one)).ToArray();
        }

        /// <summary>How many queries had which result.</summary>
        public Summary Summary { get; }

        /// <summary>How many open entries the journal has of other services.</summary>
        public int OtherServices { get; }

        /// <summary>The verdicts.</summary>
        public IReadOnlyList<RecoveredSale> Sales { get; }
    }
}
