using System;
using Payorder;

/// <summary>
/// A till with a journal, which finds after a crash what it was doing:
///     Restart.exe JOURNAL ORDER_ID   sells; the sandbox does not answer, so end it with kill -9
///     Restart.exe JOURNAL            starts again, and asks for the orders that are open
/// </summary>
internal static class Restart
{
    private static int Main(string[] arguments)
    {
        return Till.Run(() => Start(arguments));
    }

    private static int Start(string[] arguments)
    {
        var config = new ClientConfig { Journal = arguments[0], Timeout = TimeSpan.FromSeconds(5) };
        using (var client = PayorderClient.FromEnv(config))
        {
            Ask(client);
            if (arguments.Length > 1)
            {
                Console.WriteLine("sending " + arguments[1]);
                try
                {
                    client.CreateOrder(Till.Order(arguments[1], "Two coffees sandbox:stall"));
                }
                catch (OutcomeUnknownException error)
                {
                    // Also if the journal has this order from an earlier run.
                    Console.WriteLine("the order may exist: " + error.Message);
                }
            }
        }
        return 0;
    }

    /// <summary>What a till does when it starts, before the first sale.</summary>
    private static void Ask(PayorderClient client)
    {
        // The time limit of an order that a killed program was sending must pass first.
        var recovered = client.Recover(options: new RecoverOptions { Wait = TimeSpan.FromSeconds(10) });
        foreach (var sale in recovered.Sales)
        {
            Console.WriteLine(sale.OrderId + ": " + sale.Verdict + ", "
                + (sale.TransactionStatus ?? "no status is known"));
        }
    }
}
