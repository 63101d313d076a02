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
                // Waits for a cancellation that is in progress, so the token is not freed too early.
                _registration.Dispose();
            }
            base.Dispose(disposing);
        }

        protected override bool ReleaseHandle()
        {
            return Native.Library.CancellationFree(handle) == 0;
        }
    }
}
