using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.ExceptionServices;
using System.Threading;

namespace Payorder
{
    /// <summary>
    /// A client of one payment service. One is enough for a process, and every thread may use it.
    /// </summary>
    /// <remarks>
    /// A cancelled call throws <see cref="CancelledException"/> if nothing was sent, otherwise
    /// <see cref="CancelledInFlightException"/>, which say whether the order may exist. The
    /// OperationCanceledException is its InnerException. A task ends only when its call has ended.
    /// </remarks>
    public sealed partial class PayorderClient : IPayorderClient
    {
        private readonly ClientHandle _handle = new ClientHandle();

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
            Calls.OfClient<string>(
                (out IntPtr json) =>
                {
                    int result = create(config, out IntPtr client, out json);
                    _handle.Set(client);
                    return result;
                },
                text => text);
        }

        /// <summary>
        /// Creates a client from the environment, for example PAYORDER_BASE_URL. What the
        /// configuration has wins over the environment.
        /// </summary>
        /// <exception cref="InvalidConfigException">A setting is missing or invalid.</exception>
        public static PayorderClient FromEnv(ClientConfig? config = null) =>
            new PayorderClient(config?.ToJson() ?? "{}", Native.Library.ClientFromEnv);

        /// <summary>The journal. Without one, its methods throw InvalidArgumentException.</summary>
        public Journal Journal => new Journal(_handle);

        /// <summary>Creates an order from JSON text.</summary>
        public Checkout CreateOrder(string orderJson, OrderOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken)) =>
            CreateOrderCall(orderJson, options, cancellationToken).Make();

        /// <summary>
        /// Replaces credentials: those that are not null. Attempts that begin later
        /// use them, also those of calls that run.
        /// </summary>
        public void SetCredentials(string? accessToken = null, string? clientKey = null,
            string? clientId = null, string? secretKey = null)
        {
            var credentials = new JsonWriter()
                .Add("accessToken", accessToken)
                .Add("clientKey", clientKey)
                .Add("clientId", clientId)
                .Add("secretKey", secretKey);
            var json = Utf8.Bytes(credentials.ToString(), nameof(credentials));
            Calls.OfClient<string>((out IntPtr error) => Native.Library.ClientSetCredentials(
                _handle.Value, json, out error), text => text);
            GC.KeepAlive(this);
        }

        /// <summary>Ends all calls in flight, and refuses later ones: for a clean end.</summary>
        public void Stop()
        {
            End(Native.Library.ClientStop);
        }

        /// <summary>
        /// Sends log events to a handler; null for none. It runs on the
        /// threads of the calls. What it throws goes to Trace, so that it cannot hide the outcome
        /// of an order.
        /// </summary>
        public void SetLog(Action<LogEvent>? handler)
        {
            LogEvents.Set(_handle.LogKey, handler);
            int result = Native.Library.ClientSetLog(
                _handle.Value,
                handler == null ? null : LogEvents.Callback,
                new IntPtr(_handle.LogKey));
            GC.KeepAlive(this);
            if (result != 0)
            {
                LogEvents.Set(_handle.LogKey, null);
                throw ExceptionOf.Freed(result);
            }
        }

        /// <summary>Ends all calls in flight. Later calls work.</summary>
        public void Cancel()
        {
            End(Native.Library.ClientCancel);
        }

        private void End(Native.Simple function)
        {
            int result = function(_handle.Value);
            GC.KeepAlive(this);
            if (result != 0)
            {
                throw ExceptionOf.Freed(result);
            }
        }

        /// <summary>
        /// Frees the client. Calls in flight end on their own, also queued ones: cancel them before,
        /// if no further order may be sent. Later calls throw
        /// <see cref="InvalidHandleException"/>.
        /// </summary>
        public void Dispose()
        {
            _handle.Started.Close();
        }

        private Request<Checkout> CreateOrderCall(
            Order order, OrderOptions? options, CancellationToken cancellationToken) =>
            CreateOrderCall((order ?? throw new ArgumentNullException(nameof(order))).ToJson(),
                options, cancellationToken);

        private Request<Checkout> CreateOrderCall(
            string order, OrderOptions? options, CancellationToken cancellationToken) =>
            Call("create_order", Native.Library.CreateOrder, order, nameof(order), options,
                cancellationToken, Checkout.FromJson,
                () => StatusQuery.ByOrder(JsonValue.Parse(order).TextOf("orderId") ?? ""));

        private Request<Status> GetStatusCall(
            StatusQuery query, CallOptions? options, CancellationToken cancellationToken) =>
            Call("get_status", Native.Library.GetStatus, query?.Json, nameof(query), options,
                cancellationToken, Status.FromJson, () => query);

        private Request<Waited> WaitForPaymentCall(
            StatusQuery query, WaitOptions? options, CancellationToken cancellationToken) =>
            Call("wait_for_payment", Native.Library.WaitForPayment, query?.Json,
                nameof(query), options, cancellationToken, Waited.FromJson, () => query);

        private Request<Recovered> RecoverCall(IEnumerable<ExpectedPayment>? sales,
            RecoverOptions? options, CancellationToken cancellationToken)
        {
            var list = sales?.Select(sale => sale.ToJson());
            var request = Call("recover", Native.Library.Recover,
                list == null ? "" : "[" + string.Join(",", list) + "]", nameof(sales), options,
                cancellationToken, Recovered.FromJson, null);
            request.Text = list == null ? null : request.Text;
            return request;
        }

        private Request<T> Call<T>(string operation, Native.ClientCall function, string? request,
            string name, CallOptions? options, CancellationToken cancellationToken,
            Func<string, T> read, Func<StatusQuery?>? query)
        {
            return new Request<T>
            {
                Handle = _handle,
                Operation = operation,
                Function = function,
                Text = Utf8.Bytes(request ?? throw new ArgumentNullException(name), name),
                Settings = options?.Write() ?? new JsonWriter(),
                CancellationToken = cancellationToken,
                Read = read,
                Query = query,
            };
        }

        private Func<Summary> GetStatusesCall(IEnumerable<StatusQuery> queries,
            Func<StatusResult, bool> each, BatchOptions? options,
            CancellationToken cancellationToken)
        {
            if (each == null)
            {
                throw new ArgumentNullException(nameof(each));
            }
            var list = new List<StatusQuery>(
                queries ?? throw new ArgumentNullException(nameof(queries)));
            var array = "[" + string.Join(",", list.Select(query => query.Json)) + "]";
            var bytes = Utf8.Bytes(array, nameof(queries));
            var settings = options?.Write() ?? new JsonWriter();
            return () =>
            {
                using (var cancellation = new Cancellation(cancellationToken))
                {
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
                            return each(new StatusResult(at, list[at], result, Utf8.Text(json)!))
                                ? 1
                                : 0;
                        }
                        catch (Exception error)
                        {
                            thrown = ExceptionDispatchInfo.Capture(error);
                            return 0;
                        }
                    };
                    var json2 = Options(settings, cancellation);
                    var summary = Calls.OfClient(
                        (out IntPtr answer) => Native.Library.GetStatuses(
                            _handle.Value, bytes, json2, callback, IntPtr.Zero, out answer),
                        Summary.FromJson);
                    GC.KeepAlive(callback);
                    GC.KeepAlive(this);
                    thrown?.Throw();
                    return summary;
                }
            };
        }

        internal static byte[]? Options(JsonWriter settings, Cancellation cancellation) =>
            Utf8.Bytes(settings.Add("cancellation", cancellation.Text).ToString(), "options");
    }
}
