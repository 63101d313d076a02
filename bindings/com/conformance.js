// The package's driver of the conformance suite: see bindings/conformance/README.md. It uses the
// objects as a program in JScript does. `conformance` runs it in Wine, and gives it each step.

var http = new ActiveXObject("WinHttp.WinHttpRequest.5.1");
var STATUS = ["responseCode", "responseMessage", "merchantRefId", "orderId", "transactionId",
  "amount", "customerName", "customerMobile", "customerEmail", "transactionStatus",
  "transactionDate", "refundStatus", "refundType", "merchantName", "settlementStatus",
  "settlementDate", "payMode"];
var ENTRY = ["entry", "orderId", "merchantTxnId", "amount", "currencyCode", "state", "url", "result",
  "transactionId", "transactionStatus", "note"];

// ---- JSON, which JScript does not have

function parse(text) { return eval("(" + text + ")"); }

function write(value) {
  if (value === null || value === undefined) return "null";
  if (typeof value === "string") {
    var quoted = value.replace(/[\\"]/g, "\\$&");
    return '"' + quoted.replace(/[^ -~]/g, function (one) {
      return "\\u" + ("000" + one.charCodeAt(0).toString(16)).slice(-4);
    }) + '"';
  }
  if (typeof value !== "object") return String(value);
  var parts = [];
  if (value instanceof Array) {
    for (var at = 0; at < value.length; at++) parts.push(write(value[at]));
    return "[" + parts.join(",") + "]";
  }
  for (var key in value) parts.push(write(key) + ":" + write(value[key]));
  return "{" + parts.join(",") + "}";
}

// ---- Reports

function each(list, report) {
  var made = [];
  // The Enumerator of Wine's JScript keeps what it gave.
  for (var at = 1; at <= list.Count; at++) made.push(report(list.Item(at)));
  return made;
}

function pick(keys, object) {
  var picked = {};
  for (var at = 0; at < keys.length; at++) picked[keys[at]] = object[keys[at]];
  return picked;
}

// A part of the JSON, for which the component has no property.
function json(result, pointer) {
  var text = result.Get(pointer);
  return text === "" ? null : parse(text);
}

function status(result) {
  var report = pick(STATUS, result), part = result.Get("/status") ? "/status" : "";
  report.completed = result.Completed;
  report.date = result.Get(part + "/derived/transactionDate") || null;
  report.raw = part ? result.Get(part) : result.Json;
  return report;
}

function checks(list) {
  return each(list, function (one) { return pick(["check", "expected", "actual"], one); });
}

function entry(one) {
  var report = pick(ENTRY, one);
  report.url = one.Url || null;
  report.result = /"result":null/.test(one.Json) ? null : one.result;
  report.transactionId = one.TransactionId || null;
  report.transactionStatus = one.TransactionStatus || null;
  return report;
}

// What a failed call says, or a wait that got no status.
function error(result) {
  var report = pick(["name", "cause", "action", "message"], result);
  report.result = result.Result || json(result, "/error/result");
  report.outcome = result.Ok ? result.Get("/error/outcome") : result.Outcome;
  report.caught = report.outcome;
  report.violations = each(result.Violations, function (one) { return pick(["field", "rule"], one); });
  if (result.HttpStatus) report.httpStatus = result.HttpStatus;
  if (result.RetryAfterMs) report.retryAfterMs = result.RetryAfterMs;
  if (result.StatusQuery) report.statusQuery = parse(result.StatusQuery);
  if (result.CheckoutUrl) report.checkoutUrl = result.CheckoutUrl;
  var texts = ["operation", "responseCode", "responseMessage"], more = ["attempts", "elapsedMs", "previous"];
  for (var at = 0; at < 3; at++) {
    report[texts[at]] = result.Get("/error/" + texts[at]) || null;
    report[more[at]] = json(result, "/error/" + more[at]);
  }
  if (report.previous) report.previous.url = result.PreviousUrl || null;
  var last = result.Get("/error/status");
  if (last) {
    report.status = parse(last).data;
    report.status.raw = last;
  }
  return report;
}

var shown = {
  create: function (made) {
    return { url: made.Url, responseCode: made.ResponseCode, responseMessage: made.ResponseMessage };
  },
  status: status,
  wait: function (made) {
    return {
      "final": made.Final, timedOut: made.TimedOut, polls: json(made, "/polls"),
      status: made.Get("/status") ? status(made) : null,
      error: made.Get("/error") ? error(made) : null
    };
  },
  parse: function (made) {
    return { transactionId: made.TransactionId, statusQuery: parse(made.StatusQuery) };
  },
  verify: function (made) {
    return { paid: made.Paid, reasons: checks(made.Reasons), unverifiable: json(made, "/unverifiable") };
  },
  list: function (made) { return each(made.Entries, entry); },
  resolve: function (made) {
    return {
      summary: json(made, "/summary"), otherServices: json(made, "/otherServices"),
      refusal: made.Get("/refusal") || null,
      entries: each(made.Entries, entry)
    };
  },
  settle: function (made) { return parse(made.Json); },
  prune: function (made) { return made.Removed; },
  recover: function (made) {
    return {
      summary: json(made, "/summary"), otherServices: json(made, "/otherServices"),
      refusal: made.Get("/refusal") || null,
      sales: each(made.Sales, function (one) {
        return {
          orderId: one.OrderId, verdict: one.Verdict, amount: one.Amount || null,
          url: one.Url || null, transactionStatus: one.TransactionStatus || null,
          reasons: checks(one.Reasons), entry: one.Entry || null
        };
      })
    };
  },
  check: function (made) {
    return {
      ok: made.Ok,
      steps: each(made.Steps, function (one) {
        return {
          step: one.Step, ok: one.Ok, elapsedMs: one.ElapsedMs, message: one.Message,
          details: parse(one.Details), cause: one.Cause || null, action: one.Action || null
        };
      })
    };
  },
  credentials: function () { return null; }
};

function reported(result, kind) {
  // A check that found something is no error.
  if (result.Result !== 0) return { ok: false, error: error(result) };
  return { ok: true, value: shown[kind](result) };
}

// ---- Steps

// A cancellation is a list of started calls, each of which has a Cancel.
var clients = {}, calls = {}, cancellations = {};

function order(fields) {
  var made = new ActiveXObject("Payorder.Order");
  for (var key in fields) made[key] = fields[key];
  return made;
}

function options(step) { return step.options ? write(step.options) : ""; }

function query(step) { return typeof step.query === "string" ? step.query : write(step.query); }

function seconds(step) { return (step.options && step.options.waitMs || 300000) / 1000; }

var operations = {
  open: function (step) {
    var client = new ActiveXObject("Payorder.Client");
    clients[step.client] = client;
    try {
      client.Open(write(step.config));
      return { ok: true };
    } catch (refused) {
      clients[step.client] = null;
      return reported(client.GetStatus("x"), "status");
    }
  },
  create: function (step, client) { return client.CreateOrder(order(step.order), options(step)); },
  status: function (step, client) { return client.GetStatus(query(step), options(step)); },
  wait: function (step, client) {
    return client.WaitForPayment(query(step), seconds(step), options(step));
  },
  parse: function (step) { return new ActiveXObject("Payorder.Client").ParseReturnUrl(step.url); },
  verify: function (step) {
    var one = step.expected, client = new ActiveXObject("Payorder.Client");
    if (one.transactionId === undefined)
      return client.VerifyPayment(one.orderId, one.amount, step.status, one.notBefore || "");
    return client.VerifyPayment(one.orderId, one.amount, step.status, one.notBefore || "", one.transactionId);
  },
  recover: function (step, client) {
    return client.Recover(step.sales ? write(step.sales) : "", options(step));
  },
  check: function (step, client) { return client.Check(options(step)); },
  list: function (step, client) { return client.JournalList(options(step)); },
  resolve: function (step, client) { return client.JournalResolve(options(step)); },
  settle: function (step, client) { return client.JournalSettle(options(step)); },
  prune: function (step, client) { return client.JournalPrune(options(step)); },
  credentials: function (step, client) { return client.SetCredentials(write(step.credentials)); },
  shutdown: function (step, client) { client.Stop(); return { ok: true }; },
  cancellation: function (step) { cancellations[step.cancellation] = []; return { ok: true }; },
  cancel: function (step, client) {
    var all = step.cancellation ? cancellations[step.cancellation] : [client];
    for (var at = 0; at < all.length; at++) all[at].Cancel();
    return { ok: true };
  },
  close: function (step) {
    if (step.cancellation) delete cancellations[step.cancellation];
    else clients[step.client] = null;
    CollectGarbage();
    return { ok: true };
  },
  collect: function () { CollectGarbage(); return { ok: true }; },
  counters: function () {
    CollectGarbage();
    return { ok: true, value: parse(new ActiveXObject("Payorder.Client").Live) };
  },
  join: function (step) {
    var call = calls[step.thread];
    delete calls[step.thread];
    if (!call.started.Wait(60000)) throw new Error("a started call never ended");
    return reported(call.started.Result, call.op);
  }
};
operations.forget = operations.close;

var starts = {
  create: function (step, client) { return client.StartCreateOrder(order(step.order), options(step)); },
  status: function (step, client) { return client.StartGetStatus(query(step), options(step)); },
  wait: function (step, client) {
    return client.StartWaitForPayment(query(step), seconds(step), options(step));
  }
};

function run(step) {
  var op = step.op === "journal" ? step["do"] : step.op, client = clients[step.client];
  if (step.thread && starts[op]) {
    calls[step.thread] = { op: op, started: starts[op](step, client) };
    if (step.cancellation) cancellations[step.cancellation].push(calls[step.thread].started);
    return { ok: true };
  }
  var made = operations[op](step, client);
  return typeof made.ok === "boolean" && shown[op] === undefined ? made : reported(made, op);
}

WScript.Echo(write({
  driver: "com", language: "JScript in Wine", library: new ActiveXObject("Payorder.Client").Version,
  abi: 1, features: ["started", "check", "query-text", "gc"]
}));
http.SetTimeouts(0, 0, 0, 0);
for (;;) {
  http.Open("GET", WScript.Arguments(0), false);
  http.Send();
  var line = http.ResponseText;
  if (line === "") break;
  var report;
  try {
    report = write(run(parse(line)));
  } catch (problem) {
    report = "driver: " + problem.number + " " + problem.message + " " + line;
  }
  WScript.Echo(report);
}
