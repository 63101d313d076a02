-- The package's driver of the conformance suite: see bindings/conformance/README.md. It uses the
-- package as a program does, and reports what the package's own tables say.

local folder = arg[0]:match("^(.*)[/\\]") or "."
package.path = folder .. "/?.lua;" .. package.path
local json = require("payorder.json")
io.stdout:setvbuf("no")

local function write(report) io.write(json.encode(report), "\n") end

local payorder = require("payorder")
local constants = require("payorder.constants")
local version, refused = payorder.version()
if not version then
  assert(refused.kind == "not_sent")
  write({ refused = refused.message })
  os.exit(1)
end

local STATUS = { "responseCode", "responseMessage", "completed", "date", "raw" }
for _, key in ipairs(constants.STATUS_DATA) do STATUS[#STATUS + 1] = key end

-- ---- Reports ----

local function pick(keys, value)
  local picked = {}
  for _, key in ipairs(keys) do picked[key] = value[key] end
  return picked
end

local function status_report(status) return status and pick(STATUS, status) end

local function error_report(problem)
  if not problem then return nil end
  local report = pick(constants.ERROR_VALUES, problem)
  for _, key in ipairs(constants.ERROR_TEXTS) do report[key] = problem[key] end
  -- A language without error classes: programs look at the outcome.
  report.caught = problem.outcome
  report.violations = json.array({})
  for index, one in ipairs(problem.violations) do
    report.violations[index] = { field = one.field, rule = one.rule }
  end
  report.status = status_report(problem.status)
  return report
end

-- What a step gave, under the suite's names.
local function shown(value)
  if type(value) ~= "table" then return value end
  if value.polls then
    return {
      final = value.final,
      timedOut = value.timedOut,
      polls = value.polls,
      status = status_report(value.status),
      error = error_report(value.error),
    }
  end
  return value.completed ~= nil and status_report(value) or value
end

-- ---- Steps ----

local clients, cancellations, events = {}, {}, json.array({})
local perform

local function client(step) return clients[step.client] end

local function options(step)
  local given = {}
  for key, value in pairs(step.options or {}) do given[key] = value end
  given.cancellation = step.cancellation and cancellations[step.cancellation]
  return given
end

local function object(step)
  return step.cancellation and cancellations[step.cancellation] or client(step)
end

-- Each gives the package's own result, or nil and an error; true is not shown.
local operations = {}

function operations.open(step)
  local opened, problem = payorder.client(step.config)
  clients[step.client] = opened
  return opened and true, problem
end

function operations.create(step) return client(step):create_order(step.order, options(step)) end

function operations.status(step) return client(step):get_status(step.query, options(step)) end

function operations.wait(step) return client(step):wait_for_payment(step.query, options(step)) end

function operations.statuses(step, report)
  report.items = json.array({})
  return client(step):get_statuses(step.queries, function(result)
    report.items[#report.items + 1] = {
      index = result.index - 1,
      ok = result.error == nil,
      thread = "caller",
      value = status_report(result.status),
      error = error_report(result.error),
    }
    if not step["then"] or #report.items ~= step.at + 1 then return nil end
    if step["then"].op == "stop" then return "stop" end
    perform(step["then"], {})
  end, options(step))
end

function operations.journal(step)
  local given, own = options(step), client(step)
  if step["do"] == "settle" then
    local number = given.entry
    given.entry = nil
    return own:journal_settle(number, given)
  end
  local first, second, third, fourth = own["journal_" .. step["do"]](own, given)
  if step["do"] == "resolve" and first then
    return { summary = first, entries = second, otherServices = third, refusal = fourth }
  end
  return first, second
end

function operations.check(step) return client(step):check(options(step)) end

function operations.recover(step) return client(step):recover(step.sales, options(step)) end

function operations.credentials(step) return client(step):set_credentials(step.credentials) end

function operations.shutdown(step) return client(step):stop() end

function operations.build(step)
  if step.query then return payorder.build_get_status(step.query) end
  return payorder.build_create_order(step.order, step.options)
end

function operations.parse(step) return payorder.parse_return_url(step.url) end

function operations.verify(step) return payorder.verify_payment(step.expected, step.status) end

function operations.cancellation(step)
  cancellations[step.cancellation] = payorder.cancellation()
  return true
end

function operations.cancel(step) return object(step):cancel() end

function operations.close(step)
  object(step):close()
  return true
end

function operations.log(step)
  client(step):set_log(step.on ~= false and function(event)
    event.thread = "caller"
    events[#events + 1] = event
    if step["then"] and event.event == step.at then perform(step["then"], {}) end
  end or nil)
  return true
end

function operations.events()
  local taken = events
  events = json.array({})
  return taken
end

operations.counters = payorder.live_counters

function operations.collect()
  collectgarbage()
  collectgarbage()
  return true
end

function operations.forget(step)
  clients[step.client] = nil
  return true
end

function operations.take(step, report)
  local value, problem
  report.call, value, problem = client(step):take(60000)
  assert(report.call, "a started call never ended")
  return value, problem
end

local function reported(value, problem)
  if value == nil then return { ok = false, error = error_report(problem) } end
  return { ok = true, value = shown(value) }
end

local function start(step)
  local names = { create = "create_order", status = "get_status", wait = "wait_for_payment" }
  local number, problem =
    client(step):start(names[step.op], step.order or step.query, options(step))
  return number and { ok = true, call = number } or reported(nil, problem)
end

operations.throw = function() error("planted", 0) end

function perform(step, report) return operations[step.op](step, report) end

local function run(step)
  if step.thread then return start(step) end
  local report = {}
  local ok, value, problem = pcall(perform, step, report)
  if not ok then
    if value ~= "planted" then error(value, 0) end
    report.ok, report.thrown = false, value
  else
    for key, one in pairs(reported(value, problem)) do report[key] = one end
  end
  return report
end

write({
  driver = "lua",
  language = jit.version,
  library = version,
  abi = 1,
  features = {
    "started", "exceptions", "gc", "finalizers", "log-in-call", "load", "opens", "untyped",
    "query-text", "closing", "check",
  },
})
for line in io.lines() do write(run(json.decode(line, json.null))) end
