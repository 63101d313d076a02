using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Payorder.Tests
{
    /// <summary>What the types add. The conformance suite has the outcomes.</summary>
    internal sealed class ResultTests
    {
        public void AnOrderIdIsAQueryAndTimesAreTimeSpans()
        {
            using (var client = Sandbox.Client())
            {
                var order = Sandbox.Order();
                client.CreateOrder(order);
                Check.Equal(order.OrderId, client.GetStatus(order.OrderId).OrderId);
                var waited = client.WaitForPaymentAsync(order.OrderId,
                    new WaitOptions { Wait = TimeSpan.FromTicks(1) }).Result;
                Check.True(waited.TimedOut);
                var limited = Check.Throws<RateLimitedException>(
                    () => client.CreateOrder(Sandbox.Order("sandbox:rate-limit")));
                Check.Equal(TimeSpan.FromSeconds(1), limited.RetryAfter);
                Check.True(limited.Message.Contains("the service says: "), limited.Message);
            }
        }

        public void ArgumentsAreChecked()
        {
            using (var client = Sandbox.Client())
            {
                Check.Throws<InvalidArgumentException>(() => client.CreateOrder(
                    Sandbox.Order(), new OrderOptions { Timeout = TimeSpan.Zero }));
                Check.Throws<InvalidArgumentException>(() => client.CreateOrder("not JSON"));
                Check.Throws<ArgumentNullException>(() => client.CreateOrder((Order)null));
                Check.Throws<ArgumentNullException>(() => client.GetStatus(null));
            }
        }

        public void NothingPrintsCredentialsOrTheCustomersData()
        {
            using (var client = Sandbox.Client())
            {
                var order = Sandbox.Order();
                client.CreateOrder(order);
                var status = client.GetStatus(order.OrderId);
                Check.Equal("Asha Rao", status.CustomerName);
                foreach (object one in new object[] { order, status, client, Sandbox.Config() })
                {
                    var text = one.ToString();
                    Check.True(!text.Contains("Asha") && !text.Contains("sandbox-"), text);
                }
                Check.True(status.ToString().Contains(order.OrderId), status.ToString());
            }
        }

        public void ResultsAreMadeWithoutAService()
        {
            var status = Status.FromJson("{\"responseCode\":\"200\",\"data\":{"
                + "\"orderId\":\"O-1\",\"amount\":\"1.00\",\"transactionStatus\":\"Completed\"}}");
            Check.True(status.Completed);
            var expected = new ExpectedPayment { OrderId = "O-1", Amount = 1m };
            Check.True(PayorderLibrary.VerifyPayment(expected, status).Paid);
            using (IPayorderClient client = new Fake())
            {
                Check.Equal("https://x.example/1", client.CreateOrder(new Order()).Url);
                var error = Check.Throws<ResponseTimeoutException>(() => client.GetStatus("O-1"));
                Check.Equal("PAYORDER_TIMEOUT", error.Name);
                Check.Equal("no response (PAYORDER_TIMEOUT)", error.Message);
                Check.Equal(Actions.AskStatus, error.Action);
            }
            Check.True(PayorderException.Create((PayorderResult)99, "new") is NotSentException);
            var seen = "{\"data\":{\"orderId\":\"O-1\"}}";
            var waited = Waited.FromJson("{\"final\":true,\"polls\":2,\"status\":" + seen + "}");
            Check.True(waited.Final);
            Check.Equal(2, waited.Polls);
            Check.Equal("O-1", waited.Status.OrderId);
        }

        private sealed class Fake : IPayorderClient
        {
            public Checkout CreateOrder(Order order, OrderOptions options, CancellationToken token)
            {
                return Checkout.FromJson("{\"data\":{\"url\":\"https://x.example/1\"}}");
            }

            public Status GetStatus(StatusQuery query, CallOptions options, CancellationToken token)
            {
                throw PayorderException.Create(PayorderResult.Timeout, "no response");
            }

            public Task<Checkout> CreateOrderAsync(
                Order order, OrderOptions options, CancellationToken token) => null;

            public Task<Status> GetStatusAsync(
                StatusQuery query, CallOptions options, CancellationToken token) => null;

            public Waited WaitForPayment(
                StatusQuery query, WaitOptions options, CancellationToken token) => null;

            public Task<Waited> WaitForPaymentAsync(
                StatusQuery query, WaitOptions options, CancellationToken token) => null;

            public Summary GetStatuses(IEnumerable<StatusQuery> queries,
                Func<StatusResult, bool> each, BatchOptions options,
                CancellationToken token) => null;

            public Task<Summary> GetStatusesAsync(IEnumerable<StatusQuery> queries,
                Func<StatusResult, bool> each, BatchOptions options,
                CancellationToken token) => null;

            public Recovered Recover(IEnumerable<ExpectedPayment> sales, RecoverOptions options,
                CancellationToken token) => null;

            public Task<Recovered> RecoverAsync(IEnumerable<ExpectedPayment> sales,
                RecoverOptions options, CancellationToken token) => null;

            public void Dispose()
            {
            }
        }
    }
}
