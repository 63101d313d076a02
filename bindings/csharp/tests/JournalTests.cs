using System;
using System.IO;
using System.Linq;

namespace Payorder.Tests
{
    internal sealed class JournalTests
    {
        public void LostOrdersAreResolvedSettledAndPruned()
        {
            WithJournal(client =>
            {
                var known = Sandbox.Order("sandbox:drop-after-commit");
                var lost = Sandbox.Order("sandbox:drop-before");
                Check.Throws<ConnectionLostException>(() => client.CreateOrder(known));
                Check.Throws<ConnectionLostException>(() => client.CreateOrder(lost));
                Check.Equal(2, client.Journal.List("unresolved").Count());
                var recovered = client.RecoverAsync(new[]
                {
                    new ExpectedPayment { OrderId = "elsewhere", Amount = "1" },
                }).Result;
                Check.Equal("not_in_journal url_lost unknown",
                    string.Join(" ", recovered.Sales.Select(sale => sale.Verdict)));
                var resolved = client.Journal.Resolve();
                Check.Equal(2, resolved.Summary.Asked);
                Check.Equal(1, resolved.Summary.Ok);
                var left = resolved.Entries.Single();
                Check.Equal(lost.OrderId, left.OrderId);
                Check.Equal("unknown", left.State);
                Check.Throws<RejectedException>(() => client.GetStatus(left.StatusQuery));
                var settled = client.Journal.Settle(left.Entry, "paid in cash ✓");
                Check.Equal("settled", settled.State);
                Check.Equal("paid in cash ✓", settled.Note);
                Check.Equal(0, client.Journal.ResolveAsync().Result.Entries.Count);
                Check.Equal(0, client.Journal.Prune(1));
                Check.Throws<InvalidArgumentException>(() => client.Journal.Prune(0));
            });
        }

        public void TheListHasPages()
        {
            WithJournal(client =>
            {
                for (int number = 0; number < 5; number++)
                {
                    client.CreateOrder(Sandbox.Order());
                }
                var all = client.Journal.List().Select(entry => entry.Entry).ToArray();
                Check.Equal(5, all.Length);
                Check.Equal(3, client.Journal.List(null, 0, 3).Count());
                var first = client.Journal.List(limit: 1).Single();
                var told = client.Journal.List(orderId: first.OrderId, events: true).Single();
                Check.Equal(first.Entry, told.Entry);
                Check.True(told.Raw.Contains("\"event\":\"sending\""), told.Raw);
                Check.True(!first.Raw.Contains("sending"), first.Raw);
                Check.Equal(all[4], client.Journal.List("created", all[3]).Single().Entry);
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
