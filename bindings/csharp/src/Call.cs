using System;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder
{
    /// <summary>
    /// One call of a client. What it sends was read when it was made: the caller may change the
    /// options while the call runs.
    /// </summary>
    internal sealed class Call<T>
    {
        private readonly ClientHandle _client;
        private readonly string? _operation;
        private readonly Native.ClientCall _function;
        private readonly byte[]? _request;
        private readonly JsonWriter _options;
        private readonly CancellationToken _cancellationToken;
        private readonly Func<string, T> _read;
        private readonly Func<StatusQuery?>? _query;

        /// <param name="operation">Its name in the library's queue; null if it always needs a
        /// thread.</param>
        /// <param name="query">What to ask next if the answer cannot be read.</param>
        internal Call(ClientHandle client, string? operation, Native.ClientCall function,
            byte[]? request, JsonWriter? options, CancellationToken cancellationToken,
            Func<string, T> read, Func<StatusQuery?>? query = null)
        {
            _client = client;
            _operation = operation;
            _function = function;
            _request = request;
            _options = options ?? new JsonWriter();
            _cancellationToken = cancellationToken;
            _read = read;
            _query = query;
        }

        /// <summary>Of a function without a request.</summary>
        internal Call(ClientHandle client, string? operation, Native.JournalCall function,
            JsonWriter? options, CancellationToken cancellationToken, Func<string, T> read)
            : this(client, operation,
                (IntPtr handle, byte[]? none, byte[]? settings, out IntPtr json) =>
                    function(handle, settings, out json),
                null, options, cancellationToken, read)
        {
        }

        /// <summary>Runs after the call on its thread, and may throw.</summary>
        internal Action? End { get; set; }

        /// <summary>
        /// Whether it sends an order. Then its exception must say what happened to the order, and
        /// any other call that its token ended is just cancelled.
        /// </summary>
        internal bool Sends { get; set; }

        /// <summary>Makes the call on this thread.</summary>
        internal T Make()
        {
            Answer? answer = null;
            try
            {
                using (var cancellation = new Cancellation(_cancellationToken))
                {
                    var options = Options(cancellation);
                    answer = Answer.Of((out IntPtr json) =>
                    {
                        var outer = LogEvents.Blocking;
                        LogEvents.Blocking = _client;
                        int result = _function(_client.Value, _request, options, out json);
                        LogEvents.Blocking = outer;
                        // Until here: the handle of a client that nobody uses is freed by the
                        // collector.
                        _client.Rest();
                        return result;
                    });
                    return Read(answer);
                }
            }
            catch (ThreadAbortException stop) when (answer != null)
            {
                answer.KeepIn(stop);
                throw;
            }
        }

        /// <summary>Puts the call into the library's queue, or on a thread of its own.</summary>
        internal Task<T> Start()
        {
            if (_operation == null)
            {
                // Not a thread of the pool, and no CancellationToken can end the task before it.
                var batch = Result(Task.Factory.StartNew(Make, CancellationToken.None,
                    TaskCreationOptions.LongRunning, TaskScheduler.Default));
                _client.Track(batch);
                return batch;
            }
            // The program's code does not run on the thread that takes the answers.
            var answer = new TaskCompletionSource<Answer>(
                TaskCreationOptions.RunContinuationsAsynchronously);
            var cancellation = new Cancellation(_cancellationToken);
            var task = Result(answer.Task, cancellation);
            bool isStarted = false;
            try
            {
                _client.Track(task);
                var options = Options(cancellation);
                try
                {
                }
                finally
                {
                    // Thread.Abort of .NET Framework waits for the end of a finally block.
                    _client.Start(_operation, _request, options, answer.SetResult);
                    isStarted = true;
                }
                return task;
            }
            catch (ThreadAbortException stop) when (isStarted)
            {
                // The task may have the only copy of a checkout URL. .NET Framework takes only what
                // is serializable, which a delegate is and a task is not.
                stop.Data[Answer.AbortKey] = new Func<Task<T>>(() => task);
                throw;
            }
            catch (Exception) when (!isStarted)
            {
                cancellation.Dispose();
                _client.Forget(task);
                throw;
            }
        }

        // Only an async method makes a task that is Canceled and also keeps the exception.
        private static async Task<T> Result(Task<T> call) => await call.ConfigureAwait(false);

        private async Task<T> Result(Task<Answer> call, Cancellation cancellation)
        {
            using (cancellation)
            {
                return Read(await call.ConfigureAwait(false));
            }
        }

        private T Read(Answer answer)
        {
            T value;
            try
            {
                value = answer.Read(_read, _query, Sends, _cancellationToken);
            }
            catch (PayorderException error) when (_cancellationToken.IsCancellationRequested
                && !Sends && (error is CancelledException || error is CancelledInFlightException))
            {
                throw new PayorderCanceledException(_cancellationToken, error);
            }
            End?.Invoke();
            var summary = value as Summary ?? (value as Resolved)?.Summary
                ?? (value as Recovered)?.Summary;
            return summary?.Stopped == true && _cancellationToken.IsCancellationRequested
                ? throw new PayorderCanceledException(_cancellationToken, null, summary)
                : value;
        }

        private byte[]? Options(Cancellation cancellation) =>
            Utf8.Bytes(_options.Add("cancellation", cancellation.Text).ToString(), "options");
    }
}
