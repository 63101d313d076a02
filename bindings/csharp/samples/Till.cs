using Payorder;

/// <summary>What the samples share: an order.</summary>
internal static class Till
{
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
