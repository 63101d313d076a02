#if NETCOREAPP
using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Channels;
using System.Threading.Tasks;

namespace Payorder
{
    public partial interface IPayorderClient : IAsyncDisposable
    {
        /// <summary>
        /// Asks for many statuses, several at a time, and gives each result when it is there. If
        /// the loop ends early, no more queries are sent.
        /// </summary>
        /// <exception cref="PayorderCanceledException">The loop was cancelled, or the client:
        /// there may be queries without a result.</exception>
        IAsyncEnumerable<StatusResult> StreamStatusesAsync(IEnumerable<StatusQuery> queries,
            BatchOptions? options = null, CancellationToken cancellationToken = default);
    }

    public sealed partial class PayorderClient
    {
        /// <summary>
        /// Stops the client, waits until its tasks have ended, and frees it. Each task says how its
        /// call ended.
        /// </summary>
        public async ValueTask DisposeAsync()
        {
            if (!_handle.Refuses)
            {
                Stop();
                await _handle.AllEnded().ConfigureAwait(false);
                Dispose();
            }
        }

        // The library pauses while the program has not taken so many results.
        private const int ResultsAhead = 64;

        /// <inheritdoc/>
        public async IAsyncEnumerable<StatusResult> StreamStatusesAsync(
            IEnumerable<StatusQuery> queries, BatchOptions? options = null,
            [EnumeratorCancellation] CancellationToken cancellationToken = default)
        {
            var results = Channel.CreateBounded<StatusResult>(ResultsAhead);
            using var stop = CancellationTokenSource.CreateLinkedTokenSource(
                cancellationToken, Volatile.Read(ref _streams).Token);
            var call = GetStatusesAsync(queries, result => Give(results.Writer, result, stop.Token),
                options, stop.Token);
            // Not with the scheduler of the caller, who may wait for this.
            _ = call.ContinueWith(ended => results.Writer.Complete(), CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
            try
            {
                await foreach (var result in results.Reader.ReadAllAsync().ConfigureAwait(false))
                {
                    yield return result;
                }
                if (call.IsCanceled || (await call.ConfigureAwait(false)).Stopped)
                {
                    throw new PayorderCanceledException(cancellationToken);
                }
            }
            finally
            {
                stop.Cancel();
                // The loop ends after its call.
                await Task.WhenAny(call).ConfigureAwait(false);
            }
        }

        private static bool Give(
            ChannelWriter<StatusResult> writer, StatusResult result, CancellationToken stop)
        {
            try
            {
                writer.WriteAsync(result, stop).AsTask().GetAwaiter().GetResult();
                return true;
            }
            catch (OperationCanceledException)
            {
                return false;
            }
        }
    }
}
#endif
