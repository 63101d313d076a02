using System;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder
{
    /// <summary>Calls of the library. A result that is not OK becomes an exception.</summary>
    internal static class Calls
    {
        internal delegate int Invocation(out IntPtr json);

        /// <summary>Makes a call without the network.</summary>
        internal static string Offline(Invocation invoke)
        {
            var answer = Make(invoke);
            if (answer.Failure != null)
            {
                throw answer.Failure;
            }
            return answer.Result == 0
                ? answer.Text!
                : throw new UnusableTextException(new ErrorFields(answer.Result, answer.Text));
        }

        /// <summary>
        /// Makes a call of a client. After it, nothing may hide its outcome: an answer that cannot
        /// be read becomes an exception with the outcome of the call, and with the query.
        /// </summary>
        internal static T OfClient<T>(
            Invocation invoke, Func<string, T> read, Func<StatusQuery?>? query = null,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            Read(Make(invoke), read, query, cancellationToken);

        /// <summary>Reads the answer of a started call, and frees its text.</summary>
        internal static T OfStarted<T>(
            int result, IntPtr json, Func<string, T> read, Func<StatusQuery?>? query,
            CancellationToken cancellationToken)
        {
            var answer = new Answer();
            answer.Fill(result, json);
            Native.Library.StringFree(json);
            return Read(answer, read, query, cancellationToken);
        }

        private static T Read<T>(Answer answer, Func<string, T> read, Func<StatusQuery?>? query,
            CancellationToken cancellationToken)
        {
            try
            {
                if (answer.Failure == null && answer.Result == 0)
                {
                    return read(answer.Text!);
                }
                if (answer.Failure == null)
                {
                    bool cancelled = answer.Result == (int)PayorderResult.Cancelled
                        || answer.Result == (int)PayorderResult.CancelledInFlight;
                    throw ExceptionOf.Result(answer.Result, answer.Text,
                        cancelled && cancellationToken.IsCancellationRequested
                            ? new OperationCanceledException(cancellationToken)
                            : null);
                }
            }
            catch (Exception reason) when (!(reason is PayorderException))
            {
                answer.Failure = reason;
            }
            StatusQuery? asked = null;
            try
            {
                asked = query?.Invoke();
            }
            catch (Exception) when (answer.Failure != null)
            {
                // An order as JSON that the library reads and this package does not.
            }
            throw ExceptionOf.Unreadable(answer.Result, answer.Text, asked, answer.Failure);
        }

        /// <summary>Runs GetStatuses on this thread.</summary>
        internal static T Make<T>(this Func<T> call) => call();

        /// <summary>
        /// Runs GetStatuses on a thread of its own: it blocks its thread, and threads of the pool
        /// are needed for other work. No CancellationToken can end the task before the call.
        /// </summary>
        internal static Task<T> Start<T>(this Func<T> call) =>
            Task.Factory.StartNew(call, CancellationToken.None,
                TaskCreationOptions.LongRunning, TaskScheduler.Default);

        private static Answer Make(Invocation invoke)
        {
            var answer = new Answer();
            try
            {
                try
                {
                }
                finally
                {
                    // Thread.Abort of .NET Framework waits for the end of a finally block.
                    int result = invoke(out IntPtr json);
                    answer.Fill(result, json);
                    Native.Library.StringFree(json);
                }
            }
            catch (ThreadAbortException stop)
            {
                // The answer may have the only copy of a checkout URL.
                stop.Data[Answer.Key] = answer.Text;
                throw;
            }
            return answer;
        }

        private sealed class Answer
        {
            internal const string Key = "payorder";

            internal int Result;
            internal string? Text;
            internal Exception? Failure;

            /// <summary>Reads the library's text, if there is memory for it.</summary>
            internal void Fill(int result, IntPtr json)
            {
                Result = result;
                try
                {
                    Text = Utf8.Text(json);
                }
                catch (OutOfMemoryException failure)
                {
                    Failure = failure;
                }
            }
        }
    }
}
