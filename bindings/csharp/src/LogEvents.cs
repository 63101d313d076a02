using System;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Threading;

namespace Payorder
{
    /// <summary>An event of a call, without a credential and personal data.</summary>
    public sealed class LogEvent
    {
        internal LogEvent(string raw)
        {
            Raw = raw;
            var json = JsonValue.Parse(raw);
            Event = json.TextOf("event") ?? "";
            Operation = json.TextOf("operation") ?? "";
            OrderId = json.TextOf("orderId");
            TransactionId = json.TextOf("transactionId");
            Attempt = json.WholeOf("attempt");
            Elapsed = json.TimeOf("elapsedMs") ?? TimeSpan.Zero;
            Host = json.TextOf("host");
            Result = json.ResultOf("result");
            Cause = json.TextOf("cause");
            HttpStatus = json.WholeOf("httpStatus");
            TransactionStatus = json.TextOf("transactionStatus");
        }

        /// <summary>
        /// attempt_started, attempt_failed, attempt_finished, call_finished or journal_failed.
        /// </summary>
        public string Event { get; }

        /// <summary>The call, such as create_order.</summary>
        public string Operation { get; }

        /// <summary>The identifier of the order, or null.</summary>
        public string? OrderId { get; }

        /// <summary>The service's identifier of the transaction, or null.</summary>
        public string? TransactionId { get; }

        /// <summary>The number of the attempt, from 1.</summary>
        public int? Attempt { get; }

        /// <summary>The time since the start of the call.</summary>
        public TimeSpan Elapsed { get; }

        /// <summary>The service's host and port.</summary>
        public string? Host { get; }

        /// <summary>How the call or the attempt ended.</summary>
        public PayorderResult? Result { get; }

        /// <summary>What exactly happened: one of <see cref="Causes"/>.</summary>
        public string? Cause { get; }

        /// <summary>The HTTP status of the response.</summary>
        public int? HttpStatus { get; }

        /// <summary>The status that the service sent.</summary>
        public string? TransactionStatus { get; }

        /// <summary>The event as JSON text.</summary>
        public string Raw { get; }

        /// <summary>The event as JSON text.</summary>
        public override string ToString()
        {
            return Raw;
        }
    }

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

        internal static long NewKey()
        {
            return Interlocked.Increment(ref _keys);
        }

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
                    handler(new LogEvent(Utf8.Text(eventJson)!));
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
