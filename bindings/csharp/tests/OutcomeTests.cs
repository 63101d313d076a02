using System;
using System.Linq;
using System.Net;
using System.Net.Sockets;

namespace Payorder.Tests
{
    internal sealed class OutcomeTests
    {
        public void ASaleGoesFromTheOrderToTheVerifiedPayment()
        {
            using (var client = Sandbox.Client())
            {
                var order = Sandbox.Order();
                var checkout = client.CreateOrder(order);
                Check.Equal("200", checkout.ResponseCode);
                var returned = PayorderLibrary.ParseReturnUrl(
                    Sandbox.Press("pay", checkout.Url));
                var status = client.GetStatus(returned.StatusQuery);
                Check.Equal(returned.TransactionId, status.TransactionId);
                Check.True(status.Completed);
                Check.True(status.TransactionDate > DateTime.UtcNow.AddHours(-1));
                var expected = new ExpectedPayment { OrderId = order.OrderId, Amount = 100m };
                Check.True(PayorderLibrary.VerifyPayment(expected, status).Paid);
                expected.Amount = "100.01";
                var verification = PayorderLibrary.VerifyPayment(expected, status);
                Check.True(!verification.Paid);
                Check.Equal("amount", verification.Reasons.Single().Check);
                Check.Equal("100.01", verification.Reasons.Single().Expected);
                Check.True(verification.Unverifiable.Count > 0);
            }
        }

        public void NothingListensIsNotSent()
        {
            var socket = new TcpListener(IPAddress.Loopback, 0);
            socket.Start();
            var url = "http://127.0.0.1:" + ((IPEndPoint)socket.LocalEndpoint).Port;
            socket.Stop();
            var config = Sandbox.Config();
            config.BaseUrl = url;
            using (var client = new PayorderClient(config))
            {
                var error = Check.Throws<ConnectException>(
                    () => client.CreateOrder(Sandbox.Order()));
                Check.True(error is NotSentException);
                Check.Equal(PayorderResult.ConnectFailed, error.Result);
                Check.Equal(PayorderOutcome.NotSent, error.Outcome);
                Check.Equal(Causes.ConnectionRefused, error.Cause);
                Check.Equal(Actions.CheckNetwork, error.Action);
                Check.Equal("PAYORDER_CONNECT_FAILED", error.Name);
                Check.Equal(2, error.Attempts);
                Check.Equal(null, error.StatusQuery);
            }
        }

        public void RefusalsAreRejected()
        {
            using (var client = Sandbox.Client())
            {
                var refused = Check.Throws<RejectedException>(
                    () => client.CreateOrder(Sandbox.Order("sandbox:reject")));
                Check.Equal("400", refused.ResponseCode);
                Check.True(refused.ResponseMessage.Length > 0);
                var limited = Check.Throws<RateLimitedException>(
                    () => client.CreateOrder(Sandbox.Order("sandbox:rate-limit")));
                Check.Equal(1000L, limited.RetryAfterMs);
                Check.Equal(429, limited.HttpStatus);
                Check.Throws<UnauthorizedException>(() => client.CreateOrder(
                    Sandbox.Order(), new OrderOptions { AccessToken = "wrong" }));
            }
        }

        public void AnUnknownOutcomeHasAQueryThatSettlesIt()
        {
            Unknown<ConnectionLostException>("sandbox:drop-after-commit");
            Unknown<BadResponseException>("sandbox:malformed-json");
            Unknown<ServiceFailedException>("sandbox:html-502");
            Unknown<ResponseTimeoutException>("sandbox:stall");
        }

        private static void Unknown<T>(string marker)
            where T : OutcomeUnknownException
        {
            using (var client = Sandbox.Client())
            {
                var order = Sandbox.Order(marker);
                int limit = marker.Contains("stall") ? 1000 : 30000;
                var options = new OrderOptions { TimeoutMs = limit };
                var error = Check.Throws<T>(() => client.CreateOrder(order, options));
                Check.Equal(PayorderOutcome.Unknown, error.Outcome);
                Check.Equal(Actions.AskStatus, error.Action);
                Check.Equal(order.OrderId, client.GetStatus(error.StatusQuery).OrderId);
            }
        }

