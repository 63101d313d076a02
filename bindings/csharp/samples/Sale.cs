using System;
using Payorder;

/// <summary>A sale, from the order to the verified payment: Sale.exe ORDER_ID</summary>
internal static class Sale
{
    private static int Main(string[] arguments)
    {
        return Till.Run(() => Sell(arguments[0]));
    }

    private static int Sell(string orderId)
    {
        var order = Till.Order(orderId);
        var expected = new ExpectedPayment
        {
            OrderId = order.OrderId,
            Amount = order.Amount,
            NotBefore = DateTimeOffset.Now, // when the sale began
        };
        using (var client = PayorderClient.FromEnv())
        {
            Checkout checkout;
            try
            {
                checkout = client.CreateOrder(order);
            }
            catch (NotSentException error)
            {
                Console.WriteLine("this call sent nothing, try again: " + error.Message);
                return 1;
            }
            catch (RejectedException error)
            {
                Console.WriteLine("the service refused: " + error.Message);
                return 2;
            }
            catch (OutcomeUnknownException error)
            {
                Console.WriteLine("the order may exist: " + error.Action + ", " + error.Message);
                Ask(client, error.StatusQuery ?? StatusQuery.ByOrder(orderId));
                var page = error.Previous?.Url ?? error.CheckoutUrl;
                // What a person must look at may be the page of another sale.
                if (page != null && error.Action != Actions.AskPerson)
                {
                    Console.WriteLine("if it is not paid, the page is " + page);
                }
                return 3;
            }
            Console.WriteLine("send the customer to " + checkout.Url);

            Waited waited;
            try
            {
                waited = client.WaitForPayment(
                    StatusQuery.ByOrder(order.OrderId),
                    new WaitOptions
                    {
                        Wait = TimeSpan.FromMinutes(5),
                        Interval = TimeSpan.FromSeconds(0.5),
                    });
            }
            catch (PayorderException error)
            {
                // The order was created: an error of the wait leaves it open.
                Console.WriteLine("open, ask for its status later: " + error.Message);
                return 3;
            }
            if (waited.Status == null)
            {
                Console.WriteLine("no status was seen: " + waited.Error?.Message);
                return 3;
            }
            var verification = PayorderLibrary.VerifyPayment(expected, waited.Status);
            if (verification.Paid)
            {
                Console.WriteLine("paid");
                return 0;
            }
            var status = waited.Status;
            bool moved = status.TransactionStatus.Trim().ToLowerInvariant() == "completed"
                || status.RefundStatus + status.RefundType != ""
                || status.SettlementStatus + status.SettlementDate != "";
            Console.WriteLine(moved
                ? "a person must look at it: " + string.Join("; ", verification.Reasons)
                // Also after "Failed" or "Cancelled": only "Completed" is known to be the end.
                : "open, its status is " + waited.Status.TransactionStatus
                    + ": the customer may still pay");
            return 4;
        }
    }

    /// <summary>The answer to the order was lost. A query changes nothing.</summary>
    private static void Ask(PayorderClient client, StatusQuery query)
    {
        try
        {
            var status = client.GetStatus(query);
            Console.WriteLine("the order exists, its status is " + status.TransactionStatus);
            // Without its checkout URL, and if it is not paid, a person decides whether to sell again.
        }
        catch (PayorderException error)
        {
            // Even "no such order" proves nothing: the service may know it a moment later.
            Console.WriteLine("still unknown, ask again: " + error.Message);
        }
    }
}
