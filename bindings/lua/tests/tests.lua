-- The tests of the package, with plain asserts. The script `test` starts them with a sandbox.

local json = require("payorder.json")
local payorder = require("payorder")
local till = require("till")

local numbers = 0

local function new_order(product_info, more)
  numbers = numbers + 1
  local order = till.new_order("TEST-" .. numbers, "100.00")
  order.productInfo = product_info or order.productInfo
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

local client = assert(payorder.from_env())
local tests = {}

function tests.results_without_a_service()
  local status = payorder.made_status({
    orderId = "1", transactionId = "T", amount = "2.00", transactionStatus = "Completed",
  })
  assert(status.completed and status.refundStatus == "")
  equal(assert(payorder.verify_payment({ orderId = "1", amount = "2" }, status)).paid, true)
  local problem = payorder.made_error(payorder.Result.CONNECTION_LOST, "lost")
  equal(problem.kind, "unknown")
  equal(tostring(problem), "lost (PAYORDER_CONNECTION_LOST)")
  equal(problem.action, "ask_status")
  equal(payorder.made_error(payorder.Result.UNAUTHORIZED, "no").kind, "rejected")
  for action, url in pairs { use_previous = "https://x.example/1", ask_status = false } do
    local previous = { orderId = "1", state = "created", url = url }
    local twice = payorder.made_error(payorder.Result.DUPLICATE, "twice", { previous = previous })
    equal(twice.cause .. twice.action, "order_already_sent" .. action)
    equal(twice.statusQuery.orderId, "1")
  end
  local paid, late = payorder.made_waited(status), payorder.made_waited(nil, problem)
  assert(paid.final and not paid.timedOut and paid.status == status)
  assert(late.timedOut and not late.final and late.error == problem)
end

function tests.an_entry_may_be_a_table()
  local till = assert(payorder.from_env({ journal = os.getenv("FOLDER") .. "/orders.db" }))
  till:create_order(new_order("sandbox:stall-before"), { timeoutMs = 2000 })
  local entry = assert(till:journal_list({ state = "unresolved" }))[1]
  equal(assert(till:journal_settle(entry, { note = "नकद" })).note, "नकद")
  till:close()
end

function tests.the_error_of_a_query_asks_again()
  local order = new_order()
  assert(client:create_order(order))
  local problem = fails("PAYORDER_UNAUTHORIZED", "rejected",
    client:get_status(order.orderId, { clientKey = "wrong" }))
  equal(assert(client:get_status(problem)).orderId, order.orderId)
  -- What the program changes meanwhile changes nothing.
  local query = { orderId = order.orderId }
  local queries = { query, "none" }
  client:get_statuses(queries, function(result)
    problem = result.index == 1 and result.error or problem
    equal(result.query, result.index == 1 and query or "none")
    queries[2], query.orderId = nil, "none"
  end, { clientKey = "wrong", concurrency = 1 })
  equal(assert(client:get_status(problem)).orderId, order.orderId)
  local _, unsent = client:create_order({})
  fails("PAYORDER_INVALID_ARGUMENT", "not_sent", client:get_status(unsent))
end

function tests.json()
  equal(json.decode('"\\u0928\\ud83c\\udf75\\\\u0041\\/\\n"'), "न🍵\\u0041/\n")
  equal(json.decode("[1,-2.5e1,true,null]")[2], -25)
  equal(json.encode(payorder.array({})), "[]")
  local cjson = require("cjson")
  cjson.empty_array = cjson.empty_array or newproxy() -- only OpenResty's cjson has it
  equal(json.encode({ a = cjson.null, b = cjson.empty_array }), '{"a":null,"b":[]}')
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

