using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace Payorder
{
    public partial interface IPayorderClient
    {
        /// <summary>The journal. Without one, its methods throw InvalidArgumentException.</summary>
        IJournal Journal { get; }

        /// <summary>As <see cref="PayorderLibrary"/> does, which a test cannot replace.</summary>
        /// <exception cref="UnusableTextException">One of them cannot be used.</exception>
        Verification VerifyPayment(ExpectedPayment expected, Status status);

        /// <summary>Ends all calls in flight. Later calls work.</summary>
        void Cancel();

        /// <summary>Ends all calls in flight, and refuses later ones: for a clean end.</summary>
        void Stop();

        /// <summary>
        /// Replaces credentials: those that are not null. Attempts that begin later
        /// use them, also those of calls that run.
        /// </summary>
        /// <exception cref="ArgumentException">All are null.</exception>
        void SetCredentials(string? accessToken = null, string? clientKey = null,
            string? clientId = null, string? secretKey = null);

        /// <summary>
        /// Sends log events to a handler; null for none. It runs on the threads of the calls, with
        /// the ExecutionContext of the caller. What it throws goes to Trace, so that it cannot hide
        /// the outcome of an order.
        /// </summary>
        /// <exception cref="InvalidOperationException">There is a handler already.</exception>
        void SetLog(Action<LogEvent>? handler);
    }

    /// <summary>
    /// A client of one payment service. One is enough for a process, and every thread may use it.
    /// </summary>
    /// <remarks>
    /// A call that its token ends throws <see cref="PayorderCanceledException"/>, which is an
    /// OperationCanceledException. CreateOrder must say more: <see cref="CancelledException"/> if
    /// nothing was sent, otherwise <see cref="CancelledInFlightException"/>, as all calls do after
    /// Cancel and Stop. A task ends only when its call has ended.
    /// </remarks>
    public sealed partial class PayorderClient : IPayorderClient
    {
        private readonly ClientHandle _handle = new ClientHandle();

        /// <summary>Ends the streams, whose consumers may hold up their calls.</summary>
        private CancellationTokenSource _streams = new CancellationTokenSource();

        /// <summary>Creates a client. It makes no connection.</summary>
        /// <exception cref="InvalidConfigException">A setting is invalid.</exception>
        public PayorderClient(ClientConfig config)
            : this((config ?? throw new ArgumentNullException(nameof(config))).ToJson())
        {
        }

        /// <summary>Creates a client from a configuration as JSON text.</summary>
        public PayorderClient(string configJson)
            : this(configJson, Native.Library.ClientNew)
        {
        }

        private PayorderClient(string configJson, Native.ClientNewFn create)
        {
            var config = Utf8.Bytes(configJson, nameof(configJson));
            RequireSameEnvironment(
                configJson, ReferenceEquals(create, Native.Library.ClientFromEnv));
            Answer.Of((out IntPtr json) =>
            {
                int result = create(config, out IntPtr client, out json);
                _handle.Set(client);
                return result;
            }).Read(text => text);
            _handle.MaxIdleMs = JsonValue.Parse(configJson).WholeOf("maxIdleMs") ?? Abi.MaxIdleMs;
        }

        /// <summary>
        /// Creates a client from the environment, for example PAYORDER_BASE_URL. What the
        /// configuration has wins over the environment.
        /// </summary>
        /// <exception cref="InvalidConfigException">A setting is missing or invalid, or the program
        /// has changed its variable.</exception>
        public static PayorderClient FromEnv(ClientConfig? config = null) =>
            new PayorderClient(config?.ToJson() ?? "{}", Native.Library.ClientFromEnv);

        /// <summary>The library must use no other setting than the program sees, which may be another
        /// service. What the configuration has is not read from the environment.</summary>
        private static void RequireSameEnvironment(string configJson, bool isRead)
        {
            JsonValue given;
            try
            {
                given = JsonValue.Parse(configJson);
            }
            catch (FormatException)
            {
                // The library says what is wrong.
                return;
            }
            bool IsGiven(string key) => given[key] != null && given[key]!.Kind != JsonKind.Null;
            var variables = isRead
                ? Abi.Variables.Where(name => !IsGiven(KeyOf(name))) : Enumerable.Empty<string>();
            var different = LibraryFinder.DifferentVariable(
                IsGiven("proxy") ? variables : Abi.ProxyVariables.Concat(variables));
            if (different != null)
            {
                throw ErrorFields.Own(PayorderResult.InvalidConfig, Causes.InvalidValue,
                    Actions.FixConfiguration, different + " is not the same in .NET and in the process,"
                    + " whose environment the library reads: give the setting in the ClientConfig");
            }
        }

        /// <summary>The key of a variable: caFile of PAYORDER_CA_FILE.</summary>
        private static string KeyOf(string variable)
        {
            var words = variable.Substring("PAYORDER_".Length).Split(new[] { '_' }).Select(
                word => word[0] + word.Substring(1).ToLowerInvariant());
            var key = string.Concat(words);
            return char.ToLowerInvariant(key[0]) + key.Substring(1);
        }

        /// <inheritdoc/>
        public IJournal Journal => new Journal(_handle);

        /// <inheritdoc/>
        public Verification VerifyPayment(ExpectedPayment expected, Status status) =>
            PayorderLibrary.VerifyPayment(expected, status);

        /// <summary>Creates an order from JSON text.</summary>
        public Checkout CreateOrder(string orderJson, OrderOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            CreateOrderCall(orderJson, options, cancellationToken).Make();

        /// <inheritdoc/>
        public void SetCredentials(string? accessToken = null, string? clientKey = null,
            string? clientId = null, string? secretKey = null)
        {
            var credentials = new JsonWriter()
                .Add("accessToken", accessToken)
                .Add("clientKey", clientKey)
                .Add("clientId", clientId)
                .Add("secretKey", secretKey)
                .ToString();
            if (credentials == "{}")
            {
                throw new ArgumentException("no credential is given");
            }
            var json = Utf8.Bytes(credentials, nameof(credentials));
            Answer.Of((out IntPtr error) => Native.Library.ClientSetCredentials(
                _handle.Value, json, out error)).Read(text => text);
            GC.KeepAlive(this);
        }

        /// <inheritdoc/>
        public void SetLog(Action<LogEvent>? handler)
        {
            Require(_handle.SetLog(handler));
        }

        /// <inheritdoc/>
        public void Stop()
        {
            End(Native.Library.ClientStop);
        }

        /// <inheritdoc/>
        public void Cancel()
        {
            End(Native.Library.ClientCancel);
        }

        private void End(Native.Simple function)
        {
            Require(function(_handle.Value));
            Interlocked.Exchange(ref _streams, new CancellationTokenSource()).Cancel();
        }

        private void Require(int result)
        {
            GC.KeepAlive(this);
            if (result != 0)
            {
                throw ErrorFields.Freed(result);
            }
        }

        /// <summary>
        /// Frees the client. Calls in flight end on their own, also queued ones: cancel them before,
        /// if no further order may be sent. Later calls throw
        /// <see cref="InvalidHandleException"/>.
        /// </summary>
        public void Dispose()
        {
            _handle.Refuse();
        }

        private Call<Checkout> CreateOrderCall(
            Order order, OrderOptions? options, CancellationToken cancellationToken) =>
            CreateOrderCall(order?.ToJson()!, options, cancellationToken);

        private Call<Checkout> CreateOrderCall(
            string order, OrderOptions? options, CancellationToken cancellationToken) =>
            new Call<Checkout>(_handle, "create_order", Native.Library.CreateOrder,
                Utf8.Required(order, nameof(order)), options?.Write(), cancellationToken,
                Checkout.FromJson,
                () => StatusQuery.ByOrder(JsonValue.Parse(order).TextOf("orderId") ?? ""))
            {
                Sends = true,
            };

        private Call<Status> GetStatusCall(
            StatusQuery query, CallOptions? options, CancellationToken cancellationToken) =>
            Asking("get_status", Native.Library.GetStatus, query, options, cancellationToken,
                Status.FromJson);

        private Call<Waited> WaitForPaymentCall(
            StatusQuery query, WaitOptions? options, CancellationToken cancellationToken) =>
            Asking("wait_for_payment", Native.Library.WaitForPayment, query, options,
                cancellationToken, Waited.FromJson);

        private Call<T> Asking<T>(string operation, Native.ClientCall function, StatusQuery query,
            CallOptions? options, CancellationToken cancellationToken, Func<string, T> read) =>
            new Call<T>(_handle, operation, function, Utf8.Required(query?.Json, nameof(query)),
                options?.Write(), cancellationToken, read, () => query);

        private Call<Recovered> RecoverCall(IEnumerable<ExpectedPayment>? sales,
            RecoverOptions? options, CancellationToken cancellationToken) =>
            new Call<Recovered>(_handle, "recover", Native.Library.Recover,
                sales == null ? null : Array(sales, sale => sale.ToJson(), nameof(sales)),
                options?.Write(), cancellationToken, Recovered.FromJson);

        private Call<Checked> CheckCall(
            CheckOptions? options, CancellationToken cancellationToken) =>
            new Call<Checked>(_handle, "check", Native.Library.Check, options?.Write(),
                cancellationToken, Checked.FromJson);

        private Call<Summary> GetStatusesCall(IEnumerable<StatusQuery> queries,
            Func<StatusResult, bool> each, BatchOptions? options,
            CancellationToken cancellationToken)
        {
            if (each == null)
            {
                throw new ArgumentNullException(nameof(each));
            }
            var list = new List<StatusQuery>(
                queries ?? throw new ArgumentNullException(nameof(queries)));
            ExceptionDispatchInfo? thrown = null;
            Native.StatusFn callback = (index, result, json, userData) =>
            {
                if (thrown != null)
                {
                    return 0;
                }
                try
                {
                    int at = (int)index;
                    return each(new StatusResult(at, list[at], result, Utf8.Text(json)!)) ? 1 : 0;
                }
                catch (Exception error)
                {
                    thrown = ExceptionDispatchInfo.Capture(error);
                    return 0;
                }
            };
            return new Call<Summary>(_handle, null,
                (IntPtr client, byte[]? request, byte[]? settings, out IntPtr json) =>
                    Native.Library.GetStatuses(
                        client, request, settings, callback, IntPtr.Zero, out json),
                Array(list, query => query.Json, nameof(queries)), options?.Write(),
                cancellationToken, Summary.FromJson)
            {
                End = () => thrown?.Throw(),
            };
        }

        private static byte[]? Array<T>(IEnumerable<T> items, Func<T, string> json, string name)
            where T : class =>
            Utf8.Bytes("[" + string.Join(",", items.Select((one, at) => json(one
                ?? throw new ArgumentException(name + "[" + at + "] is null", name)))) + "]", name);
    }
}
