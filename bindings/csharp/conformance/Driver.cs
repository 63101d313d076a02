using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Payorder;

/// <summary>
/// The driver of the conformance suite: see bindings/conformance/README.md. It reads one step per
/// line, as JSON, and writes one report per line.
/// </summary>
internal static class Driver
{
    private static readonly ConcurrentDictionary<string, PayorderClient> Clients =
        new ConcurrentDictionary<string, PayorderClient>();

    private static readonly ConcurrentDictionary<string, CancellationTokenSource> Cancellations =
        new ConcurrentDictionary<string, CancellationTokenSource>();

    private static readonly Dictionary<string, Task<Dictionary<string, object>>> Running =
        new Dictionary<string, Task<Dictionary<string, object>>>();

    private static readonly ConcurrentQueue<object> Events = new ConcurrentQueue<object>();

    /// <summary>Above 0 in a thread that runs a step: there, callbacks have their caller.</summary>
    [ThreadStatic]
    private static int _inStep;

    private static int Main()
    {
        var output = new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false))
        {
            AutoFlush = true,
        };
        try
        {
            output.WriteLine(Reports.Json(Hello()));
        }
        catch (InvalidConfigException refused)
        {
            output.WriteLine(Reports.Json(
                new Dictionary<string, object> { ["refused"] = refused.Message }));
            return 1;
        }
        var input = new StreamReader(Console.OpenStandardInput(), new UTF8Encoding(false));
        for (string line; (line = input.ReadLine()) != null;)
        {
            output.WriteLine(Reports.Json(Take(JsonValue.Parse(line))));
        }
        return 0;
    }

    private static Dictionary<string, object> Hello()
    {
        var runtime = Type.GetType("Mono.Runtime") == null ? ".NET " : "Mono ";
        return new Dictionary<string, object>
        {
            ["driver"] = "csharp",
            ["language"] = "C# on " + runtime + Environment.Version,
            ["library"] = PayorderLibrary.Version,
            ["abi"] = PayorderLibrary.AbiVersion,
            ["features"] = new List<object>
            {
                "exceptions", "threads", "started", "gc", "finalizers", "log-in-call", "load",
                "opens", "stub", "untyped", "query-text", "check",
            },
            ["classes"] = Reports.Classes(),
        };
    }

    private static Dictionary<string, object> Take(JsonValue step)
    {
        var thread = step["thread"]?.Text;
        if (step["op"].Text == "join")
        {
            return Running[thread].Result;
        }
        if (thread == null)
        {
            return Run(step);
        }
        Running[thread] = InBackground(step);
        return new Dictionary<string, object> { ["ok"] = true };
    }

    /// <summary>A call that can be started is in the library's queue when this returns.</summary>
    private static Task<Dictionary<string, object>> InBackground(JsonValue step)
    {
        switch (step["op"].Text)
        {
            case "create":
                return Ended(Client(step).CreateOrderAsync(Steps.Order(step["order"]),
                    Steps.Fill<OrderOptions>(step["options"]), Token(step)));
            case "status":
                return Ended(Client(step).GetStatusAsync(Steps.Query(step["query"]),
                    Steps.Fill<CallOptions>(step["options"]), Token(step)));
            case "wait":
                return Ended(Client(step).WaitForPaymentAsync(Steps.Query(step["query"]),
                    Steps.Fill<WaitOptions>(step["options"]), Token(step)));
            default:
                return Task.Factory.StartNew(() => Run(step), TaskCreationOptions.LongRunning);
        }
    }

    private static Task<Dictionary<string, object>> Ended<T>(Task<T> call) => call.ContinueWith(
        ended => Reported(report => ended.GetAwaiter().GetResult()));

    private static Dictionary<string, object> Run(JsonValue step) =>
        Reported(report => Perform(step, report));

    /// <summary>How a step ended.</summary>
    private static Dictionary<string, object> Reported(
        Func<Dictionary<string, object>, object> perform)
    {
        var report = new Dictionary<string, object>();
        _inStep++;
        try
        {
            report["value"] = perform(report);
            report["ok"] = true;
        }
        catch (PayorderException error)
        {
            report["ok"] = false;
            report["error"] = error;
        }
        catch (PayorderCanceledException error)
        {
            // What the library said to a call that its token ended.
            report["ok"] = error.Summary != null;
            report["value"] = error.Summary;
            report["error"] = error.InnerException;
        }
        catch (Planted error)
        {
            report["ok"] = false;
            report["thrown"] = error.Message;
        }
        finally
        {
            _inStep--;
        }
        return report;
    }

    /// <summary>What each step does. It returns the package's own object.</summary>
    private static readonly Dictionary<string, Func<JsonValue, object>> Operations =
        new Dictionary<string, Func<JsonValue, object>>
    {
        ["open"] = step => Do(() => Clients[step["client"].Text] =
            new PayorderClient(Steps.Fill<ClientConfig>(step["config"]))),
        ["check"] = step => Client(step).Check(
            Steps.Fill<CheckOptions>(step["options"]), Token(step)),
        ["recover"] = step => Client(step).Recover(
            step["sales"]?.Items.Select(Steps.Fill<ExpectedPayment>),
            Steps.Fill<RecoverOptions>(step["options"]), Token(step)),
        ["create"] = Create,
        ["status"] = step => Client(step).GetStatus(
            Steps.Query(step["query"]), Steps.Fill<CallOptions>(step["options"]), Token(step)),
        ["wait"] = step => Client(step).WaitForPayment(
            Steps.Query(step["query"]), Steps.Fill<WaitOptions>(step["options"]), Token(step)),
        ["journal"] = Journal,
        ["build"] = Build,
        ["parse"] = step => PayorderLibrary.ParseReturnUrl(step["url"].Text),
        ["verify"] = Verify,
        ["cancellation"] = step => Do(() =>
            Cancellations[step["cancellation"].Text] = new CancellationTokenSource()),
        ["cancel"] = step => Do(step["cancellation"] == null
            ? (Action)Client(step).Cancel
            : Cancellations[step["cancellation"].Text].Cancel),
        ["credentials"] = step => Do(() =>
            Client(step).SetCredentials(step["credentials"]["accessToken"].Text)),
        ["shutdown"] = step => Do(Client(step).Stop),
        ["close"] = step => Do(step["cancellation"] == null
            ? (Action)Client(step).Dispose
            : Cancellations[step["cancellation"].Text].Dispose),
        ["log"] = step => Do(() => Log(step)),
        ["events"] = step => TakeEvents(),
        ["counters"] = step => new Dictionary<string, object>
        {
            ["clients"] = PayorderLibrary.LiveClients,
            ["strings"] = PayorderLibrary.LiveStrings,
            ["calls"] = PayorderLibrary.LiveCalls,
        },
        ["collect"] = step => Do(() =>
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }),
        ["forget"] = step => Do(() => Clients.TryRemove(step["client"].Text, out _)),
        ["throw"] = step => throw new Planted(),
    };

    private static object Do(Action action)
    {
        action();
        return null;
    }

    private static object Perform(JsonValue step, Dictionary<string, object> report)
    {
        var op = step["op"].Text;
        return op == "statuses" ? Statuses(step, report) : Operations[op](step);
    }

    private static List<object> TakeEvents()
    {
        var events = new List<object>();
        while (Events.TryDequeue(out object one))
        {
            events.Add(one);
        }
        return events;
    }

    private static Checkout Create(JsonValue step)
    {
        var order = Steps.Order(step["order"]);
        var options = Steps.Fill<OrderOptions>(step["options"]);
        return order == null
            ? Client(step).CreateOrder(step["order"].Text, options, Token(step))
            : Client(step).CreateOrder(order, options, Token(step));
    }

    private static object Statuses(JsonValue step, Dictionary<string, object> report)
    {
        var items = new List<object>();
        report["items"] = items;
        return Client(step).GetStatuses(
            step["queries"].Items.Select(Steps.Query),
            result =>
            {
                var item = Reports.Fields(result);
                item["ok"] = result.Error == null;
                item["value"] = result.Status;
                item["thread"] = ThisThread();
                items.Add(item);
                var then = step["then"];
                if (then == null || items.Count != Steps.Number(step, "at") + 1)
                {
                    return true;
                }
                if (then["op"].Text == "stop")
                {
                    return false;
                }
                Perform(then, new Dictionary<string, object>());
                return true;
            },
            Steps.Fill<BatchOptions>(step["options"]),
            Token(step));
    }

    private static object Journal(JsonValue step)
    {
        var journal = Client(step).Journal;
        var options = step["options"];
        switch (step["do"].Text)
        {
            case "list":
                return journal.List(options?["state"]?.Text,
                    Steps.Number(options, "after") ?? 0, Steps.Number(options, "limit"),
                    options?["orderId"]?.Text, options?["events"] != null,
                    cancellationToken: Token(step)).ToList();
            case "resolve":
                return journal.Resolve(Steps.Fill<BatchOptions>(options), Token(step));
            case "settle":
                return journal.Settle(
                    Steps.Number(options, "entry").Value, options["note"]?.Text, Token(step));
            default:
                return journal.Prune(Steps.Number(options, "olderThanDays"), Token(step));
        }
    }

    private static object Build(JsonValue step)
    {
        if (step["query"] != null)
        {
            return PayorderLibrary.BuildGetStatus(Steps.Query(step["query"]));
        }
        var order = Steps.Order(step["order"]);
        var field = step["options"]?["returnUrlField"]?.Text;
        var extra = Steps.ExtraFields(step["options"]?["extraFields"]);
        return order == null
            ? PayorderLibrary.BuildCreateOrder(step["order"].Raw, field, extra)
            : PayorderLibrary.BuildCreateOrder(order, field, extra);
    }

    private static Verification Verify(JsonValue step)
    {
        var expected = Steps.Fill<ExpectedPayment>(step["expected"]);
        return PayorderLibrary.VerifyPayment(expected, step["status"].Text);
    }

    private static void Log(JsonValue step)
    {
        if (step["on"]?.Raw == "false")
        {
            Client(step).SetLog(null);
            return;
        }
        Client(step).SetLog(one =>
        {
            var report = Reports.Fields(one);
            report["thread"] = ThisThread();
            Events.Enqueue(report);
            if (step["then"] != null && one.Event == step["at"].Text)
            {
                Perform(step["then"], new Dictionary<string, object>());
            }
        });
    }

    private static PayorderClient Client(JsonValue step) => Clients[step["client"].Text];

    private static CancellationToken Token(JsonValue step)
    {
        var name = step["cancellation"]?.Text;
        return name == null ? CancellationToken.None : Cancellations[name].Token;
    }

    private static string ThisThread() => _inStep > 0 ? "caller" : "other";

    /// <summary>The exception of the step `throw`.</summary>
    private sealed class Planted : Exception
    {
        internal Planted()
            : base("planted")
        {
        }
    }
}
