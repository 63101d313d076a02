using System;
using System.Runtime.InteropServices;

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

        internal readonly GiveText Version;
        internal readonly GiveNumber AbiVersion;
        internal readonly Count LiveClients;
        internal readonly Count LiveStrings;
        internal readonly Count LiveCalls;
        internal readonly ClientNewFn ClientNew;
        internal readonly Simple ClientFree;
        internal readonly ClientNewFn ClientFromEnv;
        internal readonly Simple ClientCancel;
        internal readonly Simple ClientStop;
        internal readonly JournalCall ClientSetCredentials;
        internal readonly SetLogFn ClientSetLog;
        internal readonly GiveOut CancellationNew;
        internal readonly Simple CancellationCancel;
        internal readonly Simple CancellationFree;
        internal readonly StartFn Start;
        internal readonly ClientCall Recover;
        internal readonly ClientCall CreateOrder;
        internal readonly ClientCall GetStatus;
        internal readonly ClientCall WaitForPayment;
        internal readonly StatusesCall GetStatuses;
        internal readonly JournalCall JournalList;
        internal readonly JournalCall JournalResolve;
        internal readonly JournalCall JournalSettle;
        internal readonly JournalCall JournalPrune;
        internal readonly TwoTexts BuildCreateOrder;
        internal readonly OneText BuildGetStatus;
        internal readonly OneText ParseReturnUrl;
        internal readonly TwoTexts VerifyPayment;
        internal readonly Free StringFree;

        /// <param name="address">Gives the address of a function by its name.</param>
        internal Native(Func<string, IntPtr> address)
        {
            AbiVersion = Load<GiveNumber>(address, "abi_version");
            uint version = AbiVersion();
            if (version != Abi.Version)
            {
                throw new DllNotFoundException("has version " + version
                    + " of the ABI, and this package needs version " + Abi.Version);
            }
            Version = Load<GiveText>(address, "version");
            LiveClients = Load<Count>(address, "live_clients");
            LiveStrings = Load<Count>(address, "live_strings");
            LiveCalls = Load<Count>(address, "live_calls");
            ClientNew = Load<ClientNewFn>(address, "client_new");
            ClientFree = Load<Simple>(address, "client_free");
            ClientFromEnv = Load<ClientNewFn>(address, "client_from_env");
            ClientCancel = Load<Simple>(address, "client_cancel");
            ClientStop = Load<Simple>(address, "client_stop");
            ClientSetCredentials = Load<JournalCall>(address, "client_set_credentials");
            ClientSetLog = Load<SetLogFn>(address, "client_set_log");
            CancellationNew = Load<GiveOut>(address, "cancellation_new");
            CancellationCancel = Load<Simple>(address, "cancellation_cancel");
            CancellationFree = Load<Simple>(address, "cancellation_free");
            Start = Load<StartFn>(address, "start");
            Recover = Load<ClientCall>(address, "recover");
            CreateOrder = Load<ClientCall>(address, "create_order");
            GetStatus = Load<ClientCall>(address, "get_status");
            WaitForPayment = Load<ClientCall>(address, "wait_for_payment");
            GetStatuses = Load<StatusesCall>(address, "get_statuses");
            JournalList = Load<JournalCall>(address, "journal_list");
            JournalResolve = Load<JournalCall>(address, "journal_resolve");
            JournalSettle = Load<JournalCall>(address, "journal_settle");
            JournalPrune = Load<JournalCall>(address, "journal_prune");
            BuildCreateOrder = Load<TwoTexts>(address, "build_create_order");
            BuildGetStatus = Load<OneText>(address, "build_get_status");
            ParseReturnUrl = Load<OneText>(address, "parse_return_url");
            VerifyPayment = Load<TwoTexts>(address, "verify_payment");
            StringFree = Load<Free>(address, "string_free");
        }

        private static T Load<T>(Func<string, IntPtr> address, string name)
        {
            return Marshal.GetDelegateForFunctionPointer<T>(address("payorder_" + name));
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