        public void EveryViolationIsListed()
        {
            using (var client = Sandbox.Client())
            {
                var error = Check.Throws<InvalidRequestException>(
                    () => client.CreateOrder(new Order { Amount = "1e2" }));
                Check.Equal(11, error.Violations.Count);
                var amount = error.Violations.Single(one => one.Field == "amount");
                Check.Equal("decimal", amount.Rule);
                Check.True(amount.Message.Contains("amount"));
                Check.Equal("type", Check.Throws<InvalidRequestException>(
                    () => client.CreateOrder("{\"amount\":100}")).Violations
                    .Single(one => one.Field == "amount").Rule);
            }
        }

        public void ArgumentsAndSettingsAreChecked()
        {
            using (var client = Sandbox.Client())
            {
                Check.Throws<InvalidArgumentException>(() => client.CreateOrder(
                    Sandbox.Order(), new OrderOptions { TimeoutMs = 0 }));
                Check.Throws<InvalidArgumentException>(() => client.CreateOrder("not JSON"));
                Check.Throws<ArgumentNullException>(() => client.CreateOrder((Order)null));
                Check.Throws<ArgumentNullException>(() => client.GetStatus(null));
                Check.Throws<InvalidArgumentException>(() => client.Journal.List());
            }
            var unknown = Check.Throws<InvalidConfigException>(
                () => new PayorderClient("{\"baseUrl\":\"https://x.example\",\"timeout\":1}"));
            Check.Equal(Causes.UnknownKey, unknown.Cause);
            Check.True(unknown.Message.Contains("timeout"));
            using (var client = new PayorderClient(new ClientConfig { BaseUrl = Sandbox.Url }))
            {
                Check.Throws<MissingCredentialsException>(
                    () => client.CreateOrder(Sandbox.Order()));
            }
        }

        public void AWaitEndsWithTheLastStatus()
        {
            using (var client = Sandbox.Client())
            {
                var order = Sandbox.Order();
                var checkout = client.CreateOrder(order);
                var query = StatusQuery.ByOrder(order.OrderId);
                var options = new WaitOptions { WaitMs = 1500, IntervalMs = 1000 };
                var waited = client.WaitForPayment(query, options);
                Check.True(waited.TimedOut && !waited.Final && waited.Polls > 1);
                Check.Equal("Pending", waited.Status.TransactionStatus);
                Check.Equal(null, waited.Error);
                Sandbox.Press("fail", checkout.Url);
                options = new WaitOptions { Final = new[] { "Failed", "Cancelled" } };
                waited = client.WaitForPaymentAsync(query, options).Result;
                Check.True(waited.Final && !waited.TimedOut);
                Check.Equal("Failed", waited.Status.TransactionStatus);
            }
        }

        public void AWaitWithoutAnyStatusHasTheError()
        {
            using (var client = Sandbox.Client())
            {
                var waited = client.WaitForPayment(StatusQuery.ByOrder("none"),
                    new WaitOptions { WaitMs = 1500, IntervalMs = 60000 });
                Check.True(waited.TimedOut && waited.Status == null);
                Check.True(waited.Error is RejectedException);
                Check.Equal("404", waited.Error.ResponseCode);
            }
        }

        public void BodiesAreBuiltWithoutTheNetwork()
        {
            var order = Sandbox.Order();
            order.Amount = 249.50m;
            var body = JsonValue.Parse(PayorderLibrary.BuildCreateOrder(order, "returnUrl"));
            Check.Equal("249.50", body["amount"].Text);
            Check.Equal(order.RedirectionUrl, body["returnUrl"].Text);
            body = JsonValue.Parse(
                PayorderLibrary.BuildGetStatus(StatusQuery.ByTransaction("T-1")));
            Check.Equal("T-1", body["transactionId"].Text);
            var error = Check.Throws<UnusableTextException>(
                () => PayorderLibrary.BuildCreateOrder(new Order()));
            Check.Equal(11, error.Violations.Count);
            Check.Throws<UnusableTextException>(
                () => PayorderLibrary.ParseReturnUrl("https://shop.example/return"));
            Check.Throws<UnusableTextException>(
                () => PayorderLibrary.VerifyPayment("{}", "{}"));
        }
    }
}
