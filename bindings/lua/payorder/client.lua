-- A client of one service.

local ffi = require("ffi")
local constants = require("payorder.constants")
local json = require("payorder.json")
local library = require("payorder.library")
local requests = require("payorder.requests")
local results = require("payorder.results")

---@class payorder.Client
local Client = {}
Client.__index = Client

-- Frees the log functions that no call has any more: one may close the client or be replaced during
-- a call. An error of a hook may come at any moment: none is freed that the client still has, and
-- none twice.
local function release(state)
  while state.calls == 0 and #state.old > 0 do table.remove(state.old):free() end
end

-- Changes the log function of a client. The library has been told.
local function change_log(state, log)
  local old = state.log
  state.log = log
  state.old[#state.old + 1] = old
  release(state)
end

-- A function that C can call, or nil and an error: LuaJIT has room for about 890.
local function callback(kind, name, run)
  local ok, made = pcall(ffi.cast, kind, run)
  if ok then return made end
  return nil, results.own_error(11, "no_resources", "retry_later",
    "LuaJIT has no room for a further function that C calls: close clients that have a log; "
      .. "nothing was sent", { operation = name })
end

-- The library's text of a call that has ended, or nil and an error.
local function checked(name, result, raw, query)
  if result == 0 and raw then return raw end
  if raw then
    local problem = results.failure(raw)
    if name ~= "create_order" then problem.asked = query end
    return nil, problem
  end
  return nil, results.own_error(205, "no_resources", "ask_status",
    "the result of the call cannot be read", { operation = name, statusQuery = query })
end

-- Options as text, or nil and an error.
local function options_text(name, options)
  local given = requests.copy(options)
  local cancellation = given.cancellation
  -- The library refuses what is not a text.
  given.cancellation = type(cancellation) == "table" and cancellation.token or cancellation
  return requests.encode(given, "options", name)
end

-- Makes a call, with or without a request. Gives the library's text, or nil and an error.
local function make(client, name, options, request, query, ...)
  local text, problem = options_text(name, options)
  if not text then return nil, problem end
  local state = client.state
  state.calls = state.calls + 1
  local result, raw
  if request then
    result, raw = library.call(name, client.handle[0], request, text, ...)
  else
    result, raw = library.call(name, client.handle[0], text)
  end
  state.calls = state.calls - 1
  release(state)
  local thrown = state.thrown
  state.thrown = nil
  if thrown then library.report("the log function", thrown[1]) end
  return checked(name, result, raw, query)
end
jit.off(make)

-- What reads the results of calls that can be started.
local readers = {
  create_order = results.checkout,
  get_status = results.status,
  wait_for_payment = results.waited,
  recover = json.decode,
  check = json.decode,
}

function readers.journal_resolve(raw)
  local read = json.decode(raw)
  if not read then return nil end
  return read.summary, results.entries(read.entries), read.otherServices, read.refusal
end

-- Calls that have only options.
local without_request = { journal_resolve = true, check = true }

-- The request of a call as text, and the query that its error asks again; or nil and an error.
local function request_of(name, value)
  if without_request[name] or name == "recover" and value == nil then
    return ffi.cast("const char *", 0)
  end
  local what, query = "the query", nil
  if name == "create_order" then
    what = "the order"
    query = { searchType = "1", orderId = type(value) == "table" and value.orderId or nil }
  elseif name == "recover" then
    what = "the sales"
    if type(value) == "table" then value = json.array(requests.copy(value)) end
  else
    value = requests.query_of(value)
    query = value
  end
  local text, problem = requests.encode(value, what, name)
  return text, problem or query
end

local function call(client, name, value, options)
  local text, query = request_of(name, value)
  if not text then return nil, query end
  return results.read(readers[name], make(client, name, options, text, query))
end

-- `create` is the function of the library that makes it.
function Client.open(create, config)
  local settings = requests.copy(config)
  settings.log = nil
  local text, problem = requests.encode(settings, "the configuration", nil)
  if not text then return nil, problem end
  local handle = ffi.new("payorder_client *[1]")
  local result, raw = library.call(create, text, handle)
  if result ~= 0 then return nil, results.failure(raw) end
  local state = { calls = 0, old = {}, last = 0, started = {} }
  local client = setmetatable({ handle = handle, state = state }, Client)
  ffi.gc(handle, function(freed)
    library.C.payorder_client_free(freed[0])
    change_log(state, nil)
  end)
  local ok, no_log = client:set_log(config.log)
  if not ok then
    client:close()
    return nil, no_log
  end
  return client
end

-- Replaces credentials: attempts that begin later use the new ones. Gives true.
function Client:set_credentials(credentials)
  local text, problem = requests.encode(credentials, "the credentials")
  if not text then return nil, problem end
  local result, raw = library.call("client_set_credentials", self.handle[0], text)
  if result == 0 then return true end
  return nil, results.failure(raw)
end

-- Sends each log event, as a table, to a function; without one, to none. It runs inside the call.
-- Gives true.
function Client:set_log(log)
  local state, made, problem = self.state, nil, nil
  if log then
    made, problem = callback("payorder_log_fn", nil, function(event)
      local ok, raised = pcall(function() log(json.decode(ffi.string(event))) end)
      if not ok then state.thrown = state.thrown or { raised } end
    end)
    if not made then return nil, problem end
  end
  library.C.payorder_client_set_log(self.handle[0], made, nil)
  change_log(state, made)
  return true
end

-- Creates an order. Options: `extraFields`, `resend`, and those of every call. After an error of
-- the kind "unknown" the order may exist: give the error to `get_status`.
---@param order table<string, string>
---@return payorder.Checkout?, payorder.Error?
function Client:create_order(order, options) return call(self, "create_order", order, options) end

---@param query string|table an order id, a table with `orderId` or `transactionId`, or an error
---@return payorder.Status?, payorder.Error?
function Client:get_status(query, options) return call(self, "get_status", query, options) end

-- Asks until the payment is final or the time is up. Options: `waitMs`, `intervalMs`, `final`.
---@return payorder.Waited?, payorder.Error?
function Client:wait_for_payment(query, options)
  return call(self, "wait_for_payment", query, options)
end

-- Calls `each` with a table (index, query, status, error) for each query; index begins with 1. If
-- it returns "stop", no more queries are sent. If it raises an error, neither, and the error is
-- raised at the end. Gives the summary.
---@param each fun(result: {index: integer, query: any, status: payorder.Status?, error: payorder.Error?}): "stop"?
function Client:get_statuses(queries, each, options)
  local given, list = {}, {}
  for index, query in pairs(queries) do
    given[index], list[index] = query, requests.query_of(query)
    if not list[index] then
      return requests.encode(nil, "query " .. tostring(index), "get_statuses")
    end
  end
  local text, problem = requests.encode(json.array(list), "the queries", "get_statuses")
  if not text then return nil, problem end
  local ended, thrown
  local function pass(index, result, raw)
    raw = ffi.string(raw)
    local problem_of = result ~= 0 and results.failure(raw) or nil
    if problem_of then problem_of.asked = list[index + 1] end
    local said = each({
      index = index + 1,
      query = given[index + 1],
      status = result == 0 and results.status(raw) or nil,
      error = problem_of,
    })
    ended = said == "stop"
  end
  local passing, full = callback("payorder_status_fn", "get_statuses", function(index, result, raw)
    if ended then return 0 end
    local ok, raised = pcall(pass, tonumber(index), result, raw)
    if not ok then ended, thrown = true, { raised } end
    return ended and 0 or 1
  end)
  if not passing then return nil, full end
  local raw, failed = make(self, "get_statuses", options, text, nil, passing, nil)
  passing:free()
  if thrown then error(thrown[1], 0) end
  return results.read(json.decode, raw, failed)
end

-- After a start: one verdict for each open sale, those of the journal and those that are given
-- (tables with `orderId` and `amount`). Gives `summary`, `otherServices`, `sales`, and `refusal`, the
-- service's words if it refused every query of two or more.
function Client:recover(sales, options) return call(self, "recover", sales, options) end

-- Says step by step what works: `ok`, and `steps` (`step`, `ok`, `elapsedMs`, `message`, `details`,
-- `cause`, `action`). It asks for one status, and creates no order. Options: `orderId`.
function Client:check(options)
  return results.read(readers.check, make(self, "check", options))
end

-- Puts a call into the client's queue, and gives its number at once: start("create_order", order,
-- options). The other arguments are those of the method of that name: "create_order", "get_status",
-- "wait_for_payment", "recover", "journal_resolve" or "check". Its thread is not Lua's, so the log
-- function gets none of its events.
---@return integer?, payorder.Error?
function Client:start(name, value, options)
  if without_request[name] then options = value end
  local text, query = request_of(name, value)
  if not text then return nil, query end
  local given, wrong = options_text(name, options)
  if not given then return nil, wrong end
  local state, handle = self.state, self.handle[0]
  state.last = state.last + 1
  local number = state.last
  -- Before the call: an error from outside, such as a hook's, may come when it was started.
  state.started[number] = { name = name, query = query }
  if state.log then library.C.payorder_client_set_log(handle, nil, nil) end
  local result, raw = library.call("start", handle, name, text, given, nil,
    ffi.cast("void *", number))
  if state.log then library.C.payorder_client_set_log(handle, state.log, nil) end
  if result ~= 0 then
    state.started[number] = nil
    return nil, select(2, checked(name, result, raw, query))
  end
  return number
