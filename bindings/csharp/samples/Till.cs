using System;
using System.IO;
using Payorder;

/// <summary>What the samples share.</summary>
internal static class Till
{
    /// <summary>
    /// Runs a sample, and prints an error that it does not catch, such as wrong settings or a
    /// missing file. On .NET Core such an error would end the program with "Aborted".
    /// </summary>
    internal static int Run(Func<int> sample)
    {
        try
        {
            return sample();
        }
        catch (Exception error) when (error is PayorderException || error is IOException)
        {
            Console.Error.WriteLine(error.Message);
            return 5;
        }
    }

    internal static Order Order(string orderId)
    {
        return new Order
        {
            Amount = "249.50",
            MerchantTxnId = "TXN-" + orderId,
            OrderId = orderId,
            PayMode = "all",
            MerchantId = "M-1",
            ProductInfo = "Two coffees",
            CustomerName = "Asha Rao",
            CustomerMobile = "9000000001",
            CustomerEmail = "asha@example.com",
            RedirectionUrl = "https://shop.example.com/return",
            CurrencyCode = "INR",
        };
    }
}
