using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Payorder.Tests
{
    internal sealed class StatusesTests
    {
        public void WhatTheCallbackThrowsIsThrownAgain()
        {
            using (var client = Sandbox.Client())
            {
                int calls = 0;
                var thrown = new KeyNotFoundException("from the callback");
                var queries = Enumerable.Repeat(StatusQuery.ByOrder("none"), 200);
                var caught = Check.Throws<KeyNotFoundException>(() => client.GetStatuses(
                    queries, result =>
                    {
                        calls++;
                        throw thrown;
                    }));
                Check.True(ReferenceEquals(thrown, caught));
                Check.Equal(1, calls);
                Check.Throws<KeyNotFoundException>(() => CancellationTests.Await(
                    client.GetStatusesAsync(queries, result => throw thrown)));
            }
        }

        public void ACallbackSurvivesTheGarbageCollector()
        {
            using (var client = Sandbox.Client())
            {
                int events = 0;
                SetLog(client, () => Interlocked.Increment(ref events));
                for (int round = 0; round < 5; round++)
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                    var garbage = new byte[1 << 20];
                    client.CreateOrder(Sandbox.Order());
                    GC.KeepAlive(garbage);
                }
                Check.Equal(15, events);
                client.SetLog(null);
                client.CreateOrder(Sandbox.Order());
                Check.Equal(15, events);
            }
        }

        private static void SetLog(PayorderClient client, Action count)
        {
            client.SetLog(one =>
            {
                Check.Equal("create_order", one.Operation);
                count();
            });
        }

        public void ALogHandlerThatThrowsDoesNotHideTheCheckout()
        {
            using (var client = Sandbox.Client())
            {
                client.SetLog(one => throw new Exception("from the log handler"));
                Check.True(client.CreateOrder(Sandbox.Order()).Url.StartsWith("http"));
            }
        }

        public void ThreadsShareAClient()
        {
            using (var client = Sandbox.Client())
            {
                var calls = Enumerable.Range(0, 16)
                    .Select(_ => client.CreateOrderAsync(Sandbox.Order())).ToArray();
                var urls = new HashSet<string>(calls.Select(call => call.Result.Url));
                Check.Equal(16, urls.Count);
            }
        }
    }
}