function tests.callbacks_are_freed()
  -- More calls than there are places for callbacks.
  for _ = 1, 2000 do assert(client:get_statuses({}, print)) end
  local clients, one, problem = {}
  repeat
    one, problem = payorder.from_env({ log = print })
    clients[#clients + 1] = one
  until not one
  fails("PAYORDER_INTERNAL", "not_sent", one, problem)
  fails("PAYORDER_INTERNAL", "not_sent", client:get_statuses({}, print))
  for _, one in ipairs(clients) do one:close() end
  assert(payorder.from_env({ log = print })):close()
  -- A list that ends at a hole would lose the sales after it.
  local first, last = { orderId = "1", amount = "1.00" }, { orderId = "3", amount = "1.00" }
  fails("PAYORDER_INVALID_ARGUMENT", "not_sent", client:get_statuses({ "1", nil, "3" }, print))
  fails("PAYORDER_INVALID_ARGUMENT", "not_sent", client:recover({ first, nil, last }))
end

function tests.recover_leaves_the_list_as_it_is()
  local class = {}
  local sales = setmetatable({ { orderId = "none", amount = "1.00" } }, class)
  assert(client:recover(sales))
  equal(getmetatable(sales), class)
  class.__metatable = "protected"
  assert(client:recover(sales))
  fails("PAYORDER_INVALID_ARGUMENT", "not_sent", client:recover("none"))
end

function tests.an_idle_function_cancels_a_call()
  local calls = 0
  payorder.set_idle(function()
    calls = calls + 1
    return calls == 3 and "cancel"
  end)
  local in_flight = "PAYORDER_CANCELLED_IN_FLIGHT"
  fails(in_flight, "unknown", client:create_order(new_order("Tea sandbox:stall")))
  equal(calls, 3)
  payorder.set_idle(function() error("planted") end)
  fails(in_flight, "unknown", client:create_order(new_order("Tea sandbox:stall")))
  payorder.set_idle(function() payorder.set_idle(nil) end)
  fails("PAYORDER_TIMEOUT", "unknown",
    client:create_order(new_order("Tea sandbox:stall"), { timeoutMs = 300 }))
end

function tests.an_error_without_a_text_hides_no_result()
  local odd = setmetatable({}, { __tostring = function() error("planted") end })
  local logged = assert(payorder.from_env({ log = function() error(odd) end }))
  assert(assert(logged:create_order(new_order())).url)
  payorder.set_idle(function() error(odd) end)
  fails("PAYORDER_CANCELLED_IN_FLIGHT", "unknown", client:create_order(new_order("sandbox:stall")))
  payorder.set_idle(nil)
end

function tests.calls_in_a_loop_survive_the_compiler()
  local logged, events = nil, 0
  logged = assert(payorder.from_env({ log = function() events = events + 1 end }))
  for _ = 1, 300 do logged:get_status("none") end
  assert(events >= 900, events)
end

local ffi = require("ffi")
ffi.cdef [[
  struct payorder_poll { int fd; short events, revents; };
  int poll(struct payorder_poll *polls, unsigned long count, int timeout);
  struct lua_State *luaL_newstate(void);
  void luaL_openlibs(struct lua_State *state);
  int luaL_loadstring(struct lua_State *state, const char *text);
  int lua_pcall(struct lua_State *state, int arguments, int results, int handler);
  const char *lua_tolstring(struct lua_State *state, int index, size_t *length);
  void lua_close(struct lua_State *state);
]]

-- Runs a program in a Lua of its own, and closes that.
local function in_a_new_lua(program)
  local state = ffi.C.luaL_newstate()
  ffi.C.luaL_openlibs(state)
  local failed = ffi.C.luaL_loadstring(state, program) ~= 0
    or ffi.C.lua_pcall(state, 0, 0, 0) ~= 0
  local problem = failed and ffi.string(ffi.C.lua_tolstring(state, -1, nil))
  ffi.C.lua_close(state)
  assert(not failed, problem)
end

function tests.a_lua_that_is_closed_leaves_nothing_to_call()
  in_a_new_lua [[
    local payorder = require("payorder")
    assert(payorder.live_counters().clients)
    payorder.set_idle(function() end)
    assert(payorder.from_env({ log = print })):start("get_status", "none")
  ]]
  fails("PAYORDER_TIMEOUT", "unknown",
    client:create_order(new_order("sandbox:stall"), { timeoutMs = 300 }))
end

function tests.an_error_of_a_hook_leaves_no_log_function_that_was_freed()
  local till = assert(payorder.from_env({ log = function() end }))
  local interrupted, ok = 0, nil
  repeat
    ok = pcall(function()
      debug.sethook(function() debug.sethook() error("interrupted", 0) end, "", interrupted + 1)
      till:set_log(function() end)
      debug.sethook()
    end)
    assert(till:get_status("none") == nil)
    interrupted = interrupted + 1
  until ok
  assert(interrupted > 20)
end

function tests.an_error_of_a_hook_loses_no_answer_of_take()
  local till = assert(payorder.from_env())
  local order = new_order()
  assert(till:create_order(order))
  local interrupted = 0
  for after = 1, 150, 3 do
    local number = assert(till:start("get_status", order.orderId))
    local waited = assert(till:start("get_status", "none"))
    os.execute("sleep 0.02")
    local ok, first = pcall(function()
      debug.sethook(function() debug.sethook() error("interrupted", 0) end, "", after)
      local taken = till:take()
      debug.sethook()
      return taken
    end)
    debug.sethook()
    interrupted = interrupted + (ok and 0 or 1)
    local seen = { [ok and first or 0] = true }
    for _ = 1, ok and first and 1 or 2 do seen[till:take(60000)] = true end
    assert(seen[number] and seen[waited], "an answer is lost after " .. after)
  end
  assert(interrupted > 10)
end

function tests.an_idle_function_that_cancels_ends_only_the_wait_of_take()
  local till = assert(payorder.from_env())
  local first = assert(till:start("create_order", new_order("sandbox:stall"), { timeoutMs = 500 }))
  payorder.set_idle(function() return "cancel" end)
  equal(select("#", till:take(60000)), 1)
  payorder.set_idle(nil)
  local taken, value, problem = till:take(60000)
  equal(taken, first)
  fails("PAYORDER_TIMEOUT", "unknown", value, problem)
  assert(till:start("create_order", new_order("sandbox:stall")))
  payorder.set_idle(function() return "cancel" end)
  till:stop()
  equal(till:take(60000), first + 1)
  equal(till:take(60000), nil)
  payorder.set_idle(nil)
end

function tests.the_time_to_wait_of_take()
  local till = assert(payorder.from_env())
  for _, wait in ipairs { math.huge, 2 ^ 32, 2 ^ 53 } do
    local number = till:start("get_status", "none")
    equal(till:take(wait), number)
  end
  for _, wait in ipairs { 0 / 0, "1", {} } do
    equal(select(3, till:take(wait)).cause, "invalid_value")
  end
end

function tests.what_is_no_cancellation()
  local token = assert(payorder.cancellation())
  token:cancel()
  local text = { cancellation = token.token }
  fails("PAYORDER_CANCELLED", "not_sent", client:create_order(new_order(), text))
  for _, wrong in ipairs { {}, true, 7, "other" } do
    local value, problem = client:create_order(new_order(), { cancellation = wrong })
    equal(value, nil)
    equal(problem.kind, "not_sent")
  end
  assert(not pcall(payorder.set_idle, "cancel"))
end

function tests.each_query_of_many_names_an_order()
  local unsent = select(2, client:create_order({}))
  for _, queries in ipairs { { "none", unsent }, { unsent } } do
    fails("PAYORDER_INVALID_ARGUMENT", "not_sent", client:get_statuses(queries, error))
  end
end

function tests.started_calls_end_in_take()
  local path = os.getenv("FOLDER") .. "/started.db"
  local events = 0
  local function log() events = events + 1 end
  local till = assert(payorder.from_env({ journal = path, log = log }))
  equal(till:take(), nil)
  local order = new_order()
  local sale = assert(till:start("create_order", order))
  -- An event loop waits for the handle.
  local handle = ffi.new("struct payorder_poll[1]", { { till:done_handle(), 1, 0 } })
  equal(ffi.C.poll(handle, 1, 60000), 1)
  local call, checkout = till:take()
  equal(call, sale)
  assert(checkout.url:find("/checkout/"))
  equal(ffi.C.poll(handle, 1, 0), 0)
  -- They would run on another thread. A blocking call still has them.
  equal(events, 0)
  assert(till:get_status(order.orderId))
  assert(events > 0)

  local function started(...)
    assert(till:start(...))
    return select(2, till:take(60000))
  end
  local sales = { { orderId = "none", amount = "1.00" } }
  equal(started("recover", sales).sales[1].verdict, "not_in_journal")
  equal(started("recover").sales[1].orderId, order.orderId)
  equal(started("check").steps[1].step, "name")
  local summary, entries = started("journal_resolve", { concurrency = 1 })
  equal(summary.asked, 1)
  equal(#entries, 0)
  local problem = fails("PAYORDER_UNAUTHORIZED", "rejected",
    started("get_status", order.orderId, { clientKey = "wrong" }))
  equal(started("get_status", problem).orderId, order.orderId)

  -- Nothing was started.
  local refused = "PAYORDER_INVALID_ARGUMENT"
  fails(refused, "not_sent", till:start("sell", order))
  problem = fails(refused, "not_sent", till:start("get_status", order.orderId, { wrong = 1 }))
  equal(assert(till:get_status(problem)).orderId, order.orderId)
  till:close()
  equal(till:take(60000), nil)
end

function tests.openresty_keeps_no_answer()
  local readme = assert(io.open("README.md")):read("*a")
  ngx = { timer = { at = function() return true end }, sleep = coroutine.yield }
  local sell = assert(loadstring(readme:match("(%-%- sale%.lua.-)```")))()
  -- The first request ends before its answer comes.
  assert(coroutine.resume(coroutine.create(sell), new_order()))
  local request, ok, checkout = coroutine.create(sell), nil, nil
  local order = new_order()
  repeat ok, checkout = coroutine.resume(request, order) until coroutine.status(request) == "dead"
  assert(ok and checkout.url)
  request = nil
  collectgarbage()
  for number = 1, 3 do
    local name, answers = debug.getupvalue(sell, number)
    if name == "answers" then equal(next(answers), nil) end
  end
end

-- In the order of their names.
local names = {}
for name in pairs(tests) do names[#names + 1] = name end
table.sort(names)
local failed = 0
for _, name in ipairs(names) do
  local ok, problem = xpcall(tests[name], debug.traceback)
  if not ok then
    failed = failed + 1
    -- An error of the library is a table.
    print("FAILED " .. name .. "\n" .. tostring(problem))
  end
end
print(("%d passed, %d failed"):format(#names - failed, failed))
os.exit(failed == 0 and 0 or 1)
