-- Creates payment orders and reads their status. Each function returns its result, or nil and an
-- error whose `kind` says what happened to the order: "not_sent", "rejected" or "unknown".

local ffi = require("ffi")
local constants = require("payorder.constants")
local json = require("payorder.json")

local payorder = {
  Result = constants.Result,
  Outcome = constants.Outcome,
  Cause = constants.Cause,
  Action = constants.Action,
  null = json.null,
  array = json.array,
}

-- ---- The library ----

-- Fails if the program has declared them too.
pcall(ffi.cdef, constants.C)

local function exists(path)
  local file = io.open(path, "rb")
  return file and file:close()
end

-- This system's name in packaging/targets, which is also its folder's in native.
local function system_name()
  local processors = { x64 = "x86_64", x86 = "i686", arm64 = "aarch64", arm = "armv7" }
  local processor = processors[ffi.arch] or ffi.arch
  if ffi.os ~= "Linux" then return processor .. "-" .. ffi.os:lower() end
  local maps = io.open("/proc/self/maps")
  local musl = maps and maps:read("*a"):find("/ld-musl-", 1, true)
  if maps then maps:close() end
  local gnu = processor == "armv7" and "gnueabihf" or "gnu"
  return processor .. "-linux-" .. (musl and "musl" or gnu)
end

