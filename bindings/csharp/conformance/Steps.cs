using System;
using System.Collections.Generic;
using System.Globalization;
using System.Linq;
using Payorder;

/// <summary>What a step says, as the package's own objects.</summary>
internal static class Steps
{
    private static readonly string[] OrderKeys =
    {
        "amount", "merchantTxnId", "orderId", "payMode", "merchantId", "productInfo",
        "customerName", "customerMobile", "customerEmail", "redirectionURL", "currencyCode",
    };

    internal static ClientConfig Config(JsonValue json)
    {
        var tls = json["tls"];
        return new ClientConfig
        {
            BaseUrl = json["baseUrl"]?.Text,
            AccessToken = json["accessToken"]?.Text,
            ClientKey = json["clientKey"]?.Text,
            ClientId = json["clientId"]?.Text,
            SecretKey = json["secretKey"]?.Text,
            Timeout = Time(json, "timeoutMs"),
            ConnectTimeout = Time(json, "connectTimeoutMs"),
            CreateRetries = Number(json, "createRetries"),
            StatusRetries = Number(json, "statusRetries"),
            MaxIdle = Time(json, "maxIdleMs"),
            MaxResponseBytes = Number(json, "maxResponseBytes"),
            Proxy = json["proxy"]?.Text,
            TlsRoots = tls?["roots"]?.Text,
            TlsCaFile = tls?["caFile"]?.Text,
            TlsCertFile = tls?["certFile"]?.Text,
            TlsKeyFile = tls?["keyFile"]?.Text,
            AllowInsecureHttp = Truth(json, "allowInsecureHttp"),
            CheckoutHosts = json["checkoutHosts"]?.Items.Select(one => one.Text),
            ReturnUrlField = json["returnUrlField"]?.Text,
            UserAgent = json["userAgent"]?.Text,
            Journal = json["journal"]?.Text,
        };
    }

    /// <summary>The order, or null if it has other fields or types than the class.</summary>
    internal static Order Order(JsonValue json)
    {
        if (json.Keys.Any(key => !OrderKeys.Contains(key))
            || json.Items.Any(one => one.Kind != JsonKind.String))
        {
            return null;
        }
        return new Order
        {
            Amount = json["amount"]?.Text,
            MerchantTxnId = json["merchantTxnId"]?.Text,
            OrderId = json["orderId"]?.Text,
            PayMode = json["payMode"]?.Text,
            MerchantId = json["merchantId"]?.Text,
            ProductInfo = json["productInfo"]?.Text,
            CustomerName = json["customerName"]?.Text,
            CustomerMobile = json["customerMobile"]?.Text,
            CustomerEmail = json["customerEmail"]?.Text,
            RedirectionUrl = json["redirectionURL"]?.Text,
            CurrencyCode = json["currencyCode"]?.Text,
        };
    }

    internal static StatusQuery Query(JsonValue json)
    {
        if (json.Keys.Count == 1 && json["orderId"] != null)
        {
            return StatusQuery.ByOrder(json["orderId"].Text);
        }
        return json.Keys.Count == 1 && json["transactionId"] != null
            ? StatusQuery.ByTransaction(json["transactionId"].Text)
            : StatusQuery.FromJson(json.Raw);
    }

    internal static ExpectedPayment Expected(JsonValue json)
    {
        return new ExpectedPayment
        {
            OrderId = json["orderId"]?.Text,
            Amount = json["amount"]?.Text,
            TransactionId = json["transactionId"]?.Text,
        };
    }

    /// <summary>Options of any call, with those that all calls have.</summary>
    internal static T Options<T>(JsonValue json)
        where T : CallOptions, new()
    {
        return json == null ? new T() : new T
        {
            Timeout = Time(json, "timeoutMs"),
            AccessToken = json["accessToken"]?.Text,
            ClientKey = json["clientKey"]?.Text,
            ClientId = json["clientId"]?.Text,
            SecretKey = json["secretKey"]?.Text,
        };
    }

    internal static OrderOptions OrderOptions(JsonValue json)
    {
        var options = Options<OrderOptions>(json);
        options.ExtraFields = ExtraFields(json);
        options.Resend = json == null ? null : Truth(json, "resend");
        return options;
    }

    internal static WaitOptions WaitOptions(JsonValue json)
    {
        var options = Options<WaitOptions>(json);
        if (json != null)
        {
            options.Wait = Time(json, "waitMs");
            options.Interval = Time(json, "intervalMs");
            options.MaxInterval = Time(json, "maxIntervalMs");
            options.Final = json["final"]?.Items.Select(one => one.Text);
        }
        return options;
    }

    internal static BatchOptions BatchOptions(JsonValue json)
    {
        var options = Options<BatchOptions>(json);
        if (json != null)
        {
            options.Concurrency = Number(json, "concurrency");
            var rate = json["ratePerSecond"];
            options.RatePerSecond = rate == null
                ? (double?)null
                : double.Parse(rate.Raw, CultureInfo.InvariantCulture);
        }
        return options;
    }

    internal static IEnumerable<KeyValuePair<string, string>> ExtraFields(JsonValue json)
    {
        var fields = json?["extraFields"];
        return fields?.Keys.Select(
            key => new KeyValuePair<string, string>(key, fields[key].Text));
    }

    internal static int? Number(JsonValue json, string key)
    {
        var value = json?[key];
        return value == null
            ? (int?)null
            : int.Parse(value.Raw, CultureInfo.InvariantCulture);
    }

    private static TimeSpan? Time(JsonValue json, string key)
    {
        var number = Number(json, key);
        return number == null ? (TimeSpan?)null : TimeSpan.FromMilliseconds(number.Value);
    }

    private static bool? Truth(JsonValue json, string key)
    {
        return json[key] == null ? (bool?)null : json[key].Raw == "true";
    }
}
