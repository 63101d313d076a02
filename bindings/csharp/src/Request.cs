using System;
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

        /// <summary>Puts the call into the library's queue.</summary>
        internal Task<T> Start()
        {
            // The program's code does not run on the thread that takes the answers.
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
            Handle.Started.Start(
                Operation, Text, PayorderClient.Options(Settings, cancellation), done);
            return task.Task;
        }
    }
}
