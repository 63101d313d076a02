using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Linq;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder.Tests
{
    internal sealed class CancellationTests
    {
        public void ACallInFlightHasAnUnknownOutcome()
        {
            using (var client = Sandbox.Client())
            using (var source = new CancellationTokenSource())
            {
                var order = Sandbox.Order("sandbox:stall");
                var call = client.CreateOrderAsync(order, null, source.Token);
                Sandbox.WaitUntilKnown(client, order);
                source.Cancel();
                var error = Check.Throws<CancelledInFlightException>(() => Await(call));
                Check.True(call.IsFaulted, "the task failed and is not just cancelled");
                var inner = (OperationCanceledException)error.InnerException;
                Check.Equal(source.Token, inner.CancellationToken);
                Check.Equal(order.OrderId, client.GetStatus(error.StatusQuery).OrderId);
            }
        }

        public void ACallWithACancelledTokenSendsNothing()
        {
            using (var client = Sandbox.Client())
            using (var source = new CancellationTokenSource())
            {
                source.Cancel();
                var order = Sandbox.Order();
                var error = Check.Throws<CancelledException>(
                    () => client.CreateOrder(order, null, source.Token));
                Check.Equal(0, error.Attempts);
                Check.True(error.InnerException is OperationCanceledException);
                Check.Throws<CancelledException>(
                    () => Await(client.CreateOrderAsync(order, null, source.Token)));
                Check.Throws<RejectedException>(
                    () => client.GetStatus(StatusQuery.ByOrder(order.OrderId)));
            }
        }

        public void AWaitEndsBetweenTwoQueries()
        {
            using (var client = Sandbox.Client())
            using (var source = new CancellationTokenSource())
            {
                var order = Sandbox.Order();
                client.CreateOrder(order);
                var asked = new ManualResetEventSlim();
                client.SetLog(one =>
                {
                    if (one.Event == "attempt_finished")
                    {
                        asked.Set();
                    }
                });
                var call = client.WaitForPaymentAsync(StatusQuery.ByOrder(order.OrderId),
                    new WaitOptions { Interval = TimeSpan.FromMinutes(1) }, source.Token);
                Check.True(asked.Wait(30000), "the first query");
                var watch = Stopwatch.StartNew();
                source.Cancel();
                // The log event comes a moment before the pause.
                try
                {
                    Await(call);
                    throw new Exception("the wait was not cancelled");
                }
                catch (PayorderException error) when (error is CancelledException
                    || error is CancelledInFlightException)
                {
                    Check.Equal("Pending", error.Status.TransactionStatus);
                    Check.True(error.StatusQuery != null, "statusQuery");
                }
                Check.True(watch.ElapsedMilliseconds < 20000, "at once");
            }
        }

        public void ATokenCancelsItsOwnCallsOnly()
        {
            using (var client = Sandbox.Client())
            using (var source = new CancellationTokenSource())
            {
                var first = Sandbox.Order("sandbox:stall");
                var second = Sandbox.Order("sandbox:stall");
                var cancelled = client.CreateOrderAsync(first, null, source.Token);
                var other = client.CreateOrderAsync(second);
                Sandbox.WaitUntilKnown(client, first);
                Sandbox.WaitUntilKnown(client, second);
                source.Cancel();
                Check.Throws<CancelledInFlightException>(() => Await(cancelled));
                Check.True(!other.IsCompleted);
                client.Cancel();
                Check.Equal(null,
                    Check.Throws<CancelledInFlightException>(() => Await(other)).InnerException);
                client.CreateOrder(Sandbox.Order());
            }
        }

        public void ACancelledBatchReturnsWhatItHas()
        {
            using (var client = Sandbox.Client())
            using (var source = new CancellationTokenSource())
            {
                var queries = Enumerable.Range(0, 1000).Select(
                    number => StatusQuery.ByOrder("none-" + number));
                var summary = client.GetStatuses(queries, result =>
                {
                    source.Cancel();
                    return true;
                }, new BatchOptions { Concurrency = 1, RatePerSecond = 20 }, source.Token);
                Check.True(summary.Stopped);
                Check.True(summary.Asked < 1000);
            }
        }

        public void AnAbortedThreadKeepsTheAnswer()
        {
            // .NET Core has no Thread.Abort.
            if (Type.GetType("Mono.Runtime") == null)
            {
                return;
            }
            using (var client = Sandbox.Client())
            {
                var order = Sandbox.Order("sandbox:stall");
                var answers = new ConcurrentQueue<object>();
                var thread = new Thread(() =>
                {
                    try
                    {
                        client.CreateOrder(order);
                    }
                    catch (ThreadAbortException stop)
                    {
                        answers.Enqueue(stop.Data["payorder"]);
                        Thread.ResetAbort();
                    }
                });
                thread.Start();
                Sandbox.WaitUntilKnown(client, order);
                Task.Run(() => thread.Abort());
                // The abort must reach the thread before its call ends.
                Check.Until(() => (thread.ThreadState & System.Threading.ThreadState.AbortRequested)
                    != 0);
                client.Cancel();
                Check.True(thread.Join(30000));
                Check.True(answers.TryDequeue(out object answer), "an answer");
                Check.Equal("PAYORDER_CANCELLED_IN_FLIGHT",
                    JsonValue.Parse((string)answer)["error"]["name"].Text);
            }
        }

        internal static void Await(Task task)
        {
            task.GetAwaiter().GetResult();
        }
    }
}
