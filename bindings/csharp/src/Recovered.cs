using System.Collections.Generic;
using System.Linq;

namespace Payorder
{
    /// <summary>
    /// What is known of an open sale, and what to do: values of RecoveredSale.Verdict. Show any
    /// other to a person.
    /// </summary>
    public static class Verdicts
    {
        /// <summary>
        /// Paid: the cashier completes the sale; if it was paid in cash or sold again, a person
        /// decides.
        /// </summary>
        public const string Paid = "paid";
        /// <summary>Money moved, not as expected (see the reasons): a person decides.</summary>
        public const string Check = "check";
        /// <summary>Not paid: the customer can pay at the URL.</summary>
        public const string Payable = "payable";
        /// <summary>Not paid, and its URL was lost: a person decides, and may sell again.</summary>
        public const string UrlLost = "url_lost";
        /// <summary>It may exist: show it to a person, and ask again later.</summary>
        public const string Unknown = "unknown";
        /// <summary>Another process is sending it, or was killed while it did: ask again.</summary>
        public const string Sending = "sending";
        /// <summary>
        /// Refused, the service has no such order: sell again if the customer still wants it.
        /// </summary>
        public const string Refused = "refused";
        /// <summary>
        /// Not sent, the service has no such order: sell again if the customer still wants it.
        /// </summary>
        public const string NotSent = "not_sent";
        /// <summary>A person closed it: do nothing, and show no URL.</summary>
        public const string Settled = "settled";
        /// <summary>
        /// Not known: sell again, if this journal was in use, and not restored or pruned since;
        /// otherwise a person decides.
        /// </summary>
        public const string NotInJournal = "not_in_journal";
    }

    /// <summary>What is known of one open sale. What is not known is null.</summary>
    public sealed partial class RecoveredSale
    {
        internal RecoveredSale(JsonValue json)
        {
            _fields = json;
            Verdict = json.TextOf("verdict") ?? "";
            Reasons = json["reasons"]?.Items.Select(one => new FailedCheck(one)).ToArray()
                ?? new FailedCheck[0];
        }

        /// <summary>The sale as JSON text.</summary>
        public override string ToString() => Raw;

        /// <summary>What is known of it: one of <see cref="Verdicts"/>.</summary>
        public string Verdict { get; }

        /// <summary>Why it is "check".</summary>
        public IReadOnlyList<FailedCheck> Reasons { get; }

        /// <summary>What to give to GetStatus.</summary>
        public StatusQuery StatusQuery => StatusQuery.ByOrder(OrderId);
    }

    /// <summary>The result of PayorderClient.Recover.</summary>
    public sealed partial class Recovered
    {
        internal Recovered(string raw)
        {
            var json = JsonValue.Parse(raw);
            _fields = json;
            Summary = Summary.Of(json);
            Sales = json.ItemsOf("sales").Select(one => new RecoveredSale(one)).ToArray();
        }

        /// <summary>
        /// For tests without a service: from sales, each with orderId, verdict, amount and what
        /// else it has, and perhaps summary and otherServices.
        /// </summary>
        /// <exception cref="System.FormatException">It cannot be read.</exception>
        public static Recovered FromJson(string json) => new Recovered(json);

        /// <summary>The verdicts.</summary>
        public override string ToString()
        {
            return "Recovered { Sales = [" + string.Join(", ", Sales)
                + "], OtherServices = " + OtherServices + " }";
        }

        /// <summary>How many queries had which result.</summary>
        public Summary Summary { get; }

        /// <summary>The verdicts.</summary>
        public IReadOnlyList<RecoveredSale> Sales { get; }
    }
}
