using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace Payorder
{
    /// <summary>
    /// Log events of all clients. The library may call back after a client was freed, so there is
    /// one callback that lives as long as the program, and finds the handler by the
    /// client, whose handle is never used again.
    /// </summary>
    internal static class LogEvents
    {
        internal static readonly Native.LogFn Callback = Take;

        private static readonly ConcurrentDictionary<IntPtr, Action<LogEvent>> Handlers =
            new ConcurrentDictionary<IntPtr, Action<LogEvent>>();

        /// <summary>Begins the tags of calls that have none of the program.</summary>
        private const string OwnTag = "payorder-call-";

        /// <summary>The contexts in which calls were started, by the tags of the calls.</summary>
        private static readonly ConcurrentDictionary<string, ExecutionContext> Contexts =
            new ConcurrentDictionary<string, ExecutionContext>();

        private static long _calls;

        /// <summary>False if there is a handler already, which another one must not replace.
        /// </summary>
        internal static bool Set(IntPtr client, Action<LogEvent>? handler)
        {
            if (handler != null)
            {
                return Handlers.TryAdd(client, handler);
            }
            Handlers.TryRemove(client, out _);
            return true;
        }

        /// <summary>
        /// Lets the events of a call that is started now have the context of its caller, such as
        /// the values of AsyncLocal. Null if nobody listens.
        /// </summary>
        internal static KeyValuePair<string, ExecutionContext>? Follow(
            IntPtr client, JsonWriter options)
        {
            var context = Handlers.ContainsKey(client) ? ExecutionContext.Capture() : null;
            if (context == null)
            {
                return null;
            }
            var tag = JsonValue.Parse(options.ToString()).TextOf("tag");
            if (tag == null)
            {
                tag = OwnTag + Interlocked.Increment(ref _calls);
                options.Add("tag", tag);
            }
            Contexts[tag] = context;
            return new KeyValuePair<string, ExecutionContext>(tag, context);
        }

        /// <summary>After the call. A later one with the same tag keeps its context.</summary>
        internal static void Forget(KeyValuePair<string, ExecutionContext>? followed)
        {
            if (followed != null)
            {
                ((ICollection<KeyValuePair<string, ExecutionContext>>)Contexts)
                    .Remove(followed.Value);
            }
        }

        private static void Take(IntPtr eventJson, IntPtr client)
        {
            try
            {
                if (!Handlers.TryGetValue(client, out var handler))
                {
                    return;
                }
                var text = Utf8.Text(eventJson)!;
                var json = JsonValue.Parse(text);
                var tag = json.TextOf("tag") ?? "";
                if (tag.StartsWith(OwnTag, StringComparison.Ordinal))
                {
                    json = JsonValue.Parse(text.Replace(",\"tag\":\"" + tag + "\"", ""));
                }
                if (Contexts.TryGetValue(tag, out var context))
                {
                    // .NET Framework runs each copy once.
                    ExecutionContext.Run(
                        context.CreateCopy(), none => handler(new LogEvent(json)), null);
                }
                else
                {
                    handler(new LogEvent(json));
                }
            }
            catch (Exception error)
            {
                // It must not go through the library, and must not hide the outcome of an order.
                try
                {
                    Trace.TraceError("a payorder log handler failed: " + error);
                }
                catch (Exception)
                {
                    // A listener writes to a full disk, say.
                }
            }
        }
    }
}
