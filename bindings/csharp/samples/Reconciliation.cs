using System;
using System.IO;
using System.Linq;
using Payorder;

/// <summary>
/// Compares the day's orders with the service: Reconciliation.exe ORDERS.csv
/// Each line of the file has an order id, a comma and the amount.
/// </summary>
internal static class Reconciliation
{
    private static int Main(string[] arguments)
    {
        return Till.Run(() => Compare(arguments[0]));
    }

    private static int Compare(string file)
    {
        var lines = File.ReadAllLines(file);
        var odd = Array.FindIndex(lines, line => line.Length > 0 && !line.Contains(','));
        if (odd >= 0)
        {
            Console.Error.WriteLine("line " + (odd + 1) + " has no amount");
            return 1;
        }
        var orders = lines
            .Where(line => line.Length > 0)
            .Select(line => line.Split(','))
            .Select(row => new ExpectedPayment { OrderId = row[0], Amount = row[1] })
            .ToArray();
        if (orders.Length == 0)
        {
            Console.Error.WriteLine("no orders in " + file);
            return 1;
        }
        int differences = 0;
        using (var client = PayorderClient.FromEnv())
        {
            var summary = client.GetStatuses(
                orders.Select(order => StatusQuery.ByOrder(order.OrderId)),
                result =>
                {
                    var verdict = Verdict(orders[result.Index], result);
                    Console.WriteLine(orders[result.Index].OrderId + "," + verdict);
                    differences += verdict == "paid" ? 0 : 1;
                    return true;
                },
                new BatchOptions { Concurrency = 8, RatePerSecond = 50 });
            Console.WriteLine(summary.Asked + " asked, " + differences + " differ");
            return summary.Stopped || differences > 0 ? 1 : 0;
        }
    }

    private static string Verdict(ExpectedPayment expected, StatusResult result)
    {
        if (result.Status == null)
        {
            // With wrong credentials, nothing is known about the order.
            bool refused = result.Error?.Result == PayorderResult.Rejected;
            return refused ? "refused: " + result.Error?.ResponseMessage : "no answer, ask again";
        }
        try
        {
            var verification = PayorderLibrary.VerifyPayment(expected, result.Status);
            return verification.Paid ? "paid" : string.Join("; ", verification.Reasons);
        }
        catch (UnusableTextException)
        {
            return "cannot be checked"; // such as an amount with a space
        }
    }
}
