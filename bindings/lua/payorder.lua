-- Creates payment orders and reads their status. Each function returns its result, or nil and an
-- error whose `kind` says what happened to the order: "not_sent", "rejected" or "unknown".

local ffi = assert(jit and require("ffi"), "payorder needs LuaJIT 2.1: no other Lua has an FFI")
local constants = require("payorder.constants")
local Client = require("payorder.client")
local json = require("payorder.json")
local library = require("payorder.library")
local requests = require("payorder.requests")
local results = require("payorder.results")

local payorder = {
  Result = constants.Result,
  Outcome = constants.Outcome,
  Cause = constants.Cause,
  Action = constants.Action,
  null = json.null,
  array = json.array,
  cancellation = require("payorder.cancellation"),
}

-- Creates a client. `config` has the keys of docs/configuration.md, and `log`, a function.
---@return payorder.Client?, payorder.Error?
function payorder.client(config) return Client.open("client_new", config) end

-- The same with the settings of the environment, such as PAYORDER_BASE_URL. Keys of `config` win.
---@return payorder.Client?, payorder.Error?
function payorder.from_env(config) return Client.open("client_from_env", config or {}) end

-- The function `run`, the `callback` of the library, and what ends it `at_close`.
local idle = {}

-- Calls a function about every 50 ms while a call waits; nil ends that. If it returns "cancel" or
-- raises an error, the call is cancelled; an error is also printed.
function payorder.set_idle(wanted)
  assert(wanted == nil or type(wanted) == "function", "the idle function must be a function or nil")
  local missing, problem = library.missing()
  if missing then return nil, results.failure(problem) end
  idle.run = wanted
  -- It is never freed: a running call has it, even if its function sets another one.
  idle.callback = idle.callback or ffi.cast("payorder_idle_fn", function()
    if not idle.run then return 0 end
    local ok, said = pcall(idle.run)
    if not ok then library.report("the idle function", said) end
    return (not ok or said == "cancel") and 1 or 0
  end)
  -- The thread may use another Lua after this one is closed.
  idle.at_close = idle.at_close or ffi.gc(ffi.new("char[1]"), function()
    if idle.run then library.C.payorder_set_idle(nil, nil) end
  end)
  library.C.payorder_set_idle(wanted and idle.callback or nil, nil)
end

-- ---- Functions that do not use the network. The `kind` of their errors is "unusable". ----

local function offline(name, ...)
  local result, raw = library.call(name, ...)
  if result == 0 then return raw end
  return nil, results.failure(raw, "unusable")
end

function payorder.build_create_order(order, options)
  local text, problem = requests.encode(order, "the order", nil, "unusable")
  if not text then return nil, problem end
  local given, wrong = requests.encode(options or {}, "options", nil, "unusable")
  if not given then return nil, wrong end
  return offline("build_create_order", text, given)
end

function payorder.build_get_status(query)
  local text, problem = requests.encode(requests.query_of(query), "the query", nil, "unusable")
  if not text then return nil, problem end
  return offline("build_get_status", text)
end

-- Reads the transaction from the URL on which the customer returned. It proves no payment.
---@return {transactionId: string, statusQuery: table}?, payorder.Error?
function payorder.parse_return_url(url)
  local text, problem = requests.plain(url, "the URL")
  if not text then return nil, problem end
  return results.read(json.decode, offline("parse_return_url", text))
end

-- Compares a status with what was expected: `orderId`, `amount` and perhaps `transactionId`, and
-- `notBefore`, when the sale began: os.date("!%Y-%m-%dT%H:%M:%SZ"). The status is one of this package,
-- or the service's response as JSON text.
---@return {paid: boolean, reasons: table[], unverifiable: string[]}?, payorder.Error?
function payorder.verify_payment(expected, found)
  local text, problem = requests.encode(expected, "what was expected", nil, "unusable")
  if not text then return nil, problem end
  local raw, wrong = requests.plain(type(found) == "table" and found.raw or found, "the status")
  if not raw then return nil, wrong end
  return results.read(json.decode, offline("verify_payment", text, raw))
end

-- For the tests of a program: a status from the service's fields, the end of a wait, and an error of
-- a result. Other results are plain tables, which a test can write itself.
---@param fields table<string, string>
---@return payorder.Status
function payorder.made_status(fields)
  return results.status(json.encode({
    responseCode = "200",
    responseMessage = "Success",
    data = fields,
    derived = { completed = fields.transactionStatus == "Completed" },
  }))
end

-- If the status is not "Completed", the time ran out.
---@param last payorder.Status? the last one seen
---@param problem payorder.Error? of the last query
---@return payorder.Waited
function payorder.made_waited(last, problem)
  local final = last ~= nil and last.completed
  return { final = final, timedOut = not final, polls = 1, status = last, error = problem }
end

-- With the cause and the action that the result usually has.
---@param result integer such as payorder.Result.TIMEOUT
---@param more table? such as `statusQuery`, or `previous` with a duplicate
---@return payorder.Error
function payorder.made_error(result, message, more)
  local usual = constants.USUAL_CAUSES[result] or { "bug", "ask_status" }
  local given = requests.copy(more)
  if given.previous then
    usual = constants.USUAL_CAUSES[given.previous.url and "url" or given.previous.state] or usual
    local query = { searchType = "1", orderId = given.previous.orderId }
    given.statusQuery = given.statusQuery or query
  end
  return results.own_error(result, usual[1], usual[2], message, given)
end

function payorder.version()
  local missing, problem = library.missing()
  if missing then return nil, results.failure(problem) end
  return ffi.string(library.C.payorder_version())
end

-- What the library has in use, to find leaks.
function payorder.live_counters()
  local missing, problem = library.missing()
  if missing then return nil, results.failure(problem) end
  return {
    clients = tonumber(library.C.payorder_live_clients()),
    strings = tonumber(library.C.payorder_live_strings()),
    calls = tonumber(library.C.payorder_live_calls()),
  }
end

return payorder
