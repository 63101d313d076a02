using System;
using Payorder;

/// <summary>What the samples share: the settings, and an order.</summary>
internal static class Till
{
    internal static ClientConfig Config()
    {
        return new ClientConfig
        {
            BaseUrl = Environment.GetEnvironmentVariable("PAYORDER_BASE_URL"),
            AccessToken = Environment.GetEnvironmentVariable("PAYORDER_ACCESS_TOKEN"),
            ClientKey = Environment.GetEnvironmentVariable("PAYORDER_CLIENT_KEY"),
            ClientId = Environment.GetEnvironmentVariable("PAYORDER_CLIENT_ID"),
            SecretKey = Environment.GetEnvironmentVariable("PAYORDER_SECRET_KEY"),
        };
    }

    internal static Order Order(string orderId, string productInfo)
    {
        return new Order
        {
            Amount = "249.50",
            MerchantTxnId = "TXN-" + orderId,
            OrderId = orderId,
            PayMode = "all",
            MerchantId = "M-1",
            ProductInfo = productInfo,
            CustomerName = "आशा राव",
            CustomerMobile = "9000000001",
            CustomerEmail = "asha@example.com",
            RedirectionUrl = "https://shop.example.com/return",
            CurrencyCode = "INR",
        };
    }
}
