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
            using (var client = Sandbox.Client())
            using (var source = new CancellationTokenSource())
            {
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
        }

        public void ACallThatItsTokenEndsIsCanceled()
        {
            using (var client = Sandbox.Client())
            using (var source = new CancellationTokenSource())
            {
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

        public void AnAbortAtTheStartKeepsTheTask()
        {
            // .NET Core has no Thread.Abort.
            if (Type.GetType("Mono.Runtime") == null)
            {
                return;
            }
            using (var client = Sandbox.Client())
            {
                var kept = new ConcurrentQueue<object>();
                var thread = new Thread(() =>
                {
                    try
                    {
                        client.CreateOrderAsync(Sandbox.Order());
                        Thread.Sleep(30000);
                    }
                    catch (ThreadAbortException stop)
                    {
                        kept.Enqueue(stop.Data["payorder"]);
                        Thread.ResetAbort();
                    }
                });
                // Holds up the start.
                lock (Value(Value(client, "_handle"), "_outstanding"))
                {
                    thread.Start();
                    Check.Until(() => (thread.ThreadState
                        & System.Threading.ThreadState.WaitSleepJoin) != 0);
                    Task.Run(() => thread.Abort());
                    Check.Until(() => (thread.ThreadState
                        & System.Threading.ThreadState.AbortRequested) != 0);
                }
                Check.True(thread.Join(30000));
                Check.True(kept.TryDequeue(out object task), "aborted");
                Check.True(task.GetType().IsSerializable);
                Check.True(((Func<Task<Checkout>>)task)().Result.Url.StartsWith("http"));
            }
        }

        public void AnInterruptedThreadKeepsTheCheckout()
        {
            using (var client = PayorderClient.FromEnv())
            {
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
                // Holds up what comes after the order.
                lock (Value(Value(client, "_handle"), "_outstanding"))
                {
                    thread.Start();
                    Check.Until(() => (thread.ThreadState
                        & System.Threading.ThreadState.WaitSleepJoin) != 0);
                    thread.Interrupt();
                    // Mono waits for the lock all the same.
                    Thread.Sleep(200);
                }
                Check.True(thread.Join(30000));
                Check.True(url != null && url.StartsWith("http"), "a checkout");
                Check.True(interrupted, "the program still sees the interrupt");
            }
        }

        private static object Value(object owner, string name) =>
            Field(owner, name).GetValue(owner);

        private static FieldInfo Field(object owner, string name) =>
            owner.GetType().GetField(name, BindingFlags.Instance | BindingFlags.NonPublic);

        public void ALogEventHasTheContextOfItsCall()
        {
            var request = new AsyncLocal<string>();
            var seen = new ConcurrentQueue<string>();
            using (var client = Sandbox.Client())
            {
                client.SetLog(one =>
                {
                    Check.True(!one.Raw.Contains("payorder-"), one.Raw);
                    seen.Enqueue(request.Value + " " + one.Tag + " " + one.Operation + " " + one.Event);
                });
                Action<string, Func<Task>> inRequest = (name, call) => Task.Run(() =>
                {
                    request.Value = name;
                    return call();
                }).Wait();
                var order = Sandbox.Order();
                inRequest("create", () => client.CreateOrderAsync(order));
                // It goes on on several threads. Another call with its tag has ended before.
                var options = new WaitOptions
                {
                    Tag = "mine",
                    Interval = TimeSpan.FromMilliseconds(50),
                    Wait = TimeSpan.FromMilliseconds(300),
                };
                inRequest("wait", () =>
                {
                    var wait = client.WaitForPaymentAsync(order.OrderId, options);
                    inRequest("wait", () => client.GetStatusAsync(
                        order.OrderId, new CallOptions { Tag = "other" }));
                    return wait;
                });
                inRequest("blocking", () => Task.FromResult(client.GetStatus(order.OrderId)));
            }
            var wrong = seen.Where(one => !new[]
            {
                "create  create_order ", "wait mine wait_for_payment ", "wait other get_status ",
                "blocking  get_status ",
            }.Any(one.StartsWith));
            Check.Equal("", string.Join("\n", wrong));
            Check.True(seen.Count(one => one.StartsWith("wait mine")) > 3, "several attempts");
            Check.True(seen.Any(one => one.StartsWith("create")), "a started order");
        }

        public void CallsThatRunAtOnceWithOneTagHaveTheContextsOfTheirCallers()
        {
            var request = new AsyncLocal<string>();
            var seen = new ConcurrentQueue<string>();
            using (var client = Sandbox.Client())
            {
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
                Check.Throws<RejectedException>(
                    () => client.GetStatus("none", new CallOptions { Tag = options.Tag }));
                Check.True(!waits.Any(wait => wait.IsCompleted), "they run at once");
                client.Cancel();
                Check.Throws<AggregateException>(() => Task.WaitAll(waits));
                Check.Equal("", string.Join("\n", seen.Where(one =>
                    !new[] { orders[0].OrderId, orders[1].OrderId, "none" }.Any(
                        name => one == name + " " + name + " \"mine\""))));
                Check.True(seen.Any(one => one.StartsWith("none")), "the call that blocks");
            }
        }

        public void ASecondLogHandlerIsRefused()
        {
            using (var client = Sandbox.Client())
            {
                int first = 0, second = 0;
                client.SetLog(one => first++);
                Check.Throws<InvalidOperationException>(() => client.SetLog(one => second++));
                client.SetLog(null);
                Action<LogEvent> both = one => first++;
                client.SetLog(both + (one => second++));
                client.CreateOrder(Sandbox.Order());
                Check.True(first > 0 && first == second, first + " " + second);
            }
        }

        // Mono stops every thread for it by a signal, also those of the library on which a log
        // handler ran. Without that signal, this test never ends.
        public void TheCollectorRunsAfterAnAwaitedCall()
        {
            using (var client = Sandbox.Client())
            {
                client.SetLog(one => { });
                for (var call = 0; call < 5; call++)
                {
                    AskAndCollect(client).GetAwaiter().GetResult();
                }
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
            using (var client = Sandbox.Client())
            using (var end = new ManualResetEvent(false))
            {
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
        }

        public void ThreadsEndSoonAfterTheLastCall()
        {
            using (var client = Sandbox.Client())
            {
                // The system's names of threads tell nothing: new threads of the pool inherit them.
                var handle = Value(client, "_handle");
                client.CreateOrderAsync(Sandbox.Order()).Wait();
                Check.True((bool)Value(handle, "_isTaking"), "a thread takes answers");
                Check.Until(() => !(bool)Value(handle, "_isTaking"));
                // The next call has a new one.
                client.CreateOrderAsync(Sandbox.Order()).Wait();
            }
        }

        public void TheThreadKeepsNothingOfItsStarter()
        {
            // Mono's collector finds too much on the stacks.
            if (Type.GetType("Mono.Runtime") != null)
            {
                return;
            }
            using (var client = Sandbox.Client())
            {
                var order = Sandbox.Order();
                client.CreateOrder(order);
                using (var source = new CancellationTokenSource())
                {
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
            }
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
                // The second round of the timer is the last one.
                Check.Until(() => (int)Value(Value(client, "_handle"), "_rounds") == 0);
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

        public void AForgottenClientIsFreedWhileItsTimerRuns()
        {
            // Mono's collector finds too much on the stacks.
            if (Type.GetType("Mono.Runtime") != null)
            {
                return;
            }
            var live = PayorderLibrary.LiveClients;
            Task.Run(() =>
            {
                var config = new ClientConfig { MaxIdle = TimeSpan.FromMinutes(10) };
                PayorderClient.FromEnv(config).CreateOrder(Sandbox.Order());
            }).Wait();
            Check.Until(() =>
            {
                GC.Collect();
                GC.WaitForPendingFinalizers();
                return PayorderLibrary.LiveClients <= live;
            });
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
            // Mono's collector finds too much on the stacks.
            if (Type.GetType("Mono.Runtime") != null)
            {
                return;
            }
            using (var client = Sandbox.Client())
            using (var source = new CancellationTokenSource())
            {
                var request = Task.Run(() => FailInARequest(client, source.Token)).Result;
                Check.Until(() =>
                {
                    GC.Collect();
                    return !request.IsAlive;
                });
            }
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

        public void LostOrdersHaveVerdictsAndEvents()
        {
            var config = new ClientConfig { Journal = Path.GetTempFileName() };
            using (IPayorderClient client = PayorderClient.FromEnv(config))
            {
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
        }

#if NETCOREAPP
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
