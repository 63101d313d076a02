using System;
using Payorder;

/// <summary>
/// The answer to an order is lost, and its status says whether it exists: LostAnswer.exe ORDER_ID
/// </summary>
internal static class LostAnswer
{
    private static int Main(string[] arguments)
    {
        return Till.Run(() => Sell(arguments[0]));
    }

    private static int Sell(string orderId)
    {
        // The marker makes the sandbox keep the order and cut the connection.
        var order = Till.Order(orderId, "Two coffees sandbox:drop-after-commit");
        using (var client = PayorderClient.FromEnv())
        {
            try
            {
                Console.WriteLine("send the customer to " + client.CreateOrder(order).Url);
                return 0;
            }
            catch (OutcomeUnknownException error)
            {
                Console.WriteLine("the order may exist: " + error.Action + ", " + error.Message);
                return Settle(client, error.StatusQuery ?? StatusQuery.ByOrder(order.OrderId));
            }
        }
    }

    private static int Settle(PayorderClient client, StatusQuery query)
    {
        try
        {
            var status = client.GetStatus(query);
            Console.WriteLine("the order exists, its status is " + status.TransactionStatus);
            // Its checkout URL is lost. If it is not paid, a person decides whether to sell again.
            return 0;
        }
        catch (PayorderException error)
        {
            // Even "no such order" proves nothing: the service may know it a moment later.
            Console.WriteLine("still unknown, ask again: " + error.Message);
            return 3;
        }
    }
}
