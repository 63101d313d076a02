using System;
using Payorder;

/// <summary>
/// The answer to an order is lost, and its status says whether it exists: LostAnswer.exe ORDER_ID
/// </summary>
internal static class LostAnswer
{
    private static int Main(string[] arguments)
    {
        // The marker makes the sandbox keep the order and cut the connection.
        var order = Till.Order(arguments[0], "Two coffees sandbox:drop-after-commit");
        using (var client = new PayorderClient(Till.Config()))
        {
            try
            {
                Console.WriteLine("send the customer to " + client.CreateOrder(order).Url);
                return 0;
            }
            catch (OutcomeUnknownException error)
            {
                Console.WriteLine("the order may exist: " + error.Message);
                return Settle(client, error.StatusQuery);
            }
        }
    }

    private static int Settle(PayorderClient client, StatusQuery query)
    {
        try
        {
            var status = client.GetStatus(query);
            Console.WriteLine("the order exists, its status is " + status.TransactionStatus);
            // A status has no checkout URL. If the customer has not paid, sell with a new order.
            return 0;
        }
        catch (RejectedException error)
        {
            // The service may know the order a moment later: ask again before the sale is repeated.
            Console.WriteLine("the service does not know the order: " + error.ResponseMessage);
            return 3;
        }
        catch (PayorderException error)
        {
            Console.WriteLine("still unknown, ask again: " + error.Message);
            return 3;
        }
    }
}