-- Where the library may be, the preferred place first. In a checkout, the newest build is the one
-- that the developer has just made.
local function candidates()
  local chosen = os.getenv("PAYORDER_LIBRARY")
  if chosen and chosen ~= "" then
    -- With a slash, the system does not search its own folders.
    return { chosen:find("[/\\]") and chosen or "./" .. chosen }
  end
  local names = {
    Windows = { "payorder.dll", "payorder.dll" },
    OSX = { "libpayorder.dylib", "libpayorder.1.dylib" },
  }
  local name, system = unpack(names[ffi.os] or { "libpayorder.so", "libpayorder.so.1" })
  local folder = debug.getinfo(1, "S").source:match("^@(.*)[/\\]") or "."
  local found = { ("%s/payorder/native/%s/%s"):format(folder, system_name(), name) }
  local checkout = folder .. "/../.."
  if folder:find("bindings[/\\]lua$") and exists(checkout .. "/Cargo.toml") then
    local builds = ("'%s/target/release/%s' '%s/target/debug/%s'"):format(
      checkout, name, checkout, name)
    local list = io.popen("ls -t " .. builds .. " 2>/dev/null")
    for file in list:lines() do found[#found + 1] = file end
    list:close()
  end
  found[#found + 1] = system
  return found
end

local function load_library()
  local tried = {}
  for _, file in ipairs(candidates()) do
    local ok, library = pcall(ffi.load, file)
    local problem = library
    if ok then
      local known, version = pcall(function() return library.payorder_abi_version() end)
      if known and version == constants.ABI_VERSION then return library end
      problem = not known and "it has no payorder_abi_version"
        or ("it has version %d of the ABI, and this package needs version %d"):format(
          version, constants.ABI_VERSION)
    end
    tried[#tried + 1] = ("  %s: %s"):format(file, problem)
  end
  return nil, "payorder found no shared library that it can use; nothing was sent. It tried\n"
    .. table.concat(tried, "\n") .. "\nSet PAYORDER_LIBRARY to the path of the library."
end

-- The library, which is loaded for the first function that needs it.
local C

-- The result and the text of an error that this package found, in the form of the library's.
local function own_text(result, cause, action, message, more)
  local found = {
    result = result,
    outcome = result < 100 and "not_sent" or result < 200 and "rejected" or "unknown",
    cause = cause,
    action = action,
    message = message,
  }
  for name, number in pairs(constants.Result) do
    if number == result then found.name = "PAYORDER_" .. name end
  end
  for key, value in pairs(more or {}) do found[key] = value end
  return result, json.encode({ error = found })
end

-- Nothing, or the error that there is no library.
local function missing_library()
  if C then return nil end
  local problem
  C, problem = load_library()
  if not C then return own_text(3, "unreadable_file", "fix_configuration", problem) end
end

-- A copy of a string of the library, which is freed. If there is no memory for the copy: nil.
local function take(out)
  if out[0] == nil then return nil end
  local ok, text = pcall(ffi.string, out[0])
  C.payorder_string_free(out[0])
  return ok and text or nil
end

-- Calls a function whose last argument is `char **`. Gives its result and the text, or nil.
local function call(name, ...)
  local missing, problem = missing_library()
  if missing then return missing, problem end
  local out = ffi.new("char *[1]")
  local count = select("#", ...)
  local arguments = { ... }
  arguments[count + 1] = out
  local result = C["payorder_" .. name](unpack(arguments, 1, count + 1))
  return result, take(out)
end
-- Compiled code must not call functions that call back.
jit.off(call)

-- What is at a JSON pointer of a text, unchanged; or nil.
local function member(text, pointer)
  local result, found = call("json_get", text, pointer)
  return result == 0 and found or nil
end

-- ---- Results ----

-- Gives what is at a path of a text. If Lua cannot read the text, the library reads it.
local function reader(raw)
  local document = json.decode(raw)
  return function(...)
    if document == nil then return member(raw, "/" .. table.concat({ ... }, "/")) end
    local value = document
    for _, key in ipairs({ ... }) do
      if type(value) ~= "table" then return nil end
      value = value[key]
    end
    return value
  end
end

---@class payorder.Checkout
---@field url string send the customer there
---@field responseCode string
---@field responseMessage string
---@field raw string the complete result as JSON

local function checkout(raw)
  local at = reader(raw)
  return {
    raw = raw,
    url = at("data", "url"),
    responseCode = at("responseCode"),
    responseMessage = at("responseMessage"),
  }
end

---@class payorder.Status: table<string, string> the service's fields, "" where it sent none
---@field completed boolean whether transactionStatus is "Completed": this does not mean paid
---@field date string? such as "2026-11-21T14:05:06", without a time zone
---@field raw string

local function status(raw)
  local at = reader(raw)
  local read = {
    raw = raw,
    responseCode = at("responseCode"),
    responseMessage = at("responseMessage"),
    completed = tostring(at("derived", "completed")) == "true",
    date = at("derived", "transactionDate"),
  }
  for _, key in ipairs(constants.STATUS_DATA) do read[key] = at("data", key) or "" end
  return read
end

---@class payorder.Error the keys of the library's error object
---@field kind "not_sent"|"rejected"|"unknown"|"unusable"
---@field message string
---@field cause string
---@field action string
---@field violations {field: string, rule: string, message: string}[]
---@field statusQuery table? what to give to get_status, which takes the error too
---@field asked table? what a failed query asked
---@field raw string
local Error = {}
Error.__index = Error
function Error:__tostring() return ("%s (%s)"):format(self.message, self.name) end

-- An error: the keys of the library's error object, `kind` and `raw`.
local function failure(raw, kind)
  local at = reader(raw)
  local made = setmetatable({ raw = raw }, Error)
  for _, key in ipairs(constants.ERROR_TEXTS) do made[key] = at("error", key) end
  for _, key in ipairs(constants.ERROR_VALUES) do
    local value = at("error", key)
    made[key] = type(value) == "string" and json.decode(value) or value
  end
  made.violations = made.violations or {}
  made.kind = kind or made.outcome
  local seen = member(raw, "/error/status")
  made.status = seen and status(seen)
  return made
end

local function own_error(result, cause, action, message, more, kind)
  local _, raw = own_text(result, cause, action, message, more)
  return failure(raw, kind)
end

---@class payorder.Waited
---@field final boolean this does not mean paid
---@field timedOut boolean
---@field status payorder.Status? the last one seen
---@field error payorder.Error? of the last query

local function waited(raw)
  local at = reader(raw)
  local seen, problem = member(raw, "/status"), member(raw, "/error")
  return {
    raw = raw,
    final = tostring(at("final")) == "true",
    timedOut = tostring(at("timedOut")) == "true",
    polls = tonumber(at("polls")),
    status = seen and status(seen),
    error = problem and failure('{"error":' .. problem .. "}"),
  }
end

local function entry(fields)
  fields.statusQuery = { searchType = "1", orderId = fields.orderId }
  return fields
end

local function entries(list)
  for _, fields in ipairs(list) do entry(fields) end
  return list
end

-- ---- Calls ----

-- A value as JSON text, or nil and an error. `kind` is "unusable" if there is no order.
local function encode(value, what, operation, kind)
  local ok, text = pcall(json.encode, value == nil and json.null or value)
  if ok and value ~= nil then return text end
  local cause = value == nil and "null" or "not_json"
  local message = value == nil and what .. " is missing" or what .. ": " .. tostring(text)
  if operation then message = message .. "; nothing was sent" end
  return nil, own_error(1, cause, "fix_request", message, { operation = operation }, kind)
end

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
  local given = {}
  for key, value in pairs(options or {}) do given[key] = value end
  given.cancellation = given.cancellation and given.cancellation.token
  local text, problem = encode(given, "options", name)
  if not text then return nil, problem end
  local state = client.state
  state.calls = state.calls + 1
  local result, raw = call(name, client.handle[0], unpack(arguments(text)))
  state.calls = state.calls - 1
  release(state)
  if state.thrown then
    local thrown = state.thrown[1]
    state.thrown = nil
    io.stderr:write("payorder: the log function failed: ", tostring(thrown), "\n")
  end
  if result == 0 and raw then return raw end
  if raw then
    problem = failure(raw)
    if name ~= "create_order" then problem.asked = query end
    return nil, problem
  end
  return nil, own_error(205, "no_resources", "ask_status",
    "the result of the call cannot be read", { operation = name, statusQuery = query })
end
jit.off(make)

-- A query is an order id, a table with `orderId` or `transactionId`, or one with `statusQuery`. The
-- error of a query asks the same again. The library refuses a number, whose text may be another one,
-- such as 1e+16. A copy, because the program may change its table during the call.
local function query_of(query)
  if type(query) ~= "table" then return query ~= nil and { orderId = query } or nil end
  local found = query.statusQuery or getmetatable(query) == Error and query.asked
  if not found and getmetatable(query) == Error then return nil end
  local copy = {}
  for key, value in pairs(found or query) do copy[key] = value end
  return copy
end

local function one(client, name, value, what, options, query)
  local text, problem = encode(value, what, name)
  if not text then return nil, problem end
  return make(client, name, options, function(given) return { text, given } end, query)
end

-- What a function makes of the library's text, or nil and the error.
local function read(reader, raw, problem)
  if raw then return reader(raw) end
  return nil, problem
end

local function open(create, config)
  local settings = {}
  for key, value in pairs(config) do settings[key] = value end
  settings.log = nil
  local text, problem = encode(settings, "the configuration", nil)
  if not text then return nil, problem end
  local handle = ffi.new("payorder_client *[1]")
  local result, raw = call(create, text, handle)
  if result ~= 0 then return nil, failure(raw) end
  local state = { calls = 0, old = {} }
  local client = setmetatable({ handle = handle, state = state }, Client)
  ffi.gc(handle, function(freed)
    C.payorder_client_free(freed[0])
    state.old[#state.old + 1] = state.log
    release(state)
  end)
  if config.log then client:set_log(config.log) end
  return client
end

-- Creates a client. `config` has the keys of docs/configuration.md, and `log`, a function.
---@return payorder.Client?, payorder.Error?
function payorder.client(config) return open("client_new", config) end

-- The same with the settings of the environment, such as PAYORDER_BASE_URL. Keys of `config` win.
---@return payorder.Client?, payorder.Error?
function payorder.from_env(config) return open("client_from_env", config or {}) end

-- Replaces credentials: attempts that begin later use the new ones. Gives true.
function Client:set_credentials(credentials)
  local text, problem = encode(credentials, "the credentials")
  if not text then return nil, problem end
  local result, raw = call("client_set_credentials", self.handle[0], text)
  if result == 0 then return true end
  return nil, failure(raw)
end

local idle, idle_callback

-- Calls a function about every 50 ms while a call waits; nil ends that. If it returns "cancel" or
-- raises an error, the call is cancelled; an error is also printed.
function payorder.set_idle(wanted)
  local missing, problem = missing_library()
  if missing then return nil, failure(problem) end
  idle = wanted
  -- It is never freed: a running call has it, even if its function sets another one.
  idle_callback = idle_callback or ffi.cast("payorder_idle_fn", function()
    if not idle then return 0 end
    local ok, said = pcall(idle)
    if not ok then io.stderr:write("payorder: the idle function failed: ", tostring(said), "\n") end
    return (not ok or said == "cancel") and 1 or 0
  end)
  C.payorder_set_idle(wanted and idle_callback or nil, nil)
end

-- Sends each log event, as a table, to a function; without one, to none. It runs inside the call.
function Client:set_log(log)
  local state = self.state
  state.old[#state.old + 1] = state.log
  state.log = log and ffi.cast("payorder_log_fn", function(event)
    local ok, problem = pcall(function() log(json.decode(ffi.string(event))) end)
    if not ok then state.thrown = state.thrown or { problem } end
  end)
  C.payorder_client_set_log(self.handle[0], state.log, nil)
  release(state)
end

-- Creates an order. Options: `extraFields`, `resend`, and those of every call. After an error of the
-- kind "unknown" the order may exist: give the error to `get_status`.
---@param order table<string, string>
---@return payorder.Checkout?, payorder.Error?
function Client:create_order(order, options)
  local query = { searchType = "1", orderId = type(order) == "table" and order.orderId or nil }
  return read(checkout, one(self, "create_order", order, "the order", options, query))
end

---@param query string|table an order id, a table with `orderId` or `transactionId`, or an error
---@return payorder.Status?, payorder.Error?
function Client:get_status(query, options)
  query = query_of(query)
  return read(status, one(self, "get_status", query, "the query", options, query))
end

-- Asks until the payment is final or the time is up. Options: `waitMs`, `intervalMs`, `final`.
---@return payorder.Waited?, payorder.Error?
function Client:wait_for_payment(query, options)
  query = query_of(query)
  return read(waited, one(self, "wait_for_payment", query, "the query", options, query))
end

-- Calls `each` with a table (index, query, status, error) for each query; index begins with 1. If
-- it returns "stop", no more queries are sent. If it raises an error, neither, and the error is
-- raised at the end. Gives the summary.
---@param each fun(result: {index: integer, query: any, status: payorder.Status?, error: payorder.Error?}): "stop"?
function Client:get_statuses(queries, each, options)
  local given, list = {}, {}
  for index, query in ipairs(queries) do given[index], list[index] = query, query_of(query) end
  local text, problem = encode(json.array(list), "the queries", "get_statuses")
  if not text then return nil, problem end
  local ended, thrown
  local function pass(index, result, raw)
    raw = ffi.string(raw)
    local problem_of = result ~= 0 and failure(raw) or nil
    if problem_of then problem_of.asked = list[index + 1] end
    local said = each({
      index = index + 1,
      query = given[index + 1],
      status = result == 0 and status(raw) or nil,
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
  return read(json.decode, raw, failed)
end

-- After a start: one verdict for each open sale, those of the journal and those that are given
-- (tables with `orderId` and `amount`). Gives `summary`, `otherServices`, `sales`, and `refusal`, the
-- service's words if it refused every query of two or more.
function Client:recover(sales, options)
  local text, problem
  if sales then text, problem = encode(json.array(sales), "the sales", "recover") end
  if problem then return nil, problem end
  return read(json.decode, make(self, "recover", options, function(given)
    return { text or ffi.cast("const char *", 0), given }
  end))
end

local function journal(client, name, options)
  return read(json.decode, make(client, name, options, function(given) return { given } end))
end

---@return table[]?, payorder.Error?
function Client:journal_list(options)
  local read, problem = journal(self, "journal_list", options)
  return read and entries(read.entries), problem
end

-- Gives the summary, the entries that are still unresolved, and how many belong to other services.
function Client:journal_resolve(options)
  local read, problem = journal(self, "journal_resolve", options)
  if not read then return nil, problem end
  return read.summary, entries(read.entries), read.otherServices
end

function Client:journal_settle(entry_or_number, options)
  local number = entry_or_number
  local given = { entry = type(number) == "table" and number.entry or number }
  for key, value in pairs(options or {}) do given[key] = value end
  local read, problem = journal(self, "journal_settle", given)
  return read and entry(read), problem
end

function Client:journal_prune(options)
  local read, problem = journal(self, "journal_prune", options)
  return read and read.removed, problem
end

local function end_calls(client, name)
  local result = C["payorder_client_" .. name](client.handle[0])
  if result == 0 then return true end
  return nil, own_error(result, "client_freed", "fix_request", "the client is closed")
end

-- Ends all calls in flight, for example from a log function.
function Client:cancel() return end_calls(self, "cancel") end

-- The same, and later calls send nothing.
function Client:stop() return end_calls(self, "stop") end

function Client:close()
  C.payorder_client_free(self.handle[0])
  local state = self.state
  state.old[#state.old + 1] = state.log
  state.log = nil
  release(state)
end

-- ---- Cancellations ----

local Cancellation = {}
Cancellation.__index = Cancellation

-- Cancels the calls that have it as the option `cancellation`. It stays cancelled.
function payorder.cancellation()
  local missing, problem = missing_library()
  if missing then return nil, failure(problem) end
  local out = ffi.new("const char *[1]")
  local result = C.payorder_cancellation_new(out)
  if result ~= 0 then return nil, own_error(result, "bug", "report_bug", "no token") end
  local token = ffi.string(out[0])
  local holder = ffi.gc(ffi.new("char[1]"), function() C.payorder_cancellation_free(token) end)
  return setmetatable({ token = token, holder = holder }, Cancellation)
end

function Cancellation:cancel()
  local result = C.payorder_cancellation_cancel(self.token)
  if result == 0 then return true end
  return nil, own_error(result, "cancellation_freed", "fix_request", "the cancellation is closed")
end

function Cancellation:close()
  C.payorder_cancellation_free(self.token)
end

-- ---- Functions that do not use the network. The `kind` of their errors is "unusable". ----

local function offline(name, ...)
  local result, raw = call(name, ...)
  if result == 0 then return raw end
  return nil, failure(raw, "unusable")
end

function payorder.build_create_order(order, options)
  local text, problem = encode(order, "the order", nil, "unusable")
  if not text then return nil, problem end
  local given, wrong = encode(options or {}, "options", nil, "unusable")
  if not given then return nil, wrong end
  return offline("build_create_order", text, given)
end

function payorder.build_get_status(query)
  local text, problem = encode(query_of(query), "the query", nil, "unusable")
  if not text then return nil, problem end
  return offline("build_get_status", text)
end

-- A text that is given to the library as it is.
local function plain(text, what)
  if type(text) == "string" and not text:find("\0", 1, true) then return text end
  local message = what .. " is not a text, or contains U+0000"
  return nil, own_error(1, "invalid_value", "fix_request", message, nil, "unusable")
end

-- Reads the transaction from the URL on which the customer returned. It proves no payment.
---@return {transactionId: string, statusQuery: table}?, payorder.Error?
function payorder.parse_return_url(url)
  local text, problem = plain(url, "the URL")
  if not text then return nil, problem end
  return read(json.decode, offline("parse_return_url", text))
end

-- Compares a status with what was expected: `orderId`, `amount` and perhaps `transactionId`, and
-- `notBefore`, when the sale began: os.date("!%Y-%m-%dT%H:%M:%SZ"). The status is one of this package,
-- or the service's response as JSON text.
---@return {paid: boolean, reasons: table[], unverifiable: string[]}?, payorder.Error?
function payorder.verify_payment(expected, found)
  local text, problem = encode(expected, "what was expected", nil, "unusable")
  if not text then return nil, problem end
  local raw, wrong = plain(type(found) == "table" and found.raw or found, "the status")
  if not raw then return nil, wrong end
  return read(json.decode, offline("verify_payment", text, raw))
end

-- For the tests of a program: a status from the service's fields, the end of a wait, and an error of
-- a result. Other results are plain tables, which a test can write itself.
---@param fields table<string, string>
---@return payorder.Status
function payorder.made_status(fields)
  return status(json.encode({
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
  local given = {}
  for key, value in pairs(more or {}) do given[key] = value end
  if given.previous then
    usual = constants.USUAL_CAUSES[given.previous.url and "url" or given.previous.state] or usual
    local query = { searchType = "1", orderId = given.previous.orderId }
    given.statusQuery = given.statusQuery or query
  end
  return own_error(result, usual[1], usual[2], message, given)
end

function payorder.version()
  local missing, problem = missing_library()
  if missing then return nil, failure(problem) end
  return ffi.string(C.payorder_version())
end

-- What the library has in use, to find leaks.
function payorder.live_counters()
  return {
    clients = tonumber(C.payorder_live_clients()),
    strings = tonumber(C.payorder_live_strings()),
    calls = tonumber(C.payorder_live_calls()),
  }
end

return payorder
