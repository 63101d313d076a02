using System;
using System.Collections.Generic;
using System.Linq;
using System.Threading;

namespace Payorder.Tests
{
    internal sealed class StatusesTests
    {
        public void EveryQueryHasItsResultOnTheThreadOfTheCaller()
        {
            using (var client = Sandbox.Client())
            {
                var orders = Enumerable.Range(0, 20).Select(_ => Sandbox.Order()).ToArray();
                foreach (var order in orders)
                {
                    client.CreateOrder(order);
                }
                var queries = orders.Select(order => StatusQuery.ByOrder(order.OrderId))
                    .Concat(new[] { StatusQuery.ByOrder("none"), StatusQuery.FromJson("{}") });
                var results = new StatusResult[22];
                int thread = Thread.CurrentThread.ManagedThreadId;
                var summary = client.GetStatuses(queries, result =>
                {
                    Check.Equal(thread, Thread.CurrentThread.ManagedThreadId);
                    GC.Collect();
                    results[result.Index] = result;
                    return true;
                }, new BatchOptions { Concurrency = 4, RatePerSecond = 1000 });
                for (int at = 0; at < orders.Length; at++)
                {
                    Check.Equal(orders[at].OrderId, results[at].Status.OrderId);
                    Check.True(results[at].Query.Json.Contains(orders[at].OrderId));
                }
                Check.True(results[20].Error is RejectedException);
                Check.True(results[21].Error is InvalidRequestException);
                Check.Equal(22, summary.Asked);
                Check.Equal(20, summary.Ok);
                Check.Equal(1, summary.Rejected);
                Check.Equal(1, summary.NotSent);
                Check.Equal(20L, summary.TransactionStatus["Pending"]);
                Check.True(!summary.Stopped);
            }
        }

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

        public void TheCallbackCanStop()
        {
            using (var client = Sandbox.Client())
            {
                var queries = Enumerable.Repeat(StatusQuery.ByOrder("none"), 200);
                var summary = client.GetStatuses(queries, result => false);
                Check.True(summary.Stopped);
                Check.True(summary.Asked < 200);
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
            client.SetLog(text =>
            {
                Check.Equal("create_order", JsonValue.Parse(text)["operation"].Text);
                count();
            });
        }

        public void ALogHandlerThatThrowsDoesNotHideTheCheckout()
        {
            using (var client = Sandbox.Client())
            {
                client.SetLog(text => throw new Exception("from the log handler"));
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
