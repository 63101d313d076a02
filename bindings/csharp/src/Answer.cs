using System;
using System.Threading;

namespace Payorder
{
    /// <summary>How a call ended. Nothing may hide its outcome.</summary>
    internal sealed class Answer
    {
        /// <summary>Where a ThreadAbortException has what it would have lost.</summary>
        internal const string AbortKey = "payorder";

        private readonly int _result;
        private readonly string? _text;

        /// <summary>Why there was no memory for the text.</summary>
        private readonly Exception? _failure;

        private Answer(int result, IntPtr json)
        {
            _result = result;
            try
            {
                _text = Utf8.Text(json);
            }
            catch (OutOfMemoryException failure)
            {
                _failure = failure;
            }
        }

        internal delegate int Invocation(out IntPtr json);

        /// <summary>Makes a call on this thread.</summary>
        internal static Answer Of(Invocation invoke)
        {
            Answer answer = null!;
            try
            {
                try
                {
                }
                finally
                {
                    // Thread.Abort of .NET Framework waits for the end of a finally block.
                    int result = invoke(out IntPtr json);
                    answer = Take(result, json);
                }
            }
            catch (ThreadAbortException stop)
            {
                answer.KeepIn(stop);
                throw;
            }
            catch (ThreadInterruptedException) when (answer != null)
            {
                // In Mono, an interrupt too comes at the end of a finally block.
                Thread.CurrentThread.Interrupt();
            }
            return answer;
        }

        /// <summary>It may have the only copy of a checkout URL.</summary>
        internal void KeepIn(ThreadAbortException stop)
        {
            stop.Data[AbortKey] = _text;
        }

        /// <summary>Copies the library's text and frees it there.</summary>
        internal static Answer Take(int result, IntPtr json)
        {
            var answer = new Answer(result, json);
            Native.Library.StringFree(json);
            return answer;
        }

        /// <summary>The text of a call without the network.</summary>
        internal string ReadOffline()
        {
            if (_failure != null)
            {
                throw _failure;
            }
            return _result == 0
                ? _text!
                : throw new UnusableTextException(new ErrorFields(_result, _text));
        }

        /// <summary>
        /// Reads it. A result that is not OK becomes an exception; an answer that cannot be read
        /// becomes one with the outcome of the call, and with the query.
        /// </summary>
        /// <param name="isOrder">Whether the call sends an order. Other answers may have the data of
        /// a customer.</param>
        /// <param name="cancellationToken">What the exception of a cancelled order names as its
        /// reason.</param>
        internal T Read<T>(Func<string, T> read, Func<StatusQuery?>? query = null,
            bool isOrder = false, CancellationToken cancellationToken = default(CancellationToken))
        {
            var unreadable = _failure;
            PayorderException? error = null;
            try
            {
                if (unreadable == null && _result == 0)
                {
                    return read(_text!);
                }
                if (unreadable == null)
                {
                    bool cancelled = _result == (int)PayorderResult.Cancelled
                        || _result == (int)PayorderResult.CancelledInFlight;
                    error = new ErrorFields(_result, _text).ExceptionOf(query,
                        isOrder && cancelled && cancellationToken.IsCancellationRequested
                            ? new OperationCanceledException(cancellationToken)
                            : null);
                }
            }
            catch (Exception reason) when (_result != 0 || !(reason is PayorderException))
            {
                unreadable = reason;
            }
            if (error != null)
            {
                throw error;
            }
            StatusQuery? asked = null;
            try
            {
                asked = query?.Invoke();
            }
            catch (Exception)
            {
                // An order as JSON that the library reads and this package does not.
            }
            try
            {
                error = ErrorFields.Unreadable(_result, isOrder ? _text : null, asked, unreadable);
            }
            catch (OutOfMemoryException)
            {
                // The outcome and the query are worth more than a copy of the text.
                error = ErrorFields.Unreadable(_result, null, asked, unreadable);
            }
            throw error;
        }
    }
}
