-- A nightly reconciliation: compares a list of orders with the service.
--
--     luajit reconciliation.lua ORDERS.csv > REPORT.csv
--
-- Each line of the file is an order id and an amount. The exit status is 0 if all orders are paid
-- as expected, 2 if there are no orders to ask for, and 6 otherwise.

package.path = (arg[0]:match("^(.*)[/\\]") or ".") .. "/?.lua;" .. package.path
local payorder = require("payorder")
local till = require("till")

local function no_orders(why)
  io.stderr:write(why, "\n")
  os.exit(2)
end

local rows = {}
local file, problem = io.open(arg[1] or "")
if not file then no_orders("cannot read the orders: " .. problem) end
local number = 0
for line in file:lines() do
  number = number + 1
  if number == 1 then line = line:gsub("^\239\187\191", "") end -- a byte-order mark
  if line:match("[^\r]") then
    local order_id, amount = line:match("^(.*),([^\r]*)\r?$")
    if not order_id then no_orders("line " .. number .. " is not an order") end
    rows[#rows + 1] = { statusQuery = { orderId = order_id }, amount = amount }
  end
end
if #rows == 0 then no_orders("no orders in " .. arg[1]) end

local function verdict(result)
  if result.error then
    -- With wrong credentials, nothing is known about the order: ask again.
    return result.error.name == "PAYORDER_REJECTED" and "refused" or "no_answer"
  end
  local row = result.query
  local expected = { orderId = row.statusQuery.orderId, amount = row.amount }
  local payment = payorder.verify_payment(expected, result.status)
  if not payment then return "cannot be checked" end -- such as an amount with a space
  if payment.paid then return "matched" end
  local checks = {}
  for index, reason in ipairs(payment.reasons) do checks[index] = reason.check end
  return table.concat(checks, " ")
end

local differ = 0
local client = assert(payorder.from_env())
local summary = assert(client:get_statuses(rows, function(result)
  local found = verdict(result)
  if found ~= "matched" then differ = differ + 1 end
  print(table.concat({ result.query.statusQuery.orderId, result.query.amount, found }, ","))
end, { concurrency = 16, ratePerSecond = 200 }))
io.stderr:write("asked for ", summary.asked, " orders\n")
client:close()
os.exit(differ == 0 and 0 or 6)
