using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder.Tests
{
    internal sealed class StatusesTests
    {
#if NETCOREAPP
        public void AStreamGivesEachStatusAndEndsItsCall()
        {
            Run().GetAwaiter().GetResult();

            static async Task Run()
            {
                using var client = Sandbox.Client();
                var queries = Enumerable.Repeat(StatusQuery.ByOrder("none"), 200);
                var seen = new HashSet<int>();
                await foreach (var result in client.StreamStatusesAsync(queries))
                {
                    seen.Add(result.Index);
                    Check.True(result.Error is RejectedException);
                }
                Check.Equal(200, seen.Count);
                await foreach (var result in client.StreamStatusesAsync(queries))
                {
                    break;
                }
                Check.Equal(0L, PayorderLibrary.LiveCalls);
                var source = new CancellationTokenSource();
                try
                {
                    await foreach (var result in client.StreamStatusesAsync(
                        queries, new BatchOptions { RatePerSecond = 20 }, source.Token))
                    {
                        source.Cancel();
                    }
                    throw new Exception("the loop ended as if it were complete");
                }
                catch (OperationCanceledException error)
                {
                    Check.Equal(source.Token, error.CancellationToken);
                }
            }
        }
#endif
    }
}
