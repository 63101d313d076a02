using System;
using System.ComponentModel;
#if NETCOREAPP
using System.Text.Json.Serialization;
#endif

namespace Payorder
{
    /// <summary>An order. All fields are required; the library says which are missing.</summary>
    public sealed partial class Order
    {
        /// <summary>At least 1.</summary>
        public Amount Amount { get; set; }

        /// <summary>One of <see cref="PayModes"/>.</summary>
        public string PayMode { get; set; } = null!;

        /// <summary>The order's identifiers and amount, without the customer's data.</summary>
        public override string ToString()
        {
            return "Order { OrderId = " + OrderId + ", MerchantTxnId = " + MerchantTxnId
                + ", Amount = " + Amount + " }";
        }

        /// <summary>The order as JSON text. It has the customer's data.</summary>
        public string ToJson()
        {
            var json = new JsonWriter().Add("amount", Amount.Given).Add("payMode", PayMode);
            return Write(json).ToString();
        }
    }

    /// <summary>
    /// Which order to ask about. A string is the identifier of the order. Two are equal if their
    /// JSON texts are.
    /// </summary>
    [TypeConverter(typeof(FromText))]
#if NETCOREAPP
    [JsonConverter(typeof(StatusQueryAsJson))]
#endif
    public sealed class StatusQuery
    {
        private StatusQuery(string json)
        {
            Json = json;
        }

        /// <summary>The query as JSON text.</summary>
        public string Json { get; }

        /// <summary>Asks by your identifier of the order.</summary>
        public static StatusQuery ByOrder(string orderId) =>
            new StatusQuery(
                new JsonWriter().Add("searchType", "1").Add("orderId", orderId).ToString());

        /// <summary>Asks by your identifier of the order.</summary>
        public static implicit operator StatusQuery(string orderId) =>
            orderId == null ? null! : ByOrder(orderId);

        /// <summary>Asks by the service's identifier of the transaction.</summary>
        public static StatusQuery ByTransaction(string transactionId) =>
            new StatusQuery(new JsonWriter()
                .Add("searchType", "2").Add("transactionId", transactionId).ToString());

        /// <summary>A query that was kept as <see cref="Json"/>.</summary>
        /// <exception cref="InvalidArgumentException">It is not one JSON object.</exception>
        public static StatusQuery FromJson(string json)
        {
            try
            {
                // Two objects would shift the results of the queries after them.
                if (JsonValue.Parse(json).Kind == JsonKind.Object)
                {
                    return new StatusQuery(json);
                }
            }
            catch (FormatException)
            {
                // As another value.
            }
            throw ErrorFields.Own(PayorderResult.InvalidArgument, Causes.NotJson,
                Actions.FixRequest, "the query is not a JSON object");
        }

        /// <summary>Whether the JSON texts are the same.</summary>
        public static bool operator ==(StatusQuery? left, StatusQuery? right) =>
            left?.Json == right?.Json;

        /// <summary>Whether the JSON texts differ.</summary>
        public static bool operator !=(StatusQuery? left, StatusQuery? right) => !(left == right);

        /// <summary>Whether the JSON texts are the same.</summary>
        public override bool Equals(object? other) =>
            Json == (other as StatusQuery)?.Json;

        /// <summary>Of the JSON text.</summary>
        public override int GetHashCode() => Json.GetHashCode();

        /// <summary>The query as JSON text.</summary>
        public override string ToString() => Json;
    }
}
