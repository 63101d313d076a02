using System;
using System.Collections.Generic;
using System.Threading;

namespace Payorder.Tests
{
    /// <summary>What the types add. The conformance suite has the outcomes.</summary>
    internal sealed class ResultTests
    {
        public void AnOrderIdIsAQueryAndTimesAreTimeSpans()
        {
            using var client = Sandbox.Client();
            var order = Sandbox.Order();
            client.CreateOrder(order);
            Check.Equal(order.OrderId, client.GetStatus(order.OrderId).OrderId);
            // Not in the queue, where the time could end before the first query.
            var waited = client.WaitForPayment(order.OrderId,
                new WaitOptions { Wait = TimeSpan.FromTicks(1) });
            Check.True(waited.TimedOut);
        }

        public void ArgumentsAreChecked()
        {
            using (var client = Sandbox.Client())
            {
                Check.Throws<ArgumentNullException>(() => client.CreateOrder((Order)null));
                Check.Throws<ArgumentNullException>(() => client.GetStatus(null));
                Check.Throws<ArgumentException>(() => client.SetCredentials(accessToken: null));
                var infinite = Check.Throws<InvalidArgumentException>(() => client.CreateOrder(
                    Sandbox.Order(), new OrderOptions { Timeout = Timeout.InfiniteTimeSpan }));
                Check.True(infinite.Message.StartsWith("Timeout must not be "), infinite.Message);
                var nan = Check.Throws<InvalidArgumentException>(() => client.GetStatuses(
                    new StatusQuery[0], one => true, new BatchOptions { RatePerSecond = double.NaN }));
                Check.True(nan.Message.StartsWith("RatePerSecond must be "), nan.Message);
                var missing = Check.Throws<ArgumentException>(() => client.GetStatuses(
                    new StatusQuery[] { "O-1", null }, one => true));
                Check.True(missing.Message.StartsWith("queries[1] is null"), missing.Message);
                Check.Throws<ArgumentException>(() => client.Recover(new ExpectedPayment[1]));
                Check.Throws<InvalidArgumentException>(() => client.WaitForPayment(
                    "O-1", new WaitOptions { Interval = TimeSpan.Zero }));
                var broken = Sandbox.Order();
                broken.Amount = "-7";
                var violation = Check.Throws<InvalidRequestException>(
                    () => client.CreateOrder(broken)).Violations[0].ToString();
                Check.True(violation.Contains("amount") && !violation.Contains("7"), violation);
            }
            var config = new ClientConfig { MaxIdle = TimeSpan.FromTicks(-1) };
            var refused = Check.Throws<InvalidConfigException>(() => PayorderClient.FromEnv(config));
            Check.True(refused.Message.StartsWith("MaxIdle must not be "), refused.Message);
        }

        public void NothingPrintsCredentialsOrTheCustomersData()
        {
            using var client = Sandbox.Client();
            var order = Sandbox.Order();
            client.CreateOrder(order);
            var status = client.GetStatus(order.OrderId);
            Check.Equal("Asha Rao", status.CustomerName);
            var config = new ClientConfig
            {
                AccessToken = "sandbox-access-token",
                Journal = "postgresql://shop:sandbox-password@db.example/shop",
            };
            var other = new ClientConfig { Journal = "host=db password=sandbox-password" };
            foreach (object one in new object[] { order, status, client, config, other })
            {
                var text = one.ToString();
                Check.True(!text.Contains("Asha") && !text.Contains("sandbox-"), text);
            }
            Check.True(status.ToString().Contains(order.OrderId), status.ToString());
        }

        public void ResultsAreMadeWithoutAService()
        {
            var status = Status.FromJson("{\"responseCode\":\"200\",\"data\":{"
                + "\"orderId\":\"O-1\",\"amount\":\"1.00\",\"transactionStatus\":\"Completed\"}}");
            Check.True(status.Completed);
            Check.Equal(new DateTime(2026, 11, 21, 14, 5, 6), Status.FromJson(
                "{\"data\":{\"transactionDate\":\"11/21/2026 02:05:06 PM\"}}").TransactionDate);
            // Verification reads only what the service sends.
            Check.Equal(null, Status.FromJson(
                "{\"derived\":{\"transactionDate\":\"2026-11-21T14:05:06\"}}").TransactionDate);
            var expected = new ExpectedPayment { OrderId = "O-1", Amount = 1m };
            IPayorderClient client = new PayorderClient("{\"baseUrl\":\"https://shop.example\"}");
            Check.True(client.VerifyPayment(expected, status).Paid);
            var paid = Verification.FromJson("{\"paid\":true}");
            Check.True(paid.Paid && paid.Reasons.Count + paid.Unverifiable.Count == 0);
            Check.True(!Verification.FromJson("{}").Paid);
            var error = PayorderException.Create(PayorderResult.Timeout, "no response");
            Check.True(error is ResponseTimeoutException);
            Check.Equal("PAYORDER_TIMEOUT", error.Name);
            Check.Equal("no response (PAYORDER_TIMEOUT)", error.Message);
            Check.Equal(Actions.AskStatus, error.Action);
            Check.Equal(Causes.ResponseTimedOut, error.Cause);
            var inner = new OperationCanceledException();
            error = PayorderException.Create(PayorderResult.Cancelled, "", innerException: inner);
            Check.Equal(inner, error.InnerException);
            Check.Equal(Causes.Cancelled, error.Cause);
            Check.Equal(Actions.None, error.Action);
            Check.True(PayorderException.Create((PayorderResult)99, "new") is NotSentException);
            var seen = "{\"data\":{\"orderId\":\"O-1\",\"customerName\":\"Asha\"}}";
            var waited = Waited.FromJson("{\"final\":true,\"polls\":2,\"status\":" + seen + "}");
            Check.True(waited.Final);
            Check.Equal(2, waited.Polls);
            Check.Equal("O-1", waited.Status.OrderId);
            var text = waited.ToString();
            Check.True(text.Contains("O-1") && !text.Contains("Asha"), text);
            waited = Waited.FromJson(
                "{\"timedOut\":true,\"status\":null,\"error\":{\"result\":101}}");
            Check.True(waited.Error is UnauthorizedException);
            Check.Equal(Actions.CheckCredentials, waited.Error.Action);
            Check.Throws<FormatException>(() => Waited.FromJson("{}"));
            Check.Throws<FormatException>(() => Checkout.FromJson("{}"));
        }

