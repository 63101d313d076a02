using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Payorder
{
    /// <summary>The library's handle of a client, which is freed once.</summary>
    internal sealed class ClientHandle : SafeHandle
    {
        /// <summary>The number under which the log handler is kept.</summary>
        internal readonly long LogKey = LogEvents.NewKey();

        internal readonly StartedCalls Started;

        /// <summary>No client: the library refuses it, as it refuses one that was freed.</summary>
        private static readonly IntPtr Closed = new IntPtr(-1);

        internal ClientHandle()
            : base(IntPtr.Zero, true)
        {
            Started = new StartedCalls(this);
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>The handle for a call. The library refuses that of a closed client.</summary>
        internal IntPtr Value => Started.IsClosed ? Closed : handle;

        /// <summary>
        /// The handle, also after it was freed: the library never uses a handle twice, and refuses
        /// a freed one. So Dispose need not wait for the calls that block.
        /// </summary>
        internal IntPtr Real => handle;

        internal void Set(IntPtr client)
        {
            SetHandle(client);
        }

        protected override bool ReleaseHandle()
        {
            LogEvents.Set(LogKey, null);
            return Native.Library.ClientFree(handle) == 0;
        }
    }

    /// <summary>A cancellation token of the library: its text is its handle.</summary>
    internal sealed class TokenHandle : SafeHandle
    {
        internal TokenHandle()
            : base(IntPtr.Zero, true)
        {
            int result = Native.Library.CancellationNew(out IntPtr token);
            if (result != 0)
            {
                throw ExceptionOf.Result(result, null);
            }
            SetHandle(token);
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        internal string Text => Utf8.Text(handle)!;

        internal void Cancel()
        {
            Native.Library.CancellationCancel(handle);
        }

        protected override bool ReleaseHandle()
        {
            return Native.Library.CancellationFree(handle) == 0;
        }
    }

    /// <summary>Gives a .NET cancellation to one call of the library.</summary>
    internal sealed class Cancellation : IDisposable
    {
        private readonly TokenHandle? _token;
        private readonly CancellationTokenRegistration _registration;

        internal Cancellation(CancellationToken cancellationToken)
        {
            if (!cancellationToken.CanBeCanceled)
            {
                return;
            }
            _token = new TokenHandle();
            _registration = cancellationToken.Register(_token.Cancel);
        }

        /// <summary>The token for the option "cancellation", or null.</summary>
        internal string? Text => _token?.Text;

        public void Dispose()
        {
            // Waits for a cancellation that is in progress, so the token is not freed too early.
            _registration.Dispose();
            _token?.Dispose();
        }
    }
}
