-- The tests of the package, with plain asserts. The script `test` starts them with a sandbox.

local json = require("payorder.json")
local payorder = require("payorder")

local config = {
  baseUrl = os.getenv("PAYORDER_BASE_URL"),
  accessToken = os.getenv("PAYORDER_ACCESS_TOKEN"),
  clientKey = os.getenv("PAYORDER_CLIENT_KEY"),
  clientId = os.getenv("PAYORDER_CLIENT_ID"),
  secretKey = os.getenv("PAYORDER_SECRET_KEY"),
  proxy = "none",
}

local function with(more)
  local found = {}
  for key, value in pairs(config) do found[key] = value end
  for key, value in pairs(more or {}) do found[key] = value end
  return found
end

local numbers = 0

local function new_order(product_info, more)
  numbers = numbers + 1
  local order = {
    amount = "100.00",
    merchantTxnId = "M-TEST-" .. numbers,
    orderId = "TEST-" .. numbers,
    payMode = "all",
    merchantId = "M-1",
    productInfo = product_info or "Tea",
    customerName = "Asha Rao",
    customerMobile = "9000000001",
    customerEmail = "asha@example.com",
    redirectionURL = "https://shop.example.com/return",
    currencyCode = "INR",
  }
  for key, value in pairs(more or {}) do order[key] = value end
  return order
end

local function equal(found, expected)
  if found ~= expected then
    error(("expected %s, but it is %s"):format(tostring(expected), tostring(found)), 2)
  end
end

-- The call must fail with this name and kind. Gives the error.
local function fails(name, kind, value, problem)
  equal(value, nil)
  equal(problem.name, name)
  equal(problem.kind, kind)
  return problem
end

local client = assert(payorder.client(config))
local tests = {}

function tests.a_sale_from_the_order_to_the_verified_payment()
  local order = new_order()
  local checkout = assert(client:create_order(order))
  equal(json.decode(checkout.raw).data.url, checkout.url)
  local expected = { orderId = order.orderId, amount = "100" }
  local pending = assert(client:get_status(order.orderId))
  equal(assert(payorder.verify_payment(expected, pending)).paid, false)
  local pressed = io.popen(("curl -s -o /dev/null -w '%%{redirect_url}' -X POST %s/pay"):format(
    checkout.url))
  local returned = assert(payorder.parse_return_url(pressed:read("*a")))
  pressed:close()
  local waited = assert(client:wait_for_payment(returned))
  assert(waited.final and not waited.timedOut and not waited.error)
  equal(waited.status.transactionId, returned.transactionId)
  assert(waited.status.date:find("^%d%d%d%d%-%d%d%-%d%dT") and waited.status.completed)
  equal(assert(payorder.verify_payment(expected, waited.status)).paid, true)
  expected.amount = "99"
  local wrong = assert(payorder.verify_payment(expected, waited.status.raw))
  equal(wrong.paid, false)
  equal(wrong.reasons[1].check, "amount")
end

function tests.after_a_failure_the_order_may_exist()
  for fault, name in pairs({
    ["drop-after-commit"] = "PAYORDER_CONNECTION_LOST",
    ["stall"] = "PAYORDER_TIMEOUT",
    ["html-502"] = "PAYORDER_SERVICE_FAILED",
    ["malformed-json"] = "PAYORDER_BAD_RESPONSE",
    ["no-url"] = "PAYORDER_BAD_RESPONSE",
  }) do
    local order = new_order("Tea sandbox:" .. fault)
    local limit = { timeoutMs = fault == "stall" and 500 or 30000 }
    local problem = fails(name, "unknown", client:create_order(order, limit))
    equal(problem.action, payorder.Action.ASK_STATUS)
    equal(problem.statusQuery.orderId, order.orderId)
    equal(assert(client:get_status(problem)).orderId, order.orderId)
  end
end

