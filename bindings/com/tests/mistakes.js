// Every wrong argument is an error at its line, with a sentence, and nothing is sent.

var client = new ActiveXObject("Payorder.Client"), order = new ActiveXObject("Payorder.Order");
var started = client.StartGetStatus("1"), list = client.CreateOrder(order).Violations;
var failed = 0, tried = 0;

function refused(what, words, call) {
  tried++;
  try {
    call();
  } catch (error) {
    if (error.number !== 0 && error.description.indexOf(words) >= 0) return;
    WScript.Echo(what + ": " + error.number + " " + error.description);
    failed++;
    return;
  }
  WScript.Echo(what + ": no error");
  failed++;
}

function same(what, found, expected) {
  tried++;
  if (found === expected) return;
  WScript.Echo(what + ": " + found + ", not " + expected);
  failed++;
}

// ---- Values that are no text

var values = { number: 5, fraction: 2.5, flag: true, nothing: null, empty: undefined, date: new Date(),
  array: [1], object: {}, order: order, client: client, zero: "a\u0000b", half: "a\ud800", other: "\udc00a" };
var fields = ["Amount", "MerchantTxnId", "OrderId", "PayMode", "MerchantId", "ProductInfo", "CustomerName",
  "CustomerMobile", "CustomerEmail", "RedirectionUrl", "CurrencyCode"];
for (var name in values) {
  for (var at = 0; at < fields.length; at++) {
    order[fields[at]] = "1.00";
    refused(fields[at] + " = " + name, fields[at], function () { order[fields[at]] = values[name]; });
    same(fields[at] + " after " + name, order[fields[at]], "");
  }
  refused("url " + name, "url", function () { client.ParseReturnUrl(values[name]); });
  refused("query " + name, "query", function () { client.GetStatus(values[name]); });
  refused("orderId " + name, "orderId", function () { client.VerifyPayment(values[name], "1.00", "{}"); });
  refused("amount " + name, "amount", function () { client.VerifyPayment("1", values[name], "{}"); });
  refused("status " + name, "status", function () { client.VerifyPayment("1", "1.00", values[name]); });
  refused("transaction " + name, "transactionId", function () {
    client.VerifyPayment("1", "1.00", "{}", "", values[name]);
  });
  refused("credentials " + name, "credentials", function () { client.SetCredentials(values[name]); });
  if (name !== "order") refused("order " + name, "order", function () { client.CreateOrder(values[name]); });
  if (name !== "empty") {
    if (name !== "nothing")
      refused("began " + name, "began", function () { client.VerifyPayment("1", "1.00", "{}", values[name]); });
    refused("settings " + name, "settings", function () { client.Open(values[name]); });
    refused("options " + name, "options", function () { client.CreateOrder(order, values[name]); });
    refused("sales " + name, "sales", function () { client.Recover(values[name]); });
    refused("state " + name, "state", function () { client.JournalList(values[name]); });
    refused("note " + name, "note", function () { client.JournalSettle(1, values[name]); });
    refused("ExtraFields " + name, "ExtraFields", function () { order.ExtraFields = values[name]; });
  }
  if (name !== "number" && name !== "fraction") {
    refused("seconds " + name, "seconds", function () { client.WaitForPayment("1", values[name]); });
    refused("milliseconds " + name, "milliseconds", function () { started.Wait(values[name]); });
    refused("index " + name, "index", function () { list.Item(values[name]); });
  }
}
refused("no field", "", function () { order.Amout = "1.00"; });
refused("no method", "", function () { client.Sell(); });
refused("no argument", "", function () { client.CreateOrder(); });
refused("JSON of settings", "Open", function () { client.Open("{"); });
refused("a setting", "baseUrI", function () { client.Open('{"baseUrI":"https://pay.example.com"}'); });
same("after a failed Open", client.GetStatus("1").Name, "PAYORDER_INVALID_CONFIG");
client.Open();
refused("JSON of options", "options", function () { client.CreateOrder(order, "{"); });
refused("JSON of a query", "query", function () { client.GetStatus('{"orderId":"1"'); });
refused("no quotes in a query", "query", function () { client.GetStatus("{orderId:1}"); });
refused("other quotes in a query", "query", function () { client.GetStatus("{'orderId':'1'}"); });
refused("the begin of a query", "query", function () { client.GetStatus("{"); });
refused("no object of options", "options", function () { client.CreateOrder(order, "[]"); });
refused("JSON of sales", "sales", function () { client.StartRecover("[{]"); });
order.ExtraFields = '{"a":"1"}';
refused("fields that are no object", "ExtraFields", function () { order.ExtraFields = "[]"; });
same("after them", order.ExtraFields, "");
refused("seconds below", "seconds", function () { client.StartWaitForPayment("1", 0); });
refused("seconds above", "seconds", function () { client.StartWaitForPayment("1", 86401); });
refused("a part of a day", "whole", function () { client.JournalPrune(1.5); });
refused("a negative entry", "entry", function () { client.JournalSettle(-1, ""); });
refused("no pointer", "pointer", function () { client.GetStatus("1").Get("data"); });
refused("a result without a query", "StatusQuery", function () { client.GetStatus(client.GetStatus("1")); });

// ---- What the library refuses is a result

