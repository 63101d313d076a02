using System;
using System.Collections.Concurrent;
using System.Diagnostics;

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

        internal static void Set(IntPtr client, Action<LogEvent>? handler)
        {
            if (handler == null)
            {
                Handlers.TryRemove(client, out _);
            }
            else
            {
                Handlers[client] = handler;
            }
        }

        private static void Take(IntPtr eventJson, IntPtr client)
        {
            try
            {
                if (Handlers.TryGetValue(client, out var handler))
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