function tests.refusals()
  local refused = new_order("sandbox:reject")
  local problem = fails("PAYORDER_REJECTED", "rejected", client:create_order(refused))
  equal(problem.responseCode, "400")
  assert(#problem.responseMessage > 0 and problem.result == payorder.Result.REJECTED)
  local limited = new_order("sandbox:rate-limit")
  problem = fails("PAYORDER_RATE_LIMITED", "rejected", client:create_order(limited))
  equal(problem.retryAfterMs, 1000)
  local waited = assert(client:wait_for_payment("none", { waitMs = 100, intervalMs = 20 }))
  assert(waited.timedOut and not waited.status and waited.error.kind == "rejected")
end

function tests.nothing_was_sent()
  local order = new_order("Tea", { amount = 100.5, payMode = "cash", customerName = payorder.null })
  local problem = fails("PAYORDER_INVALID_REQUEST", "not_sent", client:create_order(order))
  local rules = {}
  for _, one in ipairs(problem.violations) do rules[one.field] = one.rule end
  equal(rules.amount, "type")
  equal(rules.payMode, "allowed")
  equal(rules.customerName, "type")
  local nowhere = assert(payorder.client(with({ baseUrl = "http://127.0.0.1:1" })))
  problem = fails("PAYORDER_CONNECT_FAILED", "not_sent", nowhere:create_order(new_order()))
  equal(problem.cause, payorder.Cause.CONNECTION_REFUSED)
  local invalid = "PAYORDER_INVALID_ARGUMENT"
  fails(invalid, "not_sent", client:create_order(new_order(), { timeoutMs = 0 }))
  fails(invalid, "not_sent", client:create_order())
  fails(invalid, "not_sent", client:create_order({ amount = print }))
  fails(invalid, "not_sent", client:create_order(new_order("\255")))
  fails("PAYORDER_INVALID_CONFIG", "not_sent", payorder.client({ base = "x" }))
end

function tests.functions_without_a_network()
  local invalid = "PAYORDER_INVALID_REQUEST"
  fails(invalid, "unusable", payorder.parse_return_url("/return"))
  fails("PAYORDER_INVALID_ARGUMENT", "unusable", payorder.parse_return_url("?txn=a\0b"))
  fails(invalid, "unusable", payorder.verify_payment({ orderId = "O" }, "{}"))
  fails(invalid, "unusable", payorder.build_create_order({}))
  local body = assert(payorder.build_create_order(new_order(), { extraFields = { udf = "x" } }))
  equal(json.decode(body).udf, "x")
  equal(json.decode(payorder.build_get_status({ transactionId = "T" })).searchType, "2")
end

function tests.text_is_utf8_both_ways()
  local texts = { "आशा राव", "🍵 tea", "\"q\" \\ 'q'", "blanks   ", "null", "a\1\n\tb", "a\0b" }
  for _, text in ipairs(texts) do
    local order = new_order("Tea", { customerName = text })
    assert(client:create_order(order))
    equal(assert(client:get_status(order.orderId)).customerName, text)
  end
  equal(json.decode('"\\u0928\\ud83c\\udf75\\\\u0041\\/\\n"'), "न🍵\\u0041/\n")
  equal(json.decode("[1,-2.5e1,true,null]")[2], -25)
  equal(json.encode(payorder.array({})), "[]")
end

function tests.a_result_that_lua_cannot_read_keeps_its_checkout_url()
  local decode = json.decode
  json.decode = function() return nil end
  local ok, problem = pcall(function()
    assert(client:create_order(new_order()).url:find("/checkout/"))
    local lost = new_order("sandbox:drop-after-commit")
    fails("PAYORDER_CONNECTION_LOST", "unknown", client:create_order(lost))
  end)
  json.decode = decode
  assert(ok, problem)
end

function tests.many_statuses()
  local ids = {}
  for index = 1, 5 do
    local order = new_order()
    assert(client:create_order(order))
    ids[index] = order.orderId
  end
  local queries, seen = { unpack(ids) }, {}
  queries[6], queries[7] = "none", { orderId = "" }
  local summary = assert(client:get_statuses(queries, function(result)
    seen[result.index] = result
    collectgarbage()
  end, { concurrency = 3 }))
  for index = 1, 5 do equal(seen[index].status.orderId, ids[index]) end
  equal(seen[6].error.kind, "rejected")
  equal(seen[7].error.name, "PAYORDER_INVALID_REQUEST")
  equal(seen[7].query, queries[7])
  equal(summary.asked, 7)

  local many, calls, mine = {}, 0, {}
  for index = 1, 2000 do many[index] = ids[1] end
  local ok, raised = pcall(client.get_statuses, client, many, function()
    calls = calls + 1
    error(mine)
  end, { concurrency = 1 })
  assert(not ok and raised == mine and calls == 1)
  summary = assert(client:get_statuses(many, function() return "stop" end, { concurrency = 1 }))
  assert(summary.stopped and summary.asked < 20)
  local cancellation = assert(payorder.cancellation())
  summary = assert(client:get_statuses(many, function()
    assert(cancellation:cancel())
  end, { cancellation = cancellation }))
  equal(summary.stopped, true)
  -- More calls than there are places for callbacks.
  for _ = 1, 2000 do assert(client:get_statuses({}, print)) end
end

function tests.an_idle_function_cancels_a_call()
  local other = assert(payorder.from_env({ proxy = "none", accessToken = "wrong" }))
  fails("PAYORDER_UNAUTHORIZED", "rejected", other:create_order(new_order()))
  assert(other:set_credentials({ accessToken = config.accessToken }))
  local calls = 0
  payorder.set_idle(function()
    calls = calls + 1
    return calls == 3 and "cancel"
  end)
  local in_flight = "PAYORDER_CANCELLED_IN_FLIGHT"
  fails(in_flight, "unknown", other:create_order(new_order("Tea sandbox:stall")))
  equal(calls, 3)
  payorder.set_idle(function() error("planted") end)
  fails(in_flight, "unknown", other:create_order(new_order("Tea sandbox:stall")))
  payorder.set_idle(nil)
  assert(other:stop())
  local _, problem = other:create_order(new_order())
  equal(problem.cause, payorder.Cause.CLIENT_STOPPED)
  other:close()
end

function tests.cancelling_and_closing()
  local cancellation, events = assert(payorder.cancellation()), {}
  local other = assert(payorder.client(with({
    log = function(event)
      events[#events + 1] = event.event
      if event.event == "attempt_started" then assert(cancellation:cancel()) end
    end,
  })))
  local options = { cancellation = cancellation }
  fails("PAYORDER_CANCELLED", "not_sent", other:create_order(new_order(), options))
  equal(events[1], "attempt_started")
  cancellation:close()
  local handle = "PAYORDER_INVALID_HANDLE"
  fails(handle, "not_sent", other:create_order(new_order(), options))
  fails(handle, "not_sent", cancellation:cancel())
  other:set_log(function() error("the disk is full") end)
  assert(other:create_order(new_order()).url, "a log function that fails does no harm")
  other:set_log(function() other:close() end)
  assert(other:create_order(new_order()).url, "a client that its log function closes")
  fails(handle, "not_sent", other:create_order(new_order()))
  fails(handle, "not_sent", other:cancel())
end

function tests.calls_in_a_loop_survive_the_compiler()
  local logged, events = nil, 0
  logged = assert(payorder.client(with({ log = function() events = events + 1 end })))
  for _ = 1, 300 do logged:get_status("none") end
  assert(events >= 900, events)
end

function tests.the_journal()
  local till = assert(payorder.client(with({ journal = os.getenv("FOLDER") .. "/orders.db" })))
  local order = new_order()
  local url = assert(till:create_order(order)).url
  local problem = fails("PAYORDER_DUPLICATE", "unknown", till:create_order(order))
  equal(problem.previous.url, url)
  local lost = new_order("sandbox:drop-after-commit")
  fails("PAYORDER_CONNECTION_LOST", "unknown", till:create_order(lost))
  local entry = assert(till:journal_list({ state = "unresolved" }))[1]
  equal(assert(till:get_status(entry)).orderId, lost.orderId)
  local summary, unresolved = till:journal_resolve({ concurrency = 2 })
  assert(summary.asked >= 1 and #unresolved == 0)
  till:create_order(new_order("sandbox:stall-before"), { timeoutMs = 100 })
  entry = assert(till:journal_list({ state = "unresolved", limit = 1 }))[1]
  local settled = assert(till:journal_settle(entry.entry, { note = "नकद, cash" }))
  equal(settled.state, "settled")
  equal(settled.note, "नकद, cash")
  equal(till:journal_prune({ olderThanDays = 1 }), 0)
  till:close()
  fails("PAYORDER_INVALID_ARGUMENT", "not_sent", client:journal_list())
end

function tests.nothing_is_left()
  for _ = 1, 50 do payorder.client(config) end
  collectgarbage()
  collectgarbage()
  local live = payorder.live_counters()
  equal(live.clients, 1)
  equal(live.strings, 0)
  equal(live.calls, 0)
end

-- In the order of their names, and the last one last.
local names = {}
for name in pairs(tests) do names[#names + 1] = name end
table.sort(names)
local failed = 0
for _, name in ipairs(names) do
  local ok, problem = xpcall(tests[name], debug.traceback)
  if not ok then
    failed = failed + 1
    print("FAILED " .. name .. "\n" .. problem)
  end
end
print(("%d passed, %d failed"):format(#names - failed, failed))
os.exit(failed == 0 and 0 or 1)
