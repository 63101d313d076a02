using System;
using System.Reflection;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

namespace Payorder
{
    /// <summary>
    /// The functions of the library. They are delegates and not DllImports, because the path of the
    /// library is known only when the program runs.
    /// </summary>
    internal sealed class Native
    {
        private static readonly Lazy<Native> TheLibrary = new Lazy<Native>(LibraryFinder.Load);

        /// <summary>The loaded library.</summary>
        /// <exception cref="InvalidConfigException">There is none that can be used.</exception>
        internal static Native Library => TheLibrary.Value;

        internal readonly GiveText Version = null!;
        internal readonly GiveNumber AbiVersion;
        internal readonly Count LiveClients = null!;
        internal readonly Count LiveStrings = null!;
        internal readonly Count LiveCalls = null!;
        internal readonly ClientNewFn ClientNew = null!;
        internal readonly Simple ClientFree = null!;
        internal readonly ClientNewFn ClientFromEnv = null!;
        internal readonly Simple ClientCancel = null!;
        internal readonly Simple ClientStop = null!;
        internal readonly JournalCall ClientSetCredentials = null!;
        internal readonly SetLogFn ClientSetLog = null!;
        internal readonly GiveOut CancellationNew = null!;
        internal readonly Simple CancellationCancel = null!;
        internal readonly Simple CancellationFree = null!;
        internal readonly StartFn Start = null!;
        internal readonly ClientCall Recover = null!;
        internal readonly ClientCall CreateOrder = null!;
        internal readonly ClientCall GetStatus = null!;
        internal readonly ClientCall WaitForPayment = null!;
        internal readonly StatusesCall GetStatuses = null!;
        internal readonly JournalCall JournalList = null!;
        internal readonly JournalCall JournalResolve = null!;
        internal readonly JournalCall JournalSettle = null!;
        internal readonly JournalCall JournalPrune = null!;
        internal readonly TwoTexts BuildCreateOrder = null!;
        internal readonly OneText BuildGetStatus = null!;
        internal readonly OneText ParseReturnUrl = null!;
        internal readonly TwoTexts VerifyPayment = null!;
        internal readonly Free StringFree = null!;

        /// <param name="address">Gives the address of a function by its name.</param>
        internal Native(Func<string, IntPtr> address)
        {
            AbiVersion = (GiveNumber)Load(address, nameof(AbiVersion), typeof(GiveNumber));
            uint version = AbiVersion();
            if (version != Abi.Version)
            {
                throw new DllNotFoundException("has version " + version
                    + " of the ABI, and this package needs version " + Abi.Version);
            }
            foreach (var field in typeof(Native).GetFields(
                BindingFlags.Instance | BindingFlags.NonPublic))
            {
                field.SetValue(this, Load(address, field.Name, field.FieldType));
            }
        }

        /// <summary>The function with the name of a field: LiveClients is payorder_live_clients.</summary>
        private static Delegate Load(Func<string, IntPtr> address, string name, Type type)
        {
            var function = "payorder" + Regex.Replace(name, "[A-Z]", "_$0").ToLowerInvariant();
            return Marshal.GetDelegateForFunctionPointer(address(function), type);
        }

        // Texts for the library are byte arrays, which are pinned during the call. Texts of the
        // library are pointers, because they must be freed there.

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate IntPtr GiveText();

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate uint GiveNumber();

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate UIntPtr Count();

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int Simple(IntPtr handleOrToken);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void Free(IntPtr text);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int GiveOut(out IntPtr text);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int ClientNewFn(byte[]? config, out IntPtr client, out IntPtr json);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int ClientCall(
            IntPtr client, byte[]? request, byte[]? options, out IntPtr json);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int StartFn(IntPtr client, byte[]? operation, byte[]? request,
            byte[]? options, DoneFn done, IntPtr userData, out IntPtr json);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void DoneFn(int result, IntPtr json, IntPtr userData);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int StatusesCall(IntPtr client, byte[]? queries, byte[]? options,
            StatusFn each, IntPtr userData, out IntPtr json);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int JournalCall(IntPtr client, byte[]? options, out IntPtr json);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int OneText(byte[]? text, out IntPtr json);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int TwoTexts(byte[]? first, byte[]? second, out IntPtr json);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int SetLogFn(IntPtr client, LogFn? log, IntPtr userData);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate void LogFn(IntPtr eventJson, IntPtr userData);

        [UnmanagedFunctionPointer(CallingConvention.Cdecl)]
        internal delegate int StatusFn(UIntPtr index, int result, IntPtr json, IntPtr userData);
    }
}
