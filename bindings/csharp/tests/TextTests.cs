using System;
using System.Collections.Generic;
using System.ComponentModel;
using System.Globalization;
using System.Linq;
#if NETCOREAPP
using System.Text.Json;
#endif

namespace Payorder.Tests
{
    internal sealed class TextTests
    {
        public void ANulIsKeptInAFieldAndRefusedInAWholeText()
        {
            var order = Sandbox.Order();
            order.ProductInfo = "Tea\0Coffee";
            var body = JsonValue.Parse(PayorderLibrary.BuildCreateOrder(order));
            Check.Equal("Tea\0Coffee", body["productInfo"].Text);
            using (var client = Sandbox.Client())
            {
                var error = Check.Throws<ArgumentException>(() => client.CreateOrder("{}\0"));
                Check.Equal("order", error.ParamName);
            }
            Check.Throws<ArgumentException>(() => PayorderLibrary.ParseReturnUrl("?txn=1\0"));
        }

        public void HalfOfASurrogatePairIsRefusedBeforeTheCall()
        {
            var order = Sandbox.Order();
            order.ProductInfo = "Tea \ud83c";
            Check.Throws<ArgumentException>(() => PayorderLibrary.BuildCreateOrder(order));
            order.ProductInfo = "\udf75\ud83c";
            Check.Throws<ArgumentException>(() => PayorderLibrary.BuildCreateOrder(order));
        }

        public void JsonIsReadAsItIsWritten()
        {
            var json = JsonValue.Parse(
                " {\"a\" : 1e400, \"b\":[true,null,\"x\\u0041\\n\\\"\\/\\ud83c\\udf75\"],"
                + "\"c\":{}}\n");
            Check.Equal("1e400", json["a"].Raw);
            Check.Equal("xA\n\"/🍵", json["b"].Items[2].Text);
            Check.Equal(null, json["b"].Items[1].Text);
            Check.Equal("[true,null,\"x\\u0041\\n\\\"\\/\\ud83c\\udf75\"]", json["b"].Raw);
            Check.Equal("a b c", string.Join(" ", json.Keys));
            Check.Equal(null, json["missing"]);
            foreach (var number in new[] { "0", "-0.0", "10", "1E+9", "2.50e-1" })
            {
                Check.Equal(number, JsonValue.Parse("[" + number + "]").Items[0].Raw);
            }
            foreach (var wrong in new[]
            {
                "01", "--", "-", "+1", "1.", ".5", "1e", "[1 2]", "\"\n\"", "\"\0\"", "[nulll]",
                "", "{", "[1,]", "{\"a\"}", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "1 2", "[1}",
                string.Concat(Enumerable.Repeat("[", 100000)),
            })
            {
                Check.Throws<FormatException>(() => JsonValue.Parse(wrong));
            }
        }

        public void JsonIsReadAtAnyDepth()
        {
            foreach (var (begin, end) in new[] { ("[", "]"), ("{\"a\":", "}") })
            {
                var json = "{\"data\":{\"url\":\"https://pay.example.com/1\"},\"later\":"
                    + string.Concat(Enumerable.Repeat(begin, 100000)) + "[]"
                    + string.Concat(Enumerable.Repeat(end, 100000)) + "}";
                Check.Equal("https://pay.example.com/1", Checkout.FromJson(json).Url);
                Check.Equal(json, JsonValue.Parse(json).Raw);
            }
        }

#if NETCOREAPP
        public void TheReaderTakesWhatTheFrameworksReaderTakes()
        {
            var json = " {\"a\":[0,-1.5e+2,true,null,{}],\"\\u00e9\\n\":\"b\"} ";
            var differ = new List<string>();
            foreach (var at in Enumerable.Range(0, json.Length))
            {
                foreach (var one in "\"\\{}[],: 01-+.eEtu/\n\t\u0001\0é".Select(c => c.ToString()).Append(""))
                {
                    Compare(json.Insert(at, one));
                    Compare(json.Remove(at, 1).Insert(at, one));
                }
            }
            Check.Equal("", string.Join("\n", differ));

            void Compare(string text)
            {
                var theirs = Read(() => string.Join(",", JsonDocument.Parse(text).RootElement
                    .EnumerateObject().Select(one => one.Name + ":" + one.Value.GetRawText())));
                var ours = Read(() =>
                {
                    var own = JsonValue.Parse(text);
                    return string.Join(",", own.Keys.Select((key, at) => key + ":" + own.Items[at]));
                });
                if (theirs != ours)
                {
                    differ.Add(text + " is " + theirs + ", not " + ours);
                }
            }

            string Read(Func<string> read)
            {
                try
                {
                    return read();
                }
                catch (Exception error) when (error is FormatException || error is JsonException)
                {
                    return "not JSON";
                }
            }
        }
#endif

