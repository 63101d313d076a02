using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

namespace Payorder
{
    /// <summary>
    /// Log events of all clients. The library may call back after a client was freed, so there is
    /// one callback that lives as long as the program. It finds the client of a started call by the
    /// call's number.
    /// </summary>
    internal static class LogEvents
    {
        internal static readonly Native.LogFn Callback = Take;

        /// <summary>The clients of the started calls, and the contexts in which they were started.
        /// </summary>
        private static readonly
            ConcurrentDictionary<IntPtr, KeyValuePair<ClientHandle, ExecutionContext?>> Calls =
            new ConcurrentDictionary<IntPtr, KeyValuePair<ClientHandle, ExecutionContext?>>();

        /// <summary>The client whose call blocks this thread, on which the events then come.
        /// </summary>
        [ThreadStatic]
        internal static ClientHandle? Blocking;

        /// <summary>
        /// Lets the events of the call that is started next have the context of its caller, such as
        /// the values of AsyncLocal.
        /// </summary>
        internal static void Follow(ClientHandle client, IntPtr call)
        {
            if (client.Log != null)
            {
                Calls[call] = new KeyValuePair<ClientHandle, ExecutionContext?>(
                    client, ExecutionContext.Capture());
                Native.Library.ClientSetLog(client.Value, Callback, call);
            }
        }

        internal static void Forget(IntPtr call)
        {
            Calls.TryRemove(call, out _);
        }

        private static void Take(IntPtr eventJson, IntPtr call)
        {
            try
            {
                var (client, context) = (Blocking, (ExecutionContext?)null);
                if (client == null && Calls.TryGetValue(call, out var started))
                {
                    (client, context) = (started.Key, started.Value);
                }
                var handler = client?.Log;
                if (handler == null)
                {
                    return;
                }
                var one = new LogEvent(JsonValue.Parse(Utf8.Text(eventJson)!));
                if (context == null)
                {
                    handler(one);
                }
                else
                {
                    // .NET Framework runs each copy once.
                    ExecutionContext.Run(context.CreateCopy(), none => handler(one), null);
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
