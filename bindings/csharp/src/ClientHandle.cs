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
    /// One thread takes their answers, while there are such calls.
    /// </summary>
    internal sealed class ClientHandle : SafeHandle
    {
        /// <summary>How long the thread waits before it looks whether an answer can come.</summary>
        private const uint WaitMs = 1000;

        /// <summary>No client: the library refuses it, as it refuses one that was freed.</summary>
        private static readonly IntPtr Closed = new IntPtr(-1);

        private readonly Dictionary<long, Action<Answer>> _outstanding =
            new Dictionary<long, Action<Answer>>();

        private readonly ConcurrentDictionary<Task, bool> _tasks =
            new ConcurrentDictionary<Task, bool>();

        private long _lastId;
        private bool _isTaking;
        private volatile bool _refuses;

        internal ClientHandle()
            : base(IntPtr.Zero, true)
        {
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>The handle for a call, which the library refuses after
        /// <see cref="Refuse"/>.</summary>
        internal IntPtr Value => _refuses ? Closed : handle;

        internal bool Refuses => _refuses;

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

        protected override bool ReleaseHandle()
        {
            LogEvents.Set(handle, null);
            return Native.Library.ClientFree(handle) == 0;
        }

        /// <summary>Starts a call.</summary>
        /// <param name="done">Gets the answer: here if the call was refused, otherwise on the
        /// thread that takes.</param>
        internal void Start(
            string operation, byte[]? request, byte[]? options, Action<Answer> done)
        {
            long id = Add(done);
            int refused = Native.Library.Start(Value, Utf8.Bytes(operation, "operation"),
                request, options, IntPtr.Zero, new IntPtr(id), out IntPtr json);
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
                    StartThread();
                    _isTaking = true;
                }
                _outstanding[++_lastId] = done;
                return _lastId;
            }
        }

        /// <summary>The thread keeps nothing of this one, such as the values of AsyncLocal.</summary>
        private void StartThread()
        {
            var thread = new Thread(TakeAll) { IsBackground = true, Name = "payorder answers" };
            if (ExecutionContext.IsFlowSuppressed())
            {
                thread.Start();
                return;
            }
            using (ExecutionContext.SuppressFlow())
            {
                thread.Start();
            }
        }

        private void TakeAll()
        {
            int taken;
            do
            {
                Native.Library.TakeDone(handle, WaitMs,
                    out taken, out int result, out IntPtr json, out IntPtr id);
                var answer = Answer.Take(result, json);
                if (taken == 1)
                {
                    End(id.ToInt64())(answer);
                }
            }
            while (GoesOn(taken == 1));
        }

        /// <summary>What gets the answer of a call. Nothing is lost any more if the client is
        /// freed.</summary>
        private Action<Answer> End(long id)
        {
            lock (_outstanding)
            {
                var done = _outstanding[id];
                _outstanding.Remove(id);
                FreeIfRefusing();
                return done;
            }
        }

        private void FreeIfRefusing()
        {
            if (_refuses && _outstanding.Count == 0)
            {
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
