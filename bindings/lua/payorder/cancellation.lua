-- Cancels calls.

local ffi = require("ffi")
local library = require("payorder.library")
local results = require("payorder.results")

local Cancellation = {}
Cancellation.__index = Cancellation

-- Cancels the calls that have it as the option `cancellation`. It stays cancelled.
local function new()
  local missing, problem = library.missing()
  if missing then return nil, results.failure(problem) end
  local out = ffi.new("const char *[1]")
  local result = library.C.payorder_cancellation_new(out)
  if result ~= 0 then return nil, results.own_error(result, "bug", "report_bug", "no token") end
  local token = ffi.string(out[0])
  local free = library.C.payorder_cancellation_free
  local holder = ffi.gc(ffi.new("char[1]"), function() free(token) end)
  return setmetatable({ token = token, holder = holder }, Cancellation)
end

function Cancellation:cancel()
  local result = library.C.payorder_cancellation_cancel(self.token)
  if result == 0 then return true end
  local message = "the cancellation is closed"
  return nil, results.own_error(result, "cancellation_freed", "fix_request", message)
end

function Cancellation:close()
  library.C.payorder_cancellation_free(self.token)
end

return new
