using System;
using System.Collections.Generic;
using System.Threading;

namespace Payorder
{
    /// <summary>
    /// The calls of a client that are in the library's queue. One thread takes their answers, while
    /// there are such calls.
    /// </summary>
    internal sealed class StartedCalls
    {
        /// <summary>How long the thread waits before it looks whether an answer can come.</summary>
        private const uint WaitMs = 1000;

        private readonly ClientHandle _client;

        private readonly Dictionary<long, Action<int, IntPtr>> _outstanding =
            new Dictionary<long, Action<int, IntPtr>>();

        private long _lastId;
        private bool _isTaking;
        private volatile bool _isClosed;

        internal StartedCalls(ClientHandle client)
        {
            _client = client;
        }

        /// <summary>Whether the client was closed.</summary>
        internal bool IsClosed => _isClosed;

        /// <summary>Starts a call.</summary>
        /// <param name="done">Gets the answer: here if the call was refused, otherwise on the
        /// thread that takes. It frees the text.</param>
        internal void Start(
            string operation, byte[]? request, byte[]? options, Action<int, IntPtr> done)
        {
            long id = Add(done);
            int refused = Native.Library.Start(_client.Value, Utf8.Bytes(operation, "operation"),
                request, options, IntPtr.Zero, new IntPtr(id), out IntPtr json);
            if (refused != 0)
            {
                End(id)(refused, json);
            }
        }

        /// <summary>
        /// Refuses later calls. Those that were started end on their own; then the client is freed.
        /// </summary>
        internal void Close()
        {
            lock (_outstanding)
            {
                _isClosed = true;
                FreeIfClosed();
            }
        }

        private long Add(Action<int, IntPtr> done)
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
                Native.Library.TakeDone(_client.Real, WaitMs,
                    out taken, out int result, out IntPtr json, out IntPtr id);
                if (taken == 1)
                {
                    End(id.ToInt64())(result, json);
                }
                else
                {
                    Native.Library.StringFree(json);
                }
            }
            while (GoesOn(taken == 1));
        }

        /// <summary>What gets the answer of a call. Nothing is lost any more if the client is
        /// freed.</summary>
        private Action<int, IntPtr> End(long id)
        {
            lock (_outstanding)
            {
                var done = _outstanding[id];
                _outstanding.Remove(id);
                FreeIfClosed();
                return done;
            }
        }

        private void FreeIfClosed()
        {
            if (_isClosed && _outstanding.Count == 0)
            {
                _client.Dispose();
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
