-- What the library is given, as text.

local json = require("payorder.json")
local results = require("payorder.results")

local requests = {}

function requests.copy(given)
  local copy = {}
  for key, value in pairs(given or {}) do copy[key] = value end
  return copy
end

-- A value as JSON text, or nil and an error. `kind` is "unusable" if there is no order.
function requests.encode(value, what, operation, kind)
  local ok, text = pcall(json.encode, value == nil and json.null or value)
  if ok and value ~= nil then return text end
  local cause = value == nil and "null" or "not_json"
  local message = value == nil and what .. " is missing" or what .. ": " .. tostring(text)
  if operation then message = message .. "; nothing was sent" end
  return nil, results.own_error(1, cause, "fix_request", message, { operation = operation }, kind)
end

-- A query is an order id, a table with `orderId` or `transactionId`, or one with `statusQuery`. The
-- error of a query asks the same again. The library refuses a number, whose text may be another
-- one, such as 1e+16. A copy, because the program may change its table during the call.
function requests.query_of(query)
  if type(query) ~= "table" then return query ~= nil and { orderId = query } or nil end
  local found = query.statusQuery or getmetatable(query) == results.Error and query.asked
  if not found and getmetatable(query) == results.Error then return nil end
  return requests.copy(found or query)
end

-- A text that is given to the library as it is.
function requests.plain(text, what)
  if type(text) == "string" and not text:find("\0", 1, true) then return text end
  local message = what .. " is not a text, or contains U+0000"
  return nil, results.own_error(1, "invalid_value", "fix_request", message, nil, "unusable")
end

return requests
