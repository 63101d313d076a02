using System;
using System.Collections.Concurrent;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder
{
    /// <summary>
    /// One call of a client. What it sends was read when it was made: the caller may change the
    /// options while the call runs.
    /// </summary>
    internal sealed class Request<T>
    {
        internal ClientHandle Handle = null!;
        internal string Operation = null!;
        internal Native.ClientCall Function = null!;
        internal byte[]? Text;
        internal JsonWriter Settings = null!;
        internal CancellationToken CancellationToken;
        internal Func<string, T> Read = null!;
        internal Func<StatusQuery?>? Query;

        /// <summary>Makes the call on this thread.</summary>
        internal T Make()
        {
            using (var cancellation = new Cancellation(CancellationToken))
            {
                var options = PayorderClient.Options(Settings, cancellation);
                var value = Calls.OfClient(
                    (out IntPtr json) => Function(Handle.Value, Text, options, out json),
                    Read, Query, CancellationToken);
                // The handle of a client that nobody uses any more is freed by the collector.
                GC.KeepAlive(Handle);
                return value;
            }
        }

        /// <summary>Makes the call on a thread of the library.</summary>
        internal Task<T> Start()
        {
            // The program's code does not run on the call's thread, whose stack is small.
            var task = new TaskCompletionSource<T>(
                TaskCreationOptions.RunContinuationsAsynchronously);
            var cancellation = new Cancellation(CancellationToken);
            Action<int, IntPtr> done = (result, json) =>
            {
                try
                {
                    task.SetResult(
                        Calls.OfStarted(result, json, Read, Query, CancellationToken));
                }
                catch (Exception error)
                {
                    task.SetException(error);
                }
                finally
                {
                    cancellation.Dispose();
                }
            };
            long key = StartedCalls.Add(done);
            var options = PayorderClient.Options(Settings, cancellation);
            int refused = Native.Library.Start(Handle.Value, Utf8.Bytes(Operation, "operation"),
                Text, options, StartedCalls.Callback, new IntPtr(key), out IntPtr error2);
            GC.KeepAlive(Handle);
            if (refused != 0)
            {
                StartedCalls.Take(refused, error2, new IntPtr(key));
                Native.Library.StringFree(error2);
            }
            return task.Task;
        }
    }

    /// <summary>
    /// The calls that run on threads of the library. There is one callback that lives as long as
    /// the program, and finds the call by a number.
    /// </summary>
    internal static class StartedCalls
    {
        internal static readonly Native.DoneFn Callback = Take;

        private static readonly ConcurrentDictionary<long, Action<int, IntPtr>> Running =
            new ConcurrentDictionary<long, Action<int, IntPtr>>();

        internal static long Add(Action<int, IntPtr> done)
        {
            long key = LogEvents.NewKey();
            Running[key] = done;
            return key;
        }

        internal static void Take(int result, IntPtr json, IntPtr key)
        {
            if (Running.TryRemove(key.ToInt64(), out var done))
            {
                done(result, json);
            }
        }
    }
}
