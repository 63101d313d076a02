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
        var config = Till.Config();
        config.Journal = arguments[0];
        using (var client = new PayorderClient(config))
        {
            Ask(client);
            if (arguments.Length > 1)
            {
                Console.WriteLine("sending " + arguments[1]);
                client.CreateOrder(Till.Order(arguments[1], "Two coffees sandbox:stall"));
            }
        }
        return 0;
    }

    /// <summary>What a till does when it starts, before the first sale.</summary>
    private static void Ask(PayorderClient client)
    {
        foreach (var entry in client.Journal.List("unresolved"))
        {
            Console.WriteLine("unresolved: " + entry.OrderId);
        }
        var resolved = client.Journal.Resolve();
        var summary = resolved.Summary;
        Console.WriteLine("asked about " + summary.Asked + ", the service knows " + summary.Ok);
        foreach (var entry in resolved.Entries)
        {
            Console.WriteLine("ask again later: " + entry.OrderId);
        }
        foreach (var entry in client.Journal.List("created"))
        {
            // The journal remembers it, so it is not sent twice.
            Console.WriteLine(
                "exists: " + entry.OrderId + ", " + (entry.TransactionStatus ?? "not asked yet"));
        }
    }
}
