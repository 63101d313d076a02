using System;
using System.Collections.Generic;
using System.Linq;

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
            foreach (var wrong in new[]
            {
                "", "{", "[1,]", "{\"a\"}", "nul", "\"a", "\"\\x\"", "\"\\u12\"", "1 2", "[1}",
                string.Concat(Enumerable.Repeat("[", 100000)),
            })
            {
                Check.Throws<FormatException>(() => JsonValue.Parse(wrong));
            }
        }

        public void AmountsAreExact()
        {
            Amount amount = 0.10m + 0.20m;
            Check.Equal("0.30", amount.Text);
            amount = "100";
            Check.Equal("100", amount.ToString());
            Check.True(amount == 100m && amount.Equals("100") && new Amount() != amount);
            Check.True(new HashSet<Amount> { amount }.Contains("100"));
            Check.Equal(amount, (Amount)"100");
            Check.True(amount != "100.00");
        }
    }
}
