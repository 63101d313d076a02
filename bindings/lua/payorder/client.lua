-- A client of one service.

local ffi = require("ffi")
local json = require("payorder.json")
local library = require("payorder.library")
local requests = require("payorder.requests")
local results = require("payorder.results")

---@class payorder.Client
local Client = {}
Client.__index = Client

-- The log function may close the client or be replaced during a call. It is freed later.
local function release(state)
  if state.calls > 0 then return end
  for _, callback in ipairs(state.old) do callback:free() end
  state.old = {}
end

-- Makes a call on a client. Gives the library's text, or nil and an error.
local function make(client, name, options, arguments, query)
  local given = requests.copy(options)
  given.cancellation = given.cancellation and given.cancellation.token
  local text, problem = requests.encode(given, "options", name)
  if not text then return nil, problem end
  local state = client.state
  state.calls = state.calls + 1
  local result, raw = library.call(name, client.handle[0], unpack(arguments(text)))
  state.calls = state.calls - 1
  release(state)
  if state.thrown then
    local thrown = state.thrown[1]
    state.thrown = nil
    io.stderr:write("payorder: the log function failed: ", tostring(thrown), "\n")
  end
  if result == 0 and raw then return raw end
  if raw then
    problem = results.failure(raw)
    if name ~= "create_order" then problem.asked = query end
    return nil, problem
  end
  return nil, results.own_error(205, "no_resources", "ask_status",
    "the result of the call cannot be read", { operation = name, statusQuery = query })
end
jit.off(make)

local function one(client, name, value, what, options, query)
  local text, problem = requests.encode(value, what, name)
  if not text then return nil, problem end
  return make(client, name, options, function(given) return { text, given } end, query)
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
  local state = { calls = 0, old = {} }
  local client = setmetatable({ handle = handle, state = state }, Client)
  ffi.gc(handle, function(freed)
    library.C.payorder_client_free(freed[0])
    state.old[#state.old + 1] = state.log
    release(state)
  end)
  if config.log then client:set_log(config.log) end
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
function Client:set_log(log)
  local state = self.state
  state.old[#state.old + 1] = state.log
  state.log = log and ffi.cast("payorder_log_fn", function(event)
    local ok, problem = pcall(function() log(json.decode(ffi.string(event))) end)
    if not ok then state.thrown = state.thrown or { problem } end
  end)
  library.C.payorder_client_set_log(self.handle[0], state.log, nil)
  release(state)
end

-- Creates an order. Options: `extraFields`, `resend`, and those of every call. After an error of
-- the kind "unknown" the order may exist: give the error to `get_status`.
---@param order table<string, string>
---@return payorder.Checkout?, payorder.Error?
function Client:create_order(order, options)
  local query = { searchType = "1", orderId = type(order) == "table" and order.orderId or nil }
  local raw, problem = one(self, "create_order", order, "the order", options, query)
  return results.read(results.checkout, raw, problem)
end

---@param query string|table an order id, a table with `orderId` or `transactionId`, or an error
---@return payorder.Status?, payorder.Error?
function Client:get_status(query, options)
  query = requests.query_of(query)
  return results.read(results.status, one(self, "get_status", query, "the query", options, query))
end

-- Asks until the payment is final or the time is up. Options: `waitMs`, `intervalMs`, `final`.
---@return payorder.Waited?, payorder.Error?
function Client:wait_for_payment(query, options)
  query = requests.query_of(query)
  local raw, problem = one(self, "wait_for_payment", query, "the query", options, query)
  return results.read(results.waited, raw, problem)
end

-- Calls `each` with a table (index, query, status, error) for each query; index begins with 1. If
-- it returns "stop", no more queries are sent. If it raises an error, neither, and the error is
-- raised at the end. Gives the summary.
---@param each fun(result: {index: integer, query: any, status: payorder.Status?, error: payorder.Error?}): "stop"?
function Client:get_statuses(queries, each, options)
  local given, list = {}, {}
  for index, query in ipairs(queries) do
    given[index], list[index] = query, requests.query_of(query)
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
  local callback = ffi.cast("payorder_status_fn", function(index, result, raw)
    if ended then return 0 end
    local ok, raised = pcall(pass, tonumber(index), result, raw)
    if not ok then ended, thrown = true, { raised } end
    return ended and 0 or 1
  end)
  local raw, failed = make(self, "get_statuses", options, function(given)
    return { text, given, callback, ffi.cast("void *", 0) }
  end)
  callback:free()
  if thrown then error(thrown[1], 0) end
  return results.read(json.decode, raw, failed)
end

-- After a start: one verdict for each open sale, those of the journal and those that are given
-- (tables with `orderId` and `amount`). Gives `summary`, `otherServices`, `sales`, and `refusal`, the
-- service's words if it refused every query of two or more.
function Client:recover(sales, options)
  local text, problem
  if sales then text, problem = requests.encode(json.array(sales), "the sales", "recover") end
  if problem then return nil, problem end
  return results.read(json.decode, make(self, "recover", options, function(given)
    return { text or ffi.cast("const char *", 0), given }
  end))
end

local function journal(client, name, options)
  local raw, problem = make(client, name, options, function(given) return { given } end)
  return results.read(json.decode, raw, problem)
end

---@return table[]?, payorder.Error?
function Client:journal_list(options)
  local read, problem = journal(self, "journal_list", options)
  return read and results.entries(read.entries), problem
end

-- Gives the summary, the entries that are still unresolved, and how many belong to other services.
function Client:journal_resolve(options)
  local read, problem = journal(self, "journal_resolve", options)
  if not read then return nil, problem end
  return read.summary, results.entries(read.entries), read.otherServices
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
  local result = library.C["payorder_client_" .. name](client.handle[0])
  if result == 0 then return true end
  return nil, results.own_error(result, "client_freed", "fix_request", "the client is closed")
end

-- Ends all calls in flight, for example from a log function.
function Client:cancel() return end_calls(self, "cancel") end

-- The same, and later calls send nothing.
function Client:stop() return end_calls(self, "stop") end

function Client:close()
  library.C.payorder_client_free(self.handle[0])
  local state = self.state
  state.old[#state.old + 1] = state.log
  state.log = nil
  release(state)
end

return Client
