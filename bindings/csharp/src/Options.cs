using System;
using System.Collections.Generic;

namespace Payorder
{
    /// <summary>The settings of a client. A property that is null has its default.</summary>
    public sealed partial class ClientConfig
    {
        /// <summary>The https URL of the service. Required.</summary>
        public string? BaseUrl { get; set; }

        /// <summary>The path of the journal and no credential, for a log.</summary>
        public override string ToString() =>
            "ClientConfig { Journal = " + (Journal ?? "none") + " }";

        /// <summary>The configuration as JSON text. It has the credentials.</summary>
        public string ToJson()
        {
            var tls = WriteTls(new JsonWriter()).ToString();
            return Write(new JsonWriter(PayorderResult.InvalidConfig).Add("baseUrl", BaseUrl))
                .AddJson("tls", tls == "{}" ? null : tls)
                .ToString();
        }
    }

    /// <summary>Settings of one call, instead of the client's.</summary>
    public class CallOptions
    {
        /// <summary>For the whole call, or for each query of a wait or of many statuses.</summary>
        public TimeSpan? Timeout { get; set; }

        /// <summary>The credential of Create Order.</summary>
        public string? AccessToken { get; set; }

        /// <summary>A credential of Get Status.</summary>
        public string? ClientKey { get; set; }

        /// <summary>A credential of Get Status.</summary>
        public string? ClientId { get; set; }

        /// <summary>A credential of Get Status.</summary>
        public string? SecretKey { get; set; }

        internal virtual JsonWriter Write() =>
            new JsonWriter()
                .Add("timeoutMs", Timeout)
                .Add("accessToken", AccessToken)
                .Add("clientKey", ClientKey)
                .Add("clientId", ClientId)
                .Add("secretKey", SecretKey);
    }

    /// <summary>Settings of CreateOrder.</summary>
    public sealed class OrderOptions : CallOptions
    {
        /// <summary>Further fields of the request, sent after the eleven.</summary>
        public IEnumerable<KeyValuePair<string, string>>? ExtraFields { get; set; }

        /// <summary>
        /// Sends an order again that is "unknown" in the journal. The customer may then have two.
        /// </summary>
        public bool? Resend { get; set; }

        internal override JsonWriter Write() =>
            base.Write().Add("extraFields", ExtraFields).Add("resend", Resend);
    }

    /// <summary>Settings of WaitForPayment.</summary>
    public sealed class WaitOptions : CallOptions
    {
        /// <summary>How long to wait: at most a day, default 5 minutes.</summary>
        public TimeSpan? Wait { get; set; }

        /// <summary>The first pause, which grows by half: 10 ms to 10 minutes, default 3 seconds.</summary>
        public TimeSpan? Interval { get; set; }

        /// <summary>The longest pause: 10 ms to 10 minutes, default 15 seconds.</summary>
        public TimeSpan? MaxInterval { get; set; }

        /// <summary>
        /// Texts of transactionStatus that end the wait, in addition to "Completed". The customer
        /// may still be able to pay: this stops the wait, and not the order.
        /// </summary>
        public IEnumerable<string>? Final { get; set; }

        internal override JsonWriter Write() =>
            base.Write()
                .Add("waitMs", Wait)
                .Add("intervalMs", Interval)
                .Add("maxIntervalMs", MaxInterval)
                .Add("final", Final);
    }

    /// <summary>Settings of GetStatuses and Journal.Resolve.</summary>
    public class BatchOptions : CallOptions
    {
        /// <summary>How many queries run at the same time: 1 to 64, default 8.</summary>
        public int? Concurrency { get; set; }

        /// <summary>The most queries per second, evenly spaced; default no limit.</summary>
        public double? RatePerSecond { get; set; }

        internal override JsonWriter Write() =>
            base.Write()
                .Add("concurrency", Concurrency)
                .Add("ratePerSecond", RatePerSecond);
    }

    /// <summary>Settings of Recover.</summary>
    public sealed class RecoverOptions : BatchOptions
    {
        /// <summary>
        /// How long to wait for entries that another process is sending: at most 10 minutes,
        /// default 0.
        /// </summary>
        public TimeSpan? Wait { get; set; }

        internal override JsonWriter Write() => base.Write().Add("waitMs", Wait);
    }
}
