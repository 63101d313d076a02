using System;
using System.Collections.Concurrent;
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
