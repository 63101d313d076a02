using System;
using System.Collections.Generic;

namespace Payorder
{
    /// <summary>The settings of a client. A property that is null has its default.</summary>
    public sealed class ClientConfig
    {
        /// <summary>The https URL of the service. Required.</summary>
        public string? BaseUrl { get; set; }

        /// <summary>The credential of Create Order.</summary>
        public string? AccessToken { get; set; }

        /// <summary>A credential of Get Status, like ClientId and SecretKey.</summary>
        public string? ClientKey { get; set; }

        /// <summary>A credential of Get Status.</summary>
        public string? ClientId { get; set; }

        /// <summary>A credential of Get Status.</summary>
        public string? SecretKey { get; set; }

        /// <summary>For a whole call: at most 10 minutes, default 30 seconds.</summary>
        public TimeSpan? Timeout { get; set; }

        /// <summary>For one connection: at most 10 minutes, default 10 seconds.</summary>
        public TimeSpan? ConnectTimeout { get; set; }

        /// <summary>Further attempts, only if no connection was made: 0 to 10, default 1.</summary>
        public int? CreateRetries { get; set; }

        /// <summary>Further attempts at Get Status: 0 to 10, default 2.</summary>
        public int? StatusRetries { get; set; }

        /// <summary>How long an idle connection is kept; default 2 seconds, 0 keeps none.</summary>
        public TimeSpan? MaxIdle { get; set; }

        /// <summary>The largest response: 1024 to 16777216, default 1048576.</summary>
        public int? MaxResponseBytes { get; set; }

        /// <summary>The URL of a proxy, or "none"; default: the environment variables.</summary>
        public string? Proxy { get; set; }

        /// <summary>"bundled" (default) or "system".</summary>
        public string? TlsRoots { get; set; }

        /// <summary>A PEM file with further certificate authorities.</summary>
        public string? TlsCaFile { get; set; }

        /// <summary>A PEM file with the client's certificate; needs TlsKeyFile.</summary>
        public string? TlsCertFile { get; set; }

        /// <summary>A PEM file with the private key of the certificate.</summary>
        public string? TlsKeyFile { get; set; }

        /// <summary>Allows http to other hosts than this machine, for tests.</summary>
        public bool? AllowInsecureHttp { get; set; }

        /// <summary>The hosts that a checkout URL may have; default any.</summary>
        public IEnumerable<string>? CheckoutHosts { get; set; }

        /// <summary>The wire name of the return URL; default redirectionURL.</summary>
        public string? ReturnUrlField { get; set; }

        /// <summary>Put before payorder/VERSION in the header User-Agent.</summary>
        public string? UserAgent { get; set; }

        /// <summary>The path of the journal, which is created if it does not exist.</summary>
        public string? Journal { get; set; }

        /// <summary>The path of the journal and no credential, for a log.</summary>
        public override string ToString()
        {
            return "ClientConfig { Journal = " + (Journal ?? "none") + " }";
        }

        /// <summary>The configuration as JSON text. It has the credentials.</summary>
        public string ToJson()
        {
            var tls = new JsonWriter()
                .Add("roots", TlsRoots)
                .Add("caFile", TlsCaFile)
                .Add("certFile", TlsCertFile)
                .Add("keyFile", TlsKeyFile)
                .ToString();
            return new JsonWriter(PayorderResult.InvalidConfig)
                .Add("baseUrl", BaseUrl)
                .Add("accessToken", AccessToken)
                .Add("clientKey", ClientKey)
                .Add("clientId", ClientId)
                .Add("secretKey", SecretKey)
                .Add("timeoutMs", Timeout)
                .Add("connectTimeoutMs", ConnectTimeout)
                .Add("createRetries", CreateRetries)
                .Add("statusRetries", StatusRetries)
                .Add("maxIdleMs", MaxIdle)
                .Add("maxResponseBytes", MaxResponseBytes)
                .Add("proxy", Proxy)
                .AddJson("tls", tls == "{}" ? null : tls)
                .Add("allowInsecureHttp", AllowInsecureHttp)
                .Add("checkoutHosts", CheckoutHosts)
                .Add("returnUrlField", ReturnUrlField)
                .Add("userAgent", UserAgent)
                .Add("journal", Journal)
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

        internal virtual JsonWriter Write()
        {
            return new JsonWriter()
                .Add("timeoutMs", Timeout)
                .Add("accessToken", AccessToken)
                .Add("clientKey", ClientKey)
                .Add("clientId", ClientId)
                .Add("secretKey", SecretKey);
        }
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

        internal override JsonWriter Write()
        {
            return base.Write().Add("extraFields", ExtraFields).Add("resend", Resend);
        }
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

        internal override JsonWriter Write()
        {
            return base.Write()
                .Add("waitMs", Wait)
                .Add("intervalMs", Interval)
                .Add("maxIntervalMs", MaxInterval)
                .Add("final", Final);
        }
    }

    /// <summary>Settings of GetStatuses and Journal.Resolve.</summary>
    public class BatchOptions : CallOptions
    {
        /// <summary>How many queries run at the same time: 1 to 64, default 8.</summary>
        public int? Concurrency { get; set; }

        /// <summary>The most queries per second, evenly spaced; default no limit.</summary>
        public double? RatePerSecond { get; set; }

        internal override JsonWriter Write()
        {
            return base.Write()
                .Add("concurrency", Concurrency)
                .Add("ratePerSecond", RatePerSecond);
        }
    }

    /// <summary>Settings of Recover.</summary>
    public sealed class RecoverOptions : BatchOptions
    {
        /// <summary>
        /// How long to wait for entries that another process is sending: at most 10 minutes,
        /// default 0.
        /// </summary>
        public TimeSpan? Wait { get; set; }

        internal override JsonWriter Write()
        {
            return base.Write().Add("waitMs", Wait);
        }
    }
}
