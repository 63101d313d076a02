using System.Collections.Generic;
using System.Linq;

namespace Payorder
{
    /// <summary>What is known of an open sale: values of RecoveredSale.Verdict.</summary>
    public static class Verdicts
    {
        /// <summary>Paid, and verified.</summary>
        public const string Paid = "paid";
        /// <summary>Money moved, not as expected: a person decides.</summary>
        public const string Check = "check";
        /// <summary>Not paid: the customer can pay at the URL.</summary>
        public const string Payable = "payable";
        /// <summary>Not paid, and its URL was lost: a person decides.</summary>
        public const string UrlLost = "url_lost";
        /// <summary>It may exist: ask again later.</summary>
        public const string Unknown = "unknown";
        /// <summary>Another process is sending it.</summary>
        public const string Sending = "sending";
        /// <summary>The service refused it.</summary>
        public const string Refused = "refused";
        /// <summary>Nothing was sent.</summary>
        public const string NotSent = "not_sent";
        /// <summary>A person closed it.</summary>
        public const string Settled = "settled";
        /// <summary>The journal and the service do not know it.</summary>
        public const string NotInJournal = "not_in_journal";
    }

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
            Raw = json.Raw;
        }

        /// <summary>The sale as JSON text.</summary>
        public override string ToString()
        {
            return Raw;
        }

        /// <summary>Your identifier of the order.</summary>
        public string OrderId { get; }

        /// <summary>What is known of it: one of <see cref="Verdicts"/>.</summary>
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

        /// <summary>The sale as JSON text.</summary>
        public string Raw { get; }

        /// <summary>What to give to GetStatus.</summary>
        public StatusQuery StatusQuery => StatusQuery.ByOrder(OrderId);
    }

    /// <summary>The result of PayorderClient.Recover.</summary>
    public sealed class Recovered
    {
        internal Recovered(string raw)
        {
            var json = JsonValue.Parse(raw);
            Raw = raw;
            Summary = Summary.Of(json);
            OtherServices = (int)(json.NumberOf("otherServices") ?? 0);
            Sales = json.ItemsOf("sales").Select(one => new RecoveredSale(one)).ToArray();
        }

        /// <summary>
        /// For tests without a service: from sales, each with orderId, verdict, amount and what
        /// else it has, and perhaps summary and otherServices.
        /// </summary>
        /// <exception cref="System.FormatException">It cannot be read.</exception>
        public static Recovered FromJson(string json)
        {
            return new Recovered(json);
        }

        /// <summary>The verdicts.</summary>
        public override string ToString()
        {
            return "Recovered { Sales = [" + string.Join(", ", Sales)
                + "], OtherServices = " + OtherServices + " }";
        }

        /// <summary>How many queries had which result.</summary>
        public Summary Summary { get; }

        /// <summary>How many open entries the journal has of other services.</summary>
        public int OtherServices { get; }

        /// <summary>The verdicts.</summary>
        public IReadOnlyList<RecoveredSale> Sales { get; }

        /// <summary>The complete result as JSON text.</summary>
        public string Raw { get; }
    }
}
