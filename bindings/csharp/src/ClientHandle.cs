using System;
using System.Collections.Concurrent;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder
{
    /// <summary>
    /// The library's handle of a client, which is freed once, and its calls in the library's queue.
    /// One thread takes their answers, while there are such calls. After calls, a timer closes idle
    /// connections: the library has no thread for it.
    /// </summary>
    internal sealed class ClientHandle : SafeHandle
    {
        /// <summary>How long the thread waits before it looks whether an answer can come.</summary>
        private const uint WaitMs = 1000;

        /// <summary>No client: the library refuses it, as it refuses one that was freed.</summary>
        private static readonly IntPtr Closed = new IntPtr(-1);

        /// <summary>Of all clients.</summary>
        private static long _lastId;

        private readonly Dictionary<long, Action<Answer>> _outstanding =
            new Dictionary<long, Action<Answer>>();

        private readonly ConcurrentDictionary<Task, bool> _tasks =
            new ConcurrentDictionary<Task, bool>();

        private readonly Timer _timer;
        private bool _isTaking;
        private volatile bool _refuses;

        internal ClientHandle()
            : base(IntPtr.Zero, true)
        {
            // A client that the program forgot can be garbage.
            _timer = WithoutContext(() => new Timer(
                one => ((ClientHandle?)((WeakReference)one!).Target)?.TakeOne(0),
                new WeakReference(this), Timeout.Infinite, Timeout.Infinite));
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>The handle for a call, which the library refuses after
        /// <see cref="Refuse"/>.</summary>
        internal IntPtr Value => _refuses ? Closed : handle;

        internal bool Refuses => _refuses;

        /// <summary>Gets the log events; or null.</summary>
        internal Action<LogEvent>? Log { get; private set; }

        /// <summary>How long the library keeps an idle connection.</summary>
        internal int MaxIdleMs { get; set; }

        /// <summary>Ends when all tasks of the client have ended, however they ended.</summary>
        internal Task AllEnded() => Task.WhenAll(_tasks.Keys.Select(
            task => task.ContinueWith(ended => { }, TaskScheduler.Default)));

        /// <summary>Before the start: afterwards nothing may fail.</summary>
        internal void Track(Task task)
        {
            _tasks[task] = true;
            task.ContinueWith(Forget, CancellationToken.None,
                TaskContinuationOptions.ExecuteSynchronously, TaskScheduler.Default);
        }

        internal void Forget(Task task)
        {
            _tasks.TryRemove(task, out _);
        }

        internal void Set(IntPtr client)
        {
            SetHandle(client);
        }

        /// <summary>After each call. When the timer ends, every connection is old.</summary>
        internal void Rest()
        {
            try
            {
                lock (_outstanding)
                {
                    if (!_refuses)
                    {
                        _timer.Change(MaxIdleMs + 50, Timeout.Infinite);
                    }
                }
            }
            catch (ThreadInterruptedException)
            {
                // It must not replace the result of the call. The next call sets the timer.
                Thread.CurrentThread.Interrupt();
            }
        }

        protected override bool ReleaseHandle() => Native.Library.ClientFree(handle) == 0;

        /// <summary>Returns the library's result.</summary>
        /// <exception cref="InvalidOperationException">There is a handler already.</exception>
        internal int SetLog(Action<LogEvent>? handler)
        {
            // Not between the two steps of a start.
            lock (_outstanding)
            {
                var earlier = Log;
                if (handler != null && earlier != null && !_refuses)
                {
                    throw new InvalidOperationException(
                        "the client has a log handler: SetLog(null) removes it");
                }
                Log = handler;
                int result = Native.Library.ClientSetLog(
                    Value, handler == null ? null : LogEvents.Callback, IntPtr.Zero);
                Log = result == 0 ? handler : earlier;
                return result;
            }
        }

        /// <summary>Starts a call.</summary>
        /// <param name="done">Gets the answer: here if the call was refused, otherwise on the
        /// thread that takes.</param>
        internal void Start(
            string operation, byte[]? request, byte[]? options, Action<Answer> done)
        {
            long id;
            int refused;
            IntPtr json;
            // The library gives a call the log that was set last.
            lock (_outstanding)
            {
                id = Add(done);
                LogEvents.Follow(this, new IntPtr(id));
                refused = Native.Library.Start(Value, Utf8.Bytes(operation, "operation"),
                    request, options, IntPtr.Zero, new IntPtr(id), out json);
            }
            if (refused != 0)
            {
                End(id)(Answer.Take(refused, json));
            }
        }

        /// <summary>
        /// Refuses later calls. Those that were started end on their own; then the client is freed.
        /// The library refuses a freed one, so this need not wait for the calls that block.
        /// </summary>
        internal void Refuse()
        {
            lock (_outstanding)
            {
                _refuses = true;
                FreeIfRefusing();
            }
        }

        private long Add(Action<Answer> done)
        {
            lock (_outstanding)
            {
                if (!_isTaking)
                {
                    // First: without a thread, nothing may be sent.
                    _isTaking = WithoutContext(() =>
                    {
                        new Thread(TakeAll) { IsBackground = true, Name = "payorder answers" }
                            .Start();
                        return true;
                    });
                }
                long id = Interlocked.Increment(ref _lastId);
                _outstanding[id] = done;
                return id;
            }
        }

        /// <summary>What is made keeps nothing of this thread, such as the values of AsyncLocal.
        /// </summary>
        private static T WithoutContext<T>(Func<T> make)
        {
            if (ExecutionContext.IsFlowSuppressed())
            {
                return make();
            }
            using (ExecutionContext.SuppressFlow())
            {
                return make();
            }
        }

        private void TakeAll()
        {
            bool taken;
            do
            {
                taken = TakeOne(WaitMs);
            }
            while (GoesOn(taken));
        }

        private bool TakeOne(uint waitMs)
        {
            Native.Library.TakeDone(handle, waitMs,
                out int taken, out int result, out IntPtr json, out IntPtr id);
            var answer = Answer.Take(result, json);
            if (taken == 1)
            {
                End(id.ToInt64())(answer);
            }
            return taken == 1;
        }

        /// <summary>What gets the answer of a call. Nothing is lost any more if the client is
        /// freed.</summary>
        private Action<Answer> End(long id)
        {
            lock (_outstanding)
            {
                var done = _outstanding[id];
                _outstanding.Remove(id);
                LogEvents.Forget(new IntPtr(id));
                Rest();
                FreeIfRefusing();
                return done;
            }
        }

        private void FreeIfRefusing()
        {
            if (_refuses && _outstanding.Count == 0)
            {
                _timer.Change(Timeout.Infinite, Timeout.Infinite);
                Dispose();
            }
        }

        /// <summary>Lingers after the last answer, for the next call.</summary>
        private bool GoesOn(bool taken)
        {
            lock (_outstanding)
            {
                _isTaking = taken || _outstanding.Count > 0;
                return _isTaking;
            }
        }
    }
}