        public void OnlyWhatMayBeRepeatedAsItIsIsTransient()
        {
            Func<PayorderResult, bool> transient =
                result => PayorderException.Create(result, "").IsTransient;
            Check.True(transient(PayorderResult.ConnectFailed));
            Check.True(transient(PayorderResult.RateLimited));
            Check.True(!transient(PayorderResult.Timeout), "an order may exist");
            Check.True(!transient(PayorderResult.Duplicate), "an order exists");
            Check.True(!transient(PayorderResult.Cancelled), "the program ended it");
            Check.True(!transient(PayorderResult.InvalidRequest));
            using var client = Sandbox.Client();
            Check.True(Check.Throws<RejectedException>(
                () => client.GetStatus("none")).IsTransient, "a query");
        }

        public void WhatTheJournalGivesIsMadeWithoutAService()
        {
            var recovered = Recovered.FromJson("{\"sales\":[{\"orderId\":\"O-1\","
                + "\"verdict\":\"url_lost\"}],\"summary\":{\"asked\":1,\"ok\":1}}");
            Check.Equal(Verdicts.UrlLost, recovered.Sales[0].Verdict);
            Check.Equal(1, recovered.Summary.Ok);
            Check.True(recovered.ToString().Contains("url_lost"), recovered.ToString());
            Check.True(recovered.Raw.EndsWith("\"ok\":1}}"), recovered.Raw);
            // It must not look as if no sale were open.
            Check.Throws<FormatException>(() => Recovered.FromJson("{}"));
            var resolved = Resolved.FromJson(
                "{\"entries\":[{\"entry\":7,\"orderId\":\"O-1\",\"state\":\"created\",\"url\":\"u\"}]}");
            Check.Equal(States.Created, resolved.Entries[0].State);
            Check.Equal(0, resolved.Summary.Asked);
            Check.True(resolved.ToString().Contains("created"), resolved.ToString());
            StatusQuery query = "O-1";
            var error = PayorderException.Create(
                PayorderResult.Duplicate, "sent before", previous: resolved.Entries[0]);
            Check.Equal(7, error.Previous.Entry);
            Check.Equal(query.Json, error.StatusQuery.Json);
            Check.Equal(Causes.OrderAlreadySent, error.Cause);
            Check.Equal(Actions.UsePrevious, error.Action);
            Check.Equal(Actions.AskStatus, PayorderException.FromJson(
                "{\"error\":{\"result\":206,\"previous\":{\"state\":\"created\"}}}").Action);
            Check.Equal(error.Raw, PayorderException.FromJson(error.Raw).Raw);
            Check.Equal("no key \"error\"", Check.Throws<FormatException>(
                () => PayorderException.FromJson("{\"result\":4}")).Message);
            foreach (var result in new[] { "0", "4294967296", "4294967300" })
            {
                Check.Throws<FormatException>(
                    () => PayorderException.FromJson("{\"error\":{\"result\":" + result + "}}"));
            }
            Check.Throws<FormatException>(() => PayorderException.Create(PayorderResult.Ok, ""));
            Check.Equal(error, new StatusResult(0, query, null, error).Error);
            Check.Equal("{\"asked\":2}", Summary.FromJson("{\"asked\":2}").ToString());
            Check.Equal("Checkout { Url = u }",
                Checkout.FromJson("{\"data\":{\"url\":\"u\"}}").ToString());
        }

        public void AStubFindsEqualArguments()
        {
            StatusQuery query = "O-1";
            Check.True(new HashSet<StatusQuery> { query }.Contains(StatusQuery.ByOrder("O-1")));
            Check.True(query == "O-1" && query != StatusQuery.ByTransaction("O-1") && null != query);
            foreach (var text in new[] { query.Json + "," + query.Json, "[]", "O-1", "" })
            {
                Check.Throws<InvalidArgumentException>(() => StatusQuery.FromJson(text));
            }
            var expected = new ExpectedPayment
            {
                OrderId = "O-1",
                Amount = "1",
                NotBefore = new DateTimeOffset(2026, 11, 27, 1, 0, 0, TimeSpan.FromHours(5.5)),
            };
            Check.Equal("ExpectedPayment {\"orderId\":\"O-1\",\"amount\":\"1\","
                + "\"notBefore\":\"2026-11-26T19:30:00Z\"}", expected.ToString());
        }
    }
}
