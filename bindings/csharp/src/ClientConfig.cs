namespace Payorder
{
    /// <summary>The settings of a client. A property that is null has its default.</summary>
    public sealed partial class ClientConfig
    {
        /// <summary>The https URL of the service. Required.</summary>
        public string? BaseUrl { get; set; }

        /// <summary>The path of the journal and no credential, for a log.</summary>
        public override string ToString() =>
            // A database's URI may have a password.
            "ClientConfig { Journal = "
            + (Journal == null ? "none" : Journal.Contains("://") ? "a database" : Journal) + " }";

        /// <summary>The configuration as JSON text. It has the credentials.</summary>
        public string ToJson()
        {
            var tls = WriteTls(new JsonWriter()).ToString();
            return Write(new JsonWriter(PayorderResult.InvalidConfig).Add("baseUrl", BaseUrl))
                .AddJson("tls", tls == "{}" ? null : tls)
                .ToString();
        }
    }
}