end
jit.off(Client.start)

-- Takes the answer of the next started call that has ended: its number, and then what the method
-- gives. Gives nil if there is none within `wait_ms` (0), or if the idle function cancels: it ends only
-- this wait. After `stop` it waits only while an answer can still come, and the idle function cannot
-- end that.
function Client:take(wait_ms)
  local state, wait = self.state, wait_ms or 0
  local started = state.started
  if type(wait) ~= "number" or wait ~= wait then
    return nil, nil, results.own_error(1, "invalid_value", "fix_request",
      "the time to wait must be a number of milliseconds", nil, "unusable")
  end
  -- All answers of a closed client were taken.
  if self.closing and not next(started) then return nil end
  local handle = (self.closing or self.handle)[0]
  -- It is kept until the end: an error from outside, such as a hook's, may come at any moment, and
  -- then the next `take` gives this answer.
  local one = state.taking
    or { taken = ffi.new("int32_t[1]"), result = ffi.new("int32_t[1]"), out = ffi.new("char *[1]"),
      user_data = ffi.new("void *[1]") }
  state.taking = one
  if one.taken[0] == 0 then
    wait = math.min(math.max(wait, 0), 4294967295)
    local failed
    repeat
      -- The idle function ended the wait, and no call. After `stop` it cannot.
      if failed then library.take(one.out) end
      failed = library.C.payorder_take_done(handle, wait, one.taken, one.result, one.out,
        one.user_data)
    until failed ~= constants.Result.CANCELLED or not state.stopped
    -- The idle function may have taken another answer meanwhile.
    state.taking, one.raw = one, nil
    if failed == constants.Result.CANCELLED then
      library.take(one.out)
      return nil
    end
    if failed ~= 0 then return nil, nil, results.failure(library.take(one.out)) end
    if one.taken[0] == 0 then return nil end
  end
  if one.raw == nil then
    local ok, raw = pcall(ffi.string, one.out[0])
    one.raw = one.out[0] ~= nil and ok and raw
  end
  local text = one.out[0]
  one.out[0] = nil
  library.C.payorder_string_free(text)
  local raw, number = one.raw or nil, tonumber(ffi.cast("uintptr_t", one.user_data[0]))
  local function taken(...)
    state.taking, started[number] = nil, nil
    if self.closing and not next(started) then library.C.payorder_client_free(handle) end
    return number, ...
  end
  local ended, result = started[number], one.result[0]
  if ended then
    return taken(results.read(readers[ended.name], checked(ended.name, result, raw, ended.query)))
  end
  -- A number that this client did not give: nothing of it may be lost.
  if result == 0 then return taken(raw) end
  return taken(nil, results.failure(raw))
