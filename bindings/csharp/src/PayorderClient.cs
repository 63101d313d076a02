using System;
using System.Collections.Generic;
using System.Runtime.ExceptionServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder
{
    /// <summary>
    /// A client of one payment service. One is enough for a process, and every thread may use it.
    /// </summary>
    /// <remarks>
    /// A cancelled call throws <see cref="CancelledException"/> if nothing was sent, otherwise
    /// <see cref="CancelledInFlightException"/>: never OperationCanceledException, which would not
    /// say whether the order may exist. A task ends only when its call has ended.
    /// </remarks>
    public sealed class PayorderClient : IDisposable
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
        {
            var config = Utf8.Bytes(configJson, nameof(configJson));
            Calls.OfClient<string>(
                (out IntPtr json) =>
                {
                    int result = Native.Library.ClientNew(config, out IntPtr client, out json);
                    _handle.Set(client);
                    return result;
                },
                text => text);
        }

        /// <summary>The journal. Without one, its methods throw InvalidArgumentException.</summary>
        public Journal Journal => new Journal(_handle);

        /// <summary>Creates an order. It is never sent again after a byte of it was sent.</summary>
        public Checkout CreateOrder(Order order, OrderOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return OrderCall(Text(order), options, cancellationToken)();
        }

        /// <summary>Creates an order from JSON text.</summary>
        public Checkout CreateOrder(string orderJson, OrderOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return OrderCall(orderJson, options, cancellationToken)();
        }

        /// <summary>Creates an order, on another thread.</summary>
        public Task<Checkout> CreateOrderAsync(Order order, OrderOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return Calls.Background(OrderCall(Text(order), options, cancellationToken));
        }

        /// <summary>Asks for the status of an order. This changes nothing: ask again.</summary>
        public Status GetStatus(StatusQuery query, CallOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return StatusCall(query, options, cancellationToken)();
        }

        /// <summary>Asks for the status of an order, on another thread.</summary>
        public Task<Status> GetStatusAsync(StatusQuery query, CallOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return Calls.Background(StatusCall(query, options, cancellationToken));
        }

        /// <summary>Asks again and again, until the payment is final or the time is up.</summary>
        public Waited WaitForPayment(StatusQuery query, WaitOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return WaitCall(query, options, cancellationToken)();
        }

        /// <summary>The same, on another thread.</summary>
        public Task<Waited> WaitForPaymentAsync(StatusQuery query, WaitOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return Calls.Background(WaitCall(query, options, cancellationToken));
        }

        /// <summary>
        /// Asks for many statuses, several at a time. The callback gets each result, on this
        /// thread. If it returns false or throws, no more queries are sent; what it threw is
        /// thrown again.
        /// </summary>
        public Summary GetStatuses(IEnumerable<StatusQuery> queries,
            Func<StatusResult, bool> each, BatchOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return StatusesCall(queries, each, options, cancellationToken)();
        }

        /// <summary>The same, on another thread, which also runs the callback.</summary>
        public Task<Summary> GetStatusesAsync(IEnumerable<StatusQuery> queries,
            Func<StatusResult, bool> each, BatchOptions options = null,
            CancellationToken cancellationToken = default(CancellationToken))
        {
            return Calls.Background(StatusesCall(queries, each, options, cancellationToken));
        }

        /// <summary>
        /// Sends log events, each a JSON object, to a handler; null for none. It runs on the
        /// threads of the calls. What it throws goes to Trace, so that it cannot hide the outcome
        /// of an order.
        /// </summary>
        public void SetLog(Action<string> handler)
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
            int result = Native.Library.ClientCancel(_handle.Value);
            GC.KeepAlive(this);
            if (result != 0)
            {
                throw ExceptionOf.Freed(result);
            }
        }

        /// <summary>
        /// Frees the client. Calls in flight end on their own; later ones throw
        /// <see cref="InvalidHandleException"/>.
        /// </summary>
        public void Dispose()
        {
            _handle.Dispose();
        }

        private static string Text(Order order)
        {
            return (order ?? throw new ArgumentNullException(nameof(order))).ToJson();
        }

        private Func<Checkout> OrderCall(
            string order, OrderOptions options, CancellationToken cancellationToken)
        {
            return Call(Native.Library.CreateOrder, order, nameof(order), options,
                cancellationToken, text => new Checkout(text),
                () => StatusQuery.ByOrder(JsonValue.Parse(order).TextOf("orderId")));
        }

        private Func<Status> StatusCall(
            StatusQuery query, CallOptions options, CancellationToken cancellationToken)
        {
            return Call(Native.Library.GetStatus, query?.Json, nameof(query), options,
                cancellationToken, text => new Status(text), null);
        }

        private Func<Waited> WaitCall(
            StatusQuery query, WaitOptions options, CancellationToken cancellationToken)
        {
            return Call(Native.Library.WaitForPayment, query?.Json, nameof(query), options,
                cancellationToken, text => new Waited(text), () => query);
        }

        private Func<T> Call<T>(Native.ClientCall function, string request, string name,
            CallOptions options, CancellationToken cancellationToken, Func<string, T> read,
            Func<StatusQuery> query)
        {
            // Read now: the caller may change the options while another thread runs the call.
            var bytes = Utf8.Bytes(request ?? throw new ArgumentNullException(name), name);
            var settings = options?.Write() ?? new JsonWriter();
            return () =>
            {
                using (var cancellation = new Cancellation(cancellationToken))
                {
                    var json = Options(settings, cancellation);
                    var value = Calls.OfClient(
                        (out IntPtr answer) => function(_handle.Value, bytes, json, out answer),
                        read, query);
                    GC.KeepAlive(this);
                    return value;
                }
            };
        }

        private Func<Summary> StatusesCall(IEnumerable<StatusQuery> queries,
            Func<StatusResult, bool> each, BatchOptions options,
            CancellationToken cancellationToken)
        {
            if (each == null)
            {
                throw new ArgumentNullException(nameof(each));
            }
            var list = new List<StatusQuery>(
                queries ?? throw new ArgumentNullException(nameof(queries)));
            var array = new StringBuilder("[");
            foreach (var query in list)
            {
                array.Append(array.Length > 1 ? "," : "").Append(query.Json);
            }
            var bytes = Utf8.Bytes(array.Append(']').ToString(), nameof(queries));
            var settings = options?.Write() ?? new JsonWriter();
            return () =>
            {
                using (var cancellation = new Cancellation(cancellationToken))
                {
                    ExceptionDispatchInfo thrown = null;
                    Native.StatusFn callback = (index, result, json, userData) =>
                    {
                        if (thrown != null)
                        {
                            return 0;
                        }
                        try
                        {
                            int at = (int)index;
                            return each(new StatusResult(at, list[at], result, Utf8.Text(json)))
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
                        text => new Summary(JsonValue.Parse(text)));
                    GC.KeepAlive(callback);
                    GC.KeepAlive(this);
                    thrown?.Throw();
                    return summary;
                }
            };
        }

        internal static byte[] Options(JsonWriter settings, Cancellation cancellation)
        {
            return Utf8.Bytes(settings.With("cancellation", cancellation.Text), "options");
        }
    }
}
