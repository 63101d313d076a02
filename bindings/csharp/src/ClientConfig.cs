namespace Payorder
{
    /// <summary>The settings of a client. A property that is null has its default.</summary>
    public sealed partial class ClientConfig
    {
        /// <summary>The https URL of the service. Required.</summary>
        public string? BaseUrl { get; set; }

        /// <summary>The path of the journal and no credential, for a log.</summary>
        public override string ToString() =>
            "ClientConfig { Journal = "
            + (Journal == null ? "none" : MayShowPassword(Journal) ? "a database" : Journal) + " }";

        /// <summary>Whether a journal may be a database's address with a password.</summary>
        internal static bool MayShowPassword(string journal) =>
            journal.IndexOfAny(new[] { '@', '=' }) >= 0;

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
