using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder
{
    /// <summary>
    /// The calls of <see cref="PayorderClient"/>. A program that takes this interface can be tested
    /// without a service.
    /// </summary>
    public interface IPayorderClient : IDisposable
    {
        /// <summary>Creates an order. It is never sent again after a byte of it was sent.</summary>
        Checkout CreateOrder(Order order, OrderOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>Creates an order, on a thread of the library.</summary>
        Task<Checkout> CreateOrderAsync(Order order, OrderOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>Asks for the status of an order. This changes nothing: ask again.</summary>
        Status GetStatus(StatusQuery query, CallOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>Asks for the status of an order, on a thread of the library.</summary>
        Task<Status> GetStatusAsync(StatusQuery query, CallOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>Asks again and again, until the payment is final or the time is up.</summary>
        Waited WaitForPayment(StatusQuery query, WaitOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>The same, on a thread of the library.</summary>
        Task<Waited> WaitForPaymentAsync(StatusQuery query, WaitOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>
        /// Asks for many statuses, several at a time. The callback gets each result, on this
        /// thread. If it returns false or throws, no more queries are sent; what it threw is
        /// thrown again.
        /// </summary>
        Summary GetStatuses(IEnumerable<StatusQuery> queries,
            Func<StatusResult, bool> each, BatchOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>The same, on another thread, which also runs the callback.</summary>
        Task<Summary> GetStatusesAsync(IEnumerable<StatusQuery> queries,
            Func<StatusResult, bool> each, BatchOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>
        /// After a start: one verdict for each of the sales that the program believes open, and
        /// for each open entry of the journal.
        /// </summary>
        /// <param name="sales">Null if the journal knows them all.</param>
        Recovered Recover(IEnumerable<ExpectedPayment>? sales = null,
            RecoverOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));

        /// <summary>The same, on a thread of the library.</summary>
        Task<Recovered> RecoverAsync(IEnumerable<ExpectedPayment>? sales = null,
            RecoverOptions? options = null,
            CancellationToken cancellationToken = default(CancellationToken));
    }
}