var result = client.GetStatus("1", '{"timeoutMS":1}');
same("an unknown option", result.Name + result.Outcome, "PAYORDER_INVALID_ARGUMENTnot_sent");
result = client.CreateOrder(order);
same("an empty order", result.Ok + result.Url + result.Violations.Count, "false11");
result = client.GetStatus("no-such-order");
same("its outcome", result.Outcome + result.TransactionStatus + result.Amount, "rejected");
// Of a query that failed, and a wait without a status, nothing is known.
var unseen = '{"final":false,"timedOut":true,"polls":1,"error":{"name":"PAYORDER_TIMEOUT"}}';
for (var one = 0, unknown = [result, result.Json, unseen]; one < unknown.length; one++) {
  var verified = client.VerifyPayment("no-such-order", "1.00", unknown[one]);
  same("is it known", verified.Name + verified.Paid + verified.Reasons.Count, "PAYORDER_INVALID_ARGUMENTfalse0");
}
var paid = '{"status":"ok","responseCode":200,' +
    '"data":{"transactionStatus":"Completed","orderId":"1","amount":"1.00"}}';
same("the Json of a query", client.VerifyPayment("1", "1.00", paid).Paid, true);
same("began was never set", client.VerifyPayment("1", "1.00", paid, undefined).Violations(1).Field, "notBefore");
same("began is Null", client.VerifyPayment("1", "1.00", paid, null).Violations(1).Field, "notBefore");
var waited = '{"final":true,"status":' + paid + "}";
same("the Json of a wait", client.VerifyPayment("1", "1.00", waited).Paid, true);
same("no transaction", client.VerifyPayment("1", "1.00", "{}", "", "").Violations.Item(1).Field, "transactionId");
same("a URL", client.ParseReturnUrl("/done?txn=T-\u0906").TransactionId, "T-\u0906");
same("the query of a URL", client.GetStatus(client.ParseReturnUrl("/done?txn=T-1")).Outcome, "rejected");
same("a query as JSON", client.GetStatus('{"orderId":"1"}').StatusQuery, client.GetStatus("1").StatusQuery);
same("an order id in braces", client.GetStatus("{7C2B510B-0D3E-4A86-9F14-C5B0E2A76D31}").Outcome, "rejected");
same("no journal", client.JournalList().Cause, "no_journal");
var check = client.Check();
same("a check", check.Ok && check.Steps.Count > 2, true);
order.CustomerName = "\u0906\u0936\u093e \ud83d\ude00 '\"\\";
same("a name", order.CustomerName, "\u0906\u0936\u093e \ud83d\ude00 '\"\\");
order.ExtraFields = '{"a/b":"1"}';
order.ExtraFields("c~d") = "2";
same("further fields", order.ExtraFields + order.ExtraFields("a/b"), '{"a/b":"1","c~d":"2"}1');
refused("further fields twice", "extraFields", function () {
  client.CreateOrder(order, '{"extraFields":{"e":"3"}}');
});
same("new credentials", client.SetCredentials('{"secretKey":"wrong"}').Ok, true);
same("with them", client.GetStatus("1").Name, "PAYORDER_UNAUTHORIZED");
same("bad credentials", client.SetCredentials('{"secretKey":" "}').Outcome, "not_sent");
client.Stop();
same("after a stop", client.CreateOrder(order).Cause, "client_stopped");
same("another object", new ActiveXObject("Payorder.Client").GetStatus("1").Name, "PAYORDER_UNAUTHORIZED");

// ---- What the service adds to its answers

function opened(url) {
  var made = new ActiveXObject("Payorder.Client");
  made.Open('{"baseUrl":"' + url + '","accessToken":"a","clientKey":"b","clientId":"c","secretKey":"d","statusRetries":0}');
  return made;
}

// verdicts: that a result has none of the library's, and no error.
function verdicts(what, one) {
  same(what, [one.Ok, one.Paid, one.Final, one.TimedOut, one.Name + one.Cause + one.CheckoutUrl + one.PreviousUrl,
    one.StatusQuery, one.Reasons.Count + one.Sales.Count + one.Violations.Count].join(), "true,false,false,false,,,0");
  refused("a query of " + what, "StatusQuery", function () { client.GetStatus(one); });
}
order.Amount = "1.00";
for (at = 1; at < fields.length; at++) order[fields[at]] = "1";
order.PayMode = "all";
order.CustomerEmail = "asha@example.com";
order.RedirectionUrl = "https://shop.example.com/done";
order.CurrencyCode = "INR";
order.ExtraFields = "";
var adding = opened(WScript.Arguments(0));
var created = adding.CreateOrder(order), status = adding.GetStatus("1"), wait = adding.WaitForPayment("1", 10);
verdicts("an order", created);
same("its URL", created.Url + created.TransactionStatus + created.Completed, "https://pay.example.com/1false");
verdicts("a status", status);
same("its fields", status.Url + status.TransactionStatus + status.Completed, "Completedtrue");
same("is it paid", client.VerifyPayment("1", "1.00", status).Paid, true);
same("is its Json paid", client.VerifyPayment("1", "1.00", status.Json).Paid, true);
same("a wait", [wait.Ok, wait.Paid, wait.Final, wait.Cause, wait.TransactionStatus].join(), "true,false,true,,Completed");
same("is a wait paid", client.VerifyPayment("1", "1.00", wait).Paid, true);
same("is the Json of a wait paid", client.VerifyPayment("1", "1.00", wait.Json).Paid, true);

// ---- An answer that is too long to be read

var far = opened("http://127.0.0.1:9"), sales = [], long = "x";
while (long.length < 30000) long += long;
for (at = 0; at < 400; at++) sales.push('{"orderId":"' + long + at + '","amount":"1.00"}');
sales = "[" + sales.join(",") + "]";
started = far.StartRecover(sales);
started.Wait(60000);
var answers = [far.Recover(sales), started.Result];
for (at = 0; at < 2; at++) {
  result = answers[at];
  same("a long answer", result.Ok + result.Outcome + result.Cause + result.Sales.Count, "falseunknowntoo_long0");
}

WScript.Echo(failed ? failed + " failed" : tried > 300 ? "end" : "too few: " + tried);
