using System;
using System.IO;
using System.Linq;

namespace Payorder.Tests
{
    internal sealed class JournalTests
    {
        public void LostOrdersHaveVerdictsAndEvents()
        {
            WithJournal(client =>
            {
                var lost = Sandbox.Order("sandbox:drop-after-commit");
                Check.Throws<ConnectionLostException>(() => client.CreateOrder(lost));
                var recovered = client.RecoverAsync(new[]
                {
                    new ExpectedPayment { OrderId = "elsewhere", Amount = "1" },
                }).Result;
                Check.Equal("not_in_journal url_lost",
                    string.Join(" ", recovered.Sales.Select(sale => sale.Verdict)));
                var entry = client.Journal.List(orderId: lost.OrderId, events: true).Single();
                Check.True(entry.Raw.Contains("\"event\":\"sending\""), entry.Raw);
                Check.Equal(0, client.Journal.ResolveAsync().Result.Entries.Count);
            });
        }

        private static void WithJournal(Action<PayorderClient> test)
        {
            var folder = Path.Combine(Path.GetTempPath(), Guid.NewGuid().ToString());
            Directory.CreateDirectory(folder);
            try
            {
                var config = Sandbox.Config();
                config.Journal = Path.Combine(folder, "orders.sqlite");
                using (var client = new PayorderClient(config))
                {
                    test(client);
                }
            }
            finally
            {
                Directory.Delete(folder, true);
            }
        }
    }
}
