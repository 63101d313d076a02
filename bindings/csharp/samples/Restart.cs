using System;
using Payorder;

/// <summary>
/// A till with a journal, which finds after a crash what it was doing:
///     Restart.exe JOURNAL ORDER_ID
/// End it with kill -9 while it waits for the service, and start it again. It does not send the order
/// a second time.
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
            var order = Till.Order(arguments[1]);
            var verdict = Ask(client, order);
            // After NotInJournal the order may exist, too, if this journal was restored, replaced or
            // pruned.
            if (verdict != Verdicts.NotInJournal && verdict != Verdicts.NotSent
                && verdict != Verdicts.Refused)
            {
                return 0; // the order may exist
            }
            try
            {
                Console.WriteLine("send the customer to " + client.CreateOrder(order).Url);
            }
            catch (OutcomeUnknownException error)
            {
                // Also a DuplicateException: another program has sent it meanwhile.
                Console.WriteLine("the order may exist: " + error.Action + ", " + error.Message);
                var page = error.Previous?.Url ?? error.CheckoutUrl;
                // What a person must look at may be the page of another sale.
                if (page != null && error.Action != Actions.AskPerson)
                {
                    Console.WriteLine("if it is not paid, the page is " + page);
                }
            }
        }
        return 0;
    }

    /// <summary>
    /// What a till does when it starts: it asks for the open orders of the journal, and for the sales
    /// that its own records do not call finished. Returns the verdict of this sale, which is the first.
    /// </summary>
    private static string Ask(PayorderClient client, Order order)
    {
        var open = new[] { new ExpectedPayment { OrderId = order.OrderId, Amount = order.Amount } };
        // The time limit of an order that a killed program was sending must pass first.
        var recovered = client.Recover(open, new RecoverOptions { Wait = TimeSpan.FromSeconds(40) });
        foreach (var sale in recovered.Sales)
        {
            Console.WriteLine(sale.OrderId + ": " + sale.Verdict + ", "
                + (sale.TransactionStatus ?? "no status is known"));
            if (sale.Verdict == Verdicts.Payable)
            {
                Console.WriteLine("the customer pays at " + sale.Url);
            }
        }
        return recovered.Sales[0].Verdict;
    }
}
