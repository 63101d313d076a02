using System;
using System.Runtime.InteropServices;
using System.Threading;

namespace Payorder
{
    /// <summary>
    /// Gives a .NET cancellation to one call: a token of the library, whose text is its handle.
    /// </summary>
    internal sealed class Cancellation : SafeHandle
    {
        private readonly CancellationTokenRegistration _registration;

        internal Cancellation(CancellationToken cancellationToken)
            : base(IntPtr.Zero, true)
        {
            if (!cancellationToken.CanBeCanceled)
            {
                return;
            }
            int result = Native.Library.CancellationNew(out IntPtr token);
            if (result != 0)
            {
                throw ErrorFields.Of(result, null);
            }
            SetHandle(token);
            _registration = cancellationToken.Register(
                () => Native.Library.CancellationCancel(token));
        }

        public override bool IsInvalid => handle == IntPtr.Zero;

        /// <summary>The token for the option "cancellation", or null.</summary>
        internal string? Text => Utf8.Text(handle);

        protected override void Dispose(bool disposing)
        {
            if (disposing)
            {
                try
                {
                    // Waits for a cancellation that is in progress.
                    _registration.Dispose();
                }
                catch (ThreadInterruptedException)
                {
                    // It must not replace the result of the call. The library knows a freed token.
                    Thread.CurrentThread.Interrupt();
                }
            }
            base.Dispose(disposing);
        }

        protected override bool ReleaseHandle()
        {
            return Native.Library.CancellationFree(handle) == 0;
        }
    }
}