        public void AmountsAreExactNumbers()
        {
            Amount amount = 0.10m + 0.20m;
            Check.Equal("0.30", amount.Text);
            amount = "100";
            Check.Equal("100", amount.ToString());
            Check.True(amount == 100m && amount.Equals("100.00") && new Amount() != amount);
            Check.True(new HashSet<Amount> { amount }.Contains("100.000"));
            Check.True(amount != "100.01" && amount != "1e2" && (Amount)"tea" == "tea");
            var longer = "1.0000000000000000000000000000";
            Check.True((Amount)(longer + "1") != longer + "2" && ((Amount)longer).Value == null);
            Check.Equal(100.5m, ((Amount)"100.50").Value);
            Check.Equal("", new Amount().Text + (Amount)null);
            var german = (CultureInfo)CultureInfo.InvariantCulture.Clone();
            german.NumberFormat.NumberDecimalSeparator = ",";
            Check.Equal("100.5 100,50", string.Format(german, "{0} {0:F2}", (Amount)"100.5"));
        }

        public void FrameworksReadWhatTheyWrote()
        {
            foreach (object value in new object[]
            {
                (Amount)"100.00", StatusQuery.ByTransaction("T-1"),
            })
            {
                var converter = TypeDescriptor.GetConverter(value.GetType());
                Check.Equal(value, converter.ConvertFrom(converter.ConvertToInvariantString(value)));
            }
#if NETCOREAPP
            var order = Till.Order("O-1");
            var json = JsonSerializer.Serialize(order);
            Check.Equal(order.ToJson(), JsonSerializer.Deserialize<Order>(json).ToJson());
            var expected = JsonSerializer.Deserialize<ExpectedPayment>("{\"Amount\":100.50}");
            Check.Equal("100.50", expected.Amount.Text);
            Check.Equal("100", JsonSerializer.Deserialize<Order>("{\"Amount\":1E2}").Amount.Text);
            var longer = "99." + new string('9', 32);
            order = JsonSerializer.Deserialize<Order>("{\"Amount\":" + longer + "}");
            Check.Equal(longer, order.Amount.Text);
            var config = JsonSerializer.Deserialize<ClientConfig>(
                "{\"AccessToken\":\"sandbox-token\",\"BaseUrl\":\"https://pay.example.com\","
                + "\"Headers\":{\"X-Gateway\":\"g\"}}");
            Check.Equal("sandbox-token", config.AccessToken);
            // The binder of appsettings.json fills dictionaries too.
            Check.True(config.ToJson().Contains("\"headers\":{\"X-Gateway\":\"g\"}"));
            config.ClientKey = config.ClientId = config.SecretKey = "sandbox-key";
            config.Proxy = "http://user:sandbox-password@proxy.example";
            config.Journal = "till.db";
            Check.Equal("till.db", JsonSerializer.Deserialize<ClientConfig>(
                JsonSerializer.Serialize(config)).Journal);
            config.Journal = "postgresql://shop:sandbox-password@db.example/shop";
            var options = new OrderOptions { AccessToken = "sandbox-token" };
            json = JsonSerializer.Serialize(config) + JsonSerializer.Serialize(options);
            Check.True(json.Contains("pay.example.com") && !json.Contains("sandbox-"), json);
            Check.True(config.ToJson().Contains("sandbox-token"), "for the library");
            StatusQuery query = "O-1";
            Check.Equal("[" + query.Json + "]", JsonSerializer.Serialize(new[] { query }));
            Check.True(query == JsonSerializer.Deserialize<StatusQuery>(query.Json));
            var status = "{\"data\":{\"amount\":\"1.00\",\"later\":[1.50]}}";
            Check.Equal(status, JsonSerializer.Serialize(Status.FromJson(status)));
            Check.True(JsonSerializer.Deserialize<Status>(status).Amount == 1m);
#endif
        }
    }
}
