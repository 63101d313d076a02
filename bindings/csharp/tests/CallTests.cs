using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Net;
using System.Net.Sockets;
using System.Reflection;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder.Tests
{
    internal sealed class CallTests
    {
        public void ACallInFlightHasAnUnknownOutcome()
        {
            using var client = Sandbox.Client();
            using var source = new CancellationTokenSource();
            var order = Sandbox.Order("sandbox:stall");
            var call = client.CreateOrderAsync(order, null, source.Token);
            Sandbox.WaitUntilKnown(client, order);
            source.Cancel();
            var error = Check.Throws<CancelledInFlightException>(
                () => call.GetAwaiter().GetResult());
            Check.True(call.IsFaulted, "the task failed and is not just cancelled");
            var inner = (OperationCanceledException)error.InnerException;
            Check.Equal(source.Token, inner.CancellationToken);
            Check.Equal(order.OrderId, client.GetStatus(error.StatusQuery).OrderId);
        }

        public void ACallThatItsTokenEndsIsCanceled()
        {
            using var client = Sandbox.Client();
            using var source = new CancellationTokenSource();
            var order = Sandbox.Order();
            client.CreateOrder(order);
            var wait = client.WaitForPaymentAsync(order.OrderId, null, source.Token);
            Check.True(!wait.Wait(500), "it waits");
            source.Cancel();
            var canceled = Check.Throws<PayorderCanceledException>(
                () => wait.GetAwaiter().GetResult());
            Check.True(wait.IsCanceled, "the task is Canceled");
            Check.Equal(source.Token, canceled.CancellationToken);
            Check.Equal(order.OrderId, canceled.Status.OrderId);
            Check.Equal(StatusQuery.ByOrder(order.OrderId), canceled.StatusQuery);
            var queries = new StatusQuery[] { order.OrderId };
            var batch = client.GetStatusesAsync(queries, one => true, null, source.Token);
            canceled = Check.Throws<PayorderCanceledException>(
                () => batch.GetAwaiter().GetResult());
            Check.True(batch.IsCanceled, "also with a thread of its own");
            Check.Equal(0, canceled.Summary.Asked);
            Check.Throws<PayorderCanceledException>(
                () => client.Recover(new ExpectedPayment[0], null, source.Token));
            ((IPayorderClient)client).Stop();
            var stopped = client.WaitForPaymentAsync(order.OrderId);
            Check.Throws<CancelledException>(() => stopped.GetAwaiter().GetResult());
            Check.True(stopped.IsFaulted, "not by its own token");
        }

#if !NETCOREAPP
        public void AnAbortedThreadKeepsTheAnswer()
        {
            using var client = Sandbox.Client();
            var order = Sandbox.Order("sandbox:stall");
            var answer = Kept(() => client.CreateOrder(order), (thread, abort) =>
            {
                thread.Start();
                Sandbox.WaitUntilKnown(client, order);
                // It must reach the thread before its call ends.
                abort();
                client.Cancel();
            });
            Check.Equal("PAYORDER_CANCELLED_IN_FLIGHT",
                JsonValue.Parse((string)answer)["error"]["name"].Text);
        }

        public void AnAbortAtTheStartKeepsTheTask()
        {
            using var client = Sandbox.Client();
            var task = Kept(() =>
            {
                client.CreateOrderAsync(Sandbox.Order());
                Thread.Sleep(30000);
            }, (thread, abort) => StartAndHoldUp(client, thread, abort));
            Check.True(task.GetType().IsSerializable);
            Check.True(((Func<Task<Checkout>>)task)().Result.Url.StartsWith("http"));
        }

        /// <summary>What the exception of an aborted thread has. .NET Core has no Thread.Abort.
        /// </summary>
        private static object Kept(Action call, Action<Thread, Action> run)
        {
            object kept = null;
            var thread = new Thread(() =>
            {
                try
                {
                    call();
                }
                catch (ThreadAbortException stop)
                {
                    kept = stop.Data["payorder"];
                    Thread.ResetAbort();
                }
            });
            run(thread, () =>
            {
                Task.Run(() => thread.Abort());
                Check.Until(() => thread.ThreadState.HasFlag(
                    System.Threading.ThreadState.AbortRequested));
            });
            Check.True(thread.Join(30000));
            return kept;
        }
#endif

        public void AnInterruptedThreadKeepsTheCheckout()
        {
            using var client = PayorderClient.FromEnv();
            string url = null;
            bool interrupted = false;
            var thread = new Thread(() =>
            {
                url = client.CreateOrder(Sandbox.Order()).Url;
                try
                {
                    Thread.Sleep(0);
                    Thread.Sleep(1);
                }
                catch (ThreadInterruptedException)
                {
                    interrupted = true;
                }
            });
            StartAndHoldUp(client, thread, () =>
            {
                thread.Interrupt();
                // Mono waits for the lock all the same.
                Thread.Sleep(200);
            });
            Check.True(thread.Join(30000));
            Check.True(url != null && url.StartsWith("http"), "a checkout");
            Check.True(interrupted, "the program still sees the interrupt");
        }

        /// <summary>Does something while a thread waits before its start, or after its call.
        /// </summary>
        private static void StartAndHoldUp(PayorderClient client, Thread thread, Action meanwhile)
        {
            lock (Value(Value(client, "_handle"), "_outstanding"))
            {
                thread.Start();
                Check.Until(() => thread.ThreadState.HasFlag(
                    System.Threading.ThreadState.WaitSleepJoin));
                meanwhile();
            }
        }

        private static object Value(object owner, string name) =>
            Field(owner, name).GetValue(owner);

        private static FieldInfo Field(object owner, string name) =>
            owner.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic);

        public void CallsThatRunAtOnceWithOneTagHaveTheContextsOfTheirCallers()
        {
            var request = new AsyncLocal<string>();
            var seen = new ConcurrentQueue<string>();
            using var client = Sandbox.Client();
            var orders = new[] { Sandbox.Order(), Sandbox.Order() };
            foreach (var order in orders)
            {
                client.CreateOrder(order);
            }
            client.SetLog(one => seen.Enqueue(request.Value + " " + one.OrderId + " " + one.Tag));
            var options = new WaitOptions
            {
                Tag = "\"mine\"",
                Interval = TimeSpan.FromMilliseconds(50),
                Wait = TimeSpan.FromMinutes(1),
            };
            var waits = orders.Select(order => Task.Run(() =>
            {
                request.Value = order.OrderId;
                return client.WaitForPaymentAsync(order.OrderId, options);
            })).ToArray();
            Check.Until(() => orders.All(order => seen.Any(one => one.Contains(order.OrderId))));
            request.Value = "none";
            var other = new CallOptions { Tag = options.Tag };
            Check.Throws<RejectedException>(() => client.GetStatus("none", other));
            Check.Throws<RejectedException>(
                () => client.GetStatusAsync("none", other).GetAwaiter().GetResult());
            int before = seen.Count;
            Check.Until(() => seen.Count > before + 4);
            Check.True(!waits.Any(wait => wait.IsCompleted), "they run at once");
            client.Cancel();
            Check.Throws<AggregateException>(() => Task.WaitAll(waits));
            Check.Equal("", string.Join("\n", seen.Where(one =>
                !new[] { orders[0].OrderId, orders[1].OrderId, "none" }.Any(
                    name => one == name + " " + name + " \"mine\""))));
            Check.True(seen.Any(one => one.StartsWith("none")), "the other calls");
        }

        public void ASecondLogHandlerIsRefused()
        {
            using var client = Sandbox.Client();
            int first = 0, second = 0;
            client.SetLog(one => first++);
            Check.Throws<InvalidOperationException>(() => client.SetLog(one => second++));
            client.SetLog(null);
            Action<LogEvent> both = one => first++;
            client.SetLog(both + (one => second++));
            client.CreateOrder(Sandbox.Order());
            Check.True(first > 0 && first == second, first + " " + second);
            client.Dispose();
            Check.Throws<InvalidHandleException>(() => client.SetLog(both));
        }

        // Mono stops every thread for it by a signal, also those of the library on which a log
        // handler ran. Without that signal, this test never ends.
        public void TheCollectorRunsAfterAnAwaitedCall()
        {
            using var client = Sandbox.Client();
            client.SetLog(one => { });
            for (var call = 0; call < 5; call++)
            {
                AskAndCollect(client).GetAwaiter().GetResult();
            }
        }

        private static async Task AskAndCollect(PayorderClient client)
        {
            try
            {
                await client.GetStatusAsync("no such order");
            }
            catch (RejectedException)
            {
                GC.Collect();
            }
        }

        public void WhatFollowsATaskMayBlock()
        {
            using var client = Sandbox.Client();
            using var end = new ManualResetEvent(false);
            var order = Sandbox.Order("sandbox:stall");
            var stalled = client.CreateOrderAsync(order);
            var blocked = stalled.ContinueWith(call => end.WaitOne(),
                TaskContinuationOptions.ExecuteSynchronously);
            Sandbox.WaitUntilKnown(client, order);
            client.Cancel();
            Check.True(client.CreateOrderAsync(Sandbox.Order()).Wait(30000), "not held up");
            Check.True(!blocked.IsCompleted, "the other one still blocks");
            end.Set();
            blocked.Wait();
        }

        public void ThreadsEndSoonAfterTheLastCall()
        {
            using var client = Sandbox.Client();
            // The system's names of threads tell nothing: new threads of the pool inherit them.
            var handle = Value(client, "_handle");
            client.CreateOrderAsync(Sandbox.Order()).Wait();
            Check.True((bool)Value(handle, "_isTaking"), "a thread takes answers");
            Check.Until(() => !(bool)Value(handle, "_isTaking"));
            // The next call has a new one.
            client.CreateOrderAsync(Sandbox.Order()).Wait();
        }

        public void AServiceSeesTheIdleConnectionsOfAClientClosed()
        {
            var service = new TcpListener(IPAddress.Loopback, 0);
            service.Start();
            using (var client = PayorderClient.FromEnv(new ClientConfig
            {
                BaseUrl = "http://" + service.LocalEndpoint,
                MaxIdle = TimeSpan.FromMilliseconds(100),
            }))
            {
                foreach (var call in new Action[]
                {
                    () => client.GetStatus("ORD-1"),
                    () => client.GetStatusAsync("ORD-1").Wait(),
                })
                {
                    var served = Task.Run(() => Serve(service.AcceptTcpClient().GetStream()));
                    call();
                    Check.True(served.Wait(30000), "the connection was closed");
                }
            }
        }

        /// <summary>Answers, until the connection is closed.</summary>
        private static void Serve(Stream connection)
        {
            const string body = "{\"responseCode\":\"200\",\"data\":{\"orderId\":\"ORD-1\"}}";
            var answer = System.Text.Encoding.ASCII.GetBytes(
                "HTTP/1.1 200 OK\r\nContent-Length: " + body.Length + "\r\n\r\n" + body);
            while (connection.Read(new byte[4096], 0, 4096) > 0)
            {
                connection.Write(answer, 0, answer.Length);
            }
        }

        public void LostOrdersHaveVerdictsAndEvents()
        {
            var config = new ClientConfig { Journal = Path.GetTempFileName() };
            using IPayorderClient client = PayorderClient.FromEnv(config);
            var lost = Sandbox.Order("sandbox:drop-after-commit");
            Check.Throws<ConnectionLostException>(() => client.CreateOrder(lost));
            var recovered = client.RecoverAsync(new[]
            {
                new ExpectedPayment { OrderId = "elsewhere", Amount = "1" },
            }).Result;
            Check.Equal("not_in_journal url_lost",
                string.Join(" ", recovered.Sales.Select(sale => sale.Verdict)));
            Check.True(client.CheckAsync().Result.Ok, "a started check");
            var entry = client.Journal.List(orderId: lost.OrderId, events: true).Single();
            Check.True(entry.Raw.Contains("\"event\":\"sending\""), entry.Raw);
            Check.Equal(0, client.Journal.ResolveAsync().Result.Entries.Count);
        }

#if NETCOREAPP
        // Mono's collector finds too much on the stacks.
        public void TheThreadKeepsNothingOfItsStarter()
        {
            using var client = Sandbox.Client();
            var order = Sandbox.Order();
            client.CreateOrder(order);
            using var source = new CancellationTokenSource();
            var request = Task.Run(
                () => WaitInARequest(client, order, source.Token)).Result;
            var wait = client.WaitForPaymentAsync(order.OrderId);
            source.Cancel();
            Check.Until(() =>
            {
                GC.Collect();
                return !request.IsAlive;
            });
            Check.True(!wait.IsCompleted, "the thread takes answers");
            client.Cancel();
        }

        /// <summary>Starts a wait where an AsyncLocal has a value, as in a server.</summary>
        private static WeakReference WaitInARequest(
            PayorderClient client, Order order, CancellationToken token)
        {
            var request = new object();
            new AsyncLocal<object>().Value = request;
            client.WaitForPaymentAsync(order.OrderId, null, token);
            return new WeakReference(request);
        }

        public void ACallThatCannotStartLeavesNothing()
        {
            using var client = Sandbox.Client();
            using var source = new CancellationTokenSource();
            var request = Task.Run(() => FailInARequest(client, source.Token)).Result;
            Check.Until(() =>
            {
                GC.Collect();
                return !request.IsAlive;
            });
        }

        /// <summary>A registration of the token would keep the AsyncLocal.</summary>
        private static WeakReference FailInARequest(PayorderClient client, CancellationToken token)
        {
            var request = new object();
            new AsyncLocal<object>().Value = request;
            var handle = Value(client, "_handle");
            var outstanding = Field(handle, "_outstanding");
            var good = outstanding.GetValue(handle);
            // As without a thread: the start throws.
            outstanding.SetValue(handle, null);
            Check.Throws<ArgumentNullException>(
                () => client.CreateOrderAsync(Sandbox.Order(), null, token));
            outstanding.SetValue(handle, good);
            return new WeakReference(request);
        }

        public void DisposeAsyncStopsAndWaitsForTheTasks()
        {
            IPayorderClient client = Sandbox.Client();
            var order = Sandbox.Order("sandbox:stall");
            var sale = client.CreateOrderAsync(order);
            Sandbox.WaitUntilKnown((PayorderClient)client, order);
            var many = Enumerable.Repeat(StatusQuery.ByOrder("none"), 1000);
            var batch = client.GetStatusesAsync(
                many, one => true, new BatchOptions { RatePerSecond = 10 });
            client.DisposeAsync().AsTask().Wait();
            Check.True(sale.IsFaulted && batch.IsCompleted, "both have ended");
            Check.Throws<CancelledInFlightException>(() => sale.GetAwaiter().GetResult());
            client.DisposeAsync().AsTask().Wait();
            Check.Throws<InvalidHandleException>(() => client.GetStatus("none"));
        }

        public void StopAndCancelEndAStreamWhoseConsumerIsBusy()
        {
            foreach (var end in new Action<PayorderClient>[] { one => one.Cancel(), one => one.Stop() })
            {
                Run(end).GetAwaiter().GetResult();
            }

            static async Task Run(Action<PayorderClient> end)
            {
                using var sandbox = new Testing.Sandbox();
                using var client = sandbox.Client();
                var queries = Enumerable.Repeat(StatusQuery.ByOrder("none"), 500);
                var seen = 0;
                try
                {
                    await foreach (var result in client.StreamStatusesAsync(queries))
                    {
                        if (++seen == 1)
                        {
                            // So many that the call waits for the consumer.
                            Check.Until(() => sandbox.Requests.Count > 66);
                            end(client);
                            Check.Until(() => PayorderLibrary.LiveCalls == 0);
                        }
                    }
                    throw new Exception("the loop ended as if it were complete");
                }
                catch (PayorderCanceledException)
                {
                    Check.True(seen < 500, "the end came first");
                }
            }
        }

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
                IPayorderClient taken = client;
                await foreach (var result in taken.StreamStatusesAsync(queries))
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
