using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading;

namespace Payorder
{
    /// <summary>
    /// Log events of all clients. The library may call back after a client was freed, so there is
    /// one callback that lives as long as the program, and finds the handler by a number.
    /// </summary>
    internal static class LogEvents
    {
        internal static readonly Native.LogFn Callback = Take;

        private static readonly ConcurrentDictionary<long, Action<LogEvent>> Handlers =
            new ConcurrentDictionary<long, Action<LogEvent>>();

        private static int _keys;

        internal static long NewKey() => Interlocked.Increment(ref _keys);

        internal static void Set(long key, Action<LogEvent>? handler)
        {
            if (handler == null)
            {
                Handlers.TryRemove(key, out _);
            }
            else
            {
                Handlers[key] = handler;
            }
        }

        private static void Take(IntPtr eventJson, IntPtr key)
        {
            try
            {
                if (Handlers.TryGetValue(key.ToInt64(), out var handler))
                {
                    handler(new LogEvent(JsonValue.Parse(Utf8.Text(eventJson)!)));
                }
            }
            catch (Exception error)
            {
                // It must not go through the library, and must not hide the outcome of an order.
                Trace.TraceError("a payorder log handler failed: " + error);
            }
        }
    }
}