end
jit.off(Client.take)

-- What an event loop can wait for: on Unix a descriptor that is readable when `take` has an answer.
-- It belongs to the client.
function Client:done_handle()
  return tonumber(library.C.payorder_done_handle((self.closing or self.handle)[0]))
end

local function journal(client, name, options)
  return results.read(json.decode, make(client, name, options))
end

---@return table[]?, payorder.Error?
function Client:journal_list(options)
  local read, problem = journal(self, "journal_list", options)
  return read and results.entries(read.entries), problem
end

-- Gives the summary, the entries that are still unresolved, how many belong to other services, and the
-- service's words if it refused every query of two or more.
function Client:journal_resolve(options)
  return results.read(readers.journal_resolve, make(self, "journal_resolve", options))
end

function Client:journal_settle(number, options)
  local given = requests.copy(options)
  given.entry = type(number) == "table" and number.entry or number
  local read, problem = journal(self, "journal_settle", given)
  return read and results.entry(read), problem
end

function Client:journal_prune(options)
  local read, problem = journal(self, "journal_prune", options)
  return read and read.removed, problem
end

local function end_calls(client, name)
  local result = library.C["payorder_client_" .. name]((client.closing or client.handle)[0])
  if result == 0 then return true end
  return nil, results.own_error(result, "client_freed", "fix_request", "the client is closed")
end

-- Ends all calls in flight, for example from a log function.
function Client:cancel() return end_calls(self, "cancel") end

-- The same, and later calls send nothing.
function Client:stop()
  self.state.stopped = true
  return end_calls(self, "stop")
end

-- Later calls send nothing. Calls that were started go on, and `take` gives their answers.
function Client:close()
  if next(self.state.started) then
    self.closing, self.handle = self.closing or self.handle, ffi.new("payorder_client *[1]")
  else
    library.C.payorder_client_free(self.handle[0])
  end
  change_log(self.state, nil)
end

return Client
